//! The points that the paper leaves open.

use crate::prelude::*;

/// The choices that affect the runs with multicast sources.
pub(super) const MULTICAST: [&Choice; 6] =
    [&SAMPLING, &FEEDBACK_UNIT, &TARGET, &IN_RECOVERY, &PHASES, &RUN_LENGTH];
/// The choices that affect the runs with either kind of delivery.
pub(super) const BOTH: [&Choice; 7] =
    [&SAMPLING, &FEEDBACK_UNIT, &TARGET, &IN_RECOVERY, &PHASES, &LIMITERS, &RUN_LENGTH];
/// The choices for the network with several bottlenecks. Its runs take longer than all others, and the target is not
/// varied there.
pub(super) const SEVERAL_BOTTLENECKS: [&Choice; 7] =
    [&SAMPLING, &FEEDBACK_UNIT, &IN_RECOVERY, &PHASES, &LIMITERS, &RUN_LENGTH, &PLACES];

static SAMPLING: Choice = Choice {
    name: "sampling",
    question: "Which frames does a congestion point sample?",
    text: "The paper does not say. Its section 2 presents QCN “according to [10]”, which is the standard. “When Fb is \
        negative … A feedback frame is then sent to the triggered frame source” (section 2.2).",
    why: "The paper evaluates “legacy QCN” as in the standard, and the standard takes its sampling intervals from a \
        table.",
    options: &[
        reading("table", "the standard’s sampling", &["control.qcn.cp.sampling=table"]),
        reading("every-frame", "every frame sampled", &["control.qcn.cp.sampling=every-frame"]),
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
        reading(
            "frames",
            "feedback in frames",
            &["control.qcn.cp.quantizer=units", "control.qcn.cp.feedback_unit=\"1500 B\""],
        ),
        reading("set-point", "feedback in steps proportional to Qeq", &["control.qcn.cp.quantizer=standard"]),
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
        reading("before-cut", "the target rate before the decrease", &["control.qcn.rp.target=before-cut"]),
        reading("after-cut", "the target rate after the decrease", &["control.qcn.rp.target=after-cut"]),
    ],
};

static IN_RECOVERY: Choice = Choice {
    name: "in-recovery",
    question: "What does a notification during fast recovery (FR) do?",
    text: "“The RP decreases its rate when a feedback frame is received. Consequently, the current rate CR and the \
        target rate TR are updated”, but also “Each time the RP is in the AI or the HAI cycles and a feedback frame is \
        received, it resets the Byte Counter and the Timer, performs a multiplicative decrease … and goes to the FR \
        phase” (section 2.3). “At the end of the 5 cycles in the FR phase, if no feedback is received, … it enters the \
        AI phase” (section 2.3.2). Figure 1 shows the workflow, but is missing from our copy.",
    why: "The paper evaluates “legacy QCN” as in the standard, in which every notification restarts fast recovery. By \
        its second sentence, a notification in fast recovery need not reset the clocks; it may then still decrease \
        both rates, as in the first sentence, or only CR.",
    options: &[
        reading(
            "obeyed",
            "notifications that restart fast recovery",
            &["control.qcn.rp.recovery_feedback=on"],
        ),
        reading(
            "no-restart",
            "notifications in fast recovery that set CR and TR without a restart",
            &["control.qcn.rp.recovery_feedback=no-restart"],
        ),
        reading(
            "cut-only",
            "notifications in fast recovery that only decrease CR",
            &["control.qcn.rp.recovery_feedback=cut-only"],
        ),
        reading(
            "ignored",
            "notifications ignored in fast recovery",
            &["control.qcn.rp.recovery_feedback=off"],
        ),
    ],
};

static PHASES: Choice = Choice {
    name: "phases",
    question: "Which phases follow fast recovery?",
    text: "“During the AI, the Byte Counter counts out one cycle of 75 KBytes” (section 2.3.2). “At the end of the AI \
        phase, if no feedback is received, … it moves to the HAI phase” (section 2.3.3). In the standard, AI begins \
        when one of the two clocks has completed five cycles, and HAI when both have.",
    why: "The paper describes a sequence of phases: one cycle of AI, and then HAI.",
    options: &[
        reading("in-sequence", "one cycle of AI, then HAI", &["control.qcn.rp.phases=in-sequence"]),
        reading(
            "by-clocks",
            "AI after one clock and HAI after both, as in the standard",
            &["control.qcn.rp.phases=by-clocks"],
        ),
    ],
};

/// The two groups that pass one bottleneck can be at any two of three switches.
pub(super) static PLACES: Choice = Choice {
    name: "places",
    question: "Which bottlenecks do groups G2 and G3 pass?",
    text: "G1 “goes through three potential bottlenecks (Switch 1, Switch 2 and Switch 3)”, and the two other groups \
        “go through only one bottleneck” each (section 3.6). Figure 17, which shows the network, is missing from our \
        copy. The sources of G1 “are far from CPs” (section 3.6.1).",
    why: "Only with G2 and G3 at the second and the third switch is the switch of G1’s sources without other traffic, \
        so that these sources are far from the congestion points.",
    options: &[
        reading("second-and-third", "G2 at switch 2 and G3 at switch 3", &[]),
        reading(
            "first-and-second",
            "G2 at switch 1 and G3 at switch 2",
            &[
                "topology.graph.links.10.between=[\"s2.1\", \"sw1\"]",
                "topology.graph.links.11.between=[\"s2.2\", \"sw1\"]",
                "topology.graph.links.12.between=[\"s2.3\", \"sw1\"]",
                "topology.graph.links.13.between=[\"s2.4\", \"sw1\"]",
                "topology.graph.links.14.between=[\"s2.5\", \"sw1\"]",
                "topology.graph.links.15.between=[\"s2.6\", \"sw1\"]",
                "topology.graph.links.22.between=[\"r1\", \"sw2\"]",
                "topology.graph.links.23.between=[\"r2\", \"sw2\"]",
                "topology.graph.links.16.between=[\"s3.1\", \"sw2\"]",
                "topology.graph.links.17.between=[\"s3.2\", \"sw2\"]",
                "topology.graph.links.18.between=[\"s3.3\", \"sw2\"]",
                "topology.graph.links.19.between=[\"s3.4\", \"sw2\"]",
                "topology.graph.links.20.between=[\"s3.5\", \"sw2\"]",
                "topology.graph.links.21.between=[\"s3.6\", \"sw2\"]",
                "topology.graph.links.24.between=[\"r3\", \"sw3\"]",
                "topology.graph.links.25.between=[\"r4\", \"sw3\"]",
            ],
        ),
        reading(
            "first-and-third",
            "G2 at switch 1 and G3 at switch 3",
            &[
                "topology.graph.links.10.between=[\"s2.1\", \"sw1\"]",
                "topology.graph.links.11.between=[\"s2.2\", \"sw1\"]",
                "topology.graph.links.12.between=[\"s2.3\", \"sw1\"]",
                "topology.graph.links.13.between=[\"s2.4\", \"sw1\"]",
                "topology.graph.links.14.between=[\"s2.5\", \"sw1\"]",
                "topology.graph.links.15.between=[\"s2.6\", \"sw1\"]",
                "topology.graph.links.22.between=[\"r1\", \"sw2\"]",
                "topology.graph.links.23.between=[\"r2\", \"sw2\"]",
            ],
        ),
    ],
};

/// This choice matters only for sources with several flows.
pub(super) static LIMITERS: Choice = Choice {
    name: "limiters",
    question: "With multiple unicast, does a source have one rate limiter, or one for each flow?",
    text: "“Each session source … implements a QCN reaction point module at the Ethernet interface” (section 3.1), and \
        CR_mean is “1 Gbit/s ÷ 6” (section 3.4). But multicast is viewed as “N independent unicast sessions, with an \
        adjusted rate of each of these unicast sessions” (section 3).",
    why: "A source has one interface, and CR_mean divides the link among six sources, not among twelve flows.",
    options: &[
        reading(PER_SOURCE, "a limiter per source", &["control.qcn.limiters_per_station=1"]),
        reading("per-flow", "a limiter per flow", &["control.qcn.limiters_per_station=2"]),
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
        reading("30s", "runs of 30 s", &["duration=\"30 s\""]),
        reading("10s", "runs of 10 s", &["duration=\"10 s\""]),
    ],
};

/// This choice changes only what is measured.
pub(super) static RATE_MEASURED: Choice = Choice {
    name: "rate-measured",
    question: "From which rate are the standard deviation and the fairness index computed?",
    text: "“Stability is associated with fluctuation of the sending rate (CR)”, and “the frame rate undergoes more \
        fluctuations” (section 3.4). But also “the standard deviation (StdDev) of the rate CR at the RP” and “the \
        already assigned rate” (section 3), and figure 3 shows CR at 1000 Mb/s where a source sends 200 Mb/s.",
    why: "The paper calls CR the sending rate throughout, and a CR above the offered rate does not limit a source.",
    options: &[
        reading(SENT, "sending rates measured", &[]),
        reading("limit", "CR measured even where it does not limit a source", &[]),
    ],
};
pub(super) const SENT: &str = "sent";

/// This choice changes only what is measured.
pub(super) static SHARE_OF: Choice = Choice {
    name: "share-of",
    question: "Are the feedback and the loss of a group shares of all frames, or of its own frames?",
    text: "Rates are shares “of the total frame stream” (sections 3.2 and 3.3). Sources of G1 “receive fewer feedback \
        frames” (section 3.6.1). Figure 21 shows “the frame loss rate on the network for the different multicast \
        groups” (section 3.6.2).",
    why: "The paper expresses all its rates relative to the total stream, and “fewer feedback frames” compares counts.",
    options: &[
        reading(TOTAL_STREAM, "shares of the frames of all groups", &[]),
        reading("own-stream", "shares of each group’s own frames", &[]),
    ],
};
pub(super) const TOTAL_STREAM: &str = "total-stream";
