//! Slowdown by message size, and by HPCC's definition.

use setpoint_units::quantity::Bounded;

use super::MessageSize;
use super::keyed::keyed;
use super::messages::bounded;

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
    pub const fn median(&self) -> Bounded {
        Bounded { value: self.p50, is_lower_bound: self.p50_is_lower_bound }
    }

    /// The 99th percentile; `None` for a single message.
    pub fn tail(&self) -> Option<Bounded> {
        self.p99.map(|value| Bounded { value, is_lower_bound: self.p99_is_lower_bound })
    }
}

keyed! {
    /// Slowdown of messages by HPCC's definition.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct HpccSlowdown {
        /// `short` (below 100 kB), `medium` (100 kB to 10 MB) or `large` (10 MB or more); `null` for messages of all sizes.
        pub size: Option<MessageSize>,
        /// Messages of these sizes, completed or not.
        pub messages: u64,
        /// Quantiles of the slowdown that are known to 1 %, as pairs of probability and slowdown.
        pub quantiles: Vec<(f64, f64)>,
        /// Lower bounds on the other quantiles. Omitted if there are none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub at_least_quantiles: Vec<(f64, f64)>,
    }
}

impl HpccSlowdown {
    /// A quantile, if there is one at this probability.
    pub fn at(&self, probability: f64) -> Option<Bounded> {
        bounded(&self.quantiles, &self.at_least_quantiles, probability)
    }
}
