//! Theorem 2: whether QCN can slide along its switching line, depending on T and the available bandwidth.

mod agreement;
mod maps;
mod panels;
mod setting;
mod theory;

use setpoint_fluid::phase::RecoveryTarget;

use self::setting::{FLOWS, REDUCED, SAMPLES, SERIES, Setting, WEIGHTS, of, settings};
use self::theory::{BORDER, Compared, compared, over_longest, share_sliding};
use super::comparison::{LARGER, SMALLER};
use super::theory::once;
use super::{ARRIVING, FINE, NETWORK, QUEUE, REDUCED_QCN, TARGET};
use crate::prelude::*;

/// The run without its start, during which the flows slow down from the line rate.
const STEADY: Window = START.plus(1.0).until(END);

/// A queue with a larger standard deviation than this oscillates.
const OSCILLATES: f64 = TARGET / 8.0;

pub(super) fn experiment() -> Experiment {
    Experiment::new("smcc/theorem2", "When QCN can slide: theorem 2 for ranges of T and available bandwidth")
        .setup(
            "We compare the phase plane of QCN’s fluid model, equations (12) to (19), with packet simulations. Two \
            flows share a 1 Gb/s link with background traffic of 0 to 875 Mb/s, and the cycle of the byte counter \
            is 15 to 300 kB. Starting from cycles of 150 kB and background traffic at half the link rate, we then vary \
            N, C, p and w, one at a time.",
        )
        .paper_says(
            "QCN reaches its set point by sliding along the line Fb = 0. According to theorem 2 it slides from a point \
            (x0, y0) on the line if x0 > 0, if the decrease is a spiral (in practice it always is) and if (2T − \
            w/(pC)) x0 ≤ (w/(pC))² (N R(0) − C). Sliding therefore depends on the parameters, the state and the \
            network. With a large T QCN does not slide, which the oscillations in figure 5 confirm.",
        )
        .assumptions(ASSUMPTIONS)
        .cases(settings().map(Setting::case))
        .quick(0.2)
        .seeds(Repeats::LEAST)
        .panels(panels::panels)
        .claims(of_theorem())
        .claims(of_sliding())
        .claims(of_packets())
        .claims([
            series("more-flows", "With more flows the queue oscillates more.", FLOWS, LARGER),
            series("more-samples", "With more frequent sampling the queue oscillates more.", SAMPLES, LARGER),
            series("more-weight", "With a larger weight w the queue oscillates less.", WEIGHTS, SMALLER),
        ])
}

const ASSUMPTIONS: [&str; 11] = [
    "In (12) C is the bandwidth that the background traffic leaves on the link. In 1/(pC) it is the rate of the whole \
    link, since background frames are sampled too. T is the time that a source takes to send the bytes of a cycle at \
    its share of the bandwidth.",
    "The theorem depends on R(0). The paper’s text defines R as the rate just before the latest feedback packet, and \
    with this definition the theorem is void: on the switching line feedback is zero, so this is the rate on the line, \
    N R(0) is below C, and (24) fails for every T. We use the rate at which the descent began. It is the target rate \
    if consecutive messages leave the target rate unchanged (extra fast recovery). We assume that recovery ended on \
    the switching line, as far below the set point as x0 is above it. The theorem’s largest T is then w/(pC), \
    regardless of that distance. This was written before any packet simulation was run.",
    "In equation (15) the decrease lacks a unit of time. Without background traffic a source receives one congestion \
    message every N/(pC) on average, so we divide the gain per message by this time. On the line the decrease is zero \
    in any case.",
    "The second condition as printed, √(Gd w/(4Cp)) < 1, does not follow from (20), which gives Gd w²/(4Cp²) < 1. Both \
    hold everywhere here, and they are needed only for reaching the line, not for sliding.",
    "Deviations in the fluid model come from trajectories with a switching delay of one sample, 1/(pC), that start at \
    the line rate with an empty queue.",
    REDUCED_QCN,
    "One frame is sampled per 100 kB of arriving traffic, as in the leading set-up of the other experiments.",
    FINE,
    ARRIVING,
    NETWORK,
    "Oscillations are measured by the standard deviation of the queue, sampled every millisecond, after the first \
    second. A queue counts as oscillating if its standard deviation exceeds an eighth of the set point.",
];

fn of_theorem() -> [Claim; 2] {
    let share = |part: u32, whole: u32| (whole > 0).then(|| f64::from(part) / f64::from(whole));
    [
        Claim::new(
            at("section 3.2, theorem 2"),
            "slides-where-it-says",
            "Where the theorem predicts sliding, a trajectory slides.",
        )
        .measure(Unit::Share, Rule::AtLeast(1.0), once(move || share(compared().slid, compared().predicted)))
        .fails_for("the other points", move || {
            let Compared { denied, did_not, .. } = compared();
            share(denied - did_not, denied)
        })
        .read_as(
            "We consider ten points on the line for each combination of cycle and background. Of the points from which \
            the motion slides according to the theorem, the measured value is the share from which the trajectory \
            slides.",
        ),
        Claim::new(
            at("section 3.2, equations (21) to (24)"),
            "not-where-it-does-not",
            "Where the theorem does not predict sliding, a trajectory does not slide.",
        )
        .measure(Unit::Share, Rule::AtLeast(1.0), once(move || share(compared().did_not, compared().denied)))
        .fails_for("the other points", move || {
            let Compared { predicted, slid, .. } = compared();
            share(predicted - slid, predicted)
        })
        .read_as(
            "The share of the other points from which the trajectory does not slide. The theorem is worded as a \
            sufficient condition, but (21) is worded as a necessary and sufficient one, and (24) is equivalent to its \
            first line.",
        ),
    ]
}

fn of_sliding() -> [Claim; 3] {
    [
        slides(
            (at("section 5.3.1"), "short-cycles-slide"),
            "With cycles of 30 kB and the whole link available, QCN reaches its set point by sliding.",
            (30, RecoveryTarget::DescentBegan),
        ),
        slides(
            (OURS, "fifteen-kb-slides"),
            "With cycles of 15 kB and the whole link available, QCN also reaches its set point by sliding.",
            (15, RecoveryTarget::DescentBegan),
        ),
        slides(
            (OURS, "slides-by-its-words"),
            "The same holds if R(0) is, as the paper says, the rate just before the latest feedback packet.",
            (15, RecoveryTarget::LatestMessage),
        )
        .cause(
            "on the line the feedback is zero, so N R(0) − C tends to y0 = −(pC/w) x0, and (24) becomes 2T ≤ 0. No T \
            is small enough",
        ),
    ]
}

/// A claim that a trajectory slides for at least half of its first half second, with the given cycle in kB and the
/// given meaning of R(0).
fn slides((origin, name): (Origin, &str), statement: &str, (cycle, target): (u32, RecoveryTarget)) -> Claim {
    Claim::new(origin, name, statement)
        .measure(Unit::Share, Rule::AtLeast(0.5), once(move || Some(share_sliding(of(&REDUCED, cycle, 0), target))))
        .fails_for("R(0) just before the latest feedback packet", move || {
            Some(share_sliding(of(&REDUCED, cycle, 0), RecoveryTarget::LatestMessage))
        })
        .read_as(
            "Share of the first half second during which the trajectory slides, starting at the line rate; at least \
            half.",
        )
}

/// The reason why packet simulations are not in the order that the theorem predicts.
const SHORT_CYCLES: &str = "a source is sampled once, and so receives at most one message, for every 100 kB that it \
    sends. With cycles of 15 kB, recovery is over and active increase has begun before the next message. The queue \
    then oscillates, or is always full if little bandwidth is left, which does not count as an oscillation. If cycles \
    of 15 kB are excluded, the theorem orders more pairs correctly, and the fluid model with R(0) from the paper’s \
    text, which never slides, orders even more (see the table)";

/// The reason why packet simulations do not oscillate exactly where the theorem predicts.
const SIDES: &str = "the condition is about the direction of vector fields, not about how far a motion deviates. \
    Without background traffic the packet simulation is steady although T is longer than the theorem allows, since the \
    decrease per message is small. With short cycles it oscillates although T is short enough: messages to a source \
    are far apart, so switching is far from instantaneous";

fn of_packets() -> [Claim; 4] {
    let ratio =
        |seed: &Seed<'_>, of: &Setting, over: &Setting| Some(deviation(seed, of)? / deviation(seed, over)?);
    [
        Claim::new(
            OURS,
            "ordered-alike",
            "The packet simulation oscillates more where T exceeds the theorem’s largest T by a larger factor.",
        )
        .measure(Unit::Share, Rule::AtLeast(0.8), ordered_alike)
        .read_as(
            "We divide T by the theorem’s largest T for every combination of cycle and background, and consider all \
            pairs of settings whose ratios differ by a factor of two or more. The share of pairs in which the setting \
            with the larger ratio has the larger standard deviation must be at least four fifths.",
        )
        .cause(SHORT_CYCLES),
        Claim::new(
            OURS,
            "same-side",
            "The packet simulation oscillates where the theorem does not predict sliding, and only there.",
        )
        .measure(Unit::Share, Rule::AtLeast(0.8), same_side)
        .read_as("Share of the combinations of cycle and background for which both agree; at least four fifths.")
        .cause(SIDES),
        Claim::new(OURS, "long-cycles", "With a large T the queue oscillates more.")
            .measure(Unit::Ratio, LARGER, move |seed| ratio(seed, of(&REDUCED, 300, 500), of(&REDUCED, 15, 500)))
            .read_as("Standard deviation with cycles of 300 kB divided by that with 15 kB, with background traffic at \
                half the link rate; “more” means by at least a tenth."),
        Claim::new(OURS, "little-bandwidth", "With less bandwidth the queue oscillates more.")
            .measure(Unit::Ratio, LARGER, move |seed| ratio(seed, of(&REDUCED, 150, 750), of(&REDUCED, 150, 0)))
            .read_as("Standard deviation with background traffic of 750 Mb/s divided by that without it, with cycles \
                of 150 kB; “more” means by at least a tenth."),
    ]
}

/// The last value of a series divided by its first.
fn series(name: &str, statement: &str, place: usize, rule: Rule) -> Claim {
    Claim::new(OURS, name, statement)
        .measure(Unit::Ratio, rule, move |seed| {
            let settings = &SERIES[place].settings;
            Some(deviation(seed, &settings.last()?.1)? / deviation(seed, &settings.first()?.1)?)
        })
        .read_as(
            "Standard deviation with the last value in the table divided by that with the first. The expected \
            direction follows from T divided by the theorem’s largest T. “More” and “less” mean by at least a tenth.",
        )
}

/// The standard deviation of the queue in the packet simulation.
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

/// Of all pairs whose first members differ by at least the given factor, the share in which the second
/// members are in the same order.
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
        // 1 and 1.5 are too close; of (1, 4) and (1.5, 4), one is in the same order.
        let points = [(1.0, 10.0), (1.5, 30.0), (4.0, 20.0)];
        assert_eq!(share_of_pairs(&points, 2.0), Some(0.5));
        assert_eq!(share_of_pairs(&points[..2], 2.0), None);
    }
}
