//! Congestion points: they observe the frames of their queue and send notifications.
//!
//! [`SampledFrames`](crate::SampledFrames) selects whether the congestion point also observes a frame that
//! finds no buffer space, because the literature permits both. The MIB of IEEE 802.1Q counts "octets to
//! enqueue" between samples, and ns-3-dcn samples after a successful enqueue, so a dropped frame is not
//! observed. The AF-QCN paper samples incoming packets, which can mean all packets, dropped or not. In that
//! interpretation a dropped frame counts towards the next sample like any other, and if it is sampled, its
//! source is notified; the queue length does not include it. The choice matters only if frames are dropped.
//! If most frames are dropped, as when many senders start at line rate, the second interpretation takes more
//! samples, in proportion to the ratio of arriving to enqueued frames.

use setpoint_control::{Admission, Answers, Arrival, Departure, FlowKey, HopReport, Mark, Observe, Signal};
use setpoint_units::{Bytes, Time};

use super::core::Core;
use super::set::{BridgeSet, Buffering};
use crate::frame::Frame;
use crate::index::{Conversation, HopNo, PortNo, QueueNo};
use crate::network::node::context::Context;
use crate::spec::{Reaction, Side};

/// Signals that a congestion point issues, each with its destination flow.
pub(super) type Issued = Vec<(FlowKey, Signal)>;

impl<B> BridgeSet<B>
where
    Self: Buffering,
{
    /// Passes a frame to the congestion point, with the queue length after the frame was enqueued or dropped.
    #[inline]
    pub(super) fn show_to_congestion_point(
        &mut self,
        cx: &mut Context,
        queue: QueueNo,
        frame: Frame,
        length: u64,
    ) {
        if !self.core.queues[queue].congestion_point.passes(frame.size()) {
            self.show_in_full(cx, queue, frame, length);
        }
    }

    // Not inlined: under QCN, only one frame in a hundred reaches this code.
    #[inline(never)]
    fn show_in_full(&mut self, cx: &mut Context, queue: QueueNo, frame: Frame, length: u64) {
        let arrival = arrival(cx, frame, length);
        let (entry, mut issued) = (&mut self.core.queues[queue], Issued::new());
        entry.congestion_point.on_enqueue(&arrival, &mut entry.entropy, &mut issued);
        if !issued.is_empty() {
            self.blame(queue, frame, &mut issued);
            self.notify(cx, queue, Some(frame), issued);
        }
    }

    /// Whether a congestion point that can drop frames admits the given one.
    #[cold]
    #[inline(never)]
    pub(super) fn admits(&mut self, cx: &mut Context, queue: QueueNo, frame: Frame) -> bool {
        let entry = &mut self.core.queues[queue];
        let arrival = arrival(cx, frame, entry.length);
        let admission = entry.congestion_point.admit(&arrival, &mut entry.entropy);
        if admission == Admission::Drop {
            self.drop_frame(cx, queue, frame);
        }
        admission == Admission::Accept
    }

    /// At an input, redirects the signal for the sampled frame's source to the culprit.
    fn blame(&mut self, queue: QueueNo, frame: Frame, issued: &mut Issued) {
        let (Side::Input, port, class) = self.core.place_of(queue) else { return };
        for (flow, _) in issued {
            if *flow == frame.conversation().key()
                && let Some(culprit) = self.culprit(port, class)
            {
                *flow = culprit;
            }
        }
    }

    /// Sends the signals that a congestion point issued, after a frame arrived or at a clock tick.
    /// Background traffic receives none.
    #[cold]
    #[inline(never)]
    pub(super) fn notify(&mut self, cx: &mut Context, queue: QueueNo, frame: Option<Frame>, issued: Issued) {
        let (side, port, _) = self.core.place_of(queue);
        for (key, signal) in issued {
            let conversation = Conversation::of_key(key);
            let flow = cx.routes.conversations().flow_of(conversation);
            if cx.routes.facts(flow).reaction == Reaction::Uncontrolled {
                continue;
            }
            self.core.queues[queue].notifications += 1;
            self.core.feedback[usize::from(signal.fields().feedback.get())] += 1;
            let hop = match frame {
                Some(frame) if frame.conversation() == conversation => frame.hop(),
                _ => self.core.hop_at(cx, conversation, queue),
            };
            let (from, rules) = (self.core.queues[queue].point, &cx.rules);
            let (bytes, class) = (rules.notification_bytes, rules.notification_class);
            let notification = Frame::signal(signal, from, conversation, hop, bytes, class);
            self.send_issued(cx, (side, port), notification);
        }
    }
}

impl Core {
    /// Marks a frame that enters a queue, if the queue's congestion point decides to, and returns the frame.
    pub(super) fn marked(&mut self, cx: &Context, queue: QueueNo, frame: Frame, length: u64) -> Frame {
        if !cx.rules.bridges.marks {
            return frame;
        }
        let entry = &mut self.queues[queue];
        let mark = entry.congestion_point.mark(&arrival(cx, frame, length), &mut entry.entropy);
        with_mark(cx, frame, mark)
    }

    /// Marks a data frame whose transmission begins now and adds the bridge's report to it, as far as this run
    /// requires. Other frames stay unchanged.
    #[inline(never)]
    pub(super) fn departing(&mut self, cx: &mut Context, output: PortNo, mut frame: Frame) -> Frame {
        if !frame.is_data() {
            return frame;
        }
        let queue = self.queue_of(output, frame.class());
        if cx.rules.bridges.departures {
            frame = self.marked_at_departure(cx, queue, frame, cx.now);
        }
        if let Some(report) = cx.telemetry_of(frame) {
            let (port, queue) = (&self.ports[output], Bytes::new(self.queues[queue].length));
            let sent = Bytes::new(port.sent) + frame.size();
            cx.reports.stamp(report, HopReport { at: cx.now, queue, sent, rate: port.nominal_rate() });
        }
        frame
    }

    /// Marks a frame that has left its queue, if the queue's congestion point decides to, and returns the frame.
    pub(super) fn marked_at_departure(
        &mut self,
        cx: &Context,
        queue: QueueNo,
        frame: Frame,
        now: Time,
    ) -> Frame {
        let entry = &mut self.queues[queue];
        let length = Bytes::new(entry.length) + frame.size();
        let departure =
            Departure { now, frame: frame.size(), queue: length, flow: frame.conversation().key() };
        let mark = entry.congestion_point.on_dequeue(&departure, &mut entry.entropy);
        with_mark(cx, frame, mark)
    }

    /// Transmits a frame that has left its queue and that this run may mark or stamp.
    #[inline(never)]
    pub(super) fn transmit_departing(&mut self, cx: &mut Context, output: PortNo, frame: Frame) {
        let frame = self.departing(cx, output, frame);
        self.ports[output].transmit(cx, frame, cx.now);
    }

    /// The hop of a conversation at a queue's bridge.
    fn hop_at(&self, cx: &Context, conversation: Conversation, queue: QueueNo) -> HopNo {
        let (side, port, _) = self.place_of(queue);
        let hop = cx.routes.find(conversation, |hop| match side {
            Side::Output => hop.output == port,
            Side::Input => hop.input == port,
        });
        hop.expect("a congestion point notifies only flows that pass through it")
    }
}

/// The frame after a congestion point has decided whether to mark it.
fn with_mark(cx: &Context, frame: Frame, mark: Mark) -> Frame {
    match (mark, cx.rules.answers) {
        (Mark::Clear, _) => frame,
        (Mark::Congested, Answers::MarkedFrames) => frame.marked().requesting_reply(),
        (Mark::Congested, _) => frame.marked(),
    }
}

/// A frame as a congestion point observes it, with only the attributes that the points of this run use.
#[inline]
fn arrival(cx: &Context, frame: Frame, length: u64) -> Arrival {
    Arrival {
        now: cx.now,
        flow: frame.conversation().key(),
        tenant: cx.routes.tenant_of(frame),
        tag: frame.tag(),
        ..Arrival::of(frame.size(), Bytes::new(length))
    }
}
