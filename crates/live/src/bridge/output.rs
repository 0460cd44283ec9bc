//! An output of a bridge: a queue per priority, in front of a transmitter with a configured rate.

use std::collections::VecDeque;

use setpoint_control::FlowKey;
use setpoint_units::{Time, TimeDelta};
use setpoint_wire::Priority;

use crate::pauses::Pauses;
use crate::transmitter::Transmitter;

/// A waiting frame.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) octets: Vec<u8>,
    /// Its length on the wire.
    pub(super) length: u64,
    arrived: Time,
    /// The port whose input buffer it occupies, if its priority is lossless.
    pub(super) holds: Option<usize>,
    /// The configured flow whose delivered bytes include it once it has left.
    pub(super) planned: Option<usize>,
    /// Its flow; `None` for the bridge's own frames, which congestion points do not observe.
    pub(super) flow: Option<FlowKey>,
}

/// The output of one port.
#[derive(Debug)]
pub(super) struct Output {
    queues: [VecDeque<Waiting>; 8],
    pub(super) lengths: [u64; 8],
    pub(super) transmitter: Transmitter,
    /// The pauses requested by the neighbour.
    pub(super) pauses: Pauses,
}

impl Output {
    pub(super) fn new(transmitter: Transmitter, patience: TimeDelta) -> Self {
        Self { queues: Default::default(), lengths: [0; 8], transmitter, pauses: Pauses::new(patience) }
    }

    /// Whether the transmission of a frame of this priority would begin at once, before that of any waiting frame.
    pub(super) fn is_idle(&self, now: Time, priority: Priority) -> bool {
        self.transmitter.start(now) <= now
            && self.pauses.ready(priority) <= now
            && self.due().is_none_or(|due| due > now)
    }

    pub(super) fn push(&mut self, priority: Priority, waiting: Waiting) {
        let index = usize::from(priority.number());
        self.lengths[index] += waiting.length;
        self.queues[index].push_back(waiting);
    }

    /// The next frame to be transmitted, and when: of the frames whose transmission could begin first, the one with
    /// the highest priority.
    fn next(&self) -> Option<(Time, Priority)> {
        let mut next: Option<(Time, Priority)> = None;
        for priority in Priority::ALL.into_iter().rev() {
            let Some(first) = self.queues[usize::from(priority.number())].front() else { continue };
            let start = self.transmitter.start(first.arrived.max(self.pauses.ready(priority)));
            if next.is_none_or(|(earliest, _)| start < earliest) {
                next = Some((start, priority));
            }
        }
        next
    }

    /// The time at which the transmission of the next frame begins, if a frame is waiting.
    pub(super) fn due(&self) -> Option<Time> {
        self.next().map(|(start, _)| start)
    }

    /// Removes the next frame if its transmission has begun by now, and returns it with the time at which it began. The
    /// caller must transmit or drop it.
    pub(super) fn take(&mut self, now: Time) -> Option<(Time, Priority, Waiting)> {
        self.pauses.expire(now);
        let (start, priority) = self.next().filter(|(start, _)| *start <= now)?;
        let index = usize::from(priority.number());
        let waiting = self.queues[index].pop_front()?;
        self.lengths[index] -= waiting.length;
        Some((start, priority, waiting))
    }

    /// Removes all waiting frames, because the link is down.
    pub(super) fn clear(&mut self) -> Vec<(Priority, Waiting)> {
        self.lengths = [0; 8];
        let queues = Priority::ALL.into_iter().zip(&mut self.queues);
        queues.flat_map(|(priority, queue)| queue.drain(..).map(move |waiting| (priority, waiting))).collect()
    }
}

impl Waiting {
    pub(super) fn new(octets: Vec<u8>, length: u64, arrived: Time) -> Self {
        Self { octets, length, arrived, holds: None, planned: None, flow: None }
    }
}
