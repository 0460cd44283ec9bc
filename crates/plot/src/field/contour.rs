//! Contours by marching squares.
//!
//! A contour crosses a cell edge if its two end values lie on different sides of the level, at the linearly
//! interpolated position. The segments are joined into lines with the higher values on their left. At a saddle, the
//! mean of the four corners decides which corners are connected. A square with a missing corner value is skipped.

use std::collections::{BTreeMap, BTreeSet};

/// A line along which a field has a constant value.
#[derive(Clone, Debug, PartialEq)]
pub struct Contour {
    /// The line, with the higher values on its left where y grows upwards.
    pub points: Vec<(f64, f64)>,
    /// Whether the line returns to its first point.
    pub closed: bool,
}

/// An edge of a square, identified by the corner at which it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Edge {
    /// From this corner to the next column.
    Across(usize, usize),
    /// From this corner to the next row.
    Up(usize, usize),
}

/// The contours of a field at a level. `values` holds the field by row and column, at the grid positions `x` and
/// `y`.
pub fn contours(x: &[f64], y: &[f64], values: &[Vec<Option<f64>>], level: f64) -> Vec<Contour> {
    let field = Field { x, y, values, level };
    let mut next: BTreeMap<Edge, Edge> = BTreeMap::new();
    for row in 1..y.len() {
        for column in 1..x.len() {
            next.extend(field.pieces(row - 1, column - 1));
        }
    }
    let ends: BTreeSet<Edge> = next.values().copied().collect();
    let starts: Vec<Edge> = next.keys().copied().filter(|edge| !ends.contains(edge)).collect();
    let mut lines = Vec::new();
    for start in starts {
        let edges = walk(&mut next, start);
        lines.push(Contour { points: field.points(&edges), closed: false });
    }
    // The remaining segments form closed lines.
    while let Some((&start, _)) = next.first_key_value() {
        let mut edges = walk(&mut next, start);
        edges.pop();
        lines.push(Contour { points: field.points(&edges), closed: true });
    }
    lines
}

/// Removes one line from the segments, starting at an edge.
fn walk(next: &mut BTreeMap<Edge, Edge>, start: Edge) -> Vec<Edge> {
    let mut edges = vec![start];
    while let Some(edge) = next.remove(&edges[edges.len() - 1]) {
        edges.push(edge);
    }
    edges
}

struct Field<'a> {
    x: &'a [f64],
    y: &'a [f64],
    values: &'a [Vec<Option<f64>>],
    level: f64,
}

impl Field<'_> {
    fn value(&self, row: usize, column: usize) -> Option<f64> {
        self.values.get(row)?.get(column).copied().flatten().filter(|value| value.is_finite())
    }

    /// The segments in a square, from the edge where they enter to the edge where they leave.
    fn pieces(&self, row: usize, column: usize) -> Vec<(Edge, Edge)> {
        let corners = [(row, column), (row, column + 1), (row + 1, column + 1), (row + 1, column)];
        let values = corners.map(|(row, column)| self.value(row, column));
        let [Some(a), Some(b), Some(c), Some(d)] = values else { return Vec::new() };
        let values = [a, b, c, d];
        // Counterclockwise around the square.
        let edges = [
            Edge::Across(row, column),
            Edge::Up(row, column + 1),
            Edge::Across(row + 1, column),
            Edge::Up(row, column),
        ];
        let high = values.map(|value| value >= self.level);
        let falls = |side: usize| high[side] && !high[(side + 1) % 4];
        let rises = |side: usize| !high[side] && high[(side + 1) % 4];
        let joined = (a + b + c + d) / 4.0 >= self.level;
        // If the high corners are connected, a segment goes around the next low corner, otherwise around the
        // previous high one. With a single segment both lead to the same edge.
        let piece = |from: usize| {
            let around = |step: usize| (from + if joined { step } else { 4 - step }) % 4;
            (1..4).map(around).find(|&side| rises(side)).map(|to| (edges[from], edges[to]))
        };
        (0..4).filter(|&side| falls(side)).filter_map(piece).collect()
    }

    fn points(&self, edges: &[Edge]) -> Vec<(f64, f64)> {
        edges.iter().map(|&edge| self.crossing(edge)).collect()
    }

    /// Position of the level on an edge whose ends are on different sides of it.
    fn crossing(&self, edge: Edge) -> (f64, f64) {
        let (Edge::Across(row, column) | Edge::Up(row, column)) = edge;
        let share = |from: Option<f64>, to: Option<f64>| match (from, to) {
            (Some(from), Some(to)) if from != to => ((self.level - from) / (to - from)).clamp(0.0, 1.0),
            _ => 0.5,
        };
        let from = self.value(row, column);
        match edge {
            Edge::Across(..) => {
                let share = share(from, self.value(row, column + 1));
                (self.x[column] + (self.x[column + 1] - self.x[column]) * share, self.y[row])
            }
            Edge::Up(..) => {
                let share = share(from, self.value(row + 1, column));
                (self.x[column], self.y[row] + (self.y[row + 1] - self.y[row]) * share)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(size: usize, of: impl Fn(f64, f64) -> f64) -> (Vec<f64>, Vec<Vec<Option<f64>>>) {
        let side: Vec<f64> = (0..size).map(|index| -2.0 + 4.0 * index as f64 / (size - 1) as f64).collect();
        let values = side.iter().map(|&y| side.iter().map(|&x| Some(of(x, y))).collect()).collect();
        (side, values)
    }

    #[test]
    fn a_circle_is_found_within_the_error_of_interpolation() {
        for size in [9, 40, 101] {
            let (side, values) = field(size, |x, y| x * x + y * y);
            let found = contours(&side, &side, &values, 1.7);
            let [circle] = &found[..] else { panic!("{} lines", found.len()) };
            assert!(circle.closed && circle.points.len() >= size);
            // Between neighbours at distance h, a parabola x² deviates from its chord by at most h²/4.
            let h = 4.0 / (size - 1) as f64;
            for (x, y) in &circle.points {
                assert!((x * x + y * y - 1.7).abs() <= h * h / 4.0 + 1e-12, "{x} {y} of {size}");
            }
        }
    }

    #[test]
    fn the_higher_side_is_on_the_left() {
        let (side, values) = field(21, |x, _| x);
        let found = contours(&side, &side, &values, 0.3);
        let [line] = &found[..] else { panic!("{} lines", found.len()) };
        // The high values are on the right of the field, so the line runs downwards.
        assert!(!line.closed && line.points[0].1 > line.points[line.points.len() - 1].1);
        assert!(line.points.iter().all(|point| (point.0 - 0.3).abs() < 1e-12));
        let (side, values) = field(41, |x, y| x * x + y * y);
        let circle = &contours(&side, &side, &values, 1.0)[0];
        let turned: f64 =
            circle.points.windows(2).map(|pair| pair[0].0 * pair[1].1 - pair[1].0 * pair[0].1).sum();
        assert!(turned < 0.0, "higher values outside a circle are on the left of a clockwise one");
    }

    #[test]
    fn a_line_ends_at_the_edge_of_the_field_and_at_what_has_no_value() {
        let (side, mut values) = field(21, |_, y| y);
        let whole = contours(&side, &side, &values, 0.1);
        assert_eq!((whole.len(), whole[0].points.len()), (1, 21));
        values[10][7] = None;
        let broken = contours(&side, &side, &values, 0.1);
        assert_eq!(broken.iter().map(|line| line.points.len()).sum::<usize>(), 7 + 13);
        assert!(broken.iter().all(|line| !line.closed));
    }

    #[test]
    fn a_saddle_makes_two_lines_that_do_not_cross() {
        let saddle = vec![vec![Some(1.0), Some(0.0)], vec![Some(0.0), Some(1.0)]];
        let side = [0.0, 1.0];
        for level in [0.4, 0.6] {
            let lines = contours(&side, &side, &saddle, level);
            assert_eq!(lines.len(), 2);
            let ends = |line: &Contour| (line.points[0], line.points[1]);
            let ((a, b), (c, d)) = (ends(&lines[0]), ends(&lines[1]));
            let side_of = |p: (f64, f64)| (b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0);
            assert!(side_of(c) * side_of(d) > 0.0, "{lines:?}");
        }
    }

    #[test]
    fn fields_without_a_contour_have_none() {
        let (side, values) = field(5, |_, _| 1.0);
        assert!(contours(&side, &side, &values, 2.0).is_empty());
        assert!(contours(&side, &side, &values, 1.0).is_empty());
        assert!(contours(&[], &[], &[], 1.0).is_empty());
        assert!(contours(&[1.0], &[1.0], &[vec![Some(1.0)]], 1.0).is_empty());
        let (side, values) = field(5, |x, _| if x > 0.0 { f64::INFINITY } else { 0.0 });
        assert!(contours(&side, &side, &values, 1.0).is_empty());
    }

    #[test]
    fn several_islands_are_lines_of_their_own() {
        let (side, values) = field(81, |x, y| (3.0 * x).sin() * (3.0 * y).sin());
        let found = contours(&side, &side, &values, 0.5);
        assert!(found.len() > 3 && found.iter().any(|line| line.closed));
        let crossings: usize = found.iter().map(|line| line.points.len()).sum();
        let edges = |a: Option<f64>, b: Option<f64>| (a.unwrap() >= 0.5) != (b.unwrap() >= 0.5);
        let across =
            values.iter().flat_map(|row| row.windows(2)).filter(|pair| edges(pair[0], pair[1])).count();
        let up = values
            .windows(2)
            .flat_map(|rows| rows[0].iter().zip(&rows[1]))
            .filter(|(a, b)| edges(**a, **b))
            .count();
        assert_eq!(crossings, across + up, "every crossing is on one line");
    }
}
