//! The whole fabric, for which the paper shows no results.

use super::{FABRIC, RAW, TABLE_1, at_inputs, by_occupancy, culprits, kept_alive, pause_only, paused_time};
use crate::prelude::*;

const SCENARIO: &str = scenario!("unbiased": "scale", "table-1", "at-100g");

/// The offered rate of a background flow, without preamble and gap.
const OFFERED: f64 = 7_402_723_735.0;
/// The second half of the run.
const SETTLED: Window = START.plus(0.0025).until(END);

const CASES: [(&str, &str); 3] = [
    ("pause", "PAUSE only"),
    ("arrival", "Arrival sampling at inputs"),
    ("random", "Random occupancy at inputs, keep-alive"),
];

pub(super) fn experiment() -> Experiment {
    Experiment::new("unbiased/scale", "The whole fabric: 640 ports, 25 hot spots")
        .setup(
            "The fabric has four racks of 32 leaves with five servers each (640 ports of 100 Gb/s) and 32 spines. \
            Every station sends to eight others at 7.5 Gb/s each: a uniform load of 60 %. In addition, 125 stations, \
            one under each of 125 leaves, send as fast as they can to 25 other stations, five to each, which creates \
            25 hot spots. A run lasts 5 ms. We run PAUSE alone, QCN at inputs with arrival sampling, and QCN at \
            inputs with random occupancy sampling and keep-alive.",
        )
        .paper_says(
            "The paper describes a fabric with 640 ports of 100 Gb/s but shows no run of the whole fabric.",
        )
        .assumptions([
            TABLE_1,
            FABRIC,
            "No frame is lost: a run in which flow control fails to protect a frame ends with an error.",
            "Victims are the background flows from the 125 stations to receivers that are not hot spots. Bystanders \
            are background flows that neither come from these stations nor go to a hot spot.",
            "Background frames arrive one at a time, with exponentially distributed gaps between them. If their port \
            is paused, they wait at their station.",
            "While all flows of a station wait for its port, the flow to a hot spot gets 40 % of the port’s capacity \
            and the others get 60 %, as if the station sent frames in the order in which applications hand them over \
            (as in figure 5). With equal shares for all flows, or with the flow to the hot spot paced at 40 Gb/s, the \
            stations themselves would protect the victims.",
            "We use only one seed, since a run of some 16 million frames takes minutes. Figures are means \
            over hundreds of flows.",
        ])
        .cases([
            pause_only(SCENARIO),
            at_inputs("arrival", "arrival sampling at inputs", SCENARIO),
            kept_alive(by_occupancy("random", "random occupancy at inputs, keep-alive", SCENARIO)),
        ])
        .quick(0.1)
        .repeats(Repeats::Costly(1))
        .panels(panels)
        .claims(claims())
}

fn claims() -> [Claim; 4] {
    let gains = |name, statement, than: &'static str| {
        Claim::new(OURS, name, statement)
            .measure(Unit::Ratio, Rule::AtLeast(1.25), |seed| {
                Some(
                    kept_rate(seed.run("random"), Group::Victims)?
                        / kept_rate(seed.run(than), Group::Victims)?,
                )
            })
            .read_as("Ratio of the mean rates of victims; “higher” means by at least a quarter.")
    };
    [
        Claim::new(OURS, "bystanders-carried", "The fabric carries traffic that is unrelated to hot spots.")
            .measure(Unit::Share, Rule::AtLeast(0.98), |seed| kept_rate(seed.run("random"), Group::Bystanders))
            .read_as(
                "Mean rate of bystanders divided by their offered rate, with occupancy sampling, in the second half of \
                the run; at least 98 %.",
            ),
        Claim::new(OURS, "victims-keep-their-rate", "With random occupancy sampling, victims keep their rate.")
            .measure(Unit::Share, Rule::AtLeast(0.95), |seed| kept_rate(seed.run("random"), Group::Victims))
            .read_as("Mean rate of victims divided by their offered rate, in the second half of the run; at least 95 \
                %."),
        gains(
            "better-than-pause",
            "With random occupancy sampling, victims get a higher rate than with PAUSE alone.",
            "pause",
        ),
        gains(
            "better-than-arrival",
            "With random occupancy sampling, victims get a higher rate than with arrival sampling.",
            "arrival",
        )
        .cause(
            "arrival sampling slows flows down to the rate of the culprit at their input, which here is above the \
            victims’ offered rate (table), so few of them are slowed down",
        ),
    ]
}

/// The role of a background flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    /// From a station that sends to a hot spot, to a receiver that is not a hot spot.
    Victims,
    /// Neither from such a station nor to a hot spot.
    Bystanders,
    /// To a hot spot.
    Competitors,
}

/// The role of a flow, determined by its stations; none for the flows that create hot spots.
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

/// The mean rates of a group's flows in the second half of the run, divided by their offered rate.
fn kept_rates(run: &Run, wanted: Group) -> Vec<f64> {
    let flows = run.summary.flows.iter().zip(&run.series.flows);
    let of_group =
        flows.filter(|(flow, _)| group(&flow.name, &flow.source, &flow.destination) == Some(wanted));
    of_group.filter_map(|(_, series)| Some(run.mean_over(&series.rate_bps, SETTLED)? / OFFERED)).collect()
}

fn kept_rate(run: &Run, wanted: Group) -> Option<f64> {
    mean(&kept_rates(run, wanted))
}

/// The mean rate of the flows that create hot spots, with preamble and gap.
fn hot_rate(run: &Run) -> Option<f64> {
    let hot = run.series.flows.iter().filter(|series| series.name.starts_with("hot"));
    mean(&all(hot.map(|series| run.mean_over(&series.rate_bps, SETTLED)))?).map(|rate| rate * RAW)
}

fn panels(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let curves =
        CASES.map(|(case, label)| (label, Shape::Straight, kept_rates(first.run(case), Group::Victims)));
    let x = Axis::linear("Rate / offered rate", Unit::Ratio, (0.0, 1.2));
    let names = ("victims-cdf", "Distribution of the victims’ rates");
    let mut figure = panel::distribution(names, x, "victims", curves);
    figure.note = "Mean rates of all victims in the second half of the run.".to_owned();
    let table = table::by_case(
        runs,
        &CASES,
        &[
            ("Rate kept by victims", Unit::Share, |run| kept_rate(run, Group::Victims)),
            ("by bystanders", Unit::Share, |run| kept_rate(run, Group::Bystanders)),
            ("by background flows to hot spots", Unit::Share, |run| kept_rate(run, Group::Competitors)),
            ("Rate of a flow that creates a hot spot", Unit::BitsPerSecond, hot_rate),
            ("Throughput", Unit::BitsPerSecond, |run| Some(run.summary.total.throughput_bps)),
            ("Total pause time of all links", Unit::Seconds, paused_time),
            ("Frames and cells sent over links", Unit::Count, |run| Some(run.summary.packet_hops as f64)),
        ],
    );
    let culprits = culprits::table(runs, &CASES[2..]);
    [Block::Figures(vec![figure]), Block::Table(table)].into_iter().chain(culprits).collect()
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
