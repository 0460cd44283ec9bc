//! The DCQCN parameters whose values are named choices.

use crate::parameter::choice;

choice! {
    /// When a congestion point decides whether to mark a frame.
    Marking {
        Dequeue = "dequeue", "When the frame leaves the queue, according to the length of the queue that remains (ns3-rdma, HPCC).";
        Enqueue = "enqueue", "When the frame enters the queue, according to the length of the queue ahead of it (DCQCN'15, section 3.1). The mark then waits in the queue with its frame and reaches the source later.";
    }
}

choice! {
    /// How a receiver reports marks.
    Reports {
        Paced = "paced", "A CNP at once, and further CNPs at least one interval apart. Marks in between are ignored (CoNEXT'16).";
        Deferred = "deferred", "A CNP at once, and further CNPs at least one interval apart. Marks in between cause a CNP at the end of the interval (DCQCN'15, figure 6; htsim).";
        Polled = "polled", "A CNP at the end of every interval in which a marked frame has arrived. Intervals begin with the first frame of the flow (ns3-rdma).";
        Acknowledged = "acknowledged", "No CNPs: every frame is acknowledged, and the acknowledgement shows whether the frame was marked (HPCC).";
    }
}

choice! {
    /// The version of the reaction point.
    Rules {
        Paper = "paper", "Every CNP cuts the rate and raises α. α decays while no CNP arrives (CoNEXT'16, ns3-rdma, htsim).";
        Vendor = "vendor", "α and the rate are updated periodically, depending on whether a CNP has arrived since the last update (HPCC, which models network cards).";
    }
}

choice! {
    /// The α with which a CNP cuts the rate, under the rules of the paper.
    AlphaOrder {
        AfterCut = "after-cut", "The old one: α is updated after the cut (CoNEXT'16, htsim).";
        BeforeCut = "before-cut", "The new one: α is updated before the cut (ns3-rdma).";
    }
}

choice! {
    /// When a cut makes the current rate the new target.
    TargetUpdate {
        EveryCut = "every-cut", "At every cut (CoNEXT'16, htsim; ConnectX: clamp_tgt_rate).";
        AfterByteCycle = "after-byte-cycle", "If the byte counter has completed a cycle since the last cut (ns3-rdma by default). The byte counter also restarts only then.";
        AfterCycle = "after-cycle", "If either clock has completed a cycle since the last cut (HPCC; ConnectX: clamp_tgt_rate_after_time_inc).";
    }
}

choice! {
    /// How the phase of recovery follows from the stages of the two clocks, under the rules of the paper. F is the threshold.
    Phases {
        Paper = "paper", "Fast recovery while both stages are below F, hyper increase once both are above F, multiplied by the excess of the smaller stage over F (CoNEXT'16; hyper increase: DCQCN'15, figure 7, and QCN).";
        Ns3Rdma = "ns3-rdma", "The same, but hyper increase begins with a timer cycle after which both stages have reached F, its multiplier starts at one, and its cycles are halved.";
        Htsim = "htsim", "Fast recovery until one stage is above F, then as in the paper.";
    }
}

choice! {
    /// When the limiter of a source is released.
    Release {
        Never = "never", "Never, so that the source keeps its α (ns3-rdma, HPCC, htsim).";
        AtLineRate = "at-line-rate", "When the rate has returned to the line rate (QCN; DCQCN'15 does not say). The next CNP then starts again from the initial α.";
    }
}
