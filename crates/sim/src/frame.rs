//! Frames, as plain 24-byte values.
//!
//! A frame is three words, and functions take it by value, so that it usually stays in registers: a processor stalls when it
//! reads a whole frame from memory just after one of its fields has been written.

use setpoint_control::{Mark, Notification, PointId, QuantizedFeedback, Signal};
use setpoint_units::{Bytes, Time};

use crate::index::{Conversation, HopNo, ReportNo};

/// The kind of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrameKind {
    /// A data frame of a flow.
    Data,
    /// A notification from a congestion point to the source of a flow, sent back along the flow's path.
    Notification,
    /// A PAUSE or PFC frame from one end of a link to the other.
    Pause,
    /// A reply from the receiver of a flow to its source, sent back along the flow's path.
    Reply,
    /// The remains of a frame that was on its link when the link failed. Its arrival has no effect.
    Lost,
}

/// A frame. The meaning of `payload` depends on the kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    payload: u64,
    /// The conversation, in the bits below the hop.
    way: u64,
    /// The tag, in the bits below the length, the class, the request for a reply, the end of a message and the kind.
    label: u64,
}

/// The bit position of the hop, above the conversation.
const HOP_SHIFT: u32 = 32;
/// The bit positions of the length, the class, the request for a reply, the end of a message and the kind, above the tag.
const BYTES_SHIFT: u32 = 32;
const CLASS_SHIFT: u32 = 48;
const REQUEST_SHIFT: u32 = 56;
const LAST_SHIFT: u32 = 57;
const KIND_SHIFT: u32 = 58;

/// A frame on a link, with the time at which it has arrived completely.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct InFlight {
    pub(crate) frame: Frame,
    pub(crate) at: Time,
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

const UNTAGGED: u32 = MARKED - 1;

/// The congestion mark of a data frame, above its tag. There are fewer than 2^31 - 1 congestion points and reports.
const MARKED: u32 = 1 << 31;

/// Marks the tag of a notification whose feedback does not fit in six bits.
const FINE: u32 = 1 << 31;

/// The number of bits for each of the two queue lengths in a notification's payload, next to the feedback: up to ±268 MB.
const LENGTH_BITS: u32 = 29;

/// The payload of a stop signal, which also sets [`FINE`]: larger than the payload of any feedback.
const STOP: u64 = u64::MAX;

/// The number of bits for each queue length next to fine feedback, which takes fifteen bits: up to ±8 MB. Sources that act
/// on the feedback do not read the lengths.
const FINE_LENGTH_BITS: u32 = 24;

impl Default for Frame {
    /// A placeholder for the unused entries of a ring.
    fn default() -> Self {
        Self::new(FrameKind::Data, 0, Conversation(0), HopNo(0), 0, 0)
    }
}

impl Frame {
    /// A frame without a tag.
    #[inline]
    fn new(
        kind: FrameKind,
        payload: u64,
        conversation: Conversation,
        hop: HopNo,
        bytes: u16,
        class: u8,
    ) -> Self {
        let label =
            (kind as u64) << KIND_SHIFT | u64::from(class) << CLASS_SHIFT | u64::from(bytes) << BYTES_SHIFT;
        let way = u64::from(hop.0) << HOP_SHIFT | u64::from(conversation.0);
        Self { payload, way, label }.with_tag(UNTAGGED)
    }

    #[inline]
    fn with_tag(self, tag: u32) -> Self {
        Self { label: self.label & !u64::from(u32::MAX) | u64::from(tag), ..self }
    }

    #[inline]
    pub(crate) fn data(conversation: Conversation, hop: HopNo, bytes: u16, class: u8, sent_at: Time) -> Self {
        Self::new(FrameKind::Data, sent_at.as_picos(), conversation, hop, bytes, class)
    }

    /// The frame tagged with the given congestion point.
    #[must_use]
    pub(crate) fn tagged(self, point: PointId) -> Self {
        self.with_tag(point.0)
    }

    /// The data frame with a congestion mark.
    #[must_use]
    pub(crate) fn marked(self) -> Self {
        self.with_tag(self.raw_tag() | MARKED)
    }

    /// Whether a data frame has a congestion mark. The bit is clear in replies.
    #[inline]
    pub(crate) fn is_marked(self) -> bool {
        self.raw_tag() & MARKED != 0
    }

    /// The congestion mark of a data frame.
    pub(crate) fn mark(self) -> Mark {
        if self.is_marked() { Mark::Congested } else { Mark::Clear }
    }

    /// The data frame, flagged so that its receiver may reply to it.
    #[must_use]
    pub(crate) fn requesting_reply(self) -> Self {
        Self { label: self.label | 1 << REQUEST_SHIFT, ..self }
    }

    /// Whether it is a data frame to which its receiver may reply.
    #[inline]
    pub(crate) fn requests_reply(self) -> bool {
        self.label >> REQUEST_SHIFT & !(1 << (LAST_SHIFT - REQUEST_SHIFT)) == 1
    }

    /// The data frame, flagged because a message for which others may wait may be complete with its arrival.
    #[must_use]
    pub(crate) fn ending_message(self) -> Self {
        Self { label: self.label | 1 << LAST_SHIFT, ..self }
    }

    /// Whether a message for which others may wait may be complete with its arrival.
    #[inline]
    pub(crate) fn ends_message(self) -> bool {
        self.label >> LAST_SHIFT & 1 != 0
    }

    /// Whether it is a data frame that does not end a message for which others may wait.
    #[inline]
    pub(crate) fn is_plain_data(self) -> bool {
        self.label >> LAST_SHIFT == 0
    }

    /// Whether it is a data frame whose arrival has no consequences: its receiver does not reply, and no message waits for
    /// it.
    #[inline]
    pub(crate) fn is_one_way(self) -> bool {
        self.label >> REQUEST_SHIFT == 0
    }

    /// The data frame or reply, with a report that travels with it. Its mark is kept.
    #[must_use]
    pub(crate) fn with_report(self, report: ReportNo) -> Self {
        self.with_tag(self.raw_tag() & MARKED | report.0)
    }

    /// The report that travels with a reply, or with a data frame that carries telemetry.
    pub(crate) fn report(self) -> Option<ReportNo> {
        Some(ReportNo(self.raw_tag() & !MARKED)).filter(|report| report.0 != UNTAGGED)
    }

    /// A reply from the receiver of a conversation, without a report; `hop` is the hop after the last bridge. An
    /// acknowledgement contains the time at which the frame left its source.
    pub(crate) fn reply(
        conversation: Conversation,
        hop: HopNo,
        bytes: u16,
        class: u8,
        sent_at: Time,
    ) -> Self {
        Self::new(FrameKind::Reply, sent_at.as_picos(), conversation, hop, bytes, class)
    }

    /// A copy of the frame at another hop.
    #[must_use]
    #[inline]
    pub(crate) fn at(self, hop: HopNo) -> Self {
        Self { way: u64::from(hop.0) << HOP_SHIFT | u64::from(self.conversation().0), ..self }
    }

    /// The frame at the next hop on its path.
    #[must_use]
    #[inline]
    pub(crate) fn advanced(self) -> Self {
        Self { way: self.way + (1 << HOP_SHIFT), ..self }
    }

    #[inline]
    pub(crate) fn is_data(self) -> bool {
        self.label >> KIND_SHIFT == FrameKind::Data as u64
    }

    #[inline]
    pub(crate) fn kind(self) -> FrameKind {
        match self.label >> KIND_SHIFT {
            0 => FrameKind::Data,
            1 => FrameKind::Notification,
            2 => FrameKind::Pause,
            3 => FrameKind::Reply,
            _ => FrameKind::Lost,
        }
    }

    #[inline]
    pub(crate) fn conversation(self) -> Conversation {
        Conversation(self.way as u32)
    }

    /// The frame's entry in the table of hops: the entry for the bridge that it is at or left last, or for its station
    /// before the first bridge.
    #[inline]
    pub(crate) fn hop(self) -> HopNo {
        HopNo((self.way >> HOP_SHIFT) as u32)
    }

    #[inline]
    pub(crate) fn bytes(self) -> u16 {
        (self.label >> BYTES_SHIFT) as u16
    }

    /// Its traffic class: the rank of its priority among those in use.
    #[inline]
    pub(crate) fn class(self) -> u8 {
        (self.label >> CLASS_SHIFT) as u8
    }

    /// For a data frame, the congestion point that its source's limiter currently follows, or the number of its report, with
    /// [`MARKED`] if set; for a notification, the congestion point that sent it, with [`FINE`] if set; for a reply, the
    /// number of its report; otherwise [`UNTAGGED`].
    #[inline]
    fn raw_tag(self) -> u32 {
        self.label as u32
    }

    /// The congestion point in the tag of a data frame.
    #[inline]
    pub(crate) fn tag(self) -> Option<PointId> {
        Some(PointId(self.raw_tag() & !MARKED)).filter(|point| point.0 != UNTAGGED)
    }

    /// A signal from a congestion point to the source of a flow.
    pub(crate) fn signal(
        signal: Signal,
        from: PointId,
        conversation: Conversation,
        hop: HopNo,
        bytes: u16,
        class: u8,
    ) -> Self {
        let (payload, fine) = match signal {
            Signal::Notification(content) => Self::notification_payload(&content),
            Signal::Stop => (STOP, FINE),
        };
        Self::new(FrameKind::Notification, payload, conversation, hop, bytes, class).with_tag(from.0 | fine)
    }

    /// The payload of a notification, and the flag in its tag.
    fn notification_payload(content: &Notification) -> (u64, u32) {
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
        (payload, fine)
    }

    /// The remains of the frame after its link has failed.
    #[must_use]
    pub(crate) fn lost(self) -> Self {
        Self::new(FrameKind::Lost, 0, self.conversation(), self.hop(), self.bytes(), self.class())
    }

    pub(crate) fn pause(command: PauseCommand, bytes: u16) -> Self {
        let PauseCommand { classes, stop, quanta } = command;
        let payload = u64::from(classes) << 24 | u64::from(stop) << 16 | u64::from(quanta);
        Self::new(FrameKind::Pause, payload, Conversation(0), HopNo(0), bytes, 0)
    }

    /// The time at which a data frame left its station; for an acknowledgement, the time at which the frame that
    /// caused it left its station.
    #[inline]
    pub(crate) fn sent_at(self) -> Time {
        debug_assert!(matches!(self.kind(), FrameKind::Data | FrameKind::Reply));
        Time::from_picos(self.payload)
    }

    /// The signal that a notification carries, and the congestion point that sent it.
    pub(crate) fn signal_content(self) -> (Signal, PointId) {
        debug_assert_eq!(self.kind(), FrameKind::Notification);
        let (fine, from) = (self.raw_tag() & FINE != 0, PointId(self.raw_tag() & !FINE));
        if fine && self.payload == STOP {
            return (Signal::Stop, from);
        }
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
        (Signal::Notification(content), from)
    }

    pub(crate) fn pause_content(self) -> PauseCommand {
        debug_assert_eq!(self.kind(), FrameKind::Pause);
        let [.., classes, stop, high, low] = self.payload.to_be_bytes();
        PauseCommand { classes, stop, quanta: u16::from_be_bytes([high, low]) }
    }

    #[inline]
    pub(crate) fn size(self) -> Bytes {
        Bytes::new(u64::from(self.bytes()))
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
            let frame = Frame::signal(content.into(), from, Conversation(1), HopNo(2), 64, 0);
            prop_assert_eq!(frame.signal_content(), (content.into(), from));
        }

        /// Fine feedback survives encoding and decoding unchanged, and so do queue lengths up to ±8 MB.
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
            let frame = Frame::signal(content.into(), from, Conversation(1), HopNo(2), 64, 0);
            prop_assert_eq!(frame.signal_content(), (content.into(), from));
        }

        #[test]
        fn marks_and_tags_are_independent(point in 0..UNTAGGED, sent_at: u64) {
            let plain = Frame::data(Conversation(1), HopNo(2), 1500, 0, Time::from_picos(sent_at));
            prop_assert_eq!((plain.tag(), plain.report(), plain.is_marked()), (None, None, false));
            let tagged = plain.tagged(PointId(point)).marked();
            prop_assert_eq!((tagged.tag(), tagged.mark()), (Some(PointId(point)), Mark::Congested));
            let reported = plain.marked().with_report(ReportNo(point));
            prop_assert_eq!((reported.report(), reported.mark()), (Some(ReportNo(point)), Mark::Congested));
            let reply = Frame::reply(Conversation(1), HopNo(3), 64, 3, plain.sent_at());
            prop_assert_eq!((reply.kind(), reply.report(), reply.sent_at()), (FrameKind::Reply, None, plain.sent_at()));
            prop_assert_eq!(reply.with_report(ReportNo(point)).report(), Some(ReportNo(point)));
        }

        #[test]
        fn stops_come_back_as_they_were(point in 0..FINE) {
            let frame = Frame::signal(Signal::Stop, PointId(point), Conversation(1), HopNo(2), 64, 0);
            prop_assert_eq!(frame.signal_content(), (Signal::Stop, PointId(point)));
        }

        #[test]
        fn pauses_come_back_as_they_were(classes: u8, stop: u8, quanta: u16) {
            let command = PauseCommand { classes, stop, quanta };
            prop_assert_eq!(Frame::pause(command, 64).pause_content(), command);
        }
    }
}
