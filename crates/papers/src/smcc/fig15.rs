//! Figure 15: SMCC's queue with four pairs of parameters, and the "deal-breaker" with a small a.

use super::choices::{CHANGE, LOOP_DELAY, R_A, RATE_GRID, SAMPLING};
use super::comparison::{DEVIATIONS, SMALLER, UP_TO_LIMIT, WITHIN_LIMIT, limit};
use super::{
    ARRIVING, FINE, GAIN_B, NETWORK, PORT, QUEUE, REDUCED_QCN, TARGET, both_qcns, queue_panels, response_time,
};
use crate::prelude::*;

const SMCC: &str = scenario!("smcc": "three-sources", "with-smcc");
const QCN: &str = scenario!("smcc": "three-sources", "with-qcn");

/// The run without its start, during which the flows slow down from the line rate.
const STEADY: Window = START.plus(0.5).until(END);

/// The pairs (R_a, R_b), as in the case names.
const LARGE_A: [&str; 2] = ["256-16", "256-64"];
const SMALL_A: [&str; 2] = ["64-16", "64-64"];
const PAIRS: [&str; 4] = ["256-16", "256-64", "64-16", "64-64"];
/// QCN as in the last two seconds of figure 5a.
const SHORT_CYCLES: &str = "qcn-30-kb";

pub(super) fn experiment() -> Experiment {
    let smcc = |a: u32, b: u32| {
        Case::new(format!("{a}-{b}"), format!("SMCC, R_a {a}, R_b {b}"), SMCC)
            .set(format!("control.smcc.rp.state_a=\"{a} Mb/s\""))
            .set(format!("control.smcc.rp.state_b=\"{b} Mb/s\""))
    };
    let two_flows = |case: Case| case.set_all(["flows.1.from=s{1..2}", "flows.1.to=r{1..2}"]);
    Experiment::new("smcc/fig15", "SMCC’s queue with four pairs of parameters")
        .setup(
            "Three controlled flows start at the line rate of 1 Gb/s and share a link, with four pairs of R_a and R_b. \
             For comparison with the first and the last two seconds of figure 5a, two QCN flows share the same link, \
             with cycles of 150 kB and of 30 kB.",
        )
        .paper_says(
            "With R_a = 256 the queue chatters around its set point after the start. With R_a = 64 it is stable at \
             48 kB, below the set point: this is the “deal-breaker”, which hardly matters, since the link is fully \
             used. Parameter a has more influence on it than b, and dominates the response time. SMCC’s queue is more \
             stable than QCN’s, is never empty after the first overshoot, and settles sooner. It is similar to QCN’s with \
             cycles of 30 kB. SMCC’s performance is insensitive to the parameters.",
        )
        .choices([&SAMPLING, &R_A, &LOOP_DELAY, &RATE_GRID, &CHANGE])
        .assumptions([
            "The text mentions R_a = 64 and R_a = 256, and the pair R_a = 256 and R_b = 64. We take the other value of \
            R_b to be 16 Mb/s.",
            GAIN_B,
            REDUCED_QCN,
            FINE,
            ARRIVING,
            NETWORK,
            "Oscillations are measured by the standard deviation of the queue, sampled every millisecond, after the \
            first half second. The response time ends when the queue comes within 50 % of its set point and stays \
            there for 100 ms.",
        ])
        .cases([smcc(256, 16), smcc(256, 64), smcc(64, 16), smcc(64, 64)])
        .cases(both_qcns(QCN).map(two_flows))
        .cases([two_flows(Case::new(SHORT_CYCLES, "the paper’s QCN, cycles of 30 kB", QCN))
            .set("control.qcn.rp.byte_reset=30 kB")])
        .panels(panels)
        .claims([chatters(), insensitive()])
        .claims(deal_breaker())
        .claims(against_qcn())
}

fn panels(runs: &Runs) -> Vec<Block> {
    let cases = [
        ("256-16", "R_a = 256, R_b = 16"),
        ("256-64", "R_a = 256, R_b = 64"),
        ("64-16", "R_a = 64, R_b = 16"),
        ("64-64", "R_a = 64, R_b = 64"),
        ("qcn", "Figure 5a, first 2 s: the paper’s QCN"),
        (SHORT_CYCLES, "Figure 5a, last 2 s: the paper’s QCN, cycles of 30 kB"),
        ("complete", "For comparison: complete QCN"),
    ];
    vec![Block::Figures(queue_panels(runs, &cases))]
}

const FIGURE: Origin = at("section 5.3.1, figure 15");

fn chatters() -> Claim {
    Claim::new(FIGURE, "chatters-256", "With R_a = 256 the queue chatters around its set point.")
        .measure(Unit::Bytes, Rule::about(TARGET, 0.1), |seed| {
            let [one, other] = LARGE_A.map(|case| level(seed, case));
            Some(farther(one?, other?))
        })
        .read_as(
            "Mean queue after the first half second, within a tenth of the set point; of the means for the two values \
            of R_b, the one farther from the set point counts.",
        )
}

fn insensitive() -> Claim {
    Claim::new(
        at("section 5.3.2, figure 15"),
        "insensitive-to-parameters",
        "SMCC’s oscillations hardly depend on the parameters.",
    )
    .measure(Unit::Ratio, UP_TO_LIMIT, |seed| {
        let deviations = all(PAIRS.map(|case| deviation(seed, case)))?;
        let (least, most) = (smallest(&deviations)?, largest(&deviations)?);
        Some((most - least) / limit(seed, least))
    })
    .read_as(
        "“Insensitive” means that the largest and the smallest of the four standard deviations differ by at most a \
        sixteenth of the set point or, in the other reading, a quarter of the smallest. The measured value is the \
        difference divided by this limit. The queue’s mean does not count, since the paper allows for the deal-breaker.",
    )
}

/// A queue counts as below its set point if it is lower by at least a tenth.
const BELOW: Rule = Rule::AtMost(0.9 * TARGET);

/// The mean queue; the set point if the queue oscillates, since it then does not settle.
fn settles_at(seed: &Seed<'_>, case: &str) -> Option<f64> {
    Some(if deviation(seed, case)? <= STABLE { level(seed, case)? } else { TARGET })
}

/// The largest standard deviation of a stable queue: an eighth of the set point.
const STABLE: f64 = TARGET / 8.0;

/// The reason why there is no deal-breaker.
const DEAL_BREAKER: &str = "in state B a sample removes R_b · 0.8 ms / 64 kB of the excess, which is a tenth if R_b is \
    64 Mb/s. This is too little for the motion to cross back over the switching line, as Remark 1 requires; with an \
    R_b ten times as large, it does so (smcc/theorem3). One conjecture: if rates had a smallest step g, increases of \
    less than g would be lost, and the queue would settle at q0 − g · 64 kB / R_a (choice rate-grid)";

fn deal_breaker() -> [Claim; 5] {
    [
        Claim::new(FIGURE, "settles-below", "With R_a = 64 the queue settles below its set point.")
            .measure(Unit::Bytes, BELOW, |seed| most(SMALL_A.map(|case| level(seed, case))))
            .read_as(
                "The higher of the two mean queues after the first half second; “below” means by at least a tenth.",
            )
            .cause(DEAL_BREAKER),
        Claim::new(FIGURE, "at-48", "With R_a = 64 the queue settles at 48 kB.")
            .measure(Unit::Bytes, Rule::about(48e3, 0.1), |seed| {
                let [one, other] = SMALL_A.map(|case| level(seed, case));
                Some((one? + other?) / 2.0)
            })
            .published(48e3)
            .read_as("The mean over both values of R_b, within a tenth.")
            .cause("there is no deal-breaker here; see the previous claim"),
        Claim::new(
            FIGURE,
            "stable-below",
            "With R_a = 64 the queue is stable where it settles below its set point.",
        )
        .given("with R_a = 64 the mean queue is below the set point", (Unit::Bytes, BELOW), |seed| {
            most(SMALL_A.map(|case| level(seed, case)))
        })
        .measure(Unit::Bytes, Rule::AtMost(STABLE), |seed| {
            most(SMALL_A.map(|case| deviation(seed, case)))
        })
        .read_as("The larger of the two standard deviations; at most an eighth of the set point."),
        Claim::new(
            at("section 4.3, remark 1"),
            "fully-used-below",
            "The link is fully used although the queue settles below its set point.",
        )
        .given("with R_a = 64 the queue settles below its set point", (Unit::Bytes, BELOW), |seed| {
            most(SMALL_A.map(|case| settles_at(seed, case)))
        })
        .measure(Unit::Share, Rule::AtLeast(0.995), |seed| {
            least(SMALL_A.map(|case| seed.run(case).utilisation(PORT, STEADY)))
        })
        .read_as(
            "The lower of the two utilisations with R_a = 64 after the first half second; “fully” means at least \
            99.5 %.",
        ),
        Claim::new(FIGURE, "a-counts-for-more", "Where the queue settles depends more on a than on b.")
            .given("the deal-breaker occurs with one of the four pairs", (Unit::Bytes, BELOW), |seed| {
                least(PAIRS.map(|case| settles_at(seed, case)))
            })
            .measure(Unit::Ratio, Rule::AtLeast(2.0), |seed| effect(BYTE, |case| level(seed, case)))
            .read_as(EFFECT),
    ]
}

fn against_qcn() -> [Claim; 5] {
    [
        Claim::new(
            at("section 5.3.1, figures 15 and 5a"),
            "steadier-than-qcn",
            "With each of the four pairs, SMCC’s queue is more stable than QCN’s.",
        )
        .measure(Unit::Ratio, SMALLER, |seed| {
            Some(most(PAIRS.map(|case| deviation(seed, case)))? / deviation(seed, "qcn")?)
        })
        .read_as(DEVIATIONS),
        Claim::new(
            at("section 5.3.1, figures 15 and 5a"),
            "similar-to-short-cycles",
            "SMCC’s queue oscillates as little as QCN’s does with cycles of 30 kB.",
        )
        .measure(Unit::Ratio, WITHIN_LIMIT, |seed| {
            let smcc = mean(&all(PAIRS.map(|case| deviation(seed, case)))?)?;
            let qcn = deviation(seed, SHORT_CYCLES)?;
            Some((smcc - qcn) / limit(seed, qcn))
        })
        .read_as(
            "“Similar” means that the standard deviations, SMCC’s averaged over the four pairs, differ by at most a \
            sixteenth of the set point or, in the other reading, a quarter of QCN’s. The measured value is the \
            difference divided by this limit.",
        ),
        Claim::new(FIGURE, "never-empty", "SMCC’s queue never becomes empty.")
            .measure(Unit::Count, Rule::AtMost(0.0), |seed| {
                Some(all(PAIRS.map(|case| emptied(seed.run(case))))?.into_iter().sum())
            })
            .read_as(
                "Number of zero samples after the queue first exceeds its set point, summed over all four pairs.",
            ),
        Claim::new(
            at("section 5.3.1, figures 15 and 5a"),
            "responds-sooner",
            "SMCC responds faster than QCN.",
        )
        .measure(Unit::Ratio, SMALLER, |seed| {
            Some(response_time(seed.run("256-64"), QUEUE)? / response_time(seed.run("qcn"), QUEUE)?)
        })
        .read_as(
            "Response time with R_a = 256 and R_b = 64 divided by QCN’s response time; “faster” means by at least a \
            tenth.",
        ),
        Claim::new(FIGURE, "a-dominates-response", "Parameter a dominates the response time.")
            .measure(Unit::Ratio, Rule::AtLeast(2.0), |seed| {
                effect(SAMPLE, |case| response_time(seed.run(case), QUEUE))
            })
            .read_as(EFFECT),
    ]
}

/// The value that is farther from the set point.
fn farther(one: f64, other: f64) -> f64 {
    if (one - TARGET).abs() >= (other - TARGET).abs() { one } else { other }
}

fn level(seed: &Seed<'_>, case: &str) -> Option<f64> {
    seed.run(case).mean_queue(QUEUE, STEADY)
}

fn deviation(seed: &Seed<'_>, case: &str) -> Option<f64> {
    seed.run(case).queue_std_dev(QUEUE, STEADY)
}

/// The number of samples with an empty queue after the first sample above the set point.
fn emptied(run: &Run) -> Option<f64> {
    let lengths = run.queue(QUEUE)?;
    let filled = lengths.iter().position(|length| *length > TARGET)?;
    Some(lengths[filled..].iter().filter(|length| **length <= 0.0).count() as f64)
}

const EFFECT: &str = "The effect of changing R_a divided by the effect of changing R_b. Each is changed by a factor of \
    four, and its effect is averaged over the two values of the other parameter. If R_b has no effect, its effect \
    counts as the resolution, which is one byte or the interval between samples. The ratio must be at least two.";

/// The resolution of queue lengths and of response times, in bytes and in seconds.
const BYTE: f64 = 1.0;
const SAMPLE: f64 = 1e-3;

/// The effect of `a` on a figure divided by the effect of `b`; the latter counts as at least the resolution.
fn effect(resolution: f64, figure: impl Fn(&str) -> Option<f64>) -> Option<f64> {
    let [large_16, large_64] = LARGE_A.map(&figure);
    let [small_16, small_64] = SMALL_A.map(&figure);
    let (large_16, large_64, small_16, small_64) = (large_16?, large_64?, small_16?, small_64?);
    let of_a = (large_16 - small_16).abs() + (large_64 - small_64).abs();
    let of_b = (large_16 - large_64).abs() + (small_16 - small_64).abs();
    Some(of_a / of_b.max(resolution))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_farther_from_the_set_point_counts() {
        // 64 kB differs from 60 kB by 4 kB, and from 65 kB by 1 kB.
        assert_eq!((farther(60e3, 65e3), farther(65e3, 60e3)), (60e3, 60e3));
    }

    #[test]
    fn the_effect_of_a_is_compared_with_that_of_b() {
        // `a` changes the figure by 3 and by 5, `b` by 1 and by 1.
        let figure = |case: &str| match case {
            "256-16" => Some(10.0),
            "256-64" => Some(11.0),
            "64-16" => Some(7.0),
            "64-64" => Some(6.0),
            _ => None,
        };
        assert_eq!(effect(BYTE, figure), Some(4.0));
        assert_eq!(effect(BYTE, |case| figure(case).filter(|_| case != "64-64")), None);
        // The effects of `b`, which sum to 2, count as 4.
        assert_eq!(effect(4.0, figure), Some(2.0));
    }
}
