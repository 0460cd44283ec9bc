//! Figure 3: the phase margins of DCQCN.

use setpoint_fluid::linear::Linearisation;

use super::choices::{LINEARISATION, MARKING_IN_MODEL};
use super::margins::{Follows, Part, System, dcqcn, linearisation, panels};
use super::model::{DEFAULT, Line, Setting};
use crate::prelude::*;

/// The numbers of flows in the figure.
const FLOWS: std::ops::RangeInclusive<u32> = 1..=50;
/// The delays in the figure, in microseconds.
const DELAYS: [f64; 3] = [0.0, 50.0, 100.0];
/// Parameters of the parts of the figure.
const SLOW: Setting = Setting { increase_mbps: 10, ..DEFAULT };
const SLOW_AND_WIDE: Setting = Setting { kmax_kb: 1_000, ..SLOW };

const GROUPS: [Part; 4] = [
    ("default", "Default parameters (figure 3a)", |file| {
        file.name.starts_with("pm_rai40") && DELAYS.contains(&file.micros)
    }),
    ("slow", "R_AI of 10 Mb/s (figure 3b)", |file| {
        file.system == System::Dcqcn(SLOW) && DELAYS.contains(&file.micros) && !file.name.contains("test")
    }),
    ("slow-and-wide", "R_AI of 10 Mb/s, Kmax of 1000 kB (figure 3c)", |file| {
        file.system == System::Dcqcn(SLOW_AND_WIDE)
    }),
    ("at-100g", "100 Gb/s (not in the published version)", |file| file.name.contains("100gbps")),
];

pub(super) fn experiment() -> Experiment {
    Experiment::new("conext16/fig03", "Phase margins of DCQCN")
        .setup(
            "The phase margin of the linearised loop for 2 to 100 flows and feedback delays of 0, 50 and 100 us, with \
            the default parameters, with R_AI of 10 instead of 40 Mb/s, and with Kmax of 1000 instead of 200 kB as \
            well. Files published with the paper contain 950 margins, also for other delays and for 100 Gb/s.",
        )
        .paper_says(
            "With default parameters DCQCN is mostly stable for delays in data centres. At 100 us the margin is \
            negative for some numbers of flows, among them ten, and positive again for many flows. A smaller R_AI and \
            a larger Kmax make the loop more stable; with both it is always stable, even at 100 us.",
        )
        .assumptions([
            "The phase margin is that of control toolboxes: of all phases above −180° at a gain of one, the one \
            closest to zero. If there is no fixed point there is no margin, and we count the system as unstable: its \
            queue cycles around Kmax.",
            "With the option “marking up to 2000 kB and 10 %”, the line has the same slope and is ten times as long \
            in all parts of the figure.",
        ])
        .choices([&LINEARISATION, &MARKING_IN_MODEL])
        .repeats(Repeats::Once)
        .panels(|runs| {
            let mut blocks = panels(dcqcn(), &GROUPS);
            if runs.reads(&LINEARISATION, LINEARISATION.leading().name) {
                blocks.push(runs.finding(FINDING));
            }
            blocks
        })
        .claims(claims())
        .claims(checks())
}

const FINDING: &str = "The program of the authors reproduces all margins of the figure, but it does not compute the loop \
    of the printed equations. Its fixed point is the approximation (14), it lets α follow p at the rate g R, and its \
    series for the byte counter needs p B ≪ 1, although p B is eight even with two flows. With R_AI of 10 Mb/s and Kmax \
    of 1000 kB, the margin of two flows without delay is 82° in the figure, but 14° by the equations. The program also \
    extends the marking line beyond Pmax. By the equations, 15 or more flows have no fixed point with the default \
    parameters, so the right part of figure 3a, where margins grow with the number of flows, describes a system that \
    marks up to 17 % of the frames at queues of up to 3.3 MB.";

/// Whether the loop is stable; `false` if it has no fixed point.
fn is_stable(setting: Setting, flows: u32, micros: f64, how: Linearisation, line: Line) -> bool {
    System::Dcqcn(setting).margin(flows, micros, how, line).is_some_and(|margin| margin > 0.0)
}

/// The share of pairs of a number of flows and a delay that pass a test.
fn share(
    flows: &(impl Iterator<Item = u32> + Clone),
    delays: &[f64],
    test: impl Fn(u32, f64) -> bool,
) -> Option<f64> {
    let passed: Vec<bool> = delays
        .iter()
        .flat_map(|delay| flows.clone().map(|flows| test(flows, *delay)).collect::<Vec<_>>())
        .collect();
    let count = passed.iter().filter(|passed| **passed).count();
    (!passed.is_empty()).then(|| count as f64 / passed.len() as f64)
}

/// Even numbers of flows from 2 to 100.
fn flows() -> impl Iterator<Item = u32> + Clone {
    FLOWS.map(|half| 2 * half)
}

/// The share of pairs for which a setting is stable.
fn stable(setting: Setting, delays: &[f64], how: Linearisation, line: Line) -> Option<f64> {
    share(&flows(), delays, |flows, delay| is_stable(setting, flows, delay, how, line))
}

/// Of the pairs for which one setting is unstable, the share for which another one is stable or has a larger margin.
fn improved(from: Setting, to: Setting, (how, line): (Linearisation, Line)) -> Option<f64> {
    let margin = |setting: Setting, flows, delay| System::Dcqcn(setting).margin(flows, delay, how, line);
    let pairs = DELAYS.iter().flat_map(|delay| flows().map(move |flows| (flows, *delay)));
    let unstable: Vec<(u32, f64)> =
        pairs.filter(|(flows, delay)| !is_stable(from, *flows, *delay, how, line)).collect();
    let better = unstable.iter().filter(|(flows, delay)| match margin(to, *flows, *delay) {
        None => false,
        Some(there) => margin(from, *flows, *delay).is_none_or(|here| there > here),
    });
    (!unstable.is_empty()).then(|| better.count() as f64 / unstable.len() as f64)
}

/// The linearisation and the marking in the set-up of a seed.
fn reading_of(seed: &Seed<'_>) -> (Linearisation, Line) {
    (linearisation(seed), Line::of(seed))
}

/// A link so fast and a delay so long that no loop is stable.
const HOPELESS: Setting = Setting { gbps: 400, increase_mbps: 400, kmax_kb: 200 };

fn never(delays: &'static [f64]) -> impl Fn() -> Option<f64> + Send + Sync + 'static {
    move || stable(HOPELESS, delays, Linearisation::PublishedCode, Line::Text)
}

const NO_FIXED_POINT: &str = "with more than 14 flows the equations have no fixed point: marking would have to exceed \
    Pmax. The program extends the line of marking beyond Pmax";

fn claims() -> [Claim; 6] {
    [
        Claim::new(
            at("section 3.3, figure 3a"),
            "mostly-stable",
            "With default parameters DCQCN is mostly stable at delays well below 100 us.",
        )
        .measure(Unit::Share, Rule::AtLeast(0.5), |seed| {
            let (how, line) = reading_of(seed);
            stable(DEFAULT, &[0.0, 25.0, 50.0], how, line)
        })
        .fails_for("400 Gb/s and R_AI of 400 Mb/s", never(&[0.0, 25.0, 50.0]))
        .read_as(
            "Share of the pairs of a number of flows (2, 4, …, 100) and a delay (0, 25 and 50 us) with a positive \
            margin; “mostly” means at least half.",
        )
        .cause(NO_FIXED_POINT),
        Claim::new(
            at("section 3.3, figure 3a"),
            "unstable-with-ten",
            "At 100 us the loop of ten flows is unstable.",
        )
        .measure(Unit::Degrees, Rule::AtMost(0.0), |seed| {
            let (how, line) = reading_of(seed);
            System::Dcqcn(DEFAULT).margin(10, 100.0, how, line)
        })
        .fails_for("a delay of 0 us", || System::Dcqcn(DEFAULT).margin(10, 0.0, Linearisation::Exact, Line::Text))
        .read_as("The margin is at most zero.")
        .published(-17.925),
        Claim::new(
            at("section 3.3, figure 3a"),
            "stable-with-many",
            "At 100 us the margin is positive again with many flows.",
        )
        .measure(Unit::Share, Rule::AtLeast(1.0), |seed| {
            let (how, line) = reading_of(seed);
            share(&(25..=50).map(|half| 2 * half), &[100.0], |flows, delay| {
                is_stable(DEFAULT, flows, delay, how, line)
            })
        })
        .fails_for("400 Gb/s and R_AI of 400 Mb/s", never(&[100.0]))
        .read_as("Share of the numbers of flows from 50 to 100 with a positive margin; all of them.")
        .cause(NO_FIXED_POINT),
        Claim::new(
            at("section 3.3, figure 3b"),
            "smaller-increase-stabilises",
            "A smaller R_AI stabilises the system.",
        )
        .measure(Unit::Share, Rule::AtLeast(1.0), |seed| improved(DEFAULT, SLOW, reading_of(seed)))
        .fails_for("a larger R_AI", || {
            improved(SLOW, DEFAULT, (Linearisation::PublishedCode, Line::Text))
        })
        .read_as(
            "Of the numbers of flows and delays (0, 50 and 100 us) for which the system is unstable with 40 Mb/s, the \
            share with a larger margin, or with a margin at all, with 10 Mb/s; all of them.",
        )
        .cause(NO_FIXED_POINT),
        Claim::new(
            at("section 3.3, figure 3c"),
            "larger-kmax-stabilises",
            "A larger Kmax stabilises the system.",
        )
        .measure(Unit::Share, Rule::AtLeast(1.0), |seed| improved(SLOW, SLOW_AND_WIDE, reading_of(seed)))
        .fails_for("a smaller Kmax", || {
            let narrow = Setting { kmax_kb: 50, ..SLOW };
            improved(SLOW, narrow, (Linearisation::PublishedCode, Line::Text))
        })
        .read_as("The same for Kmax of 1000 instead of 200 kB, with R_AI of 10 Mb/s.")
        .cause(NO_FIXED_POINT),
        Claim::new(
            at("section 3.3, figure 3c"),
            "always-stable",
            "With R_AI of 10 Mb/s and Kmax of 1000 kB DCQCN is always stable up to 100 us.",
        )
        .measure(Unit::Share, Rule::AtLeast(1.0), |seed| {
            let (how, line) = reading_of(seed);
            stable(SLOW_AND_WIDE, &DELAYS, how, line)
        })
        .fails_for("400 Gb/s and R_AI of 400 Mb/s", never(&DELAYS))
        .read_as("Share of the pairs of a number of flows (2, 4, …, 100) and a delay (0, 50 and 100 us) with a \
            positive margin.")
        .cause(NO_FIXED_POINT),
    ]
}

fn checks() -> [Claim; 3] {
    [
        Claim::new(
            OURS,
            "published-margins-follow",
            "The margins in the paper’s figure follow from the printed equations.",
        )
        .measure(Unit::Share, Rule::AtLeast(1.0), |seed| {
            let how = linearisation(seed);
            let drawn = dcqcn().iter().filter(|file| GROUPS[..3].iter().any(|(_, _, is_in)| is_in(file)));
            let close: Vec<bool> = drawn
                .flat_map(|file| file.margins.iter().map(move |one| (file, one)))
                .map(|(file, one)| {
                    let margin = file.system.margin(one.flows, file.micros, how, Line::of(seed));
                    margin.is_some_and(|margin| (margin - one.published).abs() <= super::margins::TOLERANCE)
                })
                .collect();
            Some(close.iter().filter(|close| **close).count() as f64 / close.len() as f64)
        })
        .fails_for("equations whose margins were those of another file", || {
            let mut other = dcqcn().iter().rev().flat_map(|file| &file.margins).map(|one| one.program);
            let files = dcqcn().iter().flat_map(|file| &file.margins);
            let close = files.filter(|one| {
                other.next().flatten().is_some_and(|margin| (margin - one.published).abs() <= super::margins::TOLERANCE)
            });
            Some(close.count() as f64 / 950.0)
        })
        .read_as("Share of the 450 margins in the figure from which the recomputed margin differs by at most 0.5°; \
            all.")
        .cause(
            "the program that computed the figure differs from the equations (see the text below the figures). With \
            its coefficients all margins agree to 0.1°",
        ),
        Claim::new(
            OURS,
            "sign-is-stability",
            "The margin of the equations is positive exactly where no characteristic root is unstable.",
        )
        .measure(Unit::Share, Rule::AtLeast(1.0), |seed| {
            let line = Line::of(seed);
            let files = dcqcn().iter().filter(|file| file.system == System::Dcqcn(DEFAULT));
            let agree: Vec<bool> = files
                .flat_map(|file| file.margins.iter().map(move |one| (file, one.flows)))
                .filter_map(|(file, flows)| {
                    let of = file.system.linear(flows, file.micros, Linearisation::Exact, line)?;
                    let positive = of.wrapped_phase_margin(of.delay_s)?.radians > 0.0;
                    Some(positive == (of.unstable_roots(of.delay_s) == 0))
                })
                .collect();
            Some(agree.iter().filter(|agree| **agree).count() as f64 / agree.len() as f64)
        })
        .fails_for("loops with twice the delay", || {
            let of = System::Dcqcn(DEFAULT).linear(10, 50.0, Linearisation::Exact, Line::Text)?;
            let positive = of.wrapped_phase_margin(of.delay_s)?.radians > 0.0;
            Some(f64::from(positive == (of.unstable_roots(2.0 * of.delay_s) == 0)))
        })
        .read_as("Share of the published delays and numbers of flows with a fixed point for which both agree."),
        Claim::new(
            OURS,
            "drawn-margins-from-program",
            "All margins in the paper’s figure follow from the published program.",
        )
        .measure(Unit::Share, Rule::AtLeast(1.0), |_| {
            let drawn = dcqcn().iter().filter(|file| GROUPS.iter().any(|(_, _, is_in)| is_in(file)));
            let margins: Vec<_> = drawn.flat_map(|file| &file.margins).collect();
            let follow = margins.iter().filter(|one| matches!(one.follows(), Follows::Program | Follows::Both));
            Some(follow.count() as f64 / margins.len() as f64)
        })
        .fails_for("the file with “test” in its name, which no figure shows", || {
            let file = dcqcn().iter().find(|file| file.name.contains("test"))?;
            let follow =
                file.margins.iter().filter(|one| matches!(one.follows(), Follows::Program | Follows::Both));
            Some(follow.count() as f64 / file.margins.len() as f64)
        })
        .read_as("Share of the margins for 40 and 100 Gb/s in figures that differ from the program’s by at most \
            0.5°."),
    ]
}
