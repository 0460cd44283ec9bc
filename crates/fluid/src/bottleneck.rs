//! What all models have in common: one queue, and the sources that share it.

use setpoint_units::{Bytes, Rate, Time, TimeDelta};

/// A queue in front of a link, and those who send over it.
///
/// Rates count what a frame takes on the wire, overhead included, as links and rate limiters do; the queue counts
/// frames without overhead, as congestion points do.
#[derive(Clone, Debug, PartialEq)]
pub struct Bottleneck {
    /// Length of a frame.
    pub frame: Bytes,
    /// Preamble and gap added to every frame on the wire.
    pub overhead: Bytes,
    /// The link's rate from a time on; the first is from zero, and times ascend.
    pub capacity: Vec<(Time, Rate)>,
    /// Room for waiting frames.
    pub buffer: Bytes,
    /// Who sends, in classes of sources that are all alike.
    pub classes: Vec<Class>,
}

/// Sources that are alike in everything.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// What it is called.
    pub name: String,
    /// How many sources there are.
    pub sources: u32,
    /// The loop's delay: from a change of the rate to the first feedback that tells of it, without the queue. It is
    /// counted between a source's rate and its reaction, so that where on the way it arises does not matter.
    pub delay: TimeDelta,
    /// The most a source can send at, at which it starts.
    pub line_rate: Rate,
    /// When the sources start.
    pub start: Time,
    /// When they stop, if they do.
    pub stop: Option<Time>,
    /// How they send.
    pub sending: Sending,
}

/// How the sources of a class send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sending {
    /// As much as they may, under congestion control, with a weight where the algorithm divides the link.
    Controlled {
        /// The weight, 1 where all are equal.
        weight: u32,
    },
    /// At a constant rate, whatever the queue: background traffic.
    Constant(Rate),
}

/// What is wrong with a bottleneck.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BottleneckError {
    /// There is nothing to control.
    #[error("no class of sources is under congestion control")]
    NothingControlled,
    /// The frame has no length.
    #[error("a frame of 0 B; at least 1 B")]
    EmptyFrame,
    /// The link has no rate at the start.
    #[error("the link has no rate at 0 s: the first entry must be for 0 s, and times must ascend")]
    Capacity,
    /// A class without sources.
    #[error("class `{0}` has no sources; at least one")]
    EmptyClass(String),
    /// A class ends before it starts.
    #[error("class `{0}` stops at {1}, before it starts")]
    StopsBeforeStart(String, Time),
}

impl Bottleneck {
    /// Whether everything in it makes sense together.
    ///
    /// # Errors
    /// The first thing that does not.
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

    /// Frames per second that a rate is.
    #[must_use]
    pub fn frames_per_second(&self, rate: Rate) -> f64 {
        rate.bits_per_second() as f64 / self.bits_on_the_wire()
    }

    /// The rate in bits per second that frames per second are.
    #[must_use]
    pub fn bits_per_second(&self, frames_per_second: f64) -> f64 {
        frames_per_second * self.bits_on_the_wire()
    }

    /// A length in frames.
    #[must_use]
    pub fn frames(&self, length: Bytes) -> f64 {
        length.get() as f64 / self.frame.get() as f64
    }

    fn bits_on_the_wire(&self) -> f64 {
        8.0 * (self.frame + self.overhead).get() as f64
    }
}
