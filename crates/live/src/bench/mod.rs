//! The speed of the bridge: the highest rate without loss, and the CPU time per frame.
//!
//! A generator sends frames of 1500 octets of payload through a bridge to a sink, each in a network namespace of its own. The
//! same generator and sink measure three arms: a plain link, the kernel's bridge, and the bridge of this crate. The plain
//! link shows the limit of the generator and the sink, and what they cost by themselves.

mod arm;
mod generator;
mod search;
mod shared;
mod sink;
mod stage;

use setpoint_units::{Rate, TimeDelta};

use crate::testbed::TestbedError;
use generator::Generator;

pub use arm::Arm;
pub use search::{Bound, Highest};

/// The payload of a frame. Rates count these octets only.
pub const PAYLOAD: u64 = 1_500;
/// The rate that the bridge must forward without loss.
pub const REQUIRED: Rate = Rate::from_mbps(300);
/// The rate at which the CPU time is measured: at lower rates, most of it is spent on waking up.
pub const LOADED: Rate = Rate::from_gbps(1);

/// Frames sent and received in one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The rate that was wanted.
    pub wanted: Rate,
    /// The frames that the generator sent.
    pub sent: u64,
    /// The frames that reached the sink.
    pub received: u64,
    /// The time during which the generator sent.
    pub sending: TimeDelta,
    /// The time from the end of sending to the last arrival.
    pub lag: TimeDelta,
    /// The CPU time of the bridge's thread.
    pub bridge_time: TimeDelta,
    /// The CPU time of the generator's and the sink's threads, which includes the kernel's work on their frames.
    pub stations_time: TimeDelta,
}

/// Measurements of one arm.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    /// The arm.
    pub arm: Arm,
    /// The step at [`REQUIRED`].
    pub required: Step,
    /// The step at [`LOADED`].
    pub loaded: Step,
    /// The highest rate without loss.
    pub highest: Highest,
}

/// Observes a measurement.
pub trait Observer: Sync {
    /// Called after every step.
    fn step(&self, arm: Arm, step: &Step);
    /// Whether to stop before the next step.
    fn stops(&self) -> bool;
}

impl Step {
    /// The frames that did not arrive.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.sent.saturating_sub(self.received)
    }

    /// The rate that the generator reached, in bits per second.
    #[must_use]
    pub fn offered(&self) -> f64 {
        self.frames_per_second() * (PAYLOAD * 8) as f64
    }

    /// The frames per second that the generator sent.
    #[must_use]
    pub fn frames_per_second(&self) -> f64 {
        self.sent as f64 / seconds(self.sending)
    }

    /// The CPU time per frame of the bridge's thread, in seconds.
    #[must_use]
    pub fn bridge_seconds(&self) -> f64 {
        seconds(self.bridge_time) / self.sent.max(1) as f64
    }

    /// The CPU time per frame of the generator and the sink, in seconds.
    #[must_use]
    pub fn stations_seconds(&self) -> f64 {
        seconds(self.stations_time) / self.sent.max(1) as f64
    }
}

/// Measures an arm with steps of a given length: first the fixed rates, then the search for the highest.
///
/// # Errors
/// If the machine does not allow namespaces, or if the observer stopped the measurement.
pub fn measure(arm: Arm, length: TimeDelta, observer: &dyn Observer) -> Result<Figures, TestbedError> {
    stage::with(arm, |generator| {
        let mut step = |rate| observed(generator, rate, length, (arm, observer));
        let required = search::repeated(REQUIRED, &mut step)?.0;
        let loaded = search::repeated(LOADED, &mut step)?.0;
        let highest = search::highest(&mut step)?;
        Ok(Figures { arm, required, loaded, highest })
    })
}

/// Measures an arm at one rate.
///
/// # Errors
/// If the machine does not allow namespaces.
pub fn measure_at(arm: Arm, rate: Rate, length: TimeDelta) -> Result<Step, TestbedError> {
    stage::with(arm, |generator| generator.step(rate, length))
}

fn observed(
    generator: &mut Generator<'_>,
    rate: Rate,
    length: TimeDelta,
    (arm, observer): (Arm, &dyn Observer),
) -> Result<Step, TestbedError> {
    if observer.stops() {
        return Err(TestbedError::Stopped);
    }
    let step = generator.step(rate, length)?;
    observer.step(arm, &step);
    Ok(step)
}

fn seconds(span: TimeDelta) -> f64 {
    span.as_picos() as f64 / 1e12
}
