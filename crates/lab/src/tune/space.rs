//! Points that fill the space of parameters.

/// The bases of Halton's sequence, one per parameter.
const PRIMES: [u32; 8] = [2, 3, 5, 7, 11, 13, 17, 19];
/// The largest number of parameters: in more dimensions, Halton's sequence does not fill the space with a few hundred points.
pub const MOST_PARAMETERS: usize = PRIMES.len();

/// A point of Halton's sequence (1960), as a level of each parameter. Every prefix of the sequence fills the space
/// evenly, and no point depends on a random number.
pub(super) fn point(number: u32, levels: &[usize]) -> Vec<usize> {
    let level = |(levels, base): (&usize, &u32)| {
        // Rounding never reaches the end of the range.
        ((radical_inverse(number, *base) * *levels as f64) as usize).min(levels - 1)
    };
    levels.iter().zip(&PRIMES).map(level).collect()
}

/// The digits of a number in a base, mirrored at the radix point: 6 is 110 in base 2 and becomes 0.011, or 3/8.
fn radical_inverse(mut number: u32, base: u32) -> f64 {
    let (mut result, mut place) = (0.0, 1.0);
    while number > 0 {
        place /= f64::from(base);
        result += f64::from(number % base) * place;
        number /= base;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_mirrored() {
        assert_eq!([1, 2, 3, 6].map(|number| radical_inverse(number, 2)), [0.5, 0.25, 0.75, 0.375]);
        assert!((radical_inverse(5, 3) - 7.0 / 9.0).abs() < 1e-12);
    }

    #[test]
    fn every_level_is_used_equally_often() {
        let points: Vec<Vec<usize>> = (1..=72).map(|number| point(number, &[8, 9])).collect();
        for parameter in 0..2 {
            for level in 0..8 {
                let uses = points.iter().filter(|point| point[parameter] == level).count();
                assert!((7..=11).contains(&uses), "level {level} of {parameter}: {uses}");
            }
        }
    }
}
