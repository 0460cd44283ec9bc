//! The bridges of a partition, and the operations that depend on how they buffer frames.

use crate::events::Event;
use crate::frame::{Frame, FrameKind};
use crate::ids::PortId;
use crate::index::{PortNo, QueueNo};
use crate::network::node::bridge::core::Core;
use crate::network::node::context::Context;
use crate::network::node::port::Wake;
use crate::spec::Side;
use setpoint_control::FlowKey;

/// The bridges of a partition, which all buffer frames in the same way.
pub(in crate::network) struct BridgeSet<B> {
    pub(super) core: Core,
    pub(super) buffers: B,
}

/// The fate of the copies of a frame that is addressed to a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::network) enum Copied {
    /// Each copy still has to enter the bridge.
    Separately,
    /// The bridge has stored the frame once for all of them.
    Once,
    /// There was no buffer space for the frame.
    Dropped,
}

/// The operations that depend on how bridges buffer frames.
pub(in crate::network) trait Buffering {
    /// Whether departures may be decided when a frame is enqueued ([`super::commit`]).
    const COMMITS: bool;

    /// Handles the arrival of a data frame. Without `EXTRAS`, bridges do not drop, mark or stamp frames.
    fn enter<const EXTRAS: bool>(&mut self, cx: &mut Context, frame: Frame);

    /// Handles the arrival of a frame addressed to a group, given its copies (at least one).
    fn enter_copies(&mut self, _: &mut Context, _: &[Frame]) -> Copied {
        Copied::Separately
    }

    /// Adds a reply to the queue of a busy port, or drops it.
    fn enqueue_reply(&mut self, cx: &mut Context, output: PortNo, frame: Frame);

    /// Frees the buffer space of a frame that has left the queue of an output.
    fn left(&mut self, cx: &mut Context, output: PortNo, queue: QueueNo, frame: Frame);

    /// Allocates buffer space for a notification in an output's queue; returns whether there was enough.
    fn take_room(&mut self, queue: QueueNo, bytes: u16) -> bool;

    /// Forwards a notification from another bridge, which has arrived at an output of its flow.
    fn pass_notification(&mut self, cx: &mut Context, frame: Frame);

    /// Sends a notification that the congestion point on the given side of a port has issued.
    fn send_issued(&mut self, cx: &mut Context, place: (Side, PortNo), notification: Frame);

    /// The flow that the congestion point of an input notifies in place of the sampled frame's flow.
    fn culprit(&mut self, _: PortNo, _: u8) -> Option<FlowKey> {
        None
    }

    /// Pauses the sender of an input if the input, which is not empty, exceeds its threshold.
    fn pause_if_needed(&mut self, cx: &mut Context, input: PortNo, counter: usize);

    /// Called when an input pauses some classes of its sender.
    fn paused(&mut self, _: &mut Context, _: PortNo, _: u8) {}

    /// The outputs for which an input holds frames, in ascending order, each with the number of bytes included in the given
    /// counter of the input.
    fn waiting_of(&self, cx: &Context, input: PortNo, counter: usize) -> Vec<(PortId, u64)>;

    /// Whether the counters of buffers match the frames in them.
    fn adds_up(&self, cx: &Context) -> Result<(), &'static str>;

    /// Handles an event inside bridges.
    fn inside(&mut self, _: &mut Context, event: Event) {
        unreachable!("nothing happens inside these bridges: {event:?}")
    }

    /// Prefetches the state needed when a frame enters its bridge.
    fn look_at_entry(&self, cx: &Context, frame: Frame, depth: u32);

    /// Prefetches the state needed when a port sends the first frame of a queue.
    #[inline]
    fn look_at_departure(&self, _: PortNo, _: QueueNo, _: u32) {}

    /// Prefetches the state needed for an event inside bridges.
    #[inline]
    fn look_inside(&self, _: &Context, _: Event, _: u32) {}
}

impl<B> BridgeSet<B>
where
    Self: Buffering,
{
    /// Handles the arrival of the first frame in flight over a link.
    #[inline]
    pub(in crate::network) fn arrive<const EXTRAS: bool>(
        &mut self,
        cx: &mut Context,
        link: PortId,
        port: PortNo,
    ) {
        let Some(frame) = cx.land(link) else { return };
        if frame.is_plain_data() || self.arrive_specially(cx, (link, port), frame) {
            self.forward::<EXTRAS>(cx, frame);
        }
    }

    /// Handles the arrival of a frame that is no data frame or that may end a message. Returns whether it is a data frame, which is
    /// forwarded like the others.
    #[inline(never)]
    fn arrive_specially(&mut self, cx: &mut Context, (link, port): (PortId, PortNo), frame: Frame) -> bool {
        match frame.kind() {
            FrameKind::Data => {
                cx.cross(link, frame, cx.now);
                return true;
            }
            FrameKind::Notification => self.pass_notification(cx, frame.at(frame.hop().before())),
            FrameKind::Pause => self.receive_pause(cx, port, frame),
            FrameKind::Reply => self.forward_reply(cx, frame),
            FrameKind::Lost => {}
        }
        false
    }

    /// Handles the arrival of a data frame.
    #[inline]
    fn forward<const EXTRAS: bool>(&mut self, cx: &mut Context, mut frame: Frame) {
        let mut more = 0;
        if cx.groups.include(frame) {
            let Some((copy, others)) = self.copy(cx, frame) else { return };
            (frame, more) = (copy, others);
        } else {
            frame = frame.advanced();
        }
        // A single call site for both kinds of frames, so that the call is inlined into the event loop.
        loop {
            self.enter::<EXTRAS>(cx, frame);
            if more == 0 {
                return;
            }
            more -= 1;
            frame = cx.groups.copies[more];
        }
    }

    /// Handles the arrival of a frame addressed to a group. Stores the copies that must be forwarded separately in
    /// [`Groups::copies`](crate::network::node::multicast::Groups); returns the last of them and the number of copies before it.
    #[inline(never)]
    fn copy(&mut self, cx: &mut Context, frame: Frame) -> Option<(Frame, usize)> {
        let mut copies = std::mem::take(&mut cx.groups.copies);
        cx.groups.copy(frame, &mut copies);
        let mut copied = Copied::Dropped;
        if copies.is_empty() {
            cx.groups.count_unwanted(frame);
        } else {
            copied = self.enter_copies(cx, &copies);
        }
        if copied != Copied::Dropped {
            cx.groups.count_created(frame, copies.len() as u64 - 1);
        }
        cx.groups.copies = copies;
        let (&last, before) = cx.groups.copies.split_last()?;
        (copied == Copied::Separately).then_some((last, before.len()))
    }

    /// Sends the next frame of a port that has finished a transmission.
    #[inline]
    pub(in crate::network) fn ready<const EXTRAS: bool>(&mut self, cx: &mut Context, port: PortNo) {
        self.core.ports[port].wake = Wake::Asleep;
        self.core.readying = Some(port);
        self.send_next::<EXTRAS>(cx, port);
        self.core.readying = None;
    }

    /// Sends the next frame of a free port: a pause frame if one is due, otherwise a frame of the class whose turn it
    /// is.
    #[inline]
    pub(super) fn send_next<const EXTRAS: bool>(&mut self, cx: &mut Context, port: PortNo) {
        if self.core.ports[port].pause_frame_due {
            self.core.send_pause_frame(cx, port);
        } else if let Some(class) = self.core.next_class::<EXTRAS>(port) {
            let frame = self.dequeue(cx, port, class);
            if EXTRAS {
                self.core.charge(port, class, frame.size() + cx.rules.overhead);
            }
            if EXTRAS && cx.rules.sees_departures {
                self.core.transmit_departing(cx, port, frame);
            } else {
                self.core.ports[port].transmit(cx, frame, cx.now);
            }
        }
        self.core.arm(cx, port);
    }

    /// Removes the first frame of a class from a port's queue.
    // Always inlined: calls of this function and of `next_lane` of stations take 1 % of the instructions of a run under PFC.
    #[inline(always)]
    fn dequeue(&mut self, cx: &mut Context, output: PortNo, class: u8) -> Frame {
        let number = self.core.queue_of(output, class);
        let queue = &mut self.core.queues[number];
        let frame = queue.pop(cx.now).expect("a waiting class has a frame");
        if queue.frames.is_empty() {
            self.core.ports[output].waiting &= !(1 << class);
        }
        self.left(cx, output, number, frame);
        frame
    }
}
