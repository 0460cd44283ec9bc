//! Departures that are not expected to change are decided when a frame is enqueued.
//!
//! A frame that finds its port busy with frames of its own class departs after them. Its departure time is
//! known, so it is put on the link at once with its arrival time, and the port needs no event. The queue
//! length is updated on access: a frame counts as queued until its transmission starts.
//!
//! Only data frames are committed, and nothing waits behind them. Anything that invalidates such a decision
//! recalls the frames ([`Bridges::recall`]): a frame of another class, a notification, or a change
//! in the port's rate. Nothing is committed under flow control, where any frame may be paused and
//! every departure may release an input, nor in bridges with input buffers, where every departure
//! frees room at the output.

use setpoint_units::Time;

use super::super::context::Context;
use super::super::port::Wake;
use super::Bridges;
use crate::frame::Frame;
use crate::index::PortNo;

impl Bridges {
    /// Whether a frame's departure from a busy port can be decided now. Recalls committed frames of another
    /// class.
    #[inline]
    pub(super) fn can_commit(&mut self, cx: &mut Context, output: PortNo, class: u8) -> bool {
        if self.pause_rules.protected != 0 {
            return false;
        }
        if self.ports[output].committed_class != class {
            self.recall(cx, output);
            self.ports[output].committed_class = class;
        }
        let port = &self.ports[output];
        port.waiting == 0 && port.wake == Wake::Asleep
    }

    /// Decides the departure of a frame from a busy port.
    #[inline]
    pub(super) fn commit(&mut self, cx: &mut Context, output: PortNo, frame: Frame) {
        let start = self.ports[output].free_at;
        let queue = self.queue_of(output, frame.class);
        self.queues[queue].commit(start, frame.bytes, cx.now);
        self.ports[output].transmit(cx, frame, start);
    }

    /// Recalls committed frames whose transmission has not begun.
    pub(super) fn recall(&mut self, cx: &mut Context, output: PortNo) {
        let number = self.queue_of(output, self.ports[output].committed_class);
        let (port, queue) = (&mut self.ports[output], &mut self.queues[number]);
        queue.settle(cx.now);
        let Some(&(first, _)) = queue.committed.front() else { return };
        debug_assert!(
            queue.frames.is_empty() && port.wake == Wake::Asleep,
            "a frame waits behind committed frames"
        );
        port.recall(cx, queue.committed.len(), first, |frame| queue.frames.push_back(frame));
        queue.committed.truncate(0);
        port.waiting |= 1 << port.committed_class;
        self.arm(cx, output);
    }

    /// The number of committed frames of a port whose transmission begins at a time or later.
    pub(in super::super) fn not_begun(&self, output: PortNo, time: Time) -> usize {
        let committed = &self.queues[self.queue_of(output, self.ports[output].committed_class)].committed;
        committed.iter().filter(|(start, _)| *start >= time).count()
    }

    /// When the transmission of the first of these frames begins.
    pub(in super::super) fn next_begin(&self, output: PortNo, time: Time) -> Option<Time> {
        let committed = &self.queues[self.queue_of(output, self.ports[output].committed_class)].committed;
        committed.iter().map(|(start, _)| *start).find(|start| *start >= time)
    }

    /// Frames and bytes in a link's ring whose transmission has not begun. Assumes that the queues are up to
    /// date.
    pub(in super::super) fn committed_ahead(&self, output: PortNo) -> (u64, u64) {
        let committed = &self.queues[self.queue_of(output, self.ports[output].committed_class)].committed;
        let bytes = committed.iter().map(|&(_, bytes)| u64::from(bytes)).sum();
        (committed.len() as u64, bytes)
    }
}
