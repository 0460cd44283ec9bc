//! PAUSE and PFC activity, for runs in which ports were paused.

use setpoint_record::results::{PortSummary, RunRecord};

use super::{added, beside, binned_rate, interval, largest, over_time, port_text};
use setpoint_plot::{Axis, Bars, Colour, Figure, Line, Mark, Shape};
use setpoint_units::quantity::Unit;

/// Number of steps in the run.
const STEPS: usize = 240;
/// Maximum number of ports in a figure.
const MOST: usize = 16;

pub(super) fn figures(record: &RunRecord) -> Vec<Figure> {
    beside(over_the_run(record), by_port(record))
}

/// The number of paused ports over time, as a mean over each step.
fn over_the_run(record: &RunRecord) -> Option<Figure> {
    let ports = record.series.ports.iter().map(|port| port.paused_share.as_slice());
    let shares = added(record.series.time_s.len(), ports);
    let spans: Vec<f64> =
        shares.iter().enumerate().map(|(index, share)| share * interval(record, index)).collect();
    let points = binned_rate(record, &spans, STEPS);
    let top = largest(points.iter().map(|point| point.1));
    if top == 0.0 {
        return None;
    }
    let axis = Axis::from_zero("Paused ports", Unit::Ratio, top);
    let mut figure = over_time(record, "pauses", "Ports paused", axis);
    let (name, colour) = ("all ports".into(), Colour::Alarm);
    figure.marks.push(Mark::Line(Line { name, colour, shape: Shape::Area, points }));
    figure.alternative = format!(
        "Number of paused ports over time, as a mean over each step; up to {}.",
        Unit::Ratio.text(top)
    );
    Some(figure)
}

fn by_port(record: &RunRecord) -> Option<Figure> {
    let mut ports: Vec<&PortSummary> = record
        .summary
        .ports
        .iter()
        .filter(|port| port.paused_share > 0.0 && port.paused_share.is_finite())
        .collect();
    if ports.is_empty() {
        return None;
    }
    ports.sort_by(|a, b| b.paused_share.total_cmp(&a.paused_share));
    let all = ports.len();
    ports.truncate(MOST);
    let top = largest(ports.iter().map(|port| port.paused_share));
    let names = ports.iter().map(|port| port_text(&port.name)).collect();
    let x = Axis::categories("Port, longest paused first", names);
    let y = Axis::from_zero("Share of time paused", Unit::Share, top);
    let mut figure = Figure::new("pauses-by-port", "Time paused by port", x, y);
    let values = ports.iter().map(|port| port.paused_share).collect();
    let (name, colour) = ("share of time paused".into(), Colour::Alarm);
    figure.marks.push(Mark::Bars(Bars { name, colour, values }));
    figure.note =
        if all > MOST { format!("The {MOST} longest paused of {all} ports.") } else { String::new() };
    figure.alternative =
        format!("Share of time for which ports were paused, up to {}.", Unit::Share.text(top));
    Some(figure)
}
