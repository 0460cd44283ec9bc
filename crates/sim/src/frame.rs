//! Frames, as plain 24-byte values.

use setpoint_control::{Notification, PointId, QuantizedFeedback};
use setpoint_units::{Bytes, Time};

use crate::ids::FlowId;
use crate::index::HopNo;

/// The kind of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum FrameKind {
    /// A data frame of a flow.
    #[default]
    Data,
    /// A notification from a congestion point to the source of a flow, sent back along the flow's path.
    Notification,
    /// A PAUSE or PFC frame from one end of a link to the other.
    Pause,
}

/// A frame. The meaning of `payload` depends on the kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    payload: u64,
    pub(crate) flow: FlowId,
    /// Its entry in the table of hops: that of the bridge it is at or left last, or of its station before the first bridge.
    pub(crate) hop: HopNo,
    /// For a data frame, the congestion point that its source's limiter currently follows; for a
    /// notification, the congestion point that sent it, and [`FINE`]; otherwise [`UNTAGGED`].
    tag: u32,
    pub(crate) bytes: u16,
    /// Its traffic class: the rank of its priority among those in use.
    pub(crate) class: u8,
    pub(crate) kind: FrameKind,
}

/// A frame on a link, with the time at which it arrives completely.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct InFlight {
    pub(crate) at: Time,
    pub(crate) frame: Frame,
}

/// The content of a PAUSE or PFC frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PauseCommand {
    /// Classes that the frame addresses.
    pub(crate) classes: u8,
    /// The addressed classes that must stop; the others may resume.
    pub(crate) stop: u8,
    /// The pause time in quanta.
    pub(crate) quanta: u16,
}

const UNTAGGED: u32 = u32::MAX;

/// Marks the tag of a notification whose feedback does not fit in six bits. There are fewer than 2^31 congestion points.
const FINE: u32 = 1 << 31;

/// The payload of a notification: the feedback, and two queue lengths of this many bits each, up to ±268 MB.
const LENGTH_BITS: u32 = 29;

/// The same beside fine feedback, which takes fifteen bits: up to ±8 MB. Sources that obey the feedback do not read the
/// lengths.
const FINE_LENGTH_BITS: u32 = 24;

impl Default for Frame {
    /// Content for the unused places of a ring.
    fn default() -> Self {
        let (flow, hop) = (FlowId(0), HopNo(0));
        Self { payload: 0, flow, hop, tag: UNTAGGED, bytes: 0, class: 0, kind: FrameKind::default() }
    }
}

impl Frame {
    #[inline]
    pub(crate) fn data(flow: FlowId, hop: HopNo, bytes: u16, class: u8, sent_at: Time) -> Self {
        Self { payload: sent_at.as_picos(), flow, hop, tag: UNTAGGED, bytes, class, kind: FrameKind::Data }
    }

    /// The frame, tagged with a congestion point.
    #[must_use]
    pub(crate) fn tagged(self, point: PointId) -> Self {
        Self { tag: point.0, ..self }
    }

    /// A copy of the frame at another hop.
    #[must_use]
    pub(crate) fn at(self, hop: HopNo) -> Self {
        Self { hop, ..self }
    }

    /// The congestion point in its tag.
    #[inline]
    pub(crate) fn tag(&self) -> Option<PointId> {
        (self.tag != UNTAGGED).then_some(PointId(self.tag))
    }

    /// A notification from a congestion point to the source of a flow.
    pub(crate) fn notification(
        content: &Notification,
        from: PointId,
        flow: FlowId,
        hop: HopNo,
        bytes: u16,
        class: u8,
    ) -> Self {
        let (feedback, bits, fine) = if content.feedback.fits_six_bits() {
            (u64::from(content.feedback.get()), LENGTH_BITS, 0)
        } else {
            (u64::from(content.feedback.parts()), FINE_LENGTH_BITS, FINE)
        };
        let length = |value: i64| {
            let limit = 1i64 << (bits - 1);
            value.clamp(-limit, limit - 1) as u64 & ((1 << bits) - 1)
        };
        let payload =
            feedback << (2 * bits) | length(content.queue_offset) << bits | length(content.queue_delta);
        Self { payload, flow, hop, tag: from.0 | fine, bytes, class, kind: FrameKind::Notification }
    }

    pub(crate) fn pause(command: PauseCommand, bytes: u16) -> Self {
        let PauseCommand { classes, stop, quanta } = command;
        let payload = u64::from(classes) << 24 | u64::from(stop) << 16 | u64::from(quanta);
        Self { payload, bytes, kind: FrameKind::Pause, ..Self::default() }
    }

    /// The time at which a data frame left its station.
    #[inline]
    pub(crate) fn sent_at(&self) -> Time {
        debug_assert_eq!(self.kind, FrameKind::Data);
        Time::from_picos(self.payload)
    }

    /// The content of a notification, and the congestion point that sent it.
    pub(crate) fn notification_content(&self) -> (Notification, PointId) {
        debug_assert_eq!(self.kind, FrameKind::Notification);
        let fine = self.tag & FINE != 0;
        let bits = if fine { FINE_LENGTH_BITS } else { LENGTH_BITS };
        let length = |value: u64| (value << (64 - bits)) as i64 >> (64 - bits);
        let feedback = self.payload >> (2 * bits);
        let content = Notification {
            feedback: if fine {
                QuantizedFeedback::from_parts(feedback)
            } else {
                QuantizedFeedback::saturating(feedback)
            },
            queue_offset: length(self.payload >> bits),
            queue_delta: length(self.payload),
        };
        (content, PointId(self.tag & !FINE))
    }

    pub(crate) fn pause_content(&self) -> PauseCommand {
        debug_assert_eq!(self.kind, FrameKind::Pause);
        let [.., classes, stop, high, low] = self.payload.to_be_bytes();
        PauseCommand { classes, stop, quanta: u16::from_be_bytes([high, low]) }
    }

    #[inline]
    pub(crate) fn size(&self) -> Bytes {
        Bytes::new(u64::from(self.bytes))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_frame_in_flight_is_half_a_cache_line() {
        assert_eq!(size_of::<InFlight>(), 32);
    }

    proptest! {
        #[test]
        fn notifications_come_back_as_they_were(
            feedback in 0u64..64,
            offset in -(1i64 << 28)..(1 << 28),
            delta in -(1i64 << 28)..(1 << 28),
            point in 0..FINE,
        ) {
            let from = PointId(point);
            let content = Notification {
                feedback: QuantizedFeedback::saturating(feedback),
                queue_offset: offset,
                queue_delta: delta,
            };
            let frame = Frame::notification(&content, from, FlowId(1), HopNo(2), 64, 0);
            prop_assert_eq!(frame.notification_content(), (content, from));
        }

        /// Fine feedback comes back as it was, and so do queue lengths up to ±8 MB.
        #[test]
        fn fine_notifications_come_back_as_they_were(
            parts in 0u64..=16_384,
            offset in -(1i64 << 23)..(1 << 23),
            delta in -(1i64 << 23)..(1 << 23),
            point in 0..FINE,
        ) {
            let content = Notification {
                feedback: QuantizedFeedback::from_parts(parts),
                queue_offset: offset,
                queue_delta: delta,
            };
            let from = PointId(point);
            let frame = Frame::notification(&content, from, FlowId(1), HopNo(2), 64, 0);
            prop_assert_eq!(frame.notification_content(), (content, from));
        }

        #[test]
        fn pauses_come_back_as_they_were(classes: u8, stop: u8, quanta: u16) {
            let command = PauseCommand { classes, stop, quanta };
            prop_assert_eq!(Frame::pause(command, 64).pause_content(), command);
        }
    }
}
