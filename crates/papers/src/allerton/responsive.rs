//! Requirement (b): the bandwidth falls to a twentieth and comes back.

use setpoint_report::document::Block;
use setpoint_report::quantity::Unit;

use super::measure::{Band, delivered, level, limits, mean_in, peak, settled, used};
use super::{Phase, QUEUE, TARGET, as_described, panel, scenario, taken};
use crate::case::Case;
use crate::claim::Claim;
use crate::experiment::{Experiment, Keep, Repeats};
use crate::rule::Rule;
use crate::runs::{Run, Runs};
use crate::tables;

const SCENARIO: &str = scenario!("responsive", "with-qcn");

/// The link's rate, and what it falls to.
const RATE: f64 = 10e9;
const LOW: f64 = 0.5e9;
/// The phases: as it was, after the fall, after the return.
const FALL: f64 = 0.5;
const RETURN: f64 = 1.0;
const END: f64 = 1.5;
/// The second half of the phases after a change.
const LOW_SETTLED: Phase = (0.75, 1.0);
const BACK_SETTLED: Phase = (1.25, 1.5);
/// Rates follow where the running mean over so many milliseconds is this near to the link's rate.
const WINDOW: usize = 10;
const NEAR: f64 = 0.1;
/// Tens of milliseconds.
const TENS: Rule = Rule::AtMost(0.1);

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "allerton/responsive",
        title: "From 10 to 0.5 Gb/s and back",
        setup: "Ten backlogged sources share a link of 10 Gb/s at a round-trip time of 50 us. At 0.5 s the link falls to 0.5 Gb/s, at 1 s it has 10 Gb/s again. One (with a port of \
                20 Gb/s), two and fifty sources are shown beside, and round-trip times of 500 us.",
        paper_says: "What a priority has of a link may fall from 10 Gb/s to 0.5 Gb/s, and rise again; rates must follow quickly. It is a requirement, of which the paper does not show a run.",
        assumptions: [
            taken::list(&[taken::PARAMETERS, taken::ROUND_TRIP]),
            vec![
                "“Quickly” is read as within tens of milliseconds, and without a collapse: the link is used and the queue neither empty nor full for long.".to_owned(),
                "Ten sources and 50 us, which the paper does not give. There is no PAUSE, so that the fall may cost frames until sources have heard of it.".to_owned(),
                "Rates have followed when the running mean over 10 ms of what is looked at is within a tenth of the link’s rate and stays so until the next change: after the fall the sum \
                 of the sources’ rate limits, which the link then no longer shows, and after the return what is delivered."
                    .to_owned(),
                taken::AS_DESCRIBED.to_owned(),
            ],
        ]
        .concat(),
        cases: cases(),
        quick: 0.5,
        repeats: Repeats::Seeds(5),
        keep: Keep::Series,
        panels: Box::new(shown),
        claims: claims(),
    }
}

const CASES: [(&str, &str); 6] = [
    ("ten", "Ten sources"),
    ("one", "One source, port of 20 Gb/s"),
    ("two", "Two sources"),
    ("fifty", "Fifty sources"),
    ("far", "Ten sources, 500 us"),
    ("described", "Ten sources, QCN as described"),
];

fn cases() -> Vec<Case> {
    let [ten, one, two, fifty, far, described] = CASES.map(|(name, label)| Case::new(name, label, SCENARIO));
    vec![
        ten,
        one.set("topology.dumbbell.senders=1").set("topology.dumbbell.access_rate=\"20 Gb/s\""),
        two.set("topology.dumbbell.senders=2"),
        fifty.set("topology.dumbbell.senders=50"),
        far.set("topology.dumbbell.rtt=\"500 us\""),
        as_described(described),
    ]
}

fn claims() -> Vec<Claim> {
    vec![
        Claim::measured(
            "rates-fall",
            "After the fall the sources’ rates follow within tens of milliseconds.",
            (Unit::Seconds, TENS),
            |seed| fallen(seed.run("ten")),
        )
        .read_as(
            "Tens of milliseconds are less than 100 ms; the sum of rate limits, within a tenth of 0.5 Gb/s.",
        ),
        Claim::measured(
            "rates-return",
            "After the return they follow within tens of milliseconds.",
            (Unit::Seconds, TENS),
            |seed| returned(seed.run("ten")),
        )
        .read_as("Tens of milliseconds are less than 100 ms; what is delivered, within a tenth of 10 Gb/s."),
        Claim::measured(
            "no-starvation",
            "At 0.5 Gb/s there is no collapse: the link is used.",
            (Unit::Share, Rule::AtLeast(0.95)),
            |seed| used(seed.run("ten"), LOW_SETTLED),
        )
        .read_as("Busy for 95 % of the second half of the phase at least."),
        Claim::measured(
            "no-standing-queue",
            "At 0.5 Gb/s the queue does not stay full.",
            (Unit::Bytes, Rule::AtMost(2.0 * TARGET)),
            |seed| level(seed.run("ten"), LOW_SETTLED),
        )
        .read_as("Its mean in the second half of the phase; twice the set point at most."),
        Claim::measured(
            "used-again",
            "After the return the link is used as before.",
            (Unit::Share, Rule::AtLeast(0.98)),
            |seed| used(seed.run("ten"), BACK_SETTLED),
        )
        .read_as("Busy for 98 % of the second half of the phase at least."),
        Claim::measured(
            "held-again",
            "After the return the queue is held at its set point.",
            (Unit::Bytes, Rule::about(TARGET, 0.5)),
            |seed| level(seed.run("ten"), BACK_SETTLED),
        )
        .read_as("Its mean in the second half of the phase, within half of 30 kB."),
    ]
}

/// The time from the fall until the sum of rate limits has followed; the whole phase if it never has.
fn fallen(run: &Run) -> Option<f64> {
    following(run, &limits(run, line_rate(run)?), (FALL, RETURN), LOW)
}

/// The time from the return until what is delivered has followed; the whole phase if it never has.
fn returned(run: &Run) -> Option<f64> {
    following(run, &delivered(run), (RETURN, END), RATE)
}

fn following(run: &Run, values: &[f64], phase: Phase, rate: f64) -> Option<f64> {
    let interval = run.series.time_s.first().copied()?;
    let values = values.get(run.window_between(phase.0, phase.1))?;
    let band = Band { low: (1.0 - NEAR) * rate, high: (1.0 + NEAR) * rate };
    Some(settled(values, WINDOW, band) as f64 * interval)
}

/// The rate of a source's port: a single source has one that is faster than the link.
fn line_rate(run: &Run) -> Option<f64> {
    match run.series.flows.len() {
        0 => None,
        1 => Some(2.0 * RATE),
        _ => Some(RATE),
    }
}

const FIFTY: &str = "Fifty sources are beyond it: at 0.5 Gb/s the queue stays full, and in some seeds millions of frames are dropped. A full queue at that rate is sampled three or four times in a millisecond, so that each of fifty sources hears \
                     of it every 15 ms or so; every 10 ms without a message its timer takes it half of the way back to a target that, by extra fast recovery, is that of before the fall. Frames that are dropped are not sampled, which lets single \
                     sources rise to their line rate; with arriving frames sampled, dropped or not, 12 thousand are dropped in all, and the queue stays full all the same. The paper’s regime is that of few sources.";

fn shown(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let of = |case: &str, label: &str| {
        let run = first.run(case);
        let line = line_rate(run).unwrap_or(RATE);
        // Before the first notification there are no limits but those of the ports.
        let limits =
            limits(run, line).into_iter().map(|sum| if sum > 1.5 * RATE { f64::NAN } else { sum }).collect();
        let drawn = [("rate limits", limits), ("delivered", delivered(run))];
        let mut rates =
            panel::rates(run, (&format!("rates-{case}"), &format!("{label}: all rates together")), &drawn);
        rates.note = "Limits of more than 15 Gb/s together are left out.".to_owned();
        [rates, panel::queue(run, (&format!("queue-{case}"), &format!("{label}: queue")))]
    };
    let figures = [CASES[0], CASES[4]].iter().flat_map(|(case, label)| of(case, label)).collect();
    let table = tables::by_case(
        runs,
        &CASES,
        &[
            ("Followed the fall after", Unit::Seconds, fallen),
            ("the return after", Unit::Seconds, returned),
            ("Link used, 0.75 to 1 s", Unit::Share, |run| used(run, LOW_SETTLED)),
            ("Queue then", Unit::Bytes, |run| level(run, LOW_SETTLED)),
            ("Limits together then", Unit::BitsPerSecond, |run| {
                mean_in(run, &limits(run, line_rate(run)?), LOW_SETTLED)
            }),
            ("Link used, 1.25 to 1.5 s", Unit::Share, |run| used(run, BACK_SETTLED)),
            ("Queue then", Unit::Bytes, |run| level(run, BACK_SETTLED)),
            ("Largest queue since the fall", Unit::Bytes, |run| peak(run, QUEUE, (FALL, END))),
            ("Frames dropped", Unit::Count, |run| Some(run.summary.total.dropped_frames as f64)),
        ],
    );
    let mut blocks = panel::of_seed(first, figures).to_vec();
    blocks.push(Block::Table(table));
    blocks.push(Block::Note(
        "Where rates have not followed before the next change, the whole half second is shown.".to_owned(),
    ));
    blocks.push(runs.finding(FIFTY));
    blocks
}
