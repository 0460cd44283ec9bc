//! Figure 5: fairness and stability while flows arrive and leave.

use super::choices::{BASE_RTT, INCREASE, STAGES, TARGET, WEIGHT, WINDOW};
use super::{
    BUFFER, HPCC, LIKE_THE_PROGRAM, LINE_RATE, OMITTED, POWERTCP, SCHEMES, SOURCES, THETA, TIMELY,
    TIMELY_PARAMETERS, WEIGHTED, WIRE, cases,
};
use crate::prelude::*;

const FLOWS: [&str; 4] = ["f1", "f2", "f3", "f4"];
const PORT: &str = "tor2->r";

/// The phases between changes of the active flows: the window from one change to the next, and the first and the last
/// flow that are active in it.
const PHASES: [(Window, usize, usize); 6] = [
    (starts("f2").until(starts("f3")), 0, 1),
    (starts("f3").until(starts("f4")), 0, 2),
    (starts("f4").until(stops("f1")), 0, 3),
    (stops("f1").until(stops("f2")), 1, 3),
    (stops("f2").until(stops("f3")), 2, 3),
    (stops("f3").until(END), 3, 3),
];
/// Phases after an arrival, and phases after a departure.
const ARRIVALS: std::ops::Range<usize> = 0..3;
const DEPARTURES: std::ops::Range<usize> = 3..6;

/// The time within which shares must adapt, and the time for which they must then persist.
const QUICK: f64 = 10e-3;
const STAY: f64 = 20e-3;
/// The largest relative difference from the fair share.
const FAIR: f64 = 0.2;

const FIGURE_5: Origin = at("section 4.2, figure 5a");
const UNDER_CONGESTION: Origin = at("section 3.5, last sentence, and figure 5c");

pub(super) fn experiment() -> Experiment {
    Experiment::new("powertcp/fairness", "Fairness and stability while flows arrive and leave")
        .setup(
            "Four backlogged flows from one rack to a station in another rack start at 1, 100, 200 and 300 ms and share its 25 Gb/s \
            link. Three of them end at 400, 500 and 600 ms, in the same order.",
        )
        .paper_says(
            "PowerTCP quickly stabilises at the fair shares of the bandwidth, both when flows arrive and when they leave. \
            Under congestion, θ-PowerTCP has the same properties, but since the round-trip time does not show that a link is not \
            full, it fills a link only by its additive increase.",
        )
        .assumptions([
            SOURCES,
            WIRE,
            BUFFER,
            LIKE_THE_PROGRAM,
            TIMELY_PARAMETERS,
            OMITTED,
            "Flows start as in the simulator’s flow-fairnessExp.txt, in which they do not end. The text says that flows also leave; \
            we let them leave at intervals of 100 ms as well.",
            "Only the part of the network that the flows use is simulated, and a path over the core for one frame, which makes \
            the longest round-trip time that of the network, 29 us.",
            "The plots in the paper are for PowerTCP, HOMA, θ-PowerTCP and TIMELY; HPCC is our addition.",
        ])
        .choices([&TARGET, &WEIGHT, &BASE_RTT, &INCREASE, &STAGES, &WINDOW])
        .cases(cases(
            scenario!("powertcp": "fairness", "with-powertcp"),
            scenario!("powertcp": "fairness", "with-hpcc"),
            scenario!("powertcp": "fairness", "with-timely"),
        ))
        .seeds(Repeats::LEAST)
        .panels(panels)
        .claims([
            quick(FIGURE_5, POWERTCP, "PowerTCP", ("arrive", ARRIVALS)),
            quick(FIGURE_5, POWERTCP, "PowerTCP", ("leave", DEPARTURES)),
            Claim::new(FIGURE_5, "powertcp-stable", "The shares are stable.")
                .measure(Unit::Ratio, Rule::AtMost(0.1), |seed| variation(seed.run(POWERTCP)))
                .read_as(
                    "Largest standard deviation of a flow’s rate over samples of 0.5 ms, relative to its mean, in the last half of \
                    the time with four flows; at most a tenth.",
                ),
            quick(UNDER_CONGESTION, THETA, "θ-PowerTCP", ("arrive", ARRIVALS)).cause(WEIGHTED),
            Claim::new(
                at("section 3.5"),
                "theta-fills-slowly",
                "θ-PowerTCP fills bandwidth that becomes free more slowly than PowerTCP.",
            )
            .measure(Unit::Ratio, Rule::AtLeast(2.0), |seed| {
                Some(filling(seed.run(THETA))? / filling(seed.run(POWERTCP))?)
            })
            .read_as(
                "Longest time from the end of a flow until 95 % of the link are used for 20 ms, with θ-PowerTCP, divided by that with \
                PowerTCP; at least two. If the link is never full, the time until the next event counts.",
            ),
            Claim::new(OURS, "hpcc-fair", "HPCC’s shares are fair in the end.")
                .measure(Unit::Ratio, Rule::AtLeast(0.95), |seed| jain(seed.run(HPCC)))
                .read_as("Jain’s index of the mean rates in the last half of the time with four flows; at least 0.95."),
            Claim::new(OURS, "timely-unfair", "TIMELY, which has no unique equilibrium, gives the flows unequal shares.")
                .measure(Unit::Ratio, Rule::AtMost(0.95), |seed| jain(seed.run(TIMELY)))
                .read_as("Jain’s index of the mean rates in the last half of the time with four flows; at most 0.95.")
                .cause(
                    "the rates oscillate, and equal increments with proportional decreases make them equal in the mean",
                ),
        ])
}

fn quick(
    origin: Origin,
    case: &'static str,
    label: &str,
    (event, phases): (&'static str, std::ops::Range<usize>),
) -> Claim {
    Claim::new(
        origin,
        format!("{case}-when-flows-{event}"),
        format!("When flows {event}, {label} quickly stabilises at the fair shares."),
    )
    .measure(Unit::Seconds, Rule::AtMost(QUICK), move |seed| {
        most(phases.clone().map(|phase| settled(seed.run(case), phase)))
    })
    .read_as(
        "Longest time from an event until the rates of all active flows are within a fifth of the fair share and stay there for 20 \
        ms; “quickly” means within 10 ms, a tenth of the time between two events. If it does not happen, the time until the \
        next event counts.",
    )
}

/// The time from the beginning of a phase until all active flows have their shares.
fn settled(run: &Run, phase: usize) -> Option<f64> {
    let (window, first, last) = PHASES[phase];
    let active = &FLOWS[first..=last];
    let fair = LINE_RATE * DATA_SHARE / active.len() as f64;
    let rates: Vec<&[f64]> = active.iter().map(|flow| run.rates(flow)).collect::<Option<_>>()?;
    let samples = rates.first()?.len();
    let off =
        |sample: usize| rates.iter().map(|rates| (rates[sample] / fair - 1.0).abs()).fold(0.0, f64::max);
    let off: Vec<f64> = (0..samples).map(off).collect();
    Some(until(run, window, &off, |off| off <= FAIR))
}

/// The share of the link that is data, without headers and reports.
const DATA_SHARE: f64 = 1_000.0 / 1_090.0;

/// The longest time from a departure until the link is full.
fn filling(run: &Run) -> Option<f64> {
    let shares = &run.port_series(PORT)?.utilisation_share;
    largest(
        &DEPARTURES
            .map(|phase| until(run, PHASES[phase].0, shares, |share| share >= 0.95))
            .collect::<Vec<_>>(),
    )
}

/// The time from the beginning of a window until values satisfy a test and continue to do so; the length of the window if
/// they do not.
fn until(run: &Run, window: Window, values: &[f64], test: impl Fn(f64) -> bool) -> f64 {
    let (from, to) = run.timeline.range(window);
    run.settling(values, window.from(), STAY, test).map_or(to - from, |time| time.min(to - from))
}

/// The last half of the time with four flows.
const ALL_FOUR: Window = starts("f4").plus(0.05).until(stops("f1"));

fn jain(run: &Run) -> Option<f64> {
    jain_index(run.mean_rates(FLOWS, ALL_FOUR)?)
}

/// The largest relative deviation of a flow's rate over time.
fn variation(run: &Run) -> Option<f64> {
    most(FLOWS.map(|flow| {
        let moments = run.moments_over(run.rates(flow)?, ALL_FOUR)?;
        Some(moments.deviation() / moments.mean)
    }))
}

fn panels(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let flows = FLOWS.map(|flow| (flow, flow));
    let figures = SCHEMES.map(|(case, label)| {
        let curves = panel::curves(&flows, |flow| first.run(case).rates(flow));
        panel::rates_up_to(LINE_RATE, first.run(case), (&format!("rates-{case}"), label), &curves)
    });
    let figures = panel::in_room(Room::Half, figures);
    let columns: [table::RunColumn<'_>; 6] = [
        ("Fair after an arrival", Unit::Seconds, |run| most(ARRIVALS.map(|phase| settled(run, phase)))),
        ("Fair after a departure", Unit::Seconds, |run| most(DEPARTURES.map(|phase| settled(run, phase)))),
        ("Link full after a departure", Unit::Seconds, filling),
        ("Jain’s index, four flows", Unit::Ratio, jain),
        ("Variation of rates, four flows", Unit::Ratio, variation),
        ("Utilisation, four flows", Unit::Share, |run| run.utilisation(PORT, ALL_FOUR)),
    ];
    let mut blocks = panel::of_seed(first, figures);
    blocks.push(Block::Table(table::by_case(runs, &SCHEMES, &columns)));
    blocks
}
