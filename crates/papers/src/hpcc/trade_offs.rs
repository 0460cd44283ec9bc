//! Figures 2 and 3: the trade-offs between DCQCN's parameters.

use std::ops::Range;

use super::choices::{ALPHA_TIMER, SLOWDOWN};
use super::slowdown::{Frames, Slowdown, figure, percentile, slowdowns};
use super::{BUFFER, UNVERIFIED, WIRE};
use crate::prelude::*;

const SCENARIO: &str = scenario!("hpcc": "racks");
const WITH_INCAST: &str = scenario!("hpcc": "racks", "racks-incast");
const FRAMES: Frames = Frames { rate: 25e9, reports: 0.0 };

const NETWORK: &str = "The figures are from a testbed with 25 Gb/s, of which we remember only the speed and the load. Here 32 \
    stations in four racks send to each other over two bridges, with 100 Gb/s links between racks.";
const LOWER_BOUND: &str = "Messages offered from 5 to 55 ms of 80 ms are measured. The slowdown of a message that is not \
    completed is a lower bound.";

/// Messages below this size are short.
const SHORT: f64 = 100e3;
/// Messages of at least this size are long.
const LONG: f64 = 1e6;

/// T_i and T_d: the timers of the paper on DCQCN, of the vendor, and a slower one.
const TIMERS: [(&str, &str, &str, &str); 3] = [
    ("fast", "55 us and 50 us", "55 us", "50 us"),
    ("vendor", "300 us and 4 us", "300 us", "4 us"),
    ("slow", "900 us and 4 us", "900 us", "4 us"),
];

pub(super) fn timers() -> Experiment {
    let cases = TIMERS.iter().flat_map(|(name, label, increase, decrease)| {
        let settings = [
            format!("control.dcqcn.rp.time_reset=\"{increase}\""),
            format!("control.dcqcn.rp.decrease_interval=\"{decrease}\""),
        ];
        let alpha = (*name != "fast").then(|| "control.dcqcn.rp.alpha_interval=\"1 us\"".to_owned());
        let case = |name: &str, label: String, scenario| {
            Case::new(name, label, scenario).set_all(settings.clone()).set_all(alpha.clone())
        };
        [
            case(name, format!("T_i and T_d of {label}"), SCENARIO),
            case(&with_incast(name), format!("T_i and T_d of {label}, with incast"), WITH_INCAST),
        ]
    });
    Experiment::new("hpcc/fig02", "DCQCN’s timers: throughput against stability")
        .setup(
            "Web search messages with a load of 30 % under DCQCN, with three settings of the rate-increasing timer T_i and the \
            rate-decreasing timer T_d: 55 and 50 us, 300 and 4 us, 900 and 4 us. To count pauses, incasts of 500 kB \
            messages are added, with 2 % of the capacity.",
        )
        .paper_says(
            "A small T_i and a large T_d shorten completion times, because sources take free bandwidth sooner, but cause more \
            and longer pauses when there are incasts. No setting is good at both.",
        )
        .assumptions([
            UNVERIFIED,
            NETWORK,
            WIRE,
            BUFFER,
            LOWER_BOUND,
            "An incast has 30 senders; the paper’s testbed is not known to us.",
        ])
        .choices([&SLOWDOWN, &ALPHA_TIMER])
        .cases(cases)
        .keep_messages()
        .seeds(Repeats::LEAST)
        .panels(timer_panels)
        .claims([
            faster_than("vendor", "300 us and 4 us"),
            faster_than("slow", "900 us and 4 us"),
            more_pauses_than("vendor", "300 us and 4 us"),
            more_pauses_than("slow", "900 us and 4 us"),
        ])
}

fn with_incast(case: &str) -> String {
    format!("{case}-incast")
}

const FIGURE_2: Origin = at("section 2.3, figure 2 (from memory, unverified)");

fn faster_than(other: &'static str, label: &str) -> Claim {
    Claim::new(
        FIGURE_2,
        format!("faster-than-{other}"),
        format!("With timers of 55 and 50 us, messages complete sooner than with {label}."),
    )
    .measure_pooled(
        Unit::Ratio,
        Rule::AtLeast(1.1),
        move |seed| Some([slowdowns(seed, "fast", FRAMES)?, slowdowns(seed, other, FRAMES)?]),
        |parts: &[&[Vec<Slowdown>; 2]]| {
            let of =
                |place: usize| percentile(parts.iter().flat_map(|part| &part[place]), 0.0..f64::INFINITY);
            Some(of(1)? / of(0)?)
        },
    )
    .read_as(
        "Ratio of the 95th percentiles of the slowdown of all messages; “sooner” means by at least a tenth.",
    )
}

fn more_pauses_than(other: &'static str, label: &str) -> Claim {
    Claim::new(
        FIGURE_2,
        format!("more-pauses-than-{other}"),
        format!("With incasts and timers of 55 and 50 us, ports are paused for longer than with {label}."),
    )
    .given("incasts cause pauses", (Unit::Seconds, Rule::AtLeast(1e-6)), move |seed| {
        Some(paused(seed, "fast")? + paused(seed, other)?)
    })
    .measure_pooled(
        Unit::Ratio,
        Rule::AtLeast(1.25),
        move |seed| Some([paused(seed, "fast")?, paused(seed, other)?]),
        |parts: &[&[f64; 2]]| {
            let sum = |place: usize| parts.iter().map(|part| part[place]).sum::<f64>();
            Some(sum(0) / sum(1).max(1e-9))
        },
    )
    .read_as("Ratio of the times for which ports are paused, summed over ports; “longer” means by at least a quarter.")
}

/// The time for which ports are paused, summed over ports, with incasts.
fn paused(seed: &Seed<'_>, case: &str) -> Option<f64> {
    Some(seed.run(&with_incast(case)).summary.total.paused_s)
}

fn timer_panels(runs: &Runs) -> Vec<Block> {
    let cases = TIMERS.map(|(name, label, ..)| (name, label, FRAMES));
    let figure = figure(runs.first(), ("slowdown", "Slowdown at a load of 30 %"), &cases);
    let named: Vec<(String, &str)> =
        TIMERS.iter().map(|(name, label, ..)| (with_incast(name), *label)).collect();
    let with_incast: Vec<(&str, &str)> = named.iter().map(|(name, label)| (&**name, *label)).collect();
    let columns: [table::RunColumn<'_>; 3] = [
        ("Ports paused, with incasts", Unit::Seconds, |run| Some(run.summary.total.paused_s)),
        ("Pauses, with incasts", Unit::Count, |run| Some(run.summary.pauses() as f64)),
        ("Throughput, with incasts", Unit::BitsPerSecond, |run| Some(run.summary.total.throughput_bps)),
    ];
    let mut blocks = panel::of_seed(runs.first(), [figure]);
    blocks.push(Block::Table(table::by_case(runs, &with_incast, &columns)));
    blocks
}

/// Kmin and Kmax.
const THRESHOLDS: [(&str, &str, &str, &str); 3] = [
    ("low", "12 and 50 kB", "12 kB", "50 kB"),
    ("usual", "100 and 400 kB", "100 kB", "400 kB"),
    ("high", "400 and 1600 kB", "400 kB", "1600 kB"),
];
const LOADS: [u32; 2] = [30, 50];

fn at_load(thresholds: &str, load: u32) -> String {
    format!("{thresholds}-{load}")
}

pub(super) fn thresholds() -> Experiment {
    let cases = LOADS.iter().flat_map(|load| {
        THRESHOLDS.iter().map(move |(name, label, k_min, k_max)| {
            Case::new(at_load(name, *load), format!("Kmin and Kmax of {label}, load of {load} %"), SCENARIO)
                .set_all([
                    format!("control.dcqcn.cp.k_min=\"{k_min}\""),
                    format!("control.dcqcn.cp.k_max=\"{k_max}\""),
                    format!("flows.1.traffic.poisson.load=\"{load} %\""),
                ])
        })
    });
    let claims = LOADS.iter().flat_map(|load| {
        [
            compared("short", *load, 0.0..SHORT, Rule::AtMost(0.9))
                .read_as(
                    "Ratio of the 95th percentiles of the slowdown of messages below 100 kB; “less” means by at least a tenth.",
                ),
            compared("long", *load, LONG..f64::INFINITY, Rule::AtLeast(1.1))
                .read_as(
                    "Ratio of the 95th percentiles of the slowdown of messages of 1 MB or more; “more” means by at least a \
                    tenth.",
                ),
        ]
    });
    Experiment::new("hpcc/fig03", "DCQCN’s marking thresholds: bandwidth against latency")
        .setup(
            "Web search messages with loads of 30 and 50 % under DCQCN with the vendor’s timers, with three settings of the \
            thresholds Kmin and Kmax: 12 and 50 kB, 100 and 400 kB, 400 and 1600 kB.",
        )
        .paper_says(
            "Low thresholds shorten the completion times of short messages, which are sensitive to latency, and lengthen those \
            of long messages, which are sensitive to bandwidth. The effect is larger at a higher load.",
        )
        .assumptions([UNVERIFIED, NETWORK, WIRE, BUFFER, LOWER_BOUND])
        .choices([&SLOWDOWN])
        .cases(cases)
        .keep_messages()
        .seeds(Repeats::LEAST)
        .panels(threshold_panels)
        .claims(claims)
        .claims([Claim::new(FIGURE_3, "larger-at-50", "The disadvantage of long messages grows with the load.")
            .measure_pooled(
                Unit::Ratio,
                Rule::AtLeast(1.0),
                |seed| Some([both(seed, 30)?, both(seed, 50)?]),
                |parts: &[&[[Vec<Slowdown>; 2]; 2]]| {
                    let at = |load: usize| {
                        let messages: Vec<_> = parts.iter().map(|part| &part[load]).collect();
                        quotient(&messages, &(LONG..f64::INFINITY))
                    };
                    Some(at(1)? / at(0)?)
                },
            )
            .read_as(
                "The ratio for messages of 1 MB or more between low and high thresholds at 50 %, divided by the ratio at 30 %; \
                at least one.",
            )])
}

const FIGURE_3: Origin = at("section 2.3, figure 3 (from memory, unverified)");

/// A comparison of the lowest with the highest thresholds.
fn compared(name: &str, load: u32, sizes: Range<f64>, rule: Rule) -> Claim {
    let more = if name == "short" { "less" } else { "more" };
    Claim::new(
        FIGURE_3,
        format!("{name}-at-{load}"),
        format!("At a load of {load} %, low thresholds slow {name} messages down {more} than high ones."),
    )
    .measure_pooled(
        Unit::Ratio,
        rule,
        move |seed| Some((both(seed, load)?, sizes.clone())),
        |parts: &[&([Vec<Slowdown>; 2], Range<f64>)]| {
            let messages: Vec<_> = parts.iter().map(|part| &part.0).collect();
            quotient(&messages, &parts.first()?.1)
        },
    )
}

/// The messages with the lowest and with the highest thresholds.
fn both(seed: &Seed<'_>, load: u32) -> Option<[Vec<Slowdown>; 2]> {
    Some([slowdowns(seed, &at_load("low", load), FRAMES)?, slowdowns(seed, &at_load("high", load), FRAMES)?])
}

/// The 95th percentile with the lowest thresholds divided by that with the highest.
fn quotient(parts: &[&[Vec<Slowdown>; 2]], sizes: &Range<f64>) -> Option<f64> {
    let of = |place: usize| percentile(parts.iter().flat_map(|part| &part[place]), sizes.clone());
    Some(of(0)? / of(1)?)
}

fn threshold_panels(runs: &Runs) -> Vec<Block> {
    let figures = LOADS.map(|load| {
        let named = THRESHOLDS.map(|(name, label, ..)| (at_load(name, load), label));
        let cases: Vec<(&str, &str, Frames)> =
            named.iter().map(|(name, label)| (&**name, *label, FRAMES)).collect();
        let (name, title) = (format!("slowdown-{load}"), format!("Slowdown at a load of {load} %"));
        figure(runs.first(), (&name, &title), &cases)
    });
    let figures = panel::in_room(Room::Half, figures);
    let named: Vec<(String, String)> = LOADS
        .iter()
        .flat_map(|load| {
            THRESHOLDS
                .iter()
                .map(move |(name, label, ..)| (at_load(name, *load), format!("{label}, {load} %")))
        })
        .collect();
    let cases: Vec<(&str, &str)> = named.iter().map(|(name, label)| (&**name, &**label)).collect();
    let columns: [table::SeedColumn<'_>; 3] = [
        ("Short messages, 95th percentile", Unit::Ratio, |seed, case| {
            percentile(&slowdowns(seed, case, FRAMES)?, 0.0..SHORT)
        }),
        ("Long messages, 95th percentile", Unit::Ratio, |seed, case| {
            percentile(&slowdowns(seed, case, FRAMES)?, LONG..f64::INFINITY)
        }),
        ("Ports paused", Unit::Seconds, |seed, case| Some(seed.run(case).summary.total.paused_s)),
    ];
    let mut blocks = panel::of_seed(runs.first(), figures);
    blocks.push(Block::Table(table::by_case_and_seed(runs, ("Thresholds, load", &cases), &columns)));
    blocks
}
