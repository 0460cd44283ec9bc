//! The equilibrium shares of sources on one link.

/// The equal share of a bandwidth among classes, each given as (number of sources, line rate). Sources whose
/// line rate is below the share send at line rate and leave more for the others. If all are below it, returns
/// the plain quotient.
pub(crate) fn equal_share(bandwidth: f64, classes: &[(f64, f64)]) -> f64 {
    let mut by_line = classes.to_vec();
    by_line.sort_by(|one, other| one.1.total_cmp(&other.1));
    let all: f64 = by_line.iter().map(|(sources, _)| sources).sum();
    let (mut left, mut sharing) = (bandwidth, all);
    for (sources, line) in by_line {
        let share = left / sharing;
        if !is_held(line, share) {
            return share;
        }
        (left, sharing) = (left - sources * line, sharing - sources);
    }
    bandwidth / all
}

/// Whether a line rate is below a share by more than rounding error.
pub(crate) fn is_held(line: f64, share: f64) -> bool {
    line < share * (1.0 - 1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fast_sources_share_the_bandwidth_that_slow_ones_leave() {
        assert_eq!(equal_share(10.0, &[(5.0, 40.0)]), 2.0);
        assert_eq!(equal_share(10.0, &[(1.0, 40.0), (4.0, 1.0)]), 6.0);
        assert_eq!(equal_share(10.0, &[(1.0, 40.0), (4.0, 1.0), (1.0, 2.0)]), 4.0);
        assert_eq!(equal_share(10.0, &[(2.0, 5.0)]), 5.0, "line rates equal to the share");
        assert_eq!(equal_share(10.0, &[(2.0, 1.0)]), 5.0, "the sources do not fill it");
        assert_eq!(equal_share(-1.0, &[(2.0, 1.0)]), -0.5);
    }
}
