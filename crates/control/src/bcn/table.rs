//! The table of BCN's parameters: what each is called, may be, does, and where its default comes from.

use setpoint_units::{Bytes, Rate, TimeDelta};

use super::params::Params;
use crate::parameter::{Access, Parameter, Percent, Power, Range, Unit, Value, field};

const MOST_OCTETS: Value = Value::Size(Bytes::new(u32::MAX as u64));
const SIZES: Range = Range::Between(Value::Size(Bytes::new(100)), MOST_OCTETS);
const TIMES: Range =
    Range::Between(Value::Time(TimeDelta::from_nanos(100)), Value::Time(TimeDelta::from_secs(1_000)));

/// From far below any port to far above, so that a slip in the unit is caught.
const RATES: Range =
    Range::Between(Value::Rate(Rate::from_bits_per_second(1_000)), Value::Rate(Rate::from_gbps(10_000)));

/// Every parameter of the congestion point and of the reaction point, in the order of the documentation.
pub static PARAMETERS: &[Parameter<Params>] = &[
    Parameter {
        key: "bcn.cp.set_point",
        managed_object: None,
        unit: Unit::Size,
        range: SIZES,
        origin: "802.1au baseline, 375 pages of 64 bytes (unverified)",
        description: "The queue length Qeq that the congestion point aims at. A queue above it slows sources down, \
            and one below speeds those up that the point has slowed down before.",
        access: field!(cp.set_point: Size),
    },
    Parameter {
        key: "bcn.cp.weight",
        managed_object: None,
        unit: Unit::Power,
        range: Range::Between(Value::Power(Power::of_two(-10)), Value::Power(Power::of_two(10))),
        origin: "802.1au baseline and the papers on BCN, w = 2 (unverified)",
        description: "How much the growth of the queue since the last sample counts against its distance from \
            the set point. The congestion point needs it for the sign of the feedback and the reaction point \
            for all of it; one value is given to both.",
        access: WEIGHT,
    },
    Parameter {
        key: "bcn.cp.sample_base",
        managed_object: None,
        unit: Unit::Size,
        range: Range::Between(Value::Size(Bytes::new(1_000)), MOST_OCTETS),
        origin: "802.1au baseline (unverified); range: own choice",
        description: "Bytes enqueued between two samples, whatever the state of the queue.",
        access: field!(cp.sample_base: Size),
    },
    Parameter {
        key: "bcn.cp.jitter",
        managed_object: None,
        unit: Unit::Percent,
        range: Range::Between(Value::Percent(Percent::ZERO), Value::Percent(Percent::new(90))),
        origin: "own choice, as in QCN; that BCN's interval is spread is remembered, by how much is not",
        description: "Spread of the bytes between samples: each interval is multiplied by a uniform random factor \
            this far below or above one, so that samples do not fall into step with periodic traffic.",
        access: field!(cp.jitter: Percent),
    },
    Parameter {
        key: "bcn.cp.severe_stop",
        managed_object: None,
        unit: Unit::Switch,
        range: Range::Any,
        origin: "Bergamasco and Pan, BCN 2.0 (unverified)",
        description: "Whether the source of a frame that is sampled while the queue is beyond the severe threshold \
            is stopped for a while, by the message BCN(0,0).",
        access: field!(cp.severe_stop: Switch),
    },
    Parameter {
        key: "bcn.cp.severe_threshold",
        managed_object: None,
        unit: Unit::Size,
        range: SIZES,
        origin: "802.1au baseline, 1600 pages of 64 bytes (unverified)",
        description: "The queue length Qsc beyond which sources are stopped. It must be above the set point.",
        access: field!(cp.severe_threshold: Size),
    },
    Parameter {
        key: "bcn.rp.reference",
        managed_object: None,
        unit: Unit::Size,
        range: SIZES,
        origin: "802.1au baseline: the set point (unverified)",
        description: "The queue length that the gains are made for: the largest feedback, which brings the largest \
            decrease or increase, is 1 + 2w times as much. Larger feedback is held there. Meant to be the set \
            point of the congestion points, which a source does not know.",
        access: field!(rp.reference: Size),
    },
    Parameter {
        key: "bcn.rp.largest_decrease",
        managed_object: None,
        unit: Unit::Percent,
        range: Range::Between(Value::Percent(Percent::from_hundredths(1)), Value::Percent(Percent::WHOLE)),
        origin: "SMCC paper, section 2.2: Gd |Fb max| = 1/2; 802.1au baseline, Gd = 2.667e-4 per page (unverified)",
        description: "The part of the rate that the largest negative feedback takes away; smaller feedback takes \
            in proportion.",
        access: field!(rp.largest_decrease: Percent),
    },
    Parameter {
        key: "bcn.rp.largest_increase",
        managed_object: None,
        unit: Unit::Rate,
        range: RATES,
        origin: "802.1au baseline: a tenth of the speed, Gi = 0.5333 per page and Ru = 1 Mb/s (unverified); the \
            papers have Gi = 4 and Ru = 8 Mb/s",
        description: "What the largest positive feedback adds to the rate; smaller feedback adds in proportion.",
        access: field!(rp.largest_increase: Rate),
    },
    Parameter {
        key: "bcn.rp.stop_time",
        managed_object: None,
        unit: Unit::Time,
        range: TIMES,
        origin: "own choice: about the time that 10 Gb/s takes to drain the severe threshold; Tmax in dcbnl",
        description: "The longest a first stop lasts. A stop is of a uniform random length up to this.",
        access: field!(rp.stop_time: Time),
    },
    Parameter {
        key: "bcn.rp.back_off",
        managed_object: None,
        unit: Unit::Power,
        range: Range::Between(Value::Power(Power::of_two(0)), Value::Power(Power::of_two(10))),
        origin: "own choice; that there is a back-off is remembered (unverified)",
        description: "How far the range of stops grows: each stop doubles that of the next, up to so many times \
            stop_time, until a positive message tells of recovery. \"2^0\" is no back-off.",
        access: field!(rp.back_off: Power),
    },
    Parameter {
        key: "bcn.rp.drift",
        managed_object: None,
        unit: Unit::Switch,
        range: Range::Any,
        origin: "own choice; the ixgbe driver can be told to (td, rd), and equation (2) knows nothing of it",
        description: "Whether the rate rises by itself while no feedback comes. It brings sources back whose point \
            no longer speaks, as after a change of path.",
        access: field!(rp.drift: Switch),
    },
    Parameter {
        key: "bcn.rp.drift_interval",
        managed_object: None,
        unit: Unit::Time,
        range: TIMES,
        origin: "own choice; td in dcbnl",
        description: "How long no message must have been obeyed for the rate to drift, and the time from one \
            rise to the next.",
        access: field!(rp.drift_interval: Time),
    },
    Parameter {
        key: "bcn.rp.drift_increase",
        managed_object: None,
        unit: Unit::Rate,
        range: RATES,
        origin: "own choice; rd in dcbnl",
        description: "What a drift adds to the rate.",
        access: field!(rp.drift_increase: Rate),
    },
    Parameter {
        key: "bcn.rp.min_rate",
        managed_object: None,
        unit: Unit::Rate,
        range: RATES,
        origin: "own choice, 10 Mb/s as in the task group's simulations of QCN (unverified)",
        description: "The rate is never lowered below this, and is this after a stop. A source must send to be \
            sampled, and so to be sped up.",
        access: field!(rp.min_rate: Rate),
    },
    Parameter {
        key: "bcn.rp.max_rate",
        managed_object: None,
        unit: Unit::RateOrLine,
        range: RATES,
        origin: "own choice, as in QCN",
        description: "The rate is never raised above this nor above the rate of the port. When it is reached and \
            nothing waits the limiter is released, and with it the tag.",
        access: field!(rp.max_rate: RateOrLine),
    },
];

/// One weight for both points: apart they would not agree on what a feedback asks for.
const WEIGHT: Access<Params> = Access {
    read: |params| Value::Power(params.cp.weight),
    write: |params, value| {
        let Value::Power(weight) = value else { return None };
        (params.cp.weight, params.rp.weight) = (weight, weight);
        Some(())
    },
};
