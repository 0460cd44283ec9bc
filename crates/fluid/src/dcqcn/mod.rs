//! DCQCN: the parameters of its fluid model.
//!
//! Source of the equations: Zhu, Ghobadi, Misra, Padhye, "ECN or delay: lessons learnt from analysis of DCQCN and
//! TIMELY" (CoNEXT 2016), figure "DCQCN fluid model". The equations are in `model/dcqcn.rs`.

mod vendor;

use setpoint_control::parameter::{Fraction, Percent};
use setpoint_units::{Bytes, Rate, TimeDelta};

use crate::Pi;

pub use vendor::Vendor;

/// Parameters of DCQCN. The defaults are those of the CoNEXT paper for 40 Gb/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// How the congestion point marks frames.
    pub marking: Marking,
    /// Where the congestion point marks frames.
    pub marked_at: MarkedAt,
    /// τ: the minimum time between two notifications to a source.
    pub notification_interval: TimeDelta,
    /// τ′: the interval of α's updates.
    pub alpha_interval: TimeDelta,
    /// T: the timer for rate increases.
    pub increase_timer: TimeDelta,
    /// B: the bytes that a source sends between two rate increases.
    pub byte_counter: Bytes,
    /// F: the number of increases in fast recovery.
    pub recovery_stages: u32,
    /// g: the weight of a new sample in α.
    pub gain: Fraction,
    /// R_AI: the step of active increase.
    pub active_increase: Rate,
    /// The minimum rate of a source. The paper has none.
    pub min_rate: Rate,
    /// How the equations count cuts and increases.
    pub cycles: Cycles,
}

/// Where the congestion point marks frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MarkedAt {
    /// When they leave the queue, so that the delay of the loop does not include queueing.
    #[default]
    Egress,
    /// When they enter the queue, so that a mark is older by the time that the frame spends in it.
    Ingress,
}

/// How the equations count cuts and increases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cycles {
    /// As printed: a cut in every interval τ that contains a mark, and increases between successive marks.
    #[default]
    AsPrinted,
    /// As the protocol counts them: means over the time between two cuts. A cut is followed by τ without cuts, and
    /// then by the time until the next mark. Marks within τ neither cut nor restart the clocks of increase.
    Renewal(FirstIncrease),
}

/// The first cycle after a cut that raises the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstIncrease {
    /// Cycle F.
    AtThreshold,
    /// Cycle F + 1, as in the printed equations.
    AfterThreshold,
}

/// How the congestion point marks frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Marking {
    /// By the queue length, as random early detection does.
    Red(Red),
    /// By a proportional-integral controller, which holds the queue at its reference.
    Pi(Pi),
}

/// Marking by queue length: the probability is zero up to Kmin, rises linearly to Pmax at Kmax, and is one above
/// Kmax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Red {
    /// Kmin.
    pub kmin: Bytes,
    /// Kmax.
    pub kmax: Bytes,
    /// Pmax: the probability at Kmax.
    pub largest: Percent,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            marking: Marking::Red(Red {
                kmin: Bytes::new(5_000),
                kmax: Bytes::new(200_000),
                largest: Percent::new(1),
            }),
            marked_at: MarkedAt::Egress,
            notification_interval: TimeDelta::from_micros(50),
            alpha_interval: TimeDelta::from_micros(55),
            increase_timer: TimeDelta::from_micros(55),
            byte_counter: Bytes::new(10_000_000),
            recovery_stages: 5,
            gain: Fraction::of_1024(4),
            active_increase: Rate::from_mbps(40),
            min_rate: Rate::from_mbps(10),
            cycles: Cycles::AsPrinted,
        }
    }
}
