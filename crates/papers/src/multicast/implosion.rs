//! Feedback implosion over set points, receivers and group rules: beyond the paper.

use setpoint_plot::{HeatMap, Threshold};

use super::sources::sent;
use super::{NETWORK, QCN, SETTLED};
use crate::panel::{HeatPlot, heat_cell};
use crate::prelude::*;

const SCENARIO: &str = scenario!("multicast": "implosion", "with-qcn");

const SOURCE: &str = "s1";
const FLOW: &str = "group";
/// Half of a receiver's link, with preambles and gaps.
const SHARE: f64 = 5e8;
/// A frame with preamble and gap, in bits.
const RAW_FRAME: f64 = 1520.0 * 8.0;

/// Implosion: at least this many times the notifications of a source with one receiver.
const IMPLOSION: f64 = 10.0;
/// A source with this part of its share keeps it.
const KEPT: f64 = 0.8;

/// The set points in frames, and the numbers of receivers.
const FRAMES: [u32; 5] = [10, 25, 50, 75, 90];
const RECEIVERS: [u32; 6] = [2, 4, 8, 16, 32, 64];

/// The group rules.
const LEGACY: &str = "every-notification";
const SLOWEST_PATH: &str = "slowest-path";
const WORST_POINT: &str = "worst-point";
const RULES: [(&str, &str); 3] =
    [(LEGACY, "Every notification (legacy)"), (SLOWEST_PATH, "Slowest path"), (WORST_POINT, "Worst point")];

/// One of the cases.
#[derive(Clone, Copy, Debug)]
struct Cell {
    rule: &'static str,
    frames: u32,
    receivers: u32,
}

/// The legacy rule with 64 receivers.
const fn legacy_64(frames: u32) -> Cell {
    Cell { rule: LEGACY, frames, receivers: 64 }
}

impl Cell {
    fn name(self) -> String {
        format!("{}-{}-{}", self.rule, self.frames, self.receivers)
    }

    fn case(self) -> Case {
        let Self { rule, frames, receivers } = self;
        Case::new(self.name(), format!("{rule}, Qeq {frames} frames, {receivers} receivers"), SCENARIO)
            .set_all([
                format!("control.qcn.group_rule={rule}"),
                format!("control.qcn.cp.set_point=\"{} B\"", frames * 1500),
                format!("groups.1.size={receivers}"),
                format!("flows.2.from=\"s{{2..{}}}\"", receivers + 1),
                format!("flows.2.to=\"r{{1..{receivers}}}\""),
            ])
    }

    /// One receiver and the same set point: the notifications of one congested port.
    fn alone(self) -> Self {
        Self { rule: LEGACY, receivers: 1, ..self }
    }
}

/// The cells of a rule, by set point and then by receivers.
fn cells(rule: &'static str) -> impl Iterator<Item = Cell> {
    FRAMES.into_iter().flat_map(move |frames| RECEIVERS.map(|receivers| Cell { rule, frames, receivers }))
}

pub(super) fn experiment() -> Experiment {
    let alone = FRAMES.map(|frames| legacy_64(frames).alone());
    Experiment::new("multicast/implosion", "Where feedback implosion begins, and three rules against it")
        .setup(
            "One backlogged source sends to a group of 2, 4, 8, 16, 32 or 64 receivers. Each receiver also has a backlogged flow of its own, from another source, so that all receivers’ ports are \
             congested alike, and 500 Mb/s of each would be the group’s share. The link between the switches carries all that sources can send. Qeq is 10, 25, 50, 75 or 90 of 100 frames. The \
             source reacts to every notification (legacy QCN), to those of the slowest path, or to the worst point alone.",
        )
        .paper_says(
            "Not an experiment of the paper’s. It defines feedback implosion as a significant number of notifications for the copies of a frame, expects the source to degrade as the number of \
             congestion points grows, and recommends a Qeq of three quarters of the queue, which could solve it. Its source should send at the smallest rate that the paths to its receivers support.",
        )
        .assumptions([
            NETWORK,
            QCN,
            "Implosion, as defined before the runs: a source receives at least ten times as many notifications as a source with one receiver and the same Qeq. Per second, as the load of a \
             source; and per frame that it sends, as in the paper. The second detects sources that are too slow to receive many notifications.",
            "A fair share is 500 Mb/s with preambles and gaps. A source with four fifths of it keeps its share. Rates are the source’s sending rates from 300 to 800 ms.",
            "Sampling is the standard’s. The three rules, and what their sources leave open, are in docs/algorithms/multicast.md. A small closed loop there had shown, before these bounds were \
             written, that the worst point as we read it gives a group less than its share.",
        ])
        .cases(alone.into_iter().chain(RULES.iter().flat_map(|(rule, _)| cells(rule))).map(Cell::case))
        .quick(0.1)
        .seeds(Repeats::LEAST)
        .panels(panels)
        .claims(claims())
}

fn claims() -> [Claim; 8] {
    const AT_EVERY_SET_POINT: &str = "every receiver’s port samples its copy independently, wherever its set point is: per frame, implosion begins at 16 receivers with every Qeq. With the standard’s extra fast \
        recovery, target reduction and Qold a source with 32 receivers and 75 frames has 6 % of its share";
    let slowest_path = Cell { rule: SLOWEST_PATH, ..legacy_64(25) };
    [
        Claim::new("legacy-collapses", "If every notification counts, a source with 64 receivers collapses.")
            .measure(Unit::Share, Rule::AtMost(0.2), |seed| share(seed, legacy_64(25)))
            .read_as("Its rate over its fair share, with a Qeq of 25 frames; collapsed is a fifth at most."),
        Claim::new("legacy-falls", "If every notification counts, the source is the slower the more receivers there are.")
            .measure(Unit::Ratio, Rule::AtMost(0.5), |seed| {
                let sum = |receivers| {
                    let cell = |frames| Cell { receivers, ..legacy_64(frames) };
                    FRAMES.into_iter().map(|frames| share(seed, cell(frames))).sum::<Option<f64>>()
                };
                Some(sum(64)? / sum(2)?)
            })
            .read_as("Its rate with 64 receivers over that with two, as means over set points; half at most."),
        keeps("slowest-path-keeps", "the slowest path", SLOWEST_PATH).cause(
            "each of the states oscillates, and the smallest of many is below their mean; the paper’s QCN makes them oscillate more. With 8 and 32 receivers and 25 frames the source has 51 and 47 % of \
             its share (one seed); with the standard’s extra fast recovery, target reduction and Qold, 78 and 73 %",
        ),
        keeps("worst-point-keeps", "the worst point", WORST_POINT).cause(
            "among many points with fluctuating feedback one soon reports something worse than the selected one did last, so that the limiter follows the worst of all. With 8 and 32 receivers and \
             25 frames the source has 15 and 20 % of its share (one seed); with the standard’s extra fast recovery, target reduction and Qold, 43 and 33 %. With a Qeq of 90 frames it keeps its \
             share: notifications are sent only when queues are nearly full and frames are lost",
        ),
        Claim::new("slowest-path-implodes", "A source that keeps its share by the slowest path has implosion with 64 receivers.")
            .measure(Unit::Ratio, Rule::AtLeast(IMPLOSION), move |seed| over_alone(seed, slowest_path, per_second))
            .read_as("Notifications per second over those of a source with one receiver, with a Qeq of 25 frames."),
        Claim::new("legacy-implodes-per-frame", "If every notification counts, there is implosion per frame with 64 receivers.")
            .measure(Unit::Ratio, Rule::AtLeast(IMPLOSION), |seed| over_alone(seed, legacy_64(25), per_frame))
            .read_as("Notifications per frame sent over those of a source with one receiver, with a Qeq of 25 frames."),
        Claim::new(
            "three-quarters-relieve",
            "A Qeq of three quarters of the queue relieves implosion (the paper’s recommendation).",
        )
        .measure(Unit::Ratio, Rule::AtMost(0.5), |seed| {
            Some(per_frame(seed.run(&legacy_64(75).name()))? / per_frame(seed.run(&legacy_64(25).name()))?)
        })
        .read_as("Notifications per frame with 64 receivers if every one counts, with 75 frames over 25; half at most.")
        .cause(AT_EVERY_SET_POINT),
        Claim::new(
            "three-quarters-solve",
            "With a Qeq of three quarters of the queue a source that reacts to every notification keeps its fair share (the paper’s recommendation).",
        )
        .measure(Unit::Share, Rule::AtLeast(KEPT), |seed| share(seed, legacy_64(75)))
        .read_as("Its rate over its fair share with 64 receivers; four fifths at least.")
        .cause(AT_EVERY_SET_POINT),
    ]
}

/// A claim that a source keeps its share with all set points and receivers.
fn keeps(name: &str, words: &str, rule: &'static str) -> Claim {
    Claim::new(name, format!("With {words} the source keeps its fair share, for all Qeq and receivers."))
        .measure(Unit::Share, Rule::AtLeast(KEPT), move |seed| {
            least(cells(rule).map(|cell| share(seed, cell)))
        })
        .read_as("Its rate over its fair share: the smallest of all; four fifths at least.")
}

/// The rate of the source over its fair share.
fn share(seed: &Seed<'_>, cell: Cell) -> Option<f64> {
    Some(sent(seed.run(&cell.name()), SOURCE)? / SHARE)
}

/// Notifications that the source receives in a second.
fn per_second(run: &Run) -> Option<f64> {
    let counts = run.over(&run.flow_series(FLOW)?.notifications, SETTLED)?;
    let (from, to) = run.timeline.range(SETTLED);
    Some(counts.iter().map(|count| u64::from(*count)).sum::<u64>() as f64 / (to - from))
}

/// Notifications that the source receives for each frame that it sends.
fn per_frame(run: &Run) -> Option<f64> {
    let frames = sent(run, SOURCE)? / RAW_FRAME;
    (frames > 0.0).then_some(per_second(run)? / frames)
}

/// A figure over that of a source with one receiver and the same set point.
fn over_alone(seed: &Seed<'_>, cell: Cell, measure: fn(&Run) -> Option<f64>) -> Option<f64> {
    let alone = measure(seed.run(&cell.alone().name()))?;
    (alone > 0.0).then_some(measure(seed.run(&cell.name()))? / alone)
}

fn panels(runs: &Runs) -> Vec<Block> {
    let with_threshold = |map: HeatMap, at: f64, meaning: &str| HeatMap {
        threshold: Some(Threshold { at, meaning: meaning.to_owned() }),
        ..map
    };
    let mut seconds = heat_map(
        runs,
        ("per-second", "Notifications per second at the source", Unit::PerSecond),
        |seed, cell| per_second(seed.run(&cell.name())),
    );
    seconds.note = "Means over seeds, from 300 to 800 ms.".to_owned();
    let implosion = heat_map(
        runs,
        ("implosion", "Notifications per second, over those of a source with one receiver", Unit::Ratio),
        |seed, cell| over_alone(seed, cell, per_second),
    );
    let per_frame = heat_map(
        runs,
        ("per-frame", "Notifications per frame, over those of a source with one receiver", Unit::Ratio),
        |seed, cell| over_alone(seed, cell, per_frame),
    );
    let rates = heat_map(runs, ("share", "Rate of the source over its fair share", Unit::Share), share);
    vec![Block::HeatMaps(vec![
        seconds,
        with_threshold(implosion, IMPLOSION, "implosion begins"),
        with_threshold(per_frame, IMPLOSION, "implosion per frame begins"),
        with_threshold(rates, KEPT, "keeps its share"),
    ])]
}

/// A figure over set points and receivers: a panel for each rule, on one scale.
fn heat_map(
    runs: &Runs,
    (name, title, unit): (&str, &str, Unit),
    measure: impl Fn(&Seed<'_>, Cell) -> Option<f64>,
) -> HeatMap {
    let plot = HeatPlot { columns: ("Receivers", &RECEIVERS), rows: ("Qeq in frames", &FRAMES), unit };
    let panel = |(rule, words): (&'static str, &str)| {
        plot.panel(words, |receivers, frames| {
            heat_cell(&runs.values(|seed| measure(seed, Cell { rule, frames, receivers })), unit)
        })
    };
    plot.map((name, title), RULES.map(panel).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_describe_the_cell() {
        assert_eq!(legacy_64(75).name(), "every-notification-75-64");
        assert_eq!(Cell { rule: WORST_POINT, ..legacy_64(90) }.alone().name(), "every-notification-90-1");
        assert_eq!(experiment().cases.len(), 95);
    }
}
