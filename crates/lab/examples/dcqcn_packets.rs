//! Compares DCQCN's fluid model with packets: fixed points, and the delay at which the queue begins to oscillate.
//!
//! ```sh
//! cargo run --release -p setpoint-lab --example dcqcn_packets
//! ```
//!
//! The packet simulations use networks of four and sixteen times the size, which have the same fluid model and less noise.
//! The queue counts as oscillating if its deviation relative to its mean is, in the larger network, more than 1/√2 of its
//! value in the smaller one; noise falls to one half. The boundary is found by bisection with this criterion. All numbers
//! of flows and both networks are simulated in parallel.

use std::thread;

use setpoint_fluid::ModelOptions;
use setpoint_fluid::linear::{equilibrium, linearise};
use setpoint_lab::theory::atlas::{AtlasNetwork, AtlasScheme, MIDDLE, QueueFigures, Schedule, Size, judged};
use setpoint_lab::theory::{DcqcnReading, Form, TheoryError};
use setpoint_sim::Unwatched;
use setpoint_units::{Bytes, Rate, TimeDelta};

const FLOWS: [u32; 3] = [2, 4, 10];
const SEED: u64 = 1;
const SIZES: [Size; 2] = [Size { times: 4, over: 1 }, Size { times: 16, over: 1 }];
const SCHEDULE: Schedule = Schedule { from: TimeDelta::from_millis(30), until: TimeDelta::from_millis(90) };
/// The delays at which the queues are compared, in microseconds.
const DELAYS: [u64; 3] = [4, 40, 85];
/// The range of delays in which the boundary is searched, in seconds.
const SEARCHED: (f64, f64) = (30e-6, 300e-6);
/// Number of bisection steps: over a factor of ten, they locate the boundary to within 8 %.
const STEPS: u32 = 5;

fn main() -> Result<(), TheoryError> {
    let compared = thread::scope(|scope| {
        let tasks = FLOWS.map(|flows| scope.spawn(move || compare(flows)));
        tasks.map(|task| task.join().expect("a comparison does not panic"))
    });
    println!("| N | | p | queue | begins to oscillate | 4 µs | 40 µs | 85 µs |");
    println!("|---|---|---|---|---|---|---|---|");
    for rows in compared {
        rows?.iter().for_each(|row| println!("{row}"));
    }
    Ok(())
}

/// The rows for a number of flows: both readings of the model, and packet simulations.
fn compare(flows: u32) -> Result<[String; 3], TheoryError> {
    let network = AtlasNetwork {
        scheme: AtlasScheme::Dcqcn("paper"),
        speed: Rate::from_gbps(40),
        flows,
        buffer: Bytes::new(100_000_000),
    };
    let form = network.form()?;
    let printed = form.clone().read_as(DcqcnReading::AsPrinted);
    Ok([of_model(flows, "renewal", &form), of_model(flows, "as printed", &printed), of_packets(&network)?])
}

/// The fixed point and the critical delay of the model.
fn of_model(flows: u32, name: &str, form: &Form) -> String {
    let Form { bottleneck, scheme, .. } = form;
    let options = ModelOptions::default();
    let (Ok(at), Ok(closed)) =
        (equilibrium(bottleneck, scheme, &options), linearise(bottleneck, scheme, &options))
    else {
        return format!("| {flows} | {name} | no fixed point | | | | | |");
    };
    let margin_s = closed.margin().map_or(0.0, |margin| margin.delay_s);
    let word = |micros: u64| if (micros as f64) < 1e6 * margin_s { "stable" } else { "oscillates" };
    format!(
        "| {flows} | {name} | {:.3} % | {:.1} kB | {:.0} µs | {} |",
        100.0 * at.probability.unwrap_or(0.0),
        at.queue_bytes / 1e3,
        1e6 * margin_s,
        DELAYS.map(word).join(" | ")
    )
}

/// The marking probability and the queue in packet simulations at the shortest delay, and the delay at which the
/// queue begins to oscillate.
fn of_packets(network: &AtlasNetwork) -> Result<String, TheoryError> {
    let (mut words, mut shortest) = (Vec::new(), None);
    for micros in DELAYS {
        let (figures, ratio) = ratio(network, TimeDelta::from_micros(micros))?;
        words.push(format!("{} ({ratio:.2}), {:.1} kB", judged(ratio).name(), figures.mean_bytes / 1e3));
        shortest.get_or_insert(figures);
    }
    let figures = shortest.expect("there is a shortest delay");
    Ok(format!(
        "| {} | packets | {:.3} % | {:.1} kB | {} | {} |",
        network.flows,
        100.0 * figures.marking_share[1].unwrap_or(0.0),
        figures.mean_bytes / 1e3,
        boundary(network)?,
        words.join(" | ")
    ))
}

/// The delay at which the queue begins to oscillate, in words. If the ratio is not monotone, the bisection finds one of its
/// crossings.
fn boundary(network: &AtlasNetwork) -> Result<String, TheoryError> {
    let (mut low, mut high) = SEARCHED;
    for _ in 0..STEPS {
        let middle = (low * high).sqrt();
        let (_, ratio) = ratio(network, TimeDelta::from_nanos((1e9 * middle) as u64))?;
        if ratio < MIDDLE { low = middle } else { high = middle }
    }
    let [least, most] = [low, high].map(|seconds| format!("{:.0}", 1e6 * seconds));
    Ok(match (low > SEARCHED.0, high < SEARCHED.1) {
        (true, true) => format!("{least} to {most} µs"),
        (false, _) => format!("below {most} µs"),
        (true, false) => format!("above {least} µs"),
    })
}

/// The queue of the larger network, and the ratio of the relative deviations.
fn ratio(network: &AtlasNetwork, delay: TimeDelta) -> Result<(QueueFigures, f64), TheoryError> {
    let of = |size: Size| {
        let prepared = network.simulation(size, delay, SCHEDULE, SEED)?;
        QueueFigures::of(&prepared, size, &mut Unwatched)
    };
    let [small, large] = thread::scope(|scope| {
        let tasks = SIZES.map(|size| scope.spawn(move || of(size)));
        tasks.map(|task| task.join().expect("a simulation does not panic"))
    });
    let (small, large) = (small?, large?);
    Ok((large, large.relative() / small.relative()))
}
