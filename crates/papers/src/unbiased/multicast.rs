//! Section III-A, "Multicast traffic": a frame sent to two outputs is sampled at both outputs, or once at its input.

use super::choices::{INTERVAL, TIMER};
use super::{
    FABRIC, PART_OF_THE_FABRIC, STANDARD, Sender, TABLE_1, arrival_panel, at_inputs, at_outputs,
    mean_arrivals, pause_only, paused_time,
};
use crate::prelude::*;

const SCENARIO: &str = scenario!("unbiased": "multicast", "table-1", "at-10g");

const LINE: f64 = 10e9;
/// The multicast flow, and the two unicast flows.
const SENDERS: [Sender; 3] = [("multicast", "h1->leaf1.1"), ("u1", "h6->leaf1.2"), ("u2", "h11->leaf1.3")];
/// The last two thirds of the run.
const SETTLED: Window = START.plus(0.1).until(END);

const CASES: [(&str, &str); 3] =
    [("pause", "(a) PAUSE only"), ("outputs", "(b) QCN at outputs"), ("inputs", "(c) QCN at inputs")];

pub(super) fn experiment() -> Experiment {
    Experiment::new("unbiased/multicast", "A multicast flow alongside unicast flows")
        .setup(
            "A backlogged 10 Gb/s sender sends to a group of two receivers under different leaves of the rack fabric; \
            each of the two receivers also receives frames from a backlogged unicast sender. Each of the three senders \
            has a separate input. PAUSE keeps the fabric lossless. QCN has congestion points at outputs or at inputs.",
        )
        .paper_says(
            "With QCN at outputs a multicast frame to two destinations can be sampled twice and trigger two \
            notifications, or more with more destinations, so multicast flows can be treated unfairly. With QCN at \
            inputs every multicast frame is sampled on a par with unicast frames. The paper shows no such run.",
        )
        .assumptions([
            PART_OF_THE_FABRIC,
            TABLE_1,
            STANDARD,
            FABRIC,
            "The load on each output is twice its capacity, so the fair share of the multicast flow and of each \
            unicast flow is 5 Gb/s. A multicast frame is stored once at its input, until both of its copies have left.",
            "Throughputs are arrival rates at input buffers, including preambles and gaps, sampled every 0.1 ms. The \
            source reacts to every notification, as in QCN.",
        ])
        .choices([&INTERVAL, &TIMER])
        .cases([pause_only(SCENARIO), at_outputs(SCENARIO), at_inputs("inputs", "QCN at inputs", SCENARIO)])
        .quick(0.2)
        .panels(panels)
        .claims(claims())
}

fn claims() -> [Claim; 4] {
    const NOTIFICATIONS: &str = "Notifications per frame sent in the whole run: the value for the multicast flow \
        divided by the mean for the unicast flows";
    const RATES: &str = "Its rate divided by the mean rate of the unicast flows, from 100 to 300 ms";
    const SECTION: Origin = at("section III-A");
    let claim = |origin, name, statement, rule, case: &'static str, measure: fn(&Run) -> Option<f64>| {
        Claim::new(origin, name, statement).measure(Unit::Ratio, rule, move |seed| measure(seed.run(case)))
    };
    [
        claim(
            SECTION,
            "outputs-two-for-one",
            "With QCN at outputs the multicast flow receives two notifications for every one that a unicast flow \
            receives.",
            Rule::about(2.0, 0.25),
            "outputs",
            notifications_over_unicast,
        )
        .read_as(format!("{NOTIFICATIONS}; within a quarter of two.")),
        claim(
            SECTION,
            "outputs-unfair",
            "With QCN at outputs the multicast flow is treated unfairly.",
            Rule::AtMost(0.8),
            "outputs",
            rate_over_unicast,
        )
        .read_as(format!("{RATES}; “unfairly” means at most four fifths, as in figure 2.")),
        claim(
            SECTION,
            "inputs-on-a-par",
            "With QCN at inputs multicast frames are sampled on a par with unicast frames.",
            Rule::Equivalent(0.8, 1.25),
            "inputs",
            notifications_over_unicast,
        )
        .read_as(format!("{NOTIFICATIONS}; “on a par” means within a quarter, in an equivalence test.")),
        claim(
            OURS,
            "inputs-fair",
            "With QCN at inputs the multicast flow gets the same rate as the unicast flows.",
            Rule::Between(0.9, 1.1),
            "inputs",
            rate_over_unicast,
        )
        .read_as(format!("{RATES}; within 10 %.")),
    ]
}

/// Notifications per frame sent: the value for the multicast flow divided by the mean for the unicast flows.
fn notifications_over_unicast(run: &Run) -> Option<f64> {
    over_others(&all(SENDERS.iter().map(|(flow, _)| {
        let flow = run.flow(flow)?;
        Some(flow.notifications as f64 / flow.sent_frames as f64)
    }))?)
}

/// The rate of the multicast flow divided by the mean rate of the unicast flows.
fn rate_over_unicast(run: &Run) -> Option<f64> {
    over_others(&mean_arrivals(run, &SENDERS, LINE, SETTLED)?)
}

fn rate_of(run: &Run, sender: usize) -> Option<f64> {
    mean_arrivals(run, &SENDERS, LINE, SETTLED)?.get(sender).copied()
}

/// The first value divided by the mean of the others; none if that mean is zero.
fn over_others(values: &[f64]) -> Option<f64> {
    let (first, others) = values.split_first()?;
    let others = mean(others)?;
    (others > 0.0).then_some(first / others)
}

fn panels(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let figures = CASES.map(|(case, title)| arrival_panel(first.run(case), (case, title), &SENDERS, LINE));
    let table = table::by_case(
        runs,
        &CASES,
        &[
            ("Rate of the multicast flow", Unit::BitsPerSecond, |run| rate_of(run, 0)),
            ("of the first unicast flow", Unit::BitsPerSecond, |run| rate_of(run, 1)),
            ("of the second", Unit::BitsPerSecond, |run| rate_of(run, 2)),
            ("Multicast / unicast", Unit::Ratio, rate_over_unicast),
            ("Notifications per frame, multicast / unicast", Unit::Ratio, notifications_over_unicast),
            ("Total pause time of all links", Unit::Seconds, paused_time),
        ],
    );
    let mut blocks = panel::of_seed(first, figures);
    blocks.push(Block::Table(table));
    blocks
}
