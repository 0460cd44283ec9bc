//! Arrow heads along a curve.

use std::fmt::Write as _;

use crate::svg::short;

/// Distance along the curve between attempts to place an arrow.
const STEP: f64 = 14.0;
/// Minimum distance between arrows along the curve; arrows on different turns need half of it.
const APART: f64 = 84.0;
/// Length and half width of an arrow head.
const HEAD: (f64, f64) = (10.0, 4.4);

/// At most `most` arrow heads pointing in the direction of the pieces, the first ones on the outermost turns. They
/// overlap neither each other nor `taken`, to which they are added.
pub(super) fn heads(pieces: &[Vec<(f64, f64)>], most: usize, taken: &mut Vec<(f64, f64)>) -> String {
    let mut path = String::new();
    let (mut count, mut walked, mut next) = (0, 0.0, APART / 2.0);
    for piece in pieces {
        for pair in piece.windows(2) {
            let (dx, dy) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
            let length = dx.hypot(dy);
            while length > 0.0 && next <= walked + length && count < most {
                let share = (next - walked) / length;
                let at = (pair[0].0 + dx * share, pair[0].1 + dy * share);
                let near = |other: &(f64, f64)| (other.0 - at.0).hypot(other.1 - at.1) < APART / 2.0;
                if taken.iter().any(near) {
                    next += STEP;
                    continue;
                }
                head(&mut path, at, (dx / length, dy / length));
                taken.push(at);
                (count, next) = (count + 1, next + APART);
            }
            walked += length;
        }
    }
    path
}

/// A triangle centred at a point of the curve.
fn head(path: &mut String, (x, y): (f64, f64), (dx, dy): (f64, f64)) {
    let (length, half) = HEAD;
    let tip = (x + dx * length / 2.0, y + dy * length / 2.0);
    let back = (x - dx * length / 2.0, y - dy * length / 2.0);
    let corners = [tip, (back.0 - dy * half, back.1 + dx * half), (back.0 + dy * half, back.1 - dx * half)];
    let [tip, left, right] = corners.map(|(x, y)| format!("{} {}", short(x), short(y)));
    write!(path, "M{tip}L{left}L{right}Z").expect("writing to a string cannot fail");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_point_along_the_curve_and_keep_apart() {
        let straight = vec![vec![(0.0, 50.0), (400.0, 50.0)]];
        let mut taken = Vec::new();
        let path = heads(&straight, 20, &mut taken);
        assert_eq!(path.matches('M').count(), 5);
        assert!(path.starts_with("M47 50L37 54.4L37 45.6Z"), "{path}");
        // There is no room for arrows on the way back.
        let back = vec![vec![(400.0, 50.0), (0.0, 50.0)]];
        assert!(heads(&back, 20, &mut taken).matches('M').count() < 5);
        assert_eq!(heads(&straight, 2, &mut Vec::new()).matches('M').count(), 2);
        assert!(heads(&[vec![(1.0, 1.0), (1.0, 1.0)]], 5, &mut Vec::new()).is_empty());
    }
}
