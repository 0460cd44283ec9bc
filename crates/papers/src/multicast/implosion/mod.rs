//! Feedback implosion over set points, receivers and group rules: beyond the paper.

mod cell;

use setpoint_lab::sweep::Spread;
use setpoint_report::document::Block;
use setpoint_report::plot::{HeatCell, HeatMap, Panel, Places, Room, Threshold, scale_for};
use setpoint_report::quantity::Unit;

use self::cell::{Cell, FRAMES, LEGACY, Map, RECEIVERS, SLOWEST_PATH, WORST_POINT, cases, maps};
use super::measure::sent;
use super::{Phase, scenario, taken};
use crate::claim::Claim;
use crate::experiment::{Experiment, Keep, Repeats};
use crate::rule::Rule;
use crate::runs::{Run, Runs, Seed};

const SCENARIO: &str = scenario!("implosion");

const SOURCE: &str = "s1";
const FLOW: &str = "group";
/// Half of a receiver's link, with preambles and gaps.
const SHARE: f64 = 5e8;
/// A frame with preamble and gap, in bits.
const RAW_FRAME: f64 = 1520.0 * 8.0;
/// What is looked at: start-up is over.
const SETTLED: Phase = (0.3, 0.8);

/// Implosion: this many times the notifications of a source with one receiver.
const IMPLOSION: f64 = 10.0;
/// A source that has this part of its share keeps it.
const KEPT: f64 = 0.8;

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "multicast/implosion",
        title: "Where feedback implosion begins, and three rules against it",
        setup: "One backlogged source sends to a group of 2, 4, 8, 16, 32 or 64 receivers. Each receiver also has a backlogged flow of its own, from another source, so that all receivers’ ports are \
                congested alike, and 500 Mb/s of each would be the group’s share. The link between the switches has room for everybody. Qeq is 10, 25, 50, 75 or 90 of 100 frames. The source obeys \
                every notification (legacy QCN), that of the slowest path, or the worst point alone.",
        paper_says: "Not an experiment of the paper’s. It defines feedback implosion as a significant number of notifications for the copies of a frame, expects the source to degrade as congestion points become more, \
                     and recommends a Qeq of three quarters of the queue, which could solve it. Its source should send at the least of what receivers’ paths bear.",
        assumptions: [
            taken::list(&[taken::NETWORK, taken::QCN]),
            vec![
                "Implosion, as it was defined before the runs: a source receives ten times as many notifications, or more, as a source with one receiver and the same Qeq does. Per second, as what a source \
                 must cope with; and per frame that it sends, as the paper has it. The second tells of sources that are too slow to be told of much."
                    .to_owned(),
                "A fair share is 500 Mb/s with preambles and gaps. A source that has four fifths of it keeps its share. Rates are what the source sends, from 300 to 800 ms.".to_owned(),
                "Sampling is the standard’s. The three rules, and what their sources leave open, are in docs/algorithms/multicast.md. A small closed loop there had shown, before these bounds were \
                 written, that the worst point as we read it gives a group less than its share."
                    .to_owned(),
            ],
        ]
        .concat(),
        cases: cases(SCENARIO),
        quick: 0.1,
        repeats: Repeats::Seeds(Repeats::LEAST),
        keep: Keep::Series,
        panels: Box::new(shown),
        claims: claims(),
    }
}

fn claims() -> Vec<Claim> {
    vec![
        Claim::measured(
            "legacy-collapses",
            "Where every notification is obeyed, a source with 64 receivers collapses.",
            (Unit::Share, Rule::AtMost(0.2)),
            |seed| share(seed, LEGACY.cell(25, 64)),
        )
        .read_as("Its rate over its fair share, with a Qeq of 25 frames; collapsed is a fifth at most."),
        Claim::measured(
            "legacy-falls",
            "Where every notification is obeyed, the source is the slower the more receivers there are.",
            (Unit::Ratio, Rule::AtMost(0.5)),
            |seed| {
                let with = |receivers| FRAMES.iter().map(|frames| share(seed, LEGACY.cell(*frames, receivers))).sum::<Option<f64>>();
                Some(with(64)? / with(2)?)
            },
        )
        .read_as("Its rate with 64 receivers over that with two, as means over set points; half at most."),
        keeps("slowest-path-keeps", "With the slowest path the source keeps its fair share, for all Qeq and receivers.", &SLOWEST_PATH, LEAST_OF_MANY),
        keeps("worst-point-keeps", "With the worst point the source keeps its fair share, for all Qeq and receivers.", &WORST_POINT, WORST_OF_MANY),
        Claim::measured(
            "slowest-path-implodes",
            "A source that keeps its share by the slowest path has implosion with 64 receivers.",
            (Unit::Ratio, Rule::AtLeast(IMPLOSION)),
            |seed| over_alone(seed, SLOWEST_PATH.cell(25, 64), per_second),
        )
        .read_as("Notifications per second over those of a source with one receiver, with a Qeq of 25 frames."),
        Claim::measured(
            "legacy-implodes-per-frame",
            "Where every notification is obeyed, there is implosion per frame with 64 receivers.",
            (Unit::Ratio, Rule::AtLeast(IMPLOSION)),
            |seed| over_alone(seed, LEGACY.cell(25, 64), per_frame),
        )
        .read_as("Notifications per frame sent over those of a source with one receiver, with a Qeq of 25 frames."),
        Claim::measured(
            "three-quarters-relieve",
            "A Qeq of three quarters of the queue relieves implosion (the paper’s recommendation).",
            (Unit::Ratio, Rule::AtMost(0.5)),
            |seed| Some(per_frame(seed.run(LEGACY.cell(75, 64).name))? / per_frame(seed.run(LEGACY.cell(25, 64).name))?),
        )
        .read_as("Notifications per frame with 64 receivers where every one is obeyed, with 75 frames over 25; half at most.")
        .cause(AT_EVERY_SET_POINT),
        Claim::measured(
            "three-quarters-solve",
            "With a Qeq of three quarters of the queue a source that obeys every notification keeps its fair share (the paper’s recommendation).",
            (Unit::Share, Rule::AtLeast(KEPT)),
            |seed| share(seed, LEGACY.cell(75, 64)),
        )
        .read_as("Its rate over its fair share with 64 receivers; four fifths at least.")
        .cause(AT_EVERY_SET_POINT),
    ]
}

const LEAST_OF_MANY: &str = "each of the states swings, and the least of many is below their mean; the paper’s QCN makes them swing more. With 8 and 32 receivers and 25 frames the source has 51 and 47 % of its share \
    (one seed); with the standard’s extra fast recovery, target reduction and Qold, 78 and 73 %";

const WORST_OF_MANY: &str = "of many points whose feedback moves up and down there is soon one that says something worse than the selected one did last, so that the limiter obeys the worst of all. With 8 and 32 receivers and \
    25 frames the source has 15 and 20 % of its share (one seed); with the standard’s extra fast recovery, target reduction and Qold, 43 and 33 %. A Qeq of 90 frames keeps it, where nothing is told until queues are \
    nearly full and frames are lost";

const AT_EVERY_SET_POINT: &str = "every receiver’s port samples its copy for itself, wherever its set point is: per frame, implosion begins at 16 receivers with every Qeq. With the standard’s extra fast recovery, target reduction \
    and Qold a source with 32 receivers and 75 frames has 6 % of its share";

/// A claim that a source keeps its share with all set points and receivers.
fn keeps(name: &'static str, statement: &'static str, map: &'static Map, cause: &'static str) -> Claim {
    let least = |seed: &Seed<'_>| {
        let shares: Option<Vec<f64>> = map.rows.iter().flatten().map(|cell| share(seed, cell)).collect();
        shares?.into_iter().reduce(f64::min)
    };
    Claim::measured(name, statement, (Unit::Share, Rule::AtLeast(KEPT)), least)
        .read_as("Its rate over its fair share: the smallest of all; four fifths at least.")
        .cause(cause)
}

/// The rate of the source over its fair share.
fn share(seed: &Seed<'_>, cell: &Cell) -> Option<f64> {
    of_share(seed.run(cell.name))
}

fn of_share(run: &Run) -> Option<f64> {
    Some(sent(run, SOURCE, SETTLED)? / SHARE)
}

/// Notifications that the source has in a second.
fn per_second(run: &Run) -> Option<f64> {
    let flow = run.series.flows.iter().find(|series| series.name == FLOW)?;
    let counts = flow.notifications.get(run.window_between(SETTLED.0, SETTLED.1))?;
    let heard: u64 = counts.iter().map(|count| u64::from(*count)).sum();
    Some(heard as f64 / run.time(SETTLED.1 - SETTLED.0))
}

/// Notifications that the source has for each frame that it sends.
fn per_frame(run: &Run) -> Option<f64> {
    let frames = sent(run, SOURCE, SETTLED)? / RAW_FRAME;
    (frames > 0.0).then_some(per_second(run)? / frames)
}

/// A figure over that of a source with one receiver and the same set point.
fn over_alone(seed: &Seed<'_>, cell: &Cell, measure: fn(&Run) -> Option<f64>) -> Option<f64> {
    let alone = measure(seed.run(cell.alone().name))?;
    (alone > 0.0).then_some(measure(seed.run(cell.name))? / alone)
}

fn shown(runs: &Runs) -> Vec<Block> {
    let implosion = |meaning: &str| Some(Threshold { at: IMPLOSION, meaning: meaning.to_owned() });
    let mut seconds = heat_map(
        runs,
        ("per-second", "Notifications per second at the source", Unit::PerSecond),
        |seed, cell| per_second(seed.run(cell.name)),
    );
    seconds.note = "Means over seeds, from 300 to 800 ms.".to_owned();
    let mut implodes = heat_map(
        runs,
        ("implosion", "Notifications per second, over those of a source with one receiver", Unit::Ratio),
        |seed, cell| over_alone(seed, cell, per_second),
    );
    implodes.threshold = implosion("implosion begins");
    let mut frames = heat_map(
        runs,
        ("per-frame", "Notifications per frame, over those of a source with one receiver", Unit::Ratio),
        |seed, cell| over_alone(seed, cell, per_frame),
    );
    frames.threshold = implosion("implosion per frame begins");
    let mut rates = heat_map(runs, ("share", "Rate of the source over its fair share", Unit::Share), share);
    rates.threshold = Some(Threshold { at: KEPT, meaning: "keeps its share".to_owned() });
    vec![Block::HeatMaps(vec![seconds, implodes, frames, rates])]
}

/// A figure over set points and receivers: a panel for each rule, on one scale.
fn heat_map(
    runs: &Runs,
    (name, title, unit): (&str, &str, Unit),
    measure: impl Fn(&Seed<'_>, &Cell) -> Option<f64>,
) -> HeatMap {
    let cell = |cell: &Cell| {
        let values: Vec<f64> = runs.seeds().filter_map(|seed| measure(&seed, cell)).collect();
        let spread = Spread::of(&values);
        let note = spread.map_or_else(String::new, |spread| unit.spread_text(spread.mean, spread.deviation));
        HeatCell { value: spread.map(|spread| spread.mean), note }
    };
    let panel = |map: &Map| Panel {
        title: map.title.to_owned(),
        rows: map.rows.iter().map(|row| row.iter().map(cell).collect()).collect(),
    };
    let panels = maps().map(panel).to_vec();
    let values = panels.iter().flat_map(|panel| panel.rows.iter().flatten()).filter_map(|cell| cell.value);
    let scale = scale_for(title, unit, values);
    let places =
        |label: &str, numbers: &[u32]| Places::new(label, numbers.iter().map(ToString::to_string).collect());
    let sides = (places("Receivers", &RECEIVERS), places("Qeq in frames", &FRAMES));
    HeatMap { panels, room: Room::Full, ..HeatMap::new(name, title, sides, scale) }
}
