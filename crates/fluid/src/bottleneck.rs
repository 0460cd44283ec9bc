//! The subject of every model: one queue and the sources that share it.

use setpoint_units::{Bytes, Rate, Time, TimeDelta};

/// A queue in front of a link, and the sources that send over it.
///
/// Rates count a frame's bytes on the wire, including overhead, as links and rate limiters do. The queue
/// counts frames without overhead, as congestion points do.
///
/// ```
/// use setpoint_fluid::BottleneckError;
/// use setpoint_fluid::{Bottleneck, Class, Sending};
/// use setpoint_units::{Bytes, Rate, Time, TimeDelta};
///
/// let mut bottleneck = Bottleneck {
///     frame: Bytes::new(1_500),
///     overhead: Bytes::ZERO,
///     capacity: vec![(Time::ZERO, Rate::from_gbps(10))],
///     buffer: Bytes::new(1_000_000),
///     classes: vec![Class {
///         name: "senders".to_owned(),
///         sources: 10,
///         delay: TimeDelta::from_micros(50),
///         line_rate: Rate::from_gbps(10),
///         start: Time::ZERO,
///         stop: None,
///         sending: Sending::Controlled { weight: 1 },
///     }],
/// };
/// assert_eq!(bottleneck.check(), Ok(()));
/// assert_eq!(bottleneck.frames(Bytes::new(33_000)), 22.0);
///
/// bottleneck.frame = Bytes::ZERO;
/// assert_eq!(bottleneck.check(), Err(BottleneckError::EmptyFrame));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Bottleneck {
    /// Length of a frame.
    pub frame: Bytes,
    /// Preamble and gap added to every frame on the wire.
    pub overhead: Bytes,
    /// The link rate from each given time onwards; the first entry is for time zero, and times are in
    /// ascending order.
    pub capacity: Vec<(Time, Rate)>,
    /// Buffer space for waiting frames.
    pub buffer: Bytes,
    /// The sources, grouped into classes of identical sources.
    pub classes: Vec<Class>,
}

/// A class of identical sources.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// Its name.
    pub name: String,
    /// The number of sources.
    pub sources: u32,
    /// The loop delay: from a rate change to the first feedback that reflects it, excluding
    /// queueing. It is applied between a source's rate and its reaction, so it does not matter
    /// where along the path it arises.
    pub delay: TimeDelta,
    /// The maximum rate of a source, which is also its initial rate.
    pub line_rate: Rate,
    /// The time at which the sources start.
    pub start: Time,
    /// The time at which they stop, if ever.
    pub stop: Option<Time>,
    /// How they send.
    pub sending: Sending,
}

/// How the sources of a class send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sending {
    /// As much as congestion control permits, with a weight if the algorithm divides the link.
    Controlled {
        /// The weight; 1 if all are equal.
        weight: u32,
    },
    /// Background traffic at a constant rate, regardless of the queue.
    Constant(Rate),
}

/// An invalid bottleneck.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BottleneckError {
    /// No class is under congestion control.
    #[error("no class of sources is under congestion control")]
    NothingControlled,
    /// The frame length is zero.
    #[error("the frame length is 0 B; it must be at least 1 B")]
    EmptyFrame,
    /// The link has no rate at the start.
    #[error("the link has no rate at 0 s; the first entry must be for 0 s, and times must ascend")]
    Capacity,
    /// A class has no sources.
    #[error("class `{0}` has no sources; it needs at least one")]
    EmptyClass(String),
    /// A class stops before it starts.
    #[error("class `{0}` stops at {1}, before it starts")]
    StopsBeforeStart(String, Time),
}

impl Bottleneck {
    /// Checks the bottleneck for consistency.
    ///
    /// # Errors
    /// Returns the first inconsistency found.
    pub fn check(&self) -> Result<(), BottleneckError> {
        if self.frame == Bytes::ZERO {
            return Err(BottleneckError::EmptyFrame);
        }
        let ascending = self.capacity.windows(2).all(|pair| pair[0].0 < pair[1].0);
        if !ascending || self.capacity.first().is_none_or(|first| first.0 != Time::ZERO) {
            return Err(BottleneckError::Capacity);
        }
        for class in &self.classes {
            if class.sources == 0 {
                return Err(BottleneckError::EmptyClass(class.name.clone()));
            }
            if let Some(stop) = class.stop.filter(|stop| *stop < class.start) {
                return Err(BottleneckError::StopsBeforeStart(class.name.clone(), stop));
            }
        }
        let controlled = |class: &Class| matches!(class.sending, Sending::Controlled { .. });
        if self.classes.iter().any(controlled) { Ok(()) } else { Err(BottleneckError::NothingControlled) }
    }

    /// Converts a rate to frames per second.
    pub fn frames_per_second(&self, rate: Rate) -> f64 {
        rate.bits_per_second() as f64 / self.bits_on_the_wire()
    }

    /// Converts a rate in frames per second to bits per second.
    pub fn bits_per_second(&self, frames_per_second: f64) -> f64 {
        frames_per_second * self.bits_on_the_wire()
    }

    /// Converts a length to frames.
    pub fn frames(&self, length: Bytes) -> f64 {
        length.get() as f64 / self.frame.get() as f64
    }

    fn bits_on_the_wire(&self) -> f64 {
        8.0 * (self.frame + self.overhead).get() as f64
    }
}
