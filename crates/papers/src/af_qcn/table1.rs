//! Table I and figure 12: short flows alongside long flows.

use std::collections::HashMap;

use setpoint_lab::results::MessageRecord;

use super::{AT_SHARE, PORT, both, by_reading, other_readings, rate_panels};
use crate::prelude::*;

const SCENARIO: &str = scenario!("af-qcn": "table1");

/// From one second after the start.
const SETTLED: Window = START.plus(1.0).until(END);

/// A row of the paper's table.
struct SizeClass {
    from: u64,
    to: u64,
    name: &'static str,
    text: &'static str,
    /// The paper's completion times with QCN and AF-QCN.
    paper: [f64; 2],
}

const CLASSES: [SizeClass; 4] = [
    class(1_000, 10_000, "fct-1-to-10-kb", "1 to 10 kB", [2.346, 1.586]),
    class(10_000, 100_000, "fct-10-to-100-kb", "10 to 100 kB", [2.610, 1.732]),
    class(100_000, 1_000_000, "fct-100-kb-to-1-mb", "100 kB to 1 MB", [5.037, 2.932]),
    class(1_000_000, u64::MAX, "fct-1-mb-and-more", "1 MB and more", [33.14, 17.14]),
];

const fn class(from: u64, to: u64, name: &'static str, text: &'static str, paper: [f64; 2]) -> SizeClass {
    SizeClass { from, to, name, text, paper }
}

/// The scenario of both experiments, with QCN and with AF-QCN.
fn beside_long_flows(id: &'static str, title: &'static str) -> Experiment {
    Experiment::new(id, title)
        .setup(
            "Eight reaction points share a link of 10 Gb/s. Four of them serve one backlogged flow each. The other \
            four serve four permanent connections each. Messages on these connections arrive as a Poisson process, \
            with Pareto-distributed sizes (mean 10 kB, shape 1.1) and 1 Gb/s in total. There are about 100 000 \
            messages.",
        )
        .assumptions([
            "A station represents a reaction point: the four connections of a station share its only limiter.",
            "At the congestion point every connection is a separate flow.",
            "The run ends at 8 s, when 100 000 messages have arrived on average. Messages count only if they \
            were delivered in both of the compared runs. Sizes are heavy-tailed, and if a message of \
            hundreds of megabytes blocks a connection, the thousands of messages behind it may be delivered \
            in one run but not in the other.",
            "A completion time is measured from the arrival of a message to the delivery of its last byte, including \
            the time it waits at its sender.",
        ])
        .cases(both(SCENARIO).map(|case| if case.name == "qcn" { case } else { one_limiter(case) }))
        .quick(0.125)
}

/// Gives AF-QCN the same reaction points as QCN in the scenario.
fn one_limiter(case: Case) -> Case {
    case.set("control.af-qcn.limiters_per_station=1")
}

/// Table I.
pub(super) fn completion_times() -> Experiment {
    beside_long_flows("af-qcn/table1", "Completion times of short flows alongside long flows")
        .paper_says(
            "The mean completion times are 2.346, 2.610, 5.037 and 33.14 with QCN, from the smallest sizes to the largest, and 1.586, \
             1.732, 2.932 and 17.14 with AF-QCN: 30 to 50 % less in every size class. The table says \
             microseconds, which is impossible: 10 kB alone take 8 us at 10 Gb/s. Read as milliseconds, its \
             figures for QCN are near ours.",
        )
        .cases(other_readings(SCENARIO).map(one_limiter))
        .keep_messages()
        .panels(panels)
        .claims(CLASSES.iter().map(claim))
}

/// Figure 12.
pub(super) fn long_flows() -> Experiment {
    const LONG: [(&str, &str); 4] =
        [("long1", "flow 1"), ("long2", "flow 2"), ("long3", "flow 3"), ("long4", "flow 4")];
    beside_long_flows("af-qcn/fig12", "Long flows alongside short flows")
        .paper_says("With AF-QCN the four long flows have equal rates even while short flows come and go.")
        .seeds(5)
        .panels(|runs| {
            let cases = [
                ("qcn", "Rates of the long flows with QCN"),
                ("af-qcn", "Rates of the long flows with AF-QCN"),
            ];
            rate_panels(runs, &cases, &LONG)
        })
        .claims([Claim::new(OURS, "long-flows-equal", "With AF-QCN the four long flows have equal rates.")
            .measure(Unit::Share, Rule::AtMost(AT_SHARE), |seed| {
                let rates = seed.run("af-qcn").mean_rates(LONG.map(|(flow, _)| flow), SETTLED)?;
                farthest(&rates, [mean(&rates)?; 4])
            })
            .read_as("The mean rate of each, from 1 s on, is within a tenth of the mean of the four.")])
}

fn claim(class: &'static SizeClass) -> Claim {
    let statement = format!("Messages of {} complete 30 to 50 % sooner with AF-QCN.", class.text);
    Claim::new(OURS, class.name, statement)
        .measure(Unit::Share, Rule::Between(0.3, 0.5), |seed| gain(seed, "af-qcn", class))
        .read_as("One minus the ratio of the mean completion times with AF-QCN and with QCN, over the messages that \
            were delivered in both runs.")
        .cause(
            "the gain depends on the reading of equation (4) (table of readings). If QCN’s part is never negative, the \
            long flows are slowed down even if the queue is empty. This leaves part of the link to the short flows, \
            and the gain is larger than the paper’s. If QCN’s part keeps its sign, the link is nearly full and the \
            gain is smaller. If the sum is also rounded up, all classes except the largest are in the paper’s range on \
            average. Sizes are so heavy-tailed that seeds differ widely.",
        )
}

/// The relative reduction in the completion time of a size class compared with QCN.
fn gain(seed: &Seed<'_>, case: &str, class: &SizeClass) -> Option<f64> {
    let (qcn, other) = completion(seed, case, class)?;
    Some(1.0 - other / qcn)
}

/// The mean completion times of a size class with QCN and in another case, over the messages that
/// were delivered in both. All cases of a seed have the same messages.
fn completion(seed: &Seed<'_>, case: &str, class: &SizeClass) -> Option<(f64, f64)> {
    let is_inside = |message: &&MessageRecord| (class.from..class.to).contains(&message.size_bytes);
    let of_other = seed.run(case).messages.iter().filter(is_inside);
    let others: HashMap<(usize, u64), f64> =
        of_other.map(|message| (identity(message), message.fct_s)).collect();
    let of_qcn = seed.run("qcn").messages.iter().filter(is_inside);
    let pair = |message: &MessageRecord| Some((message.fct_s, *others.get(&identity(message))?));
    let (first, second): (Vec<f64>, Vec<f64>) = of_qcn.filter_map(pair).unzip();
    Some((mean(&first)?, mean(&second)?))
}

/// The flow and the arrival time identify a message.
fn identity(message: &MessageRecord) -> (usize, u64) {
    (message.flow, message.offered_s.to_bits())
}

fn panels(runs: &Runs) -> Vec<Block> {
    let headings = ["QCN", "AF-QCN", "Reduction", "Paper, QCN", "Paper, AF-QCN", "Paper, reduction"];
    let mut table = table::with_headings("Size", headings);
    for class in &CLASSES {
        let times = runs.seeds().filter_map(|seed| completion(&seed, "af-qcn", class));
        let (qcn, af_qcn): (Vec<f64>, Vec<f64>) = times.unzip();
        let [qcn, af_qcn] = [qcn, af_qcn].map(|times| mean(&times).unwrap_or(f64::NAN));
        let reduction = |qcn: f64, af_qcn: f64| Cell::words(Unit::Share.text(1.0 - af_qcn / qcn));
        table.row([
            Cell::words(class.text),
            Cell::words(Unit::Seconds.text(qcn)),
            Cell::words(Unit::Seconds.text(af_qcn)),
            reduction(qcn, af_qcn),
            Cell::words(class.paper[0].to_string()),
            Cell::words(class.paper[1].to_string()),
            reduction(class.paper[0], class.paper[1]),
        ]);
    }
    let note = "Mean completion times; our times are means over seeds. Sizes are heavy-tailed: the largest class has \
        few messages, and the largest of these dominate its mean.";
    let readings = by_reading(
        runs,
        &[
            ("1 to 10 kB, reduction", Unit::Share, |seed, case| gain(seed, case, &CLASSES[0])),
            ("10 to 100 kB", Unit::Share, |seed, case| gain(seed, case, &CLASSES[1])),
            ("100 kB to 1 MB", Unit::Share, |seed, case| gain(seed, case, &CLASSES[2])),
            ("1 MB and more", Unit::Share, |seed, case| gain(seed, case, &CLASSES[3])),
            ("Utilisation", Unit::Share, |seed, case| seed.run(case).utilisation(PORT, SETTLED)),
        ],
    );
    [Block::Table(table), Block::Note(note.to_owned())].into_iter().chain(readings).collect()
}
