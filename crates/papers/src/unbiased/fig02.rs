//! Figure 2: fan-in to one output, with four placements of congestion points.

use super::fan_in::{LINE, experiment as fan_in, phases};
use super::{Sender, arrival_panel, arrivals, at_inputs, at_outputs, mean_arrivals, pause_only, paused_time};
use crate::prelude::*;

const SCENARIO: &str = scenario!("unbiased": "fig02", "table-1", "at-10g");

/// The senders, in the order of the paper's numbers.
const SENDERS: [Sender; 5] = [
    ("f1", "h1->leaf1.1"),
    ("f2", "h6->leaf1.2"),
    ("f3", "h11->leaf1.3"),
    ("f4", "h16->leaf1.4"),
    ("f5", "h21->leaf1.5"),
];

/// The phases that the paper considers, each without its first 10 ms.
const PHASES: [Window; 3] = phases(0.01);
/// The second halves of the phases.
const SETTLED: [Window; 3] = phases(0.05);
/// The number of flows and the share of each flow, by phase.
const FLOWS: [(usize, f64); 3] = [(4, 2.5e9), (5, 2e9), (4, 2.5e9)];
/// Just after the start of the fifth flow.
const NEW: Window = starts("f5").plus(0.001).until(starts("f5").plus(0.01));

/// Rates are judged once limiters have had time to recover.
const RECOVERED: Needs = Needs {
    part: "the first half of a phase",
    window: START.until(START.plus(0.05)),
    least: 0.05,
    process: "fast recovery by the timer (five cycles of 10 ms)",
};

/// "Grossly unfair" means as unfair as the paper's run, in which one flow has 1.5 times the rate of another.
const GROSSLY_UNFAIR: Rule = Rule::AtLeast(1.5);
/// "Unfair" means at least half of that excess over equal rates.
const UNFAIR: Rule = Rule::AtLeast(1.25);

const CASES: [(&str, &str); 4] = [
    ("pause", "(a) PAUSE only"),
    ("outputs", "(b) QCN at outputs"),
    ("inputs", "(c) QCN at inputs"),
    ("both", "(d) QCN at both"),
];

pub(super) fn experiment() -> Experiment {
    fan_in("unbiased/fig02", "Fan-in: congestion points at outputs and at inputs")
        .setup(
            "Four backlogged 10 Gb/s senders under different leaves of the rack fabric send to one receiver; a fifth \
            joins them from 100 to 200 ms. PAUSE keeps the fabric lossless. There are no congestion points, or QCN has \
            them at outputs, at inputs, or at both.",
        )
        .paper_says(
            "With PAUSE alone the arrival rates fluctuate wildly around the fair shares. With QCN at outputs the \
            allocation is grossly unfair: from 10 to 100 ms one flow has 1.5 times the rate of another, and flows that \
            are throttled too much barely recover. The fifth flow immediately falls from 10 to about 2.5 Gb/s and ends \
            up with about three times the rate of the slowest flow. After it stops there is a new unfair allocation. \
            With QCN at inputs the rates are strikingly precise: 2.5, then 2, then 2.5 Gb/s. QCN at both behaves like \
            QCN at outputs. With QCN at inputs, each of the N flows has its own congestion point, which “can sample \
            the flows N times faster”.",
        )
        .assumptions([
            "Throughputs are arrival rates at input buffers, as in the paper: the utilisation of each sender’s link, \
            including preambles and gaps. They are sampled every 0.1 ms; the paper does not give its sampling \
            interval.",
            "Congestion points at inputs notify the source of the sampled frame; each input has one flow.",
        ])
        .cases([
            pause_only(SCENARIO),
            at_outputs(SCENARIO),
            at_inputs("inputs", "QCN at inputs", SCENARIO),
            Case::new("both", "QCN at both", SCENARIO).set("control.qcn.placement=both"),
        ])
        .panels(panels)
        .claims(claims())
}

fn claims() -> Vec<Claim> {
    pause().into_iter().chain(outputs()).chain(newcomer()).chain(inputs()).collect()
}

/// The claims about PAUSE alone.
fn pause() -> [Claim; 2] {
    let claim = |name, statement| Claim::new(at("section II-B, figure 2(a)"), name, statement);
    [
        claim("pause-fluctuates", "With PAUSE alone the arrival rate of a flow fluctuates wildly.")
            .measure(Unit::Ratio, Rule::AtLeast(0.5), |seed| least_fluctuation(seed.run("pause")))
            .read_as(
                "Standard deviation of 0.1 ms samples divided by their mean, from 10 to 100 ms, for the steadiest of \
                f1 to f4. “Wildly” means at least half of the mean.",
            ),
        claim("pause-around-shares", "With PAUSE alone rates fluctuate around the fair shares.")
            .measure(Unit::Share, Rule::AtMost(0.1), |seed| from_shares(seed.run("pause")))
            .read_as(
                "Mean rates in the second half of each phase, within 10 % of the share; the largest deviation counts.",
            ),
    ]
}

/// How we measure unfairness.
const RATIO: &str = "The mean rate of the fastest of f1 to f4 divided by the mean rate of the slowest.";
/// The reason why some runs are fairer than the paper's.
const BY_CHANCE: &str = "the unfairness is a matter of chance and differs widely between seeds: in some runs it is \
    larger than in the paper’s, in others it is smaller";

/// The claims about four flows with QCN at outputs.
fn outputs() -> [Claim; 3] {
    const FIGURE: Origin = at("section II-B, figure 2(b)");
    let unfair = |name, statement, rule, phase: usize| {
        Claim::new(FIGURE, name, statement)
            .measure(Unit::Ratio, rule, move |seed| unfairness(seed.run("outputs"), PHASES[phase]))
    };
    [
        unfair(
            "outputs-unfair",
            "With QCN at outputs the allocation is grossly unfair from 10 to 100 ms.",
            GROSSLY_UNFAIR,
            0,
        )
        .published(1.5)
        .read_as(format!(
            "{RATIO} The paper calls the allocation grossly unfair because “f2 gets 1.5× the rate of f3”, so the ratio \
            must be at least 1.5."
        ))
        .cause(BY_CHANCE),
        Claim::new(at("section II-B"), "outputs-stay-unfair", "With QCN at outputs slow flows stay slow.")
            .measure(Unit::Ratio, UNFAIR, |seed| persistence(seed.run("outputs")))
            .read_as(
                "The fastest and the slowest flow are chosen by their rates from 10 to 50 ms. The ratio compares their \
                rates from 60 to 100 ms. Flows that “do not practically recover” keep at least half of the excess in \
                the paper’s run, where the ratio is 1.5.",
            ),
        unfair(
            "outputs-unfair-again",
            "With QCN at outputs there is a new unfair allocation after f5 stops.",
            UNFAIR,
            2,
        )
        .read_as(format!(
            "{RATIO} “Unfair”, in contrast to “grossly unfair”, means at least half of the excess in the paper’s run \
            before f5 starts, where the ratio is 1.5."
        )),
    ]
}

/// The claims about the fifth flow.
fn newcomer() -> [Claim; 2] {
    let claim = |name, statement| Claim::new(at("section II-B, figure 2(b)"), name, statement);
    [
        claim("f5-plummets", "With QCN at outputs f5 falls to about 2.5 Gb/s just after its start.")
            .measure(Unit::BitsPerSecond, Rule::about(2.5e9, 0.25), |seed| newcomer_rate(seed.run("outputs")))
            .published(2.5e9)
            .read_as("Mean rate from 101 to 110 ms; “approximately” means within a quarter.")
            .cause(
                "f5 falls within a millisecond, but not so far (see the table). Only while PAUSE stops it at first is \
                its arrival rate close to 2.5 Gb/s",
            ),
        claim("f5-ahead", "With QCN at outputs f5 ends up with about three times the slowest rate.")
            .measure(Unit::Ratio, Rule::about(3.0, 0.25), |seed| ahead(seed.run("outputs")))
            .published(3.0)
            .read_as("Mean rates from 150 to 200 ms; “about” means within a quarter."),
    ]
}

/// The claims about QCN at inputs, and at both inputs and outputs.
fn inputs() -> [Claim; 3] {
    [
        Claim::new(
            at("section II-B"),
            "inputs-sample-faster",
            "QCN at inputs samples the flows N times faster than QCN at outputs.",
        )
        .measure(Unit::Ratio, Rule::about(4.0, 0.25), |seed| {
            Some(samples(seed.run("inputs"))? / samples(seed.run("outputs"))?)
        })
        .read_as(
            "Samples of all congestion points in the whole run, with QCN at inputs divided by QCN at outputs. N is the \
            number of flows, 4 in most of the run and 5 in a third of it; “N times” means within a quarter of 4.",
        )
        .cause(
            "every input receives only its share of the output’s rate, so the points at inputs together count the same \
            number of bytes as the point at the output. They could sample N times as often only if all senders kept \
            sending at the line rate, which PAUSE prevents",
        ),
        Claim::new(
            at("section II-B, figure 2(c)"),
            "inputs-fair",
            "With QCN at inputs rates are fair: 2.5, then 2, then 2.5 Gb/s.",
        )
        .measure(Unit::Share, Rule::AtMost(0.02), |seed| from_shares(seed.run("inputs")))
        .read_as(
            "Mean rates in the second half of each phase, within 2 % of the share; the largest deviation counts.",
        )
        .needs(RECOVERED),
        Claim::new(
            at("section II-B, figure 2(d)"),
            "both-unfair",
            "With QCN at both outputs and inputs, the allocation is grossly unfair, as with QCN at outputs.",
        )
        .measure(Unit::Ratio, GROSSLY_UNFAIR, |seed| unfairness(seed.run("both"), PHASES[0]))
        .read_as(format!("{RATIO} “Not qualitatively different” from outputs means the same rule, at least 1.5."))
        .cause(BY_CHANCE),
    ]
}

/// The standard deviation of the arrival rate divided by its mean, for the steadiest of the first four flows.
fn least_fluctuation(run: &Run) -> Option<f64> {
    least(SENDERS[..4].iter().map(|sender| {
        let moments = run.moments_over(&arrivals(run, *sender, LINE)?, PHASES[0])?;
        Some(moments.deviation() / moments.mean)
    }))
}

/// The largest relative deviation of a flow from its share in the second half of any phase.
fn from_shares(run: &Run) -> Option<f64> {
    most(SETTLED.iter().zip(FLOWS).map(|(window, (flows, share))| {
        farthest(&mean_arrivals(run, &SENDERS[..flows], LINE, *window)?, [share; 5])
    }))
}

/// The rate of the fastest of the first four flows divided by the rate of the slowest.
fn unfairness(run: &Run, window: Window) -> Option<f64> {
    max_over_min(&mean_arrivals(run, &SENDERS[..4], LINE, window)?)
}

/// The later rate of the flow that was fastest early in the first phase, divided by the later rate of the
/// flow that was slowest.
fn persistence(run: &Run) -> Option<f64> {
    let early = mean_arrivals(run, &SENDERS[..4], LINE, START.plus(0.01).until(START.plus(0.05)))?;
    let late = mean_arrivals(run, &SENDERS[..4], LINE, START.plus(0.06).until(starts("f5")))?;
    let by_rate = |a: &usize, b: &usize| early[*a].total_cmp(&early[*b]);
    Some(late[(0..4).max_by(by_rate)?] / late[(0..4).min_by(by_rate)?])
}

/// The rate of the fifth flow divided by the rate of the slowest other flow.
fn ahead(run: &Run) -> Option<f64> {
    let rates = mean_arrivals(run, &SENDERS, LINE, SETTLED[1])?;
    Some(rates[4] / smallest(&rates[..4])?)
}

/// The mean rate of the fifth flow just after its start.
fn newcomer_rate(run: &Run) -> Option<f64> {
    mean_arrivals(run, &SENDERS[4..], LINE, NEW)?.pop()
}

/// The smallest mean rate of the fifth flow over one millisecond within the 10 ms after its start.
fn newcomer_lowest(run: &Run) -> Option<f64> {
    let rates = arrivals(run, SENDERS[4], LINE)?;
    let rates = run.over(&rates, starts("f5").until(starts("f5").plus(0.01)))?;
    let samples = (0.001 / run.interval()?).round() as usize;
    least(rates.windows(samples.max(1)).map(mean))
}

/// The number of samples at all congestion points.
fn samples(run: &Run) -> Option<f64> {
    let samples = run.summary.queues.iter().map(|queue| queue.samples).sum::<u64>();
    (samples > 0).then_some(samples as f64)
}

/// As in the paper: (a) PAUSE only, (b) outputs, (c) inputs, (d) both.
fn panels(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let figures = CASES.map(|(case, title)| arrival_panel(first.run(case), (case, title), &SENDERS, LINE));
    let table = table::by_case(
        runs,
        &CASES,
        &[
            ("Fastest / slowest, 10 to 100 ms", Unit::Ratio, |run| unfairness(run, PHASES[0])),
            ("210 to 300 ms", Unit::Ratio, |run| unfairness(run, PHASES[2])),
            ("f5, 101 to 110 ms", Unit::BitsPerSecond, newcomer_rate),
            ("f5, lowest millisecond from 100 to 110 ms", Unit::BitsPerSecond, newcomer_lowest),
            ("f5 / slowest, 150 to 200 ms", Unit::Ratio, ahead),
            ("Largest deviation from the share, second half of each phase", Unit::Share, from_shares),
            ("Fluctuation of the steadiest flow", Unit::Share, least_fluctuation),
            ("Samples", Unit::Count, samples),
            ("Total pause time of all links", Unit::Seconds, paused_time),
        ],
    );
    let mut blocks = panel::of_seed(first, figures);
    blocks.push(Block::Table(table));
    blocks
}
