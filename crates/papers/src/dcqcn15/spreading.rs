//! Unfairness and a victim under PFC alone.

use super::{CHOICES, CONTROLS, LINE_RATE, PARAMETERS, STEADY, THRESHOLDS, case, paused, rates_of};
use crate::prelude::*;

const RACKS: &str = scenario!("dcqcn15": "unfairness");
const CLOS: &str = scenario!("dcqcn15": "victim");
const CLOS_WITH_FURTHER: &str = scenario!("dcqcn15": "victim", "further");

const FAR: [&str; 3] = ["far1", "far2", "far3"];

/// Where the paper shows unfairness, and the same experiment with DCQCN.
const UNFAIR: Origin = at("section 2.2, figure 3");
const FAIR_AGAIN: Origin = at("section 3.2, figure 8");

pub(super) fn unfairness() -> Experiment {
    Experiment::new("dcqcn15/unfairness", "Unfairness under PFC: the parking lot")
        .setup(
            "Four senders in four racks write to one receiver. One of them is in the receiver’s rack; the other three \
            reach that rack over the same port. All links have 40 Gb/s, and the receiver’s link is the bottleneck.",
        )
        .paper_says(
            "Ideally each sender gets a quarter of the link. With PFC alone the switch pauses its inputs alike, however \
            many flows they carry, so the sender in the receiver’s rack gets more than the others: as much as 20 Gb/s if \
            they share one input. Its minimum is above the maximum of the others. With DCQCN all four get the same, with \
            little variance.",
        )
        .assumptions([
            "In the paper ECMP maps the three distant senders to the two ports between the leaves and the receiver’s rack. \
            Here all three use one port, the example in its text; if one of the ports carried two flows and the other one \
            flow, each input of the rack would get a third of the link. Rates in the paper are those of 1000 transfers of \
            4 MB; here flows do not end.",
            PARAMETERS,
            THRESHOLDS,
        ])
        .choices(CHOICES)
        .cases(CONTROLS.map(|control| case(RACKS, control)))
        .seeds(Repeats::LEAST)
        .quick(0.5)
        .panels(unfairness_panels)
        .claims([
            Claim::new(UNFAIR, "near-gets-more", "With PFC alone the sender in the receiver’s rack gets more than each \
                of the others.")
                .measure(Unit::Ratio, Rule::AtLeast(1.5), |seed| advantage(seed.run("pfc")))
                .read_as("Its rate in the second half of the run divided by the largest of the others; at least \
                    1.5."),
            Claim::new(UNFAIR, "near-gets-half", "If the others share one input, it gets 20 Gb/s.")
                .measure(Unit::BitsPerSecond, Rule::about(20e9, 0.1), |seed| seed.run("pfc").mean_rate("near", STEADY))
                .published(20e9)
                .read_as("Its rate with PFC alone; within a tenth."),
            Claim::new(FAIR_AGAIN, "equal-with-dcqcn", "With DCQCN all four senders get the same rate.")
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
            ("far1", "in the other pod, 1"),
            ("far2", "in the other pod, 2"),
            ("far3", "in the receiver’s pod"),
        ];
        panel::flow_rates(first.run(name), (&format!("rates-{name}"), label), &flows)
    });
    let columns: [table::RunColumn<'_>; 6] = [
        ("In the receiver’s rack", Unit::BitsPerSecond, |run| run.mean_rate("near", STEADY)),
        ("In its pod", Unit::BitsPerSecond, |run| run.mean_rate("far3", STEADY)),
        ("Mean in the other pod", Unit::BitsPerSecond, |run| {
            mean(&run.mean_rates(["far1", "far2"], STEADY)?)
        }),
        ("Advantage of the receiver’s rack", Unit::Ratio, advantage),
        ("Link to the rack paused", Unit::Share, |run| paused(run, "leaf3->tor4")),
        ("Utilisation", Unit::Share, |run| run.utilisation("tor4->r", STEADY)),
    ];
    let mut blocks = panel::of_seed(first, figures);
    blocks.push(Block::Table(table::by_case(runs, &CONTROLS, &columns)));
    blocks
}

/// Where the paper shows the victim, and the same experiment with DCQCN.
const VICTIM: Origin = at("section 2.2, figure 4");
const SPARED: Origin = at("section 3.2, figure 9");

/// The victim's fair rate: the capacity of the uplink, minus a quarter of the receiver's link for each of two
/// senders.
const FAIR: f64 = 20e9;

const CLOS_CASES: [(&str, &str); 6] = [
    ("pfc", "PFC alone"),
    ("pfc-1", "PFC alone, one further sender"),
    ("pfc-2", "PFC alone, two further senders"),
    ("dcqcn", "PFC and DCQCN"),
    ("dcqcn-1", "PFC and DCQCN, one further sender"),
    ("dcqcn-2", "PFC and DCQCN, two further senders"),
];

pub(super) fn victim() -> Experiment {
    let cases = CLOS_CASES.map(|(name, label)| {
        let (control, further) = name.split_once('-').unwrap_or((name, "0"));
        let scenario = if further == "0" { CLOS } else { CLOS_WITH_FURTHER };
        let case = case(scenario, (control, label)).renamed(name, label);
        if further == "1" { case.set("flows.3.from=\"x1\"") } else { case }
    });
    Experiment::new("dcqcn15/victim", "A victim of PFC")
        .setup(
            "In a network of racks, leaves and spines, four senders of one rack write to a receiver in another pod. A \
            victim in the senders’ rack sends to a rack of its own pod; it shares only an uplink with two of the four \
            senders. In further cases one or two more senders in the receiver’s pod write to the same receiver.",
        )
        .paper_says(
            "The four senders get 10 Gb/s each, so one might expect the victim to get 20 Gb/s of its uplink. With PFC alone, \
            pauses spread to the senders’ rack and the victim gets only 10 Gb/s, and 4.5 Gb/s with two further senders, \
            although their paths share no link with the victim’s. With DCQCN its rate does not change as senders are \
            added.",
        )
        .assumptions([
            "Rates in the paper are medians of 250 transfers of 250 MB, whose paths ECMP chooses; here flows do not end. Two \
            of the four senders use the victim’s uplink and two use the other, which is the median case in the paper. One \
            further sender uses the leaf on the path of the victim’s neighbours, and the second one the other leaf. The text \
            gives no rates for one further sender or with DCQCN.",
            "Since no frame crosses from one uplink of a rack to the other, the racks of the senders are drawn as two \
            bridges each, which do not share a buffer.",
            PARAMETERS,
            THRESHOLDS,
        ])
        .choices(CHOICES)
        .cases(cases)
        .seeds(Repeats::LEAST)
        .quick(0.5)
        .panels(victim_panels)
        .claims(victim_claims())
        .claims(victim_checks())
}

fn victim_claims() -> [Claim; 5] {
    [
        Claim::new(VICTIM, "victim-hurt", "With PFC alone the victim gets about 10 Gb/s instead of 20 Gb/s.")
            .measure(Unit::BitsPerSecond, Rule::AtMost(0.75 * FAIR), |seed| rate(seed, "pfc"))
            .published(10e9)
            .read_as("Its rate in the second half of the run; at most three quarters of 20 Gb/s."),
        Claim::new(VICTIM, "further-senders-hurt", "Further senders in the receiver’s pod hurt the victim even more.")
            .measure(Unit::Ratio, Rule::AtMost(0.9), |seed| Some(rate(seed, "pfc-2")? / rate(seed, "pfc")?))
            .read_as("The victim’s rate with PFC alone and two further senders divided by that without them; at most \
                0.9."),
        Claim::new(VICTIM, "rate-with-two", "With PFC alone and two further senders the victim gets 4.5 Gb/s.")
            .measure(Unit::BitsPerSecond, Rule::about(4.5e9, 0.1), |seed| rate(seed, "pfc-2"))
            .published(4.5e9)
            .read_as("Its rate in the second half of the run; within a tenth.")
            .cause(
                "every port is divided equally among its inputs, so each neighbour of the victim gets an eighth of the \
                receiver’s link, 5 Gb/s, and the victim, which waits for the same pauses, as much",
            ),
        Claim::new(SPARED, "victim-spared", "DCQCN solves the victim’s problem: it gets the rate that the others leave.")
            .given("with PFC alone the victim loses rate", (Unit::Share, Rule::AtMost(0.9)), |seed| {
                Some(rate(seed, "pfc")? / FAIR)
            })
            .measure(Unit::Share, Rule::AtLeast(0.9), |seed| Some(rate(seed, "dcqcn")? / FAIR))
            .read_as("Its rate with DCQCN divided by 20 Gb/s; at least nine tenths."),
        Claim::new(SPARED, "unchanged-by-further", "With DCQCN further senders do not change the victim’s rate.")
            .measure(Unit::Share, Rule::AtMost(0.1), |seed| {
                farthest(&of_further(seed)?, vec![rate(seed, "dcqcn")?; 2])
            })
            .read_as(
                "Difference between its rates with one or two further senders and without them, divided by the latter, \
                larger value; at most a tenth.",
            )
            .cause(
                "the rate increases: all senders share the receiver’s link equally, so with further senders the two \
                neighbours of the victim get less and leave more of the uplink",
            ),
    ]
}

fn victim_checks() -> [Claim; 2] {
    [
        Claim::new(OURS, "spared-with-further", "With DCQCN further senders do not reduce the victim’s rate.")
            .measure(Unit::Ratio, Rule::AtLeast(0.95), |seed| {
                Some(smallest(&of_further(seed)?)? / rate(seed, "dcqcn")?)
            })
            .read_as("Its smaller rate with one or two further senders divided by that without them; at least 0.95."),
        Claim::new(OURS, "pauses-cease", "With DCQCN the victim’s uplink is hardly ever paused.")
            .given("with PFC alone the victim’s uplink is paused", (Unit::Share, Rule::AtLeast(0.1)), |seed| {
                paused(seed.run("pfc"), "tor1a->leaf1")
            })
            .measure(Unit::Share, Rule::AtMost(0.01), |seed| paused(seed.run("dcqcn"), "tor1a->leaf1"))
            .read_as("Share of the second half of the run during which the uplink is paused; at most one per cent."),
    ]
}

fn rate(seed: &Seed<'_>, case: &str) -> Option<f64> {
    seed.run(case).mean_rate("victim", STEADY)
}

/// The victim's rates with DCQCN and one or two further senders.
fn of_further(seed: &Seed<'_>) -> Option<Vec<f64>> {
    all(["dcqcn-1", "dcqcn-2"].map(|case| rate(seed, case)))
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
