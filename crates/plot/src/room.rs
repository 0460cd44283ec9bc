//! Finding space for a label among the curves.

use super::decimate::stretches;
use super::frame::Frame;
use super::svg::{Anchor, Label};
use super::text::text_width;
use super::{Figure, Mark};

/// Number of positions examined between two points of a curve.
const STEPS: usize = 6;

/// The position that overlaps no label in `taken`, if there is one, and that the fewest curves cross; the first one if
/// there are several. The label is added to `taken`.
pub(super) fn emptiest_beside(
    figure: &Figure,
    frame: &Frame,
    label: &Label<'_>,
    places: impl IntoIterator<Item = (f64, f64)>,
    taken: &mut Vec<Area>,
) -> (f64, f64) {
    let crowd = |at: &(f64, f64)| {
        let area = Area::of(label, *at);
        (taken.iter().filter(|other| area.overlaps(**other)).count(), crowd(figure, frame, area))
    };
    let at = places.into_iter().min_by_key(crowd).unwrap_or(label.at);
    taken.push(Area::of(label, at));
    at
}

/// The position that the fewest curves cross; the first one if there are several.
pub(super) fn emptiest(
    figure: &Figure,
    frame: &Frame,
    label: &Label<'_>,
    places: impl IntoIterator<Item = (f64, f64)>,
) -> (f64, f64) {
    emptiest_beside(figure, frame, label, places, &mut Vec::new())
}

/// A rectangle covered by a label or a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Area {
    fn of(label: &Label<'_>, (x, y): (f64, f64)) -> Self {
        let width = text_width(label.text, label.size);
        let left = match label.anchor {
            Anchor::Start => x,
            Anchor::Middle => x - width / 2.0,
            Anchor::End => x - width,
        };
        Self { left: left - 3.0, right: left + width + 3.0, top: y - label.size, bottom: y + 3.0 }
    }

    /// The rectangle around a vertical line of the plot that labels should avoid.
    pub(super) fn upright(frame: &Frame, x: f64) -> Self {
        Self { left: x - 2.0, right: x + 2.0, top: frame.top, bottom: frame.bottom }
    }

    fn overlaps(self, other: Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    fn holds(self, (x, y): (f64, f64)) -> bool {
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }
}

/// Number of examined curve positions in an area.
fn crowd(figure: &Figure, frame: &Frame, area: Area) -> usize {
    let lines = figure.marks.iter().filter_map(|mark| match mark {
        Mark::Line(line) => Some(line.points.as_slice()),
        Mark::Path(path) => Some(path.points.as_slice()),
        Mark::Points(_) | Mark::Band(_) | Mark::Bars(_) | Mark::Whiskers(_) => None,
    });
    lines.flat_map(stretches).map(|stretch| crossings(figure, frame, stretch, area)).sum()
}

fn crossings(figure: &Figure, frame: &Frame, stretch: &[(f64, f64)], area: Area) -> usize {
    let place = |&(x, y): &(f64, f64)| Some((frame.x(figure, x)?, frame.y(figure, y)?));
    let places: Vec<(f64, f64)> = stretch.iter().filter_map(place).collect();
    let between = |from: (f64, f64), to: (f64, f64)| {
        (0..STEPS).map(move |step| {
            let share = step as f64 / STEPS as f64;
            (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share)
        })
    };
    if let [alone] = places[..] {
        return usize::from(area.holds(alone));
    }
    let near = places.windows(2).filter(|pair| pair[0].0.min(pair[1].0) <= area.right);
    let near = near.filter(|pair| pair[0].0.max(pair[1].0) >= area.left);
    near.flat_map(|pair| between(pair[0], pair[1])).filter(|&at| area.holds(at)).count()
}
