//! The network of the table of margins in `docs/algorithms/fluid-models.md`: 10 Gb/s, frames of 1500 bytes.

use setpoint_control::parameter::Switch;
use setpoint_control::qcn;
use setpoint_fluid::{Bottleneck, Class, Scheme, Sending};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

/// N sources with 40 Gb/s ports on a 10 Gb/s link, with a loop delay and without overhead on the wire.
pub(crate) fn bottleneck(sources: u32, delay: TimeDelta) -> Bottleneck {
    Bottleneck {
        frame: Bytes::new(1_500),
        overhead: Bytes::ZERO,
        capacity: vec![(Time::ZERO, Rate::from_gbps(10))],
        buffer: Bytes::new(1_000_000),
        classes: vec![Class {
            name: "sources".to_owned(),
            sources,
            delay,
            line_rate: Rate::from_gbps(40),
            start: Time::ZERO,
            stop: None,
            sending: Sending::Controlled { weight: 1 },
        }],
    }
}

/// QCN with a Qeq of 22 frames, a largest cut of one half, and cycles of the same length in active increase
/// and recovery.
pub(crate) fn parameters() -> qcn::Params {
    let mut params = qcn::Params::default();
    params.cp.set_point = Bytes::new(33_000);
    params.cp.quantizer = qcn::Quantizer::SixtyFourSteps;
    params.rp.period_halving = Switch::Off;
    params
}

/// The same parameters as a scheme.
pub(crate) fn qcn() -> Scheme {
    Scheme::Qcn(parameters())
}
