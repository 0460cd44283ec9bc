//! Figure 23: many-to-one traffic, with permanent flows and with flows of mixed sizes.

use super::comparison::SMALLER;
use super::{ARRIVING, BUFFER, GAINS, NETWORK, REDUCED_QCN, TARGET, both_qcns, complete, response_time};
use crate::prelude::*;

const LONG_SMCC: &str = scenario!("smcc": "racks-long", "with-smcc");
const LONG_QCN: &str = scenario!("smcc": "racks-long", "with-qcn");
const MIXED_SMCC: &str = scenario!("smcc": "racks-mixed", "with-smcc");
const MIXED_QCN: &str = scenario!("smcc": "racks-mixed", "with-qcn");

/// The port to the receiver, and its queue.
const PORT: &str = "tor1->h1";
const QUEUE: &str = "tor1->h1/3";

/// The time after permanent flows have settled.
const SETTLED: Window = START.plus(2.0).until(END);

pub(super) fn experiment() -> Experiment {
    let smcc = |name, label, scenario| Case::new(name, label, scenario).set("control.smcc.rp.two_stage=on");
    Experiment::new("smcc/fig23", "Many-to-one traffic, with permanent flows and with flows that end")
        .setup(
            "A fabric switch connects four racks of four end stations each, which have 1 Gb/s links. Fifteen end \
            stations start sending to the first one at the same time, each at the line rate of 1 Gb/s; the bottleneck \
            is the rack switch’s port to the receiver. In one set of runs the flows never end; in another their sizes \
            are spread evenly from 10 kb to 500 Mb. SMCC uses the recommended two stages (8 kB; 256, 128 and 64 Mb/s).",
        )
        .paper_says(
            "With permanent flows, both algorithms hold the queue at its set point, and with SMCC it reaches \
            the set point sooner. When flows end, QCN is slow to use the bandwidth that becomes free: its \
            queue is empty, and its link idle, for longer than SMCC’s.",
        )
        .assumptions(ASSUMPTIONS)
        .cases(both_qcns(LONG_QCN))
        .cases([
            smcc("smcc", "SMCC", LONG_SMCC),
            Case::new("mixed-qcn", "the paper’s QCN, mixed sizes", MIXED_QCN),
            complete("mixed-complete", MIXED_QCN),
            smcc("mixed-smcc", "SMCC, mixed sizes", MIXED_SMCC),
        ])
        .quick(0.5)
        .panels(panels)
        .claims(of_permanent_flows())
        .claims(of_mixed_sizes())
}

const ASSUMPTIONS: [&str; 9] = [
    "We read “evenly distribute between [10 kb, 500 Mb]” as one flow per sender, with sizes in equal steps from 10 kb \
    to 500 Mb. We take the lower-case b to mean bits. All flows together occupy the link for 3.75 s. Dropped frames \
    are not retransmitted.",
    "The links between the racks and the fabric run at 40 Gb/s, so no frames queue there; the paper’s large buffers \
    have the same effect. The paper does not give the length of the runs; we assume six seconds. The paper counts 16 \
    senders; there are 15 besides the receiver.",
    "QCN uses its standard cycle of 150 kB (section 5.2).",
    REDUCED_QCN,
    GAINS,
    "One frame is sampled per 100 kB of arriving traffic, and QCN’s feedback is finely quantised, as in the hardware; \
    the paper specifies neither for the simulation.",
    ARRIVING,
    NETWORK,
    "The response time ends when the queue comes within 50 % of its set point and stays there for 100 ms.",
];

fn panels(runs: &Runs) -> Vec<Block> {
    let cases = [
        ("qcn", "Permanent flows: the paper’s QCN"),
        ("smcc", "Permanent flows: SMCC"),
        ("mixed-qcn", "Mixed sizes: the paper’s QCN"),
        ("mixed-smcc", "Mixed sizes: SMCC"),
        ("complete", "For comparison: complete QCN, permanent flows"),
        ("mixed-complete", "For comparison: complete QCN, mixed sizes"),
    ];
    vec![Block::Figures(panel::queues_by_case(runs, &cases, BUFFER, &[(QUEUE, "queue")]))]
}

const FIGURE: Origin = at("section 5.5, figure 23");

fn of_permanent_flows() -> [Claim; 3] {
    let holds = |name, statement, case: &'static str| {
        Claim::new(FIGURE, name, statement)
            .measure(Unit::Bytes, Rule::about(TARGET, 0.25), |seed| seed.run(case).mean_queue(QUEUE, SETTLED))
            .read_as("Mean queue after the first two seconds, within a quarter of the set point.")
    };
    [
        holds("qcn-holds", "With permanent flows, QCN holds the queue at its set point.", "qcn"),
        holds("smcc-holds", "With permanent flows, SMCC holds the queue at its set point.", "smcc"),
        ratio(
            "smcc-sooner",
            "With SMCC the queue reaches its set point sooner than with QCN.",
            |run| response_time(run, QUEUE),
            ("smcc", "qcn"),
        )
        .read_as("Ratio of the response times; “sooner” means by at least a tenth."),
    ]
}

fn of_mixed_sizes() -> [Claim; 2] {
    const MIXED: (&str, &str) = ("mixed-smcc", "mixed-qcn");
    [
        ratio(
            "smcc-empty-for-less",
            "When flows end, SMCC’s queue is empty for less time than QCN’s.",
            empty_time,
            MIXED,
        )
        .read_as(
            "Ratio of the times during which the queue is empty, until the last frame is delivered; “less” means by at \
            least a tenth.",
        )
        .given("QCN’s queue is empty at times", (Unit::Seconds, Rule::AtLeast(0.01)), |seed| {
            empty_time(seed.run(MIXED.1))
        }),
        ratio(
            "smcc-idle-for-less",
            "When flows end, SMCC’s link is idle for less time than QCN’s.",
            idle_time,
            MIXED,
        )
        .read_as(
            "Ratio of the times during which the link is idle, until the last frame is delivered; “less” means by at \
            least a tenth.",
        )
        .given("QCN’s link is idle at times", (Unit::Seconds, Rule::AtLeast(0.01)), |seed| {
            idle_time(seed.run(MIXED.1))
        }),
    ]
}

/// A claim that a figure is smaller with SMCC than with QCN.
fn ratio(
    name: &str,
    statement: &str,
    measure: fn(&Run) -> Option<f64>,
    (smcc, qcn): (&'static str, &'static str),
) -> Claim {
    Claim::new(FIGURE, name, statement)
        .measure(Unit::Ratio, SMALLER, move |seed| Some(measure(seed.run(smcc))? / measure(seed.run(qcn))?))
}

/// The time during which the queue is empty, until the last frame of all flows is delivered.
fn empty_time(run: &Run) -> Option<f64> {
    let lengths = run.queue(QUEUE)?.get(..sending(run))?;
    Some(lengths.iter().filter(|length| **length <= 0.0).count() as f64 * run.interval()?)
}

/// The time during which the link is idle, until the last frame of all flows is delivered.
fn idle_time(run: &Run) -> Option<f64> {
    let shares = run.port_series(PORT)?.utilisation_share.get(..sending(run))?;
    Some(shares.iter().map(|share| 1.0 - share).sum::<f64>() * run.interval()?)
}

/// The number of samples up to the last one in which a flow delivers frames.
fn sending(run: &Run) -> usize {
    let last = |rates: &[f64]| rates.iter().rposition(|rate| *rate > 0.0).map_or(0, |place| place + 1);
    run.series.flows.iter().map(|flow| last(&flow.rate_bps)).max().unwrap_or(0)
}
