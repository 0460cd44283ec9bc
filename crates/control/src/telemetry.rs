//! The load of links, computed from the reports of bridges in successive acknowledgements: HPCC's in-band telemetry.
//!
//! A header has room for a fixed number of hops, and its fields have few bits. [`Fields`] says whether they are rounded.

use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use crate::HopReport;
use crate::parameter::choice;

choice! {
    /// The precision of the reports of bridges.
    Fields {
        Exact = "exact", "As the bridges measured them.";
        Quantised = "quantised", "As in HPCC's header: times in 24 bits of 1 ns, bytes sent in 20 bits of 128 B, queues in 17 bits of 80 B (HPCC, int-header.h).";
    }
}

/// The number of hops that a header has room for; further bridges are not observed. HPCC has five.
pub const MAX_HOPS: usize = 8;

/// One, in the units in which algorithms measure the use or the power of a port.
pub(crate) const FULL: u64 = Load::PARTS;

/// Larger values cut a rate to its minimum anyway.
pub(crate) const MOST: u128 = (FULL as u128) << 20;

/// Picoseconds per second, times bits per byte.
const BYTE_PICOS: u128 = 8_000_000_000_000;

const NANO: u64 = 1_000;
/// The units of HPCC's header, and the number of values of each field.
const BYTES_UNIT: u64 = 128;
const QUEUE_UNIT: u64 = 80;
const TIMES: u64 = 1 << 24;
const COUNTS: u64 = 1 << 20;
const LONGEST_QUEUE: u64 = (1 << 17) - 1;

/// The load of a path as a source computes it from telemetry or from round-trip times: HPCC's U, PowerTCP's power. It is one
/// if the busiest port is fully used and its queue is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Load {
    parts: u64,
}

impl Load {
    /// The number of parts in a load of one.
    pub const PARTS: u64 = 1 << 30;

    /// A load in units of 2^-30.
    pub const fn of_parts(parts: u64) -> Self {
        Self { parts }
    }

    /// The load in units of 2^-30.
    pub const fn parts(self) -> u64 {
        self.parts
    }
}

/// The last report of every bridge on a path.
#[derive(Clone, Copy, Debug)]
pub struct Telemetry {
    last: [HopReport; MAX_HOPS],
    /// The number of bridges that have reported.
    hops: usize,
}

/// The change between two reports of one bridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HopChange {
    /// The time between them; never zero.
    pub span: TimeDelta,
    /// Bytes that the port has sent in between.
    pub sent: Bytes,
    /// The queue at the earlier and at the later report.
    pub queues: [Bytes; 2],
    /// The rate of the port.
    pub rate: Rate,
}

impl Telemetry {
    /// No reports yet.
    pub const NONE: Self = {
        let nothing = HopReport { at: Time::ZERO, queue: Bytes::ZERO, sent: Bytes::ZERO, rate: Rate::MIN };
        Self { last: [nothing; MAX_HOPS], hops: 0 }
    };

    /// The number of bridges that have reported.
    pub const fn hops(&self) -> usize {
        self.hops
    }

    /// Stores the reports of an acknowledgement, and returns the changes since the last one, in the order of the bridges: none
    /// if it is the first or if the path has changed. A bridge whose two reports have the same time contributes no change.
    pub fn update(&mut self, reports: &[HopReport], fields: Fields) -> [Option<HopChange>; MAX_HOPS] {
        let reports = &reports[..reports.len().min(MAX_HOPS)];
        let mut changes = [None; MAX_HOPS];
        if reports.len() == self.hops {
            for ((change, report), last) in changes.iter_mut().zip(reports).zip(&self.last) {
                *change = between(last, report, fields);
            }
        }
        self.hops = reports.len();
        self.last[..reports.len()].copy_from_slice(reports);
        changes
    }
}

/// The number of bytes, relative to those that a port sends in a time span. In units of 2^-30, rounded down.
pub(crate) fn share(bytes: Bytes, span: TimeDelta, rate: Rate) -> u128 {
    // Most queues are empty, and divisions are slow.
    if bytes == Bytes::ZERO {
        return 0;
    }
    let whole = u128::from(span.as_picos()) * u128::from(rate.bits_per_second());
    u128::from(bytes.get()) * BYTE_PICOS * u128::from(FULL) / whole
}

fn between(last: &HopReport, report: &HopReport, fields: Fields) -> Option<HopChange> {
    let (span, sent) = match fields {
        Fields::Exact => {
            let sent = report.sent.saturating_sub(last.sent);
            (report.at.saturating_since(last.at), sent)
        }
        Fields::Quantised => {
            let nanos = |at: Time| at.as_picos() / NANO;
            let units = |sent: Bytes| sent.get() / BYTES_UNIT;
            let span = nanos(report.at).wrapping_sub(nanos(last.at)) % TIMES;
            let sent = units(report.sent).wrapping_sub(units(last.sent)) % COUNTS;
            (TimeDelta::from_nanos(span), Bytes::new(sent * BYTES_UNIT))
        }
    };
    let queue = |queue: Bytes| match fields {
        Fields::Exact => queue,
        Fields::Quantised => Bytes::new((queue.get() / QUEUE_UNIT).min(LONGEST_QUEUE) * QUEUE_UNIT),
    };
    let queues = [queue(last.queue), queue(report.queue)];
    (!span.is_zero()).then_some(HopChange { span, sent, queues, rate: report.rate })
}
