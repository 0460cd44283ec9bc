//! Heat maps over two parameters.

use setpoint_plot::{Axis, HeatCell, HeatMap, Panel, Places, Room, scale_for};
use setpoint_record::confidence::Spread;
use setpoint_units::quantity::Unit;

use super::Names;

/// A grid over two parameters, and the unit of the figures in its cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeatPlot<'a> {
    /// Label and values of the columns.
    pub(crate) columns: (&'a str, &'a [u32]),
    /// Label and values of the rows.
    pub(crate) rows: (&'a str, &'a [u32]),
    pub(crate) unit: Unit,
}

impl HeatPlot<'_> {
    /// A panel with a cell for each combination of row and column.
    pub(crate) fn panel(&self, title: &str, cell: impl Fn(u32, u32) -> HeatCell) -> Panel {
        let row = |row: &u32| self.columns.1.iter().map(|column| cell(*column, *row)).collect();
        Panel { title: title.to_owned(), rows: self.rows.1.iter().map(row).collect() }
    }

    /// Panels with a common scale that fits their values.
    pub(crate) fn map(&self, names: Names<'_>, panels: Vec<Panel>) -> HeatMap {
        let cells = panels.iter().flat_map(|panel| panel.rows.iter().flatten());
        let scale = scale_for(names.1, self.unit, cells.filter_map(|cell| cell.value));
        self.map_on(scale, names, panels)
    }

    /// Panels on a given scale.
    pub(crate) fn map_on(&self, scale: Axis, (name, title): Names<'_>, panels: Vec<Panel>) -> HeatMap {
        let places = |(label, values): (&str, &[u32])| {
            Places::new(label, values.iter().map(ToString::to_string).collect())
        };
        let sides = (places(self.columns), places(self.rows));
        HeatMap { panels, room: Room::Full, ..HeatMap::new(name, title, sides, scale) }
    }
}

/// A cell with the mean of some values, and their standard deviation as a note.
pub(crate) fn heat_cell(values: &[f64], unit: Unit) -> HeatCell {
    let spread = Spread::of(values);
    let note = spread.map_or_else(String::new, |spread| unit.spread_text(spread.mean, spread.deviation));
    HeatCell { value: spread.map(|spread| spread.mean), note }
}
