//! A paper with one experiment that takes a moment.

use setpoint_papers::{Case, Claim, Experiment, Kept, Paper, Repeats, Rule, Runs, Timing};
use setpoint_report::document::{Block, Cell, Column, Table};
use setpoint_report::quantity::Unit;

pub(crate) const SCENARIO: &str = r#"
    duration = "40 ms"
    sample_interval = "1 ms"

    [topology.dumbbell]
    senders = 2

    [control.qcn]

    [[at]]
    time = "20 ms"
    port = "left->right"
    rate = "1 Gb/s"
"#;

/// A paper with an experiment of two cases and five seeds, and a second one that is never run.
pub(crate) fn paper() -> Paper {
    Paper {
        id: "small",
        title: "A small paper",
        source: "Nobody, nowhere",
        about: "Two flows share a link.",
        experiments: vec![experiment("small/sharing"), experiment("small/again")],
    }
}

pub(crate) fn experiment(id: &'static str) -> Experiment {
    Experiment {
        id,
        title: "Two flows share a link",
        setup: "Two flows, and a link that slows down.",
        paper_says: "They fill it.",
        we_take: vec!["A buffer of 150 kB.".to_owned()],
        cases: vec![
            Case::new("plain", "QCN", SCENARIO),
            Case::new("short", "QCN, short buffer", SCENARIO).set("network.buffer=100kB"),
        ],
        timing: Timing { times: vec![("duration", 0.04), ("at.1.time", 0.02)], quick: 0.5 },
        repeats: Repeats::Seeds(5),
        kept: Kept::Series,
        shown,
        claims: claims(),
    }
}

fn claims() -> Vec<Claim> {
    let used = |seed: &setpoint_papers::Seed<'_>| seed.run("plain").utilisation("left->right", 0.01, 0.02);
    vec![
        Claim::new("busy", "The link is used.", (Unit::Share, Rule::AtLeast(0.2)), used)
            .read_as("A fifth of it at least."),
        Claim::new("idle", "The link is idle.", (Unit::Share, Rule::AtMost(0.1)), used)
            .cause("the flows are backlogged"),
        Claim::new(
            "nowhere",
            "A flow that is not there is fast.",
            (Unit::BitsPerSecond, Rule::AtLeast(1e9)),
            |seed| seed.run("short").rate("f99", 0.0, 0.04),
        ),
        Claim::impossible("hardware", "It works in hardware.", "there is no hardware here"),
    ]
}

fn shown(runs: &Runs) -> Vec<Block> {
    let mut table = Table::new([Column::words("Seed"), Column::figures("Throughput")]);
    for seed in runs.seeds() {
        let throughput = seed.run("plain").summary.total.throughput_bps;
        table
            .row([Cell::words(seed.number().to_string()), Cell::words(Unit::BitsPerSecond.text(throughput))]);
    }
    vec![Block::Table(table)]
}
