//! Conservation of bytes: everything a flow has sent is delivered, dropped, queued or in flight.

use setpoint_units::{Bytes, Time, TimeDelta};

use super::Network;
use super::queue::Queue;
use crate::error::SimError;
use crate::frame::{Frame, FrameKind};
use crate::ids::{FlowId, Priority};

/// Bytes of one flow in transit.
#[derive(Clone, Copy)]
struct UnderWay {
    queued: u64,
    in_flight: u64,
    /// When the oldest of these frames was sent.
    oldest: Time,
}

impl UnderWay {
    const NOTHING: Self = Self { queued: 0, in_flight: 0, oldest: Time::MAX };
}

impl Network {
    /// Checks the books if a check costs less than the events since the last one, so a network
    /// with many frames in transit is not checked at every sample. The books are always checked at
    /// the end of the run.
    pub(super) fn check_books_in_proportion(&mut self) -> Result<(), SimError> {
        let queued: usize = self.queues.iter().map(|queue| queue.frames.len()).sum();
        let flying: usize = self.ports.iter().map(|port| port.flight.len()).sum();
        let inside = self.frames_inside();
        let since = self.events.popped() - self.books_checked;
        if self.now < self.rules.end && since < (queued + flying + inside) as u64 {
            return Ok(());
        }
        self.books_checked = self.events.popped();
        let under_way = self.under_way();
        self.check_books(&under_way)?;
        self.forget_losses(&under_way);
        Ok(())
    }

    /// Settles lost message frames that were sent before every frame still in transit, as the next delivery
    /// would. Otherwise a flow that delivers nothing would accumulate them without bound.
    fn forget_losses(&mut self, under_way: &[UnderWay]) {
        for (index, (flow, under_way)) in self.flows.iter_mut().zip(under_way).enumerate() {
            if flow.books.lost.is_some() {
                self.recorder.damaged(index as u32, &flow.settle_losses(under_way.oldest));
            }
        }
    }

    fn check_books(&self, under_way: &[UnderWay]) -> Result<(), SimError> {
        let outputs = &self.queues[..self.ports.len() * self.classes.count()];
        debug_assert!(
            outputs.iter().all(Queue::adds_up),
            "a queue's length differs from the total length of its frames"
        );
        debug_assert!(
            self.inside_adds_up(),
            "the frames inside bridges do not match their buffers' counters"
        );
        debug_assert!(self.inputs_add_up(), "an input's counter does not match its waiting frames");
        for (index, (flow, under_way)) in self.flows.iter().zip(under_way).enumerate() {
            let books = &flow.books;
            let copies = self.groups.copies_of(index as u32);
            let arisen = books.sent + copies.created.get();
            let ended = books.delivered + books.dropped + copies.unwanted.get();
            if arisen != ended + under_way.queued + under_way.in_flight {
                return Err(SimError::Unbalanced {
                    at: self.now,
                    flow: FlowId(index as u32),
                    sent: Bytes::new(books.sent),
                    copied: copies.created,
                    unwanted: copies.unwanted,
                    delivered: Bytes::new(books.delivered),
                    dropped: Bytes::new(books.dropped),
                    queued: Bytes::new(under_way.queued),
                    in_flight: Bytes::new(under_way.in_flight),
                });
            }
        }
        Ok(())
    }

    /// Whether the inputs' counters equal the room that protected data takes.
    fn inputs_add_up(&self) -> bool {
        let mut held = vec![[0; Priority::COUNT]; self.inputs.len()];
        let mut count = |input: u32, class: u8, bytes: u64| {
            if self.pause_rules.protects(class) {
                held[input as usize][self.pause_rules.counter(class)] += bytes;
            }
        };
        if self.cioq.is_some() {
            self.count_held(count);
        } else {
            let frames = self.queues.iter().flat_map(|queue| queue.frames.iter());
            for frame in frames.filter(|frame| frame.kind == FrameKind::Data) {
                count(self.input_of(frame), frame.class, u64::from(frame.bytes));
            }
        }
        self.inputs.iter().zip(&held).all(|(input, held)| input.held == *held)
    }

    fn under_way(&self) -> Vec<UnderWay> {
        let mut under_way = vec![UnderWay::NOTHING; self.flows.len()];
        let data = |frame: &&Frame| frame.kind == FrameKind::Data;
        let mut queued = |frame: &Frame| {
            let flow = &mut under_way[frame.flow as usize];
            flow.queued += u64::from(frame.bytes);
            flow.oldest = flow.oldest.min(frame.sent_at());
        };
        self.queues.iter().flat_map(|queue| queue.frames.iter()).filter(data).for_each(&mut queued);
        self.inside().for_each(queued);
        let in_flight = self.ports.iter().flat_map(|port| port.flight.iter());
        for frame in in_flight.map(|flying| &flying.frame).filter(data) {
            let flow = &mut under_way[frame.flow as usize];
            flow.in_flight += u64::from(frame.bytes);
            flow.oldest = flow.oldest.min(frame.sent_at());
        }
        under_way
    }

    /// How long a message takes on its flow's path in an otherwise empty network.
    ///
    /// All frames except the last have full length and follow each other at the pace of the slowest link so
    /// far. The last frame may be shorter, and its predecessor can delay it.
    pub(super) fn ideal_time(&self, flow: u32, size: u64) -> TimeDelta {
        let entry = &self.flows[flow as usize];
        let full = u64::from(entry.source.frame_bytes());
        let last = ((size - 1) % full + 1) as u16;
        let before_last = (size - 1) / full;
        let (mut travelled, mut slowest, mut current) = (TimeDelta::ZERO, TimeDelta::ZERO, TimeDelta::ZERO);
        let path = self.entries(flow);
        for (hop, &index) in path.iter().enumerate() {
            let port = &self.ports[index as usize];
            if hop > 0 {
                travelled += self.idle_crossing(path[hop - 1], index, full as u16);
                current += self.idle_crossing(path[hop - 1], index, last);
            }
            let full = port.transmission_time(full as u16);
            travelled += full;
            slowest = slowest.max(full);
            if before_last > 0 {
                current = current.max(travelled + slowest * (before_last - 1));
            }
            current += port.transmission_time(last) + port.delay;
            travelled += port.delay;
        }
        current
    }

    /// The entries of a flow in the route table. For a flow to one station, these are its ports,
    /// starting at its own station.
    pub(super) fn entries(&self, flow: u32) -> &[u32] {
        let first = self.flows[flow as usize].second_step as usize - 1;
        let rest = &self.steps[first..];
        &rest[..self.flows[flow as usize].steps as usize]
    }
}
