//! Figure 15: SMCC's queue with four pairs of parameters, and the "deal-breaker" where a is small.

use setpoint_report::document::Block;
use setpoint_report::quantity::Unit;

use super::compared::{Place, SMALLER, SWINGS};
use super::measure::{emptied, level, response, swing};
use super::{PORT, Phase, QUEUE, TARGET, both_qcns, panel, scenario, taken};
use crate::case::Case;
use crate::claim::Claim;
use crate::experiment::{Experiment, Keep, Repeats};
use crate::rule::Rule;
use crate::runs::{Runs, Seed};

const SMCC: &str = scenario!("three-sources", "with-smcc");
const QCN: &str = scenario!("three-sources", "with-qcn");

/// Without the start, in which the flows come down from the line rate.
const STEADY: Phase = (0.5, 2.0);

/// The pairs (R_a, R_b), as the cases are named.
const LARGE_A: [&str; 2] = ["256-16", "256-64"];
const SMALL_A: [&str; 2] = ["64-16", "64-64"];

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "smcc/fig15",
        title: "SMCC’s queue with four pairs of parameters",
        setup: "Three controlled flows start at the line rate of 1 Gb/s and share a link, with four pairs of R_a and R_b. \
                For the comparison with the first two seconds of figure 5a: two QCN flows on the same link.",
        paper_says: "With R_a = 256 the queue chatters around its set point after the start. With R_a = 64 it is stable at \
                     48 kB, below the set point: the “deal-breaker”, which hardly matters, since the link is fully used. \
                     Parameter a counts for more than b there, and dominates the time of response. SMCC’s queue is more \
                     stable than QCN’s, never empty after the first overshoot, and there sooner.",
        assumptions: taken::list(&[
            "The four pairs are not given: R_a of 64 and 256 Mb/s with R_b of 16 and 64 Mb/s.",
            taken::GAINS,
            taken::REDUCED_QCN,
            taken::SAMPLING,
            taken::NETWORK,
            "Swing is the standard deviation of the queue, sampled every millisecond, from 0.5 to 2 s. The time of \
             response ends where the queue comes to within half of its set point to either side and stays there for \
             100 ms.",
        ]),
        cases: cases(),
        quick: 0.25,
        repeats: Repeats::Seeds(10),
        keep: Keep::Series,
        panels: Box::new(shown),
        claims: claims(),
    }
}

fn cases() -> Vec<Case> {
    let smcc = |name, label, a: u32, b: u32| {
        Case::new(name, label, SMCC)
            .set(format!("control.smcc.rp.state_a=\"{a} Mb/s\""))
            .set(format!("control.smcc.rp.state_b=\"{b} Mb/s\""))
    };
    let two_flows = |case: Case| case.set("flows.1.from=s{1..2}").set("flows.1.to=r{1..2}");
    let mut cases = vec![
        smcc("256-16", "SMCC, R_a 256, R_b 16", 256, 16),
        smcc("256-64", "SMCC, R_a 256, R_b 64", 256, 64),
        smcc("64-16", "SMCC, R_a 64, R_b 16", 64, 16),
        smcc("64-64", "SMCC, R_a 64, R_b 64", 64, 64),
    ];
    cases.extend([
        smcc("64-640", "SMCC, R_a 64, R_b 640", 64, 640),
        smcc("256-640", "SMCC, R_a 256, R_b 640", 256, 640),
    ]);
    cases.extend(both_qcns(QCN).map(two_flows));
    cases
}

fn claims() -> Vec<Claim> {
    let mut claims = vec![
        around(
            "chatters-256-16",
            "With R_a 256 and R_b 16 the queue chatters around its set point.",
            "256-16",
        ),
        around(
            "chatters-256-64",
            "With R_a 256 and R_b 64 the queue chatters around its set point.",
            "256-64",
        ),
    ];
    claims.extend(deal_breaker());
    claims.extend(against_qcn());
    claims
}

fn around(name: &'static str, statement: &'static str, case: &'static str) -> Claim {
    let measure = move |seed: &Seed<'_>| level(seed.run(case), QUEUE, STEADY);
    Claim::measured(name, statement, (Unit::Bytes, Rule::about(TARGET, 0.1)), measure)
        .read_as("Mean of the queue from 0.5 to 2 s, within a tenth of the set point.")
}

/// Why there is no deal-breaker.
const DEAL_BREAKER: &str = "in state B the queue’s approach is damped by a tenth in each sample where R_b is 64, and by less where it is \
    smaller: too little to fall back over the switching line, as Remark 1 needs. Ten times that R_b shows the phenomenon (beside \
    the figure: 70 kB with R_a 64, 64 kB with R_a 256). What would give the paper’s figures is the granularity of rates: if they \
    are whole multiples of 10 Mb/s, and rounded down, a separate model of equation (25) settles at 49 kB with R_a 64 and at 60 kB \
    with R_a 256, for both R_b. Delays up to 1 ms, jitter, sampling of enqueued frames alone, KB of 1024 bytes, and zero taken as a \
    positive number leave it at 63 to 65 kB";

fn deal_breaker() -> Vec<Claim> {
    vec![
        Claim::measured(
            "settles-below",
            "With R_a 64 the queue settles below its set point.",
            (Unit::Bytes, Rule::AtMost(0.9 * TARGET)),
            |seed| largest(SMALL_A.map(|case| level(seed.run(case), QUEUE, STEADY))),
        )
        .read_as("The higher of the two means of the queue from 0.5 to 2 s; below is by a tenth at least.")
        .cause(DEAL_BREAKER),
        Claim::measured(
            "at-48",
            "With R_a 64 it settles at 48 kB.",
            (Unit::Bytes, Rule::about(48e3, 0.1)),
            |seed| mean(SMALL_A.map(|case| level(seed.run(case), QUEUE, STEADY))),
        )
        .read_as("The mean for both R_b, give or take a tenth.")
        .cause("there is no deal-breaker here: see the claim before"),
        Claim::measured(
            "stable-below",
            "With R_a 64 the queue is stable where it settles.",
            (Unit::Bytes, Rule::AtMost(TARGET / 8.0)),
            |seed| largest(SMALL_A.map(|case| swing(seed.run(case), QUEUE, STEADY))),
        )
        .read_as("The larger of the two swings, at most an eighth of the set point."),
        Claim::measured(
            "fully-used-below",
            "With R_a 64 the link is fully used.",
            (Unit::Share, Rule::AtLeast(0.995)),
            |seed| smallest(SMALL_A.map(|case| seed.run(case).utilisation_between(PORT, STEADY.0, STEADY.1))),
        )
        .read_as("The lower of the two utilisations from 0.5 to 2 s; fully is to half a per cent."),
        Claim::measured(
            "a-counts-for-more",
            "For where the queue settles, a counts for more than b.",
            (Unit::Ratio, Rule::AtLeast(2.0)),
            |seed| effect(|case| level(seed.run(case), QUEUE, STEADY)),
        )
        .read_as(EFFECT)
        .cause(
            "the queue settles at its set point with all four pairs, so that the differences \
             between them are those of chance. With R_b ten times as large the queue settles at \
             70 kB where R_a is 64 and at 64 kB where it is 256",
        ),
    ]
}

fn against_qcn() -> Vec<Claim> {
    vec![
        Claim::measured(
            "steadier-than-qcn",
            "SMCC’s queue is more stable than QCN’s, with any of the four pairs.",
            (Unit::Ratio, SMALLER),
            |seed| {
                let qcn = Place { case: "qcn", queue: QUEUE, phase: STEADY }.measure(seed, swing)?;
                let swings =
                    LARGE_A.into_iter().chain(SMALL_A).map(|case| swing(seed.run(case), QUEUE, STEADY));
                Some(swings.collect::<Option<Vec<f64>>>()?.into_iter().fold(0.0, f64::max) / qcn)
            },
        )
        .read_as(SWINGS),
        Claim::measured(
            "never-empty",
            "SMCC’s queue stays above zero.",
            (Unit::Count, Rule::AtMost(0.0)),
            |seed| {
                let counts = LARGE_A.into_iter().chain(SMALL_A).map(|case| emptied(seed.run(case), QUEUE));
                Some(counts.collect::<Option<Vec<f64>>>()?.into_iter().sum())
            },
        )
        .read_as("Samples at zero once the queue has first been above its set point, over all four pairs."),
        Claim::measured(
            "responds-sooner",
            "SMCC responds sooner than QCN.",
            (Unit::Ratio, SMALLER),
            |seed| Some(response(seed.run("256-64"), QUEUE)? / response(seed.run("qcn"), QUEUE)?),
        )
        .read_as("Time of response with R_a 256 and R_b 64 over that of QCN; sooner is by a tenth at least."),
        Claim::measured(
            "a-dominates-response",
            "Parameter a dominates the time of response.",
            (Unit::Ratio, Rule::AtLeast(2.0)),
            |seed| effect(|case| response(seed.run(case), QUEUE)),
        )
        .read_as(EFFECT),
    ]
}

const EFFECT: &str = "What the change of R_a makes, over what the change of R_b makes, each by a factor of four and averaged \
                      over the other’s two values; at least twice as much.";

/// The effect of a on a figure over the effect of b.
fn effect(figure: impl Fn(&str) -> Option<f64>) -> Option<f64> {
    let [large_16, large_64] = LARGE_A.map(&figure);
    let [small_16, small_64] = SMALL_A.map(&figure);
    let (large_16, large_64, small_16, small_64) = (large_16?, large_64?, small_16?, small_64?);
    let of_a = (large_16 - small_16).abs() + (large_64 - small_64).abs();
    let of_b = (large_16 - large_64).abs() + (small_16 - small_64).abs();
    Some(of_a / of_b)
}

fn largest([one, other]: [Option<f64>; 2]) -> Option<f64> {
    Some(one?.max(other?))
}

fn smallest([one, other]: [Option<f64>; 2]) -> Option<f64> {
    Some(one?.min(other?))
}

fn mean([one, other]: [Option<f64>; 2]) -> Option<f64> {
    Some((one? + other?) / 2.0)
}

fn shown(runs: &Runs) -> Vec<Block> {
    let panels = [
        ("256-16", "R_a = 256, R_b = 16"),
        ("256-64", "R_a = 256, R_b = 64"),
        ("64-16", "R_a = 64, R_b = 16"),
        ("64-64", "R_a = 64, R_b = 64"),
        ("qcn", "Figure 5a, first 2 s: QCN of the paper"),
        ("complete", "Beside it: complete QCN"),
        ("64-640", "Remark 1 with a larger b: R_a = 64, R_b = 640"),
        ("256-640", "The same with R_a = 256, R_b = 640"),
    ];
    vec![Block::Figures(panel::queues(runs, &panels))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_effect_of_a_is_compared_with_that_of_b() {
        // a moves the figure by 3 and by 5, b by 1 and by 1.
        let figure = |case: &str| match case {
            "256-16" => Some(10.0),
            "256-64" => Some(11.0),
            "64-16" => Some(7.0),
            "64-64" => Some(6.0),
            _ => None,
        };
        assert_eq!(effect(figure), Some(4.0));
        assert_eq!(effect(|case| figure(case).filter(|_| case != "64-64")), None);
    }
}
