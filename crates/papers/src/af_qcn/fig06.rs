//! Figures 6 and 7: four flows over a link that slows down, with a short and with a long round-trip time.

use super::choices::SIMULATED;
use super::headlines::{FAST_SHARE, SLOW_SHARE};
use super::{AS_GOOD, AT_SHARE, BOTH, CONVERGED, FOUR, PORT, QUEUE, both, from_shares, headlines};
use crate::prelude::*;

const SCENARIO: &str = scenario!("af-qcn": "fig06");

/// The phases without their first half second, during which flows converge to their new rates.
const FAST: Window = START.plus(0.5).until(change(1));
const SLOW: Window = change(1).plus(0.5).until(change(2));
const FAST_AGAIN: Window = change(2).plus(0.5).until(END);

/// Figure 6.
pub(super) fn short_lag() -> Experiment {
    Experiment::new("af-qcn/fig06", "Four flows over a link that slows down")
        .setup(
            "Four backlogged flows share one link of a dumbbell with a round-trip time of 50 µs. The link runs at \
            10 Gb/s, drops to 1 Gb/s from 2 to 4 s, and then returns to 10 Gb/s. Rates and the queue are sampled every \
            10 ms, with QCN and with AF-QCN.",
        )
        .paper_says(
            "With AF-QCN every flow gets its equal share at 10 Gb/s and at 1 Gb/s, and the queue is as stable as with \
            QCN. QCN is fair only on a coarse time scale. According to the abstract and the conclusion, AF-QCN converges \
            to fairness faster than QCN and retains QCN’s responsiveness.",
        )
        .assumptions([
            "The service rate is the rate of the bridge’s output port at the bottleneck.",
            "A flow’s rate is its delivery rate in intervals of 10 ms. The first half second after each change is not \
            judged.",
        ])
        .choices(SIMULATED)
        .cases(both(SCENARIO))
        .quick(0.2)
        .panels(panels)
        .claims(claims(at("section IV-B, figure 6"), at("section I, figure 6")))
        .claims(headlines::claims())
}

/// Figure 7.
pub(super) fn long_lag() -> Experiment {
    let mut experiment = short_lag();
    experiment.id = "af-qcn/fig07";
    experiment.title = "Four flows over a link that slows down, with a long round-trip time";
    experiment.setup =
        "As in figure 6, but with a round-trip time of 400 µs, which is very long for a data centre.";
    experiment.paper_says = "Stability and fairness are maintained with the longer round-trip time: with AF-QCN every \
        flow gets its share, and the queue is as stable as with QCN.";
    experiment.claims = claims(at("section IV-B, figure 7"), OURS).into();
    for case in &mut experiment.cases {
        case.settings.push("topology.dumbbell.rtt=400us".to_owned());
    }
    experiment
}

/// The paper aims at a stable queue in order to avoid "underflows causing link underutilization" (section I).
const BUSY: (&str, (Unit, Rule)) =
    ("with QCN the queue is stable enough to keep the link busy", (Unit::Share, Rule::AtLeast(0.95)));

/// The claims of a figure; the origin of the statements about QCN is given separately.
fn claims(figure: Origin, qcn: Origin) -> [Claim; 6] {
    const EQUAL: &str = "Mean rates, starting 0.5 s after the change, within 10 % of the share; the largest deviation \
        counts. A single run can be far off even if the claim holds; the table names the run that deviates most.";
    const STABLE: &str = "The standard deviation of AF-QCN’s queue divided by that of QCN’s; “as stable” means at most \
        a quarter larger, in an equivalence test. A more stable queue also satisfies the rule.";
    const FAIR: &str = "The root-mean-square deviation of QCN’s samples from the fair share divided by that of \
        AF-QCN’s; “less fair” means by a factor of at least 1.5.";
    [
        Claim::new(figure, "af-qcn-equal-at-10g", "With AF-QCN every flow gets its equal share of 10 Gb/s.")
            .measure(Unit::Share, Rule::AtMost(AT_SHARE), |seed| {
                most([FAST, FAST_AGAIN].map(|phase| apart(seed.run("af-qcn"), FAST_SHARE, phase)))
            })
            .read_as(EQUAL),
        Claim::new(figure, "af-qcn-equal-at-1g", "With AF-QCN every flow gets its equal share of 1 Gb/s.")
            .measure(Unit::Share, Rule::AtMost(AT_SHARE), |seed| apart(seed.run("af-qcn"), SLOW_SHARE, SLOW))
            .read_as(EQUAL),
        Claim::new(figure, "queue-as-stable-at-10g", "At 10 Gb/s AF-QCN’s queue is as stable as QCN’s.")
            .measure(Unit::Ratio, AS_GOOD, |seed| {
                most([FAST, FAST_AGAIN].map(|phase| deviation_ratio(seed, phase)))
            })
            .given(BUSY.0, BUSY.1, |seed| {
                least([FAST, FAST_AGAIN].map(|phase| seed.run("qcn").utilisation(PORT, phase)))
            })
            .read_as(STABLE),
        Claim::new(figure, "queue-as-stable-at-1g", "At 1 Gb/s AF-QCN’s queue is as stable as QCN’s.")
            .measure(Unit::Ratio, AS_GOOD, |seed| deviation_ratio(seed, SLOW))
            .given(BUSY.0, BUSY.1, |seed| seed.run("qcn").utilisation(PORT, SLOW))
            .read_as(STABLE)
            .cause(
                "at 1 Gb/s AF-QCN’s queue varies more than QCN’s. There are few oscillations in a phase, so the ratio \
                differs widely between seeds",
            ),
        Claim::new(qcn, "qcn-less-fair-at-10g", "At 10 Gb/s QCN is less fair.")
            .measure(Unit::Ratio, Rule::AtLeast(1.5), |seed| unfairness_ratio(seed, FAST_SHARE, FAST))
            .read_as(FAIR)
            .cause(
                "QCN is fairer with the long round-trip time than with the short one, so AF-QCN’s advantage is smaller",
            ),
        Claim::new(qcn, "qcn-less-fair-at-1g", "At 1 Gb/s QCN is less fair.")
            .measure(Unit::Ratio, Rule::AtLeast(1.5), |seed| unfairness_ratio(seed, SLOW_SHARE, SLOW))
            .read_as(FAIR),
    ]
    .map(|claim| claim.needs(CONVERGED))
}

/// The largest relative deviation of a flow from the share.
fn apart(run: &Run, share: f64, window: Window) -> Option<f64> {
    from_shares(run, &FOUR.map(|(flow, _)| (flow, share)), window)
}

/// The standard deviation of AF-QCN's queue divided by QCN's.
fn deviation_ratio(seed: &Seed<'_>, window: Window) -> Option<f64> {
    let deviation = |case: &str| seed.run(case).queue_std_dev(QUEUE, window);
    Some(deviation("af-qcn")? / deviation("qcn")?)
}

fn unfairness_ratio(seed: &Seed<'_>, share: f64, window: Window) -> Option<f64> {
    let of = |case: &str| unfairness(seed.run(case), share, window);
    Some(of("qcn")? / of("af-qcn")?)
}

/// The root-mean-square relative deviation of all flows' samples from the share.
fn unfairness(run: &Run, share: f64, window: Window) -> Option<f64> {
    let mut squares = Vec::new();
    for (flow, _) in FOUR {
        let samples = run.over(run.rates(flow)?, window)?;
        squares.extend(samples.iter().map(|rate| (rate / share - 1.0) * (rate / share - 1.0)));
    }
    mean(&squares).map(f64::sqrt)
}

/// The relative deviation of the flow that deviates most from its share: over seeds, and in the run with the largest
/// deviation, which a mean would hide.
fn farthest_flows(runs: &Runs) -> Table {
    type Deviation = fn(&Run) -> Option<f64>;
    let at: [(&str, Deviation); 2] = [
        ("Farthest flow at 10 Gb/s", |run| {
            most([FAST, FAST_AGAIN].map(|phase| apart(run, FAST_SHARE, phase)))
        }),
        ("Farthest flow at 1 Gb/s", |run| apart(run, SLOW_SHARE, SLOW)),
    ];
    let headings = at.iter().flat_map(|(heading, _)| [*heading, "in the run that deviates most"]);
    let mut table = table::with_headings("", headings);
    for (case, label) in BOTH {
        let cells = at.iter().flat_map(|(_, deviation)| {
            let runs: Vec<(f64, u64)> =
                runs.seeds().filter_map(|seed| Some((deviation(seed.run(case))?, seed.number()))).collect();
            let values: Vec<f64> = runs.iter().map(|(value, _)| *value).collect();
            let worst = runs.iter().max_by(|one, other| one.0.total_cmp(&other.0));
            let worst = worst.map_or_else(
                || table::value_cell(Unit::Share, None),
                |(value, seed)| table::value_cell(Unit::Share, Some(*value)).note(format!("seed {seed}")),
            );
            [table::cell(Unit::Share, &values), worst]
        });
        table.row([Cell::words(label)].into_iter().chain(cells));
    }
    table
}

/// As in the paper: rates on the left, the queue on the right, QCN above AF-QCN.
fn panels(runs: &Runs) -> Vec<Block> {
    let first = runs.first();
    let row = |(case, label): (&str, &str)| {
        let run = first.run(case);
        let queue = ("queue", run.queue(QUEUE).unwrap_or_default().to_vec());
        let y = Axis::from_zero("Queue", Unit::Bytes, largest(&queue.1).unwrap_or_default());
        [
            panel::flow_rates(run, (&format!("rates-{case}"), &format!("Rates with {label}")), &FOUR),
            panel::over_time(run, (&format!("queue-{case}"), &format!("Queue with {label}")), y, &[queue]),
        ]
    };
    let mut blocks = panel::of_seed(first, BOTH.into_iter().flat_map(row));
    blocks.extend([farthest_flows(runs), headlines::table(runs)].map(Block::Table));
    blocks
}
