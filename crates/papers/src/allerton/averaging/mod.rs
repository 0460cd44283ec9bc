//! AIMD with and without the Averaging Principle, as the lag grows.

mod panels;
mod scheme;

use self::scheme::{AVERAGING, EQUIVALENT, LAGS, PLAIN, SCHEMES};
use super::{ROUND_TRIP, TARGET};
use crate::prelude::*;

/// A loop has lost its stability if the queue deviates by a third of its set point.
const UNSTABLE: f64 = TARGET / 3.0;

pub(super) fn experiment() -> Experiment {
    Experiment::new("allerton/averaging", "AIMD and the Averaging Principle as the lag grows")
        .setup(
            "One backlogged source, whose port has 20 Gb/s, and a link of 10 Gb/s, at lags from 20 to 800 us. AIMD changes the rate by feedback of both signs; with averaging it takes half of each \
             change back after half a sampling interval; and as system 2 of theorem 1 it uses 3/4 of the feedback less 1/4 of the one before. Beside: an additive decrease, and ten sources.",
        )
        .paper_says(
            "A control loop becomes less stable as its lag grows. Averaging makes an AIMD scheme far more stable, without knowing the round-trip time and without any change to switches. The pages with the scheme \
             and its figures are missing from our copy.",
        )
        .assumptions([
            ROUND_TRIP,
            "The AIMD scheme is our own (its chapter gives the reasons): F in proportion to −(Qoff + 2 Qδ), increases of up to 1 Gb/s and decreases of up to half of the rate, with a sample every 150 kB. \
             A buffer of 1 MB shows how far an unstable queue oscillates.",
            "There is one bridge, and so one congestion point: those of this scheme send feedback for every sample, and one that is not congested would speed a source up.",
            "Stability is measured by the standard deviation of the queue from 0.1 s on. It is lost if this exceeds a third of the set point, 10 kB; the lag at which it does is interpolated between those that were \
             run, and is the longest of them if it never does.",
            "“Far more stable” is read as: by a quarter at least.",
        ])
        .cases(SCHEMES.iter().flat_map(|scheme| LAGS.map(|lag| scheme.case(lag))))
        .quick(0.5)
        .seeds(5)
        .panels(panels::panels)
        .claims(claims())
}

fn claims() -> [Claim; 5] {
    [
        Claim::new("aimd-loses-stability", "Plain AIMD loses its stability as the lag grows.")
            .measure(Unit::Seconds, Rule::AtMost(799e-6), |seed| PLAIN.border(seed))
            .read_as("The lag at which it does; less than the longest that is run."),
        Claim::new("averaging-holds-longer", "With averaging it is stable at much longer lags.")
            .measure(Unit::Ratio, Rule::AtLeast(1.25), |seed| Some(AVERAGING.border(seed)? / PLAIN.border(seed)?))
            .read_as("The lag at which stability is lost with averaging over that without."),
        Claim::new("steadier-beyond", "At lags at which AIMD is unstable, averaging keeps the queue steadier.")
            .measure(Unit::Ratio, Rule::AtMost(0.8), steadier_beyond)
            .read_as("Deviation with averaging over that without, at the first lag beyond AIMD’s border; steadier is by a fifth at least."),
        Claim::new("equivalent-alike", "System 2 of theorem 1 is stable up to the same lag as averaging.")
            .measure(Unit::Ratio, Rule::about(1.0, 0.15), |seed| {
                Some(EQUIVALENT.border(seed)? / AVERAGING.border(seed)?)
            })
            .read_as("Ratio of the lags at which stability is lost, within 15 %: messages do not arrive at equal intervals, and decreases are multiplicative."),
        Claim::new("theory-holds-longer", "The fluid model agrees.")
            .measure(Unit::Ratio, Rule::AtLeast(1.25), |_| Some(AVERAGING.margin()? / PLAIN.margin()?))
            .read_as("Exact delay margin of the linearised model with averaging over that without."),
    ]
}

fn steadier_beyond(seed: &Seed<'_>) -> Option<f64> {
    let border = PLAIN.border(seed)?;
    let lag = LAGS.into_iter().find(|lag| f64::from(*lag) * 1e-6 > border)?;
    Some(AVERAGING.deviation(seed, lag)? / PLAIN.deviation(seed, lag)?)
}
