//! Positions of the boxes.

use std::collections::BTreeMap;

use super::graph::{Graph, NodeBox};
use super::ring::Ring;
use setpoint_plot::text::{strong_width, text_width};
use setpoint_plot::{Size, Surface};

/// The layout of a drawing.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) width: f64,
    pub(super) height: f64,
    /// Font size in boxes.
    pub(super) font: f64,
    /// Centre and size of each box.
    pub(super) places: Vec<Place>,
    /// Base line of the legend below the drawing.
    pub(super) key_line: f64,
    pub(super) size: Size,
    /// The centre of the ring, if the bridges form one.
    pub(super) ring: Option<(f64, f64)>,
}

/// Centre and size of a box.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Gap between a bridge and the first box that hangs below it.
const HANG: f64 = 26.0;
/// For boxes below a bridge, the distance from the side of the box to its link.
pub(super) const TRUNK: f64 = 9.0;
/// Height of the bend of a link that passes over other boxes.
pub(super) const ARCH: f64 = 44.0;
/// Font size and row spacing of groups, whose boxes have two lines.
const GROUPS: (f64, f64) = (12.0, 46.0);
/// Space for the legend below the drawing.
const KEY: f64 = 46.0;

/// Lays out the drawing.
pub(super) fn plan(graph: &Graph, size: Size, surface: Surface) -> Plan {
    let size = surface.layout(size);
    let ring = Ring::of(graph).and_then(|ring| around(&ring, graph, size, surface));
    ring.unwrap_or_else(|| in_columns(graph, size, surface))
}

/// The layout of a ring; `None` if its boxes do not fit.
fn around(ring: &Ring, graph: &Graph, size: Size, surface: Surface) -> Option<Plan> {
    let (font, pitch) = pitch(graph.boxes.len(), size);
    let mut places = measured(graph, font, pitch);
    let (width, top) = (wanted_width(size, surface), top(surface));
    let (height, centre) = ring.arrange(&mut places, width, top)?;
    let bottom = top + height + KEY;
    Some(Plan { width, height: bottom, font, places, key_line: bottom - 12.0, size, ring: Some(centre) })
}

fn in_columns(graph: &Graph, size: Size, surface: Surface) -> Plan {
    let columns = columns(graph);
    let tallest = columns
        .values()
        .map(|column| column.iter().map(|&stack| stack_rows(graph, stack)).sum())
        .fold(0, usize::max);
    let (font, pitch) = if graph.grouped { GROUPS } else { pitch(tallest, size) };
    let mut places = measured(graph, font, pitch);
    let width = width(graph, &columns, &places, (size, surface));
    let top = top(surface);
    let height =
        columns.values().map(|column| column_height(graph, column, &places, pitch)).fold(60.0, f64::max);
    let half = |column: Option<&Vec<usize>>| {
        column.map_or(0.0, |column| column_width(graph, column, &places) / 2.0 + 2.0)
    };
    let (first, last) = (half(columns.values().next()), half(columns.values().next_back()));
    for (index, column) in columns.values().enumerate() {
        let x = match columns.len() {
            1 => width / 2.0,
            count => first + (width - first - last) * index as f64 / (count - 1) as f64,
        };
        spread(graph, column, &mut places, (x, top, height, pitch));
    }
    let above = room_above(graph, &places, top);
    places.iter_mut().for_each(|place| place.y += above);
    let bottom = top + above + height + KEY;
    Plan { width, height: bottom, font, places, key_line: bottom - 12.0, size, ring: None }
}

/// The sizes of all boxes, without positions.
fn measured(graph: &Graph, font: f64, pitch: f64) -> Vec<Place> {
    let measure = |node: &NodeBox| {
        let label = if node.bridge { strong_width } else { text_width }(&node.label, font);
        let width = label + 16.0;
        let note = if node.note.is_empty() { 0.0 } else { text_width(&node.note, font - 1.5) + 14.0 };
        Place { width: width.max(note).max(30.0), height: box_height(node, font, pitch), x: 0.0, y: 0.0 }
    };
    graph.boxes.iter().map(measure).collect()
}

/// Space for the title above the boxes.
fn top(surface: Surface) -> f64 {
    if surface.has_title() { 44.0 } else { 10.0 }
}

/// Extra height above the boxes for links that pass over them.
fn room_above(graph: &Graph, places: &[Place], top: f64) -> f64 {
    let arches = graph.edges.iter().filter_map(|edge| {
        let (one, other) = (places[edge.ends.0], places[edge.ends.1]);
        let (from, to) = if one.x < other.x { (one, other) } else { (other, one) };
        let hangs = graph.boxes[edge.ends.0].below.or(graph.boxes[edge.ends.1].below).is_some();
        let over = !hangs && to.x - from.x >= 1.0 && is_blocked(places, from, to);
        // The label is above the middle of the link, at three quarters of its height.
        over.then(|| from.y.min(to.y) - from.height.max(to.height) / 2.0 - ARCH * 0.75 - 26.0)
    });
    arches.fold(0.0, |room, y| f64::max(room, top - y))
}

/// The boxes of each column that do not hang below another, in order; stations are in the order of their bridges,
/// so that links do not cross.
fn columns(graph: &Graph) -> BTreeMap<u16, Vec<usize>> {
    let mut columns: BTreeMap<u16, Vec<usize>> = BTreeMap::new();
    for (index, node) in graph.boxes.iter().enumerate().filter(|(_, node)| node.below.is_none()) {
        columns.entry(node.column).or_default().push(index);
    }
    let home = |index: usize| {
        let edge = graph.edges.iter().find(|edge| edge.ends.0 == index || edge.ends.1 == index);
        edge.map_or(index, |edge| if edge.ends.0 == index { edge.ends.1 } else { edge.ends.0 })
    };
    for column in columns.values_mut() {
        column
            .sort_by_key(|&index| if graph.boxes[index].bridge { (index, 0) } else { (home(index), index) });
    }
    columns
}

fn hanging(graph: &Graph, bridge: usize) -> impl Iterator<Item = usize> + '_ {
    (0..graph.boxes.len()).filter(move |&index| graph.boxes[index].below == Some(bridge))
}

fn stack_rows(graph: &Graph, index: usize) -> usize {
    1 + hanging(graph, index).count()
}

/// Font size and row spacing: comfortable for a few rows, compact for many.
fn pitch(rows: usize, size: Size) -> (f64, f64) {
    match (rows, size) {
        (0..=4, Size::Wide) => (13.5, 58.0),
        (0..=12, Size::Wide) => (12.5, 31.0),
        (13..=20, Size::Wide) => (11.5, 25.0),
        (_, Size::Wide) => (10.5, 20.0),
        (0..=4, Size::Narrow) => (12.0, 52.0),
        (0..=12, Size::Narrow) => (11.5, 28.0),
        (_, Size::Narrow) => (9.0, 16.5),
    }
}

fn box_height(node: &NodeBox, font: f64, pitch: f64) -> f64 {
    let lines = if !node.note.is_empty() && pitch > 40.0 { 2.0 } else { 1.0 };
    (lines * (font + 3.5) + 7.0).min(pitch - 3.0)
}

fn column_height(graph: &Graph, column: &[usize], places: &[Place], pitch: f64) -> f64 {
    let hung = |index: usize| {
        let boxes: f64 = hanging(graph, index).map(|below| places[below].height + 6.0).sum();
        if boxes > 0.0 { HANG + boxes } else { 0.0 }
    };
    column.iter().map(|&index| pitch.max(places[index].height + 3.0) + hung(index)).sum()
}

/// The requested width, or more if columns would touch; the page then scrolls the drawing.
fn width(
    graph: &Graph,
    columns: &BTreeMap<u16, Vec<usize>>,
    places: &[Place],
    (size, surface): (Size, Surface),
) -> f64 {
    let gap = if size == Size::Wide { 40.0 } else { 22.0 };
    let needed: f64 = columns.values().map(|column| column_width(graph, column, places) + gap).sum();
    f64::max(wanted_width(size, surface), needed)
}

fn wanted_width(size: Size, surface: Surface) -> f64 {
    let page = if size == Size::Wide { 1040.0 } else { 400.0 };
    let given = surface.style().and_then(|style| style.width());
    // The legend needs about the width of a phone screen.
    given.map_or(page, |given| given.max(400.0))
}

/// Width of the widest box in a column; a box below a bridge also needs space for its link.
fn column_width(graph: &Graph, column: &[usize], places: &[Place]) -> f64 {
    let hung = |index: usize| hanging(graph, index).map(|below| places[below].width + 2.0 * TRUNK + 4.0);
    column.iter().flat_map(|&index| hung(index).chain([places[index].width])).fold(0.0, f64::max)
}

/// Spreads a column over the height, each bridge with the boxes that hang below it.
fn spread(
    graph: &Graph,
    column: &[usize],
    places: &mut [Place],
    (x, top, height, pitch): (f64, f64, f64, f64),
) {
    let used = column_height(graph, column, places, pitch);
    // A sparse column is spread over most of the height.
    let extra = if column.len() > 1 { (height - used) * 0.8 / column.len() as f64 } else { 0.0 };
    let mut y = top + (height - used - extra * column.len() as f64) / 2.0;
    for &index in column {
        let slot = pitch.max(places[index].height + 3.0) + extra;
        (places[index].x, places[index].y) = (x, y + slot / 2.0);
        let mut below = y + slot / 2.0 + places[index].height / 2.0 + HANG;
        let mut hung = false;
        for child in hanging(graph, index) {
            (places[child].x, places[child].y) = (x, below + places[child].height / 2.0);
            below += places[child].height + 6.0;
            hung = true;
        }
        y = if hung { below } else { y + slot };
    }
}

/// Whether a box obstructs the link from one box to another on its right.
pub(super) fn is_blocked(places: &[Place], from: Place, to: Place) -> bool {
    places.iter().filter(|place| place.x > from.x + 1.0 && place.x < to.x - 1.0).any(|place| {
        // Links begin and end horizontally, so they deviate slightly from a straight line.
        let share = (place.x - from.x) / (to.x - from.x);
        let line = from.y + (to.y - from.y) * share;
        (place.y - line).abs() < place.height / 2.0 + 3.0
    })
}
