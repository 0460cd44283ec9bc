//! The table of the AF controller's parameters.

use setpoint_units::{Bytes, TimeDelta};

use super::params::{Params, Rounding};
use crate::arrivals::Arrivals;
use crate::parameter::{Parameter, Percent, Power, Range, Unit, Value, field};

const PAPER: &str = "Kabbani and others (2010), section III-B";

/// Every parameter that AF-QCN adds to QCN's, in the order of the documentation.
pub static PARAMETERS: &[Parameter<Params>] = &[
    Parameter {
        key: "af-qcn.cp.alpha",
        managed_object: None,
        unit: Unit::Percent,
        range: Range::Between(
            Value::Percent(Percent::from_hundredths(1)),
            Value::Percent(Percent::from_hundredths(9_999)),
        ),
        origin: "Kabbani and others (2010), section III-B, which recommends at most 25 %",
        description: "The part of the AF controller in the feedback; QCN has the rest. A larger part brings \
            accounts to their shares sooner and leaves less to hold the queue.",
        access: field!(alpha: Percent),
    },
    Parameter {
        key: "af-qcn.cp.interval",
        managed_object: None,
        unit: Unit::Time,
        range: Range::Between(Value::Time(TimeDelta::from_micros(1)), Value::Time(TimeDelta::from_secs(1))),
        origin: "Kabbani and others (2010), section III-B: 1 ms to a few; range: own choice",
        description: "The interval Ts over which the arrivals of an account are counted. It should be several \
            round-trip times, so that bursts do not pass for rates; a longer one delays fairness.",
        access: field!(interval: Time),
    },
    Parameter {
        key: "af-qcn.cp.smoothing",
        managed_object: None,
        unit: Unit::Power,
        range: Range::Between(Value::Power(Power::of_two(-8)), Value::Power(Power::of_two(-1))),
        origin: "Kabbani and others (2010), section III-B; powers of two only, and the range: own choice",
        description: "The weight of the last interval in the estimate of what an account brings. A smaller \
            weight lets short flows pass unnoticed and follows changes more slowly.",
        access: field!(smoothing: Power),
    },
    Parameter {
        key: "af-qcn.cp.active_threshold",
        managed_object: None,
        unit: Unit::Size,
        range: Range::Between(Value::Size(Bytes::ZERO), Value::Size(Bytes::new(u32::MAX as u64))),
        origin: PAPER,
        description: "An account is active while its estimate for an interval is above this. Only active \
            accounts have a share, and only they hear of it; with the default interval, those of more than \
            160 Mb/s. A bound below that rate is not enforced.",
        access: field!(active_threshold: Size),
    },
    Parameter {
        key: "af-qcn.cp.entries",
        managed_object: None,
        unit: Unit::Count,
        range: Range::Between(Value::Count(1), Value::Count(Arrivals::MOST_ACCOUNTS)),
        origin: "own choice",
        description: "How many accounts a congestion point can measure at a time. One that finds no place is \
            treated as not active until another is forgotten. Each takes 48 to 64 bytes of memory, for every \
            queue that sees traffic.",
        access: field!(entries: Count),
    },
    Parameter {
        key: "af-qcn.cp.rounding",
        managed_object: None,
        unit: Unit::Choice(Rounding::CHOICES),
        range: Range::Any,
        origin: "own choice, as equation (7) rounds; the source does not say",
        description: "How the weighted sum of the two feedbacks becomes a whole number. Most feedbacks of a \
            settled queue are 1, so the rounding decides whether accounts within their shares are slowed by \
            them.",
        access: field!(rounding: Choice of Rounding),
    },
];
