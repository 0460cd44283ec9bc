//! Figure 13: the paper's run in hardware, simulated.

use super::{AT_SHARE, FOUR, from_shares, rate_panels};
use crate::prelude::*;

const SCENARIO: &str = scenario!("af-qcn": "fig13");

/// From one second after the start.
const SETTLED: Window = START.plus(1.0).until(END);
/// The port rate.
const PORT_RATE: f64 = 950e6;

pub(super) fn experiment() -> Experiment {
    let weighted = |name, label| {
        Case::new(name, label, SCENARIO).set_all(["flows.2.weight=2", "flows.3.weight=3", "flows.4.weight=4"])
    };
    Experiment::new("af-qcn/fig13", "Four flows at 950 Mb/s, as in the paper’s hardware")
        .setup(
            "Four backlogged flows share a port that serves 950 Mb/s, with equal weights and with the weights 1, 2, 3 and 4. The \
             round-trip time is 50 us.",
        )
        .paper_says("On an FPGA switch the rates are equal with equal weights, and in the ratio of the weights otherwise.")
        .assumptions([
            "The paper ran this in hardware; here it is simulated. The AF controller uses the parameters of \
            the other experiments, as the paper says, and QCN uses the parameters of the same hardware (the \
            preset “1G”).",
            "The run ends at 4 s; the paper does not say when it ends.",
        ])
        .cases([
            Case::new("equal", "equal weights", SCENARIO),
            weighted("weighted", "weights 1, 2, 3, 4"),
            weighted("scaled", "weights 1, 2, 3, 4, threshold 2 kB").set("control.af-qcn.cp.active_threshold=2 kB"),
        ])
        .quick(0.5)
        .panels(|runs| {
            let cases = [
                ("equal", "Equal weights"),
                ("weighted", "Weights 1, 2, 3 and 4"),
                ("scaled", "Weights 1, 2, 3 and 4, active above 2 kB"),
            ];
            rate_panels(runs, &cases, &FOUR)
        })
        .claims(claims())
}

fn claims() -> [Claim; 3] {
    const WITHIN: &str = "From 1 s on, mean rates are within a tenth.";
    [
        Claim::new(OURS, "equal-weights", "With equal weights the flows get equal rates.")
            .measure(Unit::Share, Rule::AtMost(AT_SHARE), |seed| {
                from_shares(seed.run("equal"), &FOUR.map(|(flow, _)| (flow, PORT_RATE / 4.0)), SETTLED)
            })
            .read_as(WITHIN),
        Claim::new(OURS, "shares-follow-weights", "With the weights 1:2:3:4 the rates follow them.")
            .measure(Unit::Share, Rule::AtMost(AT_SHARE), |seed| {
                let shares = [("f1", 95e6), ("f2", 190e6), ("f3", 285e6), ("f4", 380e6)];
                from_shares(seed.run("weighted"), &shares, SETTLED)
            })
            .read_as(WITHIN)
            .cause(
                "only flows that send more than 20 kB in 1 ms (160 Mb/s) are limited to a share. At 950 Mb/s the share \
                of the first flow is 95 Mb/s, so it rises to 160 Mb/s without being limited, and the others \
                share the rest according to their weights. If the threshold is reduced to a tenth, like the \
                link rate, all rates follow the weights (third figure). The paper says that the parameters \
                were the same as in the simulations.",
            ),
        Claim::new(OURS, "in-hardware", "The same holds on real frames.")
            .cannot_be_judged("it needs a data plane for real frames, which does not exist yet"),
    ]
}
