//! Feedback implosion as a function of set point, number of receivers and group rule. The paper has no such experiment.

use setpoint_plot::{HeatMap, Threshold};

use super::sources::link_use;
use super::{NETWORK, QCN, SETTLED};
use crate::panel::{HeatPlot, heat_cell};
use crate::prelude::*;

const SCENARIO: &str = scenario!("multicast": "implosion", "with-qcn");

const SOURCE: &str = "s1";
const FLOW: &str = "group";
/// Half of a receiver's link rate, including preambles and gaps.
const SHARE: f64 = 5e8;
/// A frame with preamble and gap, in bits.
const RAW_FRAME: f64 = 1520.0 * 8.0;

/// Implosion: at least this many times the notifications that a source with one receiver receives.
const IMPLOSION: f64 = 10.0;
/// A source that gets at least this fraction of its fair share counts as keeping its share.
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
            .set_all(["control.qcn.cp.quantizer=standard", "control.qcn.rp.hyper_growth=by-stage"])
            .set_all([
                format!("control.qcn.group_rule={rule}"),
                format!("control.qcn.cp.set_point=\"{} B\"", frames * 1500),
                format!("groups.1.size={receivers}"),
                format!("flows.2.from=\"s{{2..{}}}\"", receivers + 1),
                format!("flows.2.to=\"r{{1..{receivers}}}\""),
            ])
    }

    /// The cell with one receiver and the same set point: only one congested port notifies the source.
    fn alone(self) -> Self {
        Self { rule: LEGACY, receivers: 1, ..self }
    }
}

/// The cells of a rule, by set point and then by number of receivers.
fn cells(rule: &'static str) -> impl Iterator<Item = Cell> {
    FRAMES.into_iter().flat_map(move |frames| RECEIVERS.map(|receivers| Cell { rule, frames, receivers }))
}

pub(super) fn experiment() -> Experiment {
    let alone = FRAMES.map(|frames| legacy_64(frames).alone());
    Experiment::new("multicast/implosion", "Onset of feedback implosion under three rules")
        .setup(
            "One backlogged source sends to a group of 2, 4, 8, 16, 32 or 64 receivers. Each receiver also receives a \
            backlogged unicast flow from another source. All receivers’ ports are therefore equally congested, and the \
            group’s share of each is 500 Mb/s. The link between the switches can carry everything that the sources \
            send. Qeq is 10, 25, 50, 75 or 90 frames in queues of 100 frames. The source reacts to every notification \
            (legacy QCN), to notifications from the slowest path, or only to the worst congestion point.",
        )
        .paper_says(
            "The paper has no such experiment. It defines feedback implosion as a significant number of notifications \
            for the copies of a frame, and expects the source’s performance to degrade as the number of congestion \
            points grows. It recommends setting Qeq to three quarters of the queue, which it says could solve the \
            problem. The source should send at the lowest of the rates that the paths to its receivers support.",
        )
        .assumptions([
            NETWORK,
            QCN,
            "The i-th cycle of hyper-active increase adds i times 50 Mb/s, and feedback divides Qeq(2w + 1) into 63 \
            steps, both as in the standard.",
            "We defined implosion before the runs: a source receives at least ten times as many notifications as a \
            source with one receiver and the same Qeq. We count notifications per second, which is the load on the \
            source, and per frame sent, as in the paper. The second measure detects implosion even if the source is \
            too slow to receive many notifications.",
            "The fair share is 500 Mb/s, including preambles and gaps. A source that gets at least four fifths of it \
            counts as keeping its share. Rates are the source’s sending rates from the start of the measurement to the \
            end of the run.",
            "Sampling follows the standard. docs/algorithms/multicast.md describes the three rules and the details \
            that the publications leave open. Before these bounds were written, a small closed-loop experiment \
            described there had already shown that our reading of the worst-point rule gives a group less than its \
            share.",
        ])
        .cases(alone.into_iter().chain(RULES.iter().flat_map(|(rule, _)| cells(rule))).map(Cell::case))
        .quick(0.1)
        .seeds(Repeats::LEAST)
        .panels(panels)
        .claims(claims())
        .claims(three_quarters())
}

fn claims() -> [Claim; 6] {
    let slowest_path = Cell { rule: SLOWEST_PATH, ..legacy_64(25) };
    [
        Claim::new(OURS, "legacy-collapses", "If every notification counts, the rate of a source with 64 receivers \
            collapses.")
            .measure(Unit::Share, Rule::AtMost(0.2), |seed| share(seed, legacy_64(25)))
            .read_as("The source’s rate divided by its fair share, with Qeq set to 25 frames; “collapses” means at \
                most a fifth."),
        Claim::new(OURS, "legacy-falls", "If every notification counts, the source becomes slower as the number of \
            receivers grows.")
            .measure(Unit::Ratio, Rule::AtMost(0.5), |seed| {
                let sum = |receivers| {
                    let cell = |frames| Cell { receivers, ..legacy_64(frames) };
                    FRAMES.into_iter().map(|frames| share(seed, cell(frames))).sum::<Option<f64>>()
                };
                Some(sum(64)? / sum(2)?)
            })
            .read_as("The source’s rate with 64 receivers divided by its rate with two, both averaged over the set \
                points; at most half."),
        keeps("slowest-path-keeps", "the slowest-path rule", SLOWEST_PATH).cause(
            "the rate of each path oscillates, and the smallest of many rates is below their mean",
        ),
        keeps("worst-point-keeps", "the worst-point rule", WORST_POINT).cause(
            "feedback fluctuates, so one of many congestion points soon reports a worse value than the last report of \
            the selected point, and the limiter follows the worst of all points. Only with Qeq set to 90 frames are \
            there few notifications, since they are then sent only when queues are nearly full",
        ),
        Claim::new(OURS, "slowest-path-implodes", "With the slowest-path rule, a source with 64 receivers suffers \
            implosion.")
            .measure(Unit::Ratio, Rule::AtLeast(IMPLOSION), move |seed| over_alone(seed, slowest_path, per_second))
            .read_as("Notifications per second divided by the value for a source with one receiver, with \
                Qeq set to 25 frames."),
        Claim::new(OURS, "legacy-implodes-per-frame", "If every notification counts, a source with 64 receivers \
            suffers implosion per frame.")
            .measure(Unit::Ratio, Rule::AtLeast(IMPLOSION), |seed| over_alone(seed, legacy_64(25), per_frame))
            .read_as("Notifications per frame sent divided by the value for a source with one receiver, with \
                Qeq set to 25 frames."),
    ]
}

/// The paper's recommendation, on our network.
fn three_quarters() -> [Claim; 2] {
    const AT_EVERY_SET_POINT: &str = "every receiver’s port samples its copy independently, regardless of the set \
        point. The heat map of notifications per frame shows where implosion begins";
    [
        Claim::new(OURS, "three-quarters-relieve",
            "Setting Qeq to three quarters of the queue (the paper’s recommendation) relieves implosion.",
        )
        .measure(Unit::Ratio, Rule::AtMost(0.5), |seed| {
            Some(per_frame(seed.run(&legacy_64(75).name()))? / per_frame(seed.run(&legacy_64(25).name()))?)
        })
        .read_as("Notifications per frame with 64 receivers if every notification counts: the value with Qeq set to \
            75 frames divided by the value with 25; at most half.")
        .cause(AT_EVERY_SET_POINT),
        Claim::new(OURS, "three-quarters-solve",
            "With Qeq set to three quarters of the queue (the paper’s recommendation), a source that reacts to every \
            notification keeps its fair share.",
        )
        .measure(Unit::Share, Rule::AtLeast(KEPT), |seed| share(seed, legacy_64(75)))
        .read_as("The source’s rate with 64 receivers divided by its fair share; at least four fifths.")
        .cause(AT_EVERY_SET_POINT),
    ]
}

/// A claim that a source keeps its share for all set points and all numbers of receivers.
fn keeps(name: &str, words: &str, rule: &'static str) -> Claim {
    Claim::new(
        OURS,
        name,
        format!(
            "With {words}, the source keeps its fair share for all values of Qeq and all numbers of receivers."
        ),
    )
    .measure(Unit::Share, Rule::AtLeast(KEPT), move |seed| least(cells(rule).map(|cell| share(seed, cell))))
    .read_as(
        "The source’s rate divided by its fair share; the smallest value over all cases must be at least four fifths.",
    )
}

/// The rate of the source divided by its fair share.
fn share(seed: &Seed<'_>, cell: Cell) -> Option<f64> {
    Some(link_use(seed.run(&cell.name()), SOURCE)? / SHARE)
}

/// Notifications that the source receives per second.
fn per_second(run: &Run) -> Option<f64> {
    let counts = run.over(&run.flow_series(FLOW)?.notifications, SETTLED)?;
    let (from, to) = run.timeline.range(SETTLED);
    Some(counts.iter().map(|count| u64::from(*count)).sum::<u64>() as f64 / (to - from))
}

/// Notifications that the source receives per frame sent.
fn per_frame(run: &Run) -> Option<f64> {
    let frames = link_use(run, SOURCE)? / RAW_FRAME;
    (frames > 0.0).then_some(per_second(run)? / frames)
}

/// A figure divided by the same figure for a source with one receiver and the same set point.
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
    seconds.note = "Means over seeds for the measured part of the run.".to_owned();
    let implosion = heat_map(
        runs,
        ("implosion", "Notifications per second, relative to a source with one receiver", Unit::Ratio),
        |seed, cell| over_alone(seed, cell, per_second),
    );
    let per_frame = heat_map(
        runs,
        ("per-frame", "Notifications per frame, relative to a source with one receiver", Unit::Ratio),
        |seed, cell| over_alone(seed, cell, per_frame),
    );
    let rates =
        heat_map(runs, ("share", "Rate of the source relative to its fair share", Unit::Share), share);
    vec![Block::HeatMaps(vec![
        seconds,
        with_threshold(implosion, IMPLOSION, "implosion begins"),
        with_threshold(per_frame, IMPLOSION, "implosion per frame begins"),
        with_threshold(rates, KEPT, "keeps its share"),
    ])]
}

/// A figure by set point and number of receivers: a panel for each rule, all on one scale.
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
