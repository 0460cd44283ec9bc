//! Table I and figure 12: short flows alongside long flows.

mod completion;

use self::completion::{CLASSES, SizeClass, Totals, of_seed};
use super::choices::SIMULATED;
use super::{AT_SHARE, BOTH, CONVERGED, PORT, both, rate_panels};
use crate::prelude::*;

const SCENARIO: &str = scenario!("af-qcn": "table1");

/// From one second after the start.
const SETTLED: Window = START.plus(1.0).until(END);

/// The number of seeds for table I.
///
/// The message sizes have infinite variance, so the mean completion time of a run grows with its length: the longer
/// the run, the larger the largest message for which others wait. A run therefore has as many messages as the
/// paper's, and precision comes from more runs, not from longer ones.
const SEEDS: u32 = 30;

/// The scenario of both experiments, with QCN and with AF-QCN.
fn beside_long_flows(id: &'static str, title: &'static str) -> Experiment {
    Experiment::new(id, title)
        .setup(
            "Eight reaction points share a 10 Gb/s link. Four of them serve one backlogged flow each. The other \
            four serve four permanent connections each. Messages on these connections arrive as a Poisson process, \
            with Pareto-distributed sizes (mean 10 kB, shape 1.1) and a total load of 1 Gb/s. About 100 000 messages \
            arrive.",
        )
        .assumptions([
            "A station represents a reaction point: the four connections of a station share its only limiter.",
            "At the congestion point every connection is a separate flow.",
            "The run is long enough for 100 000 messages to arrive on average.",
        ])
        .choices(SIMULATED)
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
            "The mean completion times are 2.346, 2.610, 5.037 and 33.14 with QCN, from the smallest sizes to the \
            largest, and 1.586, 1.732, 2.932 and 17.14 with AF-QCN: 30 to 50 % less in every size class. The table \
            says microseconds, which is impossible: 10 kB alone takes 8 us at 10 Gb/s. We read milliseconds.",
        )
        .assumptions([
            "A completion time is measured from the arrival of a message to the delivery of its last byte, including \
            the time it waits at its sender.",
            "The averages are taken over the messages of all seeds together: the paper averages over the flows of a \
            long run. Only messages that were delivered in both of the compared runs count. Sizes are heavy-tailed, \
            and if a message of hundreds of megabytes blocks a connection, the thousands of messages behind it may be \
            delivered in one run but not in the other.",
        ])
        .keep_messages()
        .seeds(SEEDS)
        .panels(panels)
        .claims((0..CLASSES.len()).map(claim))
}

/// Figure 12.
pub(super) fn long_flows() -> Experiment {
    const LONG: [(&str, &str); 4] =
        [("long1", "flow 1"), ("long2", "flow 2"), ("long3", "flow 3"), ("long4", "flow 4")];
    beside_long_flows("af-qcn/fig12", "Long flows alongside short flows")
        .paper_says(
            "AF-QCN maintains fairness among the four long flows even in the presence of short flows.",
        )
        .seeds(5)
        .panels(|runs| {
            let cases = [
                ("qcn", "Rates of the long flows with QCN"),
                ("af-qcn", "Rates of the long flows with AF-QCN"),
            ];
            rate_panels(runs, &cases, &LONG)
        })
        .claims([Claim::new(
            at("section IV-B, figure 12"),
            "long-flows-equal",
            "With AF-QCN the four long flows have equal rates.",
        )
        .measure(Unit::Share, Rule::AtMost(AT_SHARE), |seed| {
            let rates = seed.run("af-qcn").mean_rates(LONG.map(|(flow, _)| flow), SETTLED)?;
            farthest(&rates, [mean(&rates)?; 4])
        })
        .read_as("The mean rate of each flow, from 1 s onwards, within 10 % of the mean of the four.")
        .needs(CONVERGED)])
}

fn claim(place: usize) -> Claim {
    let class = &CLASSES[place];
    let statement = format!("Messages of {} complete 30 to 50 % sooner with AF-QCN.", class.text);
    Claim::new(at("section IV-B, table I"), class.name, statement)
        .measure_pooled(
            Unit::Share,
            Rule::Between(0.3, 0.5),
            move |seed| Some(of_seed(seed)[place]),
            |totals: &[&Totals]| totals.iter().copied().copied().sum::<Totals>().reduction(),
        )
        .published(reduction(class.paper))
        .read_as(
            "One minus the ratio of the mean completion time with AF-QCN to that with QCN, over the messages that were \
            delivered in both runs.",
        )
        .cause(
            "the reduction depends on the reading of equation (4) (see the other readings). It differs widely between \
            seeds (see the table), since sizes are heavy-tailed: with a shape of 1.1 their variance is infinite. In \
            the largest class a few messages determine the mean",
        )
}

/// The relative reduction of the second value compared with the first.
fn reduction([qcn, af_qcn]: [f64; 2]) -> f64 {
    1.0 - af_qcn / qcn
}

fn panels(runs: &Runs) -> Vec<Block> {
    let headings = [
        "Messages per run",
        "QCN",
        "AF-QCN",
        "Reduction",
        "Reduction, range over seeds",
        "Paper, QCN",
        "Paper, AF-QCN",
        "Paper, reduction",
    ];
    let mut table = table::with_headings("Size", headings);
    let by_seed: Vec<[Totals; 4]> = runs.seeds().map(|seed| of_seed(&seed)).collect();
    for (place, class) in CLASSES.iter().enumerate() {
        let totals: Vec<Totals> = by_seed.iter().map(|totals| totals[place]).collect();
        table.row(row(class, &totals));
    }
    let note =
        "Mean completion times over the messages that were delivered in both runs, for all seeds together.";
    let utilisation = table::by_case(
        runs,
        &BOTH,
        &[("Utilisation of the bottleneck", Unit::Share, |run| run.utilisation(PORT, SETTLED))],
    );
    vec![Block::Table(table), Block::Note(note.to_owned()), Block::Table(utilisation)]
}

/// The row of a size class, from the totals of each seed.
fn row(class: &SizeClass, by_seed: &[Totals]) -> [Cell; 9] {
    let totals: Totals = by_seed.iter().copied().sum();
    let share = |value: Option<f64>| table::value_cell(Unit::Share, value);
    let time = |sum: f64| table::value_cell(Unit::Seconds, (sum > 0.0).then(|| sum / totals.messages));
    let single: Vec<f64> = by_seed.iter().filter_map(|totals| totals.reduction()).collect();
    let range = smallest(&single)
        .zip(largest(&single))
        .map(|(low, high)| format!("{} to {}", Unit::Share.text(low), Unit::Share.text(high)));
    [
        Cell::words(class.text),
        table::value_cell(Unit::Count, Some(totals.messages / by_seed.len() as f64)),
        time(totals.qcn),
        time(totals.af_qcn),
        share(totals.reduction()),
        Cell::words(range.unwrap_or_default()),
        Cell::words(class.paper[0].to_string()),
        Cell::words(class.paper[1].to_string()),
        share(Some(reduction(class.paper))),
    ]
}
