//! Figure 9: weights, and a rate limit for one flow.

use super::choices::SIMULATED;
use super::{AT_SHARE, FOUR, from_shares, rate_panels};
use crate::prelude::*;

/// Before and after the limit is set, without the first half second of each phase.
const WEIGHTED: Window = START.plus(0.5).until(change(1));
const BOUNDED: Window = change(1).plus(0.5).until(END);
/// The shares before and after the limit is set.
const WEIGHTED_SHARES: [(&str, f64); 4] = [("f1", 4e9), ("f2", 3e9), ("f3", 2e9), ("f4", 1e9)];
const BOUNDED_SHARES: [(&str, f64); 4] = [("f1", 1e9), ("f2", 4.5e9), ("f3", 3e9), ("f4", 1.5e9)];

pub(super) fn experiment() -> Experiment {
    const WITHIN: &str = "Mean rates, starting 0.5 s after the change, within 10 %.";
    let claim = |name, statement| Claim::new(at("section IV-B, figure 9"), name, statement);
    Experiment::new("af-qcn/fig09", "Weights, and a rate limit for one flow")
        .setup(
            "Four backlogged flows with weights 4, 3, 2 and 1 share 10 Gb/s with AF-QCN. At 2 s the congestion point \
            limits the first flow to 1 Gb/s.",
        )
        .paper_says(
            "The rates are in the ratio of the weights before and after this change: when the first flow is limited to \
            1 Gb/s, the others share the rest in the ratio 3:2:1. According to the conclusion, AF-QCN achieves weighted \
            fairness at the granularity of a few milliseconds.",
        )
        .assumptions([
            "The run ends 2 s after the limit is set; the paper does not say when its run ends.",
            "Rates are sampled every 2 ms, in order to judge the fairness at a granularity of “a few milliseconds” \
            (section V).",
        ])
        .choices(SIMULATED)
        .cases([Case::new("af-qcn", "AF-QCN", scenario!("af-qcn": "fig09"))])
        .panels(|runs| rate_panels(runs, &[("af-qcn", "Rates of four flows with weights 4, 3, 2 and 1")], &FOUR))
        .claims([
            claim("weights", "The rates follow the weights 4:3:2:1.")
                .measure(Unit::Share, Rule::AtMost(AT_SHARE), |seed| {
                    from_shares(seed.run("af-qcn"), &WEIGHTED_SHARES, WEIGHTED)
                })
                .read_as(WITHIN),
            claim("bound", "After 2 s the first flow is limited to 1 Gb/s.")
                .measure(Unit::BitsPerSecond, Rule::about(1e9, AT_SHARE), |seed| {
                    seed.run("af-qcn").mean_rate("f1", BOUNDED)
                })
                .read_as(WITHIN),
            claim("weights-beside-bound", "After 2 s the others share the rest in the ratio 3:2:1.")
                .measure(Unit::Share, Rule::AtMost(AT_SHARE), |seed| ratio_of_rest(seed.run("af-qcn")))
                .read_as("Each flow’s share of the sum of the three rates, within 10 % of the share that its weight \
                    gives it."),
            Claim::new(
                at("section V"),
                "fair-within-milliseconds",
                "AF-QCN achieves weighted fairness at the granularity of a few milliseconds.",
            )
            .measure(Unit::Share, Rule::AtLeast(0.95), |seed| samples_at_share(seed.run("af-qcn")))
            .read_as(
                "The share of the 2 ms samples of all flows that are within 10 % of the flow’s weighted max-min share, \
                starting 0.5 s after the change. Fairness “at a granularity” means that nearly every sample, at least \
                95 %, shows it.",
            ),
        ])
}

/// The fraction of all samples at which a flow has its share.
fn samples_at_share(run: &Run) -> Option<f64> {
    let phases = [(WEIGHTED, WEIGHTED_SHARES), (BOUNDED, BOUNDED_SHARES)];
    let mut at_share = Vec::new();
    for (window, shares) in phases {
        for (flow, share) in shares {
            let samples = run.over(run.rates(flow)?, window)?;
            at_share.extend(samples.iter().map(|rate| f64::from((rate / share - 1.0).abs() <= AT_SHARE)));
        }
    }
    mean(&at_share)
}

/// The largest relative deviation of a flow without a limit from its share of the sum of their rates.
fn ratio_of_rest(run: &Run) -> Option<f64> {
    let rates = run.mean_rates(["f2", "f3", "f4"], BOUNDED)?;
    let total: f64 = rates.iter().sum();
    let parts: Vec<f64> = rates.iter().map(|rate| rate / total).collect();
    farthest(&parts, [3.0, 2.0, 1.0].map(|weight| weight / 6.0))
}
