//! The table of SMCC's parameters: what each is called, may be, does, and where its default comes from.

use setpoint_units::{Bytes, Rate};

use super::params::{Association, Params};
use crate::parameter::{Parameter, Percent, Range, Unit, Value, field};

const MOST_OCTETS: Value = Value::Size(Bytes::new(u32::MAX as u64));

/// From far below any port to far above, so that a slip in the unit is caught.
const RATES: Range =
    Range::Between(Value::Rate(Rate::from_bits_per_second(1_000)), Value::Rate(Rate::from_gbps(10_000)));

/// Every parameter of the congestion point and of the reaction point, in the order of the documentation.
pub static PARAMETERS: &[Parameter<Params>] = &[
    Parameter {
        key: "smcc.cp.set_point",
        managed_object: None,
        unit: Unit::Size,
        range: Range::Between(Value::Size(Bytes::new(100)), MOST_OCTETS),
        origin: "SMCC paper, section 5.2",
        description: "The queue length q0 that the congestion point aims at. The paper gives the queue a buffer \
            of twice as much.",
        access: field!(cp.set_point: Size),
    },
    Parameter {
        key: "smcc.cp.sample_base",
        managed_object: None,
        unit: Unit::Size,
        range: Range::Between(Value::Size(Bytes::new(1_000)), MOST_OCTETS),
        origin: "own choice, the sample base of IEEE 802.1Q: one in 100 frames of 1.5 kB; range: own choice",
        description: "Bytes enqueued between two samples, whatever the state of the queue: one over the paper's \
            sampling probability p.",
        access: field!(cp.sample_base: Size),
    },
    Parameter {
        key: "smcc.cp.jitter",
        managed_object: None,
        unit: Unit::Percent,
        range: Range::Between(Value::Percent(Percent::ZERO), Value::Percent(Percent::new(90))),
        origin: "own choice, as in QCN; the paper speaks of a probability and does not say how it is kept",
        description: "Spread of the bytes between samples: each interval is multiplied by a uniform random factor \
            this far below or above one, so that samples do not fall into step with periodic traffic.",
        access: field!(cp.jitter: Percent),
    },
    Parameter {
        key: "smcc.rp.state_a",
        managed_object: None,
        unit: Unit::Rate,
        range: RATES,
        origin: "own choice: ten times the paper's value for 1 Gb/s (section 5.4)",
        description: "The change of the rate in state A, where the queue is off its target and not coming back, \
            for an offset as large as the reference: a = state_a / reference. Larger is quicker, and restless \
            once it exceeds the bandwidth there is; too small and the queue settles below its target (Remark 1). \
            With two stages it is the larger of the two.",
        access: field!(rp.state_a: Rate),
    },
    Parameter {
        key: "smcc.rp.state_b",
        managed_object: None,
        unit: Unit::Rate,
        range: RATES,
        origin: "own choice: ten times the paper's value for 1 Gb/s (section 5.4)",
        description: "The change of the rate in state B, where the queue is on its way to its target, for a \
            difference between samples as large as the reference: b = state_b / reference.",
        access: field!(rp.state_b: Rate),
    },
    Parameter {
        key: "smcc.rp.reference",
        managed_object: None,
        unit: Unit::Size,
        range: Range::Between(Value::Size(Bytes::new(100)), MOST_OCTETS),
        origin: "own choice: the paper gives the largest changes and not a and b; the set point is the largest \
            offset in its buffer of 128 kB",
        description: "The offset or difference at which the rate changes by all of state_a or state_b. Larger ones \
            change it by more, in proportion.",
        access: field!(rp.reference: Size),
    },
    Parameter {
        key: "smcc.rp.two_stage",
        managed_object: None,
        unit: Unit::Switch,
        range: Range::Any,
        origin: "SMCC paper, section 4.4, which calls it optional; in use in its figures 19, 22 and 23",
        description: "Whether state A has a smaller change of the rate for a queue that moves slowly.",
        access: field!(rp.two_stage: Switch),
    },
    Parameter {
        key: "smcc.rp.threshold",
        managed_object: None,
        unit: Unit::Size,
        range: Range::Between(Value::Size(Bytes::ZERO), MOST_OCTETS),
        origin: "SMCC paper, section 5.4",
        description: "T1: with two stages, state A uses state_a where the queue has changed by more than this \
            between samples, up or down, and state_a_small otherwise.",
        access: field!(rp.threshold: Size),
    },
    Parameter {
        key: "smcc.rp.state_a_small",
        managed_object: None,
        unit: Unit::Rate,
        range: RATES,
        origin: "own choice: ten times the paper's value for 1 Gb/s (section 5.4)",
        description: "With two stages, what takes the place of state_a while the queue changes by no more than \
            the threshold.",
        access: field!(rp.state_a_small: Rate),
    },
    Parameter {
        key: "smcc.rp.association",
        managed_object: None,
        unit: Unit::Choice(Association::CHOICES),
        range: Range::Any,
        origin: "SMCC paper, section 4.2 (\"needs to identify the congestion point similar to BCN\"); what exactly \
            is our own reading",
        description: "Which congestion points a source obeys. Points without congestion on the way of a flow speak \
            too, and ask for more nearly always.",
        access: field!(rp.association: Choice of Association),
    },
    Parameter {
        key: "smcc.rp.min_rate",
        managed_object: None,
        unit: Unit::Rate,
        range: RATES,
        origin: "own choice, as in QCN; the paper has none",
        description: "The rate is never lowered below this. A source must send to be sampled, and so to be sped up.",
        access: field!(rp.min_rate: Rate),
    },
    Parameter {
        key: "smcc.rp.max_rate",
        managed_object: None,
        unit: Unit::RateOrLine,
        range: RATES,
        origin: "own choice, as in QCN",
        description: "The rate is never raised above this nor above the rate of the port. When it is reached and \
            nothing waits the limiter is released.",
        access: field!(rp.max_rate: RateOrLine),
    },
];
