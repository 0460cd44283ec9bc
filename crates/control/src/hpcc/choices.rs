//! The choices among the parameters of HPCC.

use crate::parameter::choice;

choice! {
    /// When the rate is changed.
    Updates {
        Acknowledgement = "acknowledgement", "With every acknowledgement, always starting from the reference rate, which is updated once per window (HPCC's fast reaction).";
        WithoutReference = "without-reference", "With every acknowledgement, starting from the last rate, so that the same congestion acts several times (per-ACK reaction).";
        Window = "window", "Once per window, together with the reference rate (per-RTT reaction).";
    }
}

choice! {
    /// The number of reference rates.
    References {
        One = "one", "One, updated by the most heavily used port of the path.";
        PerHop = "per-hop", "One for every bridge of the path; the lowest rate applies (HPCC, attribute MultiRate).";
    }
}
