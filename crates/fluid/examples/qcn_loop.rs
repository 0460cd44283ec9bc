//! Ten sources under QCN as a fluid: the queue over time at a delay within the stability margin and beyond it.

use setpoint_control::qcn;
use setpoint_fluid::linear::linearise;
use setpoint_fluid::model::{Horizon, Start, solve};
use setpoint_fluid::{Bottleneck, Class, ModelOptions, Scheme, Sending};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

fn bottleneck(delay: TimeDelta) -> Bottleneck {
    Bottleneck {
        frame: Bytes::new(1_500),
        overhead: Bytes::ZERO,
        capacity: vec![(Time::ZERO, Rate::from_gbps(10))],
        buffer: Bytes::new(1_000_000),
        classes: vec![Class {
            name: "senders".to_owned(),
            sources: 10,
            delay,
            line_rate: Rate::from_gbps(10),
            start: Time::ZERO,
            stop: None,
            sending: Sending::Controlled { weight: 1 },
        }],
    }
}

/// The distance between the lowest and the highest queue in the last fifth of the samples.
fn swing(queue: &[f64]) -> f64 {
    let last = &queue[queue.len() * 4 / 5..];
    let (low, high) = last.iter().fold((f64::MAX, f64::MIN), |(low, high), &q| (low.min(q), high.max(q)));
    high - low
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scheme = Scheme::Qcn(qcn::Params::default());
    let options = ModelOptions::default();
    let short = TimeDelta::from_micros(50);
    let margin = linearise(&bottleneck(short), &scheme, &options)?.margin().expect("stable without delay");
    println!("the loop is stable up to a delay of {:.0} us;", margin.delay_s * 1e6);
    println!("it then oscillates at {:.0} rad/s", margin.crossover_rad_per_s);

    let horizon = Horizon {
        until: TimeDelta::from_millis(200),
        sample: TimeDelta::from_micros(100),
        start: Start::LineRates,
    };
    let long = TimeDelta::from_nanos((1.5e9 * margin.delay_s) as u64);
    let mut swings = Vec::new();
    for delay in [short, long] {
        let course = solve(&bottleneck(delay), &scheme, &options, &horizon)?;
        println!("\ndelay {delay}:");
        for (time, queue) in course.time_s.iter().zip(&course.queue_bytes).step_by(200) {
            println!("{:>6.1} ms {:>8.1} kB", time * 1e3, queue / 1e3);
        }
        swings.push(swing(&course.queue_bytes));
    }
    println!("\nlate oscillation of the queue: {:.2} kB and {:.2} kB", swings[0] / 1e3, swings[1] / 1e3);
    assert!(swings[0] < 0.1 * swings[1], "only the longer delay keeps oscillating");
    Ok(())
}
