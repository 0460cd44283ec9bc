//! Theorem 2: the convergence of DCQCN's rates, and the convergence times that the authors computed.

use setpoint_fluid::Scheme;

use super::choices::MARKING_IN_MODEL;
use super::model::{DEFAULT, Group, Line, Setting, rates, solution};
use super::published;
use crate::prelude::*;

/// The discrete model of appendix B.
#[derive(Clone, Copy, Debug)]
struct Discrete {
    flows: u32,
    increase_bps: f64,
    gain: f64,
    kmax_bits: f64,
}

/// The printed equation for α*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exponent {
    /// Equation (12): (1-g)^(ΔT-1).
    Section,
    /// Appendix B: (1-g)^ΔT.
    Appendix,
}

/// C and τ′.
const CAPACITY: f64 = 40e9;
const UNIT_S: f64 = 55e-6;
/// The time between the starts of the two flows, and the duration.
const LATE_S: f64 = 0.02;
const SECONDS: f64 = 0.4;

impl Discrete {
    /// The set-up of a column of the published times.
    fn of(column: &str, flows: u32) -> Self {
        let default = Self { flows, increase_bps: 40e6, gain: 1.0 / 256.0, kmax_bits: 1.6e6 };
        match column {
            "rai10" => Self { increase_bps: 10e6, ..default },
            "kmax1000" => Self { kmax_bits: 8e6, ..default },
            "g16" => Self { gain: 1.0 / 16.0, ..default },
            _ => default,
        }
    }

    /// ΔT for a value of α, in units of τ′.
    fn cycle(&self, alpha: f64) -> f64 {
        let growth = f64::from(self.flows) * self.increase_bps;
        let until_marked = ((1.0 + 8.0 * self.kmax_bits / (growth * UNIT_S)).sqrt() - 1.0) / 2.0;
        2.0 + (until_marked / 2.0 + CAPACITY / (2.0 * growth)) * alpha
    }

    /// The next value of α.
    fn next(&self, alpha: f64, exponent: Exponent) -> f64 {
        let units = self.cycle(alpha) - if exponent == Exponent::Section { 1.0 } else { 0.0 };
        libm::pow(1.0 - self.gain, units) * ((1.0 - self.gain) * alpha + self.gain)
    }

    /// α*, by bisection.
    fn rest(&self, exponent: Exponent) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..200 {
            let middle = (low + high) / 2.0;
            if self.next(middle, exponent) > middle { low = middle } else { high = middle }
        }
        low
    }

    /// The time until a difference of C has fallen to a tenth of the fair share.
    fn time(&self, exponent: Exponent) -> f64 {
        let alpha = self.rest(exponent);
        let cycles = libm::log(0.1 / f64::from(self.flows)) / libm::log1p(-alpha / 2.0);
        cycles * UNIT_S * self.cycle(alpha)
    }
}

pub(super) fn experiment() -> Experiment {
    Experiment::new("conext16/convergence", "The convergence of DCQCN’s rates")
        .setup(
            "The discrete model of section 3.4 for 2 to 100 flows, and the fluid model with two flows at 40 Gb/s, of \
            which the second starts 20 ms after the first.",
        )
        .paper_says(
            "The rates of any two flows converge exponentially (theorem 2), since α falls monotonically towards a fixed \
            point α* above zero. Text and files that are not part of the published version give upper bounds of the \
            convergence time: with default parameters it is below 100 ms, and it falls as the number of flows grows. It \
            depends mainly on R_AI.",
        )
        .assumptions([
            "“Converged” means that rates differ by less than a tenth of the fair share, as in that text.",
        ])
        .choices([&MARKING_IN_MODEL])
        .repeats(Repeats::Once)
        .panels(panels)
        .claims(claims())
}

/// The share of published times that the discrete model reproduces to within one per cent.
fn agreement(exponent: Exponent) -> Option<f64> {
    let times = published::convergence()
        .iter()
        .flat_map(|column| column.values.iter().map(move |value| (column.name, value)));
    let close: Vec<bool> = times
        .map(|(name, (flows, time))| (Discrete::of(name, *flows).time(exponent) / time - 1.0).abs() < 0.01)
        .collect();
    Some(close.iter().filter(|close| **close).count() as f64 / close.len() as f64)
}

/// The number of steps, among the first hundred from `start`, in which α does not fall or is below α*; the
/// largest value over all published set-ups.
fn wrong_steps(start: f64) -> Option<f64> {
    let count = |(name, flows)| {
        let model = Discrete::of(name, flows);
        let rest = model.rest(Exponent::Section);
        let steps = std::iter::successors(Some(start), |alpha| Some(model.next(*alpha, Exponent::Section)));
        let steps: Vec<f64> = steps.take(100).collect();
        let is_wrong = |pair: &&[f64]| pair[1] > pair[0] * (1.0 + 1e-12) || pair[1] < rest * (1.0 - 1e-9);
        steps.windows(2).filter(is_wrong).count() as f64
    };
    let columns = published::convergence().iter();
    let pairs = columns.flat_map(|column| column.values.iter().map(move |value| (column.name, value.0)));
    most(pairs.map(|pair| Some(count(pair))))
}

/// The time from the second flow's start until the rates permanently differ by less than a tenth of the fair share.
fn time(setting: Setting, line: Line) -> Option<f64> {
    let course = solved(setting, line)?;
    let apart = |index: &usize| {
        let gap = course.rates_bps[0][*index] - course.rates_bps[1][*index];
        gap.abs() >= 0.1 * CAPACITY / 2.0
    };
    let last = (0..course.time_s.len()).filter(|index| course.time_s[*index] > LATE_S).rfind(apart);
    Some(last.map_or(0.0, |index| course.time_s[index] - LATE_S))
}

fn solved(setting: Setting, line: Line) -> Option<std::sync::Arc<setpoint_fluid::model::Course>> {
    let flow = |start_s| Group { flows: 1, start_s, rate_bps: CAPACITY };
    let scheme = Scheme::Dcqcn(setting.params(line));
    solution((setting.gbps, &[flow(0.0), flow(LATE_S)], 4.0), &scheme, SECONDS)
}

const SLOW: Setting = Setting { increase_mbps: 10, ..DEFAULT };

fn claims() -> [Claim; 5] {
    [
        Claim::new(at("section 3.4, theorem 2; appendix B"), "alpha-falls", "α falls monotonically towards α* > 0.")
            .measure(Unit::Count, Rule::AtMost(0.0), |_| wrong_steps(1.0))
            .fails_for("a start below α*", || wrong_steps(0.0))
            .read_as(
                "Number of the first 99 steps from α = 1 in which α does not fall or is below α*, for the set-up of \
                every published time; none.",
            )
            .cause(
                "it holds with the default parameters. With R_AI of 10 Mb/s and two flows, and with g = 1/16 and few \
                flows, the first cycle is so long that α falls below α* in one step, and then rises towards it",
            ),
        Claim::new(
            at("section 3.4, text that was left out"),
            "within-100-ms",
            "With default parameters two flows converge within 100 ms.",
        )
        .measure(Unit::Seconds, Rule::AtMost(0.1), |seed| time(DEFAULT, Line::of(seed)))
        .fails_for("R_AI of 1 Mb/s", || {
            time(Setting { increase_mbps: 1, ..DEFAULT }, Line::Text)
        })
        .read_as("Time in the fluid model from the start of the second flow until the rates differ by less than 2 \
            Gb/s for good."),
        Claim::new(
            at("section 3.4, text that was left out"),
            "slower-with-small-increase",
            "With a smaller R_AI convergence takes longer.",
        )
        .measure(Unit::Ratio, Rule::AtLeast(1.1), |seed| {
            let line = Line::of(seed);
            Some(time(SLOW, line)? / time(DEFAULT, line)?)
        })
        .fails_for("the same R_AI", || Some(time(DEFAULT, Line::Text)? / time(DEFAULT, Line::Text)?))
        .read_as("The same time with 10 Mb/s divided by that with 40 Mb/s; “longer” means by at least a tenth."),
        Claim::new(
            OURS,
            "published-times-follow",
            "The published convergence times follow from equation (12) and the inequality of the text.",
        )
        .measure(Unit::Share, Rule::AtLeast(1.0), |_| agreement(Exponent::Section))
        .fails_for("the equation for α* in appendix B", || agreement(Exponent::Appendix))
        .read_as(
            "Share of the 200 times in the four files that the formula reproduces to within one per cent, with α* \
                from equation (12).",
        ),
        Claim::new(
            OURS,
            "appendix-agrees",
            "They also follow from the equation for α* in appendix B.",
        )
        .measure(Unit::Share, Rule::AtLeast(1.0), |_| agreement(Exponent::Appendix))
        .read_as("The same share with the exponent ΔT* that appendix B prints, instead of ΔT − 1.")
        .cause("the exponent in appendix B is too large by one; the authors computed with that of equation (12)"),
    ]
}

fn panels(runs: &Runs) -> Vec<Block> {
    let line_of = Line::of(&runs.first());
    let x = Axis::linear("Flows", Unit::Count, (0.0, 100.0));
    let y = Axis::from_zero("Convergence time", Unit::Seconds, 0.4);
    let mut figure = Figure::new("times", "Upper bounds of the convergence time", x, y);
    for (index, column) in published::convergence().iter().enumerate() {
        let points = |of: &dyn Fn(u32, f64) -> f64| {
            column.values.iter().map(|(flows, time)| (f64::from(*flows), of(*flows, *time))).collect()
        };
        let computed = points(&|flows, _| Discrete::of(column.name, flows).time(Exponent::Section));
        figure.marks.push(line(column.name, Colour::Series(index), Shape::Straight, computed));
        let published = points(&|_, time| time);
        figure.marks.push(line("", Colour::Series(index), Shape::Dotted, published));
    }
    figure.alternative = "Convergence times by number of flows for four sets of parameters.".to_owned();
    figure.note = "Lines: equation (12). Dots: published files.".to_owned();
    figure.room = Room::Half;
    let course = solved(DEFAULT, line_of);
    let labels = ["first flow", "second flow"];
    let fluid = rates(("fluid", "Two flows in the fluid model"), CAPACITY, course.as_deref(), &labels);
    vec![Block::Figures(vec![figure, fluid])]
}
