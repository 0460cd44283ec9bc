//! Figure 5: a victim shares an input with a culprit.

use setpoint_report::document::Block;
use setpoint_report::plot::Figure;
use setpoint_report::quantity::Unit;

use super::measure::{notifications, rate};
use super::{Phase, at_inputs, by_occupancy, panel, pause_only, scenario, searches, taken};
use crate::claim::Claim;
use crate::experiment::{Experiment, Keep, Repeats};
use crate::rule::Rule;
use crate::runs::{Run, Runs};
use crate::tables;

const SCENARIO: &str = scenario!("fig05", "at-10g");

const LINE: f64 = 10e9;
/// What the victim offers.
const OFFERED: f64 = 7e9;
/// Once it has stabilised, to the end.
const SETTLED: Phase = (0.05, 0.3);
/// Of which the paper says that f6 should have its rate throughout; the first moments are left out.
const THROUGHOUT: Phase = (0.01, 0.3);

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "unbiased/fig05",
        title: "A victim at the input of a culprit: arrival and occupancy sampling",
        setup: "The fan-in of figure 2, but the first input has two flows: f1, which offers 3 Gb/s to the congested output, and f6, which offers 7 \
                Gb/s to an idle one. Congestion points are at inputs; they tell the source of the frame that was sampled (arrival), the flow with \
                the largest backlog (deterministic occupancy) or the owner of an occupied unit at random (random occupancy).",
        paper_says: "f6 should have 7 Gb/s throughout. With arrival sampling it has the same rate as f1, less than with PAUSE alone, where it has \
                     7/3 of f1’s. With both kinds of occupancy sampling it has 7 Gb/s. The deterministic one never notifies f6, the random one a few \
                     times.",
        assumptions: [
            taken::list(&[taken::PART_OF_THE_FABRIC, taken::TABLE_1, taken::TIMER, taken::FABRIC, taken::RAW]),
            vec![
                "f1 and f6 always have something to send, at up to 3 and 7 Gb/s, and share their port 3 to 7 where both wait for it, as if it sent frames \
                 in the order in which an application brings them: what a pause costs them is not made up for later."
                    .to_owned(),
                "Their rates are those of delivery, since one link brings both.".to_owned(),
                "Occupancy is sampled with one word a read of the culprit array, which gives exact shares, and 16 random reads. The paper’s 16 words \
                 a read are run beside it."
                    .to_owned(),
            ],
        ]
        .concat(),
        cases: vec![
            at_inputs("arrival", "arrival sampling", SCENARIO),
            pause_only(SCENARIO),
            at_inputs("deterministic", "deterministic occupancy", SCENARIO)
                .set("control.qcn.marking=largest-backlog"),
            by_occupancy("random", "random occupancy", SCENARIO),
            by_occupancy("random-16", "random occupancy, 16 words a read", SCENARIO)
                .set("control.qcn.words_per_read=16"),
        ],
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
            "arrival-pulls-f6-down",
            "With arrival sampling f6 has the rate of f1.",
            (Unit::Ratio, Rule::about(1.0, 0.1)),
            |seed| victim_over_culprit(seed.run("arrival")),
        )
        .read_as("f6 over f1, by mean rates from 50 ms on; equal is within a tenth.")
        .cause(
            "f6 has less than f1 (see below). The two are at one congestion point and share it as unfairly as flows at an output of figure 2: f6, which \
             brings more at first, is told first and most, and whoever is slower recovers more slowly, since the byte counter’s cycles take longer. \
             Without the byte counter the two are equal (0.94 to 1.00 in three seeds); the standard’s timer of 15 ms, no timer, no extra fast recovery, f1 \
             without its bound of 3 Gb/s, and sampling each frame with 1 % leave it at 0.4 to 0.9",
        ),
        Claim::measured(
            "arrival-bounds-f6",
            "Arrival sampling bounds f6 to the rate of f1.",
            (Unit::Ratio, Rule::AtMost(1.1)),
            |seed| victim_over_culprit(seed.run("arrival")),
        )
        .read_as("The same, from above alone: the words of section III-B."),
        Claim::measured(
            "pause-seven-thirds",
            "With PAUSE alone f6 has 7/3 of the rate of f1.",
            (Unit::Ratio, Rule::about(7.0 / 3.0, 0.05)),
            |seed| victim_over_culprit(seed.run("pause")),
        )
        .read_as("By mean rates from 50 ms on, within one part in twenty."),
        Claim::measured(
            "pause-better-than-arrival",
            "PAUSE alone does better by f6 than arrival sampling.",
            (Unit::Ratio, Rule::AtLeast(1.1)),
            |seed| Some(rate(seed.run("pause"), "f6", SETTLED)? / rate(seed.run("arrival"), "f6", SETTLED)?),
        )
        .read_as("f6’s rate with the one over that with the other; better is by a tenth at least."),
        keeps(
            "deterministic-keeps-f6",
            "With deterministic occupancy sampling f6 has its 7 Gb/s.",
            "deterministic",
        ),
        keeps("random-keeps-f6", "With random occupancy sampling f6 has its 7 Gb/s.", "random"),
        Claim::measured(
            "deterministic-never",
            "Deterministic occupancy sampling never notifies f6.",
            (Unit::Count, Rule::AtMost(0.0)),
            |seed| notifications(seed.run("deterministic"), "f6"),
        ),
        Claim::measured(
            "random-sometimes",
            "Random occupancy sampling notifies f6 some times.",
            (Unit::Count, Rule::AtLeast(1.0)),
            |seed| notifications(seed.run("random"), "f6"),
        ),
        Claim::measured(
            "random-seldom",
            "Random occupancy sampling notifies f6 only few times.",
            (Unit::Share, Rule::AtMost(0.1)),
            |seed| told_victim(seed.run("random")),
        )
        .read_as("Of the notifications of f1 and f6, a tenth at most."),
    ]
}

fn keeps(name: &'static str, statement: &'static str, case: &'static str) -> Claim {
    let measure = move |seed: &crate::runs::Seed<'_>| rate(seed.run(case), "f6", THROUGHOUT);
    Claim::measured(name, statement, (Unit::BitsPerSecond, Rule::about(OFFERED, 0.02)), measure)
        .read_as("Mean rate from 10 ms to the end, within 2 %.")
}

fn victim_over_culprit(run: &Run) -> Option<f64> {
    Some(rate(run, "f6", SETTLED)? / rate(run, "f1", SETTLED)?)
}

/// The share of f6 in the notifications of the two.
fn told_victim(run: &Run) -> Option<f64> {
    let (f1, f6) = (notifications(run, "f1")?, notifications(run, "f6")?);
    (f1 + f6 > 0.0).then(|| f6 / (f1 + f6))
}

const CASES: [(&str, &str); 5] = [
    ("arrival", "Arrival sampling"),
    ("pause", "PAUSE only"),
    ("deterministic", "Deterministic occupancy"),
    ("random", "Random occupancy, 1 word a read"),
    ("random-16", "Random occupancy, 16 words a read"),
];

/// As in the paper: (a) arrival sampling, (b) PAUSE only, (c) occupancy sampling, (d) its rate limits.
fn shown(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let figures = vec![
        flows(first.run("arrival"), "arrival", "(a) Arrival sampling at inputs"),
        flows(first.run("pause"), "pause", "(b) PAUSE only"),
        flows(first.run("deterministic"), "deterministic", "(c) Deterministic occupancy sampling"),
        flows(first.run("random"), "random", "(c) Random occupancy sampling"),
        limits(first.run("deterministic"), "deterministic", "(d) Rate limits, deterministic"),
        limits(first.run("random"), "random", "(d) Rate limits, random"),
    ];
    let table = tables::by_case(
        runs,
        &CASES,
        &[
            ("f1", Unit::BitsPerSecond, |run| rate(run, "f1", SETTLED)),
            ("f6", Unit::BitsPerSecond, |run| rate(run, "f6", SETTLED)),
            ("f2 to f4, mean", Unit::BitsPerSecond, |run| {
                let rates: Option<Vec<f64>> =
                    ["f2", "f3", "f4"].iter().map(|flow| rate(run, flow, SETTLED)).collect();
                Some(rates?.iter().sum::<f64>() / 3.0)
            }),
            ("Notifications of f1", Unit::Count, |run| notifications(run, "f1")),
            ("of f6", Unit::Count, |run| notifications(run, "f6")),
            ("Time paused, over all links", Unit::Seconds, |run| Some(run.summary.total.paused_s)),
        ],
    );
    let mut blocks = panel::of_seed(first, figures).to_vec();
    blocks.push(Block::Prose(
        "Mean rates from 50 ms to the end, and what happened over the whole run:".to_owned(),
    ));
    blocks.push(Block::Table(table));
    blocks.extend(searches::table(runs, &CASES[3..]));
    blocks
}

fn flows(run: &Run, case: &str, title: &str) -> Figure {
    let others = ("f2 to f5", &["f2", "f3", "f4", "f5"][..]);
    panel::two_and_others(run, (&format!("rates-{case}"), title), LINE, ["f1", "f6"], others)
}

fn limits(run: &Run, case: &str, title: &str) -> Figure {
    let limit = |flow: &'static str| {
        let series = run.series.flows.iter().find(|series| series.name == flow);
        let limits = series.map_or(&[][..], |series| &series.limit_bps);
        (flow, limits.iter().map(|limit| limit.unwrap_or(f64::NAN)).collect())
    };
    let mut figure = panel::rates(run, &format!("limits-{case}"), title, LINE, &[limit("f1"), limit("f6")]);
    figure.y.label = "Rate limit".to_owned();
    figure.alternative = "Rate limits of f1 and f6 over time.".to_owned();
    figure.note = "No line: no limiter is there.".to_owned();
    figure
}
