//! Bridges: ports, queues, congestion points and inputs.
//!
//! A frame that arrives at an output-queued bridge enters the queue of its output port ([`output`]); a bridge with input
//! buffers forwards it differently ([`cioq`]). [`Bridges::forward_one`] distinguishes the two. A queue's congestion point
//! observes the frame ([`point`]), flow control counts it at its input ([`input`]), and departures that are not expected to
//! change are decided in advance ([`commit`]).

mod ahead;
mod build;
mod cioq;
mod commit;
mod input;
mod output;
mod point;
mod queue;
mod view;

use std::sync::Arc;

use crate::events::Event;
use crate::frame::{Frame, FrameKind};
use crate::ids::PortId;
use crate::index::{PortNo, QueueNo, Stretch};
use crate::network::node::context::Context;
use crate::network::node::pause::{PauseRules, PauseState};
use crate::network::node::port::{Port, Wake};
use crate::spec::Side;

pub(in crate::network) use build::{Numbers, QueueNumbers, place_of_point, point_of, port};
pub(in crate::network) use cioq::{CellUpdate, SLOT_BYTES, TimedMessage, fixed_bytes, keeps_culprits};
pub(in crate::network) use input::Input;
pub(in crate::network) use queue::{Committed, Queue};
pub(in crate::network) use view::QueuePlace;

use cioq::Cioq;

/// The bridges of a partition, including the spines of distributed bridges.
pub(in crate::network) struct Bridges {
    ports: Stretch<PortNo, Port>,
    /// For each port, the bytes that the bridge holds from its link.
    inputs: Stretch<PortNo, Input>,
    /// The pauses in effect at each port.
    pause_state: Stretch<PortNo, PauseState>,
    /// For each port that is not inside a fabric, an output queue for each class, followed by an input buffer for each class if
    /// bridges have them.
    queues: Stretch<QueueNo, Queue>,
    pause_rules: PauseRules,
    /// The interior of bridges with input buffers.
    cioq: Option<Box<Cioq>>,
    /// The outputs that the frames of each input can wait for, in the order of their ids. Empty without flow control.
    outputs: Stretch<PortNo, Vec<PortNo>>,
    /// The port whose [`Event::Ready`] is being handled.
    readying: Option<PortNo>,
    /// Notifications sent, by quantised feedback.
    feedback: [u64; 64],
    queue_numbers: QueueNumbers,
    /// The ids of all bridges' ports, including those in other partitions.
    ids: Arc<[PortId]>,
}

impl Bridges {
    /// Handles the arrival of the first frame in flight over a link.
    #[inline]
    pub(in crate::network) fn arrive(&mut self, cx: &mut Context, link: PortId, port: PortNo) {
        let Some(frame) = cx.land(link) else { return };
        match frame.kind() {
            FrameKind::Data => self.forward(cx, frame),
            FrameKind::Notification => self.forward_notification(cx, frame),
            FrameKind::Pause => self.receive_pause(cx, port, frame),
            FrameKind::Reply => self.forward_reply(cx, frame),
        }
    }

    /// Handles the arrival of a data frame.
    #[inline]
    fn forward(&mut self, cx: &mut Context, mut frame: Frame) {
        let mut more = 0;
        if cx.groups.include(frame) {
            let Some((copy, others)) = self.copy(cx, frame) else { return };
            (frame, more) = (copy, others);
        } else {
            frame = frame.advanced();
        }
        // A single call site for both kinds of frames, so that the call is inlined into the event loop.
        loop {
            self.forward_one(cx, frame);
            if more == 0 {
                return;
            }
            more -= 1;
            frame = cx.groups.copies[more];
        }
    }

    /// Forwards a data frame to its output.
    #[inline]
    fn forward_one(&mut self, cx: &mut Context, frame: Frame) {
        match self.cioq {
            None => self.enter_output_queue(cx, frame),
            Some(_) => self.enter(cx, frame),
        }
    }

    /// Handles the arrival of a frame addressed to a group. Stores the copies that must be forwarded separately in
    /// [`Groups::copies`](crate::network::node::multicast::Groups); returns the last of them and the number of copies before it.
    #[inline(never)]
    fn copy(&mut self, cx: &mut Context, frame: Frame) -> Option<(Frame, usize)> {
        let mut copies = std::mem::take(&mut cx.groups.copies);
        cx.groups.copy(frame, &mut copies);
        let stored_once = self.cioq.is_some();
        if copies.is_empty() {
            cx.groups.count_unwanted(frame);
        } else if !stored_once || self.enter_once(cx, &copies) {
            cx.groups.count_created(frame, copies.len() as u64 - 1);
        }
        cx.groups.copies = copies;
        let (&last, before) = cx.groups.copies.split_last()?;
        (!stored_once).then_some((last, before.len()))
    }

    /// Sends the next frame of a port that has finished a transmission.
    #[inline]
    pub(in crate::network) fn ready(&mut self, cx: &mut Context, port: PortNo) {
        self.ports[port].wake = Wake::Asleep;
        self.readying = Some(port);
        self.send_next(cx, port);
        self.readying = None;
    }

    /// Sends the next frame of a free port: a pause frame if one is due, otherwise a frame of the highest class that may be
    /// sent.
    #[inline]
    fn send_next(&mut self, cx: &mut Context, port: PortNo) {
        if self.ports[port].pause_frame_due {
            self.send_pause_frame(cx, port);
        } else if let Some(class) = self.ports[port].next_class() {
            let mut frame = self.dequeue(cx, port, class);
            if cx.rules.sees_departures {
                frame = self.departing(cx, port, frame);
            }
            self.ports[port].transmit(cx, frame, cx.now);
        }
        self.arm(cx, port);
    }

    /// Schedules the wake-up of a busy port that has frames to send.
    #[inline]
    fn arm(&mut self, cx: &mut Context, number: PortNo) {
        let port = &mut self.ports[number];
        let due = port.pause_frame_due || port.waiting & !port.paused != 0;
        if due && port.wake == Wake::Asleep {
            port.wake = Wake::Armed;
            cx.events.push(port.free_at.max(cx.now), Event::Ready(number));
        }
    }

    /// The output queue of a port and class.
    #[inline]
    fn queue_of(&self, port: PortNo, class: u8) -> QueueNo {
        self.queue_numbers.of_port(Side::Output, self.ports[port].queues, class)
    }

    /// The input buffer of a port and class.
    #[inline]
    fn input_queue(&self, port: PortNo, class: u8) -> QueueNo {
        self.queue_numbers.of_port(Side::Input, self.ports[port].queues, class)
    }

    /// The side of a queue, its port and its class.
    fn place_of(&self, queue: QueueNo) -> (Side, PortNo, u8) {
        self.queue_numbers.place_of(queue)
    }

    /// The port that feeds an input: the port at the other end of its link.
    fn feeding(&self, input: PortNo) -> PortId {
        self.ports[input].id.peer()
    }
}
