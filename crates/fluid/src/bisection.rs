//! Bisection to rounding error.

/// The point between `low` and `high` at which a predicate that holds at `low` ceases to hold, accurate to
/// rounding error.
pub(crate) fn bisect(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return middle;
        }
        if holds(middle) { low = middle } else { high = middle }
    }
}
