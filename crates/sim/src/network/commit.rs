//! Departures that nothing is expected to change are decided when a frame is enqueued.
//!
//! A frame that finds its port busy with frames of its own class will be sent when they have been:
//! its departure is known, so it is put on the link at once with the time at which it will arrive,
//! and the port needs no event of its own. The queue's length follows when somebody looks: a frame
//! counts as queued until its transmission starts.
//!
//! Only data is committed, and nothing waits behind it. What can upset such a decision takes it back
//! ([`Network::recall`]): a frame of another class, a notification, or a change of the port's rate. With flow control
//! on, when any frame may be stopped and every departure may release an input, nothing is decided in advance; nor in
//! bridges with input buffers, where every departure makes room at the output.

use super::Network;
use super::port::Wake;
use crate::frame::{Frame, InFlight};

impl Network {
    /// Whether a frame's departure from a busy port can be decided now. Committed frames of another
    /// class are in the way and are taken back.
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

    /// Brings a queue up to date with the departures that were decided for it.
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

    /// Takes back the frames whose transmission was decided and has not begun.
    pub(super) fn recall(&mut self, output: u32) {
        let index = self.queue_of(output, self.ports[output as usize].committed_class);
        self.settle(index);
        let (port, queue) = (&mut self.ports[output as usize], &mut self.queues[index]);
        let Some(&(first, _)) = queue.committed.front() else { return };
        debug_assert!(
            queue.frames.is_empty() && port.wake == Wake::Asleep,
            "something waits behind what is committed"
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
        self.arm(output);
    }

    /// Frames and bytes that are on a link's ring although their transmission has not begun, of queues
    /// that are up to date.
    pub(super) fn committed_ahead(&self, output: u32) -> (u64, u64) {
        let class = self.ports[output as usize].committed_class;
        let committed = &self.queues[self.queue_of(output, class)].committed;
        let bytes = committed.iter().map(|&(_, bytes)| u64::from(bytes)).sum();
        (committed.len() as u64, bytes)
    }
}
