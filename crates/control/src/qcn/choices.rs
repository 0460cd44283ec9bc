//! The choices among the parameters of QCN.

use crate::parameter::choice;

choice! {
    /// How feedback becomes six bits. F is the feedback's magnitude, m = Qeq(2w+1) the largest there is.
    Quantizer {
        Standard = "standard", "floor(63 F / m), as in the HPE FlexFabric 5940 manual and, we believe, clause 32.9.4.";
        SixtyFourSteps = "64-steps", "min(63, floor(64 F / m)), as in ns-3-dcn.";
        TopBits = "top-bits", "The six most significant bits of F in the width of m, the pseudo-code's words.";
    }
}

choice! {
    /// Which frames a congestion point samples.
    Sampling {
        Table = "table", "One frame each time a number of bytes from the mark table has been enqueued.";
        Regular = "regular", "One frame each time the sample base has been enqueued, whatever the feedback.";
        Fixed = "fixed", "Each frame with the same probability.";
        Linear = "linear", "Each frame with a probability that grows linearly with the feedback (Allerton 2008, figure 2).";
        EveryFrame = "every-frame", "Every frame.";
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
    /// Which earlier queue length a congestion point counts the queue's growth from.
    OldQueue {
        LastSample = "last-sample", "The one at the last sample, whether or not it gave a notification (pseudo-code 2.2).";
        LastFeedback = "last-feedback", "The one at the last notification (Allerton 2008).";
    }
}

choice! {
    /// Which description of the reaction point is followed where they differ.
    Rules {
        PseudoCode = "pseudo-code", "Revision 2.2 of the pseudo-code: a counter is past fast recovery after more cycles than the threshold, and its own cycles are then halved.";
        Clause32 = "clause-32", "The state machine of clause 32 as ns3-rdma has it: past fast recovery at the threshold, cycles halved in hyper-active increase only.";
    }
}

choice! {
    /// When a rate limiter is no longer needed.
    Release {
        AtMaxRateAndEmpty = "at-max-rate-and-empty", "When the rate is the largest and no frame waits (pseudo-code 2.2).";
        AtMaxRate = "at-max-rate", "As soon as the rate is the largest (rpgMaxRate as adapters read it).";
    }
}
