//! Theorem 2: whether QCN can slide along its switching line, over T and the available bandwidth.

mod agreement;
mod maps;
mod panels;
mod setting;
mod theory;

use setpoint_fluid::phase::RecoveryTarget;

use self::setting::{FLOWS, REDUCED, SAMPLES, SERIES, Setting, WEIGHTS, of, settings};
use self::theory::{BORDER, compared, over_longest, share_sliding};
use super::comparison::{LARGER, SMALLER};
use super::theory::once;
use super::{NETWORK, QUEUE, REDUCED_QCN, SAMPLING, TARGET};
use crate::prelude::*;

/// Without the start, in which the flows come down from the line rate.
const STEADY: Window = START.plus(1.0).until(END);

/// A queue with a larger deviation oscillates.
const OSCILLATES: f64 = TARGET / 8.0;

pub(super) fn experiment() -> Experiment {
    Experiment::new("smcc/theorem2", "Where QCN can slide: theorem 2 over T and the available bandwidth")
        .setup(
            "The phase plane of QCN’s fluid model, equations (12) to (19), and beside it packets: two flows share a link of \
             1 Gb/s with a background of 0 to 875 Mb/s, and a cycle of the byte counter is 15 to 300 kB. Then, from cycles of \
             150 kB and a background of half the link, N, C, p and w one by one.",
        )
        .paper_says(
            "QCN reaches its set point by sliding along the line Fb = 0. By theorem 2 it does so from a point (x0, y0) of the \
             line if x0 > 0, if the decrease is a spiral (in practice always) and if (2T − w/(pC)) x0 ≤ (w/(pC))² (N R(0) − C), \
             so that it depends on parameters, state and network; with a large T it does not, which the oscillations of \
             figure 5 confirm.",
        )
        .assumptions(ASSUMPTIONS)
        .cases(settings().map(Setting::case))
        .quick(0.2)
        .seeds(Repeats::LEAST)
        .panels(panels::panels)
        .claims(of_theory())
        .claims(of_packets())
        .claims([
            series("more-flows", "With more flows the queue oscillates more.", FLOWS, LARGER),
            series("more-samples", "With more samples the queue oscillates more.", SAMPLES, LARGER),
            series("more-weight", "With a larger weight w the queue oscillates less.", WEIGHTS, SMALLER),
        ])
}

const ASSUMPTIONS: [&str; 9] = [
    "C in (12) is the bandwidth that the background leaves of the link, and in 1/(pC) the whole link, since all frames are sampled. T is a \
     time: the time a source takes for its cycle of bytes at its share of the bandwidth.",
    "R(0) decides the theorem, and the paper’s words for R, the rate just before the latest feedback packet, make it void: on the \
     switching line feedback is zero, so that this is the rate on the line, N R(0) is below C, and (24) fails for every T. We use \
     the rate at which the descent began, which is the target if consecutive messages keep it (extra fast recovery), and assume that \
     recovery ended on the switching line, as far below the set point as x0 is above it. The largest T by the theorem \
     is then w/(pC), whatever that distance. This was written before any packets were run.",
    "Equation (15) has no unit of time for the decrease. A source receives a congestion message once in N/(pC) on average without \
     background, by which its gain per message is divided; on the line the decrease is zero in any case.",
    "The printed second condition, √(Gd w/(4Cp)) < 1, does not follow from (20), which gives Gd w²/(4Cp²) < 1; both hold \
     everywhere here, and neither is needed for sliding, only for reaching the line.",
    "Deviations of the fluid are those of trajectories with a switching delay of one sample, 1/(pC), from the line rate and an empty queue.",
    REDUCED_QCN,
    SAMPLING,
    NETWORK,
    "Oscillations are measured by the standard deviation of the queue, sampled every millisecond, from 1 to 3 s. A queue oscillates if \
     it exceeds an eighth of the set point.",
];

fn of_theory() -> [Claim; 4] {
    let share = |part: u32, whole: u32| (whole > 0).then(|| f64::from(part) / f64::from(whole));
    [
        Claim::new("slides-where-it-says", "Where the theorem predicts sliding, a trajectory slides.")
            .measure(
                Unit::Share,
                Rule::AtLeast(1.0),
                once(move || share(compared().slid, compared().predicted)),
            )
            .read_as("Share of the points of the line, ten for each cycle and background, that slide according to the theorem."),
        Claim::new("not-where-it-does-not", "Where the theorem does not predict sliding, a trajectory does not slide.")
            .measure(
                Unit::Share,
                Rule::AtLeast(1.0),
                once(move || share(compared().did_not, compared().denied)),
            )
            .read_as("Share of the other points. The theorem is stated as sufficient only; on the line it is necessary too."),
        Claim::new(
            "short-cycles-slide",
            "With cycles of 15 kB and the whole link, QCN reaches its set point by sliding.",
        )
        .measure(
            Unit::Share,
            Rule::AtLeast(0.5),
            once(|| Some(share_sliding(of(&REDUCED, 15, 0), RecoveryTarget::DescentBegan))),
        )
        .read_as("Share of the first half second in which the trajectory slides, from the line rate; half at least."),
        Claim::new(
            "slides-by-its-words",
            "The same where R(0) is, as the paper says, the rate just before the latest feedback packet.",
        )
        .measure(
            Unit::Share,
            Rule::AtLeast(0.5),
            once(|| Some(share_sliding(of(&REDUCED, 15, 0), RecoveryTarget::LatestMessage))),
        )
        .cause(
            "on the line the feedback is zero, and the rate before the latest feedback is hardly above that on the line: recovery \
             leads to a rate below the bandwidth, and by (24) no T is short enough",
        ),
    ]
}

/// Why packets are not in the order of the theorem.
const SHORT_CYCLES: &str = "a source receives a message for one sample in 100 kB that it sends, so that with cycles of 15 kB recovery is over and \
    active increase has begun before the next message: the queue oscillates, or is always full where the background is 750 Mb/s or \
    more, which is no oscillation at all. Without cycles of 15 kB the share is 82 %. The fluid with R(0) of the paper’s words, \
    switching one sample late, which never slides, predicts oscillations better: without cycles of 15 kB, 97 % of the pairs that it \
    separates by a factor of two";

/// Why packets do not change sides where the theorem does.
const SIDES: &str = "the condition is about the direction of fields, not about how far a motion strays. With the whole link packets are steady \
    though T is up to three times too long, since the decrease per message is small; with cycles of 15 kB (see the claim \
    before) and of 30 kB beside 500 Mb/s they oscillate though T is short enough, since messages to a source are 1.6 ms and more \
    apart and the switching is anything but fast";

fn of_packets() -> [Claim; 4] {
    let ratio =
        |seed: &Seed<'_>, of: &Setting, over: &Setting| Some(deviation(seed, of)? / deviation(seed, over)?);
    [
        Claim::new("ordered-alike", "Packets oscillate more where T is further beyond the theorem’s.")
            .measure(Unit::Share, Rule::AtLeast(0.8), ordered_alike)
            .read_as(
                "Of all pairs of cycle and background whose T over the theorem’s largest T differ by a factor of two or more: \
                 the share in which the one with the larger has the larger deviation; four fifths at least.",
            )
            .cause(SHORT_CYCLES),
        Claim::new("same-side", "Packets oscillate where the theorem does not predict sliding, and only there.")
            .measure(Unit::Share, Rule::AtLeast(0.8), same_side)
            .read_as("Share of the cycles and backgrounds for which both agree; four fifths at least.")
            .cause(SIDES),
        Claim::new("long-cycles", "With a large T the queue oscillates more.")
            .measure(Unit::Ratio, LARGER, move |seed| ratio(seed, of(&REDUCED, 300, 500), of(&REDUCED, 15, 500)))
            .read_as("Cycles of 300 kB over cycles of 15 kB, with half the link taken; larger is by a tenth at least."),
        Claim::new("little-bandwidth", "With less bandwidth the queue oscillates more.")
            .measure(Unit::Ratio, LARGER, move |seed| ratio(seed, of(&REDUCED, 150, 750), of(&REDUCED, 150, 0)))
            .read_as("A background of 750 Mb/s over none, with cycles of 150 kB; larger is by a tenth at least."),
    ]
}

/// The last of a series over its first.
fn series(name: &str, statement: &str, place: usize, rule: Rule) -> Claim {
    Claim::new(name, statement)
        .measure(Unit::Ratio, rule, move |seed| {
            let settings = &SERIES[place].settings;
            Some(deviation(seed, &settings.last()?.1)? / deviation(seed, &settings.first()?.1)?)
        })
        .read_as(
            "Deviation with the last value of the table over that with the first, in the direction of T over the theorem’s largest T; larger \
             or smaller is by a tenth at least.",
        )
}

/// The deviation of the queue of packets.
fn deviation(seed: &Seed<'_>, setting: &Setting) -> Option<f64> {
    seed.run(&setting.name).queue_std_dev(QUEUE, STEADY)
}

fn same_side(seed: &Seed<'_>) -> Option<f64> {
    let agrees = |setting: &Setting| {
        Some(f64::from((over_longest(setting)? > BORDER) == (deviation(seed, setting)? > OSCILLATES)))
    };
    let agreed = all(REDUCED.iter().map(agrees))?;
    Some(agreed.iter().sum::<f64>() / agreed.len() as f64)
}

fn ordered_alike(seed: &Seed<'_>) -> Option<f64> {
    let pair = |setting: &Setting| Some((over_longest(setting)?, deviation(seed, setting)?));
    let pairs: Vec<(f64, f64)> = REDUCED.iter().map(pair).collect::<Option<_>>()?;
    share_of_pairs(&pairs, 2.0)
}

/// Of all pairs whose first members differ by a factor or more, the share in which the second members are ordered alike.
fn share_of_pairs(points: &[(f64, f64)], factor: f64) -> Option<f64> {
    let apart = |(one, other): &((f64, f64), (f64, f64))| other.0 >= factor * one.0;
    let pairs: Vec<_> =
        points.iter().flat_map(|one| points.iter().map(|other| (*one, *other))).filter(apart).collect();
    let alike = pairs.iter().filter(|(one, other)| other.1 > one.1).count();
    (!pairs.is_empty()).then(|| alike as f64 / pairs.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_that_are_close_do_not_count() {
        // 1 and 1.5 are close; of (1, 4) and (1.5, 4), one is ordered alike.
        let points = [(1.0, 10.0), (1.5, 30.0), (4.0, 20.0)];
        assert_eq!(share_of_pairs(&points, 2.0), Some(0.5));
        assert_eq!(share_of_pairs(&points[..2], 2.0), None);
    }
}
