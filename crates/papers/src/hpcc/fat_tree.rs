//! Figure 11: slowdowns on the fat tree of 320 stations.

use super::choices::SLOWDOWN;
use super::slowdown::{Frames, Slowdown, figure, percentile, slowdowns};
use super::{BUFFER, UNVERIFIED, WIRE};
use crate::prelude::*;

/// An algorithm: its case, its label, its scenarios with and without incasts, its settings, and the length of its reports.
struct Scheme {
    name: &'static str,
    label: &'static str,
    alone: &'static str,
    with_incast: &'static str,
    settings: &'static [&'static str],
    reports: f64,
}

const SCHEMES: [Scheme; 5] = [
    Scheme {
        name: HPCC,
        label: "HPCC",
        alone: scenario!("hpcc": "fat", "with-hpcc"),
        with_incast: scenario!("hpcc": "fat", "fat-incast", "with-hpcc"),
        settings: &["network.overhead=\"90 B\""],
        reports: 42.0,
    },
    Scheme {
        name: "dcqcn",
        label: "DCQCN",
        alone: scenario!("hpcc": "fat", "with-dcqcn"),
        with_incast: scenario!("hpcc": "fat", "fat-incast", "with-dcqcn"),
        settings: &[],
        reports: 0.0,
    },
    Scheme {
        name: "dcqcn-window",
        label: "DCQCN with a window",
        alone: scenario!("hpcc": "fat", "with-dcqcn"),
        with_incast: scenario!("hpcc": "fat", "fat-incast", "with-dcqcn"),
        settings: &["control.dcqcn.profile=hpcc-window", "control.dcqcn.notification_priority=3"],
        reports: 0.0,
    },
    Scheme {
        name: "timely",
        label: "TIMELY",
        alone: scenario!("hpcc": "fat", "with-timely"),
        with_incast: scenario!("hpcc": "fat", "fat-incast", "with-timely"),
        settings: &[],
        reports: 0.0,
    },
    Scheme {
        name: "timely-window",
        label: "TIMELY with a window",
        alone: scenario!("hpcc": "fat", "with-timely"),
        with_incast: scenario!("hpcc": "fat", "fat-incast", "with-timely"),
        settings: &["control.timely.profile=hpcc-window"],
        reports: 0.0,
    },
];

const HPCC: &str = "hpcc";

/// Messages below this size are short: they fit into a few frames.
const SHORT: f64 = 7e3;
/// Messages of at least this size are long.
const LONG: f64 = 1e6;

/// The sizes of short and of long messages.
const BELOW: std::ops::Range<f64> = 0.0..SHORT;
const ABOVE: std::ops::Range<f64> = LONG..f64::INFINITY;

/// The statement and the curves of the authors' page, which have no incasts.
const PAGE: Origin = at("authors’ results page, Hadoop workload at 50 % load, 95th percentile");
const FIGURE_11A: Origin = at("section 5.3, figure 11a (from memory, unverified)");
const FIGURE_11B: Origin = at("section 5.3, figure 11b (from memory, unverified)");

const NETWORK: &str = "The network is that of the simulator’s mix/fat.txt: 320 stations with 100 Gb/s under 20 racks, 20 \
    aggregation bridges and 16 core bridges with 400 Gb/s links, 1 us per link. All bridges have a buffer of 32 MiB, which \
    run.py computes for 100 Gb/s.";
const SHORTER: &str = "Messages offered from 4 to 12 ms of 20 ms are measured, about 80 000 at a load of 30 %; the authors offer \
    messages for 100 ms and wait until all are completed. With `--full-size`, we measure messages offered from 20 to 60 ms of \
    100 ms. The slowdown of a message that is not completed is a lower bound. We run one seed.";
const MARKING: &str = "DCQCN’s thresholds are those for 100 Gb/s at all ports. In the simulator, those of 400 Gb/s ports are four \
    times as long, but the network is not oversubscribed, and queues grow mostly at the ports to stations.";
const NO_DCTCP: &str = "The paper also shows DCTCP, which Setpoint does not have.";

fn experiment(id: &'static str, title: &'static str, with_incast: bool, load: u32) -> Experiment {
    let cases = SCHEMES.map(|scheme| {
        let scenario = if with_incast { scheme.with_incast } else { scheme.alone };
        Case::new(scheme.name, scheme.label, scenario)
            .set_all(scheme.settings.iter().copied())
            .set(format!("flows.1.traffic.poisson.load=\"{load} %\""))
    });
    Experiment::new(id, title)
        .assumptions([UNVERIFIED, NETWORK, WIRE, BUFFER, MARKING, SHORTER, NO_DCTCP])
        .choices([&SLOWDOWN])
        .cases(cases)
        .keep_messages()
        .repeats(Repeats::Costly(1))
        .full_size(5.0)
        .panels(panels)
}

pub(super) fn at_half_load() -> Experiment {
    experiment("hpcc/fig11c", "Slowdown on a fat tree: FB_Hadoop at 50 % load", false, 50)
        .setup(
            "Messages with the sizes of the distribution FB_Hadoop between all pairs of 320 stations, with a load of 50 %, under \
            HPCC, DCQCN and TIMELY, the latter two with and without windows.",
        )
        .paper_says(
            "The 95th percentile of the slowdown of short messages is about 4.4 under DCQCN with a window, 4.2 under TIMELY with \
            a window and below 2 under HPCC. Long messages take longer under HPCC, because of the reports in every frame and \
            because a flow that ends leaves no queue behind.",
        )
        .claims([
            far_below(PAGE, "dcqcn-window", "DCQCN with a window").published(0.43),
            far_below(PAGE, "timely-window", "TIMELY with a window").published(0.45),
            far_below(at("section 5.3, figure 11c (from memory, unverified)"), "dcqcn", "DCQCN"),
            far_below(at("section 5.3, figure 11c (from memory, unverified)"), "timely", "TIMELY"),
            short_of(PAGE, "dcqcn-window", "DCQCN with a window", 4.4, 0.25),
            short_of(PAGE, "timely-window", "TIMELY with a window", 4.2, 0.25),
            short_of(at("issue 36 of the simulator, a reader’s reading of figure 11c"), "dcqcn", "DCQCN", 5.0, 0.25),
            Claim::new(PAGE, "long-take-longer", "Long messages take longer under HPCC than under DCQCN with a window.")
                .measure(Unit::Ratio, Rule::AtLeast(1.1), |seed| ratio(seed, HPCC, "dcqcn-window", ABOVE))
                .fails_for(EMPTY, || empty_ratio(HPCC, "dcqcn-window", &ABOVE))
                .read_as(
                    "Ratio of the 95th percentiles of the slowdown of messages of 1 MB or more; “longer” means by at least a \
                    tenth. The page shows HPCC with η = 99 %, and we run 95 %, as in the paper.",
                ),
        ])
}

pub(super) fn with_incast() -> Experiment {
    experiment("hpcc/fig11a", "Slowdown on a fat tree: FB_Hadoop at 30 % load, with incasts", true, 30)
        .setup(
            "Messages with the sizes of the distribution FB_Hadoop between all pairs of 320 stations, with a load of 30 %, and \
            incasts of 60 messages of 500 kB each, with 2 % of the capacity, under HPCC, DCQCN and TIMELY, the latter two with \
            and without windows.",
        )
        .paper_says(
            "HPCC’s slowdowns are far below those of the other algorithms, and it causes no pauses. DCQCN and TIMELY are much \
            better with a window than without. The 95th percentile under DCQCN is between 60 and 70.",
        )
        .claims(
            SCHEMES
                .iter()
                .filter(|scheme| scheme.name != HPCC)
                .map(|scheme| far_below(FIGURE_11A, scheme.name, scheme.label)),
        )
        .claims([
            window_helps("dcqcn", "dcqcn-window", "DCQCN"),
            window_helps("timely", "timely-window", "TIMELY"),
            short_of(at("issue 36 of the simulator, a reader’s reading of figure 11a"), "dcqcn", "DCQCN", 65.0, 1.0 / 3.0)
                .cause("the reader who reports the paper’s value got about 120 with the simulator’s scripts"),
            Claim::new(FIGURE_11B, "no-pauses", "HPCC causes hardly any pauses.")
                .given("DCQCN causes pauses", (Unit::Seconds, Rule::AtLeast(1e-3)), |seed| Some(paused(seed, "dcqcn")))
                .measure(Unit::Ratio, Rule::AtMost(0.01), |seed| {
                    Some(relative(paused(seed, HPCC), paused(seed, "dcqcn")))
                })
                .fails_for("pauses of a millisecond under both", || Some(relative(1e-3, 1e-3)))
                .read_as(
                    "The time for which ports are paused under HPCC, summed over ports, divided by that under DCQCN; at most a \
                    hundredth.",
                ),
        ])
}

fn reports(case: &str) -> f64 {
    SCHEMES.iter().find(|scheme| scheme.name == case).map_or(0.0, |scheme| scheme.reports)
}

fn frames(case: &str) -> Frames {
    Frames { rate: 100e9, reports: reports(case) }
}

/// The 95th percentile of the slowdown of messages in a range of sizes.
fn tail(seed: &Seed<'_>, case: &str, sizes: std::ops::Range<f64>) -> Option<f64> {
    percentile(&slowdowns(seed, case, frames(case))?, sizes)
}

fn ratio(seed: &Seed<'_>, one: &str, other: &str, sizes: std::ops::Range<f64>) -> Option<f64> {
    Some(tail(seed, one, sizes.clone())? / tail(seed, other, sizes)?)
}

/// Runs in which a rule could be violated take too long for tests, so the counterexamples of these claims are messages on an empty
/// network.
const EMPTY: &str = "an empty network";

/// Like [`tail`], on an empty network.
fn empty_tail(case: &str, sizes: &std::ops::Range<f64>) -> Option<f64> {
    let message = |number: u32| {
        let bytes = sizes.start + f64::from(number) * 50.0;
        let ideal = 12e-6 + bytes * 8.0 / 100e9;
        Slowdown { bytes, factor: frames(case).slowdown(bytes, ideal, ideal, false) }
    };
    percentile(&(1..100).map(message).collect::<Vec<_>>(), sizes.clone())
}

/// Like [`ratio`], on an empty network.
fn empty_ratio(one: &str, other: &str, sizes: &std::ops::Range<f64>) -> Option<f64> {
    Some(empty_tail(one, sizes)? / empty_tail(other, sizes)?)
}

fn paused(seed: &Seed<'_>, case: &str) -> f64 {
    seed.run(case).summary.total.paused_s
}

/// The time for which ports are paused under HPCC, relative to that under DCQCN.
fn relative(hpcc: f64, dcqcn: f64) -> f64 {
    hpcc / dcqcn
}

/// Short messages are much faster with HPCC.
fn far_below(origin: Origin, other: &'static str, label: &str) -> Claim {
    Claim::new(
        origin,
        format!("far-below-{other}"),
        format!("The slowdown of short messages under HPCC is far below that under {label}."),
    )
    .measure(Unit::Ratio, Rule::AtMost(2.0 / 3.0), move |seed| ratio(seed, HPCC, other, BELOW))
    .fails_for(EMPTY, move || empty_ratio(HPCC, other, &BELOW))
    .read_as(
        "Ratio of the 95th percentiles of the slowdown of messages below 7 kB; “far below” means at most two thirds. Published \
        values are those of the page, for HPCC with η = 99 %.",
    )
}

/// The slowdown of short messages has the published value.
fn short_of(origin: Origin, case: &'static str, label: &str, published: f64, part: f64) -> Claim {
    Claim::new(
        origin,
        format!("short-with-{case}"),
        format!("Under {label}, the 95th percentile of the slowdown of short messages is {published}."),
    )
    .measure(Unit::Ratio, Rule::about(published, part), move |seed| tail(seed, case, BELOW))
    .fails_for(EMPTY, move || empty_tail(case, &BELOW))
    .published(published)
    .read_as(if part < 0.3 {
        "Messages below 7 kB; the value was read from a curve, to a quarter."
    } else {
        "Messages below 7 kB; the reader gives a range from 60 to 70, and we allow a third."
    })
}

fn window_helps(without: &'static str, with: &'static str, label: &str) -> Claim {
    Claim::new(
        at("authors’ results page, settings, on the paper’s figures"),
        format!("window-helps-{without}"),
        format!("{label} is much better with a window than without."),
    )
    .measure(Unit::Ratio, Rule::AtMost(2.0 / 3.0), move |seed| ratio(seed, with, without, BELOW))
    .fails_for(EMPTY, move || empty_ratio(with, without, &BELOW))
    .read_as(
        "Ratio of the 95th percentiles of the slowdown of messages below 7 kB; “much better” means at most two thirds.",
    )
}

fn panels(runs: &Runs) -> Vec<Block> {
    let cases = SCHEMES.map(|scheme| (scheme.name, scheme.label, frames(scheme.name)));
    let figure = figure(runs.first(), ("slowdown", "Slowdown by message size"), &cases);
    let columns: [table::SeedColumn<'_>; 6] = [
        ("Messages", Unit::Count, |seed, case| Some(slowdowns(seed, case, frames(case))?.len() as f64)),
        ("Below 7 kB, 95th percentile", Unit::Ratio, |seed, case| tail(seed, case, BELOW)),
        ("From 7 kB to 1 MB", Unit::Ratio, |seed, case| tail(seed, case, SHORT..LONG)),
        ("From 1 MB", Unit::Ratio, |seed, case| tail(seed, case, ABOVE)),
        ("Ports paused", Unit::Seconds, |seed, case| Some(paused(seed, case))),
        ("Pauses", Unit::Count, |seed, case| Some(seed.run(case).summary.pauses() as f64)),
    ];
    let named = SCHEMES.map(|scheme| (scheme.name, scheme.label));
    let mut blocks = panel::of_seed(runs.first(), [figure]);
    blocks.push(Block::Table(table::by_case_and_seed(runs, ("Algorithm", &named), &columns)));
    blocks
}
