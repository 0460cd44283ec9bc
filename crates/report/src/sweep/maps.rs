//! A sweep over two or three axes: a heat map of each metric, with a panel per value of the third axis.

use setpoint_lab::sweep::{SweepSummary, VariantSummary};
use setpoint_record::catalogue::Metric;
use setpoint_record::confidence::Spread;

use super::axes::{Grid, SweptAxis};
use super::figures::better;
use super::scale::colours;
use setpoint_plot::{HeatCell, HeatMap, Panel, Place, Places, Room, Threshold};

/// The roles of the axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arrangement {
    /// Indices of the grid's axes.
    x: usize,
    y: usize,
    /// With three axes, the axis whose values are the panels.
    panels: Option<usize>,
}

impl Arrangement {
    /// The arrangement of two or three axes; `None` for any other number of axes. For panels, text values are
    /// preferred to numbers, and few values to many; for the x axis, numbers are preferred to text, and many values
    /// to few.
    pub(super) fn of(axes: &[SweptAxis]) -> Option<Self> {
        let mut order: Vec<usize> = (0..axes.len()).collect();
        order.sort_by_key(|&axis| (axes[axis].numbers.is_none(), std::cmp::Reverse(axes[axis].values.len())));
        match order[..] {
            [x, y] => Some(Self { x, y, panels: None }),
            [x, y, last] => {
                let texts = || [x, y, last].into_iter().filter(|&axis| axes[axis].numbers.is_none());
                // If there are several text axes, panels show the one with the fewest values.
                let panels = texts().min_by_key(|&axis| axes[axis].values.len()).unwrap_or(last);
                let rest: Vec<usize> = [x, y, last].into_iter().filter(|&axis| axis != panels).collect();
                Some(Self { x: rest[0], y: rest[1], panels: Some(panels) })
            }
            _ => None,
        }
    }
}

pub(super) fn map(grid: &Grid<'_>, arrangement: Arrangement, metric: &Metric) -> HeatMap {
    let axes = &grid.axes;
    let (x, y) = (&axes[arrangement.x], &axes[arrangement.y]);
    // Text values run from top to bottom, numbers from bottom to top.
    let rows: Vec<usize> = match y.numbers {
        Some(_) => (0..y.values.len()).collect(),
        None => (0..y.values.len()).rev().collect(),
    };
    let variant = |panel: Option<usize>, row: usize, column: usize| {
        let mut places = vec![0; axes.len()];
        (places[arrangement.x], places[arrangement.y]) = (column, row);
        if let (Some(axis), Some(place)) = (arrangement.panels, panel) {
            places[axis] = place;
        }
        grid.variant(&places)
    };
    let panel = |place: Option<usize>| {
        let cell = |row: usize, column: usize| cell(variant(place, row, column), metric);
        let row = |row: &usize| (0..x.values.len()).map(|column| cell(*row, column)).collect();
        let title = place.map_or_else(String::new, |place| title(axes, arrangement, place));
        Panel { title, rows: rows.iter().map(row).collect() }
    };
    let panels: Vec<Panel> = match arrangement.panels {
        Some(axis) => (0..axes[axis].values.len()).map(|place| panel(Some(place))).collect(),
        None => vec![panel(None)],
    };
    let spreads: Vec<Spread> = grid.all().filter_map(|variant| variant.spread(metric).copied()).collect();
    let scale = colours(metric, &spreads);
    let names = |axis: &SweptAxis, order: &[usize]| {
        Places::new(&axis.label, order.iter().map(|&place| axis.values[place].clone()).collect())
    };
    let columns: Vec<usize> = (0..x.values.len()).collect();
    let sides = (names(x, &columns), names(y, &rows));
    let mut map = HeatMap::new(metric.name, metric.title, sides, scale);
    map.room = if arrangement.panels.is_some() { Room::Full } else { Room::Half };
    map.threshold = metric.onset.map(|onset| Threshold { at: f64::MIN_POSITIVE, meaning: onset.to_owned() });
    map.better = Some(better(metric));
    map.missing = missing(&panels, metric);
    let is_bound = |place: &Place| {
        let panel = arrangement.panels.map(|_| place.panel);
        let spread = variant(panel, rows[place.row], place.column).and_then(|variant| variant.spread(metric));
        spread.is_some_and(|spread| spread.is_lower_bound)
    };
    map.panels = panels;
    map.lower_bounds = map.places().filter(is_bound).collect();
    map
}

/// The meaning of the hatching: why cells have no value.
fn missing(panels: &[Panel], metric: &Metric) -> String {
    let cells = panels.iter().flat_map(|panel| panel.rows.iter().flatten());
    let mut reasons: Vec<&str> =
        cells.filter(|cell| cell.value.is_none()).map(|cell| cell.note.as_str()).collect();
    reasons.sort_unstable();
    reasons.dedup();
    if reasons.is_empty() { metric.missing.to_owned() } else { reasons.join(" or ") }
}

fn title(axes: &[SweptAxis], arrangement: Arrangement, place: usize) -> String {
    let Some(axis) = arrangement.panels.map(|axis| &axes[axis]) else { return String::new() };
    // A text value is usually self-explanatory; a number is not.
    match axis.numbers {
        Some(_) => format!("{} {}", axis.label, axis.values[place]),
        None => format!("{}: {}", axis.label, axis.values[place]),
    }
}

fn cell(variant: Option<&VariantSummary>, metric: &Metric) -> HeatCell {
    let Some(variant) = variant else { return HeatCell::new(None) };
    let failed = variant.runs.iter().filter(|run| run.error.is_some()).count();
    let Some(spread) = variant.spread(metric) else {
        let note = if failed > 0 { "failed" } else { metric.missing };
        return HeatCell { value: None, note: note.to_owned() };
    };
    let uncertainty = metric.uncertainty_text(spread);
    let coverage = spread.coverage_text(variant.runs.len());
    let partly = if coverage.is_empty() { coverage } else { format!("({coverage})") };
    let note =
        [uncertainty, partly].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    HeatCell { value: Some(spread.mean), note }
}

/// Maximum number of cells in a readable map.
pub(super) const MOST_CELLS: usize = 2_000;
/// Maximum number of cells in all maps of a page, to keep it small.
const MOST_DRAWN: usize = 2_700;

/// Maximum number of maps on a sweep page.
pub(super) fn most(summary: &SweepSummary) -> usize {
    MOST_DRAWN / summary.variants.len().max(1)
}

/// Whether a sweep is small enough for heat maps.
pub(super) fn fits(summary: &SweepSummary) -> bool {
    summary.variants.len() <= MOST_CELLS
}
