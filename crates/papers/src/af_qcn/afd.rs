//! AFD itself (section II-B), which AF-QCN's controller comes from.

use setpoint_report::document::Block;
use setpoint_report::plot::{Direction, Reference, Room};
use setpoint_report::quantity::Unit;

use super::{AT_SHARE, FOUR, QUEUE, farthest};
use crate::case::{Case, Timing};
use crate::claim::Claim;
use crate::curves;
use crate::experiment::{Experiment, Kept, Repeats};
use crate::rule::Rule;
use crate::runs::Runs;
use crate::water_filling::{Demand, max_min};

const SCENARIO: &str = include_str!("../../scenarios/af-qcn/afd.toml");

const SETTLED: (f64, f64) = (0.5, 2.0);
/// The reference length of the queue: the default of AFD's set point.
const REFERENCE: f64 = 50e3;
/// What the senders offer.
const OFFERED: [f64; 4] = [1e9, 2e9, 4e9, 8e9];
const CAPACITY: f64 = 10e9;

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "af-qcn/afd",
        title: "AFD, dropping by fair shares",
        setup: "Four senders of 1, 2, 4 and 8 Gb/s, which do not react to anything, share a link of 10 Gb/s whose queue is managed by \
                AFD: frames of senders above the fair share are dropped at random as they arrive.",
        paper_says: "The throughput of a flow is what it sends, or the fair share if that is less; the queue settles at its reference \
                     length.",
        we_take: vec![
            "The paper shows no run of AFD. Four senders of constant rates are taken, of which two are above the fair share of 3.5 Gb/s.".to_owned(),
            "It gives no parameters either: the defaults are taken, with a reference length of 50 kB.".to_owned(),
        ],
        cases: vec![Case::new("afd", "AFD", SCENARIO)],
        timing: Timing { times: vec![("duration", 2.0)], quick: 0.5 },
        repeats: Repeats::Seeds(10),
        kept: Kept::Series,
        shown,
        claims: claims(),
    }
}

fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "throughput",
            "The throughput of every flow is the smaller of its rate and the fair share.",
            (Unit::Share, Rule::AtMost(AT_SHARE)),
            |seed| {
                let shares: Vec<(&str, f64)> = FOUR.iter().map(|(flow, _)| *flow).zip(fair()).collect();
                farthest(seed.run("afd"), &shares, SETTLED)
            },
        )
        .read_as("Mean rates from 0.5 s on within a tenth of 1, 2, 3.5 and 3.5 Gb/s."),
        Claim::new(
            "queue-at-reference",
            "The queue is near its reference length.",
            (Unit::Bytes, Rule::about(REFERENCE, 0.2)),
            |seed| seed.run("afd").queue_mean(QUEUE, SETTLED.0, SETTLED.1),
        )
        .read_as("The mean from 0.5 s on is within a fifth of 50 kB."),
    ]
}

/// The smaller of rate and fair share: the max-min allocation with what is offered as bounds.
fn fair() -> Vec<f64> {
    max_min(&[CAPACITY], &OFFERED.map(|most| Demand { weight: 1.0, most, links: vec![0] }))
}

fn shown(runs: &Runs) -> Vec<Block> {
    let Some(first) = runs.first() else { return Vec::new() };
    let run = first.run("afd");
    let flows = [("f1", "1 Gb/s"), ("f2", "2 Gb/s"), ("f3", "4 Gb/s"), ("f4", "8 Gb/s")];
    let mut rates = curves::rates(run, &flows, "rates", "Throughput by what is offered");
    let mut queue = curves::queue(run, QUEUE, "queue", "Queue");
    let label = "reference 50 kB".to_owned();
    queue.references = vec![Reference { label, at: REFERENCE, direction: Direction::Across }];
    rates.room = Room::Half;
    queue.room = Room::Half;
    vec![Block::Figures(vec![rates, queue]), Block::Note(format!("Seed {}.", first.number()))]
}
