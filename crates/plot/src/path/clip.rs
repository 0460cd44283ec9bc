//! The part of a curve that lies within a rectangle.

/// A rectangle, given by its smallest and largest coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Window {
    pub(super) low: (f64, f64),
    pub(super) high: (f64, f64),
}

impl Window {
    pub(super) fn holds(&self, (x, y): (f64, f64)) -> bool {
        (self.low.0..=self.high.0).contains(&x) && (self.low.1..=self.high.1).contains(&y)
    }

    /// The part of a straight line within the window, by the Liang–Barsky algorithm.
    fn cut(&self, from: (f64, f64), to: (f64, f64)) -> Option<((f64, f64), (f64, f64))> {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let edges = [
            (-dx, from.0 - self.low.0),
            (dx, self.high.0 - from.0),
            (-dy, from.1 - self.low.1),
            (dy, self.high.1 - from.1),
        ];
        let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
        for (towards, room) in edges {
            if towards == 0.0 && room < 0.0 {
                return None;
            }
            let at = room / towards;
            if towards < 0.0 {
                enters = enters.max(at);
            } else if towards > 0.0 {
                leaves = leaves.min(at);
            }
        }
        // Clamped, since rounding errors can place very distant points outside the window.
        let place = |share: f64| {
            let (x, y) = (from.0 + dx * share, from.1 + dy * share);
            (x.clamp(self.low.0, self.high.0), y.clamp(self.low.1, self.high.1))
        };
        let start = if enters > 0.0 { place(enters) } else { from };
        let end = if leaves < 1.0 { place(leaves) } else { to };
        (enters <= leaves).then_some((start, end))
    }
}

/// The pieces of a curve within a window, in order. A single point within the window is a separate piece.
pub(super) fn pieces(points: &[(f64, f64)], window: Window) -> Vec<Vec<(f64, f64)>> {
    if let [only] = points {
        return if window.holds(*only) { vec![vec![*only]] } else { Vec::new() };
    }
    let mut pieces: Vec<Vec<(f64, f64)>> = Vec::new();
    for pair in points.windows(2) {
        let Some((from, to)) = window.cut(pair[0], pair[1]) else { continue };
        match pieces.last_mut() {
            Some(piece) if piece.last() == Some(&from) => piece.push(to),
            _ => pieces.push(vec![from, to]),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Window = Window { low: (0.0, 0.0), high: (10.0, 10.0) };

    #[test]
    fn a_curve_is_cut_where_it_leaves() {
        let curve = [(5.0, 5.0), (15.0, 5.0), (15.0, 8.0), (5.0, 8.0), (5.0, 9.0)];
        assert_eq!(
            pieces(&curve, WINDOW),
            [vec![(5.0, 5.0), (10.0, 5.0)], vec![(10.0, 8.0), (5.0, 8.0), (5.0, 9.0)]]
        );
    }

    #[test]
    fn a_line_may_cross_without_a_point_within() {
        assert_eq!(pieces(&[(-10.0, 5.0), (20.0, 5.0)], WINDOW), [[(0.0, 5.0), (10.0, 5.0)]]);
        assert!(pieces(&[(-10.0, 5.0), (5.0, 50.0)], WINDOW).is_empty());
        assert!(pieces(&[(20.0, 20.0), (30.0, 30.0)], WINDOW).is_empty());
        let far = pieces(&[(-1e300, 5.0), (5.0, 5.0), (1e300, -1e300)], WINDOW);
        assert!(far.iter().flatten().all(|&point| WINDOW.holds(point)), "{far:?}");
    }

    #[test]
    fn a_point_that_stands_still_is_kept() {
        assert_eq!(pieces(&[(1.0, 1.0), (1.0, 1.0)], WINDOW).len(), 1);
        assert_eq!(pieces(&[(1.0, 1.0)], WINDOW), [[(1.0, 1.0)]]);
        assert!(pieces(&[(11.0, 1.0)], WINDOW).is_empty());
    }
}
