//! The table of AFD's parameters.

use setpoint_units::{Bytes, Rate, TimeDelta};

use super::params::Params;
use crate::arrivals::Arrivals;
use crate::parameter::{Parameter, Percent, Power, Range, Unit, Value, field};

const GAIN: Range =
    Range::Between(Value::Percent(Percent::from_hundredths(1)), Value::Percent(Percent::new(655)));

/// Every parameter, in the order of the documentation.
pub static PARAMETERS: &[Parameter<Params>] = &[
    Parameter {
        key: "afd.cp.set_point",
        managed_object: None,
        unit: Unit::Size,
        range: Range::Between(Value::Size(Bytes::new(100)), Value::Size(Bytes::new(u32::MAX as u64))),
        origin: "own choice: a third of a buffer of 150 kB, several times what drops by chance move the queue",
        description: "The reference length of the queue. The fair share is raised while the queue is below it and \
            lowered while it is above.",
        access: field!(set_point: Size),
    },
    Parameter {
        key: "afd.cp.interval",
        managed_object: None,
        unit: Unit::Time,
        range: Range::Between(Value::Time(TimeDelta::from_micros(1)), Value::Time(TimeDelta::from_secs(1))),
        origin: "own choice: 125 kB at 10 Gb/s, so that the queue can be held within a buffer of 150 kB",
        description: "The interval over which the arrivals of an account are counted and after which the fair \
            share is adjusted. In a longer one the queue has more time to run away; a shorter one measures \
            rates by few frames.",
        access: field!(interval: Time),
    },
    Parameter {
        key: "afd.cp.smoothing",
        managed_object: None,
        unit: Unit::Power,
        range: Range::Between(Value::Power(Power::of_two(-8)), Value::Power(Power::of_two(0))),
        origin: "Kabbani and others (2010), section II-B: what came in the interval, without smoothing",
        description: "The weight of the last interval in the estimate of what an account brings. With 2^0 it is \
            the last interval alone; a smaller one lets bursts pass and follows changes more slowly.",
        access: field!(smoothing: Power),
    },
    Parameter {
        key: "afd.cp.a1",
        managed_object: None,
        unit: Unit::Percent,
        range: GAIN,
        origin: "own choice: a tenth of 1.8, which implementations quote from Pan and others (2003) for other units",
        description: "How many bytes an interval the fair share is lowered for each byte that the queue is above \
            its set point now. The loop is stable for accounts of a total weight N above their shares while \
            N a2 < 2 and N (a1 + a2) < 4: with the defaults, up to 11.",
        access: field!(a1: Percent),
    },
    Parameter {
        key: "afd.cp.a2",
        managed_object: None,
        unit: Unit::Percent,
        range: GAIN,
        origin: "own choice: a tenth of 1.7, which implementations quote from Pan and others (2003) for other units",
        description: "How many bytes an interval the fair share is raised for each byte that the queue was above \
            its set point an interval ago. It must be below a1: the difference is what draws the queue to its \
            set point, the rest damps.",
        access: field!(a2: Percent),
    },
    Parameter {
        key: "afd.cp.max_share",
        managed_object: None,
        unit: Unit::Rate,
        range: Range::Between(
            Value::Rate(Rate::from_bits_per_second(1_000)),
            Value::Rate(Rate::from_gbps(10_000)),
        ),
        origin: "own choice: the rate of the link, above which a share means nothing",
        description: "The fair share of an account of weight one is never more than this for an interval, and the \
            set point. It begins there, so that nothing is dropped before there was congestion, and does not \
            wind up beyond while the queue is short.",
        access: field!(max_share: Rate),
    },
    Parameter {
        key: "afd.cp.entries",
        managed_object: None,
        unit: Unit::Count,
        range: Range::Between(Value::Count(1), Value::Count(Arrivals::MOST_ACCOUNTS)),
        origin: "own choice",
        description: "How many accounts can be measured at a time. Frames of one that finds no place are not \
            dropped until another is forgotten. Each takes 48 to 64 bytes of memory, for every queue that sees \
            traffic.",
        access: field!(entries: Count),
    },
];
