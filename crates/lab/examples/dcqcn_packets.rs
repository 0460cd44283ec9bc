//! Compares DCQCN's fluid model with packets: fixed points, and the delay at which the queue begins to oscillate.
//!
//! ```sh
//! cargo run --release -p setpoint-lab --example dcqcn_packets
//! ```
//!
//! Packets are simulated in networks of four and of sixteen times the size, which have the same fluid model and less
//! noise. The queue oscillates if its deviation relative to its mean remains above 1/√2 of its value from the smaller
//! network to the larger one; noise falls to one half. The boundary is found by bisection with this criterion.

use setpoint_fluid::ModelOptions;
use setpoint_fluid::linear::{equilibrium, linearise};
use setpoint_lab::theory::atlas::{AtlasNetwork, AtlasScheme, MIDDLE, QueueFigures, Schedule, Size, judged};
use setpoint_lab::theory::{DcqcnReading, Form, TheoryError};
use setpoint_sim::Unwatched;
use setpoint_units::{Bytes, Rate, TimeDelta};

const SEED: u64 = 1;
const SIZES: [Size; 2] = [Size { times: 4, over: 1 }, Size { times: 16, over: 1 }];
const SCHEDULE: Schedule = Schedule { from: TimeDelta::from_millis(30), until: TimeDelta::from_millis(90) };
/// Steps of the bisection over a factor of eight, which end within 7 %.
const STEPS: u32 = 5;

fn main() -> Result<(), TheoryError> {
    println!(
        "| N | | p | α | queue | critical delay | at 4 µs | at 85 µs |\n|---|---|---|---|---|---|---|---|"
    );
    for flows in [2, 4, 10] {
        let network = AtlasNetwork {
            scheme: AtlasScheme::Dcqcn("paper"),
            speed: Rate::from_gbps(40),
            flows,
            buffer: Bytes::new(100_000_000),
        };
        let renewal = network.form()?;
        let margin_s = row(flows, "renewal", &renewal);
        row(flows, "as printed", &renewal.clone().read_as(DcqcnReading::AsPrinted));
        packets(&network, margin_s)?;
    }
    Ok(())
}

/// Prints the figures of the model, and returns the critical delay.
fn row(flows: u32, name: &str, form: &Form) -> f64 {
    let Form { bottleneck, scheme, .. } = form;
    let options = ModelOptions::default();
    let (Ok(at), Ok(closed)) =
        (equilibrium(bottleneck, scheme, &options), linearise(bottleneck, scheme, &options))
    else {
        println!("| {flows} | {name} | no fixed point |");
        return 100e-6;
    };
    let margin_s = closed.margin().map_or(0.0, |margin| margin.delay_s);
    let word = |delay_s: f64| if delay_s < margin_s { "stable" } else { "oscillates" };
    println!(
        "| {flows} | {name} | {:.3} % | {:.3} | {:.1} kB | {:.0} µs | {} | {} |",
        100.0 * at.probability.unwrap_or(0.0),
        at.alpha.unwrap_or(0.0),
        at.queue_bytes / 1e3,
        1e6 * margin_s,
        word(4e-6),
        word(85e-6)
    );
    margin_s
}

fn packets(network: &AtlasNetwork, margin_s: f64) -> Result<(), TheoryError> {
    let [near, far] = [4, 85].map(|micros| ratio(network, TimeDelta::from_micros(micros)));
    let ((figures, near), (_, far)) = (near?, far?);
    let (mut low, mut high) = (margin_s / 2.0, margin_s * 4.0);
    for _ in 0..STEPS {
        let middle = (low * high).sqrt();
        let (_, ratio) = ratio(network, TimeDelta::from_nanos((1e9 * middle) as u64))?;
        if ratio < MIDDLE { low = middle } else { high = middle }
    }
    println!(
        "| {} | packets | {:.3} % | | {:.1} kB | {:.0} to {:.0} µs | {} ({near:.2}) | {} ({far:.2}) |",
        network.flows,
        100.0 * figures.marking_share[1].unwrap_or(0.0),
        figures.mean_bytes / 1e3,
        1e6 * low,
        1e6 * high,
        judged(near).name(),
        judged(far).name()
    );
    Ok(())
}

/// The queue of the larger network, and the ratio of the relative deviations.
fn ratio(network: &AtlasNetwork, delay: TimeDelta) -> Result<(QueueFigures, f64), TheoryError> {
    let of = |size: Size| {
        let prepared = network.simulation(size, delay, SCHEDULE, SEED)?;
        QueueFigures::of(&prepared, size, &mut Unwatched)
    };
    let [small, large] = SIZES.map(of);
    let (small, large) = (small?, large?);
    Ok((large, large.relative() / small.relative()))
}
