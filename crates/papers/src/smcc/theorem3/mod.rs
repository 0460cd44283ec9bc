//! Theorem 3 and Remark 1: SMCC reaches y = 0 from every state, but it may settle at any point on that line.

mod panels;
mod setting;
mod theory;

use setpoint_fluid::phase::{Plane, Switching};

use self::setting::{Setting, settings};
use self::theory::{STATES, agreed, landing, one_sample, reaches_line, reaches_set_point, rest, two_samples};
use super::comparison::LARGER;
use super::theory::once;
use super::{ARRIVING, GAINS, NETWORK, PORT, QUEUE, TARGET};
use crate::prelude::*;

/// The run without its start, during which the flows slow down from the line rate.
const STEADY: Window = START.plus(0.5).until(END);

/// A queue that is farther from its set point than this has settled elsewhere.
const OFF: f64 = TARGET / 20.0;

pub(super) fn experiment() -> Experiment {
    Experiment::new("smcc/theorem3", "SMCC’s phase plane: theorem 3 and the deal-breaker")
        .setup(
            "The phase plane of SMCC, equations (26) and (27), is shown for a ≥ 1 and a < 1 as in figures 7 and 8, \
            with immediate switching and, as in figure 9, with switching delayed by one sample. We compare it with \
            packet simulations of three flows that start at the line rate, with R_a from 16 to 1024 Mb/s and R_b from \
            10 to 2560 Mb/s.",
        )
        .paper_says(
            "According to theorem 3 SMCC reaches the sliding regime y = 0 from any state and on any network, and then \
            slides along it to the set point. In practice it may stay at another point on the line if a is small or b \
            is large; a has more influence than b. The paper calls this the deal-breaker. The link is still fully \
            used.",
        )
        .assumptions(ASSUMPTIONS)
        .cases(settings().map(Setting::case))
        .seeds(Repeats::LEAST)
        .panels(panels::panels)
        .claims(of_theorem())
        .claims(of_sliding())
        .claims(of_remark())
        .claims(of_packets())
}

const ASSUMPTIONS: [&str; 8] = [
    "The paper’s a = a1/N and b = pC b2/N lack a unit of time. Each message reaches one source, and pC messages are \
    sent per second, so a1 = a pC and b2 = b. With queues in units of q0, rates in units of q0 pC and times in units \
    of 1/(pC), a is R_a/(640 Mb/s) and b is R_b/(640 Mb/s) here, so figure 7 (a ≥ 1) needs an R_a that no experiment \
    in the paper uses. We use 1024 Mb/s for figure 7, and 256 Mb/s for figure 8.",
    "The switching delay is one sample, 1/(pC), because the difference between samples reveals a turn only when the \
    next sample is taken. With this delay, the boundary of the deal-breaker can be given in closed form. The motion follows the \
    ellipse beyond y = 0 for the duration d of the delay, and the straight line from there meets y = 0 before the set \
    point if tan(√a1 d) < b2/√a1. For short delays this becomes a1 d < b2, or R_a < R_b.",
    "A packet simulation shows the deal-breaker if its mean queue after the first half second differs from the set \
    point by more than a twentieth. We knew from earlier trials that it occurs with R_a = 64 Mb/s and R_b = 640 Mb/s. \
    The other rules were written before the runs.",
    "The border applies to a motion that has turned, which settles on the side where it turned. Flows that start at \
    the line rate approach from above.",
    GAINS,
    "One frame is sampled per 100 kB of arriving traffic, as in the leading set-up of the other experiments.",
    ARRIVING,
    NETWORK,
];

/// A pair of R_a and R_b.
const fn pair(a: u32, b: u32) -> Setting {
    Setting { a, b }
}

fn of_theorem() -> [Claim; 2] {
    let reaches = |(origin, name), statement: &str, setting: Setting| {
        Claim::new(origin, name, statement)
            .measure(Unit::Share, Rule::AtLeast(1.0), once(move || Some(reaches_line(setting, 1.0))))
            .fails_for("a thousandth of the time", move || Some(reaches_line(setting, 1e-3)))
            .read_as(format!(
                "Share of {STATES} initial states spread over the whole plane, on each of two networks, from which the \
                total rate ends within a hundredth of the bandwidth, with immediate switching."
            ))
    };
    [
        reaches(
            (at("section 4.3, theorem 3 and figure 7"), "reaches-line-large-a"),
            "With a ≥ 1, the trajectory from every initial state reaches the line y = 0.",
            pair(1024, 160),
        ),
        reaches(
            (at("section 4.3, theorem 3 and figure 8"), "reaches-line-small-a"),
            "With a < 1, the trajectory from every initial state reaches the line y = 0.",
            pair(256, 40),
        ),
    ]
}

fn of_sliding() -> [Claim; 2] {
    let settles = |(origin, name), statement: &str, switching: fn(&Plane) -> Switching| {
        Claim::new(origin, name, statement)
            .measure(
                Unit::Share,
                Rule::AtLeast(0.99),
                once(move || Some(reaches_set_point(pair(256, 40), switching))),
            )
            .read_as(format!(
                "Share of {STATES} initial states from which the queue ends within an eighth of the set point."
            ))
    };
    [
        settles((at("section 4.6"), "slides-to-set-point"), "On the line, SMCC slides to its set point.", |_| {
            Switching::Immediate
        })
        .cause(
            "along y = 0 the equations give x’ = y = 0: sliding on this line means staying at the first point reached. \
            Theorem 3 is about reaching the line. The switching delay moves the state along it, as the next claim \
            shows",
        ),
        settles(
            (OURS, "chatters-to-set-point"),
            "With a switching delay, SMCC chatters along the line to its set point.",
            one_sample,
        )
        .cause(
            "some initial points lie in state B below the set point, with so small an excess that the straight line \
            from them meets y = 0 before the set point. The motion stays there without ever having switched, whatever \
            the value of a. From all other points it reaches the set point",
        ),
    ]
}

fn of_remark() -> [Claim; 2] {
    [
        Claim::new(OURS, "border",
            "With a delay of one sample, trajectories settle away from the set point where the closed form predicts \
            this, and only there.",
        )
        .measure(Unit::Share, Rule::AtLeast(1.0), once(|| agreed(one_sample)))
        .fails_for("trajectories with a delay of two samples", || agreed(two_samples))
        .read_as("Share of the pairs of R_a and R_b for which the trajectory and the closed form agree on where the \
            motion settles."),
        Claim::new(OURS, "a-counts-for-more-in-theory", "Where a trajectory settles depends more on a than on b.")
            .measure(Unit::Ratio, LARGER, once(|| effect(|setting| rest(setting).map(f64::abs))))
            .fails_for("a and b exchanged", || Some(1.0 / effect(|setting| rest(setting).map(f64::abs))?))
            .read_as(EFFECT),
    ]
}

/// The reason why the queue settles where it does in packet simulations.
const BALANCE: &str = "the packet simulation never stays at one point of the line. Successive samples differ by about a \
    frame in either direction, and states A and B alternate. The queue settles where a x in one state and b |dQ| in \
    the other cancel out, at x = (b/a) |dQ|. Only the ratio of b to a matters (see the map)";

/// The reason why the border for trajectories differs from the border in packet simulations.
const NOT_AT_REST: &str = "a trajectory that has stopped does not move again. In the packet simulation samples keep \
    differing by about a frame, and the queue moves on to the balance described for the previous claim, x = \
    (b/a) |dQ|, which is near the set point unless b is many times a. With R_a = 1024 and R_b = 2560 it is the other \
    way round: a message removes four times the excess that it reports, and the queue is full most of the time";

/// The reason why the link is idle.
const OVERREACTS: &str = "with R_b = 2560 a message removes, or adds, four times the excess that it reports, and the \
    queue is sometimes empty if R_a is 256 or 1024. With an R_b of 640 or less the link is fully used";

fn of_packets() -> [Claim; 5] {
    let ratio = |seed: &Seed<'_>, of, over| Some(off(seed, of)? / off(seed, over)?);
    [
        Claim::new(OURS, "smaller-a-settles-off", "With a smaller a the queue settles further from its set point.")
            .measure(Unit::Ratio, LARGER, move |seed| ratio(seed, pair(64, 640), pair(256, 640)))
            .read_as("Distance of the mean queue from the set point with R_a = 64, divided by the distance with \
                R_a = 256, both with R_b = 640. “Further” means by at least a tenth."),
        Claim::new(OURS, "larger-b-settles-off", "With a larger b the queue settles further from its set point.")
            .measure(Unit::Ratio, LARGER, move |seed| ratio(seed, pair(64, 640), pair(64, 40)))
            .read_as("Distance of the mean queue from the set point with R_b = 640, divided by the distance with \
                R_b = 40, both with R_a = 64. “Further” means by at least a tenth."),
        Claim::new(OURS, "a-counts-for-more", "Where the queue settles depends more on a than on b.")
            .measure(Unit::Ratio, LARGER, |seed| effect(|setting| off(seed, setting)))
            .read_as(EFFECT)
            .cause(BALANCE),
        Claim::new(OURS, "same-side",
            "The packet simulation shows the deal-breaker where trajectories with a delay of one sample show it, and \
            only there.",
        )
        .measure(Unit::Share, Rule::AtLeast(0.8), |seed| {
            let agrees =
                |setting| Some(f64::from((landing(setting)? > 0.0) == (off(seed, setting)? > OFF)));
            let agreed = all(settings().map(agrees))?;
            Some(agreed.iter().sum::<f64>() / agreed.len() as f64)
        })
        .read_as("Share of the pairs of R_a and R_b for which the closed form and the packet simulation agree; at \
            least four fifths.")
        .cause(NOT_AT_REST),
        Claim::new(OURS, "fully-used", "Where the deal-breaker may occur, the link is fully used.")
            .measure(Unit::Share, Rule::AtLeast(0.995), |seed| {
                let may_occur = settings().filter(|setting| setting.a < setting.b);
                least(may_occur.map(|setting| seed.run(&setting.name()).utilisation(PORT, STEADY)))
            })
            .read_as("The lowest utilisation after the first half second, over all pairs with R_a below R_b; “fully” \
                means at least 99.5 %.")
            .cause(OVERREACTS),
    ]
}

/// The distance of the mean queue from its set point.
fn off(seed: &Seed<'_>, setting: Setting) -> Option<f64> {
    Some((seed.run(&setting.name()).mean_queue(QUEUE, STEADY)? - TARGET).abs())
}

const EFFECT: &str = "The effect of changing R_a between 64 and 256 Mb/s on the distance from the set point, divided \
    by the effect of changing R_b between 160 and 640 Mb/s. Each effect is averaged over the two values of the other \
    parameter. “More” means by at least a tenth.";

/// The effect of `a` on a figure divided by the effect of `b`.
fn effect(figure: impl Fn(Setting) -> Option<f64>) -> Option<f64> {
    let at = |a, b| figure(pair(a, b));
    let of_a = (at(64, 160)? - at(256, 160)?).abs() + (at(64, 640)? - at(256, 640)?).abs();
    let of_b = (at(64, 160)? - at(64, 640)?).abs() + (at(256, 160)? - at(256, 640)?).abs();
    Some(of_a / of_b)
}
