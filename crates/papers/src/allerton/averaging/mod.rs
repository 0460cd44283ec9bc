//! AIMD with and without the Averaging Principle, as the lag grows.

mod panels;
mod scheme;

use self::scheme::{AVERAGING, EQUIVALENT, LAGS, PLAIN, SCHEMES};
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
            "We read “dramatically” as an improvement of at least a quarter.",
        ])
        .cases(SCHEMES.iter().flat_map(|scheme| LAGS.map(|lag| scheme.case(lag))))
        .quick(0.5)
        .seeds(5)
        .panels(panels::panels)
        .claims(claims())
}

fn claims() -> [Claim; 5] {
    [
        Claim::new(
            at("sections I and III.A"),
            "aimd-loses-stability",
            "Plain AIMD becomes unstable as the lag grows.",
        )
        .measure(Unit::Seconds, Rule::AtMost(799e-6), |seed| PLAIN.border(seed))
        .read_as("The lag at which stability is lost; it must be shorter than the longest simulated lag."),
        Claim::new(
            at("section I"),
            "averaging-holds-longer",
            "With averaging, AIMD is stable at much longer lags.",
        )
        .measure(Unit::Ratio, Rule::AtLeast(1.25), |seed| Some(AVERAGING.border(seed)? / PLAIN.border(seed)?))
        .read_as("Ratio of the lags at which stability is lost, with averaging to without."),
        Claim::new(
            OURS,
            "steadier-beyond",
            "At lags that make plain AIMD unstable, averaging keeps the queue steadier.",
        )
        .measure(Unit::Ratio, Rule::AtMost(0.8), steadier_beyond)
        .read_as(
            "Deviation with averaging divided by the deviation without, at the first lag at which plain AIMD is \
            unstable; “steadier” means a deviation smaller by at least a fifth.",
        ),
        Claim::new(
            at("section III.C"),
            "equivalent-alike",
            "System 2 of theorem 1 is stable up to the same lag as AIMD with averaging.",
        )
        .measure(Unit::Ratio, Rule::about(1.0, 0.15), |seed| {
            Some(EQUIVALENT.border(seed)? / AVERAGING.border(seed)?)
        })
        .read_as(
            "Ratio of the lags at which stability is lost, within 15 %. Exact equality cannot be expected, \
                since messages do not arrive at equal intervals and decreases are multiplicative.",
        ),
        Claim::new(OURS, "theory-holds-longer", "Averaging also allows longer lags in the fluid model.")
            .measure(Unit::Ratio, Rule::AtLeast(1.25), |_| Some(AVERAGING.margin()? / PLAIN.margin()?))
            .read_as(
                "Exact delay margin of the linearised model with averaging, divided by the margin without averaging.",
            ),
    ]
}

fn steadier_beyond(seed: &Seed<'_>) -> Option<f64> {
    let border = PLAIN.border(seed)?;
    let lag = LAGS.into_iter().find(|lag| f64::from(*lag) * 1e-6 > border)?;
    Some(AVERAGING.deviation(seed, lag)? / PLAIN.deviation(seed, lag)?)
}
