//! AIMD with and without the Averaging Principle, as the lag grows.

mod page;
mod variant;

use setpoint_report::quantity::Unit;

use self::variant::{ALL, AVERAGING, EQUIVALENT, PLAIN, Variant};
use super::{Phase, TARGET, taken};
use crate::claim::Claim;
use crate::experiment::{Experiment, Keep, Repeats};
use crate::rule::Rule;
use crate::runs::Seed;

/// When the start is over.
const STEADY: Phase = (0.1, 0.2);
/// A loop has lost its stability where the queue swings by a third of its set point.
const LOST: f64 = TARGET / 3.0;

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "allerton/averaging",
        title: "AIMD and the Averaging Principle as the lag grows",
        setup: "One backlogged source, whose port has 20 Gb/s, and a link of 10 Gb/s, at lags from 20 to 800 us. AIMD changes the rate by feedback of both signs; with averaging it takes half of each \
                change back after half a sampling interval; and as system 2 of theorem 1 it uses 3/4 of the feedback less 1/4 of the one before. Beside: an additive decrease, and ten sources.",
        paper_says: "A control loop becomes less stable as its lag grows. Averaging makes an AIMD scheme far more stable, without knowing the round-trip time and without any change to switches. The pages with the scheme and its figures are missing from our copy.",
        assumptions: [
            taken::list(&[taken::ROUND_TRIP]),
            vec![
                "The AIMD scheme is the project’s (its chapter says why): F in proportion to −(Qoff + 2 Qδ), by up to 1 Gb/s for more and up to half of the rate for less, with a sample of 150 kB regularly. \
                 A buffer of 1 MB shows how far an unstable queue swings."
                    .to_owned(),
                "There is one bridge, and so one congestion point: those of this scheme tell every sample, and one that is not congested would speed a source up.".to_owned(),
                "Swing is the standard deviation of the queue from 0.1 s on. Stability is lost where it exceeds a third of the set point, 10 kB; the lag at which it does is interpolated between those that were \
                 run, and is the longest of them where it never does."
                    .to_owned(),
                "“Far more stable” is read as: by a quarter at least.".to_owned(),
            ],
        ]
        .concat(),
        cases: ALL.iter().flat_map(Variant::all).collect(),
        quick: 0.5,
        repeats: Repeats::Seeds(5),
        keep: Keep::Series,
        panels: Box::new(page::shown),
        claims: claims(),
    }
}

fn claims() -> Vec<Claim> {
    vec![
        Claim::measured(
            "aimd-loses-stability",
            "Plain AIMD loses its stability as the lag grows.",
            (Unit::Seconds, Rule::AtMost(799e-6)),
            |seed| PLAIN.border(seed),
        )
        .read_as("The lag at which it does; less than the longest that is run."),
        Claim::measured(
            "averaging-holds-longer",
            "With averaging it holds longer, dramatically.",
            (Unit::Ratio, Rule::AtLeast(1.25)),
            |seed| Some(AVERAGING.border(seed)? / PLAIN.border(seed)?),
        )
        .read_as("The lag at which stability is lost with averaging over that without."),
        Claim::measured(
            "steadier-beyond",
            "At lags at which AIMD has lost it, averaging keeps the queue steadier.",
            (Unit::Ratio, Rule::AtMost(0.8)),
            steadier_beyond,
        )
        .read_as("Swing with averaging over that without, at the first lag beyond AIMD’s border; steadier is by a fifth at least."),
        Claim::measured(
            "equivalent-alike",
            "System 2 of theorem 1 bears as long a lag as averaging.",
            (Unit::Ratio, Rule::about(1.0, 0.15)),
            |seed| Some(EQUIVALENT.border(seed)? / AVERAGING.border(seed)?),
        )
        .read_as("Ratio of the lags at which stability is lost, within 15 %: messages do not come at equal distances, and decreases are multiplicative."),
        Claim::measured(
            "theory-holds-longer",
            "The fluid model says so, too.",
            (Unit::Ratio, Rule::AtLeast(1.25)),
            |_| Some(AVERAGING.margin()? / PLAIN.margin()?),
        )
        .read_as("Exact delay margin of the linearised model with averaging over that without."),
    ]
}

fn steadier_beyond(seed: &Seed<'_>) -> Option<f64> {
    let border = PLAIN.border(seed)?;
    let beyond = |(lag, _): &&(f64, f64)| *lag > border;
    let (plain, averaging) = (PLAIN.swings(seed)?, AVERAGING.swings(seed)?);
    let (lag, without) = *plain.iter().find(beyond)?;
    let (_, with) = averaging.iter().find(|(other, _)| (other / lag - 1.0).abs() < 1e-9)?;
    Some(with / without)
}
