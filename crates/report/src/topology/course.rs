//! The paths of links between boxes.

use super::graph::{Edge, Graph};
use super::layout::{ARCH, Place, Plan, TRUNK, is_blocked};
use setpoint_plot::svg::path;

/// The path of a link.
#[derive(Clone, Debug)]
pub(super) struct Course {
    /// The line, as the data of an SVG path.
    pub(super) path: String,
    /// A point halfway.
    pub(super) middle: (f64, f64),
    /// Direction of the line at that point, from the first end of the edge to the second; not normalised.
    pub(super) heading: (f64, f64),
    /// Whether it leads to a box that hangs below a bridge.
    pub(super) hangs: bool,
}

/// Links leave a box on the side facing the other box; links within a column bow out. In a ring, they are straight.
pub(super) fn course(graph: &Graph, plan: &Plan, edge: &Edge) -> Course {
    let (mut from, mut to) = (plan.places[edge.ends.0], plan.places[edge.ends.1]);
    if plan.ring.is_some() {
        return straight(from, to);
    }
    let hangs = graph.boxes[edge.ends.0].below.is_some() || graph.boxes[edge.ends.1].below.is_some();
    if hangs {
        return hanging(from, to);
    }
    let reversed = from.x > to.x;
    if reversed {
        (from, to) = (to, from);
    }
    let course = if (from.x - to.x).abs() < 1.0 {
        bowed(from, to)
    } else if is_blocked(&plan.places, from, to) {
        arched(from, to)
    } else {
        across(from, to)
    };
    let (x, y) = course.heading;
    if reversed { Course { heading: (-x, -y), ..course } } else { course }
}

/// A straight link between the borders of two boxes, in the direction of their centres.
fn straight(from: Place, to: Place) -> Course {
    let heading = (to.x - from.x, to.y - from.y);
    let (start, end) = (border(from, heading), border(to, (-heading.0, -heading.1)));
    let path = path("M{} {}L{} {}", [start.0, start.1, end.0, end.1]);
    let middle = ((start.0 + end.0) / 2.0, (start.1 + end.1) / 2.0);
    Course { path, middle, heading, hangs: false }
}

/// The point at which a line from the centre of a box crosses its border.
fn border(place: Place, (x, y): (f64, f64)) -> (f64, f64) {
    let reach = |half: f64, along: f64| if along == 0.0 { f64::INFINITY } else { half / along.abs() };
    let share = reach(place.width / 2.0, x).min(reach(place.height / 2.0, y)).min(1.0);
    (place.x + share * x, place.y + share * y)
}

/// A link between boxes in the same column.
fn bowed(from: Place, to: Place) -> Course {
    let bow = from.x + from.width.max(to.width) / 2.0 + 26.0;
    let (start, end) = (from.x + from.width / 2.0, to.x + to.width / 2.0);
    let path = path("M{} {}Q{} {} {} {}", [start, from.y, bow, (from.y + to.y) / 2.0, end, to.y]);
    let middle = (start / 4.0 + bow / 2.0 + end / 4.0, (from.y + to.y) / 2.0);
    Course { path, middle, heading: (end - start, to.y - from.y), hangs: false }
}

/// A link from one column to another on its right.
fn across(from: Place, to: Place) -> Course {
    let (x1, x2) = (from.x + from.width / 2.0, to.x - to.width / 2.0);
    let pull = (x2 - x1) * 0.35;
    let path = path("M{} {}C{} {} {} {} {} {}", [x1, from.y, x1 + pull, from.y, x2 - pull, to.y, x2, to.y]);
    let middle = ((x1 + x2) / 2.0, (from.y + to.y) / 2.0);
    Course { path, middle, heading: (x2 - x1 - pull, to.y - from.y), hangs: false }
}

/// A link that passes over the boxes in between.
fn arched(from: Place, to: Place) -> Course {
    let (start, end) = (from.y - from.height / 2.0, to.y - to.height / 2.0);
    let top = start.min(end) - ARCH;
    let path =
        path("M{} {}C{} {} {} {} {} {}", [from.x, start, from.x + ARCH, top, to.x - ARCH, top, to.x, end]);
    let middle = ((from.x + to.x) / 2.0, (start + end + 6.0 * top) / 8.0);
    Course { path, middle, heading: (to.x - from.x - ARCH, end - start), hangs: false }
}

/// A link down the left side, so that a row of boxes below one bridge shares a trunk.
fn hanging(from: Place, to: Place) -> Course {
    let (upper, lower, sign) = if from.y < to.y { (from, to, 1.0) } else { (to, from, -1.0) };
    let x = lower.x - lower.width / 2.0 - TRUNK;
    let start = upper.y + upper.height / 2.0;
    let bend = start + 10.0;
    let path = path("M{} {}V{}H{}V{}H{}", [upper.x, start, bend, x, lower.y, lower.x - lower.width / 2.0]);
    // Only the last piece, from the trunk to the side, belongs to this box alone.
    Course { path, middle: (x + TRUNK / 2.0, lower.y), heading: (sign, 0.0), hangs: true }
}
