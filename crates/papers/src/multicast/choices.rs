//! The points that the paper leaves open.

use crate::prelude::*;

/// The choices that change the runs of multicast sources.
pub(super) const MULTICAST: [&Choice; 5] = [&SAMPLING, &FEEDBACK_UNIT, &TARGET, &IN_RECOVERY, &RUN_LENGTH];
/// The choices that change the runs of either kind of delivery.
pub(super) const BOTH: [&Choice; 6] =
    [&SAMPLING, &FEEDBACK_UNIT, &TARGET, &IN_RECOVERY, &LIMITERS, &RUN_LENGTH];
/// The choices for the network with several bottlenecks. Its runs take longer than all others, and the target is
/// not varied there.
pub(super) const SEVERAL_BOTTLENECKS: [&Choice; 5] =
    [&SAMPLING, &FEEDBACK_UNIT, &IN_RECOVERY, &LIMITERS, &RUN_LENGTH];

static SAMPLING: Choice = Choice {
    name: "sampling",
    question: "Which frames does a congestion point sample?",
    text: "The paper does not say. Its section 2 presents QCN “according to [10]”, which is the standard. “When Fb is \
        negative … A feedback frame is then sent to the triggered frame source” (section 2.2).",
    why: "The paper evaluates “legacy QCN” as in the standard, and the standard takes its sampling intervals from a \
        table.",
    options: &[
        Reading {
            name: "table",
            words: "the standard’s sampling",
            settings: &["control.qcn.cp.sampling=table"],
        },
        Reading {
            name: "every-frame",
            words: "every frame sampled",
            settings: &["control.qcn.cp.sampling=every-frame"],
        },
    ],
};

static FEEDBACK_UNIT: Choice = Choice {
    name: "feedback-unit",
    question: "In what unit is the feedback Fb expressed?",
    text: "Fb = −(Qoff + w × Qdelta). “The Fb value is quantized to 6 bits [10]. Thus the maximum Fb value … is \
        equal to 63” (section 2.1). All queue lengths in the paper are in frames.",
    why: "With lengths in frames and a maximum of 63, no division is needed, and the paper describes none. On the \
        other hand, “quantized … [10]” points to the standard, which divides Qeq(2w + 1) into 63 steps.",
    options: &[
        Reading {
            name: "frames",
            words: "feedback in frames",
            settings: &["control.qcn.cp.quantizer=units", "control.qcn.cp.feedback_unit=\"1500 B\""],
        },
        Reading {
            name: "set-point",
            words: "feedback in steps proportional to Qeq",
            settings: &["control.qcn.cp.quantizer=standard"],
        },
    ],
};

static TARGET: Choice = Choice {
    name: "target",
    question: "Is the target rate TR the rate before a decrease, or the rate after it?",
    text: "“TR is the sending rate of the RP just before receiving a feedback frame” (section 2), and the aim of fast \
        recovery is “to rapidly recover the data rate lost during the last rate decrease episode” (section 2.3.1). But \
        equation (2), which decreases CR, is printed before equation (3), TR = CR.",
    why: "The sentence in section 2 defines TR. Applied after equation (2), equation (3) would leave nothing to \
        recover.",
    options: &[
        Reading {
            name: "before-cut",
            words: "the target rate before the decrease",
            settings: &["control.qcn.rp.target=before-cut"],
        },
        Reading {
            name: "after-cut",
            words: "the target rate after the decrease",
            settings: &["control.qcn.rp.target=after-cut"],
        },
    ],
};

static IN_RECOVERY: Choice = Choice {
    name: "in-recovery",
    question: "Does a source obey a notification that arrives during fast recovery (FR)?",
    text: "“The RP decreases its rate when a feedback frame is received”, but also “Each time the RP is in the AI or \
        the HAI cycles and a feedback frame is received, it … performs a multiplicative decrease … and goes to the FR \
        phase” (section 2.3). “At the end of the 5 cycles in the FR phase, if no feedback is received, … it enters the \
        AI phase” (section 2.3.2). Figure 1 shows the workflow, but is missing from our copy.",
    why: "The first sentence makes no exception, and the condition in section 2.3.2 would be meaningless if sources \
        ignored feedback in fast recovery. The second sentence describes how a source enters fast recovery.",
    options: &[
        Reading {
            name: "obeyed",
            words: "notifications obeyed in fast recovery",
            settings: &["control.qcn.rp.recovery_feedback=on"],
        },
        Reading {
            name: "ignored",
            words: "notifications ignored in fast recovery",
            settings: &["control.qcn.rp.recovery_feedback=off"],
        },
    ],
};

/// Matters only for sources with several flows.
pub(super) static LIMITERS: Choice = Choice {
    name: "limiters",
    question: "With multiple unicast, does a source have one rate limiter, or one for each flow?",
    text: "“Each session source … implements a QCN reaction point module at the Ethernet interface” (section 3.1), and \
        CR_mean is “1 Gbit/s ÷ 6” (section 3.4). But multicast is viewed as “N independent unicast sessions, with an \
        adjusted rate of each of these unicast sessions” (section 3).",
    why: "A source has one interface, and CR_mean divides the link among six sources, not among twelve flows.",
    options: &[
        Reading {
            name: PER_SOURCE,
            words: "a limiter per source",
            settings: &["control.qcn.limiters_per_station=1"],
        },
        Reading {
            name: "per-flow",
            words: "a limiter per flow",
            settings: &["control.qcn.limiters_per_station=2"],
        },
    ],
};
pub(super) const PER_SOURCE: &str = "per-source";

static RUN_LENGTH: Choice = Choice {
    name: "run-length",
    question: "How long is a run?",
    text: "The paper does not say. The last source starts at 5 s (section 3), and CR “converges to a value” (section \
        3.4).",
    why: "A rate can only be said to converge if the run lasts much longer than the 5 s over which the sources start.",
    options: &[
        Reading { name: "30s", words: "runs of 30 s", settings: &["duration=\"30 s\""] },
        Reading { name: "10s", words: "runs of 10 s", settings: &["duration=\"10 s\""] },
    ],
};

/// Changes only what is measured.
pub(super) static RATE_MEASURED: Choice = Choice {
    name: "rate-measured",
    question: "From which rate are the standard deviation and the fairness index computed?",
    text: "“Stability is associated with fluctuation of the sending rate (CR)”, and “the frame rate undergoes more \
        fluctuations” (section 3.4). But also “the standard deviation (StdDev) of the rate CR at the RP” and “the \
        already assigned rate” (section 3), and figure 3 shows CR at 1000 Mb/s where a source sends 200 Mb/s.",
    why: "The paper calls CR the sending rate throughout, and a CR above the offered rate does not limit a source.",
    options: &[
        Reading { name: SENT, words: "sending rates measured", settings: &[] },
        Reading { name: "limit", words: "CR measured even where it does not limit a source", settings: &[] },
    ],
};
pub(super) const SENT: &str = "sent";

/// Changes only what is measured.
pub(super) static SHARE_OF: Choice = Choice {
    name: "share-of",
    question: "Are the feedback and the loss of a group shares of all frames, or of its own frames?",
    text: "Rates are shares “of the total frame stream” (sections 3.2 and 3.3). Sources of G1 “receive fewer feedback \
        frames” (section 3.6.1). Figure 21 shows “the frame loss rate on the network for the different multicast \
        groups” (section 3.6.2).",
    why: "The paper expresses all its rates relative to the total stream, and “fewer feedback frames” compares counts.",
    options: &[
        Reading { name: TOTAL_STREAM, words: "shares of the frames of all groups", settings: &[] },
        Reading { name: "own-stream", words: "shares of each group’s own frames", settings: &[] },
    ],
};
pub(super) const TOTAL_STREAM: &str = "total-stream";
