//! Ranges of whole numbers, exact for every `u64`.

use super::spacing::Spacing;

/// Reads a whole number.
pub(super) fn read(text: &str) -> Result<u64, String> {
    text.trim().parse().map_err(|_| format!("{:?} is not a whole number of at least 0", text.trim()))
}

/// All numbers from `low` to `high`; their count if there are more than `most`.
pub(super) fn all(low: u64, high: u64, most: usize) -> Result<Vec<u64>, u128> {
    let count = u128::from(high - low) + 1;
    if count > most as u128 { Err(count) } else { Ok((low..=high).collect()) }
}

/// At most `steps` different numbers from `low` to `high` with the given spacing, each rounded to the nearest whole number.
pub(super) fn spread(low: u64, high: u64, spacing: Spacing, steps: usize) -> Vec<u64> {
    if let Ok(all) = all(low, high, steps) {
        return all;
    }
    let last = steps.saturating_sub(1).max(1);
    let one = |step: usize| match step {
        0 => low,
        _ if step == last => high,
        _ => match spacing {
            Spacing::Linear => linear(low, high, step, last),
            Spacing::Logarithmic => {
                let at = spacing.at((low as f64, high as f64), step as f64 / last as f64);
                (at.round() as u64).clamp(low, high)
            }
        },
    };
    let mut numbers: Vec<u64> = (0..steps.max(1)).map(one).collect();
    numbers.dedup();
    numbers
}

/// The number after `step` of `last` equal steps, computed without floating-point rounding errors.
fn linear(low: u64, high: u64, step: usize, last: usize) -> u64 {
    let (span, step, last) = (u128::from(high - low), step as u128, last as u128);
    // The quotient is at most `span`, so it fits.
    low + ((2 * span * step + last) / (2 * last)) as u64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn spread_numbers_are_in_order_within_the_range(
            low in any::<u64>(), span in prop_oneof![0_u64..2_000, any::<u64>()], steps in 1_usize..200, log in any::<bool>()
        ) {
            let (low, high) = (low.max(1), low.max(1).saturating_add(span));
            let numbers = spread(low, high, if log { Spacing::Logarithmic } else { Spacing::Linear }, steps);
            prop_assert_eq!(numbers[0], low);
            prop_assert!(numbers.len() <= steps && numbers.is_sorted_by(|one, next| one < next));
            prop_assert!(steps == 1 || numbers.last() == Some(&high));
        }
    }
}
