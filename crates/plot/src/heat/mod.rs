//! Heat maps: a value for every pair of two lists, as a colour.
//!
//! A [`HeatMap`] has one [`Panel`] or several. Those of several share both lists and the scale of colours, which
//! makes them comparable at a glance: small multiples, for a third list.
//!
//! Invariants: where one end of the scale is better ([`Better`]), a worse value never has a colour nearer to the paper than
//! a better one, in every map; else a larger one never has one nearer than a smaller one. The colour is never all that
//! says a value (it is written in the cell where there is room, and always under the pointer). A cell without a
//! value is hatched, has no colour of the scale, and says why where there is room.

mod cells;
mod data;
mod layout;
mod legend;
mod scale;
mod values;
mod words;

pub use scale::{Widening, scale_for, widened};

use std::collections::BTreeSet;

use super::colour::HEAT_STEPS;
use super::sheet::Sheet;
use super::svg::{Anchor, Svg, muted};
use super::text::wrapped;
use super::{Axis, Colour, Room, Size, Surface};
use setpoint_units::quantity::Bounded;

use self::layout::Layout;

/// A heat map, ready to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// Name of the file, without extension.
    pub name: String,
    /// Title.
    pub title: String,
    /// What a reader should know besides; may be empty.
    pub note: String,
    /// The columns, from left to right.
    pub x: Places,
    /// The rows, from the lowest up.
    pub y: Places,
    /// What the colours show: a linear or a logarithmic axis, such as [`scale_for`] gives. A value beyond its ends
    /// has the colour of the end, and so has a zero on a logarithmic one.
    pub scale: Axis,
    /// Which end of the scale is better; none where the map does not say so.
    pub better: Option<Better>,
    /// What a cell without a value means, for the legend.
    pub missing: String,
    /// Where a line is drawn between cells.
    pub threshold: Option<Threshold>,
    /// One, or several to compare.
    pub panels: Vec<Panel>,
    /// The cells whose values are lower bounds; they are written with a `>`.
    pub lower_bounds: BTreeSet<Place>,
    /// Room it takes on a wide page.
    pub room: Room,
}

/// Which end of a scale is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Large values: small ones have the strong colours.
    Larger,
    /// Small values: large ones have the strong colours.
    Smaller,
    /// Neither, as with the mean length of a queue: the map is grey.
    Neither,
}

/// The places along one side of a heat map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// What they differ in.
    pub label: String,
    /// What is written at each.
    pub names: Vec<String>,
}

/// One map of several that share their scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// What it shows; empty where there is but one.
    pub title: String,
    /// The cells by row and column; what is missing at the end of a row has no value.
    pub rows: Vec<Vec<HeatCell>>,
}

/// One value of a heat map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeatCell {
    /// The value; none for what was not measured. One that is not finite counts as none.
    pub value: Option<f64>,
    /// What the pointer shows besides, such as a deviation, or why there is no value.
    pub note: String,
}

/// A line between the cells below a value and those at or above it.
#[derive(Clone, Debug, PartialEq)]
pub struct Threshold {
    /// The least value on the upper side.
    pub at: f64,
    /// What begins there, for the legend.
    pub meaning: String,
}

impl Places {
    /// Places by their names.
    #[must_use]
    pub fn new(label: impl Into<String>, names: Vec<String>) -> Self {
        Self { label: label.into(), names }
    }
}

impl HeatCell {
    /// A cell with a value, or without one.
    #[must_use]
    pub fn new(value: Option<f64>) -> Self {
        Self { value, note: String::new() }
    }
}

impl HeatMap {
    /// A heat map of half the width without any panel.
    #[must_use]
    pub fn new(name: &str, title: &str, (x, y): (Places, Places), scale: Axis) -> Self {
        Self {
            name: name.into(),
            title: title.into(),
            note: String::new(),
            x,
            y,
            scale,
            better: None,
            missing: "no value".into(),
            threshold: None,
            panels: Vec::new(),
            lower_bounds: BTreeSet::new(),
            room: Room::Half,
        }
    }

    /// The heat map as SVG.
    #[must_use]
    pub fn svg(&self, size: Size, surface: Surface) -> String {
        let mut layout = Layout::new(self, size, surface);
        let footer = self.footer(&layout, surface);
        let footer_top = layout.height;
        layout.height += footer.len() as f64 * (layout.font + 5.0);
        let mut svg = Svg::new(surface);
        let sheet = Sheet {
            title: &self.title,
            description: &self.alternative(),
            width: layout.width,
            height: layout.height,
            font: layout.font,
            attributes: layout.attributes(),
        };
        sheet.open(&mut svg, size);
        legend::draw(&mut svg, self, &layout.legend, layout.font);
        cells::draw(&mut svg, self, &layout);
        for (index, line) in footer.iter().enumerate() {
            let at = (2.0, footer_top + (index as f64 + 0.6) * (layout.font + 5.0));
            svg.label(&muted(line, at, Anchor::Start, layout.font));
        }
        svg.raw("</svg>");
        svg.finish()
    }

    /// The values as compact JSON, for the page's script.
    #[must_use]
    pub fn data(&self) -> String {
        data::json(self)
    }

    /// The picture in words, for those who do not see it.
    #[must_use]
    pub fn alternative(&self) -> String {
        words::alternative(self)
    }

    /// The note of a heat map that stands alone; the page writes it below the figure.
    fn footer(&self, layout: &Layout, surface: Surface) -> Vec<String> {
        match surface {
            Surface::File if !self.note.is_empty() => wrapped(&self.note, layout.font, layout.width - 4.0),
            Surface::File | Surface::Page => Vec::new(),
        }
    }

    /// The value of a cell, if it has one.
    fn value(&self, at: Place) -> Option<f64> {
        self.cell(at)?.value.filter(|value| value.is_finite())
    }

    fn cell(&self, Place { panel, row, column }: Place) -> Option<&HeatCell> {
        self.panels.get(panel)?.rows.get(row)?.get(column)
    }

    /// Every cell, panel by panel, row by row from the lowest up.
    pub fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let (rows, columns) = (self.y.names.len(), self.x.names.len());
        let cells = self.panels.len() * rows * columns;
        (0..cells).map(move |index| Place {
            panel: index / (rows * columns),
            row: index / columns % rows,
            column: index % columns,
        })
    }

    /// The step of the ramp for a value.
    fn step(&self, value: f64) -> usize {
        let share = self.scale.position(value).unwrap_or(0.0);
        self.strength(((share * HEAT_STEPS as f64).floor().max(0.0) as usize).min(HEAT_STEPS - 1))
    }

    /// The step of the ramp for a step along the scale, from its lower end.
    fn strength(&self, along: usize) -> usize {
        if self.better == Some(Better::Larger) { HEAT_STEPS - 1 - along } else { along }
    }

    /// Fill, further attributes and the colour of text for a step of the ramp.
    fn paint(&self, step: usize) -> (Colour, String, Colour) {
        match self.better {
            Some(Better::Neither) => {
                let opacity = 0.05 + 0.45 * step as f64 / (HEAT_STEPS - 1) as f64;
                (Colour::Muted, format!(" fill-opacity=\"{opacity:.2}\""), Colour::Ink)
            }
            _ => (Colour::Heat(step), String::new(), Colour::OnHeat(step)),
        }
    }

    /// What the pointer shows of a cell: its value and what is noted besides.
    fn value_text(&self, at: Place) -> String {
        let note = self.cell(at).map_or("", |cell| cell.note.as_str());
        let value = self.value(at).map(|value| self.quantity_text(at, value));
        match (value, note) {
            (Some(value), "") => value,
            (Some(value), note) => format!("{value} {note}"),
            (None, _) if self.reason(at) == "no value" => "no value".into(),
            (None, _) => format!("no value: {}", self.reason(at)),
        }
    }

    /// The value of a cell with its unit, or the least that it can be: `> 50 ms`.
    fn quantity_text(&self, at: Place, value: f64) -> String {
        self.scale.unit.bounded_text(Bounded { value, is_lower_bound: self.lower_bounds.contains(&at) })
    }

    /// Whether some cells are at or above the threshold and others below it, so that there is a line to draw.
    fn is_divided(&self) -> bool {
        let Some(threshold) = &self.threshold else { return false };
        let mut sides =
            self.places().filter_map(|place| self.value(place)).map(|value| value >= threshold.at);
        let first = sides.next();
        sides.any(|side| Some(side) != first)
    }

    /// Why a cell has no value.
    fn reason(&self, at: Place) -> &str {
        let note = self.cell(at).map_or("", |cell| cell.note.as_str());
        if note.is_empty() { &self.missing } else { note }
    }
}

/// Where a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The panel, from the first.
    pub panel: usize,
    /// The row, from the lowest.
    pub row: usize,
    /// The column, from the left.
    pub column: usize,
}
