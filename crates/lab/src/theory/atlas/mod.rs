//! The atlas: where QCN and every profile of DCQCN are stable, as a function of the number of flows, the delay and the
//! link's speed.
//!
//! Every cell is the linear loop of one network, prepared from a scenario like any other, so that presets and profiles are
//! those of `setpoint run`. Cells and packet simulations are independent: the atlas is the same for any number of threads.

mod cells;
mod network;
mod packets;
mod record;
mod shards;
mod tables;

use std::num::NonZeroUsize;

use rayon::prelude::*;
use setpoint_record::VERSION;
use setpoint_sim::Decision;
use setpoint_units::{Bytes, Rate, TimeDelta};

use self::cells::{Analysed, cell};
use self::packets::Point;
use super::error::TheoryError;
use super::fluid::model;
use crate::sweep::SweepMonitor;

pub use network::{AtlasNetwork, AtlasScheme, FRAME, Schedule, Size};
pub use packets::{CYCLE, MIDDLE, NOISE, QueueFigures, judged};
pub use record::{AtlasCell, AtlasRecord, AtlasRun, Limit, SchemeRecord, Stability, Verdict};
pub use shards::{collect_atlas, points_of_atlas, run_atlas_points};
pub use tables::tables;

/// The content of an atlas.
#[derive(Clone, Debug, PartialEq)]
pub struct AtlasOptions {
    /// The algorithms.
    pub schemes: Vec<AtlasScheme>,
    /// The speeds.
    pub speeds: Vec<Rate>,
    /// The numbers of flows.
    pub flows: Vec<u32>,
    /// The delay of the network at which settling times are computed.
    pub delay: TimeDelta,
    /// The buffer that the queue must fit into.
    pub buffer: Bytes,
    /// The number of flows in packet simulations, a multiple of four; none without packet simulations.
    pub packets: Option<u32>,
    /// The number of frames that the link can send in a packet simulation, which bounds its duration.
    pub most_frames: u64,
    /// The seed of the packet simulations.
    pub seed: u64,
    /// Number of threads; none for one per core.
    pub threads: Option<NonZeroUsize>,
}

impl Default for AtlasOptions {
    fn default() -> Self {
        Self {
            schemes: AtlasScheme::all(),
            speeds: [10, 25, 40, 100, 200, 400, 800].map(Rate::from_gbps).to_vec(),
            flows: vec![2, 4, 8, 16, 32, 64, 128, 256],
            delay: TimeDelta::from_micros(10),
            buffer: Bytes::new(64_000_000),
            packets: None,
            most_frames: 2_000_000,
            seed: 1,
            threads: None,
        }
    }
}

/// Multiples of the longest stable delay at which packets are simulated.
const FACTORS: [(u64, u64); 2] = [(1, 3), (3, 1)];
/// Multiples of the delay of the atlas at which packets are simulated if there is no model.
const WITHOUT_MODEL: [u64; 2] = [1, 10];
/// Periods of the oscillation before the measurement and in total, if there are enough frames.
const PERIODS: (f64, f64) = (20.0, 60.0);
/// The shortest simulation.
const SHORTEST: TimeDelta = TimeDelta::from_millis(4);
/// The period that is assumed if the loop has none.
const USUAL_PERIOD_S: f64 = 2e-3;

impl AtlasOptions {
    fn networks(&self) -> Vec<AtlasNetwork> {
        let of = |scheme: &AtlasScheme| {
            let scheme = scheme.clone();
            self.speeds.iter().flat_map(move |&speed| {
                let scheme = scheme.clone();
                let one =
                    move |&flows| AtlasNetwork { scheme: scheme.clone(), speed, flows, buffer: self.buffer };
                self.flows.iter().map(one)
            })
        };
        self.schemes.iter().flat_map(of).collect()
    }

    /// The points at which packets are simulated: at a third and at three times the longest stable delay, or at the delay of
    /// the atlas if the loop is never stable. Without a model, packets are simulated at this delay and at ten times this delay.
    fn points(&self) -> Vec<Point> {
        let Some(flows) = self.packets else { return Vec::new() };
        let of = |scheme: &AtlasScheme| {
            let scheme = scheme.clone();
            self.speeds.iter().flat_map(move |&speed| {
                self.points_of(&AtlasNetwork { scheme: scheme.clone(), speed, flows, buffer: self.buffer })
            })
        };
        self.schemes.iter().flat_map(of).collect()
    }

    fn points_of(&self, network: &AtlasNetwork) -> Vec<Point> {
        let analysed = Analysed::of(network);
        // Buffers do not limit the queues of packet simulations.
        let network = AtlasNetwork { buffer: Bytes::new(4_000_000_000), ..network.clone() };
        let point = |delay: TimeDelta, model_is_stable: Option<bool>, period_s: f64| Point {
            schedule: self.schedule(network.speed, period_s),
            network: network.clone(),
            delay,
            model_is_stable,
        };
        let analysed = match analysed {
            Ok(analysed) => analysed,
            Err(TheoryError::NoForm(_)) => {
                return WITHOUT_MODEL.map(|times| point(self.delay * times, None, USUAL_PERIOD_S)).to_vec();
            }
            Err(_) => return Vec::new(),
        };
        match analysed.stability() {
            (Stability::Bounded, Some((margin_s, omega))) => {
                let margin = TimeDelta::from_nanos((1e9 * margin_s) as u64);
                let of = |(times, over): (u64, u64)| {
                    point(margin.scaled(times, over), Some(times < over), std::f64::consts::TAU / omega)
                };
                FACTORS.into_iter().map(of).collect()
            }
            (Stability::Never, _) => vec![point(self.delay, Some(false), USUAL_PERIOD_S)],
            (Stability::Always, _) => vec![point(self.delay, Some(true), USUAL_PERIOD_S)],
            _ => Vec::new(),
        }
    }

    fn schedule(&self, speed: Rate, period_s: f64) -> Schedule {
        let most = speed.time_to_send(Bytes::new(FRAME.get() * self.most_frames));
        let wanted = TimeDelta::from_nanos((PERIODS.1 * period_s * 1e9) as u64);
        // Whole microseconds, so that samples divide the time evenly.
        let micros = |time: TimeDelta| TimeDelta::from_micros(time.as_picos() / 1_000_000);
        let until = micros(wanted.min(most).max(SHORTEST));
        let from = micros(until.scaled(PERIODS.0 as u64, PERIODS.1 as u64));
        Schedule { from, until }
    }

    fn pool(&self) -> Result<rayon::ThreadPool, rayon::ThreadPoolBuildError> {
        let threads = self.threads.map_or(0, NonZeroUsize::get);
        rayon::ThreadPoolBuilder::new().num_threads(threads).build()
    }
}

/// Computes an atlas without packet simulations.
///
/// # Errors
/// If the monitor stops the work.
pub fn atlas(options: &AtlasOptions, monitor: &dyn SweepMonitor) -> Result<AtlasRecord, TheoryError> {
    drawn(options, Vec::new(), monitor)
}

/// Computes the cells of an atlas, with packet simulations that have already ended.
fn drawn(
    options: &AtlasOptions,
    ends: Vec<Result<AtlasRun, String>>,
    monitor: &dyn SweepMonitor,
) -> Result<AtlasRecord, TheoryError> {
    let networks = options.networks();
    let one =
        |network: &AtlasNetwork| (monitor.verdict() != Decision::Stop).then(|| cell(network, options.delay));
    let cells: Vec<Option<AtlasCell>> = options.pool()?.install(|| networks.par_iter().map(one).collect());
    let done = cells.iter().flatten().count();
    let cells: Option<Vec<AtlasCell>> = cells.into_iter().collect();
    let cells = cells.ok_or(TheoryError::Stopped { done, all: networks.len(), what: "cells" })?;
    let (mut packets, mut failed) = (Vec::new(), Vec::new());
    for end in ends {
        match end {
            Ok(run) => packets.push(run),
            Err(reason) => failed.push(reason),
        }
    }
    Ok(AtlasRecord {
        version: VERSION.to_owned(),
        frame_bytes: FRAME.get() as f64,
        buffer_bytes: options.buffer.get() as f64,
        delay_s: options.delay.as_secs_f64(),
        speeds_bps: options.speeds.iter().map(|speed| speed.bits_per_second() as f64).collect(),
        flows: options.flows.clone(),
        schemes: options.schemes.iter().map(|scheme| described(scheme, options)).collect(),
        cells,
        packets,
        failed,
    })
}

/// The model of an algorithm, or why there is none.
fn described(scheme: &AtlasScheme, options: &AtlasOptions) -> SchemeRecord {
    let speed = options.speeds.first().copied().unwrap_or(Rate::from_gbps(10));
    let network = AtlasNetwork { scheme: scheme.clone(), speed, flows: 2, buffer: options.buffer };
    let name = scheme.name();
    match network.form() {
        Ok(form) => SchemeRecord {
            name,
            model: Some(model(&form.scheme, &setpoint_fluid::ModelOptions::default())),
            leaves_out: form.leaves_out,
            reason: None,
        },
        Err(error) => {
            SchemeRecord { name, model: None, leaves_out: Vec::new(), reason: Some(error.to_string()) }
        }
    }
}
