//! AIMD with and without the Averaging Principle, as the lag grows.

mod panels;
mod scheme;

use self::scheme::{AVERAGING, EQUIVALENT, LAGS, PAIRS, PLAIN, SCHEMES, Scheme};
use super::choices::{AS_DEVIATION, STABILITY};
use super::{ROUND_TRIP, TARGET, onwards};
use crate::prelude::*;

/// A loop counts as unstable if the standard deviation of the queue exceeds a third of its set point.
const UNSTABLE: f64 = TARGET / 3.0;

pub(super) fn experiment() -> Experiment {
    Experiment::new("allerton/averaging", "AIMD and the Averaging Principle as the lag grows")
        .setup(
            "One backlogged source with a 20 Gb/s port sends over a 10 Gb/s link, with lags from 20 to 800 µs. AIMD \
            changes the rate in response to feedback of either sign. With averaging, it reverts half of each change \
            after half a sampling interval. As system 2 of theorem 1, it uses 3/4 of the current feedback minus 1/4 of \
            the previous feedback. We also run cases with an additive decrease and with ten sources.",
        )
        .paper_says(
            "A control loop becomes less stable as its lag grows. Averaging makes an AIMD scheme dramatically more \
            stable, without knowledge of the round-trip time and without any change to switches. The pages that \
            describe the scheme and show its figures are missing from our copy.",
        )
        .assumptions([
            ROUND_TRIP,
            "The AIMD scheme is our own design; its chapter in the documentation gives the rationale. F is \
            proportional to −(Qoff + 2 Qδ), the rate increases by up to 1 Gb/s or decreases by up to half, and the \
            queue is sampled every 150 kB. A buffer of 1 MB shows how far an unstable queue oscillates.",
            "There is only one bridge and therefore one congestion point. In this scheme congestion points send \
            feedback for every sample, so an uncongested one would speed up a source.",
        ])
        .assumptions([format!(
            "We measure stability by the standard deviation of the queue {}. The loop counts as unstable if the \
            deviation exceeds a third of the set point. The lag at which this happens is interpolated between the \
            simulated lags; if it never happens, we use the longest lag.",
            onwards(&PLAIN.case(LAGS[0]))
        )])
        .assumptions([
            "We read “dramatically” as at least twofold: it says more than “much larger”, which we read as at least \
            one and a half times in smcc/fig21. An earlier version of this experiment read it as an improvement of at \
            least a quarter.",
        ])
        .choices([&STABILITY])
        .cases(SCHEMES.iter().flat_map(|scheme| LAGS.map(|lag| scheme.case(lag))))
        .quick(0.5)
        .seeds(5)
        .panels(panels::panels)
        .claims(claims())
}

/// The longest simulated lag, minus a margin for rounding.
const ALWAYS: f64 = 799e-6;

/// Adds the premise that plain AIMD becomes unstable.
fn given_unstable(claim: Claim) -> Claim {
    let words = "plain AIMD becomes unstable at one of the lags";
    claim.given(words, (Unit::Seconds, Rule::AtMost(ALWAYS)), |seed| PLAIN.border(seed))
}

fn claims() -> [Claim; 5] {
    [
        Claim::new(
            at("sections I and III.A"),
            "aimd-loses-stability",
            "Plain AIMD becomes unstable as the lag grows.",
        )
        .measure(Unit::Seconds, Rule::AtMost(ALWAYS), |seed| PLAIN.border(seed))
        .read_as("The lag at which stability is lost; it must be shorter than the longest simulated lag."),
        given_unstable(Claim::new(
            at("section I"),
            "improves-dramatically",
            "Averaging dramatically improves the stability of AIMD.",
        ))
        .measure(Unit::Ratio, Rule::AtLeast(2.0), improvement)
        .read_as(
            "The lag at which stability is lost with averaging, divided by the lag without it. In the other reading, the queue \
            deviation without averaging, divided by the deviation with it, at the first lag at which plain AIMD is \
            unstable. \
            “Dramatically” means at least twofold.",
        )
        .cause(
            "the linearised model of our AIMD scheme gives a similar factor (see the table). The paper’s scheme is \
            described on a page that is missing from our copy",
        ),
        given_unstable(Claim::new(
            at("abstract"),
            "averaging-stabilises",
            "Averaging makes a loop stable at a lag at which it is unstable without averaging.",
        ))
        .measure(Unit::Bytes, Rule::AtMost(UNSTABLE), |seed| {
            let beyond = |(plain, averaging): &(Scheme, Scheme)| {
                averaging.deviation(seed, plain.first_unstable(seed)?)
            };
            largest(&PAIRS.iter().filter_map(beyond).collect::<Vec<_>>())
        })
        .read_as(
            "Deviation of the queue with averaging at the first simulated lag at which the scheme is unstable without \
            averaging; at most a third of the set point. The largest deviation of three cases counts: one source with \
            multiplicative decrease, one with additive decrease, and ten sources. A scheme that is always stable does \
            not count.",
        ),
        Claim::new(
            at("section III.C"),
            "equivalent-alike",
            "System 2 of theorem 1 is stable up to the same lag as AIMD with averaging.",
        )
        .measure(Unit::Ratio, Rule::Equivalent(0.85, 1.15), |seed| {
            Some(EQUIVALENT.border(seed)? / AVERAGING.border(seed)?)
        })
        .read_as(
            "Ratio of the lags at which stability is lost; the 95 % confidence interval of the mean must lie within \
            15 % of one. Exact equality cannot be expected, since messages do not arrive at equal intervals and \
            decreases are multiplicative.",
        ),
        Claim::new(OURS, "theory-holds-longer", "Averaging also allows longer lags in the fluid model.")
            .measure(Unit::Ratio, Rule::AtLeast(1.25), |_| Some(AVERAGING.margin()? / PLAIN.margin()?))
            .fails_for("a scheme that does not average", || Some(PLAIN.margin()? / PLAIN.margin()?))
            .read_as(
                "Exact delay margin of the linearised model with averaging, divided by the margin without averaging; \
                “longer” means by at least a quarter.",
            ),
    ]
}

/// The factor by which averaging improves stability.
fn improvement(seed: &Seed<'_>) -> Option<f64> {
    if seed.reads(&STABILITY, AS_DEVIATION) {
        let lag = PLAIN.first_unstable(seed)?;
        Some(PLAIN.deviation(seed, lag)? / AVERAGING.deviation(seed, lag)?)
    } else {
        Some(AVERAGING.border(seed)? / PLAIN.border(seed)?)
    }
}
