//! Figure 18: SMCC's queue as background traffic takes half, three quarters and seven eighths of the link.

use super::choices::{CHANGE, LOOP_DELAY, R_A, SAMPLING};
use super::comparison::{DEVIATIONS as READING, LARGER, Place, SMALLER, UP_TO_LIMIT, compared, deviation};
use super::{
    ARRIVING, DEVIATIONS, FINE, GAIN_B, NETWORK, QUEUE, REDUCED_QCN, TARGET, both_qcns, queue_panels,
};
use crate::prelude::*;

const SMCC: &str = scenario!("smcc": "background", "with-smcc");
const QCN: &str = scenario!("smcc": "background", "with-qcn");

const BEFORE: Window = START.plus(0.5).until(starts("background"));
const AFTER: Window = starts("background").plus(0.5).until(END);

pub(super) fn experiment() -> Experiment {
    let smcc = |rate: u32| {
        Case::new(rate.to_string(), format!("SMCC, G = {rate} Mb/s"), SMCC)
            .set(format!("flows.2.traffic.constant.rate=\"{rate} Mb/s\""))
    };
    Experiment::new("smcc/fig18", "SMCC’s queue as background traffic grows")
        .setup(
            "Two controlled flows start at the line rate of 1 Gb/s and share a link, with R_a = 256 and R_b = 64. At \
            2 s a background flow joins at a rate G of 500, 750 or 875 Mb/s. For comparison with figure 5a, QCN is run \
            with G = 500 Mb/s.",
        )
        .paper_says(
            "With 500 Mb/s the queue hardly changes. With 750 Mb/s it oscillates slightly, and with 875 Mb/s heavily, \
            since rate changes of up to R_a then exceed the remaining bandwidth. SMCC’s queue is more stable than \
            QCN’s; SMCC is superior “especially when traffic pattern and network states are variable”. The queue \
            changes little between two samples in all experiments.",
        )
        .choices([&SAMPLING, &R_A, &LOOP_DELAY, &CHANGE])
        .assumptions([
            "The run lasts six seconds: section 5.4.1 refers to the interval from 4 to 6 s in figures 5a and 18.",
            GAIN_B,
            REDUCED_QCN,
            FINE,
            ARRIVING,
            NETWORK,
            DEVIATIONS,
            "The results contain the queue length at every millisecond, but not at the congestion point’s own samples, \
            which are 0.8 ms apart on a full link. Differences between successive milliseconds stand in for ΔQ.",
        ])
        .cases([500, 750, 875].map(smcc))
        .cases(both_qcns(QCN))
        .panels(panels)
        .claims(of_sizes())
        .claims(of_comparisons())
        .claims(of_differences())
}

fn panels(runs: &Runs) -> Vec<Block> {
    let cases = [
        ("500", "G = 500 Mb/s"),
        ("750", "G = 750 Mb/s"),
        ("875", "G = 875 Mb/s"),
        ("qcn", "For comparison: the paper’s QCN, G = 500 Mb/s"),
        ("complete", "For comparison: complete QCN, G = 500 Mb/s"),
    ];
    let columns: [table::RunColumn<'_>; 3] = [
        ("Standard deviation of the queue before the background flow starts", Unit::Bytes, |run| {
            run.queue_std_dev(QUEUE, BEFORE)
        }),
        ("Afterwards", Unit::Bytes, |run| run.queue_std_dev(QUEUE, AFTER)),
        ("Afterwards, divided by the set point", Unit::Ratio, |run| {
            Some(run.queue_std_dev(QUEUE, AFTER)? / TARGET)
        }),
    ];
    vec![
        Block::Figures(queue_panels(runs, &cases)),
        Block::Table(table::by_case(runs, &cases[..3], &columns)),
    ]
}

const FIGURE: Origin = at("section 5.3.2, figure 18");

/// The range in which a deviation must lie.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// Limits on the deviation divided by the set point.
    of_set_point: (f64, f64),
    /// Limits on the deviation divided by its value before the background flow starts.
    of_before: (f64, f64),
    /// The rule for the result of [`beyond`].
    rule: Rule,
}

const UNCHANGED: Limits =
    Limits { of_set_point: (0.0, 1.0 / 16.0), of_before: (0.75, 1.25), rule: UP_TO_LIMIT };
const SLIGHT: Limits =
    Limits { of_set_point: (1.0 / 16.0, 1.0 / 4.0), of_before: (1.1, 3.0), rule: Rule::AtMost(1.0) };
const HEAVY: Limits = Limits {
    of_set_point: (1.0 / 4.0, f64::INFINITY),
    of_before: (3.0, f64::INFINITY),
    rule: Rule::AtMost(1.0),
};

impl Limits {
    /// A claim that the deviation after the background flow has started is within the limits.
    fn claim(self, name: &str, statement: &str, case: &'static str) -> Claim {
        let measure = move |seed: &Seed<'_>| {
            let at = |window| deviation(seed, Place { case, queue: QUEUE, window });
            let after = at(AFTER)?;
            Some(match seed.reads(&CHANGE, "parts-of-q0") {
                true => beyond(after / TARGET, self.of_set_point),
                false => beyond(after / at(BEFORE)?, self.of_before),
            })
        };
        Claim::new(FIGURE, name, statement).measure(Unit::Ratio, self.rule, measure)
    }
}

/// The value divided by the upper limit, or the lower limit divided by the value, whichever is larger:
/// at most one within the limits.
fn beyond(value: f64, (low, high): (f64, f64)) -> f64 {
    (low / value).max(value / high)
}

fn of_sizes() -> [Claim; 3] {
    const FIGURE_OF: &str = "The measured value is the deviation divided by the upper limit, or the lower limit \
        divided by the deviation, whichever is larger; within the limits it is at most one.";
    let read = |words: &str| format!("{words} {FIGURE_OF}");
    [
        UNCHANGED
            .claim("unchanged-at-500", "With 500 Mb/s of background traffic the queue hardly changes.", "500")
            .read_as(read(
                "“Hardly changes” means a standard deviation of at most a sixteenth of the set point or, in the other \
                reading, one within a quarter of the deviation before the background flow starts.",
            ))
            .cause("before the change our queue varies by less than a frame, so any ratio to that is large"),
        SLIGHT
            .claim("slight-at-750", "With 750 Mb/s it oscillates slightly.", "750")
            .read_as(read(
                "“Slightly” means a standard deviation from a sixteenth to a quarter of the set point or, in the other \
                reading, 1.1 to 3 times the deviation before the background flow starts.",
            ))
            .cause(
                "a single step may be as large as R_a, which exceeds the remaining 250 Mb/s. By the next sample, \
                0.8 ms later, a step of 256 Mb/s changes the queue by 25.6 kB, four tenths of the set point",
            ),
        HEAVY.claim("heavy-at-875", "With 875 Mb/s it oscillates heavily.", "875").read_as(read(
            "“Heavily” means a standard deviation of at least a quarter of the set point or, in the other reading, at \
            least three times the deviation before the background flow starts.",
        )),
    ]
}

fn of_comparisons() -> [Claim; 3] {
    let place = |case| [Place { case, queue: QUEUE, window: AFTER }];
    [
        compared(
            (FIGURE, "875-beyond-750"),
            "The oscillations are larger at 875 Mb/s than at 750 Mb/s.",
            (LARGER, deviation),
            (place("875"), place("750")),
        )
        .read_as(READING),
        compared(
            (at("section 5.3.2, figures 18 and 5a"), "steadier-than-qcn"),
            "With 500 Mb/s SMCC’s queue is more stable than QCN’s.",
            (SMALLER, deviation),
            (place("500"), place("qcn")),
        )
        .read_as(READING),
        Claim::new(
            at("abstract"),
            "superior-when-variable",
            "SMCC’s advantage over QCN grows when the network changes.",
        )
        .measure(Unit::Ratio, SMALLER, |seed| Some(advantage(seed, AFTER)? / advantage(seed, BEFORE)?))
        .read_as(
            "SMCC’s standard deviation divided by QCN’s, with G = 500 Mb/s, after the background flow has started; \
            this ratio is divided by the same ratio before. “Especially” means that it is smaller by at least a tenth.",
        ),
    ]
}

/// SMCC's deviation divided by QCN's.
fn advantage(seed: &Seed<'_>, window: Window) -> Option<f64> {
    let of = |case| deviation(seed, Place { case, queue: QUEUE, window });
    Some(of("500")? / of("qcn")?)
}

const SIZES: [&str; 3] = ["500", "750", "875"];
/// The threshold T1, which the paper uses to separate small differences from large ones.
const SMALL: f64 = 8e3;

fn of_differences() -> [Claim; 2] {
    const REMARK: Origin = at("section 5.3.3, remark");
    const HEAVILY: &str = "with 875 Mb/s of background traffic a single step may exceed the remaining bandwidth, and \
        the queue may then fill or empty between two samples";
    [
        Claim::new(REMARK, "small-differences", "The queue changes little between two samples.")
            .measure(Unit::Share, Rule::AtMost(0.05), |seed| {
                most(SIZES.map(|case| {
                    let differences = differences(seed.run(case).queue(QUEUE)?);
                    let large = differences.iter().filter(|difference| difference.abs() > SMALL).count();
                    (!differences.is_empty()).then(|| large as f64 / differences.len() as f64)
                }))
            })
            .read_as(
                "ΔQ “keeps a small value throughout our experiments”. “Small” means at most T1 = 8 kB, the paper’s own \
                threshold for a large difference, and “throughout” means that at most 5 % of the differences in a run \
                are larger; of the three values of G, the one with the largest share counts.",
            )
            .cause(HEAVILY),
        Claim::new(
            REMARK,
            "differences-vary-less",
            "The difference between two samples varies less than the offset of the queue.",
        )
        .measure(Unit::Ratio, Rule::AtMost(0.25), |seed| {
            most(SIZES.map(|case| {
                let run = seed.run(case);
                let lengths = run.over(run.queue(QUEUE)?, AFTER)?;
                Some(variance(&differences(lengths)) / variance(lengths))
            }))
        })
        .read_as(
            "“The variance of ΔQ is small comparing to that of Q_off”: the variance of the differences divided by that \
            of the queue after the background flow has started, at most a quarter; of the three values of G, the one \
            with the largest ratio counts.",
        ),
    ]
}

/// The differences between successive samples.
fn differences(lengths: &[f64]) -> Vec<f64> {
    lengths.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

fn variance(values: &[f64]) -> f64 {
    let deviation = Moments::of(values.iter().copied()).deviation();
    deviation * deviation
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_within_the_limits_is_at_most_one() {
        let slight = |value| beyond(value, (0.25, 2.0));
        assert_eq!([0.125, 0.25, 1.0, 2.0, 3.0].map(slight), [2.0, 1.0, 0.5, 1.0, 1.5]);
        assert_eq!((beyond(0.5, (0.0, 2.0)), beyond(0.5, (1.0, f64::INFINITY))), (0.25, 2.0));
    }

    #[test]
    fn differences_are_between_neighbours() {
        assert_eq!(differences(&[1.0, 4.0, 2.0]), [3.0, -2.0]);
        assert!(differences(&[1.0]).is_empty());
        assert_eq!(variance(&[1.0, 3.0]), 1.0);
    }
}
