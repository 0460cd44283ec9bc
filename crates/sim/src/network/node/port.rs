//! A port: a transmitter and its link.

use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use crate::clock::Clock;
use crate::frame::{Frame, InFlight};
use crate::ids::PortId;
use crate::index::QueueNo;
use crate::network::node::context::Context;
use crate::topology::Link;

/// Whether a [`crate::events::Event::Ready`] of the port is pending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::network) enum Wake {
    Asleep,
    Armed,
}

/// Aligned to occupy two cache lines, not three; the fields that every frame needs come first.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(in crate::network) struct Port {
    /// The time at which all current and committed transmissions end, or at which the last one ended.
    pub(in crate::network) free_at: Time,
    /// Transmission time of a byte if it is a whole number of picoseconds, otherwise zero.
    byte_time: u64,
    delay: TimeDelta,
    pub(in crate::network) sent_frames: u64,
    pub(in crate::network) sent: u64,
    /// Total time of all transmissions that have begun or are committed.
    busy: TimeDelta,
    /// The port's id in the topology, which is also the index of its link.
    pub(in crate::network) id: PortId,
    /// The first of its queues; [`QueueNo::NONE`] at a station and inside a fabric.
    pub(in crate::network) queues: QueueNo,
    overhead: u16,
    /// Classes with frames waiting, one bit each.
    pub(in crate::network) waiting: u8,
    /// Classes that the far end has paused.
    pub(in crate::network) paused: u8,
    pub(in crate::network) wake: Wake,
    /// The classes of the committed frames; may contain further classes.
    pub(in crate::network) committed: u8,
    /// Whether a PAUSE or PFC frame must be sent before anything else.
    pub(in crate::network) pause_frame_due: bool,
    /// Whether its frames are passed to an observer.
    pub(in crate::network) tapped: bool,
    rate: Rate,
    /// The configured rate; the clock offset turns it into `rate`.
    nominal: Rate,
    /// The remainder from rounding down the last transmission time, for a clock with an offset, in bits times
    /// picoseconds per second.
    remainder: u64,
    clock: Clock,
}

impl Port {
    pub(in crate::network) fn new(id: PortId, link: &Link, overhead: Bytes, clock: Clock) -> Self {
        let mut port = Self {
            free_at: Time::ZERO,
            byte_time: 0,
            delay: link.delay,
            sent_frames: 0,
            sent: 0,
            busy: TimeDelta::ZERO,
            id,
            overhead: overhead.get() as u16,
            queues: QueueNo::NONE,
            waiting: 0,
            paused: 0,
            wake: Wake::Asleep,
            committed: 0,
            pause_frame_due: false,
            tapped: false,
            rate: link.rate,
            nominal: link.rate,
            remainder: 0,
            clock,
        };
        port.set_rate(link.rate);
        port
    }

    /// The port, with queues whose numbers start at `first`.
    pub(in crate::network) fn with_queues(self, first: QueueNo) -> Self {
        Self { queues: first, ..self }
    }

    /// The rate at which it transmits.
    pub(in crate::network) fn rate(&self) -> Rate {
        self.rate
    }

    /// The configured rate, without the clock offset.
    pub(in crate::network) fn nominal_rate(&self) -> Rate {
        self.nominal
    }

    /// The propagation delay of its link.
    pub(in crate::network) fn delay(&self) -> TimeDelta {
        self.delay
    }

    pub(in crate::network) fn set_rate(&mut self, nominal: Rate) {
        let rate = self.clock.rate(nominal);
        let bits = rate.bits_per_second();
        let whole = Rate::BYTE_PICOS.is_multiple_of(bits);
        self.byte_time = if whole { Rate::BYTE_PICOS / bits } else { 0 };
        self.rate = rate;
        self.nominal = nominal;
        self.remainder = 0;
    }

    /// Puts a frame on the link; its transmission begins at `start`, when the port is free.
    #[inline(always)]
    pub(in crate::network) fn transmit(&mut self, cx: &mut Context, frame: Frame, start: Time) {
        debug_assert!(self.free_at <= start, "port is busy");
        let span = self.occupy(frame.bytes());
        self.free_at = start + span;
        self.busy += span;
        if frame.is_data() {
            self.sent_frames += 1;
            self.sent += u64::from(frame.bytes());
        }
        let at = self.free_at + self.delay;
        cx.launch(self.id, InFlight { at, frame });
        if self.tapped {
            cx.note(self.id, frame, start);
        }
    }

    /// Recalls the last `count` frames, whose transmission begins at `first` or later, and calls `visit` for each.
    pub(in crate::network) fn recall(
        &mut self,
        cx: &mut Context,
        count: usize,
        first: Time,
        mut visit: impl FnMut(Frame),
    ) {
        cx.links[self.id].recall(count, |flying| {
            if flying.frame.is_data() {
                self.sent_frames -= 1;
                self.sent -= u64::from(flying.frame.bytes());
            }
            visit(flying.frame);
        });
        self.busy -= self.free_at - first;
        self.free_at = first;
        if self.tapped {
            cx.unnote(self.id, first);
        }
    }

    /// The time for which a frame occupies the link, including preamble and gap. Rounded up or, if the clock has an
    /// offset, down.
    #[inline]
    pub(in crate::network) fn transmission_time(&self, bytes: u16) -> TimeDelta {
        let bytes = u64::from(bytes) + u64::from(self.overhead);
        if self.byte_time != 0 {
            TimeDelta::from_picos(bytes * self.byte_time)
        } else {
            self.uneven_time(bytes)
        }
    }

    /// The time for which a frame being sent occupies the link. If the clock has an offset, the remainder is carried
    /// over: an offset is often smaller than the rounding of a frame time to the picosecond.
    #[inline]
    fn occupy(&mut self, bytes: u16) -> TimeDelta {
        let bytes = u64::from(bytes) + u64::from(self.overhead);
        if self.byte_time != 0 {
            TimeDelta::from_picos(bytes * self.byte_time)
        } else {
            self.occupy_unevenly(bytes)
        }
    }

    /// The transmission time at a rate for which the time per byte is not a whole number of picoseconds. Kept
    /// separate, so that frames at common rates need no division.
    #[inline(never)]
    fn uneven_time(&self, bytes: u64) -> TimeDelta {
        if self.clock.is_exact() {
            self.rate.time_to_send(Bytes::new(bytes))
        } else {
            TimeDelta::from_picos(bytes * Rate::BYTE_PICOS / self.rate.bits_per_second())
        }
    }

    #[inline(never)]
    fn occupy_unevenly(&mut self, bytes: u64) -> TimeDelta {
        if self.clock.is_exact() {
            return self.uneven_time(bytes);
        }
        let (work, bits) = (bytes * Rate::BYTE_PICOS + self.remainder, self.rate.bits_per_second());
        self.remainder = work % bits;
        TimeDelta::from_picos(work / bits)
    }

    /// Sends a cell as soon as the link is free. Returns when its transmission begins and when it has arrived.
    #[inline]
    pub(in crate::network) fn send_cell(&mut self, bytes: u16, now: Time) -> (Time, Time) {
        let (start, span) = (self.free_at.max(now), self.occupy(bytes));
        self.free_at = start + span;
        self.busy += span;
        self.sent_frames += 1;
        self.sent += u64::from(bytes);
        (start, self.free_at + self.delay)
    }

    /// Time spent transmitting until now, excluding the rest of current and committed
    /// transmissions.
    pub(in crate::network) fn busy_until(&self, now: Time) -> TimeDelta {
        self.busy - self.free_at.saturating_since(now)
    }

    /// Whether a frame of a class could be sent immediately.
    #[inline]
    pub(in crate::network) fn idle_for(&self, class: u8, now: Time) -> bool {
        self.free_at <= now
            && self.wake == Wake::Asleep
            && self.ready() == 0
            && self.paused & (1 << class) == 0
    }

    /// The waiting classes that are not paused.
    #[inline]
    pub(in crate::network) fn ready(&self) -> u8 {
        self.waiting & !self.paused
    }
}

/// The position of the highest set bit.
#[inline]
pub(in crate::network) fn highest(set: u8) -> Option<u8> {
    if set == 0 { None } else { Some(7 - set.leading_zeros() as u8) }
}
