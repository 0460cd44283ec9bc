//! Figure 5: a victim shares an input with a culprit.

use super::choices::{CATCH_UP, READS};
use super::fan_in::{LINE, experiment as fan_in};
use super::{
    RAW_RATES, at_inputs, by_occupancy, culprits, limit_panel, pause_only, paused_time, raw_rate,
    victim_panel,
};
use crate::prelude::*;

const SCENARIO: &str = scenario!("unbiased": "fig05", "table-1", "at-10g");

/// The offered rate of the victim.
const OFFERED: f64 = 7e9;
/// From 50 ms onwards, when rates have stabilised.
const SETTLED: Window = START.plus(0.05).until(END);
/// According to the paper, f6 should get its rate throughout; the first 10 ms are excluded.
const THROUGHOUT: Window = START.plus(0.01).until(END);

const CASES: [(&str, &str); 4] = [
    ("arrival", "Arrival sampling"),
    ("pause", "PAUSE only"),
    ("deterministic", "Deterministic occupancy"),
    ("random", "Random occupancy"),
];

pub(super) fn experiment() -> Experiment {
    fan_in("unbiased/fig05", "A victim at the same input as a culprit: arrival and occupancy sampling")
        .setup(
            "The fan-in is that of figure 2, but the first input has two flows: f1, which offers 3 Gb/s to the \
            congested output, and f6, which offers 7 Gb/s to an idle one. Congestion points are at inputs; they notify \
            the source of the sampled frame (arrival), the flow with the largest backlog (deterministic occupancy) or \
            the owner of a randomly chosen occupied buffer unit (random occupancy).",
        )
        .paper_says(
            "f6 should get 7 Gb/s throughout. With arrival sampling it gets the same rate as f1. This is less than \
            with PAUSE alone, where it gets 7/3 of f1’s rate. With both kinds of occupancy sampling it gets 7 Gb/s. \
            Deterministic sampling never notifies f6, and random sampling notifies it a few times.",
        )
        .assumptions([
            RAW_RATES,
            "f1 and f6 always have frames to send, at up to 3 and 7 Gb/s. While both wait for their port they share it \
            in the ratio 3:7, as if the station sent frames in the order in which applications hand them over. In the \
            leading set-up they do not catch up after a pause.",
            "Their rates are delivery rates, since both use the same link.",
            "Random occupancy sampling makes up to 16 random reads before it searches the buffer sequentially; the \
            paper mentions “a number of searches”.",
        ])
        .choices([&READS, &CATCH_UP])
        .cases([
            at_inputs("arrival", "arrival sampling", SCENARIO).unaffected_by(&READS),
            pause_only(SCENARIO),
            at_inputs("deterministic", "deterministic occupancy", SCENARIO)
                .unaffected_by(&READS)
                .set("control.qcn.marking=largest-backlog"),
            by_occupancy("random", "random occupancy", SCENARIO),
        ])
        .panels(panels)
        .claims(claims())
}

fn claims() -> [Claim; 8] {
    let keeps = |name, statement, case: &'static str| {
        Claim::new(at("section III-B, figure 5(c)"), name, statement)
            .measure(Unit::BitsPerSecond, Rule::about(OFFERED, 0.02), |seed| {
                raw_rate(seed.run(case), "f6", THROUGHOUT)
            })
            .published(OFFERED)
            .read_as("Mean rate from 10 ms to the end, within 2 %.")
    };
    let [equal, seven_thirds, better] = without_occupancy();
    let [never, sometimes, seldom] = notifications();
    [
        equal,
        seven_thirds,
        better,
        keeps(
            "deterministic-keeps-f6",
            "With deterministic occupancy sampling f6 gets its 7 Gb/s.",
            "deterministic",
        ),
        keeps("random-keeps-f6", "With random occupancy sampling, f6 gets its 7 Gb/s.", "random"),
        never,
        sometimes,
        seldom,
    ]
}

/// The claims about arrival sampling and PAUSE.
fn without_occupancy() -> [Claim; 3] {
    [
        Claim::new(
            at("section III-A, figure 5(a)"),
            "arrival-pulls-f6-down",
            "With arrival sampling, f6 gets the same rate as f1.",
        )
        .measure(Unit::Ratio, Rule::about(1.0, 0.1), |seed| victim_over_culprit(seed.run("arrival")))
        .read_as(
            "The mean rate of f6 divided by the mean rate of f1, from 50 ms onwards; “the same” means within 10 %.",
        )
        .cause(
            "f6 gets less than f1 (table). The two flows share a congestion point as unfairly as flows at an output in \
            figure 2. f6 sends more at first, so it is notified first and most often. The slower flow then recovers \
            more slowly, since its byte-counter cycles take longer",
        ),
        Claim::new(
            at("section III-A, figure 5(b)"),
            "pause-seven-thirds",
            "With PAUSE alone f6 gets 7/3 of the rate of f1.",
        )
        .measure(Unit::Ratio, Rule::about(7.0 / 3.0, 0.05), |seed| victim_over_culprit(seed.run("pause")))
        .published(7.0 / 3.0)
        .read_as("Ratio of the mean rates from 50 ms onwards, within 5 %."),
        Claim::new(
            at("section III-A, figure 5(b)"),
            "pause-better-than-arrival",
            "PAUSE alone serves f6 better than arrival sampling.",
        )
        .measure(Unit::Ratio, Rule::AtLeast(1.1), |seed| {
            Some(raw_rate(seed.run("pause"), "f6", SETTLED)? / raw_rate(seed.run("arrival"), "f6", SETTLED)?)
        })
        .read_as(
            "f6’s rate with PAUSE alone divided by its rate with arrival sampling; “better” means by at least 10 %.",
        ),
    ]
}

/// The claims about notifications to the victim.
fn notifications() -> [Claim; 3] {
    let claim = |name, statement| Claim::new(at("section III-B, figure 5(d)"), name, statement);
    [
        claim("deterministic-never", "Deterministic occupancy sampling never notifies f6.").measure(
            Unit::Count,
            Rule::AtMost(0.0),
            |seed| seed.run("deterministic").notifications("f6"),
        ),
        claim("random-sometimes", "Random occupancy sampling sometimes notifies f6.").measure(
            Unit::Count,
            Rule::AtLeast(1.0),
            |seed| seed.run("random").notifications("f6"),
        ),
        claim("random-seldom", "Random occupancy sampling notifies f6 only a few times.")
            .measure(Unit::Share, Rule::AtMost(0.1), |seed| victim_notifications(seed.run("random")))
            .read_as("At most a tenth of all notifications to f1 and f6."),
    ]
}

fn victim_over_culprit(run: &Run) -> Option<f64> {
    Some(raw_rate(run, "f6", SETTLED)? / raw_rate(run, "f1", SETTLED)?)
}

/// The fraction of all notifications to f1 and f6 that f6 receives.
fn victim_notifications(run: &Run) -> Option<f64> {
    let (f1, f6) = (run.notifications("f1")?, run.notifications("f6")?);
    (f1 + f6 > 0.0).then(|| f6 / (f1 + f6))
}

/// As in the paper: (a) arrival sampling, (b) PAUSE only, (c) occupancy sampling, (d) its rate limits.
fn panels(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let flows = |case, title| {
        let others = ("f2 to f5", &["f2", "f3", "f4", "f5"][..]);
        victim_panel(first.run(case), (case, title), ["f1", "f6"], others, LINE)
    };
    let limits = |case: &str, title| {
        let run = first.run(case);
        let limit = |flow| (flow, run.limits(flow, f64::NAN).unwrap_or_default());
        let mut figure = limit_panel(run, (&format!("limits-{case}"), title), &["f1", "f6"].map(limit), LINE);
        figure.note = "A gap means that the flow has no limiter.".to_owned();
        figure
    };
    let figures = [
        flows("arrival", "(a) Arrival sampling at inputs"),
        flows("pause", "(b) PAUSE only"),
        flows("deterministic", "(c) Deterministic occupancy sampling"),
        flows("random", "(c) Random occupancy sampling"),
        limits("deterministic", "(d) Rate limits, deterministic"),
        limits("random", "(d) Rate limits, random"),
    ];
    let table = table::by_case(
        runs,
        &CASES,
        &[
            ("f1", Unit::BitsPerSecond, |run| raw_rate(run, "f1", SETTLED)),
            ("f6", Unit::BitsPerSecond, |run| raw_rate(run, "f6", SETTLED)),
            ("f2 to f4, mean", Unit::BitsPerSecond, |run| {
                mean(&all(["f2", "f3", "f4"].map(|flow| raw_rate(run, flow, SETTLED)))?)
            }),
            ("Notifications to f1", Unit::Count, |run| run.notifications("f1")),
            ("to f6", Unit::Count, |run| run.notifications("f6")),
            ("Total pause time of all links", Unit::Seconds, paused_time),
        ],
    );
    let lead = "Mean rates from 50 ms to the end; notifications and pauses over the whole run:";
    let mut blocks = panel::of_seed(first, figures);
    blocks.extend([Block::Prose(lead.to_owned()), Block::Table(table)]);
    blocks.extend(culprits::table(runs, &CASES[3..]));
    blocks
}
