//! Frames at inputs, and their virtual output queues.
//!
//! A slot holds a frame from its arrival until its input has released the frame's buffer space. Slots of frames that have
//! not been sent across are in the list of their virtual output queue, in order of arrival.

use setpoint_control::culprit::Units;
use setpoint_units::Time;

use super::pool::{Pool, Vacate};
use crate::frame::Frame;
use crate::index::{SlotNo, Stretch, VoqNo};

/// No slot.
const NONE: SlotNo = SlotNo(u32::MAX);

/// The progress of a frame at its input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum SlotStage {
    #[default]
    Vacant,
    /// It has not been sent across.
    Waiting,
    /// It is crossing the bridge, or it has crossed and the input keeps a copy.
    Sent,
}

/// A frame at an input; takes one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Slot {
    pub(super) frame: Frame,
    /// The time at which the last of its cells sent so far reaches a spine.
    pub(super) latest: Time,
    /// Its units in the input's buffer, if their owners are recorded.
    pub(super) owned: Units,
    /// The slot after it in its queue.
    next: SlotNo,
    pub(super) voq: VoqNo,
    /// Another copy of the same frame that has not left its input, or [`NONE`]. These copies form a ring.
    sibling: SlotNo,
    /// Units it occupies at its input and at its output.
    pub(super) units: u32,
    /// The number of cells that have not been sent.
    pub(super) to_leave: u16,
    pub(super) stage: SlotStage,
    /// Whether its input holds it. Among several copies of a frame, one represents the buffer space that all share.
    pub(super) held: bool,
}

/// The slots of a bridge.
pub(super) type Slots = Pool<SlotNo, Slot>;

/// Virtual output queues.
pub(super) type Voqs = Stretch<VoqNo, Voq>;

/// Whether other copies of a frame remain at its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Others {
    None,
    Left,
}

impl Slot {
    /// A frame that has arrived, for a virtual output queue.
    #[inline]
    pub(super) fn waiting(frame: Frame, voq: VoqNo, units: u32, owned: Units) -> Self {
        Self {
            frame,
            latest: Time::ZERO,
            owned,
            next: NONE,
            voq,
            sibling: NONE,
            units,
            to_leave: 0,
            stage: SlotStage::Waiting,
            held: false,
        }
    }
}

impl Vacate for Slot {
    #[inline]
    fn vacate(&mut self) {
        self.stage = SlotStage::Vacant;
    }

    #[inline]
    fn is_vacant(&self) -> bool {
        self.stage == SlotStage::Vacant
    }
}

/// A virtual output queue: the frames of an input and class for one output that have not been sent across.
#[derive(Clone, Copy, Debug)]
pub(super) struct Voq {
    first: SlotNo,
    last: SlotNo,
    /// Units of the input's buffer that its frames occupy, including frames that were sent and are still held.
    pub(super) held: u32,
}

impl Voq {
    pub(super) const EMPTY: Self = Self { first: NONE, last: NONE, held: 0 };

    /// Appends a frame.
    #[inline]
    pub(super) fn push(&mut self, slots: &mut Slots, slot: SlotNo) {
        if self.first == NONE {
            self.first = slot;
        } else {
            slots[self.last].next = slot;
        }
        self.last = slot;
    }

    /// The oldest frame, if there is one.
    #[inline]
    pub(super) fn oldest(&self) -> Option<SlotNo> {
        (self.first != NONE).then_some(self.first)
    }

    /// Removes the first frame, which is sent across the bridge, and returns its slot.
    #[inline]
    pub(super) fn pop(&mut self, slots: &mut Slots) -> SlotNo {
        let number = self.first;
        let slot = &mut slots[number];
        slot.stage = SlotStage::Sent;
        self.first = slot.next;
        number
    }

    /// Its frames, oldest first.
    pub(super) fn frames<'a>(&self, slots: &'a Slots) -> impl Iterator<Item = &'a Slot> + use<'a> {
        let existing = |slot: SlotNo| (slot != NONE).then_some(slot);
        std::iter::successors(existing(self.first), move |slot| existing(slots[*slot].next))
            .map(|slot| &slots[slot])
    }
}

/// Makes a slot represent the buffer space of its frame.
#[inline]
pub(super) fn hold(slots: &mut Slots, voqs: &mut Voqs, slot: SlotNo) {
    let slot = &mut slots[slot];
    slot.held = true;
    voqs[slot.voq].held += slot.units;
}

/// Frees the buffer space that a slot represents, if any. Returns whether there was any.
#[inline]
pub(super) fn release(slots: &mut Slots, voqs: &mut Voqs, slot: SlotNo) -> bool {
    let slot = &mut slots[slot];
    let held = std::mem::take(&mut slot.held);
    if held {
        voqs[slot.voq].held -= slot.units;
    }
    held
}

/// Links the slots of copies of one frame; the first represents the buffer space.
pub(super) fn join(slots: &mut Slots, voqs: &mut Voqs, mut copies: impl Iterator<Item = SlotNo>) {
    let Some(first) = copies.next() else { return };
    hold(slots, voqs, first);
    let mut last = first;
    for slot in copies {
        slots[last].sibling = slot;
        slots[slot].sibling = first;
        last = slot;
    }
}

/// Removes a copy that leaves its input from the ring. If it represented the buffer space, another copy takes over.
#[inline]
pub(super) fn part(slots: &mut Slots, voqs: &mut Voqs, slot: SlotNo) -> Others {
    let next = slots[slot].sibling;
    if next == NONE {
        return Others::None;
    }
    let mut before = next;
    while slots[before].sibling != slot {
        before = slots[before].sibling;
    }
    slots[before].sibling = if before == next { NONE } else { next };
    slots[slot].sibling = NONE;
    if release(slots, voqs, slot) {
        hold(slots, voqs, next);
    }
    Others::Left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_one_cache_line() {
        assert_eq!(size_of::<Slot>(), 64);
    }

    #[test]
    fn the_room_of_copies_is_that_of_the_last_to_leave() {
        let (mut slots, mut voqs) = (Slots::new(), Voqs::new(VoqNo(0), (0..3).map(|_| Voq::EMPTY)));
        let copy = |voq| Slot::waiting(Frame::default(), VoqNo(voq), 5, Units::default());
        let copies: Vec<SlotNo> = (0..3).map(|voq| slots.take(copy(voq))).collect();
        join(&mut slots, &mut voqs, copies.iter().copied());
        let held = |voqs: &Voqs| voqs.iter().map(|voq| voq.held).collect::<Vec<_>>();
        assert_eq!(held(&voqs), [5, 0, 0]);
        assert_eq!(part(&mut slots, &mut voqs, copies[1]), Others::Left);
        assert_eq!(held(&voqs), [5, 0, 0]);
        assert_eq!(part(&mut slots, &mut voqs, copies[0]), Others::Left);
        assert_eq!(held(&voqs), [0, 0, 5]);
        assert_eq!(part(&mut slots, &mut voqs, copies[2]), Others::None);
        assert!(release(&mut slots, &mut voqs, copies[2]));
        assert_eq!(held(&voqs), [0, 0, 0]);
    }
}
