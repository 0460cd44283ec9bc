//! Frames inside bridges with input buffers, and the virtual output queues they stand in.
//!
//! All such frames of a network are kept in one table of slots; a virtual output queue is a list through it, as in the
//! shared buffers of hardware. A list holds the frames of an input for an output in the order in which they came, from
//! the oldest that has not reached its output's queue to the youngest, and three marks move along it: the next frame to
//! be granted, the next to be sent inside, and the first, which is the next to leave at the output. So frames of a
//! flow keep their order, whatever way their cells take.

use setpoint_control::culprit::Units;
use setpoint_units::Time;

use crate::frame::Frame;

/// No slot.
pub(super) const NONE: u32 = u32::MAX;

/// How far a frame has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// The slot is free.
    #[default]
    Free,
    /// At its input, without a grant.
    Waiting,
    /// Room at the output is its own; the grant is on its way.
    Granted,
    /// It is being sent inside.
    Inside,
    /// All of it has come to the output, and an older frame of its queue has not.
    Complete,
    /// In the queue of its output.
    Stored,
    /// It has left, and the input keeps a copy until it hears of that.
    Sent,
}

/// A frame inside a bridge. One cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct Slot {
    pub(super) frame: Frame,
    /// When the last of its cells so far comes to the output.
    pub(super) latest: Time,
    /// The units it has in its input's buffer, where they are told apart.
    pub(super) owned: Units,
    /// The slot after it in its list, or among the free ones.
    pub(super) next: u32,
    pub(super) voq: u32,
    /// Another copy of the same frame that has not left its input, or [`NONE`]: all such copies are a ring.
    pub(super) sibling: u32,
    /// Units that it takes at its input and at its output.
    pub(super) units: u32,
    /// Cells that have not reached a spine.
    pub(super) to_leave: u16,
    /// Cells of which it is not known when they come to the output.
    pub(super) to_arrive: u16,
    pub(super) stage: Stage,
    /// Whether its input holds it. Of several copies of a frame, one stands for the room that all of them share.
    pub(super) held: bool,
}

/// Whether other copies of a frame are left at its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Others {
    None,
    Left,
}

impl Slot {
    /// A frame that has arrived, not yet in a queue.
    #[inline]
    pub(super) fn waiting(frame: Frame, units: u32) -> Self {
        Self { frame, units, next: NONE, sibling: NONE, stage: Stage::Waiting, held: true, ..Self::default() }
    }
}

/// The table of slots.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    slots: Vec<Slot>,
    free: u32,
}

impl Slots {
    pub(super) fn new() -> Self {
        Self { slots: Vec::new(), free: NONE }
    }

    #[inline]
    pub(super) fn take(&mut self, slot: Slot) -> u32 {
        if self.free == NONE {
            self.slots.push(slot);
            return self.slots.len() as u32 - 1;
        }
        let index = self.free;
        self.free = self.slots[index as usize].next;
        self.slots[index as usize] = slot;
        index
    }

    #[inline]
    pub(super) fn give_back(&mut self, index: u32) {
        let slot = &mut self.slots[index as usize];
        slot.stage = Stage::Free;
        slot.next = self.free;
        self.free = index;
    }

    /// Makes slots those of copies of one frame, of which the first holds the room.
    pub(super) fn join(&mut self, mut copies: impl Iterator<Item = u32>) {
        let Some(first) = copies.next() else { return };
        self[first].held = true;
        let mut last = first;
        for slot in copies {
            self[last].sibling = slot;
            self[slot].sibling = first;
            last = slot;
        }
    }

    /// Takes a copy that has left its input out of the ring; if it has held the room, another does from now on.
    #[inline]
    pub(super) fn part(&mut self, index: u32) -> Others {
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

    /// The frames that are inside.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Slot> {
        self.slots.iter().filter(|slot| slot.stage != Stage::Free)
    }
}

impl std::ops::Index<u32> for Slots {
    type Output = Slot;

    #[inline]
    fn index(&self, index: u32) -> &Slot {
        &self.slots[index as usize]
    }
}

impl std::ops::IndexMut<u32> for Slots {
    #[inline]
    fn index_mut(&mut self, index: u32) -> &mut Slot {
        &mut self.slots[index as usize]
    }
}

/// A virtual output queue: the frames of an input and a class for one output.
#[derive(Clone, Copy, Debug)]
pub(super) struct Voq {
    first: u32,
    to_inject: u32,
    to_grant: u32,
    last: u32,
    /// Requests that the output's arbiter has and has not granted.
    pub(super) requests: u32,
}

impl Voq {
    pub(super) const EMPTY: Self =
        Self { first: NONE, to_inject: NONE, to_grant: NONE, last: NONE, requests: 0 };

    /// Puts a frame behind the others.
    #[inline]
    pub(super) fn push(&mut self, slots: &mut Slots, slot: u32) {
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
    pub(super) fn first(&self) -> u32 {
        self.first
    }

    /// The next frame to be granted.
    #[inline]
    pub(super) fn next_to_grant(&self) -> u32 {
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

    /// The next frame with a grant leaves its input.
    #[inline]
    pub(super) fn inject(&mut self, slots: &mut Slots) -> u32 {
        let index = self.to_inject;
        let slot = &mut slots[index];
        debug_assert_eq!(slot.stage, Stage::Granted, "a frame goes inside without a grant");
        slot.stage = Stage::Inside;
        self.to_inject = slot.next;
        index
    }

    /// Takes out the oldest frame, if all of it has come to the output.
    #[inline]
    pub(super) fn pop_complete(&mut self, slots: &mut Slots) -> Option<u32> {
        let index = self.first;
        if index == NONE || slots[index].stage != Stage::Complete {
            return None;
        }
        self.first = slots[index].next;
        Some(index)
    }
}
