//! Figure 11: a bursty flow alongside three backlogged flows.

use super::choices::SIMULATED;
use super::{AT_SHARE, PORT, both, from_shares, rate_panels};
use crate::prelude::*;

const SCENARIO: &str = scenario!("af-qcn": "fig11");

/// From half a second after the start of the bursty flow.
const SETTLED: Window = starts("bursty").plus(0.5).until(END);
const FLOWS: [(&str, &str); 4] =
    [("f1", "flow 1"), ("f2", "flow 2"), ("f3", "flow 3"), ("bursty", "bursty flow")];

pub(super) fn experiment() -> Experiment {
    let [qcn, af_qcn] = both(SCENARIO);
    let heavy = |case: Case, name: &str, label: &str| {
        case.renamed(name, label).set("flows.2.traffic.on_off.rate=6Gb/s")
    };
    Experiment::new("af-qcn/fig11", "A bursty flow alongside backlogged flows")
        .setup(
            "Three backlogged flows share 10 Gb/s. At 0.5 s an on-off source joins them, with bursts of 10 kB that \
            offer 1 Gb/s on average in one run and 6 Gb/s in another.",
        )
        .paper_says(
            "The bursts do not disturb the fairness among the other flows. If the bursty flow offers 1 Gb/s, the \
            others share the rest; if it offers 6 Gb/s, which is more than its share, it is limited to the share of \
            2.5 Gb/s.",
        )
        .assumptions([
            "All gaps between bursts have the same length: the paper chooses a length and mentions no distribution.",
            "The run ends 1.5 s after the bursty flow starts; the paper does not say when its run ends.",
        ])
        .choices(SIMULATED)
        .cases([
            qcn.clone().renamed("qcn", "QCN, 1 Gb/s"),
            af_qcn.clone().renamed("af-qcn", "AF-QCN, 1 Gb/s"),
            heavy(qcn, "qcn-6g", "QCN, 6 Gb/s"),
            heavy(af_qcn, "af-qcn-6g", "AF-QCN, 6 Gb/s"),
        ])
        .quick(0.4)
        .panels(panels)
        .claims(claims())
}

fn claims() -> [Claim; 4] {
    const FIGURE: Origin = at("section IV-B, figure 11");
    let bursty = |case: &'static str, rate, claim: Claim| {
        let rule = Rule::about(rate, AT_SHARE);
        claim.measure(Unit::BitsPerSecond, rule, |seed| seed.run(case).mean_rate("bursty", SETTLED))
    };
    let others = |case: &'static str, rate, name, statement| {
        Claim::new(FIGURE, name, statement)
            .measure(Unit::Share, Rule::AtMost(AT_SHARE), move |seed| others_from(seed.run(case), rate))
    };
    let offering_1g = Claim::new(
        OURS,
        "bursty-1g-has-what-it-offers",
        "With AF-QCN a bursty flow that offers 1 Gb/s, less than its share, gets 1 Gb/s.",
    );
    let offering_6g = Claim::new(
        FIGURE,
        "bursty-6g-is-held",
        "With AF-QCN a bursty flow that offers 6 Gb/s is limited to its share of 2.5 Gb/s.",
    );
    let rest = "With AF-QCN the other flows then share the rest equally, at 3 Gb/s each.";
    let fair = "With AF-QCN the other flows then get their share of 2.5 Gb/s each.";
    [
        bursty("af-qcn", 1e9, offering_1g),
        others("af-qcn", 3e9, "others-share-the-rest", rest),
        bursty("af-qcn-6g", 2.5e9, offering_6g.published(2.5e9)),
        others("af-qcn-6g", 2.5e9, "others-stay-fair-beside-6g", fair),
    ]
    .map(|claim| claim.read_as("Mean rates, starting 0.5 s after the bursty flow starts, within 10 %."))
}

/// The largest relative deviation of a backlogged flow from a rate.
fn others_from(run: &Run, rate: f64) -> Option<f64> {
    from_shares(run, &["f1", "f2", "f3"].map(|flow| (flow, rate)), SETTLED)
}

/// As in the paper: 1 Gb/s on the left, 6 Gb/s on the right, QCN above AF-QCN.
fn panels(runs: &Runs) -> Vec<Block> {
    let cases = [
        ("qcn", "QCN, 1 Gb/s offered"),
        ("qcn-6g", "QCN, 6 Gb/s offered"),
        ("af-qcn", "AF-QCN, 1 Gb/s offered"),
        ("af-qcn-6g", "AF-QCN, 6 Gb/s offered"),
    ];
    let labels = cases.map(|(case, title)| (case, title.trim_end_matches(" offered")));
    let table = table::by_case(
        runs,
        &labels,
        &[
            ("Bursty flow", Unit::BitsPerSecond, |run| run.mean_rate("bursty", SETTLED)),
            ("Other flows, mean", Unit::BitsPerSecond, |run| {
                mean(&run.mean_rates(["f1", "f2", "f3"], SETTLED)?)
            }),
            ("Utilisation of the bottleneck", Unit::Share, |run| run.utilisation(PORT, SETTLED)),
        ],
    );
    rate_panels(runs, &cases, &FLOWS).into_iter().chain([Block::Table(table)]).collect()
}
