//! Figure 13: a simulation of the paper's hardware run.

use super::choices::{BELOW_SET_POINT, ROUNDING, THRESHOLD};
use super::{AT_SHARE, FOUR, from_shares, rate_panels};
use crate::prelude::*;

const SCENARIO: &str = scenario!("af-qcn": "fig13");

/// From one second after the start.
const SETTLED: Window = START.plus(1.0).until(END);
const PORT_RATE: f64 = 950e6;

pub(super) fn experiment() -> Experiment {
    let weights = ["flows.2.weight=2", "flows.3.weight=3", "flows.4.weight=4"];
    Experiment::new("af-qcn/fig13", "Four flows at 950 Mb/s, as in the paper’s hardware run")
        .setup(
            "Four backlogged flows share a port that runs at 950 Mb/s, with equal weights and with weights 1, 2, 3 and \
            4. The round-trip time is 50 us.",
        )
        .paper_says(
            "On an FPGA switch the rates are equal with equal weights, and in the ratio of the weights otherwise.",
        )
        .assumptions([
            "The paper ran this in hardware; here it is simulated. Except for the threshold for active flows, the AF \
            controller uses the parameters of the other experiments, as the paper says. QCN uses the parameters for \
            the same hardware (the preset “1G”).",
            "A run lasts 4 s; the paper does not say how long its runs last.",
        ])
        .choices([&ROUNDING, &BELOW_SET_POINT, &THRESHOLD])
        .cases([
            Case::new("equal", "equal weights", SCENARIO),
            Case::new("weighted", "weights 1, 2, 3, 4", SCENARIO).set_all(weights),
        ])
        .quick(0.5)
        .panels(|runs| {
            rate_panels(runs, &[("equal", "Equal weights"), ("weighted", "Weights 1, 2, 3 and 4")], &FOUR)
        })
        .claims(claims())
}

fn claims() -> [Claim; 3] {
    const WITHIN: &str =
        "Mean rates from 1 s onwards, within 10 % of the share; the largest deviation counts.";
    const FIGURE: Origin = at("section IV-C, figure 13");
    [
        Claim::new(FIGURE, "equal-weights", "With equal weights the flows get equal rates.")
            .measure(Unit::Share, Rule::AtMost(AT_SHARE), |seed| {
                from_shares(seed.run("equal"), &FOUR.map(|(flow, _)| (flow, PORT_RATE / 4.0)), SETTLED)
            })
            .read_as(WITHIN),
        Claim::new(FIGURE, "shares-follow-weights", "With weights 1:2:3:4 the rates follow the weights.")
            .measure(Unit::Share, Rule::AtMost(AT_SHARE), |seed| {
                let shares = [("f1", 95e6), ("f2", 190e6), ("f3", 285e6), ("f4", 380e6)];
                from_shares(seed.run("weighted"), &shares, SETTLED)
            })
            .read_as(WITHIN),
        Claim::new(OURS, "in-hardware", "The same holds with real frames.")
            .cannot_be_judged("a simulation cannot; `setpoint live demo` repeats the run with real frames"),
    ]
}
