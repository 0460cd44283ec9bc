//! Convergence of two flows, and incast, on a single bridge.

use super::{CONTROLS, LINE_RATE, MEMORY, PARAMETERS, PLACE, STEADY, case, rates_of};
use crate::prelude::*;

const PAIR: &str = scenario!("dcqcn15": "star");
const MANY: &str = scenario!("dcqcn15": "incast");
const QUEUE: &str = "bridge->h1/3";
const PORT: &str = "bridge->h1";

pub(super) fn convergence() -> Experiment {
    Experiment::new("dcqcn15/convergence", "Convergence of two flows")
        .setup(
            "Two flows to one receiver share a 40 Gb/s link. The second one starts 20 ms after the first, at line rate. \
            Rates are compared from 100 ms onwards.",
        )
        .paper_says("Both flows converge quickly to half of the link.")
        .assumptions([
            MEMORY,
            "In the paper (section 6.1, figures 10 and 13) the two senders and the receiver are also connected by one \
                switch. The second flow starts 10 ms after the first in figure 10, and 500 ms after it in figure 13, \
                which shows 10 s. Figure 13(d) shows both flows with these parameters; the text gives no rates, and no \
                use of the link by two flows. There is no run with PFC alone.",
            PARAMETERS,
        ])
        .cases(CONTROLS.map(|control| case(PAIR, control)))
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
            Claim::new(PLACE, "link-used", "The link stays busy.")
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
        PLACE,
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

/// The numbers of senders.
const DEGREES: [u32; 4] = [2, 4, 8, 16];

fn name(control: &str, senders: u32) -> String {
    format!("{control}-{senders}")
}

pub(super) fn incast() -> Experiment {
    let cases = CONTROLS.iter().flat_map(|(control, label)| {
        DEGREES.map(|senders| {
            case(MANY, (control, label))
                .renamed(name(control, senders), format!("{label}, {senders} senders"))
                .set_all([
                    format!("topology.star.stations={}", senders + 1),
                    format!("flows.1.from=\"h{{2..{}}}\"", senders + 1),
                ])
        })
    });
    Experiment::new("dcqcn15/incast", "Incast of backlogged flows")
        .setup("2, 4, 8 and 16 senders start at the same time to send to one receiver over a 40 Gb/s link.")
        .paper_says("With DCQCN an incast of up to 19 senders on one switch uses more than 39 Gb/s in total, and the \
            queue never exceeds 100 kB. For benchmark traffic on a larger testbed, DCQCN divides an incast nearly \
            equally among its senders, and two spine switches receive 3000 instead of over 6 million pauses.")
        .assumptions([
            MEMORY,
            "The switch, the use of the link and the short queue are in section 6.1. No claim checks the limit of \
                100 kB: with 8 senders our mean queue already exceeds it, and with 16 it is near Kmax, as in the \
                equations of the CoNEXT paper. Equal shares and rare pauses are results for benchmark traffic on the testbed with three \
                tiers (section 6.2, figures 15 and 16). The paper compares the queue with that of DCTCP (section 6.3, \
                figure 19), and not with PFC alone.",
            PARAMETERS,
        ])
        .cases(cases)
        .seeds(Repeats::LEAST)
        .quick(0.5)
        .panels(incast_panels)
        .claims([
            Claim::new(PLACE, "fair", "With DCQCN all senders get the same share.")
                .measure(Unit::Share, Rule::AtMost(0.1), |seed| most(DEGREES.map(|senders| unequal(seed, senders))))
                .read_as("Largest relative difference between a sender’s mean rate in the second half of the run \
                    and the mean of all, largest value of the four cases; at most a tenth.")
                .cause("sources cut their rates at random times, so rates averaged over 50 ms still differ"),
            Claim::new(PLACE, "link-used", "With DCQCN the link is fully used.")
                .measure(Unit::Share, Rule::AtLeast(0.95), |seed| {
                    least(DEGREES.map(|senders| seed.run(&name("dcqcn", senders)).utilisation(PORT, STEADY)))
                })
                .read_as("Smallest share of time during which the link is busy; at least 95 %."),
            Claim::new(PLACE, "short-queue", "With DCQCN the queue is much shorter than with PFC alone.")
                .measure(Unit::Ratio, Rule::AtMost(0.5), |seed| {
                    most(DEGREES.map(|senders| {
                        let queue = |control| seed.run(&name(control, senders)).mean_queue(QUEUE, STEADY);
                        Some(queue("dcqcn")? / queue("pfc")?)
                    }))
                })
                .read_as("Mean queue divided by that with PFC alone, largest value of the four cases; “much” means \
                    by at least half."),
            Claim::new(PLACE, "no-pauses", "With DCQCN senders are hardly ever paused after the start.")
                .given("without DCQCN senders are often paused", (Unit::Share, Rule::AtLeast(0.1)), |seed| {
                    least(DEGREES.map(|senders| sender_paused(seed.run(&name("pfc", senders)))))
                })
                .measure(Unit::Share, Rule::AtMost(0.01), |seed| {
                    most(DEGREES.map(|senders| sender_paused(seed.run(&name("dcqcn", senders)))))
                })
                .read_as("Share of the second half of the run during which the port of the first sender is paused; \
                    at most one per cent in all four cases."),
        ])
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
        let y = Axis::from_zero("Queue", Unit::Bytes, 1e6);
        let names = (&*format!("queue-{control}"), &*format!("{label}, 8 senders: queue"));
        panel::over_time(run, names, y, &panel::curves(&[(QUEUE, "queue")], |queue| run.queue(queue)))
    });
    let named: Vec<(String, String)> = CONTROLS
        .iter()
        .flat_map(|(control, label)| DEGREES.map(|n| (name(control, n), format!("{label}, {n} senders"))))
        .collect();
    let cases: Vec<(&str, &str)> = named.iter().map(|(name, label)| (&**name, &**label)).collect();
    let columns: [table::RunColumn<'_>; 5] = [
        ("Utilisation", Unit::Share, |run| run.utilisation(PORT, STEADY)),
        ("Mean queue", Unit::Bytes, |run| run.mean_queue(QUEUE, STEADY)),
        ("Largest queue, with the start", Unit::Bytes, |run| run.queue_peak(QUEUE, WHOLE_RUN)),
        ("First sender paused", Unit::Share, sender_paused),
        ("Jain’s index", Unit::Ratio, |run| jain_index(rates_of(run, "f")?)),
    ];
    let mut blocks = panel::of_seed(first, figures);
    blocks.push(Block::Table(table::by_case(runs, &cases, &columns)));
    blocks
}
