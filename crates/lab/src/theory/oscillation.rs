//! Detects whether a curve oscillates, and its period.
//!
//! The test uses the autocorrelation of the detrended curve: an oscillating curve resembles itself one period
//! later. The oscillation need not be sinusoidal, and may be noisy, as packet queues are. There are three
//! conditions:
//!
//! * The correlation is at least a quarter, and more than noise of that length reaches by chance. A
//!   stable loop driven by noise correlates too, though less if it is better damped: at a quarter, the
//!   damping ratio is 0.22. Packet queues beyond the stability margin are irregular and reach about a
//!   third.
//! * The oscillation persists: the deviation in the second half of the curve is at least half of the deviation in the
//!   first.
//! * There are at least three periods, with at least four samples each.

use setpoint_fluid::autocorrelation;
use setpoint_record::statistics::moments::Moments;

/// Minimum autocorrelation after one period.
const LEAST_CORRELATION: f64 = 0.25;
/// Minimum autocorrelation in multiples of its standard deviation for noise, which is 1 divided by the square root of
/// the number of samples.
const ABOVE_NOISE: f64 = 5.0;
/// Maximum number of samples examined together. Longer curves are examined twice: averaged, and at their end.
const MOST_SAMPLES: usize = 8_192;
/// Minimum number of samples in a period.
const FEWEST_IN_PERIOD: f64 = 4.0;
/// The first peak that reaches this share of the highest peak is the period; later peaks are multiples of it.
const NEARLY: f64 = 0.9;

/// The period of a curve with equally spaced samples, in the unit of `interval`; `None` if it does not oscillate or
/// its deviation is below `least_deviation`.
#[must_use]
pub fn period(samples: &[f64], interval: f64, least_deviation: f64) -> Option<f64> {
    let factor = samples.len().div_ceil(MOST_SAMPLES).max(1);
    let whole = means(samples, factor);
    let found = of_few(&whole, least_deviation).map(|peak| (peak, factor));
    // A period that averaging would remove can still be found in part of the curve.
    let end = &samples[samples.len().saturating_sub(MOST_SAMPLES)..];
    let fine = if factor > 1 { of_few(end, least_deviation).map(|peak| (peak, 1)) } else { None };
    let best =
        [found, fine].into_iter().flatten().max_by(|one, other| one.0.height.total_cmp(&other.0.height));
    best.map(|(peak, factor)| peak.lag * factor as f64 * interval)
}

/// A peak of the autocorrelation.
#[derive(Clone, Copy, Debug)]
struct Peak {
    lag: f64,
    height: f64,
}

fn of_few(samples: &[f64], least_deviation: f64) -> Option<Peak> {
    let curve = without_trend(samples);
    let (first, second) = curve.split_at(curve.len() / 2);
    let deviation = |part: &[f64]| Moments::of(part.iter().copied()).deviation();
    let lasts = deviation(second) >= 0.5 * deviation(first);
    if curve.len() < 16 || deviation(&curve) < least_deviation || deviation(&curve) <= 0.0 || !lasts {
        return None;
    }
    let correlation = autocorrelation(&curve, curve.len() / 3);
    let below = correlation.iter().position(|value| *value < 0.0)?;
    let highest = correlation[below..].iter().copied().fold(0.0, f64::max);
    let is_peak = |lag: &usize| {
        let around = correlation[lag - 1].max(*correlation.get(lag + 1).unwrap_or(&f64::INFINITY));
        correlation[*lag] >= around && correlation[*lag] >= NEARLY * highest
    };
    let lag = (below.max(1)..correlation.len()).find(is_peak)?;
    let peak = refined(&correlation, lag);
    let least = LEAST_CORRELATION.max(ABOVE_NOISE / (curve.len() as f64).sqrt());
    (peak.height >= least && peak.lag >= FEWEST_IN_PERIOD).then_some(peak)
}

/// Means of groups of adjacent samples; an incomplete last group is dropped.
fn means(samples: &[f64], factor: usize) -> Vec<f64> {
    samples.chunks_exact(factor).map(|group| group.iter().sum::<f64>() / factor as f64).collect()
}

/// The residuals of the best-fitting straight line.
fn without_trend(samples: &[f64]) -> Vec<f64> {
    let middle = (samples.len() as f64 - 1.0) / 2.0;
    let mean = Moments::of(samples.iter().copied()).mean;
    let at = |index: usize| index as f64 - middle;
    let (products, squares) = samples.iter().enumerate().fold((0.0, 0.0), |sums, (index, value)| {
        (sums.0 + at(index) * (value - mean), sums.1 + at(index) * at(index))
    });
    let slope = if squares > 0.0 { products / squares } else { 0.0 };
    samples.iter().enumerate().map(|(index, value)| value - mean - slope * at(index)).collect()
}

/// The vertex of the parabola through a peak and its neighbours.
fn refined(correlation: &[f64], lag: usize) -> Peak {
    let (before, at) = (correlation[lag - 1], correlation[lag]);
    let after = correlation.get(lag + 1).copied().unwrap_or(before);
    let bend = before - 2.0 * at + after;
    let shift = if bend < 0.0 { (before - after) / (2.0 * bend) } else { 0.0 };
    Peak { lag: lag as f64 + shift, height: at - (before - after) * shift / 4.0 }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;

    /// Noise with zero mean and unit variance, identical on every machine.
    fn noise(count: usize) -> Vec<f64> {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut uniform = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        // The sum of twelve uniform numbers has a variance of one.
        (0..count).map(|_| (0..12).map(|_| uniform()).sum::<f64>() - 6.0).collect()
    }

    fn sine(count: usize, period: f64) -> Vec<f64> {
        (0..count).map(|index| (TAU * index as f64 / period).sin()).collect()
    }

    fn sum(one: &[f64], other: &[f64], part: f64) -> Vec<f64> {
        one.iter().zip(other).map(|(one, other)| one + part * other).collect()
    }

    #[track_caller]
    fn near(found: Option<f64>, expected: f64) {
        let found = found.expect("an oscillation");
        assert!((found / expected - 1.0).abs() < 0.01, "{found}, not {expected}");
    }

    #[test]
    fn a_sine_under_noise_and_on_a_slope() {
        let noisy = sum(&sine(2_000, 37.3), &noise(2_000), 0.5);
        near(period(&noisy, 1e-4, 0.0), 37.3e-4);
        let rising: Vec<f64> =
            noisy.iter().enumerate().map(|(index, value)| value + 0.1 * index as f64).collect();
        near(period(&rising, 1e-4, 0.0), 37.3e-4);
    }

    #[test]
    fn a_sawtooth_has_its_own_period_and_no_multiple_of_it() {
        let saw: Vec<f64> = (0..1_500).map(|index| f64::from(index % 61)).collect();
        near(period(&saw, 1.0, 0.0), 61.0);
    }

    #[test]
    fn noise_does_not_oscillate() {
        for count in [100, 750, 4_000, 20_000] {
            assert_eq!(period(&noise(count), 1.0, 0.0), None, "{count}");
        }
        // Correlated noise, as in a queue without a control loop, does not oscillate either.
        let mut level = 0.0;
        let slow: Vec<f64> = noise(4_000)
            .iter()
            .map(|step| {
                level = 0.95 * level + step;
                level
            })
            .collect();
        assert_eq!(period(&slow, 1.0, 0.0), None);
    }

    #[test]
    fn what_dies_away_or_is_too_small_is_none() {
        let dying: Vec<f64> = sine(2_000, 50.0)
            .iter()
            .enumerate()
            .map(|(index, value)| value * (-(index as f64) / 400.0).exp())
            .collect();
        assert_eq!(period(&dying, 1.0, 0.0), None);
        assert_eq!(period(&sine(2_000, 50.0), 1.0, 1.0), None);
        assert_eq!(period(&[3.0; 500], 1.0, 0.0), None);
        assert_eq!(period(&[], 1.0, 0.0), None);
        assert_eq!(period(&sine(60, 40.0), 1.0, 0.0), None, "fewer than three periods");
    }

    #[test]
    fn of_long_curves_both_short_and_long_periods_are_found() {
        near(period(&sine(100_000, 20_000.0), 1.0, 0.0), 20_000.0);
        near(period(&sine(100_000, 9.5), 1.0, 0.0), 9.5);
    }
}
