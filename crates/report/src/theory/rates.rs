//! Rates of the sources in a fluid solution, by class.

use setpoint_lab::theory::{ClassCourse, FluidRecord};

use super::{Course, overlay};
use crate::document::{Block, Section};
use setpoint_plot::{Axis, Figure, Room};
use setpoint_units::quantity::Unit;

/// Maximum number of classes drawn.
const MOST_CLASSES: usize = 8;

/// One figure per class, all on the same scale; nothing without classes.
pub(super) fn section(record: &FluidRecord) -> Option<Section> {
    if record.classes.is_empty() {
        return None;
    }
    let drawn = &record.classes[..record.classes.len().min(MOST_CLASSES)];
    let mut figures: Vec<Figure> =
        drawn.iter().enumerate().map(|(index, class)| figure(record, index, class)).collect();
    let top = figures.iter().map(|figure| figure.y.range.1).fold(0.0, f64::max);
    for figure in &mut figures {
        figure.y = Axis::from_zero("Rate", Unit::BitsPerSecond, top);
        figure.room = if drawn.len() > 1 { Room::Half } else { Room::Full };
    }
    let section = Section::new("rates", "Rates").with(Block::Figures(figures));
    let left = record.classes.len() - drawn.len();
    Some(match left {
        0 => section,
        1 => section.with(Block::Note("One more class is in the record.".into())),
        left => section.with(Block::Note(format!("{left} more classes are in the record."))),
    })
}

fn figure(record: &FluidRecord, index: usize, class: &ClassCourse) -> Figure {
    let packets = record.packets.as_ref().and_then(|packets| packets.classes.get(index));
    let course = Course {
        time_s: &record.time_s,
        fluid: &class.rate_bps,
        packets: packets.map(|class| &class.rate_bps[..]),
    };
    let title = match class.sources {
        1 => format!("Rate of {}", class.name),
        sources => format!("Rate of one of the {sources} sources {}", class.name),
    };
    let mut figure = overlay(&format!("rate-{}", index + 1), &title, ("Rate", Unit::BitsPerSecond), course);
    figure.unmeasured = Some(record.measured_from_s).filter(|from| *from > 0.0);
    let mean = Unit::BitsPerSecond.text(class.rate_mean_bps);
    let beside = packets.map_or_else(String::new, |packets| {
        let mean = Unit::BitsPerSecond.text(packets.rate_mean_bps);
        format!("; the mean over the flows of the packet run in the background is {mean}")
    });
    figure.alternative = format!("{title} over time in the fluid model. Its mean is {mean}{beside}.");
    figure
}
