//! Figure 18: SMCC's queue as background traffic takes half, three quarters and seven eighths of the link.

use super::comparison::{DEVIATIONS as READING, LARGER, Place, SMALLER, UNCHANGED, compared};
use super::{DEVIATIONS, GAINS, NETWORK, QUEUE, REDUCED_QCN, SAMPLING, both_qcns, queue_panels};
use crate::prelude::*;

const SMCC: &str = scenario!("smcc": "background", "with-smcc");
const QCN: &str = scenario!("smcc": "background", "with-qcn");

const BEFORE: Window = START.plus(0.5).until(starts("background"));
const AFTER: Window = starts("background").plus(0.5).until(END);

pub(super) fn experiment() -> Experiment {
    let smcc = |rate: u32| {
        Case::new(rate.to_string(), format!("SMCC, G = {rate} Mb/s"), SMCC)
            .set(format!("flows.2.traffic.constant.rate=\"{rate} Mb/s\""))
    };
    Experiment::new("smcc/fig18", "SMCC’s queue as background traffic grows")
        .setup(
            "Two controlled flows start at the line rate of 1 Gb/s and share a link, with R_a 256 and R_b 64. From 2 s \
            on a background flow with the rate G takes 500, 750 or 875 Mb/s of the link. For comparison with figure \
            5a, QCN is run with G = 500 Mb/s.",
        )
        .paper_says(
            "With 500 Mb/s the queue hardly changes. With 750 Mb/s it oscillates slightly, and with 875 Mb/s heavily, \
            since rate changes of up to R_a then exceed the remaining bandwidth. SMCC’s queue is more stable than \
            QCN’s.",
        )
        .assumptions([GAINS, REDUCED_QCN, SAMPLING, NETWORK, DEVIATIONS])
        .cases([500, 750, 875].map(smcc))
        .cases(both_qcns(QCN))
        .panels(|runs| {
            let cases = [
                ("500", "G = 500 Mb/s"),
                ("750", "G = 750 Mb/s"),
                ("875", "G = 875 Mb/s"),
                ("qcn", "For comparison: QCN of the paper, G = 500 Mb/s"),
                ("complete", "For comparison: complete QCN, G = 500 Mb/s"),
            ];
            vec![Block::Figures(queue_panels(runs, &cases))]
        })
        .claims(claims())
}

fn claims() -> [Claim; 5] {
    let place = |case, window| [Place { case, queue: QUEUE, window }];
    let claim = |name, statement, rule, places| compared(name, statement, (rule, Run::queue_std_dev), places);
    let change = |case| (place(case, AFTER), place(case, BEFORE));
    [
        claim(
            "unchanged-at-500",
            "With 500 Mb/s of background the queue hardly changes.",
            UNCHANGED,
            change("500"),
        )
        .read_as(READING)
        .cause(
            "before the change the standard deviation of our queue is less than a frame (0.8 kB); hardware would add \
            noise to it. After the change it is 2 kB, a thirtieth of the set point, with isolated peaks of \
            20 kB. The ratio is large only because the queue was so steady before. It is 3 to 4 with other \
            delays, jitter, sampling of only enqueued frames, and KB of 1024 bytes",
        ),
        claim("slight-at-750", "With 750 Mb/s it oscillates slightly.", Rule::Between(1.1, 3.0), change("750"))
            .read_as(
                "Deviation after 2.5 s divided by the deviation before 2 s; “slightly” means at least a tenth more and \
                at most three times as much.",
            )
            .cause(
                "R_a exceeds the remaining bandwidth, and individual steps fill or empty the queue, so the \
                deviation is 17 kB. With other delays, jitter and sampling it is 15 to 25 kB. If R_a is read \
                as the change for the whole buffer of 128 kB, it is 8 kB, and 6 kB with two stages. This is \
                still ten times the deviation before the change",
            ),
        claim("heavy-at-875", "With 875 Mb/s it oscillates heavily.", Rule::AtLeast(3.0), change("875"))
            .read_as("Deviation after 2.5 s divided by the deviation before 2 s; “heavily” means at least three times \
                as much."),
        claim(
            "875-beyond-750",
            "The oscillations with 875 Mb/s are larger than with 750 Mb/s.",
            LARGER,
            (place("875", AFTER), place("750", AFTER)),
        )
        .read_as(READING),
        claim(
            "steadier-than-qcn",
            "With 500 Mb/s SMCC’s queue is more stable than QCN’s.",
            SMALLER,
            (place("500", AFTER), place("qcn", AFTER)),
        )
        .read_as(READING),
    ]
}
