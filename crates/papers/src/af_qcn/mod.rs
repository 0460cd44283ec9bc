//! Kabbani and others, "AF-QCN: approximate fairness with quantized congestion notification for multi-tenanted
//! data centers" (2010).

mod afd;
mod baseline;
mod fig08;
mod fig09;
mod fig10;
mod fig11;
mod fig12;
mod fig13;
mod table1;

use setpoint_lab::sweep::Spread;
use setpoint_report::document::{Block, Cell, Column, Table};
use setpoint_report::quantity::Unit;

use crate::case::Case;
use crate::experiment::Paper;
use crate::runs::{Run, Runs, Seed};

/// The bottleneck of the dumbbells.
const PORT: &str = "left->right";
/// The queue of the bottleneck of the dumbbells.
const QUEUE: &str = "left->right/3";

/// A flow that is "at its share" has a mean rate within a tenth of it.
const AT_SHARE: f64 = 0.1;

/// Four flows with the names they have in figures.
const FOUR: [(&str, &str); 4] = [("f1", "flow 1"), ("f2", "flow 2"), ("f3", "flow 3"), ("f4", "flow 4")];

pub(crate) fn paper() -> Paper {
    Paper {
        id: "af-qcn",
        title: "AF-QCN: Approximate Fairness with Quantized Congestion Notification for Multi-tenanted Data Centers",
        source: "Kabbani, Alizadeh, Yasuda, Pan and Prabhakar, IEEE Symposium on High Performance Interconnects, 2010",
        about: "QCN divides a link fairly only in the long run. A second controller at the congestion point, which \
                measures what each flow brings, should bring flows to weighted shares within milliseconds and leave \
                the queue as stable as it was.",
        experiments: vec![
            baseline::short_lag(),
            baseline::long_lag(),
            fig08::experiment(),
            fig09::experiment(),
            fig10::experiment(),
            fig11::experiment(),
            table1::experiment(),
            fig12::experiment(),
            fig13::experiment(),
            afd::experiment(),
        ],
    }
}

/// A scenario of QCN's, once as it is and once with AF-QCN.
fn both(scenario: &'static str) -> Vec<Case> {
    vec![Case::new("qcn", "QCN", scenario), Case::new("af-qcn", "AF-QCN", scenario).set("control=af-qcn")]
}

/// Other readings of equation (4), which the paper does not rule out.
///
/// It does not say how the sum is rounded, nor whether QCN's part is negative below the set point ("given by (1)") or
/// zero ("a 6 bit number"). Claims are judged with the algorithm's defaults, rounded down and with its sign; these are
/// shown beside them.
fn other_readings(scenario: &'static str) -> Vec<Case> {
    let reading = |name, label, keys: &[&str]| {
        let case = Case::new(name, label, scenario).set("control=af-qcn");
        keys.iter().fold(case, |case, key| case.set(format!("control.af-qcn.cp.{key}")))
    };
    vec![
        reading("rounded-up", "AF-QCN, (4) rounded up", &["rounding=up"]),
        reading("zero", "AF-QCN, QCN’s part never negative", &["uncongested=zero"]),
        reading("zero-up", "AF-QCN, both of these", &["uncongested=zero", "rounding=up"]),
    ]
}

/// The cases of AF-QCN with their labels: as judged, and by other readings.
const READINGS: [(&str, &str); 4] = [
    ("af-qcn", "as judged: QCN’s part with its sign, rounded down"),
    ("rounded-up", "with its sign, rounded up"),
    ("zero", "never negative, rounded down"),
    ("zero-up", "never negative, rounded up"),
];

/// A figure that can be measured in the run of a case.
type Measure = fn(&Seed<'_>, &str) -> Option<f64>;

/// A table of figures by reading of equation (4), each as mean and deviation over seeds.
fn by_reading(runs: &Runs, figures: &[(&str, Unit, Measure)]) -> Vec<Block> {
    let headings = figures.iter().map(|(heading, ..)| Column::figures(*heading));
    let mut table = Table::scrolled([Column::words("Equation (4)")].into_iter().chain(headings));
    for (case, label) in READINGS {
        let cell = |(_, unit, measure): &(&str, Unit, Measure)| {
            let values: Vec<f64> = runs.seeds().filter_map(|seed| measure(&seed, case)).collect();
            let spread = Spread::of(&values);
            let text = |value: Option<f64>| value.map_or_else(String::new, |value| unit.text(value));
            let deviation = text(spread.and_then(|spread| spread.deviation));
            Cell::words(text(spread.map(|spread| spread.mean))).note(format!("± {deviation}"))
        };
        table.row([Cell::words(label)].into_iter().chain(figures.iter().map(cell)));
    }
    let lead = "The paper leaves open how the sum of equation (4) is rounded, and whether QCN’s part of it is negative (“given by \
                (1)”) or zero (“a 6 bit number”) where the queue is below its set point. If it is never negative, flows above \
                their share are slowed down even at an empty queue. By reading, as means over seeds:";
    vec![Block::Prose(lead.to_owned()), Block::Table(table)]
}

/// How far the mean rate of any flow is from its share, as a part of the share: the largest of all.
fn farthest(run: &Run, shares: &[(&str, f64)], (from, to): (f64, f64)) -> Option<f64> {
    let distances = shares.iter().map(|(flow, share)| Some((run.rate(flow, from, to)? / share - 1.0).abs()));
    distances.collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::max)
}

/// Root of the mean square distance of the samples of all flows from a share, as a part of the share.
fn unfairness(run: &Run, flows: &[(&str, &str)], share: f64, (from, to): (f64, f64)) -> Option<f64> {
    let mut squares = Vec::new();
    for (flow, _) in flows {
        let samples = run.rates(flow)?.get(run.window(from, to))?;
        squares.extend(samples.iter().map(|rate| (rate / share - 1.0) * (rate / share - 1.0)));
    }
    crate::runs::mean(&squares).map(f64::sqrt)
}
