//! Equal-cost paths, one of which is congested.
//!
//! Which path a flow takes falls by the seed. A case of its own, in which the path over the first spine is all but
//! shut and nothing is controlled, tells which flows take it; the choice depends on the seed and the flow alone, so
//! that it is the same in the other cases.

use setpoint_report::document::{Block, Cell, Column, Table};
use setpoint_report::quantity::Unit;

use super::{Phase, panel, scenario, taken};
use crate::case::Case;
use crate::claim::Claim;
use crate::experiment::{Experiment, Keep, Repeats};
use crate::rule::Rule;
use crate::runs::{Run, Runs, Seed, mean};
use crate::water_filling::{Demand, max_min};

const SCENARIO: &str = scenario!("multipath", "with-qcn");

/// The end of each path, which can be congested.
const CONGESTED: &str = "spine1->leaf2";
/// What the congested path has, the free path, and a source's port.
const NARROW: f64 = 2e9;
const FREE: f64 = 40e9;
const LINE: f64 = 10e9;

/// When rates have settled after the second path has become free.
const STEADY: Phase = (0.25, 0.5);
/// In the case that tells paths apart, flows on the path that is shut are slower than this.
const SHUT: f64 = 10e6;

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "allerton/multipath",
        title: "Equal paths, unequal congestion",
        setup: "Four sources of 10 Gb/s under one leaf send four backlogged flows each to another leaf, over two spines; each flow takes one of the two equal paths by a hash. \
                Both paths have 2 Gb/s at first, so that every flow is notified. From 50 ms on the path over spine 2 has 40 Gb/s, more than all sources can send, and that over \
                spine 1 still 2 Gb/s. A source has a rate limiter for each flow, or one for all of them.",
        paper_says: "Where a network spreads its traffic over several equal paths, these may be congested to very different degrees. That weighs heavily on the design and on the performance of \
                     congestion control, says the paper, and does not show it.",
        assumptions: [
            taken::list(&[taken::PARAMETERS]),
            vec![
                "The network is our own. What a flow’s own path would allow is its max-min fair rate over the two paths and the sources’ ports.".to_owned(),
                "A source with one limiter sends the frames of its flows in turn, whatever path they take: it is what a source does whose packets are spread over both paths, \
                 and the standard’s default of one rate limiter per port and priority. Bridges here do not spread the packets of one flow; those of the rack fabric do, but have no \
                 congestion points inside."
                    .to_owned(),
                "“Heavily” is read as: more than half of what the path would allow is lost.".to_owned(),
            ],
        ]
        .concat(),
        cases: vec![
            Case::new("own", "a limiter for each flow", SCENARIO),
            Case::new("one", "one limiter for all flows of a source", SCENARIO)
                .set("control.qcn.limiters_per_station=1"),
            Case::new("shut", "path over spine 1 shut, to tell flows apart", SCENARIO)
                .set("control=none")
                .set("topology.graph.links.1.rate=\"1 Mb/s\""),
        ],
        quick: 0.6,
        repeats: Repeats::Seeds(5),
        keep: Keep::Series,
        panels: Box::new(shown),
        claims: claims(),
    }
}

fn claims() -> Vec<Claim> {
    vec![
        Claim::measured(
            "told-for-the-path",
            "A flow is notified for the congestion of its own path.",
            (Unit::Share, Rule::AtLeast(0.99)),
            |seed| told_on_the_path(seed, "own"),
        )
        .read_as("With a limiter each: of all notifications from 0.25 s on, the share that flows on the congested path hear; nothing else is congested."),
        Claim::measured(
            "path-in-full",
            "With a limiter for each flow, flows on the free path have what it allows.",
            (Unit::Share, Rule::AtLeast(0.9)),
            |seed| of_allowed(seed, "own", Path::Free),
        )
        .read_as("Their rates together from 0.25 s on over what max-min sharing gives them; a tenth is left to settling."),
        Claim::measured(
            "congested-path-used",
            "The congested path is used, too.",
            (Unit::Share, Rule::AtLeast(0.95)),
            |seed| least([
                seed.run("own").utilisation_between(CONGESTED, STEADY.0, STEADY.1)?,
                seed.run("one").utilisation_between(CONGESTED, STEADY.0, STEADY.1)?,
            ]),
        )
        .read_as("Busy from 0.25 s on, the less of the two cases."),
        Claim::measured(
            "one-limiter-costs",
            "With one limiter a source is slowed down on the free path, too, severely.",
            (Unit::Share, Rule::AtMost(0.5)),
            |seed| of_allowed(seed, "one", Path::Free),
        )
        .read_as("Rates of flows on the free path, of sources that have flows on both, over what max-min sharing gives them."),
    ]
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Path {
    /// Over spine 1.
    Congested,
    /// Over spine 2.
    Free,
}

/// A flow: its name, its source and its path.
#[derive(Clone, Debug)]
struct Hashed {
    name: String,
    source: usize,
    path: Path,
}

/// All flows of a seed, with the paths they take.
fn flows(seed: &Seed<'_>) -> Option<Vec<Hashed>> {
    let run = seed.run("shut");
    let of = |(index, series): (usize, &setpoint_lab::results::FlowSeries)| {
        let slow = run.rate_between(&series.name, STEADY.0, STEADY.1)? < SHUT;
        let path = if slow { Path::Congested } else { Path::Free };
        Some(Hashed { name: series.name.clone(), source: index / 4, path })
    };
    run.series.flows.iter().enumerate().map(of).collect()
}

/// What the network would allow each flow: max-min fair rates.
fn allowed(flows: &[Hashed]) -> Vec<f64> {
    let capacities = [NARROW, FREE, LINE, LINE, LINE, LINE];
    let demand = |flow: &Hashed| {
        let path = if flow.path == Path::Congested { 0 } else { 1 };
        Demand { weight: 1.0, most: f64::INFINITY, links: vec![path, 2 + flow.source] }
    };
    max_min(&capacities, &flows.iter().map(demand).collect::<Vec<_>>())
}

/// Of the notifications that flows hear once rates have settled, the share heard on the congested path.
fn told_on_the_path(seed: &Seed<'_>, case: &str) -> Option<f64> {
    let (run, flows) = (seed.run(case), flows(seed)?);
    let heard = |flow: &&Hashed| -> f64 {
        let series = run.series.flows.iter().find(|series| series.name == flow.name);
        let window = run.window_between(STEADY.0, STEADY.1);
        series
            .and_then(|series| series.notifications.get(window))
            .map_or(0.0, |heard| heard.iter().map(|&count| f64::from(count)).sum())
    };
    let all: f64 = flows.iter().map(|flow| heard(&flow)).sum();
    Some(flows.iter().filter(|flow| flow.path == Path::Congested).map(|flow| heard(&flow)).sum::<f64>() / all)
}

/// Whether a source has flows on both paths.
fn is_mixed(flows: &[Hashed], source: usize) -> bool {
    let on = |path| flows.iter().any(|flow| flow.source == source && flow.path == path);
    on(Path::Congested) && on(Path::Free)
}

/// What flows on a path have, of sources with flows on both, over what they would be allowed.
fn of_allowed(seed: &Seed<'_>, case: &str, path: Path) -> Option<f64> {
    let (run, flows) = (seed.run(case), flows(seed)?);
    let counted = flows
        .iter()
        .zip(allowed(&flows))
        .filter(|(flow, _)| flow.path == path && is_mixed(&flows, flow.source));
    let (mut have, mut may) = (0.0, 0.0);
    for (flow, rate) in counted {
        have += run.rate_between(&flow.name, STEADY.0, STEADY.1)?;
        may += rate;
    }
    Some(have / may)
}

fn least(values: [f64; 2]) -> Option<f64> {
    values.into_iter().reduce(f64::min)
}

fn shown(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let Some(flows) = flows(&first) else { return Vec::new() };
    let figures = [("own", "A limiter for each flow"), ("one", "One limiter for all flows of a source")].map(
        |(case, title)| {
            let run = first.run(case);
            let on = |path: Path| mean_of(run, &flows, path);
            let drawn = [
                ("mean on the congested path", on(Path::Congested)),
                ("mean on the free path", on(Path::Free)),
            ];
            panel::rates(run, (&format!("rates-{case}"), title), &drawn)
        },
    );
    let mut blocks = panel::of_seed(first, figures.into()).to_vec();
    blocks.push(Block::Prose("Of each seed: how flows fell on the paths, and their mean rates from 0.25 s on, with what max-min sharing would give in brackets.".to_owned()));
    blocks.push(Block::Table(by_seed(runs)));
    blocks
}

/// The mean rate of the flows on a path, at each sample.
fn mean_of(run: &Run, flows: &[Hashed], path: Path) -> Vec<f64> {
    let rates: Vec<&[f64]> =
        flows.iter().filter(|flow| flow.path == path).filter_map(|flow| run.rates(&flow.name)).collect();
    let at =
        |index: usize| mean(&rates.iter().map(|rates| rates[index]).collect::<Vec<_>>()).unwrap_or(f64::NAN);
    (0..run.series.time_s.len()).map(at).collect()
}

fn by_seed(runs: &Runs) -> Table {
    let headings = [
        "Seed",
        "Flows on the congested path",
        "Sources on both",
        "Congested path, own limiters",
        "one limiter",
        "Free path, own limiters",
        "one limiter",
        "Notified on the congested path, own",
        "one",
    ];
    let mut table = Table::scrolled(headings.map(Column::figures));
    for seed in runs.seeds() {
        if let Some(row) = row(&seed) {
            table.row(row);
        }
    }
    table
}

fn row(seed: &Seed<'_>) -> Option<Vec<Cell>> {
    let flows = flows(seed)?;
    let congested = flows.iter().filter(|flow| flow.path == Path::Congested).count();
    let mixed = (0..4).filter(|&source| is_mixed(&flows, source)).count();
    let allowed = allowed(&flows);
    let rate = |case: &str, path: Path| {
        let on: Vec<usize> = (0..flows.len()).filter(|&index| flows[index].path == path).collect();
        let have = mean(
            &on.iter()
                .filter_map(|&index| seed.run(case).rate_between(&flows[index].name, STEADY.0, STEADY.1))
                .collect::<Vec<_>>(),
        )?;
        let may = mean(&on.iter().map(|&index| allowed[index]).collect::<Vec<_>>())?;
        Some(Cell::words(Unit::BitsPerSecond.text(have)).note(format!("({})", Unit::BitsPerSecond.text(may))))
    };
    let told = |case: &str| {
        told_on_the_path(seed, case).map_or_else(Cell::default, |share| Cell::words(Unit::Share.text(share)))
    };
    let count = |count: usize| Cell::words(Unit::Count.text(count as f64));
    let rates =
        [("own", Path::Congested), ("one", Path::Congested), ("own", Path::Free), ("one", Path::Free)];
    let mut cells = vec![count(usize::try_from(seed.number()).ok()?), count(congested), count(mixed)];
    cells.extend(rates.map(|(case, path)| rate(case, path).unwrap_or_default()));
    cells.extend(["own", "one"].map(told));
    Some(cells)
}
