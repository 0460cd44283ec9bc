//! QCN with and without link-level pause.

use setpoint_lab::metrics::jain::jain_index;
use setpoint_report::document::Block;
use setpoint_report::quantity::Unit;

use super::measure::{mean_in, peak};
use super::{BUFFER, Phase, TARGET, panel, scenario, taken};
use crate::case::Case;
use crate::claim::Claim;
use crate::experiment::{Experiment, Keep, Repeats};
use crate::rule::Rule;
use crate::runs::{Run, Runs};
use crate::tables;

const SCENARIO: &str = scenario!("pause", "with-qcn");

/// The port that is congested, and its queue.
const HOT: &str = "middle->hot";
const HOT_QUEUE: &str = "middle->hot/3";
/// The link that everybody shares, which pauses fall upon.
const SHARED: &str = "left->middle";
/// What the victims may send at.
const VICTIM: f64 = 4e9;

/// When the start is over.
const STEADY: Phase = (0.1, 0.3);
/// The start.
const START: Phase = (0.0, 0.1);

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "allerton/pause",
        title: "With and without PAUSE",
        setup: "Eight sources of 10 Gb/s start at once towards one receiver of 10 Gb/s, over a link of 100 Gb/s between two bridges. Over the same link a victim sends 4 Gb/s of the same \
                priority to an idle receiver, and another flow 4 Gb/s of a priority of its own. QCN runs without flow control, with PAUSE and with PFC, and beside it PAUSE and PFC run alone.",
        paper_says: "Congestion control should work with link-level pauses and without them, when frames may be dropped. With pauses nothing is dropped, but congestion spreads upstream; \
                     QCN should keep it from those whose frames do not pass the congested link, or lessen it for them.",
        assumptions: [
            taken::list(&[taken::PARAMETERS]),
            vec![
                "The network is our own; the paper describes none. Links have a delay of 5 us. PAUSE and PFC stop an input above 110 kB and let go at 44 kB, with the headroom that each link needs."
                    .to_owned(),
                "The first 100 ms are the start, in which eight sources send at eight times the receiver’s rate until they have been slowed down.".to_owned(),
            ],
        ]
        .concat(),
        cases: cases(),
        quick: 0.5,
        repeats: Repeats::Seeds(10),
        keep: Keep::Series,
        panels: Box::new(shown),
        claims: claims(),
    }
}

const CASES: [(&str, &str); 5] = [
    ("none", "QCN, no flow control"),
    ("pause", "QCN and PAUSE"),
    ("pfc", "QCN and PFC"),
    ("pause-alone", "PAUSE alone"),
    ("pfc-alone", "PFC alone"),
];

fn cases() -> Vec<Case> {
    let [none, pause, pfc, pause_alone, pfc_alone] =
        CASES.map(|(name, label)| Case::new(name, label, SCENARIO));
    let paused = |case: Case| case.set("flow_control=pause");
    let per_priority = |case: Case| case.set("flow_control=pfc");
    let alone = |case: Case| case.set("control=none");
    vec![none, paused(pause), per_priority(pfc), alone(paused(pause_alone)), alone(per_priority(pfc_alone))]
}

const WITH_QCN: [&str; 3] = ["none", "pause", "pfc"];

fn claims() -> Vec<Claim> {
    vec![
        Claim::measured(
            "link-used",
            "QCN keeps the receiver’s link busy with PAUSE, with PFC and without.",
            (Unit::Share, Rule::AtLeast(0.98)),
            |seed| least(WITH_QCN.map(|case| seed.run(case).utilisation_between(HOT, STEADY.0, STEADY.1))),
        )
        .read_as("Busy from 0.1 to 0.3 s, the least of the three cases."),
        Claim::measured(
            "queue-held",
            "QCN holds the queue at its set point in all three.",
            (Unit::Share, Rule::AtMost(0.5)),
            |seed| most(WITH_QCN.map(|case| off_target(seed.run(case)))),
        )
        .read_as("Distance of the mean queue from 30 kB over 30 kB, the largest of the three cases."),
        Claim::measured("pause-drops-nothing", "With PAUSE nothing is dropped.", (Unit::Count, Rule::AtMost(0.0)), |seed| {
            dropped(seed.run("pause"))
        })
        .read_as("Frames dropped in the whole run."),
        Claim::measured("pfc-drops-nothing", "With PFC nothing is dropped.", (Unit::Count, Rule::AtMost(0.0)), |seed| {
            dropped(seed.run("pfc"))
        })
        .read_as("Frames dropped in the whole run."),
        Claim::measured(
            "drops-at-the-start",
            "Without flow control packets are dropped.",
            (Unit::Count, Rule::AtLeast(1.0)),
            |seed| dropped(seed.run("none")),
        )
        .read_as("Frames dropped in the whole run; the paper says that they may be."),
        Claim::measured(
            "no-drops-later",
            "Without flow control nothing is dropped once the start is over.",
            (Unit::Share, Rule::AtMost(0.99)),
            |seed| Some(peak(seed.run("none"), HOT_QUEUE, STEADY)? / BUFFER),
        )
        .read_as("Largest queue from 0.1 s on over the buffer: where there is room for a frame at all times, nothing is dropped."),
        Claim::measured(
            "pauses-cease",
            "QCN makes pauses on the shared link rare.",
            (Unit::Share, Rule::AtMost(0.01)),
            |seed| most(["pause", "pfc"].map(|case| paused(seed.run(case), STEADY))),
        )
        .read_as("Share of the time from 0.1 s on in which the shared link is paused, the larger of PAUSE and PFC; one per cent at most."),
        Claim::measured(
            "victim-spared",
            "With QCN the victim keeps its rate, with PAUSE as with PFC.",
            (Unit::Share, Rule::AtLeast(0.95)),
            |seed| least(["pause", "pfc"].map(|case| victim(seed.run(case), "victim"))),
        )
        .read_as("Its rate from 0.1 s on over the 4 Gb/s it may send; the smaller of PAUSE and PFC."),
        Claim::measured(
            "victim-hurt-without",
            "Without QCN pauses are a secondary bottleneck, and the victim suffers.",
            (Unit::Share, Rule::AtMost(0.5)),
            |seed| most(["pause-alone", "pfc-alone"].map(|case| victim(seed.run(case), "victim"))),
        )
        .read_as("Its rate from 0.1 s on over the 4 Gb/s it may send, the larger of PAUSE and PFC; it suffers where half is lost."),
    ]
}

fn least<const N: usize>(values: [Option<f64>; N]) -> Option<f64> {
    values.into_iter().collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::min)
}

fn most<const N: usize>(values: [Option<f64>; N]) -> Option<f64> {
    values.into_iter().collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::max)
}

fn off_target(run: &Run) -> Option<f64> {
    Some((run.queue_mean_between(HOT_QUEUE, STEADY.0, STEADY.1)? / TARGET - 1.0).abs())
}

#[expect(clippy::unnecessary_wraps, reason = "as measures are")]
fn dropped(run: &Run) -> Option<f64> {
    Some(run.summary.total.dropped_frames as f64)
}

/// The share of a phase in which the shared link is paused, for any priority.
fn paused(run: &Run, phase: Phase) -> Option<f64> {
    let series = run.series.ports.iter().find(|series| series.name == SHARED)?;
    mean_in(run, &series.paused_share, phase)
}

/// The rate of a victim over what it may send.
fn victim(run: &Run, flow: &str) -> Option<f64> {
    Some(run.rate_between(flow, STEADY.0, STEADY.1)? / VICTIM)
}

fn shown(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let queues = CASES[..3].iter().map(|(case, label)| {
        panel::named_queue(first.run(case), (&format!("queue-{case}"), label), HOT_QUEUE)
    });
    let victims = {
        let curve = |(case, label): &(&'static str, &'static str)| {
            (*label, first.run(case).rates("victim").unwrap_or_default().to_vec())
        };
        panel::rates(
            first.run("none"),
            ("victim", "Rate of the victim"),
            &CASES.iter().map(curve).collect::<Vec<_>>(),
        )
    };
    let table = tables::by_case(
        runs,
        &CASES,
        &[
            ("Dropped", Unit::Count, dropped),
            ("Receiver’s link used", Unit::Share, |run| run.utilisation_between(HOT, STEADY.0, STEADY.1)),
            ("Mean queue", Unit::Bytes, |run| run.queue_mean_between(HOT_QUEUE, STEADY.0, STEADY.1)),
            ("Largest, over the buffer", Unit::Share, |run| Some(peak(run, HOT_QUEUE, STEADY)? / BUFFER)),
            ("Shared link paused, until 0.1 s", Unit::Share, |run| paused(run, START)),
            ("from 0.1 s on", Unit::Share, |run| paused(run, STEADY)),
            ("Victim", Unit::Share, |run| victim(run, "victim")),
            ("Other priority", Unit::Share, |run| victim(run, "other")),
            ("Jain’s index", Unit::Ratio, hot_fairness),
        ],
    );
    let mut blocks = panel::of_seed(first, queues.chain([victims]).collect()).to_vec();
    blocks.push(Block::Table(table));
    blocks.push(Block::Note(
        "All but frames dropped and the start are from 0.1 to 0.3 s. Victims are shown over the 4 Gb/s that they may send; Jain’s index is of the mean rates of the eight hot flows.".to_owned(),
    ));
    blocks
}

/// Jain's index of the mean rates of the hot flows.
fn hot_fairness(run: &Run) -> Option<f64> {
    let hot = run.series.flows.iter().filter(|flow| flow.name.starts_with("hot"));
    let rates: Option<Vec<f64>> = hot.map(|flow| run.rate_between(&flow.name, STEADY.0, STEADY.1)).collect();
    jain_index(rates?)
}
