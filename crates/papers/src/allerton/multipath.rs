//! Equal-cost paths, one of which is congested.
//!
//! The path of a flow depends on the seed. A separate case without congestion control, in which the path
//! through the first spine is nearly closed, reveals which flows take it. The choice depends only on the seed
//! and the flow, so it is the same in the other cases.

use super::choices::ELSEWHERE;
use super::{PARAMETERS, STEADY, onwards};
use crate::prelude::*;
use crate::water_filling::{Demand, max_min};

const SCENARIO: &str = scenario!("allerton": "multipath", "with-qcn");

/// The bottleneck of the congested path.
const CONGESTED: &str = "spine1->leaf2";
/// The rates of the congested path, of the free path, and of a source's port.
const NARROW: f64 = 2e9;
const FREE: f64 = 40e9;
const LINE: f64 = 10e9;

/// In the case that reveals the paths, flows on the closed path are slower than this.
const CLOSED: f64 = 10e6;

pub(super) fn experiment() -> Experiment {
    let own = Case::new("own", "a limiter for each flow", SCENARIO);
    Experiment::new("allerton/multipath", "Equal-cost paths, unequal congestion")
        .setup(
            "Four 10 Gb/s sources under one leaf each send four backlogged flows to another leaf through two spines. A \
            hash assigns each flow to one of the two equal-cost paths. Both paths run at 2 Gb/s at first, so every \
            flow is notified. After 50 ms, the path through spine 2 runs at 40 Gb/s, enough for everything that the \
            sources can send, while the path through spine 1 still runs at 2 Gb/s. A source has either one rate \
            limiter for each flow or one for all of its flows.",
        )
        .paper_says(
            "If a network spreads its traffic over several equal-cost paths, the paths may be congested to very \
            different degrees. Multipathing “quite severely affects both the design and the performance of congestion \
            control schemes”; the paper shows no run of this kind.",
        )
        .assumptions([
            PARAMETERS,
            "The network is our own design. The rate that a flow’s path allows is the flow’s max-min fair \
            rate, given the two paths and the sources’ ports.",
            "A source with one limiter sends the frames of its flows in turn, regardless of their paths, like a source \
            whose packets are spread over both paths. One rate limiter per port and priority is the standard’s \
            default. The bridges here do not spread the packets of a flow over several paths; the rack fabric does, \
            but it has no internal congestion points.",
            "We read “severely” as a loss of more than half the rate that the path would allow.",
        ])
        .choices(ELSEWHERE)
        .claims(claims(&onwards(&own)))
        .cases([
            own,
            Case::new("one", "one limiter for all flows of a source", SCENARIO)
                .set("control.qcn.limiters_per_station=1"),
            Case::new("shut", "path through spine 1 closed, to reveal which flows take it", SCENARIO)
                .set_all(["control=none", "topology.graph.links.1.rate=\"1 Mb/s\""]),
        ])
        .quick(0.6)
        .seeds(5)
        .panels(panels)
}

fn claims(onwards: &str) -> [Claim; 4] {
    [
        Claim::new(OURS, "told-for-the-path", "A flow is notified of congestion on its own path.")
            .measure(Unit::Share, Rule::AtLeast(0.99), |seed| notified_on_path(seed, "own"))
            .read_as(format!(
                "With a limiter for each flow: the share of notifications {onwards} that go to flows on the \
                congested path. Nothing else is congested."
            )),
        Claim::new(
            OURS,
            "path-in-full",
            "With a limiter for each flow, flows on the free path get the rate that the path allows.",
        )
        .measure(Unit::Share, Rule::AtLeast(0.9), |seed| over_allowed(seed, "own", Path::Free))
        .read_as(format!(
            "The sum of their rates {onwards} divided by the sum of their max-min fair rates; a tolerance \
                of 10 % allows for settling."
        )),
        Claim::new(OURS, "congested-path-used", "The congested path is used as well.")
            .measure(Unit::Share, Rule::AtLeast(0.95), |seed| {
                least(["own", "one"].map(|case| seed.run(case).utilisation(CONGESTED, STEADY)))
            })
            .read_as(format!(
                "Share of the time {onwards} during which it is busy; the smaller value of the two cases \
                counts."
            )),
        Claim::new(
            at("section II"),
            "one-limiter-costs",
            "With one limiter, a source is severely slowed down on the free path, too.",
        )
        .measure(Unit::Share, Rule::AtMost(0.5), |seed| over_allowed(seed, "one", Path::Free))
        .read_as(
            "Only sources with flows on both paths count: the rates of their flows on the free path, divided by the \
            max-min fair rates of the same flows.",
        ),
    ]
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Path {
    /// Through spine 1.
    Congested,
    /// Through spine 2.
    Free,
}

/// A flow with its source and its path.
#[derive(Clone, Debug)]
struct Routed {
    name: String,
    source: usize,
    path: Path,
    /// Its max-min fair rate.
    allowed: f64,
}

/// All flows with the paths that they take with this seed.
fn flows(seed: &Seed<'_>) -> Option<Vec<Routed>> {
    let run = seed.run("shut");
    let of = |(index, series): (usize, &setpoint_record::results::FlowSeries)| {
        let slow = run.mean_over(&series.rate_bps, STEADY)? < CLOSED;
        let path = if slow { Path::Congested } else { Path::Free };
        Some(Routed { name: series.name.clone(), source: index / 4, path, allowed: 0.0 })
    };
    let mut flows: Vec<Routed> = run.series.flows.iter().enumerate().map(of).collect::<Option<_>>()?;
    let rates = max_min_rates(&flows);
    for (flow, rate) in flows.iter_mut().zip(rates) {
        flow.allowed = rate;
    }
    Some(flows)
}

fn max_min_rates(flows: &[Routed]) -> Vec<f64> {
    let capacities = [NARROW, FREE, LINE, LINE, LINE, LINE];
    let demand = |flow: &Routed| {
        let path = if flow.path == Path::Congested { 0 } else { 1 };
        Demand { weight: 1.0, most: f64::INFINITY, links: vec![path, 2 + flow.source] }
    };
    max_min(&capacities, &flows.iter().map(demand).collect::<Vec<_>>())
}

/// The share of all notifications in the steady part that are received by flows on the congested path.
fn notified_on_path(seed: &Seed<'_>, case: &str) -> Option<f64> {
    let (run, flows) = (seed.run(case), flows(seed)?);
    let received = |flow: &Routed| -> f64 {
        let counts = run.flow_series(&flow.name).and_then(|series| run.over(&series.notifications, STEADY));
        counts.map_or(0.0, |counts| counts.iter().map(|&count| f64::from(count)).sum())
    };
    let total: f64 = flows.iter().map(received).sum();
    Some(flows.iter().filter(|flow| flow.path == Path::Congested).map(received).sum::<f64>() / total)
}

/// Whether a source has flows on both paths.
fn is_mixed(flows: &[Routed], source: usize) -> bool {
    let on = |path| flows.iter().any(|flow| flow.source == source && flow.path == path);
    on(Path::Congested) && on(Path::Free)
}

/// The rates of flows on a path divided by their max-min fair rates; only sources with flows on both paths
/// count.
fn over_allowed(seed: &Seed<'_>, case: &str, path: Path) -> Option<f64> {
    let (run, flows) = (seed.run(case), flows(seed)?);
    let (mut measured, mut allowed) = (0.0, 0.0);
    for flow in flows.iter().filter(|flow| flow.path == path && is_mixed(&flows, flow.source)) {
        measured += run.mean_rate(&flow.name, STEADY)?;
        allowed += flow.allowed;
    }
    Some(measured / allowed)
}

fn panels(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let flows = flows(&first).unwrap_or_default();
    let cases = [("own", "A limiter for each flow"), ("one", "One limiter for all flows of a source")];
    let figures = cases.map(|(case, title)| {
        let run = first.run(case);
        let curves = [("mean on the congested path", Path::Congested), ("mean on the free path", Path::Free)]
            .map(|(label, path)| (label, mean_rate_on(run, &flows, path)));
        panel::rates(run, (&format!("rates-{case}"), title), &curves)
    });
    let mut blocks = panel::of_seed(first, figures);
    let lead = "For each seed: the distribution of flows over the paths, and their mean rates in the steady part, with \
        the max-min fair rates in brackets.";
    blocks.extend([Block::Prose(lead.to_owned()), Block::Table(by_seed(runs))]);
    blocks
}

/// The mean rate of the flows on a path, at each sample time.
fn mean_rate_on(run: &Run, flows: &[Routed], path: Path) -> Vec<f64> {
    let on_path = flows.iter().filter(|flow| flow.path == path);
    let rates: Vec<&[f64]> = on_path.filter_map(|flow| run.rates(&flow.name)).collect();
    let at =
        |index: usize| mean(&rates.iter().map(|rates| rates[index]).collect::<Vec<_>>()).unwrap_or(f64::NAN);
    (0..run.series.time_s.len()).map(at).collect()
}

fn by_seed(runs: &Runs) -> Table {
    let headings = [
        "Seed",
        "Flows on the congested path",
        "Sources on both paths",
        "Congested path, one limiter per flow",
        "one per source",
        "Free path, one limiter per flow",
        "one per source",
        "Notifications on the congested path, one limiter per flow",
        "one per source",
    ];
    let mut table = Table::scrolled(headings.map(Column::figures));
    for row in runs.seeds().filter_map(|seed| row(&seed)) {
        table.row(row);
    }
    table
}

fn row(seed: &Seed<'_>) -> Option<Vec<Cell>> {
    let flows = flows(seed)?;
    let congested = flows.iter().filter(|flow| flow.path == Path::Congested).count();
    let mixed = (0..4).filter(|&source| is_mixed(&flows, source)).count();
    let rate = |case: &str, path: Path| {
        let on: Vec<&Routed> = flows.iter().filter(|flow| flow.path == path).collect();
        let measured = mean(&all(on.iter().map(|flow| seed.run(case).mean_rate(&flow.name, STEADY)))?)?;
        let allowed = mean(&on.iter().map(|flow| flow.allowed).collect::<Vec<_>>())?;
        let text = |rate| Unit::BitsPerSecond.text(rate);
        Some(Cell::words(text(measured)).note(format!("({})", text(allowed))))
    };
    let rates =
        [("own", Path::Congested), ("one", Path::Congested), ("own", Path::Free), ("one", Path::Free)];
    let counts = [seed.number() as usize, congested, mixed];
    let mut cells: Vec<Cell> = counts.map(|count| Cell::words(count.to_string())).into();
    cells.extend(rates.map(|(case, path)| rate(case, path).unwrap_or_default()));
    cells.extend(["own", "one"].map(|case| table::value_cell(Unit::Share, notified_on_path(seed, case))));
    Some(cells)
}
