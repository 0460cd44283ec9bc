//! The choices among the parameters of QCN.

use crate::parameter::choice;

choice! {
    /// How the feedback is quantised. F is its magnitude, m = Qeq(2w+1) the maximum.
    Quantizer {
        Standard = "standard", "floor(63 F / m), as in the HPE FlexFabric 5940 manual and, we believe, clause 32.9.4.";
        SixtyFourSteps = "64-steps", "min(63, floor(64 F / m)), as in ns-3-dcn.";
        TopBits = "top-bits", "The six most significant bits of F in the width of m, as the pseudo-code puts it.";
        Units = "units", "min(63, floor(F / feedback_unit)): a step has the same size for any set point (Mliki 2016).";
        Fine = "fine", "floor(16384 F / m) in units of 1/256 of a step: the source uses the full value, and everything that \
        needs six bits uses the whole steps (SMCC paper, section 5.1).";
    }
}

choice! {
    /// The frames that a congestion point samples.
    Sampling {
        Table = "table", "One frame each time the number of bytes in the mark table has been enqueued.";
        Regular = "regular", "One frame each time the sample base has been enqueued, whatever the feedback.";
        Fixed = "fixed", "Each frame with the same probability.";
        Linear = "linear", "Each frame with a probability that grows linearly with the feedback (Allerton 2008, figure 2).";
        EveryFrame = "every-frame", "Every frame.";
        LinearInterval = "linear-interval", "With the same probability as linear, but by counting bytes: one frame each time \
        1500 bytes divided by the probability have been enqueued.";
    }
}

choice! {
    /// When a congestion point takes its first sample.
    FirstSample {
        AfterSampleBase = "after-sample-base", "Once the sample base has been enqueued, as in the Linux queueing discipline.";
        FirstFrame = "first-frame", "At the first frame, as in ns-3-dcn.";
    }
}

choice! {
    /// The earlier queue length from which a congestion point measures growth.
    OldQueue {
        LastSample = "last-sample", "The length at the last sample, with or without a notification (pseudo-code 2.2).";
        LastFeedback = "last-feedback", "The length at the last notification (Allerton 2008).";
    }
}

choice! {
    /// The description of the reaction point to follow where they differ.
    Rules {
        PseudoCode = "pseudo-code", "Revision 2.2 of the pseudo-code: a clock leaves fast recovery after more cycles than the threshold, and its own cycles are then halved.";
        Clause32 = "clause-32", "The state machine of clause 32 as in ns3-rdma: a clock leaves fast recovery at the threshold, and cycles are halved only in hyper-active increase.";
    }
}

choice! {
    /// How the increment of hyper-active increase grows.
    HyperGrowth {
        ByStage = "by-stage", "With the number of cycles that both clocks have completed in this phase, counted from one (pseudo-code 2.2, ns3-rdma).";
        FromZero = "from-zero", "In the same way, but counted from zero, so that the first cycle adds nothing (LiquidIO firmware).";
        Constant = "constant", "Not at all: every cycle adds the same amount (the Mellanox variant of the HPCC simulator).";
    }
}

choice! {
    /// The rate that a notification makes the target.
    Target {
        BeforeCut = "before-cut", "The current rate before it is cut: fast recovery regains the lost rate.";
        AfterCut = "after-cut", "The current rate after it is cut: fast recovery changes nothing, and the rate rises only with active increase.";
    }
}

choice! {
    /// The effect of a notification during fast recovery.
    RecoveryFeedback {
        On = "on", "It cuts the current rate, sets the target and restarts recovery, like any other.";
        NoRestart = "no-restart", "It cuts the current rate and sets the target, but the stages and the clocks continue.";
        CutOnly = "cut-only", "It cuts the current rate; the target, the stages and the clocks stay as they are.";
        Off = "off", "None: it is ignored.";
    }
}

choice! {
    /// The phases that follow fast recovery.
    Phases {
        ByClocks = "by-clocks", "Active increase once one clock has left fast recovery, and hyper-active increase once both have.";
        InSequence = "in-sequence", "One cycle of active increase, then hyper-active increase, counted by the clock that is ahead. The cycle of active increase is already halved.";
    }
}

choice! {
    /// When a rate limiter is released.
    Release {
        AtMaxRateAndEmpty = "at-max-rate-and-empty", "When the rate is at its maximum and no frame is waiting (pseudo-code 2.2).";
        AtMaxRate = "at-max-rate", "As soon as the rate is at its maximum (rpgMaxRate as adapters interpret it).";
    }
}
