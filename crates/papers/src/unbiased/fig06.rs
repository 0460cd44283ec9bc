//! Figure 6: one flow, whose output becomes slow; QCN and PAUSE.

use setpoint_report::document::Block;
use setpoint_report::plot::Figure;
use setpoint_report::quantity::Unit;

use super::measure::{amplitude, limits, stays_below};
use super::{
    BUFFER, INPUT, OUTPUT, PAUSE, Phase, at_outputs, by_occupancy, kept_alive, panel, scenario, taken,
};
use crate::case::Case;
use crate::claim::Claim;
use crate::experiment::{Experiment, Keep, Repeats};
use crate::rule::Rule;
use crate::runs::{Run, Runs};
use crate::tables;

const SCENARIO: &str = scenario!("fig06", "at-10g");

const LINE: f64 = 10e9;
/// When the output becomes slow.
const DROP: f64 = 0.01;
/// What it still carries, and how far above that a limit may be that has throttled its flow.
const THROTTLED: f64 = 1.25e9;
/// How long it must stay there.
const STAY: f64 = 0.01;
/// The beginning of the episode: the output takes 0.13 ms to fill.
const EARLY: Phase = (DROP + 0.001, DROP + 0.01);
/// Its first moments, in which nothing can be throttled yet.
const FIRST: Phase = (DROP + 0.0005, DROP + 0.0015);

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "unbiased/fig06",
        title: "QCN beside PAUSE: how long until a flow is throttled",
        setup: "One backlogged flow of 10 Gb/s. At 10 ms its output falls to 1 Gb/s. QCN is at outputs, at inputs, or at inputs with keep-alive: samples \
                of a paused input each time that 150 kB could have come, every 120 µs. Outputs and inputs are also run with reliable delivery, where \
                an input keeps a copy of a frame until it has left its output.",
        paper_says: "QCN at outputs throttles the flow within 15 ms; at inputs it takes four times as long, since the input swings rapidly between the thresholds of PAUSE \
                     and some samples see it shrink, while the output is full throughout. Keep-alive brings inputs on a par with outputs. With reliable \
                     delivery outputs take much longer, since the output’s buffer then fluctuates as the input’s.",
        assumptions: [
            taken::list(&[taken::PART_OF_THE_FABRIC, taken::TABLE_1, taken::TIMER, taken::FABRIC]),
            vec![
                "A flow is throttled when its rate limit comes to 1.25 Gb/s or less and stays there for 10 ms; the time is from the fall of the output to the \
                 first of these 10 ms. A flow without a limiter counts with the rate of its line, and one that is never throttled with the rest of the run. Limits \
                 are read every 50 µs."
                    .to_owned(),
                "The output falls at 10 ms, and the run ends at 150 ms.".to_owned(),
                "Inputs sample by random occupancy, without which there is nobody to tell during a pause; with one flow it is the same as by arrival.".to_owned(),
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

fn cases() -> Vec<Case> {
    let reliable = |case: Case| case.set("bridge.cioq.delivery=reliable");
    vec![
        at_outputs(SCENARIO),
        by_occupancy("inputs", "QCN at inputs", SCENARIO),
        kept_alive(by_occupancy("keep-alive", "QCN at inputs, keep-alive", SCENARIO)),
        reliable(at_outputs(SCENARIO).renamed("outputs-reliable", "QCN at outputs, reliable delivery")),
        reliable(by_occupancy("inputs-reliable", "QCN at inputs, reliable delivery", SCENARIO)),
        reliable(kept_alive(by_occupancy(
            "keep-alive-reliable",
            "QCN at inputs, keep-alive, reliable delivery",
            SCENARIO,
        ))),
    ]
}

fn claims() -> Vec<Claim> {
    vec![
        Claim::measured(
            "outputs-soon",
            "QCN at outputs throttles the flow within 15 ms.",
            (Unit::Seconds, Rule::AtMost(0.015)),
            |seed| settling(seed.run("outputs")),
        ),
        Claim::measured(
            "inputs-later",
            "QCN at inputs takes four times as long.",
            (Unit::Ratio, Rule::about(4.0, 0.5)),
            |seed| Some(settling(seed.run("inputs"))? / settling(seed.run("outputs"))?),
        )
        .read_as("Time at inputs over time at outputs, within half.")
        .cause(
            "our outputs are quicker than the paper’s (11 ms against 15) and our inputs slower (88 ms against 60). How often a congestion point samples decides: \
             with a sample every 150 kB whatever the feedback, instead of the mark table’s, outputs take 35 ms and inputs 121 ms, a ratio of 3.4; with a weight \
             of 4, 29 and 109 ms, 3.8; with the six upper bits as feedback, 31 and over 140 ms. The timer, hyper-active increase, target rate reduction and the \
             delays of the fabric do not matter",
        ),
        Claim::measured(
            "keep-alive-on-a-par",
            "Keep-alive brings inputs on a par with outputs.",
            (Unit::Ratio, Rule::AtMost(1.5)),
            |seed| Some(settling(seed.run("keep-alive"))? / settling(seed.run("outputs"))?),
        )
        .read_as("Time with keep-alive over time at outputs; on a par is longer by half at most.")
        .cause(
            "18 ms with keep-alive is near the paper’s 15 ms for both, but our outputs take 11 ms. An output samples every 50 kB while it is full, and the clock every 150 kB: \
             with a clock of 100, 75 and 50 kB it is 16, 12 and 11 ms",
        ),
        Claim::measured(
            "reliable-outputs-later",
            "With reliable delivery QCN at outputs takes much longer.",
            (Unit::Ratio, Rule::AtLeast(2.0)),
            |seed| Some(settling(seed.run("outputs-reliable"))? / settling(seed.run("outputs"))?),
        )
        .read_as("Time with reliable delivery over time without; much longer is twice as long at least."),
        Claim::measured(
            "input-swings",
            "With QCN at inputs the input’s buffer swings between the thresholds of PAUSE.",
            (Unit::Bytes, Rule::AtLeast(0.9 * (PAUSE.0 - PAUSE.1))),
            |seed| amplitude(seed.run("inputs"), INPUT, EARLY),
        )
        .read_as("Highest less lowest sample from 1 to 10 ms after the fall; nine tenths of the 66 kB between the thresholds at least."),
        Claim::measured(
            "output-full",
            "Until the flow is throttled the output’s buffer is full.",
            (Unit::Bytes, Rule::AtLeast(0.9 * BUFFER)),
            |seed| seed.run("outputs").queue_mean_between(OUTPUT, FIRST.0, FIRST.1),
        )
        .read_as("Mean with QCN at outputs from 0.5 to 1.5 ms after the fall; full is nine tenths of 150 kB at least."),
        Claim::measured(
            "reliable-output-swings",
            "With reliable delivery the output’s buffer fluctuates as the input’s.",
            (Unit::Bytes, Rule::AtLeast(0.5 * (PAUSE.0 - PAUSE.1))),
            |seed| amplitude(seed.run("outputs-reliable"), OUTPUT, EARLY),
        )
        .read_as("Highest less lowest sample with QCN at outputs from 1 to 10 ms after the fall; half of the 66 kB between the thresholds at least."),
    ]
}

/// The time until the flow is throttled; the rest of the run if it never is.
fn settling(run: &Run) -> Option<f64> {
    let limits = limits(run, "f1", LINE)?;
    let samples = run.series.time_s.iter().copied().zip(limits);
    let rest = run.summary.duration_s - run.time(DROP);
    Some(stays_below(samples, run.time(DROP), THROTTLED, run.time(STAY)).unwrap_or(rest))
}

/// The time until its limit is first that low.
fn first_low(run: &Run) -> Option<f64> {
    let samples = run.series.time_s.iter().copied().zip(limits(run, "f1", LINE)?);
    stays_below(samples, run.time(DROP), THROTTLED, 0.0)
}

/// How often the sender was paused.
fn pauses(run: &Run) -> Option<f64> {
    let port = run.summary.ports.iter().find(|port| port.name == "h1->leaf1.1")?;
    Some(port.pauses as f64)
}

const CASES: [(&str, &str); 6] = [
    ("outputs", "Outputs"),
    ("inputs", "Inputs"),
    ("keep-alive", "Inputs, keep-alive"),
    ("outputs-reliable", "Outputs, reliable delivery"),
    ("inputs-reliable", "Inputs, reliable delivery"),
    ("keep-alive-reliable", "Inputs, keep-alive, reliable delivery"),
];

/// As in the paper: (a) rate limits, (b) the input's buffer, (c) the output's.
fn shown(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let of = |cases: &[(&'static str, &'static str)], values: fn(&Run) -> Option<Vec<f64>>| {
        let curve = |(case, label): &(&'static str, &'static str)| {
            (*label, values(first.run(case)).unwrap_or_default())
        };
        cases.iter().map(curve).collect::<Vec<panel::Curve<'_>>>()
    };
    let run = first.run("outputs");
    let limit = |name: &str, title: &str, cases| {
        let mut figure = panel::rates(run, name, title, LINE, &of(cases, |run| limits(run, "f1", LINE)));
        figure.y.label = "Rate limit".to_owned();
        figure.alternative = "Rate limit of the flow over time.".to_owned();
        figure
    };
    let input: fn(&Run) -> Option<Vec<f64>> = |run| Some(run.queue(INPUT)?.to_vec());
    let output: fn(&Run) -> Option<Vec<f64>> = |run| Some(run.queue(OUTPUT)?.to_vec());
    let figures: Vec<Figure> = vec![
        limit("limits", "(a) Rate limit", &CASES[..3]),
        limit("limits-reliable", "(a) Rate limit, reliable delivery", &CASES[3..]),
        panel::buffers(run, "input", "(b) Buffer of the input", panel::Level::Pause, &of(&CASES[..3], input)),
        panel::buffers(
            run,
            "input-reliable",
            "(b) Buffer of the input, reliable delivery",
            panel::Level::Pause,
            &of(&CASES[3..], input),
        ),
        panel::buffers(
            run,
            "output",
            "(c) Buffer of the output",
            panel::Level::SetPoint,
            &of(&CASES[..3], output),
        ),
        panel::buffers(
            run,
            "output-reliable",
            "(c) Buffer of the output, reliable delivery",
            panel::Level::SetPoint,
            &of(&CASES[3..], output),
        ),
    ];
    let table = tables::by_case(
        runs,
        &CASES,
        &[
            ("Throttled after", Unit::Seconds, settling),
            ("Limit first at 1.25 Gb/s after", Unit::Seconds, first_low),
            ("Pauses", Unit::Count, pauses),
            ("Sender paused, of the time since", Unit::Share, |run| {
                run.summary.ports.iter().find(|port| port.name == "h1->leaf1.1").map(|port| port.paused_share)
            }),
            ("Notifications", Unit::Count, |run| Some(run.summary.total.notifications as f64)),
            ("Swing of the input, 1 to 10 ms after", Unit::Bytes, |run| amplitude(run, INPUT, EARLY)),
            ("of the output", Unit::Bytes, |run| amplitude(run, OUTPUT, EARLY)),
        ],
    );
    let mut blocks = panel::of_seed(first, figures).to_vec();
    blocks.push(Block::Table(table));
    blocks
}
