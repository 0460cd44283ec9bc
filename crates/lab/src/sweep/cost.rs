//! The time and memory that the runs of a batch need, estimated before the first run.

use std::num::NonZeroU32;
use std::time::Instant;

use setpoint_scenario::{Prepared, Variant};
use setpoint_units::Bytes;

use crate::memory::Estimate;
use crate::trial;

/// Maximum number of variants whose time is estimated: each estimate takes up to 0.2 s.
const TRIALS: usize = 16;

/// The time and the memory that the runs of a batch need.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// The duration of the longest run, in seconds.
    pub longest_s: f64,
    /// The total duration of all runs, one after another, in seconds.
    pub total_s: f64,
    /// The memory of the largest run, excluding that of the program itself.
    pub memory: Bytes,
}

impl Cost {
    /// Estimates the memory of every variant, and the time of a few variants that are spread evenly over all of them. A
    /// variant that cannot run counts as zero.
    pub fn of(variants: &[Variant], seeds: NonZeroU32) -> Self {
        let began = Instant::now();
        let step = variants.len().div_ceil(TRIALS).max(1);
        let times: Vec<f64> = variants
            .iter()
            .step_by(step)
            .filter_map(prepared)
            .filter_map(|one| trial::seconds(&one, &|| began.elapsed()))
            .collect();
        let mean = times.iter().sum::<f64>() / times.len().max(1) as f64;
        let memory = variants.iter().filter_map(prepared).filter_map(|one| Estimate::of(&one.spec).ok());
        Self {
            longest_s: times.iter().copied().fold(0.0, f64::max),
            total_s: mean * variants.len() as f64 * f64::from(seeds.get()),
            memory: memory.map(|estimate| estimate.beside_program()).max().unwrap_or(Bytes::ZERO),
        }
    }
}

fn prepared(variant: &Variant) -> Option<Prepared> {
    variant.scenario.prepare(variant.scenario.seed()).ok()
}
