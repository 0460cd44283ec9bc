//! The distances between the values of a range.

/// The distances between the values of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spacing {
    Linear,
    Logarithmic,
}

impl Spacing {
    /// The value at the given fraction of the way from one end to the other.
    pub(super) fn at(self, (low, high): (f64, f64), share: f64) -> f64 {
        match self {
            Self::Linear => low + (high - low) * share,
            Self::Logarithmic => low * libm::pow(high / low, share),
        }
    }
}
