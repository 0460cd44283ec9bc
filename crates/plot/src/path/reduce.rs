//! Reducing the number of points without changing the curve.
//!
//! Reduction by pixel columns, as for a time series, would destroy a loop. A curve is reduced by the
//! Ramer–Douglas–Peucker algorithm instead: a point is dropped if the curve without it stays within a fraction of a
//! pixel. The leftmost, rightmost, highest and lowest points are always kept. Segments that retrace what is already
//! drawn, as in a limit cycle, are omitted.

use std::collections::BTreeSet;

/// A distance too small to see, in pixels.
const UNSEEN: f64 = 0.2;
/// Resolution to which a curve is thinned out first, in pixels.
const GRAIN: f64 = 0.1;
/// Number of points simplified at a time. The cost for many turns at once would be quadratic in their number.
const PART: usize = 400;
/// Maximum number of vertices of a curve.
const MOST: usize = 5000;

/// The pieces of a curve, in pixels, reduced to at most a few thousand visible points.
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

/// Simplifies a curve: it stays within `tolerance` of every dropped point.
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

/// Indices of both ends and of the extreme points in each direction.
fn extremes(points: &[(f64, f64)]) -> BTreeSet<usize> {
    let most = |of: fn(&(f64, f64)) -> f64| {
        let reach = |index: &usize| of(&points[*index]);
        (0..points.len()).max_by(|one, other| reach(one).total_cmp(&reach(other)))
    };
    let farthest =
        [most(|point| point.0), most(|point| -point.0), most(|point| point.1), most(|point| -point.1)];
    farthest.into_iter().flatten().chain([0, points.len() - 1]).collect()
}

/// Drops points within `grain` of the previous one, except the last point and the extremes.
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

/// Distance of a point from a line segment.
fn distance(point: (f64, f64), from: (f64, f64), to: (f64, f64)) -> f64 {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx * dx + dy * dy;
    let share = if length > 0.0 { ((point.0 - from.0) * dx + (point.1 - from.1) * dy) / length } else { 0.0 };
    let share = share.clamp(0.0, 1.0);
    (point.0 - from.0 - dx * share).hypot(point.1 - from.1 - dy * share)
}

/// Drops segments that lie entirely on pixels covered by earlier ones.
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

/// Pixels that have been drawn on.
struct Covered {
    corner: (f64, f64),
    width: usize,
    pixels: Vec<bool>,
}

impl Covered {
    /// An empty set over the pixels reached by the pieces, limited to the size of a screen.
    fn around(pieces: &[Vec<(f64, f64)>]) -> Self {
        let points = || pieces.iter().flatten();
        let least = |of: fn(&(f64, f64)) -> f64| points().map(of).fold(f64::INFINITY, f64::min);
        let corner = (least(|point| point.0), least(|point| point.1));
        let reach = (-least(|point| -point.0) - corner.0, -least(|point| -point.1) - corner.1);
        let side = |reach: f64| if reach.is_finite() { reach.clamp(0.0, 4000.0) as usize + 1 } else { 1 };
        let (width, height) = (side(reach.0), side(reach.1));
        Self { corner, width, pixels: vec![false; width * height] }
    }

    /// Covers the pixels along a straight line, approximately, and returns whether any of them was not covered
    /// before.
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

    /// A spiral around (200, 200), or a cycle if the radius is constant.
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
        // Every point of the loop is near the remaining curve.
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
        let tangle: Vec<(f64, f64)> = (0..20_000_u64)
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
