//! Points that the paper leaves open.

use crate::prelude::*;

/// Rounding in equation (4).
pub(super) static ROUNDING: Choice = Choice {
    name: "rounding",
    question: "Is the sum in equation (4) rounded to a whole number?",
    text: "Section III-A defines F_b “as the weighted sum” (4), without brackets, and F_b-AF by (7), with floor \
        brackets. “F_b computed by (4) is a 6 bit number which will be fed back if positive.”",
    why: "The paper writes brackets where it rounds, and (4) has none. Unrounded, 7/8 of a QCN feedback of 1 is \
        positive and is fed back; we take “6 bit number” to mean the range from 0 to 63.",
    options: &[
        reading("none", "an unrounded sum in (4)", &["control.af-qcn.cp.rounding=none"]),
        reading("up", "the sum in (4) rounded up", &["control.af-qcn.cp.rounding=up"]),
        reading("down", "the sum in (4) rounded down", &["control.af-qcn.cp.rounding=down"]),
    ],
};

/// The sign of QCN's term in equation (4).
pub(super) static BELOW_SET_POINT: Choice = Choice {
    name: "below-set-point",
    question: "What is QCN’s term in equation (4) when QCN alone would send no feedback?",
    text: "Section III-A: “F_b-QCN is the original QCN congestion measure given by (1)”, which is negative while the \
        queue is short. But the section also says “F_b-QCN is also a 6 bit number”.",
    why: "The definition that follows (4) refers to (1), which is signed. The 6 bits appear later, in a remark on the \
        size of the result.",
    options: &[
        reading("signed", "a signed QCN term in (4)", &["control.af-qcn.cp.uncongested=signed"]),
        reading("zero", "a QCN term in (4) that is never negative", &["control.af-qcn.cp.uncongested=zero"]),
    ],
};

/// The set point of the simulated switches.
pub(super) static SET_POINT: Choice = Choice {
    name: "set-point",
    question: "What is the set point Q_eq in the simulations?",
    text: "Section IV-A: “The default QCN configuration [12] is used with 150KB switch buffers.” The section gives no \
        value; [12] is the web page of IEEE 802.1Qau.",
    why: "26 kB is the default of the standard that the paper cites (32.8.3). Its task group used 33 kB, or 22 frames \
        of 1500 bytes, in simulations.",
    options: &[
        reading(
            "26-kb",
            "a set point of 26 kB",
            &["control.qcn.cp.set_point=26 kB", "control.af-qcn.cp.set_point=26 kB"],
        ),
        reading(
            "33-kb",
            "a set point of 33 kB",
            &["control.qcn.cp.set_point=33 kB", "control.af-qcn.cp.set_point=33 kB"],
        ),
    ],
};

/// The threshold for active flows in the hardware.
pub(super) static THRESHOLD: Choice = Choice {
    name: "threshold",
    question: "How much traffic per interval makes a flow active at 1 Gb/s?",
    text: "Section IV-C uses “the same AF-QCN parameters as mentioned previously”. Section III-B: “active_thresh = \
        20KB”; it “should be chosen with regard to the sizes we expect for the mice”.",
    why: "20 kB in T_s = 1 ms is 160 Mb/s. With weights 1:2:3:4 the share of the first flow is 95 Mb/s, so with 20 kB \
        the flow would not be active at its share, would not be slowed down by the AF controller (remark 3) and could \
        rise to 160 Mb/s, which contradicts figure 13. A tenth of the threshold at a tenth of the link rate keeps all \
        flows active.",
    options: &[
        reading(
            "scaled",
            "a threshold of 2 kB for active flows",
            &["control.af-qcn.cp.active_threshold=2 kB"],
        ),
        reading(
            "literal",
            "a threshold of 20 kB for active flows",
            &["control.af-qcn.cp.active_threshold=20 kB"],
        ),
    ],
};

/// The choices that apply to the simulations with AF-QCN.
pub(super) static SIMULATED: [&Choice; 3] = [&ROUNDING, &BELOW_SET_POINT, &SET_POINT];
