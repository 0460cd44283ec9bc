//! Table I: completion times of short flows beside long ones.

use std::collections::HashMap;

use setpoint_lab::results::MessageRecord;
use setpoint_report::document::{Block, Cell, Column, Table};
use setpoint_report::quantity::{Unit, decimal};

use super::{PORT, both, by_reading, other_readings};
use crate::case::{Case, Timing};
use crate::claim::Claim;
use crate::experiment::{Experiment, Kept, Repeats};
use crate::rule::Rule;
use crate::runs::{Runs, Seed, mean};

pub(super) const SCENARIO: &str = include_str!("../../scenarios/af-qcn/table1.toml");

/// A row of the paper's table.
struct Bin {
    from: u64,
    to: u64,
    text: &'static str,
    /// The paper's figures for QCN and AF-QCN.
    paper: (&'static str, &'static str),
}

const BINS: [Bin; 4] = [
    Bin { from: 1_000, to: 10_000, text: "1 to 10 kB", paper: ("2.346", "1.586") },
    Bin { from: 10_000, to: 100_000, text: "10 to 100 kB", paper: ("2.610", "1.732") },
    Bin { from: 100_000, to: 1_000_000, text: "100 kB to 1 MB", paper: ("5.037", "2.932") },
    Bin { from: 1_000_000, to: u64::MAX, text: "1 MB and more", paper: ("33.14", "17.14") },
];

pub(super) fn experiment() -> Experiment {
    let limited = |case: Case| case.set(ONE_LIMITER);
    let others = other_readings(SCENARIO).into_iter().map(limited);
    Experiment {
        id: "af-qcn/table1",
        title: "Completion times of short flows beside long ones",
        setup: SETUP,
        paper_says: "The mean completion times are 2.346, 2.610, 5.037 and 33.14 with QCN, from the smallest sizes to the largest, and 1.586, \
                     1.732, 2.932 and 17.14 with AF-QCN: 30 to 50 % less in every class of sizes. The table says microseconds, which \
                     cannot be: 10 kB alone take 8 us at 10 Gb/s.",
        we_take: taken(),
        cases: cases().into_iter().chain(others).collect(),
        timing: timing(),
        repeats: Repeats::Seeds(10),
        kept: Kept::Messages,
        shown,
        claims: claims(),
    }
}

pub(super) const SETUP: &str = "Eight reaction points share a link of 10 Gb/s. Four serve a backlogged flow each. The other four serve four \
    permanent connections each, over which messages come as a Poisson process, Pareto distributed with a mean of 10 kB and a shape of \
    1.1, 1 Gb/s in all. There are about 100 000 messages.";

/// The reaction points of AF-QCN, as those of QCN in the scenario.
const ONE_LIMITER: &str = "control.af-qcn.limiters_per_station=1";

/// QCN, and AF-QCN with the same reaction points.
pub(super) fn cases() -> Vec<Case> {
    let [qcn, af_qcn] = <[Case; 2]>::try_from(both(SCENARIO)).expect("two cases");
    vec![qcn, af_qcn.set(ONE_LIMITER)]
}

pub(super) fn timing() -> Timing {
    Timing { times: vec![("duration", 8.0)], quick: 0.125 }
}

pub(super) fn taken() -> Vec<String> {
    vec![
        "A station stands for a reaction point: the four connections of a station share its only limiter.".to_owned(),
        "At the congestion point every connection is a flow of its own.".to_owned(),
        "The run ends at 8 s, when 100 000 messages have come on average. Those count that were delivered by then in both runs that are compared: \
         sizes are heavy-tailed, and where a message of hundreds of megabytes holds up a connection, the thousands behind it may be done in the \
         one and not in the other.".to_owned(),
        "A completion time runs from the arrival of a message to the delivery of its last byte, with the time it waits at its sender.".to_owned(),
    ]
}

fn claims() -> Vec<Claim> {
    const STATEMENTS: [(&str, &str); 4] = [
        ("fct-1-to-10-kb", "Messages of 1 to 10 kB complete 30 to 50 % sooner with AF-QCN."),
        ("fct-10-to-100-kb", "Messages of 10 to 100 kB complete 30 to 50 % sooner with AF-QCN."),
        ("fct-100-kb-to-1-mb", "Messages of 100 kB to 1 MB complete 30 to 50 % sooner with AF-QCN."),
        ("fct-1-mb-and-more", "Messages of 1 MB and more complete 30 to 50 % sooner with AF-QCN."),
    ];
    let claim = |((name, statement), bin): ((&'static str, &'static str), &'static Bin)| {
        let rule = (Unit::Share, Rule::Between(0.3, 0.5));
        Claim::new(name, statement, rule, |seed| gain(seed, "af-qcn", bin)).read_as(
            "One less the mean completion time with AF-QCN over that with QCN, of the messages that were delivered in both runs.",
        )
        .cause(
            "the gain depends on how equation (4) is read (table of readings). With QCN’s part never negative the long flows are slowed \
             down even at an empty queue, a part of the link is left to the short ones, and the gain is larger than the paper’s; \
             with its sign the link is full and the gain is smaller. Read as milliseconds, the paper’s figures for QCN are near ours for \
             messages of 100 kB and more.",
        )
    };
    STATEMENTS.into_iter().zip(&BINS).map(claim).collect()
}

/// By how much messages of a class of sizes complete sooner than with QCN.
fn gain(seed: &Seed<'_>, case: &str, bin: &Bin) -> Option<f64> {
    let (qcn, other) = completion(seed, case, bin)?;
    Some(1.0 - other / qcn)
}

/// The mean completion times of a class of sizes with QCN and in another case, over the messages that were delivered in
/// both. The same messages come in all cases of a seed.
fn completion(seed: &Seed<'_>, case: &str, bin: &Bin) -> Option<(f64, f64)> {
    let is_inside = |message: &&MessageRecord| (bin.from..bin.to).contains(&message.size_bytes);
    let of_other = seed.run(case).messages.iter().filter(is_inside);
    let others: HashMap<(usize, u64), f64> =
        of_other.map(|message| (identity(message), message.fct_s)).collect();
    let of_qcn = seed.run("qcn").messages.iter().filter(is_inside);
    let pair = |message: &MessageRecord| Some((message.fct_s, *others.get(&identity(message))?));
    let (first, second): (Vec<f64>, Vec<f64>) = of_qcn.filter_map(pair).unzip();
    Some((mean(&first)?, mean(&second)?))
}

/// What tells a message from others: its flow and when it came.
fn identity(message: &MessageRecord) -> (usize, u64) {
    (message.flow, message.offered_s.to_bits())
}

fn shown(runs: &Runs) -> Vec<Block> {
    let mut table = Table::scrolled([
        Column::words("Size"),
        Column::figures("QCN"),
        Column::figures("AF-QCN"),
        Column::figures("Less by"),
        Column::figures("Paper, QCN"),
        Column::figures("Paper, AF-QCN"),
        Column::figures("Paper, less by"),
    ]);
    for bin in &BINS {
        let times: Vec<(f64, f64)> =
            runs.seeds().filter_map(|seed| completion(&seed, "af-qcn", bin)).collect();
        let (qcn, af_qcn): (Vec<f64>, Vec<f64>) = times.into_iter().unzip();
        let [qcn, af_qcn] = [qcn, af_qcn].map(|times| mean(&times).unwrap_or(f64::NAN));
        let number = |text: &str| text.parse::<f64>().unwrap_or(f64::NAN);
        let of_paper = 1.0 - number(bin.paper.1) / number(bin.paper.0);
        table.row([
            Cell::words(bin.text),
            Cell::words(Unit::Seconds.text(qcn)),
            Cell::words(Unit::Seconds.text(af_qcn)),
            Cell::words(Unit::Share.text(1.0 - af_qcn / qcn)),
            Cell::words(bin.paper.0),
            Cell::words(bin.paper.1),
            Cell::words(format!("{}\u{a0}%", decimal(of_paper * 100.0, 0))),
        ]);
    }
    let note = "Mean completion times, ours as means over seeds. Sizes are heavy-tailed: the largest class holds few messages, and \
                its mean is decided by the largest of them.";
    let readings = by_reading(
        runs,
        &[
            ("1 to 10 kB, less by", Unit::Share, |seed, case| gain(seed, case, &BINS[0])),
            ("10 to 100 kB", Unit::Share, |seed, case| gain(seed, case, &BINS[1])),
            ("100 kB to 1 MB", Unit::Share, |seed, case| gain(seed, case, &BINS[2])),
            ("1 MB and more", Unit::Share, |seed, case| gain(seed, case, &BINS[3])),
            ("Link used", Unit::Share, |seed, case| seed.run(case).utilisation(PORT, 1.0, 8.0)),
        ],
    );
    [vec![Block::Table(table), Block::Note(note.to_owned())], readings].concat()
}
