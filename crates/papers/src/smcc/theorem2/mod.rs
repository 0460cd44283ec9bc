//! Theorem 2: whether QCN can slide along its switching line, over T and the available bandwidth.

mod agreement;
mod maps;
mod setting;
mod shown;
mod theory;

use setpoint_report::quantity::Unit;

use self::setting::{FLOWS, Map, REDUCED, SAMPLES, Series, Setting, WEIGHTS, cases, of};
use self::shown::shown;
use self::theory::{BORDER, compared, over_longest, slides, slides_by_its_words};
use super::compared::{LARGER, SMALLER};
use super::measure::swing as swing_of;
use super::theory::once;
use super::{Phase, QUEUE, TARGET, taken};
use crate::claim::Claim;
use crate::experiment::{Experiment, Keep, Repeats};
use crate::rule::Rule;
use crate::runs::Seed;

/// Without the start, in which the flows come down from the line rate.
const STEADY: Phase = (1.0, 3.0);

/// A queue that swings by more than this oscillates.
const OSCILLATES: f64 = TARGET / 8.0;

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "smcc/theorem2",
        title: "Where QCN can slide: theorem 2 over T and the available bandwidth",
        setup: "The phase plane of QCN’s fluid model, equations (12) to (19), and beside it packets: two flows share a link of \
                1 Gb/s with a background of 0 to 875 Mb/s, and a cycle of the byte counter is 15 to 300 kB. Then, from cycles of \
                150 kB and a background of half the link, N, C, p and w one by one.",
        paper_says: "QCN comes to its set point by sliding along the line Fb = 0. By theorem 2 it does from a point (x0, y0) of the \
                     line if x0 > 0, if the decrease is a spiral (in practice always) and if (2T − w/(pC)) x0 ≤ (w/(pC))² (N R(0) − C), \
                     so that it depends on parameters, state and network; with a large T it fails to, which the swings of \
                     figure 5 confirm.",
        assumptions: assumptions(),
        cases: cases(),
        quick: 0.2,
        repeats: Repeats::Seeds(Repeats::LEAST),
        keep: Keep::Series,
        panels: Box::new(shown),
        claims: claims(),
    }
}

fn assumptions() -> Vec<String> {
    taken::list(&[
        "C in (12) is what the background leaves of the link, and in 1/(pC) the whole link, since all frames are sampled. T is a \
         time: what a source takes for its cycle of bytes at its share of the bandwidth.",
        "R(0) decides the theorem, and the paper’s words for R, the rate just before the latest feedback packet, make it void: on the \
         switching line feedback is zero, so that this is the rate on the line, N R(0) is below C, and (24) fails for every T. We take \
         the rate at which the descent began, which is the target where messages in a row keep it (extra fast recovery), and for the \
         descent that recovery ended on the switching line, as far below the set point as x0 is above it. The largest T by the theorem \
         is then w/(pC), whatever that distance. This was written before any packets were run.",
        "Equation (15) has no unit of time for the decrease. A source hears of congestion once in N/(pC) on average without \
         background, by which its gain per message is divided; on the line the decrease is zero in any case.",
        "The printed second condition, √(Gd w/(4Cp)) < 1, does not follow from (20), which gives Gd w²/(4Cp²) < 1; both hold \
         everywhere here, and neither is needed for sliding, but only for reaching the line.",
        "Fluid swings are those of trajectories with a delay of switching of one sample, 1/(pC), from the line rate and an empty queue.",
        taken::REDUCED_QCN,
        taken::SAMPLING,
        taken::NETWORK,
        "Swing is the standard deviation of the queue, sampled every millisecond, from 1 to 3 s. A queue oscillates if it swings by more \
         than an eighth of its set point.",
    ])
}

fn claims() -> Vec<Claim> {
    let mut claims = of_theory();
    claims.extend(of_packets());
    claims.extend([
        series("more-flows", "With more flows the queue swings more.", &FLOWS, LARGER),
        series("more-samples", "With more samples the queue swings more.", &SAMPLES, LARGER),
        series("more-weight", "With a larger weight w the queue swings less.", &WEIGHTS, SMALLER),
    ]);
    claims
}

fn of_theory() -> Vec<Claim> {
    let share = |part: u32, whole: u32| (whole > 0).then(|| f64::from(part) / f64::from(whole));
    vec![
        Claim::measured(
            "slides-where-it-says",
            "Where the theorem says so, a trajectory slides.",
            (Unit::Share, Rule::AtLeast(1.0)),
            once(move || share(compared().slid, compared().said)),
        )
        .read_as("Share of the points of the line, ten for each cycle and background, that the theorem says slide."),
        Claim::measured(
            "not-where-it-does-not",
            "Where the theorem does not say so, a trajectory does not slide.",
            (Unit::Share, Rule::AtLeast(1.0)),
            once(move || share(compared().did_not, compared().denied)),
        )
        .read_as("Share of the other points. The theorem is stated as sufficient only; on the line it is necessary too."),
        Claim::measured(
            "short-cycles-slide",
            "With cycles of 15 kB and the whole link, QCN comes to its set point by sliding.",
            (Unit::Share, Rule::AtLeast(0.5)),
            once(|| Some(slides(of(&REDUCED, 15, 0)))),
        )
        .read_as("Share of the first half second that the trajectory slides in, from the line rate; half at least."),
        Claim::measured(
            "slides-by-its-words",
            "The same where R(0) is, as the paper says, the rate just before the latest feedback packet.",
            (Unit::Share, Rule::AtLeast(0.5)),
            once(|| Some(slides_by_its_words(of(&REDUCED, 15, 0)))),
        )
        .read_as("As before.")
        .cause(
            "on the line the feedback is zero, and the rate before the latest feedback is hardly above that on the line: recovery \
             leads to a rate below the bandwidth, and by (24) no T is short enough",
        ),
    ]
}

/// Why packets are not in the order of the theorem.
const SHORT_CYCLES: &str = "a source hears of one sample for 100 kB that it sends, so that with cycles of 15 kB recovery is over and active \
    increase has begun before the next message: the queue swings, or is full all the time where the background is 750 Mb/s or \
    more, which is no swing at all. Without cycles of 15 kB the share is 82 %. What tells swings better is the fluid with R(0) of the \
    paper’s words, switching one sample late, which never slides: without cycles of 15 kB, 97 % of the pairs that it tells apart by a factor of two";

/// Why packets do not change sides where the theorem does.
const SIDES: &str = "the condition is one on the direction of fields, not on how far a motion strays. With the whole link packets are steady \
    though T is up to three times too long, since the decrease in a message is small; with cycles of 15 kB (see the claim \
    before) and of 30 kB beside 500 Mb/s they swing though T is short enough, since messages to a source are 1.6 ms and more \
    apart and the switching is anything but fast";

fn of_packets() -> Vec<Claim> {
    vec![
        Claim::measured(
            "ordered-alike",
            "Packets swing more where T is further beyond the theorem’s.",
            (Unit::Share, Rule::AtLeast(0.8)),
            |seed| ordered_alike(seed, &REDUCED),
        )
        .read_as(
            "Of all pairs of cycle and background whose T over the theorem’s largest T differ by a factor of two or more: \
             the share in which the one with the larger has the larger swing; four fifths at least.",
        )
        .cause(SHORT_CYCLES),
        Claim::measured(
            "same-side",
            "Packets oscillate where the theorem does not let them slide, and only there.",
            (Unit::Share, Rule::AtLeast(0.8)),
            |seed| same_side(seed, &REDUCED),
        )
        .read_as("Share of the cycles and backgrounds for which both say the same; four fifths at least.")
        .cause(SIDES),
        Claim::measured(
            "long-cycles",
            "With a large T the queue swings more.",
            (Unit::Ratio, LARGER),
            |seed| Some(swing(seed, of(&REDUCED, 300, 500))? / swing(seed, of(&REDUCED, 15, 500))?),
        )
        .read_as("Cycles of 300 kB over cycles of 15 kB, half the link being taken; larger is by a tenth at least."),
        Claim::measured(
            "little-bandwidth",
            "With less bandwidth the queue swings more.",
            (Unit::Ratio, LARGER),
            |seed| Some(swing(seed, of(&REDUCED, 150, 750))? / swing(seed, of(&REDUCED, 150, 0))?),
        )
        .read_as("A background of 750 Mb/s over none, with cycles of 150 kB; larger is by a tenth at least."),
    ]
}

/// The last of a series over its first.
fn series(name: &'static str, statement: &'static str, series: &'static Series, rule: Rule) -> Claim {
    Claim::measured(name, statement, (Unit::Ratio, rule), move |seed| {
        let (first, last) = (&series.settings.first()?.1, &series.settings.last()?.1);
        Some(swing(seed, last)? / swing(seed, first)?)
    })
    .read_as(
        "Swing with the last value of the table over that with the first, as T over the theorem’s largest T has it; larger or \
         smaller is by a tenth at least.",
    )
}

fn swing(seed: &Seed<'_>, setting: &Setting) -> Option<f64> {
    swing_of(seed.run(setting.name), QUEUE, STEADY)
}

fn same_side(seed: &Seed<'_>, map: &Map) -> Option<f64> {
    let agrees = |setting: &Setting| {
        Some(f64::from((over_longest(setting)? > BORDER) == (swing(seed, setting)? > OSCILLATES)))
    };
    let agreed: Vec<f64> = map.iter().flatten().map(agrees).collect::<Option<_>>()?;
    Some(agreed.iter().sum::<f64>() / agreed.len() as f64)
}

fn ordered_alike(seed: &Seed<'_>, map: &Map) -> Option<f64> {
    let pair = |setting: &Setting| Some((over_longest(setting)?, swing(seed, setting)?));
    let all: Vec<(f64, f64)> = map.iter().flatten().map(pair).collect::<Option<_>>()?;
    share_of_pairs(&all, 2.0)
}

/// Of all pairs whose first members differ by a factor or more, the share in which the second members are ordered alike.
fn share_of_pairs(all: &[(f64, f64)], factor: f64) -> Option<f64> {
    let apart = |(one, other): &((f64, f64), (f64, f64))| other.0 >= factor * one.0;
    let pairs: Vec<_> =
        all.iter().flat_map(|one| all.iter().map(|other| (*one, *other))).filter(apart).collect();
    let alike = pairs.iter().filter(|(one, other)| other.1 > one.1).count();
    (!pairs.is_empty()).then(|| alike as f64 / pairs.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_that_are_close_do_not_count() {
        // 1 and 1.5 are close; of (1, 4) and (1.5, 4), one is ordered alike.
        let all = [(1.0, 10.0), (1.5, 30.0), (4.0, 20.0)];
        assert_eq!(share_of_pairs(&all, 2.0), Some(0.5));
        assert_eq!(share_of_pairs(&all[..2], 2.0), None);
    }
}
