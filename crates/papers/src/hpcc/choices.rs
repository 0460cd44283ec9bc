//! The points that the paper leaves open, and those in which its text and its program differ.

use crate::prelude::*;

/// The definition of a slowdown; this choice does not affect runs.
pub(super) static SLOWDOWN: Choice = Choice {
    name: "slowdown",
    question: "When is a flow complete?",
    text: "The authors’ results page: “a flow's FCT is defined as the time period from when the flow is created to when the \
        last byte is acknowledged at the sender”, and the ideal time is that of “the packets [that] only have basic headers”. \
        Most papers end a flow when its last byte arrives.",
    why: "It is the authors’ definition, and that of their simulator.",
    options: &[
        measure(ACKNOWLEDGED, "completion with the last acknowledgement"),
        measure("delivered", "completion with the last byte delivered"),
    ],
};

/// An option of [`SLOWDOWN`].
pub(super) const ACKNOWLEDGED: &str = "acknowledged";

/// The α timer of DCQCN with T_d = 50 us.
pub(super) static ALPHA_TIMER: Choice = Choice {
    name: "alpha-timer",
    question: "How often does DCQCN update α if its rate-decreasing timer is 50 us?",
    text: "Figure 2 names only the rate-increasing and the rate-decreasing timer (from memory, unverified). The sets of run.py \
        are `dcqcn`, which updates α every 1 us and checks for decreases every 4 us, and `dcqcn_paper`, with 50 us for both.",
    why: "55 and 50 us are the timers of `dcqcn_paper`.",
    options: &[
        reading("50-us", "updates of α every 50 us", &["control.dcqcn.rp.alpha_interval=\"50 us\""]),
        reading("1-us", "updates of α every 1 us", &["control.dcqcn.rp.alpha_interval=\"1 us\""]),
    ],
};

/// HPCC's stages of additive increase.
pub(super) static STAGES: Choice = Choice {
    name: "max-stage",
    question: "How many windows of additive increase precede a change in proportion to the use (maxStage)?",
    text: "The paper gives maxStage = 5 (from memory, unverified), and so does the default of the simulator’s code. Its script \
        sets MI_THRESH 0, and the authors’ results page says: “HPCC's maxStage=0, which is the same as the simulation setting \
        in our paper. The maxStage=5 in the paper is due to a typo for the simulation.”",
    why: "The authors correct the paper.",
    options: &[
        reading("none", "no stages of additive increase", &["control.hpcc.rp.max_stage=0"]),
        reading("five", "five stages of additive increase", &["control.hpcc.rp.max_stage=5"]),
    ],
};

/// HPCC's increment.
pub(super) static INCREMENT: Choice = Choice {
    name: "increment",
    question: "How large is the additive increase at 100 Gb/s?",
    text: "The paper gives W_AI = 80 B (from memory, unverified), which is 49 Mb/s with a round-trip time of 13 us. The README \
        of the simulator sets 50 Mb/s at 100 Gb/s (`--hpai 50`), but the default of run.py is 10 Mb/s per 25 Gb/s.",
    why: "The README’s example has the paper’s topology and speed, and agrees with the window.",
    options: &[
        reading("readme", "R_AI of 50 Mb/s", &["control.hpcc.rp.increase=\"50 Mb/s\""]),
        reading("script", "R_AI of 40 Mb/s", &["control.hpcc.rp.increase=\"40 Mb/s\""]),
    ],
};
