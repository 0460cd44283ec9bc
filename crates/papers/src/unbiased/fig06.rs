//! Figure 6: one flow whose output slows down; QCN with PAUSE.

use super::choices::{INTERVAL, THROTTLED};
use super::pauses::{LINE, SENDER, keep_alive, pause_period, rises_while_paused};
use super::{
    BUFFER, FABRIC, INPUT, OUTPUT, PART_OF_THE_FABRIC, PAUSE, RELEASE, SET_POINT, STANDARD, TABLE_1,
    at_outputs, buffer_panel, by_occupancy, kept_alive, limit_panel, pause_only,
};
use crate::prelude::*;

const SCENARIO: &str = scenario!("unbiased": "fig06", "table-1", "at-10g");

/// A flow with a rate limit of at most this value counts as throttled to the output's 1 Gb/s.
const LOW: f64 = 1.25e9;
/// The time for which the limit must stay that low to count as stable.
const STAY: f64 = 0.01;
/// The beginning of the congestion: the output takes 0.13 ms to fill.
const EARLY: Window = change(1).plus(0.001).until(change(1).plus(0.01));
/// The time after which the output has certainly filled, in seconds after the rate drops.
const FILLED: f64 = 0.0005;

const CASES: [(&str, &str); 7] = [
    ("outputs", "Outputs"),
    ("inputs", "Inputs"),
    ("keep-alive", "Inputs, keep-alive"),
    ("outputs-reliable", "Outputs, reliable delivery"),
    ("inputs-reliable", "Inputs, reliable delivery"),
    ("keep-alive-reliable", "Inputs, keep-alive, reliable delivery"),
    ("pause", "PAUSE only"),
];

pub(super) fn experiment() -> Experiment {
    Experiment::new("unbiased/fig06", "QCN with PAUSE: time until a flow is throttled")
        .setup(
            "A single backlogged flow sends at 10 Gb/s. At 10 ms the rate of its output drops to 1 Gb/s. QCN is at \
            outputs, at inputs, or at inputs with keep-alive, which samples a paused input every 120 µs, the time in \
            which 150 kB could have arrived. We also run all three with reliable delivery, where an input keeps a copy \
            of a frame until the frame has left its output, and PAUSE alone.",
        )
        .paper_says(
            "QCN at outputs throttles the flow within 15 ms. QCN at inputs takes four times as long: the input buffer \
            oscillates rapidly between the PAUSE thresholds and some samples see it shrink, while the output is full \
            throughout. This prolongs the PAUSE activity. Keep-alive makes inputs as fast as outputs, and prevents \
            the timer from raising the limit while the sender is paused. With reliable delivery outputs take much \
            longer, since the output’s buffer then fluctuates like the input’s. According to the abstract, the \
            combined approach reduces the PAUSE period.",
        )
        .assumptions([
            PART_OF_THE_FABRIC,
            TABLE_1,
            STANDARD,
            FABRIC,
            "A flow is throttled once its rate limit is at most 1.25 Gb/s and, in the leading set-up, stays there for \
            10 ms. The time is counted from the drop in the output rate. For a flow without a limiter, the line rate \
            counts as its limit. If a flow is never throttled, the time is the rest of the run, 140 ms. Limits are \
            read every 50 µs.",
            "The timer cycle is 10 ms, as in the other experiments at 10 Gb/s.",
            "Inputs use random occupancy sampling: with arrival sampling there would be no frame to sample during a \
            pause. With one flow, both kinds of sampling notify the same flow.",
        ])
        .choices([&INTERVAL, &THROTTLED])
        .cases(cases())
        .quick(0.5)
        .panels(panels)
        .claims(claims())
}

fn cases() -> impl Iterator<Item = Case> {
    let lossy = [
        at_outputs(SCENARIO),
        by_occupancy("inputs", "QCN at inputs", SCENARIO),
        kept_alive(by_occupancy("keep-alive", "QCN at inputs, keep-alive", SCENARIO)),
    ];
    let reliable = |case: Case| {
        let (name, label) = (format!("{}-reliable", case.name), format!("{}, reliable delivery", case.label));
        case.renamed(name, label).set("bridge.cioq.delivery=reliable")
    };
    lossy.clone().into_iter().chain(lossy.map(reliable)).chain([pause_only(SCENARIO)])
}

fn claims() -> Vec<Claim> {
    times().into_iter().chain(buffers()).chain(keep_alive()).chain(pause_period("keep-alive")).collect()
}

/// The claims about times.
fn times() -> [Claim; 4] {
    let claim = |name, statement| Claim::new(at("section IV, figure 6(a)"), name, statement);
    [
        claim("outputs-soon", "QCN at outputs throttles the flow within 15 ms.")
            .measure(Unit::Seconds, Rule::AtMost(0.015), |seed| throttled_after(seed, "outputs")),
        claim("inputs-later", "QCN at inputs takes four times as long.")
            .measure(Unit::Ratio, Rule::about(4.0, 0.5), |seed| over_outputs(seed, "inputs"))
            .published(4.0)
            .read_as("Time with QCN at inputs divided by time with QCN at outputs, within 50 %.")
            .cause(
                "QCN at outputs is faster than in the paper, and QCN at inputs is slower (table). The ratio depends on \
                the sampling interval (see the other readings)",
            ),
        claim("keep-alive-on-a-par", "Keep-alive puts inputs on a par with outputs.")
            .measure(Unit::Ratio, Rule::Equivalent(0.8, 1.25), |seed| over_outputs(seed, "keep-alive"))
            .given(
                "without keep-alive, QCN at inputs is slower than at outputs",
                (Unit::Ratio, Rule::AtLeast(1.25)),
                |seed| over_outputs(seed, "inputs"),
            )
            .read_as(
                "Time with keep-alive divided by time with QCN at outputs; “on a par” means within a quarter, in an \
                equivalence test.",
            )
            .cause(FULL_OUTPUT),
        claim("reliable-outputs-later", "With reliable delivery QCN at outputs takes much longer.")
            .measure(Unit::Ratio, Rule::AtLeast(2.0), |seed| over_outputs(seed, "outputs-reliable"))
            .read_as("Time with reliable delivery divided by time without; “much longer” means at least twice as \
                long."),
    ]
}

/// The reason why outputs and keep-alive are not equally fast.
const FULL_OUTPUT: &str = "a full output is 90 kB above its set point, which is 30 % of the maximum feedback of 300 \
    kB. With the standard’s table, outputs then take a sample every 50 kB, but the keep-alive clock takes one every \
    150 kB, so outputs are faster. With a sample every 150 kB everywhere, outputs are slower than keep-alive, and they \
    do not throttle the flow within 15 ms (see the other readings)";

/// The claims about buffers.
fn buffers() -> [Claim; 3] {
    [
        Claim::new(
            at("section IV, figure 6(b)"),
            "input-swings",
            "With QCN at inputs the input’s buffer oscillates between the PAUSE thresholds.",
        )
        .measure(Unit::Bytes, Rule::AtLeast(0.9 * (PAUSE - RELEASE)), |seed| {
            seed.run("inputs").queue_range(INPUT, EARLY)
        })
        .read_as(
            "Range of the samples from 1 to 10 ms after the rate drops; at least nine tenths of the 66 kB between the \
            thresholds.",
        ),
        Claim::new(
            at("section IV, figure 6(c)"),
            "output-full",
            "The output’s buffer is full until the flow is throttled.",
        )
        .measure(Unit::Bytes, Rule::AtLeast(0.9 * BUFFER), output_until_throttled)
        .read_as(
            "Mean with QCN at outputs from 0.5 ms after the rate drops until the flow is throttled; “full” means at \
            least nine tenths of 150 kB.",
        ),
        Claim::new(
            at("section IV, figure 6(c)"),
            "reliable-output-swings",
            "With reliable delivery the output’s buffer fluctuates like the input’s.",
        )
        .measure(Unit::Bytes, Rule::AtLeast(0.5 * (PAUSE - RELEASE)), |seed| {
            seed.run("outputs-reliable").queue_range(OUTPUT, EARLY)
        })
        .read_as(
            "Range of the samples with QCN at outputs from 1 to 10 ms after the rate drops; at least half of the 66 kB \
            between the thresholds.",
        ),
    ]
}

/// The mean length of the output's queue, with QCN at outputs, until the flow is throttled.
fn output_until_throttled(seed: &Seed<'_>) -> Option<f64> {
    let run = seed.run("outputs");
    let drop = run.timeline.time(change(1));
    let (from, to) = (drop + FILLED, drop + throttled_after(seed, "outputs")?);
    let lengths = run.timed(run.queue(OUTPUT)?);
    let inside = lengths.into_iter().filter(|(time, _)| (from..to).contains(time));
    mean(&inside.map(|(_, length)| length).collect::<Vec<_>>())
}

/// The time until the flow is throttled.
fn throttled_after(seed: &Seed<'_>, case: &str) -> Option<f64> {
    let stay = if seed.reads(&THROTTLED, "stays") { STAY } else { 0.0 };
    low_after(seed.run(case), stay)
}

/// The time until the limit is low and stays low; the rest of the run if this never happens.
fn low_after(run: &Run, stay: f64) -> Option<f64> {
    let rest = run.summary.duration_s - run.timeline.time(change(1));
    let settled = run.settling(&run.limits("f1", LINE)?, change(1), stay, |limit| limit <= LOW);
    settled.or(Some(rest))
}

/// The time in a case divided by the time with QCN at outputs.
fn over_outputs(seed: &Seed<'_>, case: &str) -> Option<f64> {
    Some(throttled_after(seed, case)? / throttled_after(seed, "outputs")?)
}

/// As in the paper: (a) rate limits, (b) the input's buffer, (c) the output's; each also with reliable
/// delivery.
fn panels(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let curves = |cases: &[(&'static str, &'static str)], values: fn(&Run) -> Option<Vec<f64>>| {
        let curve = |(case, label): &(&'static str, &'static str)| {
            (*label, values(first.run(case)).unwrap_or_default())
        };
        cases.iter().map(curve).collect::<Vec<Curve<'_>>>()
    };
    let run = first.run("outputs");
    let both = [("", "", &CASES[..3]), ("-reliable", ", reliable delivery", &CASES[3..6])];
    let limits = both.map(|(suffix, words, cases)| {
        let names = (&*format!("limits{suffix}"), &*format!("(a) Rate limit{words}"));
        limit_panel(run, names, &curves(cases, |run| run.limits("f1", LINE)), LINE)
    });
    let inputs = both.map(|(suffix, words, cases)| {
        let names = (&*format!("input{suffix}"), &*format!("(b) Input buffer{words}"));
        let references = vec![across(PAUSE, "STOP"), across(RELEASE, "GO")];
        Figure {
            references,
            ..buffer_panel(run, names, &curves(cases, |run| Some(run.queue(INPUT)?.to_vec())))
        }
    });
    let outputs = both.map(|(suffix, words, cases)| {
        let names = (&*format!("output{suffix}"), &*format!("(c) Output buffer{words}"));
        let references = vec![across(SET_POINT, "set point")];
        Figure {
            references,
            ..buffer_panel(run, names, &curves(cases, |run| Some(run.queue(OUTPUT)?.to_vec())))
        }
    });
    let mut blocks = panel::of_seed(first, [limits, inputs, outputs].into_iter().flatten());
    blocks.push(Block::Table(by_case(runs)));
    blocks
}

fn by_case(runs: &Runs) -> Table {
    table::by_case(
        runs,
        &CASES,
        &[
            ("Limit stays at 1.25 Gb/s or less after", Unit::Seconds, |run| low_after(run, STAY)),
            ("first reaches 1.25 Gb/s or less after", Unit::Seconds, |run| low_after(run, 0.0)),
            ("Pauses", Unit::Count, |run| Some(run.port(SENDER)?.pauses as f64)),
            ("Share of time after the drop for which the sender is paused", Unit::Share, |run| {
                Some(run.port(SENDER)?.paused_share)
            }),
            ("Rises of the limit during pauses", Unit::Count, rises_while_paused),
            ("Notifications", Unit::Count, |run| Some(run.summary.total.notifications as f64)),
            ("Range of the input’s buffer, 1 to 10 ms after the drop", Unit::Bytes, |run| {
                run.queue_range(INPUT, EARLY)
            }),
            ("of the output’s buffer", Unit::Bytes, |run| run.queue_range(OUTPUT, EARLY)),
        ],
    )
}
