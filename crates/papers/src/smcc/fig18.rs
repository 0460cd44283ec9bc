//! Figure 18: SMCC's queue as background traffic takes a half, three quarters and seven eighths of the link.

use setpoint_report::document::Block;

use super::compared::{LARGER, Place, SMALLER, SWINGS, UNCHANGED, compared};
use super::measure::swing;
use super::{Phase, QUEUE, both_qcns, panel, scenario, taken};
use crate::case::Case;
use crate::claim::Claim;
use crate::experiment::{Experiment, Keep, Repeats};
use crate::rule::Rule;
use crate::runs::Runs;

const SMCC: &str = scenario!("background", "with-smcc");
const QCN: &str = scenario!("background", "with-qcn");

const BEFORE: Phase = (0.5, 2.0);
const AFTER: Phase = (2.5, 4.0);

pub(super) fn experiment() -> Experiment {
    let smcc = |name, label, rate: u32| {
        Case::new(name, label, SMCC).set(format!("flows.2.traffic.constant.rate=\"{rate} Mb/s\""))
    };
    let cases = [
        smcc("500", "SMCC, G = 500 Mb/s", 500),
        smcc("750", "SMCC, G = 750 Mb/s", 750),
        smcc("875", "SMCC, G = 875 Mb/s", 875),
    ];
    Experiment {
        id: "smcc/fig18",
        title: "SMCC’s queue as background traffic grows",
        setup: "Two controlled flows start at the line rate of 1 Gb/s and share a link, with R_a 256 and R_b 64. At 2 s a \
                background flow of the rate G takes 500, 750 or 875 Mb/s of the link. For the comparison with figure 5a: \
                QCN with G = 500 Mb/s.",
        paper_says: "With 500 Mb/s the queue almost keeps as it was, with 750 Mb/s it swings slightly, with 875 Mb/s \
                     heavily: changes of the rate by up to R_a are then larger than what is left of the link. SMCC’s queue \
                     is more stable than QCN’s.",
        assumptions: taken::list(&[
            taken::GAINS,
            taken::REDUCED_QCN,
            taken::SAMPLING,
            taken::NETWORK,
            taken::SWINGS,
        ]),
        cases: cases.into_iter().chain(both_qcns(QCN)).collect(),
        quick: 0.25,
        repeats: Repeats::Seeds(10),
        keep: Keep::Series,
        panels: Box::new(shown),
        claims: claims(),
    }
}

fn claims() -> Vec<Claim> {
    let place = |case, phase| Place { case, queue: QUEUE, phase };
    let around = |case| (place(case, AFTER), place(case, BEFORE));
    vec![
        compared(
            "unchanged-at-500",
            "With 500 Mb/s of background the queue almost keeps as it was.",
            (UNCHANGED, swing),
            around("500"),
        )
        .read_as(SWINGS)
        .cause(
            "before, our queue swings by less than a frame (0.8 kB), where hardware has noise of \
             its own; after, by 2 kB, a thirtieth of the set point, with single peaks of 20 kB. \
             The ratio is large because the queue was so still. It is 3 to 4 with other delays, \
             jitter, sampling of enqueued frames alone and KB of 1024 bytes",
        ),
        compared(
            "slight-at-750",
            "With 750 Mb/s it swings slightly.",
            (Rule::Between(1.1, 3.0), swing),
            around("750"),
        )
        .read_as(
            "Swing after 2.5 s over that before 2 s; slightly is by a tenth at least and to \
            three times at most.",
        )
        .cause(
            "R_a is larger than what is left of the link, and single steps fill or empty the \
             queue: the swing is 17 kB. It is 15 to 25 kB with other delays, jitter and sampling. \
             If R_a is read as \
             the change for the whole buffer of 128 kB it is 8 kB, with two stages 6 kB, still ten \
             times that before",
        ),
        compared(
            "heavy-at-875",
            "With 875 Mb/s it swings heavily.",
            (Rule::AtLeast(3.0), swing),
            around("875"),
        )
        .read_as("Swing after 2.5 s over that before 2 s; heavily is to three times at least."),
        compared(
            "875-beyond-750",
            "The swings with 875 Mb/s are larger than with 750 Mb/s.",
            (LARGER, swing),
            (place("875", AFTER), place("750", AFTER)),
        )
        .read_as(SWINGS),
        compared(
            "steadier-than-qcn",
            "With 500 Mb/s SMCC’s queue is more stable than QCN’s.",
            (SMALLER, swing),
            (place("500", AFTER), place("qcn", AFTER)),
        )
        .read_as(SWINGS),
    ]
}

fn shown(runs: &Runs) -> Vec<Block> {
    let panels = [
        ("500", "G = 500 Mb/s"),
        ("750", "G = 750 Mb/s"),
        ("875", "G = 875 Mb/s"),
        ("qcn", "Beside it: QCN of the paper, G = 500 Mb/s"),
        ("complete", "Beside it: complete QCN, G = 500 Mb/s"),
    ];
    vec![Block::Figures(panel::queues(runs, &panels))]
}
