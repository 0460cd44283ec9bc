//! An output queue or input buffer of a bridge, with its congestion point and statistics.

use setpoint_control::{CongestionPoint, PointId};
use setpoint_units::Time;

use crate::dwell::Dwell;
use crate::frame::Frame;
use crate::random::RandomStream;
use crate::ring::Ring;

/// The fields accessed for every frame come first, in whole cache lines: with many queues,
/// fetching them dominates the run time.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(in super::super) struct Queue {
    /// Bytes of frames whose transmission has not begun.
    pub(in super::super) length: u64,
    pub(in super::super) limit: u64,
    /// Largest length since the last sample.
    pub(in super::super) largest: u64,
    /// Frames on the link whose transmission has not begun: start time and length.
    pub(in super::super) committed: Ring<(Time, u16)>,
    pub(in super::super) entropy: RandomStream,
    pub(in super::super) congestion_point: CongestionPoint,
    pub(in super::super) dwell: Dwell,
    pub(in super::super) frames: Ring<Frame>,
    pub(in super::super) dropped_frames: u64,
    pub(in super::super) dropped: u64,
    pub(in super::super) notifications: u64,
    /// The number of its congestion point in the whole network.
    pub(in super::super) point: PointId,
}

impl Queue {
    /// Whether there is room for a frame.
    #[inline]
    pub(in super::super) fn has_room(&self, bytes: u16) -> bool {
        self.length + u64::from(bytes) <= self.limit
    }

    /// Counts a frame that was dropped.
    pub(in super::super) fn count_drop(&mut self, bytes: u16) {
        self.dropped_frames += 1;
        self.dropped += u64::from(bytes);
    }

    /// Updates the length with the committed departures that have begun.
    #[inline(always)]
    pub(in super::super) fn settle(&mut self, now: Time) {
        while let Some(&(start, bytes)) = self.committed.front()
            && start <= now
        {
            self.depart(start, bytes);
        }
    }

    #[inline]
    pub(in super::super) fn push(&mut self, frame: Frame, now: Time) {
        self.lengthen(frame.bytes, now);
        self.frames.push_back(frame);
    }

    /// Adds a frame whose transmission begins at a known time.
    #[inline]
    pub(in super::super) fn commit(&mut self, start: Time, bytes: u16, now: Time) {
        self.lengthen(bytes, now);
        self.committed.push_back((start, bytes));
    }

    #[inline]
    fn lengthen(&mut self, bytes: u16, now: Time) {
        self.dwell.leave(self.length, now);
        self.length += u64::from(bytes);
        self.largest = self.largest.max(self.length);
    }

    /// Removes the first committed frame when its transmission begins.
    #[inline]
    fn depart(&mut self, start: Time, bytes: u16) {
        self.dwell.leave(self.length, start);
        self.length -= u64::from(bytes);
        self.committed.pop_front();
    }

    /// Adds the length of a frame that an input buffer stores elsewhere.
    #[inline]
    pub(in super::super) fn hold(&mut self, bytes: u16, now: Time) {
        self.lengthen(bytes, now);
    }

    /// Removes the length of a frame from an input buffer.
    #[inline]
    pub(in super::super) fn release(&mut self, bytes: u16, now: Time) {
        self.dwell.leave(self.length, now);
        self.length -= u64::from(bytes);
    }

    #[inline]
    pub(in super::super) fn pop(&mut self, now: Time) -> Option<Frame> {
        let frame = self.frames.pop_front()?;
        self.dwell.leave(self.length, now);
        self.length -= u64::from(frame.bytes);
        Some(frame)
    }
}

impl Queue {
    /// Whether its length equals the total length of its waiting and committed frames.
    pub(in super::super) fn adds_up(&self) -> bool {
        let waiting: u64 = self.frames.iter().map(|frame| u64::from(frame.bytes)).sum();
        let committed: u64 = self.committed.iter().map(|&(_, bytes)| u64::from(bytes)).sum();
        self.length == waiting + committed
    }
}
