//! Crossover and crossings, read from a frequency response.

use super::Response;

/// One point of a frequency response.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample {
    pub(super) frequency: f64,
    pub(super) re: f64,
    pub(super) im: f64,
    /// Gain in decibels.
    pub(super) gain_db: f64,
    /// Unwrapped phase in degrees.
    pub(super) phase: f64,
}

/// The samples of a response in order of frequency.
pub(super) fn samples(response: &Response<'_>) -> Vec<Sample> {
    let finite = |(frequency, re, im): &&(f64, f64, f64)| {
        *frequency > 0.0 && [frequency, re, im].iter().all(|part| part.is_finite()) && re.hypot(*im) > 0.0
    };
    let mut points: Vec<(f64, f64, f64)> = response.points.iter().filter(finite).copied().collect();
    points.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut samples: Vec<Sample> = Vec::with_capacity(points.len());
    for (frequency, re, im) in points {
        let principal = im.atan2(re).to_degrees();
        // The phase of an open loop starts at -90 or -180 degrees, not at 180 or 270, and falls from there.
        let near = samples.last().map_or(-90.0, |sample: &Sample| sample.phase);
        let phase = principal - 360.0 * ((principal - near) / 360.0).round();
        samples.push(Sample { frequency, re, im, gain_db: 20.0 * re.hypot(im).log10(), phase });
    }
    samples
}

/// The highest frequency at which the gain falls to one, and the phase there.
pub(super) fn crossover(samples: &[Sample]) -> Option<(f64, f64)> {
    let pair = samples.windows(2).rev().find(|pair| pair[0].gain_db >= 0.0 && pair[1].gain_db < 0.0)?;
    let share = pair[0].gain_db / (pair[0].gain_db - pair[1].gain_db);
    let frequency = pair[0].frequency * (pair[1].frequency / pair[0].frequency).powf(share);
    Some((frequency, pair[0].phase + (pair[1].phase - pair[0].phase) * share))
}

/// The leftmost upward crossing of the negative real axis, as real part and frequency. A downward crossing belongs to a
/// loop that is stable only with enough gain, and does not count.
pub(super) fn leftmost(samples: &[Sample]) -> Option<(f64, f64)> {
    let crossings = samples.windows(2).filter(|pair| pair[0].im < 0.0 && pair[1].im >= 0.0).map(|pair| {
        let share = pair[0].im / (pair[0].im - pair[1].im);
        let between = |of: fn(&Sample) -> f64| of(&pair[0]) + (of(&pair[1]) - of(&pair[0])) * share;
        (between(|sample| sample.re), between(|sample| sample.frequency))
    });
    crossings.filter(|(re, _)| *re < 0.0).min_by(|one, other| one.0.total_cmp(&other.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An integrator with a delay: `k e^{-s}/s`.
    fn delayed(gain: f64) -> Vec<(f64, f64, f64)> {
        let point = |index: i32| {
            let frequency = 10f64.powf(-2.0 + f64::from(index) / 100.0);
            (frequency, -gain / frequency * frequency.sin(), -gain / frequency * frequency.cos())
        };
        (0..320).map(point).collect()
    }

    #[test]
    fn an_integrator_with_a_delay_has_its_known_crossings() {
        let points = delayed(1.0);
        let samples = samples(&Response { name: "", points: &points });
        let (frequency, phase) = crossover(&samples).expect("a crossover");
        assert!((frequency - 1.0).abs() < 1e-3 && (phase + 90.0 + 1f64.to_degrees()).abs() < 0.1);
        // The phases of the integrator and of the delay add up, far beyond one turn.
        let last = samples[samples.len() - 1];
        assert!((last.phase + 90.0 + last.frequency.to_degrees()).abs() < 1e-6, "{last:?}");
        let (re, frequency) = leftmost(&samples).expect("a crossing");
        assert!(
            (re + std::f64::consts::FRAC_2_PI).abs() < 1e-3
                && (frequency - std::f64::consts::FRAC_PI_2).abs() < 0.02
        );
    }

    #[test]
    fn a_gain_that_never_reaches_one_has_no_crossover() {
        let points = delayed(1e-4);
        assert_eq!(crossover(&samples(&Response { name: "", points: &points })), None);
        assert_eq!(crossover(&[]), None);
        assert_eq!(leftmost(&[]), None);
        let odd = [(f64::NAN, 1.0, 1.0), (0.0, 1.0, 1.0), (1.0, f64::INFINITY, 0.0), (2.0, 0.0, 0.0)];
        assert!(samples(&Response { name: "", points: &odd }).is_empty());
    }
}
