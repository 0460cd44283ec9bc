//! An output queue or input buffer of a bridge, with its congestion point and statistics.

use setpoint_control::CongestionPoint;
use setpoint_units::Time;

use crate::dwell::Dwell;
use crate::frame::Frame;
use crate::random::RandomStream;
use crate::ring::Ring;

/// The fields accessed for every frame come first, in whole cache lines: with many queues,
/// fetching them dominates the run time.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct Queue {
    /// Bytes of frames whose transmission has not begun.
    pub(super) length: u64,
    pub(super) limit: u64,
    /// Largest length since the last sample.
    pub(super) largest: u64,
    /// Frames on the link whose transmission has not begun: start time and length.
    pub(super) committed: Ring<(Time, u16)>,
    pub(super) entropy: RandomStream,
    pub(super) congestion_point: CongestionPoint,
    pub(super) dwell: Dwell,
    pub(super) frames: Ring<Frame>,
    pub(super) dropped_frames: u64,
    pub(super) dropped: u64,
    pub(super) notifications: u64,
}

impl Queue {
    #[inline]
    pub(super) fn push(&mut self, frame: Frame, now: Time) {
        self.lengthen(frame.bytes, now);
        self.frames.push_back(frame);
    }

    /// Adds a frame whose transmission begins at a known time.
    #[inline]
    pub(super) fn commit(&mut self, start: Time, bytes: u16, now: Time) {
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
    pub(super) fn depart(&mut self, start: Time, bytes: u16) {
        self.dwell.leave(self.length, start);
        self.length -= u64::from(bytes);
        self.committed.pop_front();
    }

    /// Adds the length of a frame that an input buffer stores elsewhere.
    #[inline]
    pub(super) fn hold(&mut self, bytes: u16, now: Time) {
        self.lengthen(bytes, now);
    }

    /// Removes the length of a frame from an input buffer.
    #[inline]
    pub(super) fn release(&mut self, bytes: u16, now: Time) {
        self.dwell.leave(self.length, now);
        self.length -= u64::from(bytes);
    }

    #[inline]
    pub(super) fn pop(&mut self, now: Time) -> Option<Frame> {
        let frame = self.frames.pop_front()?;
        self.dwell.leave(self.length, now);
        self.length -= u64::from(frame.bytes);
        Some(frame)
    }
}

impl Queue {
    /// Whether its length equals the total length of its waiting and committed frames.
    pub(super) fn adds_up(&self) -> bool {
        let waiting: u64 = self.frames.iter().map(|frame| u64::from(frame.bytes)).sum();
        let committed: u64 = self.committed.iter().map(|&(_, bytes)| u64::from(bytes)).sum();
        self.length == waiting + committed
    }
}
