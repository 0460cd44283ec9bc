//! Figure 13: the paper's run in hardware, simulated.

use setpoint_report::document::Block;
use setpoint_report::plot::Room;
use setpoint_report::quantity::Unit;

use super::{AT_SHARE, FOUR, farthest};
use crate::case::{Case, Timing};
use crate::claim::Claim;
use crate::curves;
use crate::experiment::{Experiment, Kept, Repeats};
use crate::rule::Rule;
use crate::runs::Runs;

const SCENARIO: &str = include_str!("../../scenarios/af-qcn/fig13.toml");

/// From a second after the start on.
const SETTLED: (f64, f64) = (1.0, 4.0);
/// The rate of the port.
const PORT_RATE: f64 = 950e6;

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "af-qcn/fig13",
        title: "Four flows at 950 Mb/s, as in the paper’s hardware",
        setup: "Four backlogged flows share a port that serves 950 Mb/s, with equal weights and with the weights 1, 2, 3 and 4. The \
                round-trip time is 50 us.",
        paper_says: "On an FPGA switch the rates are equal with equal weights, and in the ratio of the weights otherwise.",
        we_take: vec![
            "The paper ran this in hardware; here it is simulated, with the AF controller’s parameters of the other experiments, as the paper \
             says, and QCN’s of the same hardware (the preset “1G”)."
                .to_owned(),
            "The run ends at 4 s, which the paper does not say.".to_owned(),
        ],
        cases: vec![
            Case::new("equal", "equal weights", SCENARIO),
            Case::new("weighted", "weights 1, 2, 3, 4", SCENARIO)
                .set("flows.2.weight=2")
                .set("flows.3.weight=3")
                .set("flows.4.weight=4"),
            Case::new("scaled", "weights 1, 2, 3, 4, threshold 2 kB", SCENARIO)
                .set("flows.2.weight=2")
                .set("flows.3.weight=3")
                .set("flows.4.weight=4")
                .set("control.af-qcn.cp.active_threshold=2 kB"),
        ],
        timing: Timing { times: vec![("duration", 4.0)], quick: 0.5 },
        repeats: Repeats::Seeds(10),
        kept: Kept::Series,
        shown,
        claims: claims(),
    }
}

fn claims() -> Vec<Claim> {
    const WITHIN: &str = "Mean rates within a tenth, from 1 s on.";
    vec![
        Claim::new(
            "equal-weights",
            "With equal weights the flows have equal rates.",
            (Unit::Share, Rule::AtMost(AT_SHARE)),
            |seed| farthest(seed.run("equal"), &FOUR.map(|(flow, _)| (flow, PORT_RATE / 4.0)), SETTLED),
        )
        .read_as(WITHIN),
        Claim::new(
            "shares-follow-weights",
            "With the weights 1:2:3:4 the rates follow them.",
            (Unit::Share, Rule::AtMost(AT_SHARE)),
            |seed| {
                let shares = [("f1", 95e6), ("f2", 190e6), ("f3", 285e6), ("f4", 380e6)];
                farthest(seed.run("weighted"), &shares, SETTLED)
            },
        )
        .read_as(WITHIN)
        .cause(
            "only flows that bring more than 20 kB in 1 ms, 160 Mb/s, are held to a share. At 950 Mb/s the share of the first flow is 95 Mb/s: \
             it rises to 160 Mb/s unhindered, and the others divide what is left by their weights. With a threshold that is a tenth, as the \
             link is, all rates follow the weights (third figure). The paper says that the parameters were those of the simulations.",
        ),
        Claim::impossible(
            "in-hardware",
            "It is so on real frames too.",
            "it takes a data plane for real frames, which is not there yet",
        ),
    ]
}

fn shown(runs: &Runs) -> Vec<Block> {
    let Some(first) = runs.first() else { return Vec::new() };
    let one = |case: &str, title: &str| {
        let mut figure = curves::rates(first.run(case), &FOUR, &format!("rates-{case}"), title);
        figure.room = Room::Half;
        figure
    };
    let figures = vec![
        one("equal", "Equal weights"),
        one("weighted", "Weights 1, 2, 3 and 4"),
        one("scaled", "Weights 1, 2, 3 and 4, active above 2 kB"),
    ];
    vec![Block::Figures(figures), Block::Note(format!("Seed {}.", first.number()))]
}
