//! An output queue or input buffer of a bridge, with its congestion point and statistics.

use setpoint_control::{CongestionPoint, PointId};
use setpoint_random::RandomStream;
use setpoint_units::Time;

use crate::dwell::Dwell;
use crate::frame::Frame;
use crate::index::PortNo;
use crate::ring::Ring;

/// The fields accessed for every frame come first, in whole cache lines: with many queues,
/// fetching them dominates the run time.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(in crate::network) struct Queue {
    /// Bytes of frames whose transmission has not begun.
    pub(in crate::network) length: u64,
    pub(in crate::network) limit: u64,
    /// Largest length since the last sample.
    pub(in crate::network) largest: u64,
    /// Frames on the link whose transmission has not begun.
    pub(in crate::network) committed: Ring<Committed>,
    pub(in crate::network) entropy: RandomStream,
    pub(in crate::network) congestion_point: CongestionPoint,
    pub(in crate::network) dwell: Dwell,
    pub(in crate::network) frames: Ring<Frame>,
    pub(in crate::network) dropped_frames: u64,
    pub(in crate::network) dropped: u64,
    pub(in crate::network) notifications: u64,
    /// The number of its congestion point in the whole network.
    pub(in crate::network) point: PointId,
}

/// A frame whose departure has been decided.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::network) struct Committed {
    pub(in crate::network) start: Time,
    /// The input that holds it until then; valid only under flow control.
    pub(in crate::network) input: PortNo,
    pub(in crate::network) bytes: u16,
    pub(in crate::network) is_data: bool,
}

impl Queue {
    /// Whether there is buffer space for a frame.
    #[inline]
    pub(in crate::network) fn has_room(&self, bytes: u16) -> bool {
        self.length + u64::from(bytes) <= self.limit
    }

    /// Counts a frame that was dropped.
    pub(in crate::network) fn count_drop(&mut self, bytes: u16) {
        self.dropped_frames += 1;
        self.dropped += u64::from(bytes);
    }

    /// Removes the first committed frame if its transmission has begun by now.
    #[inline(always)]
    pub(in crate::network) fn pop_departed(&mut self, now: Time) -> Option<Committed> {
        let first = *self.committed.front().filter(|first| first.start <= now)?;
        self.dwell.leave(self.length, first.start);
        self.length -= u64::from(first.bytes);
        self.committed.pop_front();
        Some(first)
    }

    // Inlined, like `pop`: a call takes more instructions than the function.
    #[inline(always)]
    pub(in crate::network) fn push(&mut self, frame: Frame, now: Time) {
        self.lengthen(frame.bytes(), now);
        self.frames.push_back(frame);
    }

    /// Adds a frame whose transmission begins at a known time.
    #[inline(always)]
    pub(in crate::network) fn commit(&mut self, frame: Committed, now: Time) {
        self.lengthen(frame.bytes, now);
        self.committed.push_back(frame);
    }

    #[inline]
    fn lengthen(&mut self, bytes: u16, now: Time) {
        self.dwell.leave(self.length, now);
        self.length += u64::from(bytes);
        self.largest = self.largest.max(self.length);
    }

    /// Adds the length of a frame that an input buffer stores elsewhere.
    #[inline]
    pub(in crate::network) fn hold(&mut self, bytes: u16, now: Time) {
        self.lengthen(bytes, now);
    }

    /// Removes the length of a frame from an input buffer.
    #[inline]
    pub(in crate::network) fn release(&mut self, bytes: u16, now: Time) {
        self.dwell.leave(self.length, now);
        self.length -= u64::from(bytes);
    }

    // Always inlined, because a call takes more instructions than the function.
    #[inline(always)]
    pub(in crate::network) fn pop(&mut self, now: Time) -> Option<Frame> {
        let frame = self.frames.pop_front()?;
        self.dwell.leave(self.length, now);
        self.length -= u64::from(frame.bytes());
        Some(frame)
    }
}

impl Queue {
    /// Whether its length equals the total length of its waiting and committed frames.
    pub(in crate::network) fn adds_up(&self) -> bool {
        let waiting: u64 = self.frames.iter().map(|frame| u64::from(frame.bytes())).sum();
        let committed: u64 = self.committed.iter().map(|frame| u64::from(frame.bytes)).sum();
        self.length == waiting + committed
    }
}
