//! Theorem 3 and Remark 1: SMCC reaches y = 0 from everywhere; where it stays there is another matter.

mod panels;
mod setting;
mod theory;

use setpoint_fluid::phase::Switching;

use self::setting::{Setting, settings};
use self::theory::{agreed, landing, one_sample, reaches_line, reaches_set_point, rest};
use super::comparison::LARGER;
use super::theory::once;
use super::{GAINS, NETWORK, PORT, QUEUE, SAMPLING, TARGET};
use crate::prelude::*;

/// Without the start, in which the flows come down from the line rate.
const STEADY: Window = START.plus(0.5).until(END);

/// A queue that is farther off its set point than this has settled elsewhere.
const OFF: f64 = TARGET / 20.0;

pub(super) fn experiment() -> Experiment {
    Experiment::new("smcc/theorem3", "SMCC’s phase plane: theorem 3 and the deal-breaker")
        .setup(
            "The phase plane of SMCC, equations (26) and (27), for a ≥ 1 and a < 1 as in figures 7 and 8, with immediate switching and \
             one sample later as in figure 9. Beside it packets: three flows that start at the line rate, R_a from 16 to \
             1024 Mb/s and R_b from 10 to 2560 Mb/s.",
        )
        .paper_says(
            "By theorem 3 SMCC reaches the sliding regime y = 0 from any state, on any network, and along it the set point. \
             In reality it may stay at another point of the line, the deal-breaker: where a is small, or b is large, \
             and a counts for more than b. The link is fully used all the same.",
        )
        .assumptions([
            "The paper’s a = a1/N and b = pC b2/N have no unit of time. A message reaches one source, and pC of them are sent a second: \
             a1 = a pC and b2 = b. In units of q0, of q0 pC and of 1/(pC), a is R_a/640 Mb/s and b is R_b/640 Mb/s here, so that \
             figure 7 (a ≥ 1) needs an R_a that no experiment of the paper has: we use 1024 Mb/s for it, and 256 Mb/s for figure 8.",
            "The switching delay is one sample, 1/(pC): a difference of samples shows a turn when the next is taken. With it \
             the deal-breaker has a border in closed form: the ellipse is followed beyond y = 0 for the delay d, and the straight \
             line from there meets y = 0 before the set point if tan(√a1 d) < b2/√a1, for short delays a1 d < b2, which is R_a < R_b.",
            "A packet run has the deal-breaker if the mean of its queue from 0.5 to 2 s is off the set point by more than a twentieth \
             of it. R_b of 640 Mb/s was known from figure 15 to show it with R_a of 64 Mb/s, at 70 kB; the other rules were written before \
             the runs.",
            "The border is that of a motion that comes from a turn, and rests on the side where it turned. Flows that start at the line rate \
             come from above.",
            GAINS,
            SAMPLING,
            NETWORK,
        ])
        .cases(settings().map(Setting::case))
        .seeds(Repeats::LEAST)
        .panels(panels::panels)
        .claims(of_theory())
        .claims(of_remark())
        .claims(of_packets())
}

/// A pair of R_a and R_b.
const fn pair(a: u32, b: u32) -> Setting {
    Setting { a, b }
}

fn of_theory() -> [Claim; 4] {
    const REACHES: &str = "Share of 169 starts over the whole plane, on each of two networks, from which the rates end within a hundredth of the \
                           bandwidth; immediate switching.";
    const SET_POINT: &str = "Share of 169 starts whose queue ends within an eighth of the set point.";
    let every = |name, statement, rule, compute: fn() -> f64| {
        Claim::new(name, statement).measure(Unit::Share, rule, once(move || Some(compute())))
    };
    [
        every(
            "reaches-line-large-a",
            "With a ≥ 1, every start reaches the line y = 0.",
            Rule::AtLeast(1.0),
            || reaches_line(pair(1024, 160)),
        )
        .read_as(REACHES),
        every(
            "reaches-line-small-a",
            "With a < 1, every start reaches the line y = 0.",
            Rule::AtLeast(1.0),
            || reaches_line(pair(256, 40)),
        )
        .read_as(REACHES),
        every("slides-to-set-point", "On the line, SMCC slides to its set point.", Rule::AtLeast(0.99), || {
            reaches_set_point(pair(256, 40), |_| Switching::Immediate)
        })
        .read_as(SET_POINT)
        .cause(
            "along y = 0 the equations say x’ = y = 0: sliding on this line means no motion, at the first point of it that is reached. \
             Theorem 3 is about reaching the line; the switching delay leads along it, as the next claim shows",
        ),
        every(
            "chatters-to-set-point",
            "With a switching delay, SMCC chatters along the line to its set point.",
            Rule::AtLeast(0.99),
            || reaches_set_point(pair(256, 40), one_sample),
        )
        .read_as(SET_POINT)
        .cause(
            "four starts are in state B below the set point with so small an excess that their straight line meets y = 0 short of it: they \
             rest there without ever having switched, whatever a is. All others reach the set point",
        ),
    ]
}

fn of_remark() -> [Claim; 2] {
    [
        Claim::new(
            "border",
            "With a delay of one sample, trajectories rest off the set point where the closed form says, and only there.",
        )
        .measure(Unit::Share, Rule::AtLeast(1.0), once(agreed))
        .read_as("Share of the pairs of R_a and R_b for which trajectory and closed form agree on where the motion rests."),
        Claim::new("a-counts-for-more-in-theory", "For where a trajectory rests, a counts for more than b.")
            .measure(Unit::Ratio, LARGER, once(|| effect(|setting| rest(setting).map(f64::abs))))
            .read_as(EFFECT),
    ]
}

/// What decides where packets settle.
const BALANCE: &str = "packets are never at rest on the line. Their differences are of either sign, by a frame or so, and states A and B \
    alternate: the queue settles where a x of the one and b |dQ| of the other cancel, at x = (b/a) |dQ|. Only the ratio \
    counts: with R_b of 640 and R_a of 64 and 16 it is 6 and 26 kB, as mean differences of 600 and 650 B would give";

/// Why the border of trajectories is not that of packets.
const NOT_AT_REST: &str = "a trajectory at rest stays at rest, while packets keep differing by a frame or so and move on to the balance of the \
    claim before, x = (b/a) |dQ|: it is near the set point unless b is many times a. With R_a of 1024 and R_b of 2560 it is the \
    reverse: a message removes four times the excess that it reports, and the queue is full most of the time";

/// Why the link is idle.
const OVERREACTS: &str = "with R_b of 2560 a message removes, or adds, four times the excess that it reports, and the queue runs empty at \
    times if R_a is 256 or 1024; with R_b of 640 and less the link is fully used";

fn of_packets() -> [Claim; 5] {
    let ratio = |seed: &Seed<'_>, of, over| Some(off(seed, of)? / off(seed, over)?);
    [
        Claim::new("smaller-a-settles-off", "With a smaller a the queue settles further off its set point.")
            .measure(Unit::Ratio, LARGER, move |seed| ratio(seed, pair(64, 640), pair(256, 640)))
            .read_as("Distance of the mean from the set point, R_a of 64 over 256 with R_b of 640; further is by a tenth at least."),
        Claim::new("larger-b-settles-off", "With a larger b the queue settles further off its set point.")
            .measure(Unit::Ratio, LARGER, move |seed| ratio(seed, pair(64, 640), pair(64, 40)))
            .read_as("Distance of the mean from the set point, R_b of 640 over 40 with R_a of 64; further is by a tenth at least."),
        Claim::new("a-counts-for-more", "For where the queue settles, a counts for more than b.")
            .measure(Unit::Ratio, LARGER, |seed| effect(|setting| off(seed, setting)))
            .read_as(EFFECT)
            .cause(BALANCE),
        Claim::new(
            "same-side",
            "Packets have the deal-breaker where trajectories with a delay of one sample have it, and only there.",
        )
        .measure(Unit::Share, Rule::AtLeast(0.8), |seed| {
            let agrees =
                |setting| Some(f64::from((landing(setting)? > 0.0) == (off(seed, setting)? > OFF)));
            let agreed = all(settings().map(agrees))?;
            Some(agreed.iter().sum::<f64>() / agreed.len() as f64)
        })
        .read_as("Share of the pairs of R_a and R_b for which the closed form and packets agree; four fifths at least.")
        .cause(NOT_AT_REST),
        Claim::new("fully-used", "Where the deal-breaker may occur, the link is fully used.")
            .measure(Unit::Share, Rule::AtLeast(0.995), |seed| {
                let may_occur = settings().filter(|setting| setting.a < setting.b);
                least(may_occur.map(|setting| seed.run(&setting.name()).utilisation(PORT, STEADY)))
            })
            .read_as("The lowest utilisation from 0.5 to 2 s of all pairs with R_a below R_b; fully is within half a per cent.")
            .cause(OVERREACTS),
    ]
}

/// The distance of the mean of the queue from its set point.
fn off(seed: &Seed<'_>, setting: Setting) -> Option<f64> {
    Some((seed.run(&setting.name()).mean_queue(QUEUE, STEADY)? - TARGET).abs())
}

const EFFECT: &str = "Effect of changing R_a on the distance from the set point, over the effect of changing R_b, between 64 and 256, \
                      and 160 and 640, Mb/s, each averaged over the other’s two values; more is by a tenth at least.";

/// The effect of a on a figure over the effect of b.
fn effect(figure: impl Fn(Setting) -> Option<f64>) -> Option<f64> {
    let at = |a, b| figure(pair(a, b));
    let of_a = (at(64, 160)? - at(256, 160)?).abs() + (at(64, 640)? - at(256, 640)?).abs();
    let of_b = (at(64, 160)? - at(64, 640)?).abs() + (at(256, 160)? - at(256, 640)?).abs();
    Some(of_a / of_b)
}
