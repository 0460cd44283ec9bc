//! Points that the paper leaves open.

use crate::prelude::*;

/// Rounding of equation (4).
pub(super) static ROUNDING: Choice = Choice {
    name: "rounding",
    question: "Is the sum of equation (4) rounded to a whole number?",
    text: "Section III-A defines F_b “as the weighted sum” (4), without brackets, and F_b-AF by (7), with the brackets \
        of a floor. “F_b computed by (4) is a 6 bit number which will be fed back if positive.”",
    why: "The paper writes brackets where it rounds, and (4) has none. Unrounded, 7/8 of a QCN feedback of 1 is \
        positive and is fed back; we take “6 bit number” as the range from 0 to 63.",
    options: &[
        Reading {
            name: "none",
            words: "the sum of (4) unrounded",
            settings: &["control.af-qcn.cp.rounding=none"],
        },
        Reading {
            name: "up",
            words: "the sum of (4) rounded up",
            settings: &["control.af-qcn.cp.rounding=up"],
        },
        Reading {
            name: "down",
            words: "the sum of (4) rounded down",
            settings: &["control.af-qcn.cp.rounding=down"],
        },
    ],
};

/// The sign of QCN's part of equation (4).
pub(super) static BELOW_SET_POINT: Choice = Choice {
    name: "below-set-point",
    question: "What is QCN’s part of equation (4) when QCN alone would send nothing?",
    text: "Section III-A: “F_b-QCN is the original QCN congestion measure given by (1)”, which is negative while the \
        queue is short; but also “F_b-QCN is also a 6 bit number”.",
    why: "The definition that follows (4) refers to (1), which has a sign. The 6 bits come up later, in a remark on the \
        size of the result.",
    options: &[
        Reading {
            name: "signed",
            words: "QCN’s part of (4) signed",
            settings: &["control.af-qcn.cp.uncongested=signed"],
        },
        Reading {
            name: "zero",
            words: "QCN’s part of (4) never negative",
            settings: &["control.af-qcn.cp.uncongested=zero"],
        },
    ],
};

/// The set point of the simulated switches.
pub(super) static SET_POINT: Choice = Choice {
    name: "set-point",
    question: "What is the set point Q_eq in the simulations?",
    text: "Section IV-A: “The default QCN configuration [12] is used with 150KB switch buffers.” It gives no value; \
        [12] is the web page of IEEE 802.1Qau.",
    why: "26 kB is the default of the standard that the paper cites (32.8.3). The simulations of its task group used \
        33 kB, 22 frames of 1500 bytes.",
    options: &[
        Reading {
            name: "26-kb",
            words: "a set point of 26 kB",
            settings: &["control.qcn.cp.set_point=26 kB", "control.af-qcn.cp.set_point=26 kB"],
        },
        Reading {
            name: "33-kb",
            words: "a set point of 33 kB",
            settings: &["control.qcn.cp.set_point=33 kB", "control.af-qcn.cp.set_point=33 kB"],
        },
    ],
};

/// The threshold for active flows in the hardware.
pub(super) static THRESHOLD: Choice = Choice {
    name: "threshold",
    question: "From which amount of traffic per interval is a flow active at 1 Gb/s?",
    text: "Section IV-C uses “the same AF-QCN parameters as mentioned previously”. Section III-B: “active_thresh = \
        20KB”; it “should be chosen with regard to the sizes we expect for the mice”.",
    why: "20 kB in T_s = 1 ms are 160 Mb/s. With weights 1:2:3:4 the share of the first flow is 95 Mb/s, so with 20 kB \
        the flow would not be active at its share, would not be slowed down by the AF controller (remark 3) and could \
        rise to 160 Mb/s, which contradicts figure 13. A tenth of the threshold at a tenth of the link rate keeps all \
        flows active.",
    options: &[
        Reading {
            name: "scaled",
            words: "a threshold of 2 kB for active flows",
            settings: &["control.af-qcn.cp.active_threshold=2 kB"],
        },
        Reading {
            name: "literal",
            words: "a threshold of 20 kB for active flows",
            settings: &["control.af-qcn.cp.active_threshold=20 kB"],
        },
    ],
};

/// The choices of the simulations with AF-QCN.
pub(super) static SIMULATED: [&Choice; 3] = [&ROUNDING, &BELOW_SET_POINT, &SET_POINT];
