//! Convergence of two flows, and incast, on a single bridge.

use setpoint_fluid::dcqcn::Params;
use setpoint_fluid::fixed_point::dcqcn::fixed_point;
use setpoint_fluid::{Bottleneck, Class, Sending};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use super::choices::FRAME;
use super::{CHOICES, CONTROLS, LINE_RATE, PARAMETERS, STEADY, THRESHOLDS, case, rates_of};
use crate::prelude::*;

const PAIR: &str = scenario!("dcqcn15": "star");
const MANY: &str = scenario!("dcqcn15": "incast");
const QUEUE: &str = "bridge->h1/3";
const PORT: &str = "bridge->h1";

pub(super) fn convergence() -> Experiment {
    Experiment::new("dcqcn15/convergence", "Convergence of two flows")
        .setup(
            "Two senders and a receiver are connected by one switch. The second flow starts 10 ms after the first, at line \
            rate. Rates are compared from 100 ms onwards.",
        )
        .paper_says("With these parameters, which combine a fast timer with marking at random, both flows get similar rates.")
        .assumptions([
            "The second flow starts as in figure 10. In figure 13, it starts 500 ms after the first, and each run lasts \
                10 s. Figure 13(d) shows both flows with these parameters. The text gives no rates, and only says of \
                figure 13(c), with a slower timer, that both flows get similar throughput on average. The use of the \
                link and PFC alone are our additions.",
            PARAMETERS,
            THRESHOLDS,
        ])
        .choices(CHOICES)
        .cases(CONTROLS.map(|control| {
            let case = case(PAIR, control);
            if control.0 == "pfc" { case.beyond_paper() } else { case }
        }))
        .seeds(Repeats::LEAST)
        .quick(0.5)
        .panels(|runs| {
            let first = runs.first();
            let figures = CONTROLS.map(|(name, label)| {
                let flows = [("first", "first flow"), ("second", "second flow")];
                let names = (&*format!("rates-{name}"), label);
                panel::rates_up_to(LINE_RATE, first.run(name), names, &panel::curves(&flows, |flow| first.run(name).rates(flow)))
            });
            let columns: [table::RunColumn<'_>; 4] = [
                ("First flow", Unit::BitsPerSecond, |run| run.mean_rate("first", STEADY)),
                ("Second flow", Unit::BitsPerSecond, |run| run.mean_rate("second", STEADY)),
                ("Utilisation", Unit::Share, |run| run.utilisation(PORT, STEADY)),
                ("Mean queue", Unit::Bytes, |run| run.mean_queue(QUEUE, STEADY)),
            ];
            let mut blocks = panel::of_seed(first, figures);
            blocks.push(Block::Table(table::by_case(runs, &CONTROLS, &columns)));
            blocks
        })
        .claims([half("first"), half("second")])
        .claims([
            Claim::new(OURS, "link-used", "With DCQCN the link stays busy.")
                .measure(Unit::Share, Rule::AtLeast(0.95), |seed| seed.run("dcqcn").utilisation(PORT, STEADY))
                .read_as("Share of the time during which the link is busy; at least 95 %."),
            Claim::new(OURS, "yields-at-once", "The first flow gives up bandwidth within 10 ms of the second one’s \
                start.")
                .measure(Unit::Share, Rule::AtMost(0.75), |seed| {
                    let early = starts("second").plus(0.01).until(starts("second").plus(0.02));
                    Some(seed.run("dcqcn").mean_rate("first", early)? / LINE_RATE)
                })
                .read_as("Mean rate of the first flow from 10 to 20 ms after the start of the second, divided by \
                    the line rate; at most three quarters."),
        ])
}

fn half(flow: &'static str) -> Claim {
    Claim::new(
        at("section 6.1, figure 13(d)"),
        format!("{flow}-at-half"),
        format!("With DCQCN the {flow} flow reaches half of the link."),
    )
    .measure(Unit::Share, Rule::Equivalent(0.45, 0.55), move |seed| {
        Some(seed.run("dcqcn").mean_rate(flow, STEADY)? / LINE_RATE)
    })
    .read_as(
        "Mean rate from 100 ms onwards divided by the line rate; one half to a tenth, for the whole \
            confidence interval.",
    )
}

/// The numbers of senders that are compared; the paper has 1 to 19.
const DEGREES: [u32; 5] = [2, 4, 8, 16, 19];
/// The number of senders for which the paper gives the distribution of the queue.
const MOST_SENDERS: u32 = 20;

fn name(control: &str, senders: u32) -> String {
    format!("{control}-{senders}")
}

fn many((control, label): (&'static str, &'static str), senders: u32) -> Case {
    let case = case(MANY, (control, label))
        .renamed(name(control, senders), format!("{label}, {senders} senders"))
        .set_all([
            format!("topology.star.stations={}", senders + 1),
            format!("flows.1.from=\"h{{2..{}}}\"", senders + 1),
        ]);
    if control == "pfc" { case.beyond_paper() } else { case }
}

pub(super) fn incast() -> Experiment {
    let cases = CONTROLS.into_iter().flat_map(|control| DEGREES.map(|senders| many(control, senders)));
    Experiment::new("dcqcn15/incast", "Incast of backlogged flows")
        .setup(
            "2, 4, 8, 16 or 19 senders start at the same time to send to one receiver on the same switch. With DCQCN there \
            is also a run with 20 senders.",
        )
        .paper_says("With DCQCN an incast of 1 to 19 senders on one switch uses more than 39 Gb/s in total, and the queue \
            never exceeds 100 kB, according to a counter of the switch. With 20 senders, the 95th percentile of the queue \
            is 76.6 kB.")
        .assumptions([
            "The paper does not say whether its queue includes the start of the flows. We measure it in the second half of \
                the run, between samples as well; the table also shows the largest queue with the start.",
            "Equal shares and rare pauses are our checks. The paper shows them for benchmark traffic on the testbed with \
                three tiers (section 6.2, figures 16 and 15). It compares the queue with that of DCTCP (section 6.3, \
                figure 19), and not with PFC alone.",
            PARAMETERS,
            THRESHOLDS,
        ])
        .choices(CHOICES)
        .cases(cases.chain([many(CONTROLS[1], MOST_SENDERS)]))
        .seeds(Repeats::LEAST)
        .quick(0.5)
        .panels(incast_panels)
        .claims(incast_claims())
        .claims(incast_checks())
}

fn incast_claims() -> [Claim; 3] {
    [
        Claim::new(at("section 6.1"), "full-throughput", "With DCQCN the total throughput is always above 39 Gb/s.")
            .measure(Unit::BitsPerSecond, Rule::AtLeast(39e9), |seed| {
                least(DEGREES.map(|senders| total(seed.run(&name("dcqcn", senders)))))
            })
            .read_as(
                "Sum of the senders’ mean rates in the second half of the run, smallest value of the cases with up to \
                19 senders; at least 39 Gb/s.",
            )
            .cause(
                "when the queue exceeds Kmax, all sources cut their rates, and those that receive further CNPs cut them \
                again. Frames marked on arrival keep arriving while the queue drains, so the queue runs empty",
            ),
        Claim::new(at("section 6.1"), "queue-limit", "With DCQCN the queue never exceeds 100 kB.")
            .measure(Unit::Bytes, Rule::AtMost(100e3), |seed| {
                most(DEGREES.map(|senders| seed.run(&name("dcqcn", senders)).queue_peak(QUEUE, STEADY)))
            })
            .read_as(
                "Largest queue in the second half of the run, without the start, largest value of the cases with up to \
                19 senders; at most 100 kB.",
            )
            .cause(LONG_QUEUE),
        Claim::new(
            at("section 6.3, figure 19"),
            "queue-of-20",
            "With DCQCN and 20 senders, the 95th percentile of the queue is 76.6 kB.",
        )
        .measure(Unit::Bytes, Rule::about(76.6e3, 0.25), |seed| {
            seed.run(&name("dcqcn", MOST_SENDERS)).queue_percentile(QUEUE, STEADY, 0.95)
        })
        .published(76.6e3)
        .read_as("95th percentile of the samples in the second half of the run; within a quarter.")
        .cause(LONG_QUEUE),
    ]
}

const LONG_QUEUE: &str = "by the equations of the CoNEXT paper, the queue at the fixed point exceeds 100 kB with 8 senders, and \
    with 16 or more there is no fixed point (table below the figures): the queue grows to Kmax, 200 kB, where all frames are \
    marked and all sources cut their rates. We do not know why the queue of the testbed was shorter";

fn incast_checks() -> [Claim; 3] {
    [
        Claim::new(OURS, "fair", "With DCQCN all senders get the same share.")
            .measure(Unit::Share, Rule::AtMost(0.1), |seed| most(DEGREES.map(|senders| unequal(seed, senders))))
            .read_as(
                "Largest relative difference between a sender’s mean rate in the second half of the run and the mean of \
                all, largest value of the cases with up to 19 senders; at most a tenth.",
            )
            .cause("sources cut their rates at random times, so rates averaged over 50 ms still differ"),
        Claim::new(OURS, "short-queue", "With DCQCN the queue is much shorter than with PFC alone.")
            .measure(Unit::Ratio, Rule::AtMost(0.5), |seed| {
                most(DEGREES.map(|senders| {
                    let queue = |control| seed.run(&name(control, senders)).mean_queue(QUEUE, STEADY);
                    Some(queue("dcqcn")? / queue("pfc")?)
                }))
            })
            .read_as(
                "Mean queue divided by that with PFC alone, largest value of the cases with up to 19 senders; “much” means \
                by at least half.",
            ),
        Claim::new(OURS, "no-pauses", "With DCQCN senders are hardly ever paused after the start.")
            .given("without DCQCN senders are often paused", (Unit::Share, Rule::AtLeast(0.1)), |seed| {
                least(DEGREES.map(|senders| sender_paused(seed.run(&name("pfc", senders)))))
            })
            .measure(Unit::Share, Rule::AtMost(0.01), |seed| {
                most(DEGREES.map(|senders| sender_paused(seed.run(&name("dcqcn", senders)))))
            })
            .read_as(
                "Share of the second half of the run during which the port of the first sender is paused; at most one per \
                cent in all cases with up to 19 senders.",
            ),
    ]
}

/// The total rate of all senders.
fn total(run: &Run) -> Option<f64> {
    Some(rates_of(run, "f")?.iter().sum())
}

/// The share of time during which the first sender is paused.
fn sender_paused(run: &Run) -> Option<f64> {
    super::paused(run, "h2->bridge")
}

/// The largest relative difference of a rate from the mean of all.
fn unequal(seed: &Seed<'_>, senders: u32) -> Option<f64> {
    let rates = rates_of(seed.run(&name("dcqcn", senders)), "f")?;
    farthest(&rates, vec![mean(&rates)?; rates.len()])
}

fn incast_panels(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let figures = CONTROLS.iter().map(|(control, label)| {
        let run = first.run(&name(control, 8));
        let top = 1.1 * run.queue_peak(QUEUE, WHOLE_RUN).unwrap_or(1e6);
        let y = Axis::from_zero("Queue", Unit::Bytes, top);
        let names = (&*format!("queue-{control}"), &*format!("{label}, 8 senders: queue"));
        panel::over_time(run, names, y, &panel::curves(&[(QUEUE, "queue")], |queue| run.queue(queue)))
    });
    let named: Vec<(String, String)> = CONTROLS
        .iter()
        .flat_map(|(control, label)| DEGREES.map(|n| (name(control, n), format!("{label}, {n} senders"))))
        .chain([(name("dcqcn", MOST_SENDERS), format!("{}, {MOST_SENDERS} senders", CONTROLS[1].1))])
        .collect();
    let cases: Vec<(&str, &str)> = named.iter().map(|(name, label)| (&**name, &**label)).collect();
    let columns: [table::RunColumn<'_>; 7] = [
        ("Total rate", Unit::BitsPerSecond, total),
        ("Mean queue", Unit::Bytes, |run| run.mean_queue(QUEUE, STEADY)),
        ("95th percentile", Unit::Bytes, |run| run.queue_percentile(QUEUE, STEADY, 0.95)),
        ("Largest queue", Unit::Bytes, |run| run.queue_peak(QUEUE, STEADY)),
        ("Largest queue, with the start", Unit::Bytes, |run| run.queue_peak(QUEUE, WHOLE_RUN)),
        ("First sender paused", Unit::Share, sender_paused),
        ("Jain’s index", Unit::Ratio, |run| jain_index(rates_of(run, "f")?)),
    ];
    let mut blocks = panel::of_seed(first, figures);
    blocks.push(Block::Table(table::by_case(runs, &cases, &columns)));
    blocks.push(Block::Table(equations(runs)));
    blocks.push(Block::Note(EQUATIONS.to_owned()));
    blocks
}

const EQUATIONS: &str = "The fixed point is that of the equations in the CoNEXT paper (2016), with the parameters and frames \
    of the runs. A dash means that there is none, since marking would have to exceed Pmax: the queue then grows to Kmax, \
    200 kB, where all frames are marked.";

/// The queues at the fixed point of the equations, next to the mean queues.
fn equations(runs: &Runs) -> Table {
    let frame = if runs.reads(&FRAME, "mtu") { 1_500 } else { 1_000 };
    let mut table = table::with_headings("Senders", ["Queue at the fixed point", "Mean queue with DCQCN"]);
    for senders in DEGREES.into_iter().chain([MOST_SENDERS]) {
        let queues = runs.values(|seed| seed.run(&name("dcqcn", senders)).mean_queue(QUEUE, STEADY));
        table.row([
            Cell::words(senders.to_string()),
            table::value_cell(Unit::Bytes, fixed_queue(senders, Bytes::new(frame))),
            table::cell(Unit::Bytes, &queues),
        ]);
    }
    table
}

/// The queue at the fixed point of the equations; none if there is no fixed point.
fn fixed_queue(senders: u32, frame: Bytes) -> Option<f64> {
    let line_rate = Rate::from_gbps(40);
    let class = Class {
        name: "senders".to_owned(),
        sources: senders,
        delay: TimeDelta::from_micros(2),
        line_rate,
        start: Time::ZERO,
        stop: None,
        sending: Sending::Controlled { weight: 1 },
    };
    let bottleneck = Bottleneck {
        frame,
        overhead: Bytes::ZERO,
        capacity: vec![(Time::ZERO, line_rate)],
        buffer: Bytes::new(12_000_000),
        classes: vec![class],
    };
    fixed_point(&bottleneck, &Params::default()).ok().map(|point| point.queue_bytes)
}
