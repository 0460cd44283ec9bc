//! Reducing dense series without changing the picture: one entry per pixel column keeps the smallest, the largest
//! and the mean value, so that no peak is lost.

use crate::Axis;

/// The points in one pixel column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Column {
    /// Mean of the positions.
    pub x: f64,
    /// Smallest value.
    pub low: f64,
    /// Largest value.
    pub high: f64,
    /// Mean value.
    pub mean: f64,
}

/// Whether a series has more than two points per pixel column.
pub fn is_dense(points: &[(f64, f64)], columns: usize) -> bool {
    points.len() > columns * 2 && points.windows(2).all(|pair| pair[0].0 <= pair[1].0)
}

/// Reduces points, in order of x, to at most `columns` columns of equal width on the axis; points that are not finite
/// or have no position on the axis are omitted.
pub fn columns(points: &[(f64, f64)], axis: &Axis, columns: usize) -> Vec<Column> {
    let count = columns.max(1) as f64;
    let mut result: Vec<Column> = Vec::new();
    let mut open: Option<(i64, Gathering)> = None;
    for &(x, y) in points.iter().filter(|(x, y)| x.is_finite() && y.is_finite()) {
        let Some(share) = axis.share(x) else { continue };
        let index = (share * count).floor().clamp(0.0, count - 1.0) as i64;
        match &mut open {
            Some((current, gathering)) if *current == index => gathering.add(x, y),
            _ => {
                result.extend(open.take().map(|(_, gathering)| gathering.column()));
                open = Some((index, Gathering::new(x, y)));
            }
        }
    }
    result.extend(open.map(|(_, gathering)| gathering.column()));
    result
}

/// Indices of at most `most` evenly spread entries of a list, including the first and the last.
pub fn spread(length: usize, most: usize) -> Vec<usize> {
    if length <= most || most < 2 {
        return (0..length.min(most.max(1))).collect();
    }
    (0..most).map(|step| step * (length - 1) / (most - 1)).collect()
}

/// Runs of finite points: a point that is not finite breaks a line.
pub fn stretches(points: &[(f64, f64)]) -> impl Iterator<Item = &[(f64, f64)]> {
    points.split(|(x, y)| !x.is_finite() || !y.is_finite()).filter(|stretch| !stretch.is_empty())
}

struct Gathering {
    x: f64,
    low: f64,
    high: f64,
    sum: f64,
    count: f64,
}

impl Gathering {
    fn new(x: f64, y: f64) -> Self {
        Self { x, low: y, high: y, sum: y, count: 1.0 }
    }

    fn add(&mut self, x: f64, y: f64) {
        self.x += x;
        self.low = self.low.min(y);
        self.high = self.high.max(y);
        self.sum += y;
        self.count += 1.0;
    }

    fn column(&self) -> Column {
        Column { x: self.x / self.count, low: self.low, high: self.high, mean: self.sum / self.count }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unit;

    fn linear(high: f64) -> Axis {
        Axis::linear("Time", Unit::Seconds, (0.0, high))
    }

    fn wave(length: usize) -> Vec<(f64, f64)> {
        (0..length).map(|i| (i as f64, if i == 7_777 { 1e6 } else { (i as f64 * 0.1).sin() })).collect()
    }

    #[test]
    fn extremes_survive() {
        let points = wave(10_000);
        let reduced = columns(&points, &linear(10_000.0), 500);
        assert!(reduced.len() <= 500);
        let highest = reduced.iter().map(|column| column.high).fold(f64::MIN, f64::max);
        let lowest = reduced.iter().map(|column| column.low).fold(f64::MAX, f64::min);
        assert_eq!(highest, 1e6);
        assert_eq!(lowest, points.iter().map(|point| point.1).fold(f64::MAX, f64::min));
    }

    #[test]
    fn the_mean_over_columns_is_the_mean() {
        let points: Vec<_> = (0..1000).map(|i| (f64::from(i), f64::from(i))).collect();
        let reduced = columns(&points, &linear(1000.0), 100);
        assert_eq!(reduced.len(), 100);
        assert_eq!(reduced[0].mean, 4.5);
        assert_eq!(reduced[99].mean, 994.5);
    }

    #[test]
    fn columns_of_a_logarithmic_axis_have_the_same_width() {
        let axis = Axis::logarithmic("Message size", Unit::Bytes, (10.0, 1e7));
        let points = [(10.0, 1.0), (100.0, 2.0), (1_000.0, 3.0), (10_000.0, 4.0), (0.0, 5.0)];
        assert_eq!(
            columns(&points, &axis, 6).iter().map(|column| column.mean).collect::<Vec<_>>(),
            [1.0, 2.0, 3.0, 4.0]
        );
    }

    #[test]
    fn points_that_are_not_finite_are_omitted() {
        let points = [(0.0, f64::NAN), (1.0, 2.0), (f64::INFINITY, 1.0), (2.0, f64::NEG_INFINITY)];
        assert_eq!(columns(&points, &linear(2.0), 1), [Column { x: 1.0, low: 2.0, high: 2.0, mean: 2.0 }]);
        assert_eq!(stretches(&points).count(), 1);
        assert!(columns(&[], &linear(1.0), 10).is_empty());
    }

    #[test]
    fn a_spread_has_both_ends() {
        assert_eq!(spread(5, 10), [0, 1, 2, 3, 4]);
        assert_eq!(spread(10, 3), [0, 4, 9]);
        assert!(spread(0, 3).is_empty());
    }
}
