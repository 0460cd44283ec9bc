//! A paper with a small experiment that runs quickly.

use setpoint_papers::{Case, Claim, Experiment, OURS, Paper, Rule, Runs, START, Seed, WHOLE_RUN, at, change};
use setpoint_report::document::{Block, Cell, Column, Table};
use setpoint_units::quantity::Unit;

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
    let mut again = experiment("small/again");
    again.cases.iter_mut().for_each(|case| case.settings.push("network.buffer=120kB".to_owned()));
    Paper {
        id: "small",
        title: "A small paper",
        source: "Nobody, nowhere",
        about: "Two flows share a link.",
        experiments: vec![experiment("small/sharing"), again],
    }
}

pub(crate) fn experiment(id: &'static str) -> Experiment {
    Experiment::new(id, "Two flows share a link")
        .setup("Two flows, and a link that slows down.")
        .paper_says("They fill it.")
        .assumptions(["A buffer of 150 kB."])
        .cases([
            Case::new("plain", "QCN", SCENARIO),
            Case::new("short", "QCN, short buffer", SCENARIO).set("network.buffer=100kB"),
        ])
        .quick(0.5)
        .seeds(5)
        .panels(throughputs)
        .claims(claims())
}

fn claims() -> Vec<Claim> {
    let used =
        |seed: &Seed<'_>| seed.run("plain").utilisation("left->right", START.plus(0.01).until(change(1)));
    vec![
        Claim::new(at("section 1"), "busy", "The link is used.")
            .measure(Unit::Share, Rule::AtLeast(0.2), used)
            .read_as("At least a fifth of it."),
        Claim::new(at("figure 2"), "double", "The link carries twice its rate.")
            .measure(Unit::Share, Rule::AtLeast(2.0), used)
            .cause("a link carries at most its rate"),
        Claim::new(OURS, "nowhere", "A missing flow is fast.").measure(
            Unit::BitsPerSecond,
            Rule::AtLeast(1e9),
            |seed| seed.run("short").mean_rate("f99", WHOLE_RUN),
        ),
        Claim::new(OURS, "hardware", "It works in hardware.").cannot_be_judged("there is no hardware here"),
    ]
}

fn throughputs(runs: &Runs) -> Vec<Block> {
    let mut table = Table::new([Column::words("Seed"), Column::figures("Throughput")]);
    for seed in runs.seeds() {
        let throughput = seed.run("plain").summary.total.throughput_bps;
        table
            .row([Cell::words(seed.number().to_string()), Cell::words(Unit::BitsPerSecond.text(throughput))]);
    }
    vec![Block::Table(table)]
}
