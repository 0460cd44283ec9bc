//! Fewer points, the same curve.
//!
//! Reduction by columns, as of a series over time, would destroy a loop. A curve is reduced by Ramer's and Douglas and
//! Peucker's rule instead: a point goes if the curve without it stays within a fraction of a pixel. The points farthest
//! to the left, to the right, up and down are kept as they are. What runs over what is drawn already, as a limit cycle
//! does, is left out.

use std::collections::BTreeSet;

/// A distance that is not seen, in pixels.
const UNSEEN: f64 = 0.2;
/// A curve is no finer than this, in pixels, before it is looked at more closely.
const GRAIN: f64 = 0.1;
/// A curve is looked at in parts of so many points: many turns at once would be looked at once for each of them.
const PART: usize = 400;
/// Vertices of a curve at most.
const MOST: usize = 5000;

/// Pieces of a curve, in pixels, with as few points as show it; at most some thousand.
pub(super) fn reduced(pieces: &[Vec<(f64, f64)>]) -> Vec<Vec<(f64, f64)>> {
    let mut tolerance = UNSEEN;
    loop {
        let simple: Vec<_> = pieces.iter().map(|piece| simplified(piece, tolerance)).collect();
        let mut kept = unseen(&simple);
        if kept.iter().map(Vec::len).sum::<usize>() <= MOST {
            return kept;
        }
        if tolerance > 50.0 {
            let mut left = MOST;
            kept.retain(|piece| left.checked_sub(piece.len()).map(|rest| left = rest).is_some());
            return kept;
        }
        tolerance *= 2.0;
    }
}

/// The points of a curve without those that it can do without: it stays within `tolerance` of each of them.
pub(crate) fn simplified(points: &[(f64, f64)], tolerance: f64) -> Vec<(f64, f64)> {
    let points = coarse(points, GRAIN.max(tolerance / 2.0));
    if points.len() < 3 {
        return points;
    }
    let mut kept = extremes(&points);
    kept.extend((0..points.len()).step_by(PART));
    let mut open: Vec<(usize, usize)> = kept.iter().copied().zip(kept.iter().copied().skip(1)).collect();
    while let Some((first, last)) = open.pop() {
        let within = first + 1..last;
        let far = |index: &usize| distance(points[*index], points[first], points[last]);
        let farthest = within.max_by(|one, other| far(one).total_cmp(&far(other)));
        if let Some(index) = farthest.filter(|index| far(index) > tolerance) {
            kept.insert(index);
            open.extend([(first, index), (index, last)]);
        }
    }
    kept.into_iter().map(|index| points[index]).collect()
}

/// Both ends, and where the curve reaches farthest in each direction.
fn extremes(points: &[(f64, f64)]) -> BTreeSet<usize> {
    let most = |of: fn(&(f64, f64)) -> f64| {
        let reach = |index: &usize| of(&points[*index]);
        (0..points.len()).max_by(|one, other| reach(one).total_cmp(&reach(other)))
    };
    let farthest =
        [most(|point| point.0), most(|point| -point.0), most(|point| point.1), most(|point| -point.1)];
    farthest.into_iter().flatten().chain([0, points.len() - 1]).collect()
}

/// Without what lies within a grain of the point before, apart from the last one and the extremes.
fn coarse(points: &[(f64, f64)], grain: f64) -> Vec<(f64, f64)> {
    if points.len() < 3 {
        return points.to_vec();
    }
    let extremes = extremes(points);
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for (index, &point) in points.iter().enumerate() {
        let apart = |last: &(f64, f64)| (point.0 - last.0).hypot(point.1 - last.1) > grain;
        if kept.last().is_none_or(apart) || extremes.contains(&index) {
            kept.push(point);
        }
    }
    kept
}

/// Distance of a point from a stretch between two others.
fn distance(point: (f64, f64), from: (f64, f64), to: (f64, f64)) -> f64 {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx * dx + dy * dy;
    let share = if length > 0.0 { ((point.0 - from.0) * dx + (point.1 - from.1) * dy) / length } else { 0.0 };
    let share = share.clamp(0.0, 1.0);
    (point.0 - from.0 - dx * share).hypot(point.1 - from.1 - dy * share)
}

/// Without the stretches that lie wholly on pixels that an earlier one has covered.
fn unseen(pieces: &[Vec<(f64, f64)>]) -> Vec<Vec<(f64, f64)>> {
    let mut covered = Covered::around(pieces);
    let mut kept: Vec<Vec<(f64, f64)>> = Vec::new();
    for piece in pieces {
        if piece.len() < 2 {
            kept.push(piece.clone());
        }
        let mut joined = false;
        for pair in piece.windows(2) {
            let fresh = covered.cover(pair[0], pair[1]);
            match kept.last_mut().filter(|_| joined && fresh) {
                Some(current) => current.push(pair[1]),
                None if fresh => kept.push(pair.to_vec()),
                None => {}
            }
            joined = fresh;
        }
    }
    kept
}

/// Pixels that something was drawn on.
struct Covered {
    corner: (f64, f64),
    width: usize,
    pixels: Vec<bool>,
}

impl Covered {
    /// No pixel of those that some pieces reach, as far as there are not more than a screen has.
    fn around(pieces: &[Vec<(f64, f64)>]) -> Self {
        let points = || pieces.iter().flatten();
        let least = |of: fn(&(f64, f64)) -> f64| points().map(of).fold(f64::INFINITY, f64::min);
        let corner = (least(|point| point.0), least(|point| point.1));
        let reach = (-least(|point| -point.0) - corner.0, -least(|point| -point.1) - corner.1);
        let side = |reach: f64| if reach.is_finite() { reach.clamp(0.0, 4000.0) as usize + 1 } else { 1 };
        let (width, height) = (side(reach.0), side(reach.1));
        Self { corner, width, pixels: vec![false; width * height] }
    }

    /// Covers the pixels that a straight line runs through, near enough; whether one of them was not covered before.
    fn cover(&mut self, from: (f64, f64), to: (f64, f64)) -> bool {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let steps = (dx.hypot(dy) * 2.0).ceil().clamp(1.0, 10_000.0) as u32;
        let mut fresh = false;
        for step in 0..=steps {
            let share = f64::from(step) / f64::from(steps);
            let at = (from.0 + dx * share - self.corner.0, from.1 + dy * share - self.corner.1);
            let row = (at.1 as usize).min(self.pixels.len() / self.width - 1);
            let covered = &mut self.pixels[row * self.width + (at.0 as usize).min(self.width - 1)];
            fresh |= !std::mem::replace(covered, true);
        }
        fresh
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A spiral of some turns around (200, 200), from far out to the centre or as a cycle of one radius.
    fn turns(count: usize, turns: f64, radius: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
        let point = |index: usize| {
            let share = index as f64 / count as f64;
            let angle = share * turns * std::f64::consts::TAU;
            (200.0 + radius(share) * angle.cos(), 200.0 + radius(share) * angle.sin())
        };
        (0..=count).map(point).collect()
    }

    fn bounds(points: impl Iterator<Item = (f64, f64)>) -> [f64; 4] {
        points.fold([f64::MAX, f64::MIN, f64::MAX, f64::MIN], |[a, b, c, d], (x, y)| {
            [a.min(x), b.max(x), c.min(y), d.max(y)]
        })
    }

    #[test]
    fn a_loop_keeps_its_extremes_in_both_directions() {
        let spiral = turns(100_000, 12.0, |share| 180.0 * (1.0 - share));
        let simple = simplified(&spiral, UNSEEN);
        assert!(simple.len() < 2000, "{} points", simple.len());
        assert_eq!(bounds(simple.iter().copied()), bounds(spiral.iter().copied()));
        // And every point of the loop is near the curve that is left.
        for point in spiral.iter().step_by(97) {
            let near =
                simple.windows(2).map(|pair| distance(*point, pair[0], pair[1])).fold(f64::MAX, f64::min);
            assert!(near <= UNSEEN + GRAIN, "{point:?} is {near} away");
        }
    }

    #[test]
    fn a_cycle_costs_little_more_than_one_turn() {
        let once = reduced(&[turns(2000, 1.0, |_| 150.0)]);
        let often = reduced(&[turns(1_000_000, 500.0, |_| 150.0)]);
        let count = |pieces: &[Vec<(f64, f64)>]| pieces.iter().map(Vec::len).sum::<usize>();
        assert!(count(&often) < 4 * count(&once), "{} after {}", count(&often), count(&once));
    }

    #[test]
    fn a_tangle_stays_within_bounds() {
        let tangle: Vec<(f64, f64)> = (0..60_000_u64)
            .map(|index| {
                let drawn = index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                ((drawn >> 40) as f64 / 40_000.0, (drawn << 24 >> 40) as f64 / 40_000.0)
            })
            .collect();
        let kept = reduced(std::slice::from_ref(&tangle));
        assert!(kept.iter().map(Vec::len).sum::<usize>() <= MOST);
        assert_eq!(bounds(simplified(&tangle, 5.0).into_iter()), bounds(tangle.into_iter()));
    }

    #[test]
    fn few_points_are_kept_as_they_are() {
        assert!(simplified(&[], 1.0).is_empty());
        assert_eq!(simplified(&[(1.0, 1.0)], 1.0), [(1.0, 1.0)]);
        assert_eq!(simplified(&[(0.0, 0.0), (5.0, 0.001), (9.0, 0.0)], 0.1).len(), 3);
        assert_eq!(reduced(&[vec![(1.0, 1.0)]]), [[(1.0, 1.0)]]);
    }
}
