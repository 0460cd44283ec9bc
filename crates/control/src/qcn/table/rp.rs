//! The parameters of the reaction point.

use setpoint_units::{Bytes, Rate, TimeDelta};

use super::super::params::{Params, Release, Rules};
use crate::parameter::{Access, Parameter, Percent, Power, Range, Unit, Value, field};

/// From far below any port to far above, so that a slip in the unit is caught.
const RATES: Range =
    Range::Between(Value::Rate(Rate::from_bits_per_second(1_000)), Value::Rate(Rate::from_gbps(10_000)));

pub(super) const PARAMETERS: &[Parameter<Params>] = &[
    Parameter {
        key: "qcn.rp.enable",
        managed_object: Some("rpgEnable"),
        unit: Unit::Switch,
        range: Range::Any,
        origin: "IEEE 802.1Q 32.11.1",
        description: "Whether the reaction point obeys notifications. Switched off it sends at its largest rate \
            whatever it hears.",
        access: field!(rp.enable: Switch),
    },
    Parameter {
        key: "qcn.rp.rules",
        managed_object: None,
        unit: Unit::Choice(Rules::CHOICES),
        range: Range::Any,
        origin: "pseudo-code revision 2.2; IEEE 802.1Q 32.15 as ns3-rdma has it, but with both clocks alike",
        description: "Which description is followed where they differ: when a clock is past fast recovery, and \
            when its cycles are halved. By default the sixth cycle is the first that raises the target; under \
            clause 32 the fifth is.",
        access: field!(rp.rules: Choice of Rules),
    },
    Parameter {
        key: "qcn.rp.byte_counter",
        managed_object: None,
        unit: Unit::Switch,
        range: Range::Any,
        origin: "both clocks run in every source; switching one off is our own choice, to study the other",
        description: "Whether bytes sent complete cycles that raise the rate. Without it a slow flow recovers as \
            fast as a quick one, by the timer, and there is no hyper-active increase, which takes both clocks.",
        access: field!(rp.byte_counter: Switch),
    },
    Parameter {
        key: "qcn.rp.byte_reset",
        managed_object: Some("rpgByteReset"),
        unit: Unit::Size,
        range: Range::Between(Value::Size(Bytes::new(1_000)), Value::Size(Bytes::new(u32::MAX as u64))),
        origin: "IEEE 802.1Q 32.11.3; range: own choice within 32 bits",
        description: "Bytes sent in a cycle of the byte counter. A shorter cycle makes fast flows recover sooner.",
        access: field!(rp.byte_reset: Size),
    },
    Parameter {
        key: "qcn.rp.timer",
        managed_object: None,
        unit: Unit::Switch,
        range: Range::Any,
        origin: "both clocks run in every source; Allerton 2008 analyses the byte counter alone",
        description: "Whether time passing completes cycles that raise the rate. Without it a flow whose rate was \
            cut to the minimum takes very long to send the bytes that bring it back, and there is no \
            hyper-active increase, which takes both clocks.",
        access: field!(rp.timer: Switch),
    },
    Parameter {
        key: "qcn.rp.time_reset",
        managed_object: Some("rpgTimeReset"),
        unit: Unit::Time,
        range: Range::Between(
            Value::Time(TimeDelta::from_micros(1)),
            Value::Time(TimeDelta::from_secs(1_000)),
        ),
        origin: "IEEE 802.1Q 32.11.2; Allerton 2008 has 10 ms; range: own choice",
        description: "Length of a cycle of the timer. It sets the pace at which slow flows recover and at which \
            bandwidth that has become free is found again.",
        access: field!(rp.time_reset: Time),
    },
    Parameter {
        key: "qcn.rp.threshold",
        managed_object: Some("rpgThreshold"),
        unit: Unit::Count,
        range: Range::Between(Value::Count(1), Value::Count(1_000)),
        origin: "IEEE 802.1Q 32.11.4; range: own choice",
        description: "Cycles of fast recovery, for either clock. Each of them halves the distance between the \
            current rate and the target; after them the target itself is raised.",
        access: field!(rp.threshold: Count),
    },
    Parameter {
        key: "qcn.rp.active_increase",
        managed_object: Some("rpgAiRate"),
        unit: Unit::Rate,
        range: RATES,
        origin: "IEEE 802.1Q 32.11.6; range: own choice",
        description: "What a cycle of active increase adds to the target. Larger steps find free bandwidth sooner \
            and disturb the queue more, in proportion to the number of flows.",
        access: field!(rp.active_increase: Rate),
    },
    Parameter {
        key: "qcn.rp.hyper_increase",
        managed_object: Some("rpgHaiRate"),
        unit: Unit::Rate,
        range: RATES,
        origin: "IEEE 802.1Q 32.11.7; range: own choice",
        description: "What hyper-active increase adds to the target, times the number of cycles that both clocks \
            have completed in it.",
        access: field!(rp.hyper_increase: Rate),
    },
    Parameter {
        key: "qcn.rp.gain",
        managed_object: Some("rpgGd"),
        unit: Unit::Power,
        range: Range::Between(Value::Power(Power::of_two(-20)), Value::Power(Power::of_two(0))),
        origin: "IEEE 802.1Q 32.11.8 (the managed object is the number of right shifts, 7); range: own choice",
        description: "The part of the current rate that one step of feedback takes away. With the default the \
            strongest feedback, 63, leaves 65/128 of the rate.",
        access: field!(rp.gain: Power),
    },
    Parameter {
        key: "qcn.rp.min_decrease_factor",
        managed_object: Some("rpgMinDecFac"),
        unit: Unit::Percent,
        range: Range::Between(Value::Percent(Percent::new(1)), Value::Percent(Percent::WHOLE)),
        origin: "IEEE 802.1Q 32.11.9",
        description: "The part of the current rate that a notification leaves at the least, whatever the feedback. \
            With the default gain it never binds.",
        access: field!(rp.min_decrease_factor: Percent),
    },
    Parameter {
        key: "qcn.rp.min_rate",
        managed_object: Some("rpgMinRate"),
        unit: Unit::Rate,
        range: RATES,
        origin: "IEEE 802.1Q 32.11.10; 10 Mb/s in the task group's simulations (unverified); range: own choice",
        description: "The rate is never cut below this. More flows than the link holds at this rate cannot be \
            controlled.",
        access: field!(rp.min_rate: Rate),
    },
    Parameter {
        key: "qcn.rp.max_rate",
        managed_object: Some("rpgMaxRate"),
        unit: Unit::RateOrLine,
        range: RATES,
        origin: "IEEE 802.1Q 32.11.5; range: own choice",
        description: "The rate is never raised above this nor above the rate of the port. When it is reached the \
            limiter can be released.",
        access: MAX_RATE,
    },
    Parameter {
        key: "qcn.rp.extra_fast_recovery",
        managed_object: None,
        unit: Unit::Switch,
        range: Range::Any,
        origin: "pseudo-code revision 2.2 and ns3-rdma; Allerton 2008 leaves it out",
        description: "Whether a notification that comes before the byte counter has completed a cycle keeps the \
            target of the one before. A burst of notifications then cuts the rate several times and the flow \
            still recovers to where it was. Switched off, every notification makes the current rate the target.",
        access: field!(rp.extra_fast_recovery: Switch),
    },
    Parameter {
        key: "qcn.rp.target_reduction",
        managed_object: None,
        unit: Unit::Switch,
        range: Range::Any,
        origin: "pseudo-code revision 2.2 and ns3-rdma; Allerton 2008 leaves it out",
        description: "Whether a target more than ten times the current rate is divided by eight in the first cycle \
            of either clock, so that a flow that was cut deeply does not jump back to half of its old rate.",
        access: field!(rp.target_reduction: Switch),
    },
    Parameter {
        key: "qcn.rp.target_cap",
        managed_object: None,
        unit: Unit::Switch,
        range: Range::Any,
        origin: "own choice; ns-3-dcn and ns3-rdma hold only the current rate at the line rate",
        description: "Whether the target is held at the largest rate. Switched off it grows beyond as the \
            current rate nears it. The current rate then arrives in fewer cycles, and after a notification that \
            keeps the target (extra fast recovery) the flow recovers towards a rate that the port does not have.",
        access: field!(rp.target_cap: Switch),
    },
    Parameter {
        key: "qcn.rp.period_halving",
        managed_object: None,
        unit: Unit::Switch,
        range: Range::Any,
        origin: "pseudo-code revision 2.2; ns3-rdma halves in hyper-active increase only",
        description: "Whether the cycles of a clock are half as long past fast recovery.",
        access: field!(rp.period_halving: Switch),
    },
    Parameter {
        key: "qcn.rp.hyper_phase",
        managed_object: None,
        unit: Unit::Switch,
        range: Range::Any,
        origin: "pseudo-code revision 2.2 and ns3-rdma; switching it off is our own choice",
        description: "Whether there is hyper-active increase. Switched off, active increase goes on instead.",
        access: field!(rp.hyper_phase: Switch),
    },
    Parameter {
        key: "qcn.rp.release",
        managed_object: None,
        unit: Unit::Choice(Release::CHOICES),
        range: Range::Any,
        origin: "pseudo-code revision 2.2; mlxconfig and LiquidIO release at the largest rate",
        description: "When the rate limiter is given back and its flows send freely until the next notification.",
        access: field!(rp.release: Choice of Release),
    },
    Parameter {
        key: "qcn.rp.jitter",
        managed_object: None,
        unit: Unit::Percent,
        range: Range::Between(Value::Percent(Percent::ZERO), Value::Percent(Percent::new(90))),
        origin: "pseudo-code revision 2.2 as in ns-3-dcn; ns3-rdma has none",
        description: "Spread of the length of cycles: each but the first after a notification is multiplied by a \
            uniform random factor this far below or above one, so that flows do not rise in step.",
        access: field!(rp.jitter: Percent),
    },
];

/// No rate of its own is the rate of the port.
const MAX_RATE: Access<Params> = Access {
    read: |params| params.rp.max_rate.map_or(Value::LineRate, Value::Rate),
    write: |params, value| {
        params.rp.max_rate = match value {
            Value::Rate(rate) => Some(rate),
            Value::LineRate => None,
            _ => return None,
        };
        Some(())
    },
};
