//! Slowdown by message size.

use setpoint_units::quantity::Bounded;

use super::keyed::keyed;

keyed! {
    /// Slowdown of the messages in a range of sizes.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct SlowdownBin {
        /// Smallest size, inclusive.
        pub from_bytes: u64 = Bytes,
        /// Largest size, exclusive.
        pub to_bytes: u64 = Bytes,
        /// Messages of these sizes, completed or not.
        pub messages: u64,
        /// Median slowdown.
        pub p50: f64,
        /// `true` if the median is a lower bound because it depends on messages that were not completed.
        pub p50_is_lower_bound: bool,
        /// 99th percentile of the slowdown; `null` for a single message.
        pub p99: Option<f64>,
        /// `true` if the 99th percentile is a lower bound.
        pub p99_is_lower_bound: bool,
    }
}

impl SlowdownBin {
    /// The median.
    #[must_use]
    pub const fn median(&self) -> Bounded {
        Bounded { value: self.p50, is_lower_bound: self.p50_is_lower_bound }
    }

    /// The 99th percentile; `None` for a single message.
    #[must_use]
    pub fn tail(&self) -> Option<Bounded> {
        self.p99.map(|value| Bounded { value, is_lower_bound: self.p99_is_lower_bound })
    }
}
