//! Theorem 3 and Remark 1: SMCC comes to y = 0 from everywhere; where it stays there is another matter.

mod setting;
mod shown;
mod theory;

use setpoint_fluid::phase::Switching;
use setpoint_report::quantity::Unit;

use self::setting::{Setting, of, settings};
use self::shown::shown;
use self::theory::{agreed, landing, one_sample, reaches_line, reaches_set_point, rest};
use super::compared::LARGER;
use super::measure::level;
use super::theory::once;
use super::{PORT, Phase, QUEUE, TARGET, taken};
use crate::claim::Claim;
use crate::experiment::{Experiment, Keep, Repeats};
use crate::rule::Rule;
use crate::runs::Seed;

/// Without the start, in which the flows come down from the line rate.
const STEADY: Phase = (0.5, 2.0);

/// A queue that is off its set point by more than this has settled elsewhere.
const OFF: f64 = TARGET / 20.0;

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "smcc/theorem3",
        title: "SMCC’s phase plane: theorem 3 and the deal-breaker",
        setup: "The phase plane of SMCC, equations (26) and (27), for a ≥ 1 and a < 1 as in figures 7 and 8, with switching at once and \
                one sample later as in figure 9. Beside it packets: three flows that start at the line rate, R_a from 16 to \
                1024 Mb/s and R_b from 10 to 2560 Mb/s.",
        paper_says: "By theorem 3 SMCC comes to the sliding regime y = 0 from any state, on any network, and along it to the set point. \
                     In reality it may stay at another point of the line, the deal-breaker: where a is small, or b is large, \
                     and a counts for more than b. The link is fully used all the same.",
        assumptions: assumptions(),
        cases: settings().map(Setting::case).collect(),
        quick: 0.25,
        repeats: Repeats::Seeds(Repeats::LEAST),
        keep: Keep::Series,
        panels: Box::new(shown),
        claims: claims(),
    }
}

fn assumptions() -> Vec<String> {
    taken::list(&[
        "The paper’s a = a1/N and b = pC b2/N have no unit of time. A message reaches one source, and pC of them are sent a second: \
         a1 = a pC and b2 = b. In units of q0, of q0 pC and of 1/(pC), a is R_a/640 Mb/s and b is R_b/640 Mb/s here, so that \
         figure 7 (a ≥ 1) takes an R_a that no experiment of the paper has: we take 1024 Mb/s for it, and 256 Mb/s for figure 8.",
        "The delay of switching is one sample, 1/(pC): a difference of samples tells of a turn when the next is taken. With it \
         the deal-breaker has a border in closed form: the ellipse is followed beyond y = 0 for the delay d, and the straight \
         line from there meets y = 0 before the set point if tan(√a1 d) < b2/√a1, for short delays a1 d < b2, which is R_a < R_b.",
        "A packet run has the deal-breaker if the mean of its queue from 0.5 to 2 s is off the set point by more than a twentieth \
         of it. R_b of 640 Mb/s was known from figure 15 to show it with R_a of 64 Mb/s, at 70 kB; the other rules were written before \
         the runs.",
        "The border is that of a motion that comes from a turn, and rests on the side where it turned. Flows that start at the line rate \
         come from above.",
        taken::GAINS,
        taken::SAMPLING,
        taken::NETWORK,
    ])
}

fn claims() -> Vec<Claim> {
    let mut claims = of_theory();
    claims.extend(of_remark());
    claims.extend(of_packets());
    claims
}

fn of_theory() -> Vec<Claim> {
    let reaches = "Share of 169 starts over the whole plane, on each of two networks, from which the rates end within a hundredth of the \
                   bandwidth; switching at once.";
    let set_point = "Share of 169 starts whose queue ends within an eighth of the set point.";
    vec![
        Claim::measured(
            "reaches-line-large-a",
            "With a ≥ 1, every start reaches the line y = 0.",
            (Unit::Share, Rule::AtLeast(1.0)),
            once(|| Some(reaches_line(of(1024, 160)))),
        )
        .read_as(reaches),
        Claim::measured(
            "reaches-line-small-a",
            "With a < 1, every start reaches the line y = 0.",
            (Unit::Share, Rule::AtLeast(1.0)),
            once(|| Some(reaches_line(of(256, 40)))),
        )
        .read_as(reaches),
        Claim::measured(
            "slides-to-set-point",
            "On the line, SMCC slides to its set point.",
            (Unit::Share, Rule::AtLeast(0.99)),
            once(|| Some(reaches_set_point(of(256, 40), |_| Switching::Immediate))),
        )
        .read_as(set_point)
        .cause(
            "along y = 0 the equations say x’ = y = 0: sliding on this line is standing still, at the first point of it that is reached. \
             Theorem 3 is about reaching the line; what leads along it is the delay of switching, as the next claim shows",
        ),
        Claim::measured(
            "chatters-to-set-point",
            "With a delay of switching, SMCC chatters along the line to its set point.",
            (Unit::Share, Rule::AtLeast(0.99)),
            once(|| Some(reaches_set_point(of(256, 40), one_sample))),
        )
        .read_as(set_point)
        .cause(
            "four starts are in state B below the set point with so small an excess that their straight line meets y = 0 short of it: they \
             rest there without ever having switched, whatever a is. All others come to the set point",
        ),
    ]
}

fn of_remark() -> Vec<Claim> {
    vec![
        Claim::measured(
            "border",
            "With a delay of one sample, trajectories rest off the set point where the closed form says, and there only.",
            (Unit::Share, Rule::AtLeast(1.0)),
            once(agreed),
        )
        .read_as("Share of the pairs of R_a and R_b for which trajectory and closed form agree on where the motion rests."),
        Claim::measured(
            "a-counts-for-more-in-theory",
            "For where a trajectory rests, a counts for more than b.",
            (Unit::Ratio, LARGER),
            once(|| effect(|setting| rest(setting).map(f64::abs))),
        )
        .read_as(EFFECT),
    ]
}

/// What decides where packets settle.
const BALANCE: &str = "packets are never at rest on the line. Their differences are of either sign, by a frame or so, and states A and B take \
    turns: the queue settles where a x of the one and b |dQ| of the other cancel, at x = (b/a) |dQ|. The ratio is all that \
    counts: with R_b of 640 and R_a of 64 and 16 it is 6 and 26 kB, as mean differences of 600 and 650 B would have it";

/// Why the border of trajectories is not that of packets.
const NOT_AT_REST: &str = "a trajectory at rest stays at rest, where packets go on to differ by a frame or so and are led on to the balance of the \
    claim before, x = (b/a) |dQ|: it is near the set point unless b is many times a. With R_a of 1024 and R_b of 2560 it is the \
    other way round: a message takes away four times the excess that it tells of, and the queue is full most of the time";

/// Why the link is idle.
const OVERREACTS: &str = "with R_b of 2560 a message takes away, or adds, four times the excess that it tells of, and the queue runs empty at \
    times where R_a is 256 or 1024; with R_b of 640 and less the link is fully used";

fn of_packets() -> Vec<Claim> {
    vec![
        Claim::measured(
            "smaller-a-settles-off",
            "With a smaller a the queue settles further off its set point.",
            (Unit::Ratio, LARGER),
            |seed| Some(off(seed, of(64, 640))? / off(seed, of(256, 640))?),
        )
        .read_as("Distance of the mean from the set point, R_a of 64 over 256 with R_b of 640; further is by a tenth at least."),
        Claim::measured(
            "larger-b-settles-off",
            "With a larger b the queue settles further off its set point.",
            (Unit::Ratio, LARGER),
            |seed| Some(off(seed, of(64, 640))? / off(seed, of(64, 40))?),
        )
        .read_as("Distance of the mean from the set point, R_b of 640 over 40 with R_a of 64; further is by a tenth at least."),
        Claim::measured(
            "a-counts-for-more",
            "For where the queue settles, a counts for more than b.",
            (Unit::Ratio, LARGER),
            |seed| effect(|setting| off(seed, setting)),
        )
        .read_as(EFFECT)
        .cause(BALANCE),
        Claim::measured(
            "same-side",
            "Packets have the deal-breaker where trajectories with a delay of one sample have it, and there only.",
            (Unit::Share, Rule::AtLeast(0.8)),
            |seed| {
                let agrees =
                    |setting: &Setting| Some(f64::from((landing(setting)? > 0.0) == (off(seed, setting)? > OFF)));
                let all: Vec<f64> = settings().map(agrees).collect::<Option<_>>()?;
                Some(all.iter().sum::<f64>() / all.len() as f64)
            },
        )
        .read_as("Share of the pairs of R_a and R_b for which the closed form and packets say the same; four fifths at least.")
        .cause(NOT_AT_REST),
        Claim::measured(
            "fully-used",
            "Where the deal-breaker may be, the link is fully used.",
            (Unit::Share, Rule::AtLeast(0.995)),
            |seed| {
                let may_be = settings().filter(|setting| setting.a < setting.b);
                let used = may_be.map(|setting| seed.run(setting.name).utilisation_between(PORT, STEADY.0, STEADY.1));
                used.collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::min)
            },
        )
        .read_as("The lowest utilisation from 0.5 to 2 s of all pairs with R_a below R_b; fully is to half a per cent.")
        .cause(OVERREACTS),
    ]
}

/// How far the mean of the queue is from its set point.
fn off(seed: &Seed<'_>, setting: &Setting) -> Option<f64> {
    Some((level(seed.run(setting.name), QUEUE, STEADY)? - TARGET).abs())
}

const EFFECT: &str = "What the change of R_a makes of the distance from the set point, over what the change of R_b makes, between 64 and 256, \
                      and 160 and 640, Mb/s, each averaged over the other’s two values; more is by a tenth at least.";

/// The effect of a on a figure over the effect of b.
fn effect(figure: impl Fn(&Setting) -> Option<f64>) -> Option<f64> {
    let at = |a, b| figure(of(a, b));
    let of_a = (at(64, 160)? - at(256, 160)?).abs() + (at(64, 640)? - at(256, 640)?).abs();
    let of_b = (at(64, 160)? - at(64, 640)?).abs() + (at(256, 160)? - at(256, 640)?).abs();
    Some(of_a / of_b)
}
