//! Figure 7: a hot spot at 100 Gb/s.

use setpoint_report::document::Block;
use setpoint_report::plot::Figure;
use setpoint_report::quantity::Unit;

use super::measure::rate;
use super::{
    BUFFER, INPUT, OUTPUT, Phase, SET_POINT, at_inputs, at_outputs, by_occupancy, kept_alive, panel,
    pause_only, scenario, searches, taken,
};
use crate::claim::Claim;
use crate::experiment::{Experiment, Keep, Repeats};
use crate::rule::Rule;
use crate::runs::{Run, Runs};
use crate::tables;

const SCENARIO: &str = scenario!("fig07", "at-100g");

const LINE: f64 = 100e9;
/// The second half of the time in which the output is congested.
const SETTLED: Phase = (0.03, 0.05);

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "unbiased/fig07",
        title: "A hot spot at 100 Gb/s",
        setup: "At 100 Gb/s, f1 and f7 come from one station at 50 Gb/s each. At 10 ms five others, f2 to f6, begin to send to f1’s receiver as fast as they can. \
                PAUSE alone, QCN at inputs by arrival and by random occupancy with keep-alive, and QCN at outputs.",
        paper_says: "With PAUSE alone the victim f7 has 16.6 Gb/s, a sixth of 100, and with arrival sampling the same; with random occupancy sampling and keep-alive \
                     it has 50 Gb/s. With QCN at outputs the input’s buffer is almost empty and the output’s near the set point; with occupancy sampling at inputs \
                     the input’s is near the set point and the output’s almost full.",
        assumptions: [
            taken::list(&[taken::PART_OF_THE_FABRIC, taken::TABLE_1, taken::FABRIC, taken::RAW]),
            vec![
                "The text and the caption of the figure differ in the names, the number and the rates of the flows; the text is followed.".to_owned(),
                "The run ends at 50 ms, which the paper does not say; claims are judged from 30 ms on.".to_owned(),
                "f1 and f7 always have something to send, at up to 50 Gb/s; what a pause costs them is not made up for later.".to_owned(),
            ],
        ]
        .concat(),
        cases: vec![
            pause_only(SCENARIO),
            at_inputs("arrival", "arrival sampling at inputs", SCENARIO),
            kept_alive(by_occupancy("random", "random occupancy at inputs, keep-alive", SCENARIO)),
            at_outputs(SCENARIO),
        ],
        quick: 0.3,
        repeats: Repeats::Seeds(10),
        keep: Keep::Series,
        panels: Box::new(shown),
        claims: claims(),
    }
}

fn claims() -> Vec<Claim> {
    const NEAR: &str = "Mean from 30 ms on; near is within a quarter.";
    vec![
        victim("pause-victim", "With PAUSE alone f7 has 16.6 Gb/s.", "pause", (LINE / 6.0, 0.1)),
        victim("arrival-victim", "With arrival sampling f7 has as little.", "arrival", (LINE / 6.0, 0.1)).cause(
            "the mean follows, and seven seeds in ten do, at 15.4 to 16.1 Gb/s; the others have 7, 12 and 30 Gb/s. f1 and f7 share a congestion point, which is as \
             unfair by chance as one at an output (figures 2 and 5)",
        ),
        victim("random-victim", "With random occupancy sampling f7 has 50 Gb/s.", "random", (50e9, 0.05)),
        held(
            "outputs-input-empty",
            "With QCN at outputs the input’s buffer is almost empty.",
            ("outputs", INPUT),
            Rule::AtMost(0.1 * BUFFER),
        )
        .read_as("Mean from 30 ms on; almost empty is a tenth of 150 kB at most."),
        held(
            "outputs-output-near",
            "With QCN at outputs the output’s buffer is near the set point.",
            ("outputs", OUTPUT),
            Rule::about(SET_POINT, 0.25),
        )
        .read_as(NEAR),
        held(
            "inputs-input-near",
            "With occupancy sampling the input’s buffer is near the set point.",
            ("random", INPUT),
            Rule::about(SET_POINT, 0.25),
        )
        .read_as(NEAR),
        held(
            "inputs-output-full",
            "With occupancy sampling the output’s buffer is almost full.",
            ("random", OUTPUT),
            Rule::AtLeast(0.9 * BUFFER),
        )
        .read_as("Mean from 30 ms on; almost full is nine tenths of 150 kB at least."),
    ]
}

fn victim(
    name: &'static str,
    statement: &'static str,
    case: &'static str,
    (value, part): (f64, f64),
) -> Claim {
    let measure = move |seed: &crate::runs::Seed<'_>| rate(seed.run(case), "f7", SETTLED);
    let reading = if part > 0.05 {
        "Mean rate from 30 ms on, within a tenth of 100/6 Gb/s."
    } else {
        "Mean rate from 30 ms on, within one part in twenty."
    };
    Claim::measured(name, statement, (Unit::BitsPerSecond, Rule::about(value, part)), measure)
        .read_as(reading)
}

fn held(
    name: &'static str,
    statement: &'static str,
    (case, queue): (&'static str, &'static str),
    rule: Rule,
) -> Claim {
    let measure =
        move |seed: &crate::runs::Seed<'_>| seed.run(case).queue_mean_between(queue, SETTLED.0, SETTLED.1);
    Claim::measured(name, statement, (Unit::Bytes, rule), measure)
}

const CASES: [(&str, &str); 4] = [
    ("pause", "PAUSE only"),
    ("arrival", "Arrival sampling at inputs"),
    ("random", "Random occupancy at inputs, keep-alive"),
    ("outputs", "QCN at outputs"),
];

/// As in the paper: (a) PAUSE only, (b) occupancy sampling, (c) the input's buffer, (d) the output's.
fn shown(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let buffers = |name: &str, title: &str, queue: &str| {
        let curve = |(case, label): &(&'static str, &'static str)| {
            (*label, first.run(case).queue(queue).unwrap_or_default().to_vec())
        };
        let drawn: Vec<panel::Curve<'_>> = CASES[2..].iter().map(curve).collect();
        panel::buffers(first.run("random"), name, title, panel::Level::SetPoint, &drawn)
    };
    let figures = vec![
        flows(first.run("pause"), "pause", "(a) PAUSE only"),
        flows(first.run("random"), "random", "(b) Random occupancy at inputs, keep-alive"),
        flows(first.run("arrival"), "arrival", "Arrival sampling at inputs"),
        flows(first.run("outputs"), "outputs", "QCN at outputs"),
        buffers("input", "(c) Buffer of the input of f1 and f7", INPUT),
        buffers("output", "(d) Buffer of the congested output", OUTPUT),
    ];
    let table = tables::by_case(
        runs,
        &CASES,
        &[
            ("f7", Unit::BitsPerSecond, |run| rate(run, "f7", SETTLED)),
            ("f1", Unit::BitsPerSecond, |run| rate(run, "f1", SETTLED)),
            ("f2 to f6, together", Unit::BitsPerSecond, |run| {
                let rates: Option<Vec<f64>> =
                    ["f2", "f3", "f4", "f5", "f6"].iter().map(|flow| rate(run, flow, SETTLED)).collect();
                Some(rates?.iter().sum())
            }),
            ("Input holds", Unit::Bytes, |run| run.queue_mean_between(INPUT, SETTLED.0, SETTLED.1)),
            ("Output holds", Unit::Bytes, |run| run.queue_mean_between(OUTPUT, SETTLED.0, SETTLED.1)),
            ("Time paused, over all links", Unit::Seconds, |run| Some(run.summary.total.paused_s)),
        ],
    );
    let mut blocks = panel::of_seed(first, figures).to_vec();
    blocks.push(Block::Prose("From 30 ms on, and time paused in the whole run:".to_owned()));
    blocks.push(Block::Table(table));
    blocks.extend(searches::table(runs, &CASES[2..3]));
    blocks
}

fn flows(run: &Run, case: &str, title: &str) -> Figure {
    let others = ("f2 to f6", &["f2", "f3", "f4", "f5", "f6"][..]);
    panel::two_and_others(run, (&format!("rates-{case}"), title), LINE, ["f1", "f7"], others)
}
