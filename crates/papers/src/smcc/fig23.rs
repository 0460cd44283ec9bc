//! Figure 23: many to one, with flows that last and flows of all sizes.

use setpoint_report::document::Block;
use setpoint_report::quantity::Unit;

use super::compared::SMALLER;
use super::measure::{empty_time, idle_time, level, response};
use super::{Phase, TARGET, both_qcns, complete, panel, scenario, taken};
use crate::case::Case;
use crate::claim::Claim;
use crate::experiment::{Experiment, Keep, Repeats};
use crate::rule::Rule;
use crate::runs::{Runs, Seed};

const LONG_SMCC: &str = scenario!("racks-long", "with-smcc");
const LONG_QCN: &str = scenario!("racks-long", "with-qcn");
const MIXED_SMCC: &str = scenario!("racks-mixed", "with-smcc");
const MIXED_QCN: &str = scenario!("racks-mixed", "with-qcn");

/// The port of the receiver, and its queue.
const PORT: &str = "tor1->h1";
const QUEUE: &str = "tor1->h1/3";

/// When flows that last have settled.
const SETTLED: Phase = (2.0, 6.0);

pub(super) fn experiment() -> Experiment {
    Experiment {
        id: "smcc/fig23",
        title: "Many to one, with flows that last and flows that end",
        setup: "Four racks of four computers, with links of 1 Gb/s, around one fabric switch. Fifteen computers start to send to \
                the first one at once, each at the line rate of 1 Gb/s; the bottleneck is the port of the receiver’s rack \
                switch. At first the flows do not end; then their sizes are spread evenly from 10 kb to 500 Mb. SMCC has \
                the recommended two stages (8 kB; 256, 128 and 64 Mb/s).",
        paper_says: "Both hold the queue of flows that last at its set point, and SMCC brings it there sooner. When flows end, \
                     QCN is slow to use what becomes free: its queue is empty, and the link idle, for longer than SMCC’s.",
        assumptions: taken::list(&[
            "“Evenly distribute between [10 kb, 500 Mb]” is read as one flow per sender, of sizes in equal steps from 10 kb to \
             500 Mb (bits, as the small b says): 3.75 s of the link in all. What is dropped is not sent again.",
            "The links between rack and fabric have 40 Gb/s, so that nothing waits there; the paper’s large buffers do the \
             same. How long the runs are is not said: six seconds are taken. The paper counts 16 senders; there are 15 \
             besides the receiver.",
            "QCN has its standard cycle of 150 kB.",
            taken::REDUCED_QCN,
            taken::GAINS,
            taken::SAMPLING,
            taken::NETWORK,
            "The time of response ends where the queue comes to within half of its set point to either side and stays there \
             for 100 ms.",
        ]),
        cases: cases(),
        quick: 0.5,
        repeats: Repeats::Seeds(10),
        keep: Keep::Series,
        panels: Box::new(shown),
        claims: claims(),
    }
}

fn cases() -> Vec<Case> {
    let smcc = |name, label, scenario| Case::new(name, label, scenario).set("control.smcc.rp.two_stage=on");
    let mut cases: Vec<Case> = both_qcns(LONG_QCN).into();
    cases.extend([
        smcc("smcc", "SMCC", LONG_SMCC),
        Case::new("mixed-qcn", "QCN of the paper, sizes mixed", MIXED_QCN),
        complete("mixed-complete", MIXED_QCN),
        smcc("mixed-smcc", "SMCC, sizes mixed", MIXED_SMCC),
    ]);
    cases
}

fn claims() -> Vec<Claim> {
    vec![
        holds("qcn-holds", "QCN holds the queue of flows that last at its set point.", "qcn"),
        holds("smcc-holds", "SMCC holds the queue of flows that last at its set point.", "smcc"),
        Claim::measured(
            "smcc-sooner",
            "SMCC brings the queue to its set point sooner than QCN.",
            (Unit::Ratio, SMALLER),
            |seed| Some(response(seed.run("smcc"), QUEUE)? / response(seed.run("qcn"), QUEUE)?),
        )
        .read_as("Ratio of the times of response; sooner is by a tenth at least."),
        Claim::measured(
            "smcc-empty-for-less",
            "When flows end, SMCC’s queue is empty for less time than QCN’s.",
            (Unit::Ratio, SMALLER),
            |seed| {
                Some(empty_time(seed.run("mixed-smcc"), QUEUE)? / empty_time(seed.run("mixed-qcn"), QUEUE)?)
            },
        )
        .read_as(
            "Ratio of the times with an empty queue until the last frame is there; less is \
            by a tenth at least.",
        ),
        Claim::measured(
            "smcc-idle-for-less",
            "When flows end, SMCC’s link is idle for less time than QCN’s.",
            (Unit::Ratio, SMALLER),
            |seed| Some(idle_time(seed.run("mixed-smcc"), PORT)? / idle_time(seed.run("mixed-qcn"), PORT)?),
        )
        .read_as(
            "Ratio of the idle times of the link until the last frame is there; less is by \
            a tenth at least.",
        ),
    ]
}

fn holds(name: &'static str, statement: &'static str, case: &'static str) -> Claim {
    let measure = move |seed: &Seed<'_>| level(seed.run(case), QUEUE, SETTLED);
    Claim::measured(name, statement, (Unit::Bytes, Rule::about(TARGET, 0.25)), measure)
        .read_as("Mean of the queue from 2 to 6 s, within a quarter of the set point.")
}

fn shown(runs: &Runs) -> Vec<Block> {
    let panels = [
        ("qcn", "Flows that last: QCN of the paper"),
        ("smcc", "Flows that last: SMCC"),
        ("mixed-qcn", "Sizes mixed: QCN of the paper"),
        ("mixed-smcc", "Sizes mixed: SMCC"),
        ("complete", "Beside it: complete QCN, flows that last"),
        ("mixed-complete", "Beside it: complete QCN, sizes mixed"),
    ];
    vec![Block::Figures(panel::of_queues(runs, &panels, &[(QUEUE, "queue")]))]
}
