//! The table of AIMD's parameters: what each is called, may be, does, and where its default comes from.

use setpoint_units::{Bytes, Rate};

use super::params::{Averaging, Decrease, Params};
use crate::parameter::{Parameter, Percent, Power, Range, Unit, Value, field};

const MOST_OCTETS: Value = Value::Size(Bytes::new(u32::MAX as u64));
const SIZES: Range = Range::Between(Value::Size(Bytes::new(100)), MOST_OCTETS);

/// From far below any port to far above, so that a slip in the unit is caught.
const RATES: Range =
    Range::Between(Value::Rate(Rate::from_bits_per_second(1_000)), Value::Rate(Rate::from_gbps(10_000)));

/// Every parameter of the congestion point and of the reaction point, in the order of the documentation.
pub static PARAMETERS: &[Parameter<Params>] = &[
    Parameter {
        key: "aimd.cp.set_point",
        managed_object: None,
        unit: Unit::Size,
        range: SIZES,
        origin: "Allerton 2008, section II: 30 kB is the occupancy it asks for, a fifth of 150 kB",
        description: "The queue length Qeq that the congestion point aims at.",
        access: field!(cp.set_point: Size),
    },
    Parameter {
        key: "aimd.cp.sample_base",
        managed_object: None,
        unit: Unit::Size,
        range: Range::Between(Value::Size(Bytes::new(1_000)), MOST_OCTETS),
        origin: "own choice, the sample base of IEEE 802.1Q; range: own choice",
        description: "Bytes enqueued between two samples, whatever the state of the queue.",
        access: field!(cp.sample_base: Size),
    },
    Parameter {
        key: "aimd.cp.jitter",
        managed_object: None,
        unit: Unit::Percent,
        range: Range::Between(Value::Percent(Percent::ZERO), Value::Percent(Percent::new(90))),
        origin: "own choice, as in QCN",
        description: "Spread of the bytes between samples: each interval is multiplied by a uniform random factor \
            this far below or above one, so that samples do not fall into step with periodic traffic.",
        access: field!(cp.jitter: Percent),
    },
    Parameter {
        key: "aimd.rp.weight",
        managed_object: None,
        unit: Unit::Power,
        range: Range::Between(Value::Power(Power::of_two(-10)), Value::Power(Power::of_two(10))),
        origin: "Allerton 2008, section II, of QCN: w = 2",
        description: "How much the growth of the queue since the last sample counts against its distance from \
            the set point.",
        access: field!(rp.weight: Power),
    },
    Parameter {
        key: "aimd.rp.reference",
        managed_object: None,
        unit: Unit::Size,
        range: SIZES,
        origin: "own choice: the set point",
        description: "The queue length that the gains are made for: the largest feedback, which brings the largest \
            decrease or increase, is 1 + 2w times as much. Larger feedback is held there. Meant to be the set \
            point of the congestion points, which a source does not know.",
        access: field!(rp.reference: Size),
    },
    Parameter {
        key: "aimd.rp.decrease",
        managed_object: None,
        unit: Unit::Choice(Decrease::CHOICES),
        range: Range::Any,
        origin: "Allerton 2008, introduction; additive is for theorem 1, which is about a given sequence",
        description: "How a negative feedback acts. With an additive decrease the change of the rate does not \
            depend on the rate, so that the systems of theorem 1 see the same changes.",
        access: field!(rp.decrease: Choice of Decrease),
    },
    Parameter {
        key: "aimd.rp.largest_decrease",
        managed_object: None,
        unit: Unit::Percent,
        range: Range::Between(Value::Percent(Percent::from_hundredths(1)), Value::Percent(Percent::WHOLE)),
        origin: "own choice, as in BCN and QCN",
        description: "The part of the rate that the largest negative feedback takes away; smaller feedback takes \
            in proportion. Not in use where the decrease is additive.",
        access: field!(rp.largest_decrease: Percent),
    },
    Parameter {
        key: "aimd.rp.largest_increase",
        managed_object: None,
        unit: Unit::Rate,
        range: RATES,
        origin: "own choice: a tenth of the speed, as in BCN",
        description: "What the largest positive feedback adds to the rate; smaller feedback adds in proportion. \
            Where the decrease is additive it is the largest decrease too.",
        access: field!(rp.largest_increase: Rate),
    },
    Parameter {
        key: "aimd.rp.averaging",
        managed_object: None,
        unit: Unit::Choice(Averaging::CHOICES),
        range: Range::Any,
        origin: "Allerton 2008, section III and theorem 1; plain AIMD by default",
        description: "Whether the Averaging Principle is used, which lets the loop bear longer lags, or what \
            theorem 1 proves equal to it.",
        access: field!(rp.averaging: Choice of Averaging),
    },
    Parameter {
        key: "aimd.rp.averaging_bytes",
        managed_object: None,
        unit: Unit::Size,
        range: Range::Between(Value::Size(Bytes::new(1_000)), MOST_OCTETS),
        origin: "theorem 1: half a sampling interval; that it is counted in bytes is our own choice; range: own choice",
        description: "With averaging, bytes that the limiter sends from a message to the averaging. Half of the \
            sample base is half an interval: a flow is sampled once in a sample base of its own bytes on average.",
        access: field!(rp.averaging_bytes: Size),
    },
    Parameter {
        key: "aimd.rp.min_rate",
        managed_object: None,
        unit: Unit::Rate,
        range: RATES,
        origin: "own choice, as in BCN",
        description: "The rate is never lowered below this. A source must send to be \
            sampled, and so to be sped up.",
        access: field!(rp.min_rate: Rate),
    },
    Parameter {
        key: "aimd.rp.max_rate",
        managed_object: None,
        unit: Unit::RateOrLine,
        range: RATES,
        origin: "own choice, as in QCN",
        description: "The rate is never raised above this nor above the rate of the port. When it is reached and \
            nothing waits the limiter is released.",
        access: field!(rp.max_rate: RateOrLine),
    },
];
