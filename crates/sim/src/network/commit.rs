//! Departures that are not expected to change are decided when a frame is enqueued.
//!
//! A frame that finds its port busy with frames of its own class departs after them. Its departure time is
//! known, so it is put on the link at once with its arrival time, and the port needs no event. The queue
//! length is updated on access: a frame counts as queued until its transmission starts.
//!
//! Only data frames are committed, and nothing waits behind them. Anything that invalidates such a decision
//! recalls the frames ([`Network::recall`]): a frame of another class, a notification, or a change
//! in the port's rate. Nothing is committed under flow control, where any frame may be paused and
//! every departure may release an input, nor in bridges with input buffers, where every departure
//! frees room at the output.

use super::Network;
use super::port::Wake;
use crate::frame::{Frame, InFlight};

impl Network {
    /// Whether a frame's departure from a busy port can be decided now. Recalls committed frames of another
    /// class.
    #[inline]
    pub(super) fn can_commit(&mut self, output: u32, class: u8) -> bool {
        if self.pause_rules.protected != 0 {
            return false;
        }
        if self.ports[output as usize].committed_class != class {
            self.recall(output);
            self.ports[output as usize].committed_class = class;
        }
        let port = &self.ports[output as usize];
        port.waiting == 0 && port.wake == Wake::Asleep
    }

    /// Decides the departure of a frame from a busy port.
    #[inline]
    pub(super) fn commit(&mut self, output: u32, frame: Frame) {
        let start = self.ports[output as usize].free_at;
        let queue = self.queue_of(output, frame.class);
        self.queues[queue].commit(start, frame.bytes, self.now);
        self.transmit(output, frame, start);
    }

    /// Updates a queue with the committed departures that have begun.
    #[inline(always)]
    pub(super) fn settle(&mut self, queue: usize) {
        let now = self.now;
        let queue = &mut self.queues[queue];
        while let Some(&(start, bytes)) = queue.committed.front()
            && start <= now
        {
            queue.depart(start, bytes);
        }
    }

    /// Recalls committed frames whose transmission has not begun.
    pub(super) fn recall(&mut self, output: u32) {
        let index = self.queue_of(output, self.ports[output as usize].committed_class);
        self.settle(index);
        let (port, queue) = (&mut self.ports[output as usize], &mut self.queues[index]);
        let Some(&(first, _)) = queue.committed.front() else { return };
        debug_assert!(
            queue.frames.is_empty() && port.wake == Wake::Asleep,
            "a frame waits behind committed frames"
        );
        let kept = port.flight.len() - queue.committed.len();
        for &InFlight { frame, .. } in port.flight.iter().skip(kept) {
            port.sent_frames -= 1;
            port.sent -= u64::from(frame.bytes);
            queue.frames.push_back(frame);
        }
        port.flight.truncate(kept);
        queue.committed.truncate(0);
        port.busy -= port.free_at - first;
        port.free_at = first;
        port.waiting |= 1 << port.committed_class;
        self.unnote(output, first);
        self.arm(output);
    }

    /// Frames and bytes in a link's ring whose transmission has not begun. Assumes that the queues are up to
    /// date.
    pub(super) fn committed_ahead(&self, output: u32) -> (u64, u64) {
        let class = self.ports[output as usize].committed_class;
        let committed = &self.queues[self.queue_of(output, class)].committed;
        let bytes = committed.iter().map(|&(_, bytes)| u64::from(bytes)).sum();
        (committed.len() as u64, bytes)
    }
}
