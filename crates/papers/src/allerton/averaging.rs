//! AIMD with and without the Averaging Principle, as the lag grows.

use setpoint_fluid::Reading;
use setpoint_lab::metrics::moments::Moments;
use setpoint_lab::sweep::Spread;
use setpoint_report::document::{Block, Cell, Column, Table};
use setpoint_report::plot::{Axis, Colour, Figure, Mark, Room, Shape, Whiskers};
use setpoint_report::quantity::Unit;

use super::measure::{swing, used};
use super::theory::Theory;
use super::{Phase, TARGET, panel, scenario, taken};
use crate::case::{Case, Timing};
use crate::claim::Claim;
use crate::curves::line;
use crate::experiment::{Experiment, Kept, Repeats};
use crate::rule::Rule;
use crate::runs::{Run, Runs, Seed};

const SCENARIO: &str = scenario!("averaging", "with-aimd");

/// When the start is over.
const STEADY: Phase = (0.1, 0.2);
/// A loop has lost its stability where the queue swings by a third of its set point.
const LOST: f64 = TARGET / 3.0;

/// A variant of the algorithm over all lags.
#[derive(Clone, Copy, Debug)]
struct Variant {
    /// What it is called in legends.
    label: &'static str,
    /// What is set on top of the scenario.
    set: &'static [&'static str],
    /// The lags in microseconds, with the names of the cases.
    cases: &'static [(u32, &'static str)],
}

/// The lags of a variant, with names that begin with a prefix.
macro_rules! lags {
    ($prefix:literal: $($lag:literal)*) => {
        &[$(($lag, concat!($prefix, "-", $lag))),*]
    };
    ($prefix:literal) => {
        lags!($prefix: 20 50 100 150 200 250 300 350 400 500 600 800)
    };
}

const MULTIPLICATIVE: &str = "control.aimd.rp.decrease=multiplicative";
const ADDITIVE: &str = "control.aimd.rp.decrease=additive";
const ON: &str = "control.aimd.rp.averaging=on";

const PLAIN: Variant = Variant { label: "AIMD", set: &[MULTIPLICATIVE], cases: lags!("plain") };
const AVERAGING: Variant =
    Variant { label: "AIMD with averaging", set: &[MULTIPLICATIVE, ON], cases: lags!("averaging") };
const EQUIVALENT: Variant = Variant {
    label: "AIMD with 3/4 and 1/4 of feedback",
    set: &[MULTIPLICATIVE, "control.aimd.rp.averaging=equivalent"],
    cases: lags!("equivalent"),
};
const ADDITIVE_PLAIN: Variant =
    Variant { label: "additive decrease", set: &[ADDITIVE], cases: lags!("additive-plain") };
const ADDITIVE_AVERAGING: Variant = Variant {
    label: "additive decrease, averaging",
    set: &[ADDITIVE, ON],
    cases: lags!("additive-averaging"),
};
const TEN: &str = "flows.1.from=\"s{1..10}\"";
const TEN_PLAIN: Variant =
    Variant { label: "ten sources", set: &[MULTIPLICATIVE, TEN], cases: lags!("ten-plain") };
const TEN_AVERAGING: Variant = Variant {
    label: "ten sources, averaging",
    set: &[MULTIPLICATIVE, ON, TEN],
    cases: lags!("ten-averaging"),
};

const ALL: [Variant; 7] =
    [PLAIN, AVERAGING, EQUIVALENT, ADDITIVE_PLAIN, ADDITIVE_AVERAGING, TEN_PLAIN, TEN_AVERAGING];

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "allerton/averaging",
        title: "AIMD and the Averaging Principle as the lag grows",
        setup: "One backlogged source, whose port has 20 Gb/s, and a link of 10 Gb/s, at lags from 20 to 800 us. AIMD changes the rate by feedback of both signs; with averaging it takes half of each \
                change back after half a sampling interval; and as system 2 of theorem 1 it uses 3/4 of the feedback less 1/4 of the one before. Beside: an additive decrease, and ten sources.",
        paper_says: "It is well known that the stability of a control loop worsens as the lag grows. Applied to an AIMD scheme the Averaging Principle “dramatically improves the stability of the AIMD \
                     scheme”, and neither requires knowledge of the round-trip time nor needs the network to be upgraded. The pages with the scheme and its figures are missing from our copy.",
        we_take: [
            taken::list(&[taken::ROUND_TRIP]),
            vec![
                "The AIMD scheme is the project’s (its chapter says why): F in proportion to −(Qoff + 2 Qδ), by up to 1 Gb/s for more and up to half of the rate for less, with a sample of 150 kB regularly. \
                 A buffer of 1 MB shows how far an unstable queue swings."
                    .to_owned(),
                "There is one bridge, and so one congestion point: those of this scheme tell every sample, and one that is not congested would speed a source up.".to_owned(),
                "Swing is the standard deviation of the queue from 0.1 s on. Stability is lost where it exceeds a third of the set point, 10 kB; the lag at which it does is interpolated between those that were \
                 run, and is the longest of them where it never does."
                    .to_owned(),
                "“Dramatically” is read as: by a quarter at least.".to_owned(),
            ],
        ]
        .concat(),
        cases: ALL.iter().flat_map(Variant::all).collect(),
        timing: Timing { times: vec![("duration", 0.2), ("measure_from", 0.1)], quick: 0.5 },
        repeats: Repeats::Seeds(5),
        kept: Kept::Series,
        shown,
        claims: claims(),
    }
}

impl Variant {
    fn all(&self) -> Vec<Case> {
        self.cases.iter().map(|(lag, name)| self.case(*lag, name)).collect()
    }

    fn case(&self, lag: u32, name: &'static str) -> Case {
        let case =
            Case::new(name, self.label, SCENARIO).set(format!("topology.graph.delay=\"{} us\"", lag / 2));
        self.set.iter().fold(case, |case, set| case.set(*set))
    }

    /// The swing at each lag, in seconds and bytes.
    fn swings(&self, seed: &Seed<'_>) -> Option<Vec<(f64, f64)>> {
        let at = |(lag, case): &(u32, &str)| Some((f64::from(*lag) * 1e-6, swing(seed.run(case), STEADY)?));
        self.cases.iter().map(at).collect()
    }

    /// The lag at which stability is lost.
    fn border(&self, seed: &Seed<'_>) -> Option<f64> {
        border(&self.swings(seed)?, LOST)
    }

    /// The run at a lag.
    fn run<'a>(&self, seed: &Seed<'a>, lag: u32) -> Option<&'a Run> {
        self.cases.iter().find(|(of, _)| *of == lag).map(|(_, case)| seed.run(case))
    }

    /// What theory says of it at its first lag: margins do not depend on the lag.
    fn theory(&self) -> Option<Theory> {
        let (lag, name) = self.cases.first()?;
        Theory::of(&self.case(*lag, name))
    }

    fn margin(&self) -> Option<f64> {
        Some(self.theory()?.margin(&Reading::default())?.delay_s)
    }
}

/// Where a curve first rises above a level, interpolated; its end where it never does.
fn border(points: &[(f64, f64)], level: f64) -> Option<f64> {
    let crosses = |pair: &&[(f64, f64)]| pair[0].1 <= level && pair[1].1 > level;
    match points {
        [] => None,
        [first, ..] if first.1 > level => Some(first.0),
        [.., last] => Some(points.windows(2).find(crosses).map_or(last.0, |pair| {
            pair[0].0 + (pair[1].0 - pair[0].0) * (level - pair[0].1) / (pair[1].1 - pair[0].1)
        })),
    }
}

fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "aimd-loses-stability",
            "Plain AIMD loses its stability as the lag grows.",
            (Unit::Seconds, Rule::AtMost(799e-6)),
            |seed| PLAIN.border(seed),
        )
        .read_as("The lag at which it does; less than the longest that is run."),
        Claim::new(
            "averaging-holds-longer",
            "With averaging it holds longer, dramatically.",
            (Unit::Ratio, Rule::AtLeast(1.25)),
            |seed| Some(AVERAGING.border(seed)? / PLAIN.border(seed)?),
        )
        .read_as("The lag at which stability is lost with averaging over that without."),
        Claim::new(
            "steadier-beyond",
            "At lags at which AIMD has lost it, averaging keeps the queue steadier.",
            (Unit::Ratio, Rule::AtMost(0.8)),
            steadier_beyond,
        )
        .read_as("Swing with averaging over that without, at the first lag beyond AIMD’s border; steadier is by a fifth at least."),
        Claim::new(
            "equivalent-alike",
            "System 2 of theorem 1 bears as long a lag as averaging.",
            (Unit::Ratio, Rule::about(1.0, 0.15)),
            |seed| Some(EQUIVALENT.border(seed)? / AVERAGING.border(seed)?),
        )
        .read_as("Ratio of the lags at which stability is lost, within 15 %: messages do not come at equal distances, and decreases are multiplicative."),
        Claim::new(
            "theory-holds-longer",
            "The fluid model says so, too.",
            (Unit::Ratio, Rule::AtLeast(1.25)),
            |_| Some(AVERAGING.margin()? / PLAIN.margin()?),
        )
        .read_as("Exact delay margin of the linearised model with averaging over that without."),
    ]
}

fn steadier_beyond(seed: &Seed<'_>) -> Option<f64> {
    let border = PLAIN.border(seed)?;
    let beyond = |(lag, _): &&(f64, f64)| *lag > border;
    let (plain, averaging) = (PLAIN.swings(seed)?, AVERAGING.swings(seed)?);
    let (lag, without) = *plain.iter().find(beyond)?;
    let (_, with) = averaging.iter().find(|(other, _)| (other / lag - 1.0).abs() < 1e-9)?;
    Some(with / without)
}

fn shown(runs: &Runs) -> Vec<Block> {
    let Some(first) = runs.first() else { return Vec::new() };
    let swings = [
        ("swing", "One source", &[PLAIN, AVERAGING, EQUIVALENT][..]),
        ("swing-additive", "One source, additive decrease", &[ADDITIVE_PLAIN, ADDITIVE_AVERAGING][..]),
        ("swing-ten", "Ten sources", &[TEN_PLAIN, TEN_AVERAGING][..]),
    ]
    .map(|(name, title, variants)| over_lag(runs, (name, title), variants));
    let queues = [(PLAIN, "plain"), (AVERAGING, "averaging")]
        .map(|(variant, name)| beside_fluid(&first, &variant, name));
    let mut blocks = vec![Block::Figures(swings.into())];
    blocks.push(Block::Note("Swing of the queue over the lag, as means over seeds with a standard deviation to either side; dashed upright lines are the exact margins of the linearised model, in the colours of the variants.".to_owned()));
    blocks.extend(panel::of_seed(first, queues.into_iter().flatten().collect()));
    blocks.push(Block::Table(borders(runs)));
    blocks.push(Block::Note("The lag of a border is that of packets, at which the swing exceeds 10 kB. Margins and periods at them are those of the linearised model, on the steeper side of the feedback.".to_owned()));
    blocks.push(Block::Prose(TEN_SOURCES.to_owned()));
    blocks
}

const TEN_SOURCES: &str = "With ten sources model and packets part: by the model, in which a message’s predecessor is a whole interval of one source older for all of them at once, averaging costs margin (181 us instead of 209 us); in packets, where \
                           each source is sampled at a time of its own, it brings as much as with one source.";

/// The swing over the lag.
fn over_lag(runs: &Runs, (name, title): (&str, &str), variants: &[Variant]) -> Figure {
    let lags: Vec<f64> = PLAIN.cases.iter().map(|(lag, _)| f64::from(*lag) * 1e-6).collect();
    let mut x = Axis::linear("Lag", Unit::Seconds, (0.0, lags.iter().copied().fold(0.0, f64::max) * 1.02));
    x.marked = vec![100e-6, 200e-6, 400e-6, 600e-6, 800e-6];
    let mut marks = Vec::new();
    let mut top: f64 = LOST;
    for (index, variant) in variants.iter().enumerate() {
        let of_seeds: Vec<Vec<(f64, f64)>> = runs.seeds().filter_map(|seed| variant.swings(&seed)).collect();
        let at =
            |place: usize| Spread::of(&of_seeds.iter().map(|swings| swings[place].1).collect::<Vec<_>>());
        let spreads: Vec<(f64, Spread)> =
            lags.iter().enumerate().filter_map(|(place, lag)| Some((*lag, at(place)?))).collect();
        top = spreads.iter().map(|(_, spread)| spread.max).fold(top, f64::max);
        let colour = Colour::Series(index);
        let means = spreads.iter().map(|(lag, spread)| (*lag, spread.mean)).collect();
        let around = |(lag, spread): &(f64, Spread)| {
            let deviation = spread.deviation.unwrap_or(0.0);
            (*lag, spread.mean - deviation, spread.mean + deviation)
        };
        marks.push(line(variant.label, colour, Shape::Dotted, means));
        // What has no name is not in the legend.
        marks.push(Mark::Whiskers(Whiskers {
            name: String::new(),
            colour,
            points: spreads.iter().map(around).collect(),
        }));
    }
    let mut figure = Figure::new(name, title, x, Axis::from_zero("Swing", Unit::Bytes, top));
    figure.marks = marks;
    figure.references = vec![panel::across(LOST, "stability lost")];
    // The third variant has the margin of the second.
    for (index, variant) in variants.iter().take(2).enumerate() {
        let upright = variant.margin().map(|margin| vec![(margin, 0.0), (margin, figure.y.range.1)]);
        figure.marks.push(line("", Colour::Series(index), Shape::Dashed, upright.unwrap_or_default()));
    }
    figure.alternative = "Standard deviation of the queue over the lag.".to_owned();
    figure.room = Room::Half;
    figure
}

/// The lag that figures over time show: between the margins with and without averaging.
const SHOWN: u32 = 200;

/// The queue at a lag, of packets and of the fluid.
fn beside_fluid(seed: &Seed<'_>, variant: &Variant, name: &str) -> Option<Figure> {
    let run = variant.run(seed, SHOWN)?;
    let case = variant.cases.iter().find(|(lag, _)| *lag == SHOWN)?;
    let interval = run.series.time_s.first().copied()?;
    let course = Theory::of(&variant.case(SHOWN, case.1))?.course(
        &Reading::default(),
        run.summary.duration_s,
        interval,
    );
    let title = format!("{}, {SHOWN} us", variant.label);
    Some(panel::beside(run, (&format!("queue-{name}"), &title), course.as_ref(), (0.1, 0.12)))
}

fn borders(runs: &Runs) -> Table {
    let mut table = Table::scrolled([
        Column::words("Variant"),
        Column::figures("Border in packets"),
        Column::figures("Margin of the model"),
        Column::figures("Period at it"),
        Column::figures("Swing at 100 us"),
        Column::figures("at 200 us"),
        Column::figures("at 400 us"),
        Column::figures("Fluid at 400 us"),
        Column::figures("Link used at 400 us"),
    ]);
    for variant in &ALL {
        let spread = |measure: &dyn Fn(&Seed<'_>) -> Option<f64>| {
            Spread::of(&runs.seeds().filter_map(|seed| measure(&seed)).collect::<Vec<_>>())
        };
        let cell = |unit, measure: &dyn Fn(&Seed<'_>) -> Option<f64>| {
            crate::tables::spread_cell(unit, spread(measure))
        };
        let plain = |unit: Unit, value: Option<f64>| {
            value.map_or_else(|| Cell::words("–"), |value| Cell::words(unit.text(value)))
        };
        let swing_at = |lag| move |seed: &Seed<'_>| swing(variant.run(seed, lag)?, STEADY);
        let margin = variant.theory().and_then(|theory| theory.margin(&Reading::default()));
        table.row([
            Cell::words(variant.label),
            cell(Unit::Seconds, &|seed| variant.border(seed)),
            plain(Unit::Seconds, margin.map(|margin| margin.delay_s)),
            plain(Unit::Seconds, margin.map(|margin| std::f64::consts::TAU / margin.crossover_rad_per_s)),
            cell(Unit::Bytes, &swing_at(100)),
            cell(Unit::Bytes, &swing_at(200)),
            cell(Unit::Bytes, &swing_at(400)),
            plain(Unit::Bytes, fluid_swing(variant, 400)),
            cell(Unit::Share, &|seed| used(variant.run(seed, 400)?, STEADY)),
        ]);
    }
    table
}

/// The swing of the fluid's queue at a lag.
fn fluid_swing(variant: &Variant, lag: u32) -> Option<f64> {
    let (_, name) = variant.cases.iter().find(|(of, _)| *of == lag)?;
    let course = Theory::of(&variant.case(lag, name))?.course(&Reading::default(), STEADY.1, 20e-6)?;
    let steady = course
        .time_s
        .iter()
        .zip(&course.queue_bytes)
        .filter(|(time, _)| **time > STEADY.0)
        .map(|(_, queue)| *queue);
    Some(Moments::of(steady).deviation())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_border_is_where_a_curve_first_rises_above_a_level() {
        let points = [(1.0, 2.0), (2.0, 4.0), (3.0, 3.0), (4.0, 9.0)];
        assert_eq!(border(&points, 3.0), Some(1.5));
        assert_eq!(border(&points, 6.0), Some(3.5));
        assert_eq!(border(&points, 10.0), Some(4.0), "never");
        assert_eq!(border(&points, 1.0), Some(1.0), "from the start");
        assert_eq!(border(&[], 1.0), None);
    }
}
