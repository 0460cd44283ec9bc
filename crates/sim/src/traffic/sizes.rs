//! Distributions of message sizes. Sizes are drawn by inverting the cumulative distribution with `libm`, so
//! that a size depends only on the random bits and not on the platform's logarithm.

use std::sync::Arc;

use setpoint_units::Bytes;

/// A distribution of message sizes.
#[derive(Clone, Debug, PartialEq)]
pub enum SizeDistribution {
    /// Always the same.
    Fixed(Bytes),
    /// Uniform between the first and the second size.
    Uniform(Bytes, Bytes),
    /// Exponential with the given mean.
    Exponential(Bytes),
    /// Pareto with a given mean and a shape above 1.
    Pareto {
        /// Mean of the distribution before the bound is applied.
        mean: Bytes,
        /// Shape; a smaller value gives a heavier tail.
        shape: f64,
        /// Sizes above this bound are reduced to it.
        bound: Option<Bytes>,
    },
    /// A tabulated distribution.
    Table(Arc<SizeTable>),
}

/// A cumulative distribution, given as a list of points and interpolated linearly.
///
/// ```
/// use setpoint_sim::traffic::sizes::{SizeTable, SizeTableError};
///
/// // Half of the messages are up to 1 kB long, the others up to 9 kB.
/// let table = SizeTable::new(vec![(1.0, 0.0), (1_000.0, 0.5), (9_000.0, 1.0)])?;
/// assert_eq!(table.mean().round(), 2_750.0);
/// assert!(SizeTable::new(vec![(1.0, 0.0), (1_000.0, 0.5)]).is_err(), "it must end at 1");
/// # Ok::<(), SizeTableError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SizeTable {
    pub(super) points: Vec<(f64, f64)>,
}

/// The reason why a table is not a valid distribution.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SizeTableError {
    /// The table has fewer than two points.
    #[error("the distribution has {0} points; it needs at least 2")]
    TooFew(usize),
    /// A size or probability decreases, or is not a number.
    #[error("point {0} is not above its predecessor; sizes and probabilities must increase")]
    NotGrowing(usize),
    /// The last probability is not 1.
    #[error("the last probability is {0}; it must be 1")]
    DoesNotEndAtOne(f64),
    /// A value is out of range.
    #[error("point {0} is out of range; sizes are at least 1 byte, probabilities between 0 and 1")]
    OutOfRange(usize),
}

impl SizeTable {
    /// Creates a distribution from points (size in bytes, probability of at most that size).
    ///
    /// # Errors
    /// Returns an error if sizes do not strictly increase, if probabilities decrease, or if the
    /// last probability is not 1.
    pub fn new(points: Vec<(f64, f64)>) -> Result<Self, SizeTableError> {
        if points.len() < 2 {
            return Err(SizeTableError::TooFew(points.len()));
        }
        for (index, &(size, probability)) in points.iter().enumerate() {
            if !((1.0..=1e15).contains(&size) && (0.0..=1.0).contains(&probability)) {
                return Err(SizeTableError::OutOfRange(index + 1));
            }
        }
        for (index, pair) in points.windows(2).enumerate() {
            if pair[1].0 <= pair[0].0 || pair[1].1 < pair[0].1 {
                return Err(SizeTableError::NotGrowing(index + 2));
            }
        }
        match points.last() {
            Some(&(_, last)) if last < 1.0 => Err(SizeTableError::DoesNotEndAtOne(last)),
            _ => Ok(Self { points }),
        }
    }

    /// The mean in bytes.
    pub fn mean(&self) -> f64 {
        let first = self.points[0].0 * self.points[0].1;
        self.points
            .windows(2)
            .fold(first, |sum, pair| sum + (pair[1].1 - pair[0].1) * (pair[0].0 + pair[1].0) / 2.0)
    }

    fn quantile(&self, probability: f64) -> f64 {
        let above = self.points.partition_point(|point| point.1 < probability);
        match (above.checked_sub(1).map(|below| self.points[below]), self.points.get(above)) {
            (Some((size0, p0)), Some(&(size1, p1))) => {
                size0 + (size1 - size0) * (probability - p0) / (p1 - p0)
            }
            (None, Some(&(size, _))) | (Some((size, _)), None) => size,
            (None, None) => 1.0,
        }
    }
}

impl SizeDistribution {
    /// The mean in bytes.
    pub fn mean(&self) -> f64 {
        match self {
            Self::Fixed(size) | Self::Exponential(size) => size.get() as f64,
            Self::Uniform(low, high) => (low.get() + high.get()) as f64 / 2.0,
            Self::Pareto { mean, .. } => mean.get() as f64,
            Self::Table(table) => table.mean(),
        }
    }

    /// The reason why this is not a valid distribution, if it is not.
    pub(crate) fn fault(&self) -> Option<&'static str> {
        match self {
            Self::Fixed(size)
            | Self::Exponential(size)
            | Self::Uniform(size, _)
            | Self::Pareto { mean: size, .. }
                if size.is_zero() =>
            {
                Some("messages of 0 B")
            }
            Self::Uniform(low, high) if low > high => Some("a smallest size that exceeds the largest"),
            Self::Pareto { shape, .. } if shape.is_nan() || *shape <= 1.0 => {
                Some("a Pareto shape that is not above 1")
            }
            _ => None,
        }
    }

    /// The smallest and the largest size.
    pub(crate) fn range(&self) -> (Bytes, Bytes) {
        (self.quantile(0.0), self.quantile(1.0 - f64::EPSILON / 2.0))
    }

    /// The size at a probability in [0, 1); at least one byte.
    pub fn quantile(&self, probability: f64) -> Bytes {
        let size = match self {
            Self::Fixed(size) => return *size,
            Self::Uniform(low, high) => {
                let span = (high.get() - low.get() + 1) as f64;
                return Bytes::new(low.get() + (probability * span) as u64);
            }
            Self::Exponential(mean) => -(mean.get() as f64) * libm::log1p(-probability),
            Self::Pareto { mean, shape, bound } => {
                let smallest = mean.get() as f64 * (shape - 1.0) / shape;
                let size = smallest * libm::pow(1.0 - probability, -1.0 / shape);
                size.min(bound.map_or(1e15, |bound| bound.get() as f64))
            }
            Self::Table(table) => table.quantile(probability),
        };
        Bytes::new((libm::round(size) as u64).max(1))
    }
}
