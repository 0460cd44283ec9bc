//! QCN with and without link-level pause.

use super::choices::ELSEWHERE;
use super::{BUFFER, PARAMETERS, RECOVERED, START_OF_FLOWS, STEADY, TARGET, dropped, onwards, time_of};
use crate::prelude::*;

const SCENARIO: &str = scenario!("allerton": "pause", "with-qcn");

/// The congested port, and its queue.
const HOT: &str = "middle->hot";
const HOT_QUEUE: &str = "middle->hot/3";
/// The link that all flows share, which is paused.
const SHARED: &str = "left->middle";
/// The rate at which the victims may send.
const VICTIM: f64 = 4e9;

const CASES: [(&str, &str); 5] = [
    ("none", "QCN, no flow control"),
    ("pause", "QCN and PAUSE"),
    ("pfc", "QCN and PFC"),
    ("pause-alone", "PAUSE alone"),
    ("pfc-alone", "PFC alone"),
];
const WITH_QCN: [&str; 3] = ["none", "pause", "pfc"];
const LOSSLESS: [&str; 2] = ["pause", "pfc"];
const ALONE: [&str; 2] = ["pause-alone", "pfc-alone"];

pub(super) fn experiment() -> Experiment {
    let [none, pause, pfc, pause_alone, pfc_alone] =
        CASES.map(|(name, label)| Case::new(name, label, SCENARIO));
    Experiment::new("allerton/pause", "QCN with and without PAUSE")
        .setup(
            "Eight 10 Gb/s sources start to send at the same time to one 10 Gb/s receiver, over a 100 Gb/s link \
            between two bridges. Over the same link a victim sends 4 Gb/s at the same priority to an idle receiver, \
            and another flow sends 4 Gb/s at a different priority. QCN runs without flow control, with PAUSE and with \
            PFC. For comparison, PAUSE and PFC also run alone.",
        )
        .paper_says(
            "Congestion control should work both with link-level pauses and without them, where frames can be dropped. \
            With pauses nothing is dropped, but congestion spreads upstream. QCN should prevent or reduce its effect \
            on flows that do not cross the congested link. Flows that share a link should obtain nearly the same share \
            of it.",
        )
        .assumptions([
            PARAMETERS,
            "The network is our own design; the paper describes none. Links have a delay of 5 us. PAUSE and PFC stop \
            the sender on a link when the input buffer exceeds 110 kB and release it at 44 kB, with the headroom that \
            each link needs. That nothing is dropped with them is not a claim here: with this headroom no frame can be \
            lost, and a run that lost one would fail.",
        ])
        .assumptions([format!(
            "The first {} count as the start, during which the eight sources send at eight times the receiver’s rate \
            until they have been slowed down.",
            time_of(&none, STEADY.from())
        )])
        .choices(ELSEWHERE)
        .claims(claims(&onwards(&none)))
        .cases([
            none,
            pause.set("flow_control=pause"),
            pfc.set("flow_control=pfc"),
            pause_alone.set_all(["flow_control=pause", "control=none"]),
            pfc_alone.set_all(["flow_control=pfc", "control=none"]),
        ])
        .quick(0.5)
        .panels(panels)
}

fn claims(onwards: &str) -> [Claim; 8] {
    [
        Claim::new(
            OURS,
            "link-used",
            "QCN keeps the receiver’s link busy with PAUSE, with PFC and without flow control.",
        )
        .measure(Unit::Share, Rule::AtLeast(0.98), |seed| {
            least(WITH_QCN.map(|case| seed.run(case).utilisation(HOT, STEADY)))
        })
        .read_as(format!(
            "Share of the time {onwards} during which it is busy; the smallest value of the three cases \
                counts."
        )),
        Claim::new(OURS, "queue-held", "QCN holds the queue at its set point in all three cases.")
            .measure(Unit::Share, Rule::AtMost(0.5), |seed| {
                most(
                    WITH_QCN.map(|case| {
                        Some((seed.run(case).mean_queue(HOT_QUEUE, STEADY)? / TARGET - 1.0).abs())
                    }),
                )
            })
            .read_as(
                "Relative deviation of the mean queue from 30 kB; the largest value of the three cases \
                counts.",
            ),
        Claim::new(OURS, "nearly-equal-shares", "Flows that share the receiver’s link obtain nearly the same share.")
            .measure(Unit::Share, Rule::AtMost(0.1), |seed| most(WITH_QCN.map(|case| unequal(seed.run(case)))))
            .read_as(format!(
                "Requirement (c). Largest relative difference between the rate of one of the eight flows {onwards} and \
                their mean; “nearly the same” means within a tenth, and the largest value of the three cases counts."
            ))
            .needs(RECOVERED),
        Claim::new(OURS, "drops-at-the-start", "Without flow control, frames are dropped.")
            .measure(Unit::Count, Rule::AtLeast(1.0), |seed| dropped(seed.run("none")))
            .read_as("Frames dropped over the whole run; the paper says that drops can occur."),
        Claim::new(OURS, "no-drops-later", "Without flow control, nothing is dropped after the start.")
            .measure(Unit::Share, Rule::AtMost(0.99), |seed| filled(seed.run("none")))
            .read_as(format!(
                "Largest queue {onwards} divided by the buffer size. If there is always room for a frame, \
                nothing is dropped."
            )),
        Claim::new(at("section II"), "pauses-cease", "QCN makes pauses on the shared link rare.")
            .given("without QCN the shared link is often paused", (Unit::Share, Rule::AtLeast(0.1)), |seed| {
                least(ALONE.map(|case| paused(seed.run(case), STEADY)))
            })
            .measure(Unit::Share, Rule::AtMost(0.01), |seed| {
                most(LOSSLESS.map(|case| paused(seed.run(case), STEADY)))
            })
            .read_as(format!(
                "Share of the time {onwards} during which the shared link is paused; the larger of the values for \
                PAUSE and PFC must be at most one per cent."
            )),
        Claim::new(
            at("section II"),
            "victim-spared",
            "With QCN the victim keeps its rate under both PAUSE and PFC.",
        )
        .given("without QCN the victim loses rate", (Unit::Share, Rule::AtMost(0.9)), |seed| {
            most(ALONE.map(|case| rate_kept(seed.run(case), "victim")))
        })
        .measure(Unit::Share, Rule::AtLeast(0.95), |seed| {
            least(LOSSLESS.map(|case| rate_kept(seed.run(case), "victim")))
        })
        .read_as(format!(
            "Its rate {onwards} divided by the 4 Gb/s that it may send; the smaller of the values for PAUSE and PFC \
            counts."
        ))
        .needs(RECOVERED),
        Claim::new(
            at("section II"),
            "victim-hurt-without",
            "Without QCN, pauses are a secondary bottleneck and the victim suffers.",
        )
        .measure(Unit::Share, Rule::AtMost(0.5), |seed| {
            most(ALONE.map(|case| rate_kept(seed.run(case), "victim")))
        })
        .read_as(format!(
            "Its rate {onwards} divided by the 4 Gb/s that it may send; the larger of the values for PAUSE and PFC \
            counts. “Suffers” means that it loses at least half of its rate."
        )),
    ]
}

/// The largest queue after the start, divided by the buffer size.
fn filled(run: &Run) -> Option<f64> {
    Some(run.queue_peak(HOT_QUEUE, STEADY)? / BUFFER.size)
}

/// The share of a window during which the shared link is paused, for any priority.
fn paused(run: &Run, window: Window) -> Option<f64> {
    run.mean_over(&run.port_series(SHARED)?.paused_share, window)
}

/// The rate of a victim divided by the rate at which it may send.
fn rate_kept(run: &Run, flow: &str) -> Option<f64> {
    Some(run.mean_rate(flow, STEADY)? / VICTIM)
}

/// The mean rates of the hot flows.
fn hot_rates(run: &Run) -> Option<Vec<f64>> {
    let hot = run.series.flows.iter().map(|flow| &*flow.name).filter(|name| name.starts_with("hot"));
    run.mean_rates(hot, STEADY)
}

/// The largest relative difference between the rate of a hot flow and the mean rate of the hot flows.
fn unequal(run: &Run) -> Option<f64> {
    let rates = hot_rates(run)?;
    farthest(&rates, vec![mean(&rates)?; rates.len()])
}

/// Jain's index of the mean rates of the hot flows.
fn hot_fairness(run: &Run) -> Option<f64> {
    jain_index(hot_rates(run)?)
}

fn panels(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let queues = panel::queues_by_case(runs, &CASES[..3], BUFFER, &[(HOT_QUEUE, "queue")]);
    let curves = panel::curves(&CASES, |case| first.run(case).rates("victim"));
    let victims = panel::rates(first.run("none"), ("victim", "Rate of the victim"), &curves);
    let table = table::by_case(
        runs,
        &CASES,
        &[
            ("Frames dropped", Unit::Count, dropped),
            ("Utilisation of the receiver’s link", Unit::Share, |run| run.utilisation(HOT, STEADY)),
            ("Mean queue", Unit::Bytes, |run| run.mean_queue(HOT_QUEUE, STEADY)),
            ("Largest queue / buffer", Unit::Share, filled),
            ("Shared link paused during the start", Unit::Share, |run| paused(run, START_OF_FLOWS)),
            ("after the start", Unit::Share, |run| paused(run, STEADY)),
            ("Rate of the victim", Unit::Share, |run| rate_kept(run, "victim")),
            ("of the flow with the other priority", Unit::Share, |run| rate_kept(run, "other")),
            ("Jain’s index", Unit::Ratio, hot_fairness),
        ],
    );
    let note = "All columns cover the time after the start, except the one for dropped frames and the one for the \
        start. The rates of the victim and of the flow with the other priority are relative to the 4 Gb/s that each \
        may send. Jain’s index is computed from the mean rates of the eight hot flows.";
    let mut blocks = panel::of_seed(first, queues.into_iter().chain([victims]));
    blocks.extend([Block::Table(table), Block::Note(note.to_owned())]);
    blocks
}
