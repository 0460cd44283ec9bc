//! Figure 17: the rates of three SMCC sources.

use setpoint_report::document::Block;
use setpoint_report::plot::{Axis, Colour, Direction, Figure, Reference, Shape};
use setpoint_report::quantity::Unit;

use super::{Phase, scenario, taken};
use crate::case::Case;
use crate::claim::Claim;
use crate::curves::{self, line};
use crate::experiment::{Experiment, Keep, Repeats};
use crate::rule::Rule;
use crate::runs::{Run, Runs, Seed};

const SCENARIO: &str = scenario!("three-sources", "with-smcc");
const FLOWS: [&str; 3] = ["f1", "f2", "f3"];
/// The fair share of each.
const SHARE: f64 = 1e9 / 3.0;
/// When the shares must have been reached.
const END: Phase = (8.0, 10.0);

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "smcc/fig17",
        title: "Rates of three SMCC sources",
        setup: "Three controlled flows start at the line rate of 1 Gb/s and share a link, with R_a 256 and R_b 64.",
        paper_says: "Each source eventually reaches its fair share, so SMCC is fair.",
        assumptions: taken::list(&[
            "How long the run is cannot be read from the text; ten seconds are taken, so \
             that “eventually” has time.",
            taken::GAINS,
            taken::SAMPLING,
            taken::NETWORK,
        ]),
        cases: vec![Case::new("smcc", "SMCC", SCENARIO).set("duration=10 s")],
        quick: 0.25,
        repeats: Repeats::Seeds(10),
        keep: Keep::Series,
        panels: Box::new(shown),
        claims: claims(),
    }
}

/// Why shares are not reached.
const CAUSE: &str = "a change of the rate is as large for a slow source as for a fast one, and a source is sampled in proportion \
    to its rate, to speed up as to slow down: on average multiplicative in both directions, which does not bring rates together \
    (Chiu and Jain). Rates stay where the start and chance leave them: as far from fair after 2 s as after 60 s (Jain’s index 0.69 \
    and 0.67). Smaller steps leave them closer (R_a 64: 0.93). Round-trip time, jitter, sampling of enqueued \
    frames alone, KB of 1024 bytes and a larger least rate give 0.5 to 0.8; sources that obey every bridge come to 0.88, at \
    the price of a full queue";

fn claims() -> Vec<Claim> {
    vec![
        Claim::measured(
            "fair-share",
            "Each source reaches its fair share in the end.",
            (Unit::Share, Rule::AtMost(0.1)),
            |seed| Some(rates(seed)?.iter().map(|rate| (rate / SHARE - 1.0).abs()).fold(0.0, f64::max)),
        )
        .read_as(
            "Distance of the mean rate from 8 to 10 s from a third of the link, of the \
            source that is farthest from it.",
        )
        .cause(CAUSE),
        Claim::measured("jain", "SMCC is fair.", (Unit::Ratio, Rule::AtLeast(0.99)), |seed| {
            let rates = rates(seed)?;
            let (sum, squares) =
                (rates.iter().sum::<f64>(), rates.iter().map(|rate| rate * rate).sum::<f64>());
            Some(sum * sum / (3.0 * squares))
        })
        .read_as("Jain’s index of the three mean rates from 8 to 10 s.")
        .cause("see the claim before"),
    ]
}

/// The mean rates of the flows at the end.
fn rates(seed: &Seed<'_>) -> Option<[f64; 3]> {
    let [first, second, third] = FLOWS.map(|flow| seed.run("smcc").rate_between(flow, END.0, END.1));
    Some([first?, second?, third?])
}

fn shown(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let mut figure = over_time(first.run("smcc"));
    figure.note = format!("Rates of the limiters, every millisecond, seed {}.", first.number());
    vec![Block::Figures(vec![figure])]
}

fn over_time(run: &Run) -> Figure {
    let y = Axis::linear("Rate", Unit::BitsPerSecond, (0.0, 1e9));
    let mut figure = curves::over_time(run, "rates", "Rates of the sources", y);
    for (index, flow) in FLOWS.iter().enumerate() {
        let points = curves::timed(run, &limits(run, flow));
        figure.marks.push(line(
            &format!("source {}", index + 1),
            Colour::Series(index),
            Shape::Straight,
            points,
        ));
    }
    let label = "fair share 333 Mb/s".to_owned();
    figure.references.push(Reference { label, at: SHARE, direction: Direction::Across });
    figure.alternative = "Rates of the limiters of three sources over time, and their fair share.".to_owned();
    figure
}

/// The rate at which a flow may send: its limiter's, or the line rate while it has none.
fn limits(run: &Run, flow: &str) -> Vec<f64> {
    let series = run.series.flows.iter().find(|series| series.name == flow);
    series.map_or_else(Vec::new, |series| series.limit_bps.iter().map(|limit| limit.unwrap_or(1e9)).collect())
}
