//! The choices among the parameters of TIMELY.

use crate::parameter::choice;

choice! {
    /// How the rate changes while the delay is between the thresholds.
    Rule {
        Gradient = "gradient", "By the gradient of the delay: the rate rises while the delay falls, and falls in proportion to the gradient while the delay grows (TIMELY).";
        Patched = "patched", "By the delay's distance from the lower threshold, weighted by the gradient, so that there is a single fixed point (patched TIMELY, CoNEXT'16).";
    }
}

choice! {
    /// The delay that is compared with the thresholds.
    Delay {
        RoundTrip = "round-trip", "The round-trip time (TIMELY'15, ns3-rdma, HPCC).";
        Queueing = "queueing", "The round-trip time minus that of the idle path (the fluid models of CoNEXT'16).";
    }
}

choice! {
    /// How often the rate is updated.
    Updates {
        Acknowledgement = "acknowledgement", "With every acknowledgement: once per batch of frames (TIMELY'15, ns3-rdma).";
        Window = "window", "Once all bytes that had been sent at the last update are settled: once per round-trip time (HPCC).";
    }
}

choice! {
    /// The effect of a delay that neither grows nor falls, between the thresholds.
    Steady {
        Increase = "increase", "The rate rises (CoNEXT'16, HPCC).";
        Keep = "keep", "The rate stays, and the count for hyper increase restarts (ns3-rdma).";
    }
}

choice! {
    /// When increases become larger.
    HyperIncrease {
        Never = "never", "Never (ns3-rdma; the fluid models of CoNEXT'16).";
        AfterDeclines = "after-declines", "After a number of consecutive increases between the thresholds, during which the delay has not grown (TIMELY'15, section 4.3: has fallen).";
        AfterIncreases = "after-increases", "After a number of consecutive increases of any kind (HPCC).";
    }
}
