//! Prefetching the state of a bridge that is about to handle an event.

use super::core::Core;
use super::set::{BridgeSet, Buffering};
use crate::frame::Frame;
use crate::index::{PortNo, QueueNo};
use crate::network::node::context::Context;
use crate::network::node::link::End;
use crate::network::node::port::highest;
use crate::prefetch::prefetch;

impl<B> BridgeSet<B>
where
    Self: Buffering,
{
    /// Prefetches the state needed for the arrival of a data frame.
    #[inline]
    pub(in crate::network) fn look_at_arrival(&self, cx: &Context, frame: Frame, depth: u32) {
        if cx.rules.sees_departures {
            self.look_at_sender(cx, frame, depth);
        }
        let frame = frame.advanced();
        if depth == 0 {
            return cx.routes.prefetch(frame);
        }
        self.look_at_entry(cx, frame, depth - 1);
    }

    /// Prefetches the state of the port that has sent a data frame, and the frame's report.
    #[inline(never)]
    fn look_at_sender(&self, cx: &Context, frame: Frame, depth: u32) {
        cx.look_at_report(frame, depth);
        // Depth 0 prefetches the entries of both bridges, which are next to each other.
        if depth == 0 {
            return;
        }
        let output = cx.routes.output_of(frame);
        if Self::COMMITS && self.core.ports.includes(output) {
            match depth {
                1 => prefetch(&self.core.ports[output].free_at),
                _ => prefetch(&self.core.queues[self.core.queue_of(output, frame.class())].length),
            }
        }
    }

    /// Prefetches the state needed for the arrival of a reply.
    #[inline]
    pub(in crate::network) fn look_at_reply(&self, cx: &Context, frame: Frame, depth: u32) {
        let frame = frame.at(frame.hop().before());
        if depth == 0 {
            return cx.routes.prefetch(frame);
        }
        self.core.look_at_port_of(cx, (cx.routes.input_of(frame), frame.class()), depth - 1);
    }

    /// Prefetches the state that a port needs to send its next frame.
    #[inline]
    pub(in crate::network) fn look_at_port(&self, cx: &Context, number: PortNo, depth: u32) {
        let port = &self.core.ports[number];
        if depth == 0 {
            return prefetch(&port.free_at);
        }
        let Some(class) = highest(port.ready()) else { return };
        let queue = self.core.queue_of(number, class);
        match depth {
            1 => {
                self.core.look_at_queue(queue);
                prefetch(&cx.links[port.id]);
            }
            2 => {
                if let Some(frame) = self.core.queues[queue].frames.front() {
                    prefetch(frame);
                }
                if let Some(flying) = cx.links[port.id].flight.front() {
                    prefetch(flying);
                }
                self.core.look_at_dwell(queue);
            }
            _ => {
                // A frame that has arrived at a station is recorded when the next one is sent.
                let link = &cx.links[port.id];
                if let (End::Station(_), Some(flying)) = (link.to, link.flight.front())
                    && flying.frame.is_data()
                {
                    cx.receivers.prefetch(cx.routes.flow_of(flying.frame));
                }
            }
        }
        self.look_at_departure(number, queue, depth);
    }
}

impl Core {
    /// Prefetches the state needed when a frame enters the queue of its output.
    #[inline]
    pub(super) fn look_at_output(&self, cx: &Context, frame: Frame, depth: u32) {
        self.look_at_port_of(cx, (cx.routes.output_of(frame), frame.class()), depth);
    }

    /// Prefetches the state needed when a frame of a class is put on the link of a port or into its queue.
    #[inline]
    fn look_at_port_of(&self, cx: &Context, (output, class): (PortNo, u8), depth: u32) {
        let queue = self.queue_of(output, class);
        if depth == 0 {
            prefetch(&self.ports[output].free_at);
            self.look_at_queue(queue);
        } else {
            prefetch(&cx.links[self.ports[output].id]);
            self.look_at_dwell(queue);
        }
    }

    /// Prefetches the part of a queue that every frame changes.
    #[inline]
    pub(super) fn look_at_queue(&self, queue: QueueNo) {
        let queue = &self.queues[queue];
        prefetch(&queue.length);
        prefetch(&queue.dwell);
        prefetch(&queue.frames);
    }

    /// Prefetches the histogram step of a queue's current length.
    #[inline]
    pub(super) fn look_at_dwell(&self, queue: QueueNo) {
        let queue = &self.queues[queue];
        queue.dwell.prefetch(queue.length);
    }
}
