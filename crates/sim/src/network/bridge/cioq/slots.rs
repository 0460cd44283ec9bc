//! Frames inside bridges with input buffers, and their virtual output queues.
//!
//! One table of slots holds all such frames of a network, and each virtual output queue is a linked list
//! through it, as in hardware with shared buffers. A list holds the frames of an input for an output in order
//! of arrival, from the oldest that has not reached its output's queue to the newest. Three markers advance
//! along it: the next frame to be granted, the next to be sent across, and the first, which is
//! the next to reach the output's queue. So frames of a flow keep their order, regardless of
//! the paths that their cells take.

use setpoint_control::culprit::Units;
use setpoint_units::Time;

use crate::frame::Frame;
use crate::index::{SlotNo, Table, VoqNo};

/// No slot.
pub(super) const NONE: SlotNo = SlotNo(u32::MAX);

/// The progress of a frame through the bridge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// The slot is free.
    #[default]
    Free,
    /// At its input, without a grant.
    Waiting,
    /// It has room reserved at the output; the grant is on its way.
    Granted,
    /// It is crossing the bridge.
    Inside,
    /// All of it has reached the output, but an older frame of its queue has not.
    Complete,
    /// In the queue of its output.
    Stored,
    /// It has left, and the input keeps a copy until the acknowledgement arrives.
    Sent,
}

/// A frame inside a bridge; takes one cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct Slot {
    pub(super) frame: Frame,
    /// The latest arrival time so far of its cells at the output.
    pub(super) latest: Time,
    /// Its units in the input's buffer, if their owners are recorded.
    pub(super) owned: Units,
    /// The next slot in its list, or in the list of free slots.
    pub(super) next: SlotNo,
    pub(super) voq: VoqNo,
    /// Another copy of the same frame that has not left its input, or [`NONE`]. These copies form a ring.
    pub(super) sibling: SlotNo,
    /// Units it takes at its input and at its output.
    pub(super) units: u32,
    /// Cells that have not yet reached a spine.
    pub(super) to_leave: u16,
    /// Cells whose arrival time at the output is not yet known.
    pub(super) to_arrive: u16,
    pub(super) stage: Stage,
    /// Whether its input holds it. Among several copies of a frame, one represents the room that all share.
    pub(super) held: bool,
}

/// Whether other copies of a frame remain at its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Others {
    None,
    Left,
}

impl Slot {
    /// A newly arrived frame, not yet in a queue.
    #[inline]
    pub(super) fn waiting(frame: Frame, units: u32) -> Self {
        Self { frame, units, next: NONE, sibling: NONE, stage: Stage::Waiting, held: true, ..Self::default() }
    }
}

/// The table of slots.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    slots: Table<SlotNo, Slot>,
    free: SlotNo,
}

impl Slots {
    pub(super) fn new() -> Self {
        Self { slots: Table::default(), free: NONE }
    }

    #[inline]
    pub(super) fn take(&mut self, slot: Slot) -> SlotNo {
        if self.free == NONE {
            return self.slots.push(slot);
        }
        let number = self.free;
        self.free = self.slots[number].next;
        self.slots[number] = slot;
        number
    }

    #[inline]
    pub(super) fn give_back(&mut self, number: SlotNo) {
        let slot = &mut self.slots[number];
        slot.stage = Stage::Free;
        slot.next = self.free;
        self.free = number;
    }

    /// Links the slots of copies of one frame; the first holds the room.
    pub(super) fn join(&mut self, mut copies: impl Iterator<Item = SlotNo>) {
        let Some(first) = copies.next() else { return };
        self[first].held = true;
        let mut last = first;
        for slot in copies {
            self[last].sibling = slot;
            self[slot].sibling = first;
            last = slot;
        }
    }

    /// Removes a copy that has left its input from the ring; if it held the room, another copy takes over.
    #[inline]
    pub(super) fn part(&mut self, index: SlotNo) -> Others {
        let next = self[index].sibling;
        if next == NONE {
            return Others::None;
        }
        let mut before = next;
        while self[before].sibling != index {
            before = self[before].sibling;
        }
        self[before].sibling = if before == next { NONE } else { next };
        self[index].sibling = NONE;
        let held = std::mem::take(&mut self[index].held);
        self[next].held |= held;
        Others::Left
    }

    /// Bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>()
    }

    /// The frames inside bridges.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Slot> {
        self.slots.iter().filter(|slot| slot.stage != Stage::Free)
    }
}

impl std::ops::Index<SlotNo> for Slots {
    type Output = Slot;

    #[inline]
    fn index(&self, number: SlotNo) -> &Slot {
        &self.slots[number]
    }
}

impl std::ops::IndexMut<SlotNo> for Slots {
    #[inline]
    fn index_mut(&mut self, number: SlotNo) -> &mut Slot {
        &mut self.slots[number]
    }
}

/// A virtual output queue: the frames of an input and class for one output.
#[derive(Clone, Copy, Debug)]
pub(super) struct Voq {
    first: SlotNo,
    to_inject: SlotNo,
    to_grant: SlotNo,
    last: SlotNo,
    /// Requests that have reached the output's arbiter and are not yet granted.
    pub(super) requests: u32,
}

impl Voq {
    pub(super) const EMPTY: Self =
        Self { first: NONE, to_inject: NONE, to_grant: NONE, last: NONE, requests: 0 };

    /// Appends a frame.
    #[inline]
    pub(super) fn push(&mut self, slots: &mut Slots, slot: SlotNo) {
        slots[slot].next = NONE;
        if self.first == NONE {
            self.first = slot;
        } else {
            slots[self.last].next = slot;
        }
        self.last = slot;
        for mark in [&mut self.to_inject, &mut self.to_grant] {
            if *mark == NONE {
                *mark = slot;
            }
        }
    }

    /// The oldest frame.
    pub(super) fn first(&self) -> SlotNo {
        self.first
    }

    /// The next frame to be granted.
    #[inline]
    pub(super) fn next_to_grant(&self) -> SlotNo {
        self.to_grant
    }

    /// Grants the next frame.
    #[inline]
    pub(super) fn grant(&mut self, slots: &mut Slots) {
        let slot = &mut slots[self.to_grant];
        slot.stage = Stage::Granted;
        self.to_grant = slot.next;
        self.requests -= 1;
    }

    /// Sends the next granted frame across the bridge and returns its slot.
    #[inline]
    pub(super) fn inject(&mut self, slots: &mut Slots) -> SlotNo {
        let index = self.to_inject;
        let slot = &mut slots[index];
        debug_assert_eq!(slot.stage, Stage::Granted, "a frame crosses a bridge without a grant");
        slot.stage = Stage::Inside;
        self.to_inject = slot.next;
        index
    }

    /// Removes the oldest frame if all of it has reached the output.
    #[inline]
    pub(super) fn pop_complete(&mut self, slots: &mut Slots) -> Option<SlotNo> {
        let index = self.first;
        if index == NONE || slots[index].stage != Stage::Complete {
            return None;
        }
        self.first = slots[index].next;
        Some(index)
    }
}
