//! Figures 6 and 7: four flows over a link that slows down, at a short and at a long lag.

use setpoint_report::document::Block;
use setpoint_report::plot::{Figure, Room};
use setpoint_report::quantity::Unit;

use super::{AT_SHARE, FOUR, QUEUE, both, farthest, unfairness};
use crate::case::Timing;
use crate::claim::Claim;
use crate::curves;
use crate::experiment::{Experiment, Kept, Repeats};
use crate::rule::Rule;
use crate::runs::{Run, Runs, Seed};

const SCENARIO: &str = include_str!("../../scenarios/af-qcn/fig06.toml");

/// The phases with the fair share of a flow; the first half second of each, in which flows move to their new
/// rates, is left out.
const FAST: (f64, f64) = (0.5, 2.0);
const SLOW: (f64, f64) = (2.5, 4.0);
const FAST_AGAIN: (f64, f64) = (4.5, 6.0);
const FAST_SHARE: f64 = 2.5e9;
const SLOW_SHARE: f64 = 0.25e9;

/// Figure 6.
pub(super) fn short_lag() -> Experiment {
    Experiment {
        id: "af-qcn/fig06",
        title: "Four flows over a link that slows down",
        setup: "Four backlogged flows share one link of a dumbbell with a round-trip time of 50 us. The link serves 10 Gb/s, \
                1 Gb/s from 2 to 4 s, and 10 Gb/s again. Rates and queue are sampled every 10 ms, with QCN and with AF-QCN.",
        paper_says: "With AF-QCN every flow has its equal share, at 10 Gb/s and at 1 Gb/s, and the queue is as stable as QCN’s. \
                     QCN’s rates are visibly farther apart.",
        we_take: taken(),
        cases: both(SCENARIO),
        timing: Timing { times: vec![("duration", 6.0), ("at.1.time", 2.0), ("at.2.time", 4.0)], quick: 0.2 },
        repeats: Repeats::Seeds(10),
        kept: Kept::Series,
        shown,
        claims: claims(),
    }
}

/// Figure 7.
pub(super) fn long_lag() -> Experiment {
    let mut experiment = short_lag();
    experiment.id = "af-qcn/fig07";
    experiment.title = "Four flows over a link that slows down, at a long lag";
    experiment.setup = "As fig06, with a round-trip time of 400 us, which is very long for a data centre.";
    experiment.paper_says = "Stability and fairness are kept as the lag grows: every flow has its share with AF-QCN, and the \
                             queue is as stable as QCN’s.";
    for case in &mut experiment.cases {
        case.set.push("topology.dumbbell.rtt=400us".to_owned());
    }
    experiment
}

fn taken() -> Vec<String> {
    vec![
        "The service rate is that of the output port of the bridge before the bottleneck.".to_owned(),
        "A flow’s rate is that at which its frames are delivered, in intervals of 10 ms. Flows and queue are judged from half a \
         second after each change on."
            .to_owned(),
    ]
}

fn claims() -> Vec<Claim> {
    const EQUAL: &str =
        "The mean rate of every flow is within a tenth of its share, from 0.5 s after the change on.";
    const STABLE: &str = "The standard deviation of the queue is at most a quarter larger than QCN’s.";
    const FAIR: &str = "The samples’ root mean square distance from the fair share is half as large again as AF-QCN’s, at least.";
    vec![
        Claim::new(
            "af-qcn-equal-at-10g",
            "With AF-QCN every flow has its equal share of 10 Gb/s.",
            (Unit::Share, Rule::AtMost(AT_SHARE)),
            |seed| {
                let run = seed.run("af-qcn");
                Some(apart(run, FAST_SHARE, FAST)?.max(apart(run, FAST_SHARE, FAST_AGAIN)?))
            },
        )
        .read_as(EQUAL),
        Claim::new(
            "af-qcn-equal-at-1g",
            "With AF-QCN every flow has its equal share of 1 Gb/s.",
            (Unit::Share, Rule::AtMost(AT_SHARE)),
            |seed| apart(seed.run("af-qcn"), SLOW_SHARE, SLOW),
        )
        .read_as(EQUAL),
        Claim::new(
            "queue-as-stable-at-10g",
            "At 10 Gb/s AF-QCN’s queue is as stable as QCN’s.",
            (Unit::Ratio, Rule::AtMost(1.25)),
            |seed| Some(swing_ratio(seed, FAST)?.max(swing_ratio(seed, FAST_AGAIN)?)),
        )
        .read_as(STABLE),
        Claim::new(
            "queue-as-stable-at-1g",
            "At 1 Gb/s AF-QCN’s queue is as stable as QCN’s.",
            (Unit::Ratio, Rule::AtMost(1.25)),
            |seed| swing_ratio(seed, SLOW),
        )
        .read_as(STABLE)
        .cause(
            "at 1 Gb/s AF-QCN’s queue swings about a fifth more than QCN’s on average. In 1.5 s there are few swings, and the ratio of two \
             runs’ deviations scatters widely: the bound lies in the middle of the spread over seeds.",
        ),
        Claim::new(
            "qcn-less-fair-at-10g",
            "At 10 Gb/s QCN is visibly less fair.",
            (Unit::Ratio, Rule::AtLeast(1.5)),
            |seed| unfairness_ratio(seed, FAST_SHARE, FAST),
        )
        .read_as(FAIR)
        .cause(
            "at a long lag QCN is the fairer of its two selves: with seed 1 its samples are 11 % from the share at 400 us, where they are 20 % \
             from it at 50 us. AF-QCN is fairer still in every seed, but not by half in all of them.",
        ),
        Claim::new(
            "qcn-less-fair-at-1g",
            "At 1 Gb/s QCN is visibly less fair.",
            (Unit::Ratio, Rule::AtLeast(1.5)),
            |seed| unfairness_ratio(seed, SLOW_SHARE, SLOW),
        )
        .read_as(FAIR),
    ]
}

/// How far the flow that is farthest from the share is from it.
fn apart(run: &Run, share: f64, phase: (f64, f64)) -> Option<f64> {
    farthest(run, &FOUR.map(|(flow, _)| (flow, share)), phase)
}

/// The swing of AF-QCN's queue over that of QCN's.
fn swing_ratio(seed: &Seed<'_>, (from, to): (f64, f64)) -> Option<f64> {
    let swing = |case: &str| seed.run(case).queue_deviation(QUEUE, from, to);
    Some(swing("af-qcn")? / swing("qcn")?)
}

fn unfairness_ratio(seed: &Seed<'_>, share: f64, phase: (f64, f64)) -> Option<f64> {
    let of = |case: &str| unfairness(seed.run(case), &FOUR, share, phase);
    Some(of("qcn")? / of("af-qcn")?)
}

/// As in the paper: rates on the left, the queue on the right, QCN above AF-QCN.
fn shown(runs: &Runs) -> Vec<Block> {
    let Some(first) = runs.first() else { return Vec::new() };
    let row = |case: &str, label: &str| -> [Figure; 2] {
        let run = first.run(case);
        let mut rates = curves::rates(run, &FOUR, &format!("rates-{case}"), &format!("Rates with {label}"));
        let mut queue = curves::queue(run, QUEUE, &format!("queue-{case}"), &format!("Queue with {label}"));
        rates.room = Room::Half;
        queue.room = Room::Half;
        [rates, queue]
    };
    let figures = [row("qcn", "QCN"), row("af-qcn", "AF-QCN")].concat();
    vec![Block::Figures(figures), Block::Note(format!("Seed {}.", first.number()))]
}
