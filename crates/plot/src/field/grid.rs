//! The cells of a map: their values and positions.

use super::FieldMap;
use crate::Axis;

/// Maximum number of columns or rows; if there are more, this many are chosen at even spacing.
const MOST: usize = 240;

/// The cells of a map in ascending order along both sides.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    /// Centres of the columns.
    pub(super) columns: Vec<f64>,
    /// Centres of the rows.
    pub(super) rows: Vec<f64>,
    /// Values by row and column; all of them finite.
    pub(super) values: Vec<Vec<Option<f64>>>,
}

impl Grid {
    pub(super) fn of(map: &FieldMap) -> Self {
        let (columns, rows) = (order(&map.columns, &map.x), order(&map.rows, &map.y));
        let value = |row: usize, column: usize| {
            map.values.get(row)?.get(column).copied().flatten().filter(|value| value.is_finite())
        };
        let values =
            rows.iter().map(|&row| columns.iter().map(|&column| value(row, column)).collect()).collect();
        Self {
            columns: columns.into_iter().map(|index| map.columns[index]).collect(),
            rows: rows.into_iter().map(|index| map.rows[index]).collect(),
            values,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.columns.is_empty() || self.rows.is_empty()
    }

    /// Every value with its row and column.
    pub(super) fn known(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        self.values.iter().enumerate().flat_map(|(row, values)| {
            values.iter().enumerate().filter_map(move |(column, value)| Some((row, column, (*value)?)))
        })
    }

    pub(super) fn cells(&self) -> usize {
        self.columns.len() * self.rows.len()
    }
}

/// Indices of the centres to be drawn, in ascending order of their values without duplicates.
fn order(centres: &[f64], axis: &Axis) -> Vec<usize> {
    let mut order: Vec<usize> =
        (0..centres.len()).filter(|&index| axis.share(centres[index]).is_some()).collect();
    order.sort_by(|&one, &other| centres[one].total_cmp(&centres[other]));
    order.dedup_by(|one, other| centres[*one] == centres[*other]);
    crate::decimate::spread(order.len(), MOST).into_iter().map(|place| order[place]).collect()
}

/// The edges of cells with these centres, as positions on the axis: halfway between the centres, and equally far
/// beyond the first and the last. A single cell is as wide as the axis.
pub(super) fn edges(centres: &[f64], axis: &Axis) -> Vec<f64> {
    let shares: Vec<f64> = centres.iter().filter_map(|&centre| axis.share(centre)).collect();
    let (Some(&first), Some(&last)) = (shares.first(), shares.last()) else { return Vec::new() };
    let (Some(&second), Some(&before)) = (shares.get(1), shares.iter().rev().nth(1)) else {
        return vec![first - 0.5, first + 0.5];
    };
    let between = shares.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0);
    let all = [first - (second - first) / 2.0].into_iter().chain(between);
    all.chain([last + (last - before) / 2.0]).collect()
}

#[cfg(test)]
mod tests {
    use super::super::spanning;
    use super::*;
    use crate::Scale;
    use setpoint_units::quantity::Unit;

    #[test]
    fn cells_lie_between_the_middles_of_their_centres() {
        let axis = Axis::linear("x", Unit::Ratio, (0.0, 8.0));
        let places =
            |centres: &[f64]| edges(centres, &axis).into_iter().map(|share| 8.0 * share).collect::<Vec<_>>();
        assert_eq!(places(&[1.0, 2.0, 4.0]), [0.5, 1.5, 3.0, 5.0]);
        assert!(edges(&[], &axis).is_empty());
        assert_eq!(places(&[4.0]), [0.0, 8.0]);
    }

    #[test]
    fn an_axis_spans_its_cells() {
        let linear = spanning("x", Unit::Seconds, &[1.0, 2.0, 3.0]);
        assert_eq!((linear.scale, linear.range), (Scale::Linear, (0.5, 3.5)));
        let log = spanning("x", Unit::Seconds, &[1.0, 10.0, 100.0]);
        assert_eq!(log.scale, Scale::Logarithmic);
        assert!((log.range.0 - 0.1f64.sqrt()).abs() < 1e-9 && (log.range.1 - 1e5f64.sqrt()).abs() < 1e-6);
        for odd in [&[][..], &[f64::NAN], &[3.0], &[0.0, 0.0], &[-1.0, 5.0], &[3.0, 1.0, 2.0]] {
            let axis = spanning("x", Unit::Ratio, odd);
            assert!(axis.range.0.is_finite() && axis.range.1 > axis.range.0, "{odd:?} {axis:?}");
        }
    }
}
