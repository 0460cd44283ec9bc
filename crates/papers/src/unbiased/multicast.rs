//! Section III-A, "Multicast traffic": a frame to two outputs is sampled at both of them, or once at its input.

use setpoint_report::document::Block;
use setpoint_report::plot::Figure;
use setpoint_report::quantity::Unit;

use super::measure::{Sender, arrivals, arriving, notifications};
use super::{Phase, at_inputs, at_outputs, panel, pause_only, scenario, taken};
use crate::claim::Claim;
use crate::experiment::{Experiment, Keep, Repeats};
use crate::rule::Rule;
use crate::runs::{Run, Runs, mean};
use crate::tables;

const SCENARIO: &str = scenario!("multicast", "at-10g");

const LINE: f64 = 10e9;

/// The multicast flow, and the two unicast flows.
const SENDERS: [Sender; 3] = [
    Sender { flow: "multicast", port: "h1->leaf1.1" },
    Sender { flow: "u1", port: "h6->leaf1.2" },
    Sender { flow: "u2", port: "h11->leaf1.3" },
];

/// A third of the run is left to settle in.
const SETTLED: Phase = (0.1, 0.3);

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "unbiased/multicast",
        title: "A multicast flow beside unicast flows",
        setup: "A backlogged sender of 10 Gb/s sends to a group of two receivers under different leaves of the rack fabric; each of the two also has a backlogged unicast sender. All three \
                senders have inputs of their own. PAUSE keeps the fabric from losing frames. QCN has congestion points at outputs or at inputs.",
        paper_says: "With QCN at outputs a multicast frame to two destinations can be sampled twice and give two notifications, or more with more destinations, which can treat multicast flows unfairly. With QCN at inputs \
                     every multicast frame is sampled on a par with unicast frames. The paper shows no run of it.",
        assumptions: [
            taken::list(&[taken::PART_OF_THE_FABRIC, taken::TABLE_1, taken::TIMER, taken::FABRIC]),
            vec![
                "Each output is asked for twice what it has: 5 Gb/s of both are the multicast flow’s share, and 5 Gb/s those of the unicast flows. A multicast frame is stored once at its input, until both its \
                 copies have left."
                    .to_owned(),
                "Throughputs are of arrivals at input buffers, with preambles and gaps, sampled every 0.1 ms. The source obeys every notification, as QCN’s.".to_owned(),
            ],
        ]
        .concat(),
        cases: vec![pause_only(SCENARIO), at_outputs(SCENARIO), at_inputs("inputs", "QCN at inputs", SCENARIO)],
        quick: 0.2,
        repeats: Repeats::Seeds(10),
        keep: Keep::Series,
        panels: Box::new(shown),
        claims: claims(),
    }
}

fn claims() -> Vec<Claim> {
    vec![
        Claim::measured(
            "outputs-two-for-one",
            "With QCN at outputs the multicast flow has two notifications where a unicast flow has one.",
            (Unit::Ratio, Rule::about(2.0, 0.25)),
            |seed| told(seed.run("outputs")),
        )
        .read_as("Notifications per frame sent, of the multicast flow over the mean of the unicast flows’, in the whole run; within a quarter of two."),
        Claim::measured(
            "outputs-unfair",
            "With QCN at outputs the multicast flow is treated unfairly.",
            (Unit::Ratio, Rule::AtMost(0.8)),
            |seed| ahead(seed.run("outputs")),
        )
        .read_as("Its rate over the mean of the unicast flows’, from 100 to 300 ms; unfairly is four fifths at most, as in figure 2."),
        Claim::measured(
            "inputs-on-a-par",
            "With QCN at inputs multicast frames are sampled on a par with unicast frames.",
            (Unit::Ratio, Rule::Between(0.8, 1.25)),
            |seed| told(seed.run("inputs")),
        )
        .read_as("Notifications per frame sent, of the multicast flow over the mean of the unicast flows’, in the whole run; on a par is within a quarter."),
        Claim::measured(
            "inputs-fair",
            "With QCN at inputs the multicast flow has the rate of the unicast flows.",
            (Unit::Ratio, Rule::Between(0.9, 1.1)),
            |seed| ahead(seed.run("inputs")),
        )
        .read_as("Its rate over the mean of the unicast flows’, from 100 to 300 ms; within a tenth."),
    ]
}

/// Notifications per frame that the multicast flow sends, over those of unicast flows.
fn told(run: &Run) -> Option<f64> {
    let of = |sender: &Sender| {
        let summary = run.summary.flows.iter().find(|summary| summary.name == sender.flow)?;
        Some(notifications(run, sender.flow)? / summary.sent_frames as f64)
    };
    over_others(&SENDERS.iter().map(of).collect::<Option<Vec<f64>>>()?)
}

/// The rate of the multicast flow over that of unicast flows.
fn ahead(run: &Run) -> Option<f64> {
    over_others(&arriving(run, &SENDERS, LINE, SETTLED)?)
}

/// The first over the mean of the others; none if that is zero.
fn over_others(values: &[f64]) -> Option<f64> {
    let (first, others) = values.split_first()?;
    let others = mean(others)?;
    (others > 0.0).then_some(first / others)
}

fn shown(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let titles =
        [("pause", "(a) PAUSE only"), ("outputs", "(b) QCN at outputs"), ("inputs", "(c) QCN at inputs")];
    let figures = titles.map(|(case, title)| one(first.run(case), case, title));
    let table = tables::by_case(
        runs,
        &titles,
        &[
            ("Rate of the multicast flow", Unit::BitsPerSecond, |run| rate_of(run, 0)),
            ("Of the first unicast flow", Unit::BitsPerSecond, |run| rate_of(run, 1)),
            ("Of the second", Unit::BitsPerSecond, |run| rate_of(run, 2)),
            ("Multicast over unicast", Unit::Ratio, ahead),
            ("Notifications per frame, multicast over unicast", Unit::Ratio, told),
            ("Time paused, over all links", Unit::Seconds, |run| Some(run.summary.total.paused_s)),
        ],
    );
    let mut blocks = panel::of_seed(first, figures.into()).to_vec();
    blocks.push(Block::Table(table));
    blocks
}

fn rate_of(run: &Run, sender: usize) -> Option<f64> {
    arriving(run, &SENDERS, LINE, SETTLED)?.get(sender).copied()
}

fn one(run: &Run, case: &str, title: &str) -> Figure {
    let curve = |sender: &Sender| (sender.flow, arrivals(run, sender.port, LINE).unwrap_or_default());
    let drawn: Vec<panel::Curve<'_>> = SENDERS.iter().map(curve).collect();
    panel::rates(run, &format!("rates-{case}"), title, LINE, &drawn)
}
