//! Figure 7: a hot spot at 100 Gb/s.

use super::choices::{CATCH_UP_AT_100G, INTERVAL, READS};
use super::pauses::pause_period;
use super::{
    BUFFER, FABRIC, INPUT, OUTPUT, PART_OF_THE_FABRIC, RAW_RATES, SET_POINT, TABLE_1, at_inputs, at_outputs,
    buffer_panel, by_occupancy, culprits, kept_alive, pause_only, paused_time, raw_rate, victim_panel,
};
use crate::prelude::*;

const SCENARIO: &str = scenario!("unbiased": "fig07", "table-1", "at-100g");

const LINE: f64 = 100e9;
/// The second half of the time during which the output is congested.
const SETTLED: Window = starts("f2").plus(0.02).until(END);

const CASES: [(&str, &str); 4] = [
    ("pause", "PAUSE only"),
    ("arrival", "Arrival sampling at inputs"),
    ("random", "Random occupancy at inputs, keep-alive"),
    ("outputs", "QCN at outputs"),
];

pub(super) fn experiment() -> Experiment {
    Experiment::new("unbiased/fig07", "A hot spot at 100 Gb/s")
        .setup(
            "Links run at 100 Gb/s. f1 and f7 come from one station at 50 Gb/s each. At 10 ms five other \
            flows, f2 to f6, begin to send to f1’s receiver as fast as they can. We run PAUSE alone, QCN at \
            inputs with arrival sampling, QCN at inputs with random occupancy sampling and keep-alive, and \
            QCN at outputs.",
        )
        .paper_says(
            "With PAUSE alone the victim f7 gets 16.6 Gb/s, a sixth of 100 Gb/s, and it gets the same with arrival \
            sampling. With random occupancy sampling and keep-alive it gets 50 Gb/s. With QCN at outputs the input’s \
            buffer is almost empty and the output’s buffer is near the set point. With occupancy sampling at inputs \
            the input’s buffer is near the set point and the output’s buffer is almost full. According to the abstract, \
            the combined approach reduces the PAUSE period.",
        )
        .assumptions([
            PART_OF_THE_FABRIC,
            TABLE_1,
            FABRIC,
            RAW_RATES,
            "The text and the figure’s caption disagree about the names, the number and the rates of the flows. We \
            follow the text: its six flows to one output explain the 16.6 Gb/s.",
            "A run lasts 50 ms; the paper does not give the length of its runs. The first 30 ms are not judged.",
            "f1 and f7 always have frames to send, at up to 50 Gb/s each; in the leading set-up they do not catch up \
            after a pause.",
        ])
        .choices([&INTERVAL, &READS, &CATCH_UP_AT_100G])
        .cases([
            pause_only(SCENARIO),
            at_inputs("arrival", "arrival sampling at inputs", SCENARIO).unaffected_by(&READS),
            kept_alive(by_occupancy("random", "random occupancy at inputs, keep-alive", SCENARIO)),
            at_outputs(SCENARIO),
        ])
        .quick(0.3)
        .panels(panels)
        .claims(claims())
}

fn claims() -> Vec<Claim> {
    victims().into_iter().chain(buffers()).chain(pause_period("random")).collect()
}

/// The claims about the victim.
fn victims() -> [Claim; 3] {
    const SIXTH: &str = "Mean rate from 30 ms onwards, within 10 % of 100/6 Gb/s.";
    let victim = |place, name, statement, case: &'static str, rule| {
        Claim::new(at(place), name, statement)
            .measure(Unit::BitsPerSecond, rule, |seed| raw_rate(seed.run(case), "f7", SETTLED))
    };
    let sixth = Rule::about(LINE / 6.0, 0.1);
    [
        victim("section V, figure 7(a)", "pause-victim", "With PAUSE alone f7 gets 16.6 Gb/s.", "pause", sixth)
            .published(16.6e9)
            .read_as(SIXTH),
        victim(
            "figure 7(a)",
            "arrival-victim",
            "With arrival sampling, f7 gets the same low rate.",
            "arrival",
            sixth,
        )
        .read_as(SIXTH)
        .cause(
            "f1 and f7 share a congestion point, which is as randomly unfair as one at an output (figures 2 and 5)",
        ),
        victim(
            "section V, figure 7(b)",
            "random-victim",
            "With random occupancy sampling, f7 gets 50 Gb/s.",
            "random",
            Rule::about(50e9, 0.05),
        )
        .published(50e9)
        .read_as("Mean rate from 30 ms onwards, within 5 %."),
    ]
}

/// The claims about buffers.
fn buffers() -> [Claim; 4] {
    const NEAR: &str = "Mean from 30 ms onwards; “near” means within a quarter.";
    let occupancy = |place, name, statement, (case, queue): (&'static str, &'static str), rule| {
        Claim::new(at(place), name, statement)
            .measure(Unit::Bytes, rule, |seed| seed.run(case).mean_queue(queue, SETTLED))
    };
    [
        occupancy(
            "section V, figure 7(c)",
            "outputs-input-empty",
            "With QCN at outputs the input’s buffer is almost empty.",
            ("outputs", INPUT),
            Rule::AtMost(0.1 * BUFFER),
        )
        .read_as("Mean from 30 ms onwards; “almost empty” means at most a tenth of 150 kB."),
        occupancy(
            "section V, figure 7(d)",
            "outputs-output-near",
            "With QCN at outputs the output’s buffer is near the set point.",
            ("outputs", OUTPUT),
            Rule::about(SET_POINT, 0.25),
        )
        .read_as(NEAR),
        occupancy(
            "section V, figure 7(c)",
            "inputs-input-near",
            "With occupancy sampling the input’s buffer is near the set point.",
            ("random", INPUT),
            Rule::about(SET_POINT, 0.25),
        )
        .read_as(NEAR),
        occupancy(
            "section V, figure 7(d)",
            "inputs-output-full",
            "With occupancy sampling the output’s buffer is almost full.",
            ("random", OUTPUT),
            Rule::AtLeast(0.9 * BUFFER),
        )
        .read_as("Mean from 30 ms onwards; “almost full” means at least nine tenths of 150 kB."),
    ]
}

/// As in the paper: (a) PAUSE only, (b) occupancy sampling, (c) the input's buffer, (d) the output's.
fn panels(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let flows = |case, title| {
        let others = ("f2 to f6", &["f2", "f3", "f4", "f5", "f6"][..]);
        victim_panel(first.run(case), (case, title), ["f1", "f7"], others, LINE)
    };
    let buffers = |names, queue: &'static str| {
        let references = vec![across(SET_POINT, "set point")];
        let curves = panel::curves(&CASES[2..], |case| first.run(case).queue(queue));
        Figure { references, ..buffer_panel(first.run("random"), names, &curves) }
    };
    let figures = [
        flows("pause", "(a) PAUSE only"),
        flows("random", "(b) Random occupancy at inputs, keep-alive"),
        flows("arrival", "Arrival sampling at inputs"),
        flows("outputs", "QCN at outputs"),
        buffers(("input", "(c) Input buffer of f1 and f7"), INPUT),
        buffers(("output", "(d) Buffer of the congested output"), OUTPUT),
    ];
    let table = table::by_case(
        runs,
        &CASES,
        &[
            ("f7", Unit::BitsPerSecond, |run| raw_rate(run, "f7", SETTLED)),
            ("f1", Unit::BitsPerSecond, |run| raw_rate(run, "f1", SETTLED)),
            ("f2 to f6, total", Unit::BitsPerSecond, |run| {
                let flows = ["f2", "f3", "f4", "f5", "f6"];
                Some(all(flows.map(|flow| raw_rate(run, flow, SETTLED)))?.iter().sum())
            }),
            ("Mean occupancy of the input", Unit::Bytes, |run| run.mean_queue(INPUT, SETTLED)),
            ("of the output", Unit::Bytes, |run| run.mean_queue(OUTPUT, SETTLED)),
            ("Total pause time of all links", Unit::Seconds, paused_time),
        ],
    );
    let mut blocks = panel::of_seed(first, figures);
    let lead = "Values from 30 ms onwards; pauses over the whole run:";
    blocks.extend([Block::Prose(lead.to_owned()), Block::Table(table)]);
    blocks.extend(culprits::table(runs, &CASES[2..3]));
    blocks
}
