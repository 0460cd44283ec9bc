//! The memory use of a run, by part.

use setpoint_units::Bytes;

/// A part of the simulator that uses memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MemoryPart {
    /// Flows with their routes, limiters and statistics.
    Flows,
    /// Ports and stations.
    Ports,
    /// Output queues and input buffers, with their congestion points and histograms.
    Queues,
    /// Frames in queues and on links.
    Frames,
    /// Virtual output queues and culprit arrays.
    Inputs,
    /// Recorded time series.
    Series,
    /// Delivered messages.
    Messages,
}

impl MemoryPart {
    /// All parts.
    pub const ALL: [Self; 7] =
        [Self::Flows, Self::Ports, Self::Queues, Self::Frames, Self::Inputs, Self::Series, Self::Messages];

    /// The name of the part.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Flows => "flows",
            Self::Ports => "ports",
            Self::Queues => "queues",
            Self::Frames => "frames",
            Self::Inputs => "input buffers",
            Self::Series => "series",
            Self::Messages => "messages",
        }
    }

    /// How to reduce the memory use of the part.
    pub const fn remedy(self) -> &'static str {
        match self {
            Self::Flows => "simulate fewer flows",
            Self::Ports => "simulate a smaller network",
            Self::Queues => "simulate a smaller network or fewer priorities",
            Self::Frames => "make buffers smaller, delays shorter or frames longer",
            Self::Inputs => "make `input_buffer` smaller or its units larger",
            Self::Series => "sample less often (`sample_interval`) or simulate a shorter time",
            Self::Messages => "simulate a shorter time or send larger messages",
        }
    }
}

/// Bytes used by each part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory([u64; MemoryPart::ALL.len()]);

impl Memory {
    /// Adds bytes to a part.
    pub fn add(&mut self, part: MemoryPart, bytes: u64) {
        let held = &mut self.0[part as usize];
        *held = held.saturating_add(bytes);
    }

    /// The bytes used by a part.
    pub fn of(&self, part: MemoryPart) -> Bytes {
        Bytes::new(self.0[part as usize])
    }

    /// The sum over all parts.
    pub fn total(&self) -> Bytes {
        Bytes::new(self.0.iter().fold(0, |sum, &bytes| sum.saturating_add(bytes)))
    }

    /// The part that uses the most memory.
    pub fn largest(&self) -> MemoryPart {
        let by_size = |part: &MemoryPart| self.of(*part);
        MemoryPart::ALL.into_iter().max_by_key(by_size).unwrap_or(MemoryPart::Flows)
    }
}
