//! Statements in the abstract and the conclusion that refer to no figure, judged with the runs of figure 6.

use super::{AS_GOOD, BOTH, FOUR, filling_time};
use crate::prelude::*;

/// The fair share of a flow in each phase.
pub(super) const FAST_SHARE: f64 = 2.5e9;
pub(super) const SLOW_SHARE: f64 = 0.25e9;

/// The whole phases, in which flows converge, with their shares.
const PHASES: [(Window, f64); 3] = [
    (START.until(change(1)), FAST_SHARE),
    (change(1).until(change(2)), SLOW_SHARE),
    (change(2).until(END), FAST_SHARE),
];
/// Flows have converged once their samples have stayed within this distance of the share for this time. The paper
/// uses the same distance in figure 8.
const NEAR: f64 = 0.25;
const STAY: f64 = 0.1;

pub(super) fn claims() -> [Claim; 3] {
    let [faster, slower] = responsiveness();
    [convergence_claim(), faster, slower]
}

fn convergence_claim() -> Claim {
    Claim::new(at("abstract"), "converges-faster", "AF-QCN converges to fairness faster than QCN.")
        .measure(Unit::Ratio, Rule::AtLeast(1.5), |seed| {
            Some(convergence(seed.run("qcn"))? / convergence(seed.run("af-qcn"))?)
        })
        .read_as(
            "The time from the beginning of a phase until the 10 ms samples of all four flows stay within 25 % of the \
            share for 100 ms. The paper uses this distance in figure 8. If this never happens, the length of the phase \
            counts. The times of the three phases are added up, and QCN’s sum is divided by AF-QCN’s; “faster” means \
            by a factor of at least 1.5, as for “less fair”.",
        )
        .needs(Needs {
            part: "a phase",
            window: PHASES[0].0,
            least: 2.0,
            process: "convergence with QCN, if it happens at all,",
        })
}

/// AF-QCN "retains" QCN's responsiveness.
fn responsiveness() -> [Claim; 2] {
    let claim = |name, statement| Claim::new(at("section V"), name, statement);
    [
        claim("as-responsive-to-a-faster-link", "AF-QCN responds to a faster link as quickly as QCN.")
            .measure(Unit::Ratio, AS_GOOD, |seed| {
                Some(filled_after(seed.run("af-qcn"))? / filled_after(seed.run("qcn"))?)
            })
            .read_as(
                "AF-QCN “retains” QCN’s responsiveness, which section I defines as “rapidly adapt source rates to \
                extreme link bandwidth variations”. The time from the return to 10 Gb/s until the flows deliver \
                9.5 Gb/s for 100 ms, with AF-QCN divided by the same time with QCN; at most a quarter longer, in an \
                equivalence test.",
            ),
        claim("as-responsive-to-a-slower-link", "AF-QCN responds to a slower link as quickly as QCN.")
            .measure_pooled(
                Unit::Ratio,
                AS_GOOD,
                |seed| Some([lost_frames(seed.run("af-qcn"))?, lost_frames(seed.run("qcn"))?]),
                |lost: &[&[f64; 2]]| {
                    let total = |case: usize| lost.iter().map(|lost| lost[case]).sum::<f64>();
                    (total(1) > 0.0).then(|| total(0) / total(1))
                },
            )
            .read_as(
                "Sources slow down within a few milliseconds, which samples of 10 ms do not resolve. But the longer it \
                takes, the more frames are lost. We therefore compare the frames lost in the whole run (at the start \
                and at the drop to 1 Gb/s) with AF-QCN and with QCN, for all seeds together; at most a quarter more, \
                in an equivalence test.",
            )
            .cause(
                "QCN’s part of the sum in equation (4) has a weight of 7/8, so the first notifications after the drop, \
                which carry strong feedback for all flows, slow them down less",
            ),
    ]
}

/// Figures by case.
pub(super) fn table(runs: &Runs) -> Table {
    table::by_case(
        runs,
        &BOTH,
        &[
            ("Time to converge, three phases", Unit::Seconds, convergence),
            ("Time until the faster link is filled", Unit::Seconds, filled_after),
            ("Frames lost", Unit::Count, lost_frames),
        ],
    )
}

/// The time that the flows take to converge to their shares, summed over the phases.
fn convergence(run: &Run) -> Option<f64> {
    Some(all(PHASES.map(|(phase, share)| converged_after(run, share, phase)))?.iter().sum())
}

/// The time that the flows take to converge to a share; the length of the phase if they do not converge.
fn converged_after(run: &Run, share: f64, phase: Window) -> Option<f64> {
    let rates: Vec<&[f64]> = FOUR.iter().map(|(flow, _)| run.rates(flow)).collect::<Option<_>>()?;
    let off = |at: usize| most(rates.iter().map(|rate| Some((rate[at] / share - 1.0).abs())));
    let off: Vec<f64> = (0..rates[0].len()).map(off).collect::<Option<_>>()?;
    let settled = run.settling(&off, phase.from(), STAY, |off| off <= NEAR);
    let (from, to) = run.timeline.range(phase);
    Some(settled.unwrap_or(f64::INFINITY).min(to - from))
}

/// The time from the link's recovery until the flows fill it; the rest of the run if they never do.
fn filled_after(run: &Run) -> Option<f64> {
    let (from, to) = run.timeline.range(change(2).until(END));
    filling_time(run).or(Some(to - from))
}

/// The number of frames lost in the whole run.
#[expect(clippy::unnecessary_wraps, reason = "measures and table columns are options")]
fn lost_frames(run: &Run) -> Option<f64> {
    Some(run.summary.total.dropped_frames as f64)
}
