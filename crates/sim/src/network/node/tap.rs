//! Frames that are to be passed to an observer.
//!
//! A frame is recorded when it is put on a link. Its transmission may begin later, and the frame may be recalled until then
//! ([`super::bridge`]), so it is passed on once the clock has moved past its start. No frame can be recorded for a time in
//! the past, so frames are passed on in chronological order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use setpoint_units::Time;

use crate::frame::Frame;
use crate::ids::PortId;

/// The number of frames that are collected before they are passed on, unless a sample interval ends first.
pub(in crate::network) const COLLECTED: usize = 4096;

/// The frames of observed ports.
#[derive(Debug, Default)]
pub(in crate::network) struct Tap {
    /// Frames that may still be recalled, and frames whose transmission begins now, ordered by start and port.
    pub(in crate::network) pending: BinaryHeap<Reverse<Noted>>,
    /// Frames whose transmission has begun, in order.
    pub(in crate::network) begun: Vec<Noted>,
}

#[derive(Clone, Copy, Debug)]
pub(in crate::network) struct Noted {
    pub(in crate::network) start: Time,
    pub(in crate::network) port: PortId,
    pub(in crate::network) frame: Frame,
}

impl Noted {
    fn key(&self) -> (Time, PortId) {
        (self.start, self.port)
    }
}

impl PartialEq for Noted {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Noted {}

impl PartialOrd for Noted {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Noted {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

impl Tap {
    /// Replaces a recorded frame, which has been marked since.
    pub(in crate::network) fn replace(&mut self, port: PortId, start: Time, frame: Frame) {
        let is_meant = |noted: &&mut Noted| noted.key() == (start, port);
        if let Some(noted) = self.begun.iter_mut().rev().find(is_meant) {
            noted.frame = frame;
            return;
        }
        let mut pending = std::mem::take(&mut self.pending).into_vec();
        if let Some(noted) = pending.iter_mut().map(|Reverse(noted)| noted).find(is_meant) {
            noted.frame = frame;
        }
        self.pending = pending.into();
    }

    /// Moves frames whose transmission began before `now` from `pending` to `begun`.
    pub(in crate::network) fn settle(&mut self, now: Time) {
        while self.pending.peek().is_some_and(|Reverse(first)| first.start < now) {
            self.begun.extend(self.pending.pop().map(|Reverse(noted)| noted));
        }
    }
}
