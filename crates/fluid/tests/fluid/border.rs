//! The stability boundary found by the solver, compared with the exact margins.

use crate::support::{bottleneck, qcn};
use setpoint_fluid::linear::linearise;
use setpoint_fluid::model::{Horizon, Start, solve};
use setpoint_fluid::{Feedback, Increase, ModelOptions, Sampling};
use setpoint_units::TimeDelta;

const SOURCES: [u32; 6] = [1, 2, 4, 10, 20, 50];

fn options(increase: Increase) -> ModelOptions {
    ModelOptions {
        increase,
        feedback: Feedback::BothSigns,
        sampling: Sampling::Constant,
        ..ModelOptions::default()
    }
}

/// The growth of a small disturbance of the queue between two time spans of equal length.
fn growth(sources: u32, delay_s: f64, increase: Increase, period_s: f64) -> f64 {
    let picos = |seconds: f64| TimeDelta::from_picos((seconds * 1e12) as u64);
    let horizon = Horizon {
        until: picos(24.0 * period_s),
        sample: picos(period_s / 60.0),
        start: Start::NearEquilibrium,
    };
    let course = solve(&bottleneck(sources, picos(delay_s)), &qcn(), &options(increase), &horizon).unwrap();
    let swing = |samples: &[f64]| {
        let mean = samples.iter().sum::<f64>() / samples.len() as f64;
        samples.iter().map(|sample| (sample - mean).powi(2)).sum::<f64>()
    };
    let samples = &course.queue_bytes;
    // Both spans consist of whole periods, after the slow modes have decayed.
    swing(&samples[20 * 60..24 * 60 - 1]) / swing(&samples[14 * 60..18 * 60 - 1])
}

#[test]
fn the_solver_finds_the_margins_within_two_per_cent() {
    for increase in [Increase::AtSource, Increase::AsPrinted] {
        for sources in SOURCES {
            let of = linearise(&bottleneck(sources, TimeDelta::ZERO), &qcn(), &options(increase)).unwrap();
            let margin = of.margin().unwrap();
            let period = std::f64::consts::TAU / margin.crossover_rad_per_s;
            let below = growth(sources, 0.98 * margin.delay_s, increase, period);
            let above = growth(sources, 1.02 * margin.delay_s, increase, period);
            assert!(below < 1.0 && above > 1.0, "N = {sources}, {increase:?}: {below} below, {above} above");
        }
    }
}
