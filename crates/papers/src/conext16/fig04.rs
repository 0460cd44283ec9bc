//! Figure 4: the fluid model of DCQCN at two delays.

use super::choices::MARKING_IN_MODEL;
use super::model::{
    DEFAULT, Line, OSCILLATES, STILL, TWO_SIZES, dcqcn_solution, full_oscillation, last, queues, rates,
};
use crate::prelude::*;

const FLOWS: [u32; 3] = [2, 10, 64];
const SHORT: f64 = 4.0;
const LONG: f64 = 85.0;
/// The time that the program simulates.
const SECONDS: f64 = 0.5;
/// The part of that time in which oscillations are measured.
const PART: f64 = 0.1;

pub(super) fn experiment() -> Experiment {
    Experiment::new("conext16/fig04", "DCQCN’s fluid model at short and long delays")
        .setup(
            "The fluid model with 2, 10 and 64 flows that start at 40 Gb/s on a 40 Gb/s link, with feedback delays \
                of 4 and 85 us.",
        )
        .paper_says(
            "With 4 us, rates and queues settle quickly for any number of flows. With 85 us, ten flows are unstable, \
            but 2 and 64 flows are stable.",
        )
        .assumptions([
            "The solution lasts 0.5 s, as in the program, and is judged in the last tenth of that time.",
            TWO_SIZES,
            "In the paper’s figure the queue of 64 flows settles near 1 MB, which is possible only with the marking of \
            the program: with Kmax = 200 kB every frame would be marked.",
        ])
        .choices([&MARKING_IN_MODEL])
        .repeats(Repeats::Once)
        .panels(panels)
        .claims(FLOWS.map(|flows| stable(flows, SHORT)))
        .claims([stable(2, LONG), unstable(10), stable(64, LONG)])
}

/// The oscillation of the queue in the last part of the solution.
fn range(flows: u32, micros: f64, line: Line) -> Option<f64> {
    full_oscillation(last(&dcqcn_solution(flows, micros, line, SECONDS)?.queue_bytes, PART))
}

const AROUND_KMAX: &str =
    "with Kmax = 200 kB and Pmax = 1 % there is no fixed point, and the queue cycles around Kmax";

fn stable(flows: u32, micros: f64) -> Claim {
    Claim::new(
        at("section 3.3, figure 4"),
        format!("stable-{flows}-at-{micros}"),
        format!("With {flows} flows and {micros} us the queue is stable."),
    )
    .measure(Unit::Ratio, Rule::AtMost(STILL), move |seed| range(flows, micros, Line::of(seed)))
    .fails_for("10 flows at 200 us", || range(10, 200.0, Line::Program))
    .read_as("Range of the queue divided by its mean, or by 50 kB if the mean is shorter; at most a tenth.")
    .cause(AROUND_KMAX)
}

fn unstable(flows: u32) -> Claim {
    Claim::new(
        at("section 3.3, figure 4"),
        format!("unstable-{flows}-at-{LONG}"),
        format!("With {flows} flows and {LONG} us the queue is unstable."),
    )
    .measure(Unit::Ratio, Rule::AtLeast(OSCILLATES), move |seed| range(flows, LONG, Line::of(seed)))
    .fails_for("4 us", move || range(flows, SHORT, Line::Program))
    .read_as("Range of the queue divided by its mean, or by 50 kB if the mean is shorter; at least half.")
}

fn panels(runs: &Runs) -> Vec<Block> {
    let line = Line::of(&runs.first());
    let panel = |(micros, name, title): (f64, &str, &str)| {
        let solutions: Vec<_> =
            FLOWS.iter().map(|flows| dcqcn_solution(*flows, micros, line, SECONDS)).collect();
        let labels = ["2 flows", "10 flows", "64 flows"];
        let named: Vec<_> = labels.iter().copied().zip(solutions.iter().cloned()).collect();
        let top = if line == Line::Program { 1.4e6 } else { 4e5 };
        queues((name, title), top, &named)
    };
    let ten = dcqcn_solution(10, LONG, line, SECONDS);
    let per_flow = 4.0 * DEFAULT.gbps as f64 * 1e9 / 10.0;
    let figures = vec![
        panel((SHORT, "queue-short", "Queue, 4 us")),
        panel((LONG, "queue-long", "Queue, 85 us")),
        rates(("rate-long", "Rate of one of ten flows, 85 us"), per_flow, ten.as_deref(), &["10 flows"]),
    ];
    let mut table = table::with_headings("Flows", ["Range of the queue / mean or 50 kB, 4 us", "85 us"]);
    for flows in FLOWS {
        let cell = |micros| table::value_cell(Unit::Ratio, range(flows, micros, line));
        table.row([Cell::words(flows.to_string()), cell(SHORT), cell(LONG)]);
    }
    vec![Block::Figures(figures), Block::Table(table)]
}
