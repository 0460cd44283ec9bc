//! The parameters of the congestion point.

use setpoint_units::Bytes;

use super::super::params::{FirstSample, OldQueue, Params, Quantizer, Sampling};
use crate::parameter::{Parameter, Percent, Power, Range, Unit, Value, field};

/// The largest value of the standard's 32-bit objects.
const MOST_OCTETS: Value = Value::Size(Bytes::new(u32::MAX as u64));

const PROBABILITY: Range =
    Range::Between(Value::Percent(Percent::from_hundredths(1)), Value::Percent(Percent::WHOLE));

pub(super) const PARAMETERS: &[Parameter<Params>] = &[
    Parameter {
        key: "qcn.cp.set_point",
        managed_object: Some("cpQSp"),
        unit: Unit::Size,
        range: Range::Between(Value::Size(Bytes::new(100)), MOST_OCTETS),
        origin: "IEEE 802.1Q 30.2 and 32.8.3 (CpQueueSizeSetPoint); 33 kB in the task group's simulations (unverified)",
        description: "The queue length that the congestion point aims at. Above it sources are told to slow \
            down, below it they are left to speed up. A larger set point keeps the link busy through larger \
            swings of the queue, and costs delay.",
        access: field!(cp.set_point: Size),
    },
    Parameter {
        key: "qcn.cp.weight",
        managed_object: Some("cpW"),
        unit: Unit::Power,
        range: Range::Between(Value::Power(Power::of_two(-10)), Value::Power(Power::of_two(10))),
        origin: "IEEE 802.1Q 32.8.6 (CpFeedbackWeight, whose value is the exponent)",
        description: "How much the growth of the queue since the last sample counts against its distance from \
            the set point. Growth stands for the excess of arrivals over the link's rate, so a larger weight \
            reacts earlier and damps more, and is more easily misled by bursts.",
        access: field!(cp.weight: Power),
    },
    Parameter {
        key: "qcn.cp.sample_base",
        managed_object: Some("cpSampleBase"),
        unit: Unit::Size,
        range: Range::Between(Value::Size(Bytes::new(10_000)), MOST_OCTETS),
        origin: "IEEE 802.1Q 32.8.11 (CpMinSampleBase)",
        description: "Bytes enqueued between two samples of a queue without congestion. Under congestion \
            samples come up to eight times as often: the mark table 150, 75, 50, 37.5, 30, 25, 21.5, 18.5 kB, \
            by the upper three bits of the last feedback, is scaled in proportion to this base.",
        access: field!(cp.sample_base: Size),
    },
    Parameter {
        key: "qcn.cp.jitter",
        managed_object: None,
        unit: Unit::Percent,
        range: Range::Between(Value::Percent(Percent::ZERO), Value::Percent(Percent::new(90))),
        origin: "ns-3-dcn; IEEE 802.1Q 32.9.1 and 32.9.2, Random and NewCpSampleBase (unverified)",
        description: "Spread of the bytes between samples: each interval of the mark table is multiplied by a \
            uniform random factor this far below or above one. It keeps the samples from falling into step \
            with periodic traffic. \"0 %\" makes sampling regular.",
        access: field!(cp.jitter: Percent),
    },
    Parameter {
        key: "qcn.cp.quantizer",
        managed_object: None,
        unit: Unit::Choice(Quantizer::CHOICES),
        range: Range::Any,
        origin: "HPE FlexFabric 5940 manual; IEEE 802.1Q 32.9.4 (unverified); rounding down is our own choice",
        description: "How the feedback becomes the six bits of a notification. The published descriptions \
            differ: they scale by 63 or by 64, or take the upper bits of the binary number. A feedback of less \
            than one step (2064, 2032 or 2048 bytes by default) sends no notification.",
        access: field!(cp.quantizer: Choice of Quantizer),
    },
    Parameter {
        key: "qcn.cp.sampling",
        managed_object: None,
        unit: Unit::Choice(Sampling::CHOICES),
        range: Range::Any,
        origin: "pseudo-code revision 2.2 (table); Allerton 2008, figure 2 (linear)",
        description: "Which frames are sampled: those that end an interval of the mark table, each with a fixed \
            probability or one that grows with the feedback, or all of them. Only sampled frames can give a \
            notification.",
        access: field!(cp.sampling: Choice of Sampling),
    },
    Parameter {
        key: "qcn.cp.fixed_probability",
        managed_object: None,
        unit: Unit::Percent,
        range: PROBABILITY,
        origin: "one frame of 1500 bytes in 150 kB, the sample base of IEEE 802.1Q; own choice",
        description: "The probability that a frame is sampled under the sampling \"fixed\".",
        access: field!(cp.fixed_probability: Percent),
    },
    Parameter {
        key: "qcn.cp.lowest_probability",
        managed_object: None,
        unit: Unit::Percent,
        range: PROBABILITY,
        origin: "Allerton 2008, figure 2 (end points unverified)",
        description: "The probability that a frame is sampled under the sampling \"linear\" while there is no \
            congestion. From here it grows in proportion to the feedback.",
        access: field!(cp.lowest_probability: Percent),
    },
    Parameter {
        key: "qcn.cp.highest_probability",
        managed_object: None,
        unit: Unit::Percent,
        range: PROBABILITY,
        origin: "Allerton 2008, figure 2 (end points unverified)",
        description: "The probability that a frame is sampled under the sampling \"linear\" when the feedback \
            is the largest there is, Qeq(2w+1), or would be larger.",
        access: field!(cp.highest_probability: Percent),
    },
    Parameter {
        key: "qcn.cp.first_sample",
        managed_object: None,
        unit: Unit::Choice(FirstSample::CHOICES),
        range: Range::Any,
        origin: "own choice, with the Linux queueing discipline; ns-3-dcn samples the first frame",
        description: "When the first sample is taken under the sampling \"table\". The sources do not agree, and \
            it matters for the first hundred frames only.",
        access: field!(cp.first_sample: Choice of FirstSample),
    },
    Parameter {
        key: "qcn.cp.old_queue",
        managed_object: None,
        unit: Unit::Choice(OldQueue::CHOICES),
        range: Range::Any,
        origin: "pseudo-code revision 2.2 and the definitions of July 2007; Allerton 2008 has the last feedback",
        description: "The queue length that growth is counted from. With \"last-feedback\" a sample that gives no \
            notification is forgotten, and the growth of a queue that was below the set point for long is \
            counted from where it was when it was last too long.",
        access: field!(cp.old_queue: Choice of OldQueue),
    },
];
