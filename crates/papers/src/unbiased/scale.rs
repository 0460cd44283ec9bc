//! The whole fabric, which the paper has built and does not show at work.

use setpoint_report::document::Block;
use setpoint_report::plot::{Axis, Colour, Figure, Shape};
use setpoint_report::quantity::Unit;

use super::{Phase, at_inputs, by_occupancy, kept_alive, pause_only, scenario, searches, taken};
use crate::claim::Claim;
use crate::curves::{self, line};
use crate::experiment::{Experiment, Keep, Repeats};
use crate::rule::Rule;
use crate::runs::{Run, Runs, Seed, mean};
use crate::tables;

const SCENARIO: &str = scenario!("scale", "at-100g");

/// What a background flow offers, without preamble and gap.
const OFFERED: f64 = 7_402_723_735.0;
/// The second half of the run.
const SETTLED: Phase = (0.005, 0.01);

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "unbiased/scale",
        title: "The whole fabric: 640 ports, 25 hot spots",
        setup: "Four racks of 32 leaves with five servers each, 640 ports of 100 Gb/s, and 32 spines. Every station sends to eight others at 7.5 Gb/s \
                each: a uniform load of 60 %. On top of it 125 stations, one under each of 125 leaves, send all they can to 25 others, five to each, which makes 25 \
                hot spots. 10 ms are run with PAUSE alone, and with QCN at inputs by arrival and by random occupancy with keep-alive.",
        paper_says: "The fabric has 640 ports of 100 Gb/s. The paper shows no run of all of them; what it claims of single inputs should be so at scale: nothing is lost, and \
                     flows that share an input with a culprit, and not its output, keep their rate with occupancy sampling, where PAUSE alone and arrival sampling \
                     take it from them.",
        assumptions: [
            taken::list(&[taken::TABLE_1, taken::FABRIC]),
            vec![
                "Victims are the background flows from the 125 stations to receivers that are no hot spots. Bystanders are those that neither come from these \
                 stations nor go to a hot spot."
                    .to_owned(),
                "Background frames come one by one, with exponential silence between them; those that find their port paused wait at their station.".to_owned(),
                "Where all flows of a station wait for its port, the one to a hot spot has 40 % of it and the others 60 %, as if it sent frames in the order \
                 in which applications bring them (as in figure 5). With equal shares for all flows, or the one to the hot spot paced at 40 Gb/s, the \
                 stations themselves protect victims: in runs of 1 ms these kept all of their rate with PAUSE alone."
                    .to_owned(),
                "There is one seed, since a run of some 32 million frames takes minutes. Figures are means over hundreds of flows.".to_owned(),
            ],
        ]
        .concat(),
        cases: vec![
            pause_only(SCENARIO),
            at_inputs("arrival", "arrival sampling at inputs", SCENARIO),
            kept_alive(by_occupancy("random", "random occupancy at inputs, keep-alive", SCENARIO)),
        ],
        quick: 0.1,
        repeats: Repeats::Costly(1),
        keep: Keep::Series,
        panels: Box::new(shown),
        claims: claims(),
    }
}

fn claims() -> Vec<Claim> {
    vec![
        Claim::measured(
            "nothing-lost",
            "No frame is lost, with any of the three.",
            (Unit::Count, Rule::AtMost(0.0)),
            |seed| Some(CASES.iter().map(|(case, _)| seed.run(case).summary.total.dropped_frames as f64).sum()),
        ),
        Claim::measured(
            "bystanders-carried",
            "The fabric carries what has nothing to do with hot spots.",
            (Unit::Share, Rule::AtLeast(0.98)),
            |seed| kept_rate(seed.run("random"), Group::Bystanders),
        )
        .read_as("Mean rate of bystanders over what they offer, with occupancy sampling, in the second half of the run; 98 % at least."),
        Claim::measured(
            "victims-keep-their-rate",
            "With random occupancy sampling victims keep their rate.",
            (Unit::Share, Rule::AtLeast(0.95)),
            |seed| kept_rate(seed.run("random"), Group::Victims),
        )
        .read_as("Mean rate of victims over what they offer, in the second half of the run; 95 % at least."),
        gains("better-than-pause", "Victims have more than with PAUSE alone.", "pause"),
        gains("better-than-arrival", "Victims have more than with arrival sampling.", "arrival").cause(
            "arrival sampling pulls flows to the rate of the culprit at their input, which has 8 Gb/s here, and victims offer 7.5: there is little to pull (2 % of \
             them are). With two background flows of 30 Gb/s from each station instead of eight of 7.5, in runs of 4 ms, victims have 50 % of their rate by arrival and all of it by \
             occupancy",
        ),
    ]
}

fn gains(name: &'static str, statement: &'static str, than: &'static str) -> Claim {
    let measure = move |seed: &Seed<'_>| {
        Some(kept_rate(seed.run("random"), Group::Victims)? / kept_rate(seed.run(than), Group::Victims)?)
    };
    Claim::measured(name, statement, (Unit::Ratio, Rule::AtLeast(1.25)), measure)
        .read_as("Mean rates of victims, the one over the other; more is by a quarter at least.")
}

/// Who a background flow is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    /// From a station that sends to a hot spot, to a receiver that is none.
    Victims,
    /// Neither from such a station nor to a hot spot.
    Bystanders,
    /// To a hot spot.
    Competitors,
}

/// Who a flow is, by its stations; none for those that make hot spots.
fn group(name: &str, source: &str, destination: &str) -> Option<Group> {
    let number = |station: &str| station.strip_prefix('h')?.parse::<u32>().ok();
    let (from, to) = (number(source)?, number(destination)?);
    let makes_hot_spot = from % 5 == 3 && from <= 623;
    let is_hot_spot = to % 25 == 1 && to <= 601;
    name.starts_with("background").then_some(match (makes_hot_spot, is_hot_spot) {
        (_, true) => Group::Competitors,
        (true, false) => Group::Victims,
        (false, false) => Group::Bystanders,
    })
}

/// The mean rates of the flows of a group in the second half of the run, over what they offer.
fn kept_rates(run: &Run, wanted: Group) -> Vec<f64> {
    let window = run.window_between(SETTLED.0, SETTLED.1);
    let of_group = run.summary.flows.iter().zip(&run.series.flows);
    let of_group =
        of_group.filter(|(flow, _)| group(&flow.name, &flow.source, &flow.destination) == Some(wanted));
    of_group.filter_map(|(_, series)| Some(mean(series.rate_bps.get(window.clone())?)? / OFFERED)).collect()
}

fn kept_rate(run: &Run, wanted: Group) -> Option<f64> {
    mean(&kept_rates(run, wanted))
}

/// What flows to hot spots get together, with preamble and gap.
fn hot_rate(run: &Run) -> Option<f64> {
    let window = run.window_between(SETTLED.0, SETTLED.1);
    let hot = run.series.flows.iter().filter(|series| series.name.starts_with("hot"));
    let rates: Option<Vec<f64>> = hot.map(|series| mean(series.rate_bps.get(window.clone())?)).collect();
    mean(&rates?).map(|rate| rate * 1542.0 / 1522.0)
}

const CASES: [(&str, &str); 3] = [
    ("pause", "PAUSE only"),
    ("arrival", "Arrival sampling at inputs"),
    ("random", "Random occupancy at inputs, keep-alive"),
];

fn shown(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let x = Axis::linear("Rate over what is offered", Unit::Ratio, (0.0, 1.2));
    let y = Axis::linear("Share of victims at or below", Unit::Share, (0.0, 1.0));
    let mut figure = Figure::new("victims-cdf", "Distribution of the victims’ rates", x, y);
    for (index, (case, label)) in CASES.into_iter().enumerate() {
        let points = curves::cdf(kept_rates(first.run(case), Group::Victims));
        figure.marks.push(line(label, Colour::Series(index), Shape::Straight, points));
    }
    figure.alternative = "Cumulative distribution of the victims’ rates over what they offer.".to_owned();
    figure.note = "Mean rates of all victims in the second half of the run.".to_owned();
    let table = tables::by_case(
        runs,
        &CASES,
        &[
            ("Victims keep", Unit::Share, |run| kept_rate(run, Group::Victims)),
            ("Bystanders keep", Unit::Share, |run| kept_rate(run, Group::Bystanders)),
            ("Background to hot spots keeps", Unit::Share, |run| kept_rate(run, Group::Competitors)),
            ("A flow that makes a hot spot has", Unit::BitsPerSecond, hot_rate),
            ("Throughput", Unit::BitsPerSecond, |run| Some(run.summary.total.throughput_bps)),
            ("Time paused, over all links", Unit::Seconds, |run| Some(run.summary.total.paused_s)),
            ("Frames lost", Unit::Count, |run| Some(run.summary.total.dropped_frames as f64)),
            ("Frames and cells over links", Unit::Count, |run| Some(run.summary.packet_hops as f64)),
        ],
    );
    let mut blocks = vec![Block::Figures(vec![figure]), Block::Table(table)];
    blocks.extend(searches::table(runs, &CASES[2..]));
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flows_by_their_stations() {
        assert_eq!(group("background7", "h3", "h82"), Some(Group::Victims));
        assert_eq!(group("background7", "h628", "h82"), Some(Group::Bystanders));
        assert_eq!(group("background7", "h3", "h26"), Some(Group::Competitors));
        assert_eq!(group("background7", "h4", "h26"), Some(Group::Competitors));
        assert_eq!(group("background7", "h4", "h626"), Some(Group::Bystanders));
        assert_eq!(group("hot1", "h3", "h1"), None);
    }
}
