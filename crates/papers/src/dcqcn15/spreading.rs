//! Unfairness and a victim under PFC alone.

use super::{CONTROLS, LINE_RATE, MEMORY, PARAMETERS, PLACE, STEADY, case, paused, rates_of};
use crate::prelude::*;

const RACK: &str = scenario!("dcqcn15": "unfairness");
const CLOS: &str = scenario!("dcqcn15": "victim");
const CLOS_WITH_FURTHER: &str = scenario!("dcqcn15": "victim", "further");

const FAR: [&str; 3] = ["far1", "far2", "far3"];

pub(super) fn unfairness() -> Experiment {
    Experiment::new("dcqcn15/unfairness", "Unfairness under PFC: the parking lot")
        .setup(
            "Four senders write to one receiver. One of them is in the receiver’s rack; the other three share a link to \
            that rack. All links have 40 Gb/s, and the receiver’s link is the bottleneck.",
        )
        .paper_says(
            "Each sender should get a quarter of the link. With PFC alone the switch pauses its inputs alike, however \
            many flows they carry, so the sender in the receiver’s rack gets more than the others: up to 20 Gb/s if they \
            share one input. With DCQCN all four get the same.",
        )
        .assumptions([
            MEMORY,
            "In the paper (section 2.2, figure 3) the three distant senders are in three racks, and ECMP maps them to the two \
            ports between the leaves and the receiver’s rack. Rates are those of 1000 transfers of 4 MB: the sender in the \
            receiver’s rack gets at most 20 Gb/s, and its minimum is above the maximum of the others. Here the three are in \
            one rack, flows do not end, and all three share one port, which is the most unequal case. The equal rates \
            with DCQCN are in section 3.2, figure 8.",
            PARAMETERS,
        ])
        .cases(CONTROLS.map(|control| case(RACK, control)))
        .seeds(Repeats::LEAST)
        .quick(0.5)
        .panels(unfairness_panels)
        .claims([
            Claim::new(PLACE, "near-gets-more", "With PFC alone the sender in the receiver’s rack gets more than \
                each of the others.")
                .measure(Unit::Ratio, Rule::AtLeast(1.5), |seed| advantage(seed.run("pfc")))
                .read_as("Its rate in the second half of the run divided by the largest of the others; at least \
                    1.5."),
            Claim::new(PLACE, "near-gets-half", "If the others share one input, it gets 20 Gb/s.")
                .measure(Unit::BitsPerSecond, Rule::about(20e9, 0.1), |seed| seed.run("pfc").mean_rate("near", STEADY))
                .published(20e9)
                .read_as("Its rate with PFC alone; within a tenth."),
            Claim::new(PLACE, "equal-with-dcqcn", "With DCQCN all four senders get the same rate.")
                .measure(Unit::Ratio, Rule::Equivalent(0.8, 1.25), |seed| {
                    let run = seed.run("dcqcn");
                    Some(run.mean_rate("near", STEADY)? / mean(&run.mean_rates(FAR, STEADY)?)?)
                })
                .read_as("The rate of the sender in the receiver’s rack divided by the mean of the others; between \
                    0.8 and 1.25 for the whole confidence interval."),
            Claim::new(OURS, "link-used", "The receiver’s link is busy in both cases.")
                .measure(Unit::Share, Rule::AtLeast(0.95), |seed| {
                    least(CONTROLS.map(|(name, _)| seed.run(name).utilisation("tor4->r", STEADY)))
                })
                .read_as("Share of the time, smaller value; at least 95 %."),
        ])
}

/// The rate of the near sender divided by the largest of the others.
fn advantage(run: &Run) -> Option<f64> {
    Some(run.mean_rate("near", STEADY)? / largest(&run.mean_rates(FAR, STEADY)?)?)
}

fn unfairness_panels(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let figures = CONTROLS.map(|(name, label)| {
        let flows = [
            ("near", "in the receiver’s rack"),
            ("far1", "distant 1"),
            ("far2", "distant 2"),
            ("far3", "distant 3"),
        ];
        panel::flow_rates(first.run(name), (&format!("rates-{name}"), label), &flows)
    });
    let columns: [table::RunColumn<'_>; 5] = [
        ("In the receiver’s rack", Unit::BitsPerSecond, |run| run.mean_rate("near", STEADY)),
        ("Mean of the others", Unit::BitsPerSecond, |run| mean(&run.mean_rates(FAR, STEADY)?)),
        ("Ratio to the largest of them", Unit::Ratio, advantage),
        ("Link to the rack paused", Unit::Share, |run| paused(run, "leaf->tor4")),
        ("Utilisation", Unit::Share, |run| run.utilisation("tor4->r", STEADY)),
    ];
    let mut blocks = panel::of_seed(first, figures);
    blocks.push(Block::Table(table::by_case(runs, &CONTROLS, &columns)));
    blocks
}

/// The victim's fair rate: the capacity of the uplink, minus a quarter of the receiver's link for each of two
/// senders.
const FAIR: f64 = 20e9;

const CLOS_CASES: [(&str, &str); 4] = [
    ("pfc", "PFC alone"),
    ("pfc-more", "PFC alone, two further senders"),
    ("dcqcn", "PFC and DCQCN"),
    ("dcqcn-more", "PFC and DCQCN, two further senders"),
];

pub(super) fn victim() -> Experiment {
    let cases = CLOS_CASES.map(|(name, label)| {
        let control = name.split('-').next().unwrap_or(name);
        let scenario = if name.ends_with("more") { CLOS_WITH_FURTHER } else { CLOS };
        case(scenario, (control, label)).renamed(name, label)
    });
    Experiment::new("dcqcn15/victim", "A victim of PFC")
        .setup(
            "In a network of racks, leaves and spines, four senders of one rack write to a receiver in another pod. A \
            victim in the senders’ rack sends to a rack of its own pod; it shares only an uplink with two of the four \
            senders. In further cases two more senders in the receiver’s pod write to the same receiver.",
        )
        .paper_says(
            "The four senders get 10 Gb/s each, so the victim should get 20 Gb/s of its uplink. With PFC alone, pauses \
            spread to the senders’ rack and the victim gets only about 10 Gb/s, and even less (about 4.5 Gb/s) if more \
            senders join, although their paths do not meet the victim’s. With DCQCN the victim keeps its rate.",
        )
        .assumptions([
            MEMORY,
            "The network, the victim’s expected rate of 20 Gb/s, its 10 Gb/s, and its 4.5 Gb/s with two further senders are in \
            section 2.2, figure 4, and the rate with DCQCN, which does not depend on the further senders, in section 3.2, \
            figure 9, without a number in the text. The paper’s rates are medians of 250 transfers of 250 MB, whose paths \
            ECMP chooses; here flows do not end, and paths are those that the paper describes as the median case. The \
            paper also has a run with one further sender.",
            PARAMETERS,
            "The senders’ rack has two uplinks, each with two of the senders; the victim uses the first. Since no frame \
            crosses from one uplink to the other, the rack is drawn as two bridges. The further senders use the leaf on the \
            path of the victim’s neighbours; in the paper they compete with the four senders on both leaves.",
        ])
        .cases(cases)
        .seeds(Repeats::LEAST)
        .quick(0.5)
        .panels(victim_panels)
        .claims([
            Claim::new(PLACE, "victim-hurt", "With PFC alone the victim gets about 10 Gb/s instead of 20 Gb/s.")
                .measure(Unit::BitsPerSecond, Rule::AtMost(0.75 * FAIR), |seed| rate(seed, "pfc"))
                .published(10e9)
                .read_as("Its rate in the second half of the run; at most three quarters of 20 Gb/s."),
            Claim::new(PLACE, "further-senders-hurt", "Further senders in the receiver’s pod hurt the victim even \
                more.")
                .measure(Unit::Ratio, Rule::AtMost(0.9), |seed| Some(rate(seed, "pfc-more")? / rate(seed, "pfc")?))
                .read_as("The victim’s rate with PFC alone and the two further senders divided by that without \
                    them; at most 0.9."),
            Claim::new(PLACE, "victim-spared", "With DCQCN the victim gets the rate that the others leave.")
                .given("with PFC alone the victim loses rate", (Unit::Share, Rule::AtMost(0.9)), |seed| {
                    Some(rate(seed, "pfc")? / FAIR)
                })
                .measure(Unit::Share, Rule::AtLeast(0.9), |seed| Some(rate(seed, "dcqcn")? / FAIR))
                .read_as("Its rate with DCQCN divided by 20 Gb/s; at least nine tenths."),
            Claim::new(PLACE, "spared-with-further", "With DCQCN further senders do not reduce the victim’s rate.")
                .measure(Unit::Ratio, Rule::AtLeast(0.95), |seed| Some(rate(seed, "dcqcn-more")? / rate(seed, "dcqcn")?))
                .read_as("Its rate with the two further senders divided by that without them; at least 0.95."),
            Claim::new(OURS, "pauses-cease", "With DCQCN the victim’s uplink is hardly ever paused.")
                .given("with PFC alone the victim’s uplink is paused", (Unit::Share, Rule::AtLeast(0.1)), |seed| {
                    paused(seed.run("pfc"), "tor1a->leaf1")
                })
                .measure(Unit::Share, Rule::AtMost(0.01), |seed| paused(seed.run("dcqcn"), "tor1a->leaf1"))
                .read_as("Share of the second half of the run during which the uplink is paused; at most one per \
                    cent."),
        ])
}

fn rate(seed: &Seed<'_>, case: &str) -> Option<f64> {
    seed.run(case).mean_rate("victim", STEADY)
}

fn victim_panels(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let curves = panel::curves(&CLOS_CASES, |case| first.run(case).rates("victim"));
    let figure = panel::rates_up_to(LINE_RATE, first.run("pfc"), ("victim", "Rate of the victim"), &curves);
    let columns: [table::RunColumn<'_>; 4] = [
        ("Victim", Unit::BitsPerSecond, |run| run.mean_rate("victim", STEADY)),
        ("Mean of the four senders", Unit::BitsPerSecond, |run| mean(&rates_of(run, "h")?)),
        ("Victim’s uplink paused", Unit::Share, |run| paused(run, "tor1a->leaf1")),
        ("Utilisation of the receiver’s link", Unit::Share, |run| run.utilisation("tor4->r", STEADY)),
    ];
    let mut blocks = panel::of_seed(first, [figure]);
    blocks.push(Block::Table(table::by_case(runs, &CLOS_CASES, &columns)));
    blocks
}
