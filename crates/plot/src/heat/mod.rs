//! Heat maps: a value for every combination of two lists, shown as a colour.
//!
//! A [`HeatMap`] has one or more [`Panel`]s. Several panels share both lists and the colour scale, so that they can
//! be compared at a glance: small multiples, for a third list.
//!
//! Invariants: if one end of the scale is better ([`Better`]), a worse value never has a colour closer to the
//! background's than a better one; otherwise, a larger value never has a colour closer to the background's than a
//! smaller one. Colour is never the only carrier of a value: it is written in the cell if there is room, and the
//! tooltip always shows it. A cell without a value is hatched, has no colour from the scale, and shows the reason if
//! there is room.

mod cells;
mod data;
mod description;
mod layout;
mod legend;
mod scale;
mod strokes;
mod values;

pub use scale::{Widening, scale_for, widened};

use std::collections::BTreeSet;

use super::colour::HEAT_STEPS;
use super::sheet::Sheet;
use super::svg::{Anchor, Svg, muted};
use super::text::wrapped;
use super::{Axis, Better, Colour, Room, Size, Surface};
use setpoint_units::quantity::Bounded;

use self::layout::Layout;

/// A heat map, ready to be drawn.
///
/// ```
/// use setpoint_plot::{HeatCell, HeatMap, Panel, Places, Size, Style, Surface, Unit, scale_for};
///
/// let sides = (
///     Places::new("Senders", vec!["2".into(), "10".into()]),
///     Places::new("Set point", vec!["13 kB".into(), "26 kB".into()]),
/// );
/// let mut map = HeatMap::new("queue", "Mean queue", sides, scale_for("Queue", Unit::Bytes, [12e3, 31e3]));
/// let cell = |value: f64| HeatCell::new(Some(value));
/// let rows = vec![vec![cell(12e3), cell(14e3)], vec![cell(25e3), HeatCell::new(None)]];
/// map.panels.push(Panel { title: String::new(), rows });
///
/// let svg = map.svg(Size::Wide, Surface::File(Style::SCREEN));
/// assert!(svg.contains(">Senders<") && svg.contains("class=\"missing\""));
/// assert!(map.alternative().starts_with("Heat map of queue, over senders from 2 to 10"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// File name, without extension.
    pub name: String,
    /// Title.
    pub title: String,
    /// Further information for the reader; may be empty.
    pub note: String,
    /// The columns, from left to right.
    pub x: Places,
    /// The rows, from the bottom.
    pub y: Places,
    /// The quantity shown by the colours: a linear or logarithmic axis, for example from [`scale_for`]. A value
    /// beyond the range has the colour of the nearest end, as does zero on a logarithmic scale.
    pub scale: Axis,
    /// The better end of the scale; `None` if the map does not show it.
    pub better: Option<Better>,
    /// The meaning of a cell without a value, for the legend.
    pub missing: String,
    /// Where to draw a line between cells.
    pub threshold: Option<Threshold>,
    /// One panel, or several to compare.
    pub panels: Vec<Panel>,
    /// Cells whose values are lower bounds; they are written with a `>`.
    pub lower_bounds: BTreeSet<Place>,
    /// Width on a wide page.
    pub room: Room,
}

/// The places along one side of a heat map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// The quantity in which the places differ.
    pub label: String,
    /// The label of each place.
    pub names: Vec<String>,
}

/// One of several maps that share a scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Title; empty if there is only one panel.
    pub title: String,
    /// The cells by row and column. Cells missing at the end of a row have no value.
    pub rows: Vec<Vec<HeatCell>>,
}

/// One value of a heat map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeatCell {
    /// The value; `None` if it was not measured. A value that is not finite counts as `None`.
    pub value: Option<f64>,
    /// Further text for the tooltip, such as a standard deviation or the reason for a missing value.
    pub note: String,
}

/// A line between the cells below a value and those at or above it.
#[derive(Clone, Debug, PartialEq)]
pub struct Threshold {
    /// The smallest value of the upper side.
    pub at: f64,
    /// The condition that begins there, for the legend.
    pub meaning: String,
}

impl Places {
    /// Creates places from their names.
    pub fn new(label: impl Into<String>, names: Vec<String>) -> Self {
        Self { label: label.into(), names }
    }
}

impl HeatCell {
    /// A cell with or without a value.
    pub fn new(value: Option<f64>) -> Self {
        Self { value, note: String::new() }
    }
}

impl HeatMap {
    /// A half-width heat map without panels.
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
    pub fn svg(&self, size: Size, surface: Surface) -> String {
        let mut layout = Layout::new(self, size, surface);
        let footer = self.footer(&layout, surface);
        let below = footer.len() as f64 * (layout.font + 5.0);
        layout.fit(self, (size, surface), below);
        let footer_top = layout.height;
        layout.height += below;
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
    pub fn data(&self) -> String {
        data::json(self)
    }

    /// Text alternative for the picture.
    pub fn alternative(&self) -> String {
        description::alternative(self)
    }

    /// The note of a standalone heat map; a page writes it below the figure.
    fn footer(&self, layout: &Layout, surface: Surface) -> Vec<String> {
        if surface.has_note() && !self.note.is_empty() {
            wrapped(&self.note, layout.font, layout.width - 4.0)
        } else {
            Vec::new()
        }
    }

    /// The value of a cell, if it has a finite one.
    fn value(&self, at: Place) -> Option<f64> {
        self.cell(at)?.value.filter(|value| value.is_finite())
    }

    fn cell(&self, Place { panel, row, column }: Place) -> Option<&HeatCell> {
        self.panels.get(panel)?.rows.get(row)?.get(column)
    }

    /// All cells by panel and row, from the bottom.
    pub fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let (rows, columns) = (self.y.names.len(), self.x.names.len());
        let cells = self.panels.len() * rows * columns;
        (0..cells).map(move |index| Place {
            panel: index / (rows * columns),
            row: index / columns % rows,
            column: index % columns,
        })
    }

    /// The ramp step of a value.
    fn step(&self, value: f64) -> usize {
        let share = self.scale.position(value).unwrap_or(0.0);
        self.strength(((share * HEAT_STEPS as f64).floor().max(0.0) as usize).min(HEAT_STEPS - 1))
    }

    /// The ramp step for a step counted from the lower end of the scale.
    fn strength(&self, along: usize) -> usize {
        if self.better == Some(Better::Larger) { HEAT_STEPS - 1 - along } else { along }
    }

    /// Fill, further attributes and text colour of a ramp step.
    fn paint(&self, step: usize) -> (Colour, String, Colour) {
        match self.better {
            Some(Better::Neither) => {
                let opacity = 0.05 + 0.45 * step as f64 / (HEAT_STEPS - 1) as f64;
                (Colour::Muted, format!(" fill-opacity=\"{opacity:.2}\""), Colour::Ink)
            }
            _ => (Colour::Heat(step), String::new(), Colour::OnHeat(step)),
        }
    }

    /// The tooltip of a cell: its value and note.
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

    /// The value of a cell with its unit, or its lower bound: `> 50 ms`.
    fn quantity_text(&self, at: Place, value: f64) -> String {
        self.scale.unit.bounded_text(Bounded { value, is_lower_bound: self.lower_bounds.contains(&at) })
    }

    /// Whether the threshold divides the cells, so that there is a line to draw.
    fn is_divided(&self) -> bool {
        let Some(threshold) = &self.threshold else { return false };
        let mut sides =
            self.places().filter_map(|place| self.value(place)).map(|value| value >= threshold.at);
        let first = sides.next();
        sides.any(|side| Some(side) != first)
    }

    /// The reason why a cell has no value.
    fn reason(&self, at: Place) -> &str {
        let note = self.cell(at).map_or("", |cell| cell.note.as_str());
        if note.is_empty() { &self.missing } else { note }
    }
}

/// Position of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Index of the panel.
    pub panel: usize,
    /// Index of the row, from the bottom.
    pub row: usize,
    /// Index of the column, from the left.
    pub column: usize,
}
