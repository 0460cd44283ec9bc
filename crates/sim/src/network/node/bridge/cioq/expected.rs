//! Frames that an output expects, in the order in which their inputs requested buffer space for them.
//!
//! A record accompanies a frame from its request to its departure. An output has a list of records for each input and class,
//! from the oldest that has not reached the output's queue to the newest request. Frames enter the output's queue in the order
//! of the list, so frames of a flow keep their order, regardless of the paths that their cells take.

use setpoint_units::Time;

use super::pool::{Pool, Vacate};
use crate::frame::Frame;
use crate::index::{PortNo, QueueNo, RecordNo, SlotNo, VoqNo};

/// No record.
const NONE: RecordNo = RecordNo(u32::MAX);

/// The progress of a frame, as recorded at its output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RecordStage {
    #[default]
    Vacant,
    /// Its input has requested buffer space.
    Requested,
    /// It has been granted buffer space; the grant is in transit.
    Granted,
    /// It is crossing the bridge.
    Crossing,
    /// All of it has arrived, but an older frame in its list has not.
    Complete,
    /// It is in the output's queue.
    Stored,
}

/// A frame that an output expects or stores; takes one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Record {
    /// Meaningful once the frame is crossing the bridge.
    pub(super) frame: Frame,
    /// The time at which the last of its cells arrives, among those whose arrival time is known.
    pub(super) latest: Time,
    /// The record after it in its list.
    next: RecordNo,
    /// Its list.
    pub(super) list: VoqNo,
    /// The queue of its output.
    pub(super) queue: QueueNo,
    pub(super) input: PortNo,
    /// Its slot at its input.
    pub(super) slot: SlotNo,
    /// Units it occupies at the output.
    pub(super) units: u32,
    /// The number of cells whose arrival time is not yet known.
    pub(super) to_arrive: u16,
    pub(super) stage: RecordStage,
}

/// The records of a bridge.
pub(super) type Records = Pool<RecordNo, Record>;

impl Record {
    /// A frame for which an input has requested buffer space.
    #[inline]
    pub(super) fn requested(list: VoqNo, queue: QueueNo, input: PortNo, units: u32) -> Self {
        Self {
            frame: Frame::default(),
            latest: Time::ZERO,
            next: NONE,
            list,
            queue,
            input,
            slot: SlotNo(u32::MAX),
            units,
            to_arrive: 0,
            stage: RecordStage::Requested,
        }
    }

    /// Whether it occupies buffer space at the output.
    pub(super) fn takes_room(&self) -> bool {
        self.stage >= RecordStage::Granted
    }

    /// Whether its frame is in transit between the buffers of its input and output.
    pub(super) fn is_between(&self) -> bool {
        matches!(self.stage, RecordStage::Crossing | RecordStage::Complete)
    }
}

impl Vacate for Record {
    #[inline]
    fn vacate(&mut self) {
        self.stage = RecordStage::Vacant;
    }

    #[inline]
    fn is_vacant(&self) -> bool {
        self.stage == RecordStage::Vacant
    }
}

/// The frames of an input and class that an output expects.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expected {
    first: RecordNo,
    to_grant: RecordNo,
    last: RecordNo,
}

impl Expected {
    pub(super) const NOTHING: Self = Self { first: NONE, to_grant: NONE, last: NONE };

    /// Appends a request. Returns whether it is the only one without a grant.
    #[inline]
    pub(super) fn push(&mut self, records: &mut Records, record: RecordNo) -> bool {
        if self.first == NONE {
            self.first = record;
        } else {
            records[self.last].next = record;
        }
        self.last = record;
        let only = self.to_grant == NONE;
        if only {
            self.to_grant = record;
        }
        only
    }

    /// The oldest frame, if there is one.
    #[inline]
    pub(super) fn oldest(&self) -> Option<RecordNo> {
        (self.first != NONE).then_some(self.first)
    }

    /// The request whose turn it is.
    #[inline]
    pub(super) fn next_to_grant(&self) -> RecordNo {
        self.to_grant
    }

    /// Grants the request whose turn it is. Returns whether there are more requests.
    #[inline]
    pub(super) fn grant(&mut self, records: &mut Records) -> bool {
        let record = &mut records[self.to_grant];
        record.stage = RecordStage::Granted;
        self.to_grant = record.next;
        self.to_grant != NONE
    }

    /// Removes the oldest frame if all of it has arrived.
    #[inline]
    pub(super) fn pop_complete(&mut self, records: &Records) -> Option<RecordNo> {
        let number = self.first;
        if number == NONE || records[number].stage != RecordStage::Complete {
            return None;
        }
        self.first = records[number].next;
        Some(number)
    }

    /// The number of frames whose grant is in transit.
    pub(super) fn granted(&self, records: &Records) -> usize {
        let existing = |record: RecordNo| (record != NONE).then_some(record);
        let list = std::iter::successors(existing(self.first), |record| existing(records[*record].next));
        list.filter(|record| records[*record].stage == RecordStage::Granted).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_one_cache_line() {
        assert_eq!(size_of::<Record>(), 64);
    }

    #[test]
    fn frames_leave_the_list_in_the_order_of_their_requests() {
        let (mut records, mut expected) = (Records::new(), Expected::NOTHING);
        let numbers: Vec<RecordNo> =
            (0..3).map(|_| records.take(Record::requested(VoqNo(0), QueueNo(0), PortNo(0), 1))).collect();
        let only: Vec<bool> = numbers.iter().map(|&record| expected.push(&mut records, record)).collect();
        assert_eq!(only, [true, false, false]);
        for more in [true, true, false] {
            assert_eq!(expected.grant(&mut records), more);
        }
        assert_eq!(expected.granted(&records), 3);
        for (arrives, leave) in [(2, 0), (0, 1), (1, 2)] {
            records[numbers[arrives]].stage = RecordStage::Complete;
            let mut left = 0;
            while let Some(record) = expected.pop_complete(&records) {
                records.give_back(record);
                left += 1;
            }
            assert_eq!(left, leave);
        }
        assert_eq!((records.len(), expected.granted(&records)), (0, 0));
    }
}
