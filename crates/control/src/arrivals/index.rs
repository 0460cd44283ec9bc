//! Maps the id of an account to its position: open addressing with linear probing, at most half full.

use alloc::vec;
use alloc::vec::Vec;

/// The positions of accounts, by id.
#[derive(Clone, Debug)]
pub(super) struct Index {
    /// The slots. Their number is a power of two, or zero before the first insertion.
    slots: Vec<Slot>,
    /// The number of unused bits of a hash.
    shift: u32,
}

/// An id and the position of its account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slot {
    id: u32,
    position: u32,
}

/// A value beyond every position.
const NOWHERE: u32 = u32::MAX;

const EMPTY: Slot = Slot { id: 0, position: NOWHERE };

impl Index {
    pub(super) const fn new() -> Self {
        Self { slots: Vec::new(), shift: 0 }
    }

    /// The heap memory for `bound` ids, in bytes.
    pub(super) const fn heap_bytes(bound: usize) -> usize {
        (2 * bound).next_power_of_two() * size_of::<Slot>()
    }

    /// Allocates memory for `bound` ids, once.
    pub(super) fn reserve(&mut self, bound: usize) {
        let slots = (2 * bound).next_power_of_two();
        self.slots = vec![EMPTY; slots];
        self.shift = u32::BITS - slots.ilog2();
    }

    /// The position of an id, or a position beyond every account if the id is unknown.
    #[inline]
    pub(super) fn position(&self, id: u32) -> usize {
        let mut at = self.home(id);
        while let Some(slot) = self.slots.get(at) {
            if slot.id == id || slot.position == NOWHERE {
                return slot.position as usize;
            }
            at = self.after(at);
        }
        NOWHERE as usize
    }

    /// Adds a new id. There must be a free slot.
    pub(super) fn insert(&mut self, id: u32, position: usize) {
        let at = self.find(id);
        self.slots[at] = Slot { id, position: position as u32 };
    }

    /// Moves an existing id to another position.
    pub(super) fn move_to(&mut self, id: u32, position: usize) {
        let at = self.find(id);
        self.slots[at].position = position as u32;
    }

    /// Removes an existing id and closes the gap: slots displaced by it move back.
    pub(super) fn remove(&mut self, id: u32) {
        let mut gap = self.find(id);
        let mut at = gap;
        loop {
            at = self.after(at);
            let slot = self.slots[at];
            if slot.position == NOWHERE {
                break;
            }
            // A slot may move back if the gap is not before its home.
            let mask = self.slots.len() - 1;
            let distance = |from: usize| at.wrapping_sub(from) & mask;
            if distance(self.home(slot.id)) >= distance(gap) {
                self.slots[gap] = slot;
                gap = at;
            }
        }
        self.slots[gap] = EMPTY;
    }

    /// The slot of an id, or the empty slot where it would go.
    fn find(&self, id: u32) -> usize {
        let mut at = self.home(id);
        while self.slots[at].position != NOWHERE && self.slots[at].id != id {
            at = self.after(at);
        }
        at
    }

    /// Multiplicative hashing: the upper bits of the id times 2³² divided by the golden ratio.
    #[inline]
    fn home(&self, id: u32) -> usize {
        (id.wrapping_mul(0x9E37_79B1) >> self.shift) as usize
    }

    #[inline]
    fn after(&self, at: usize) -> usize {
        (at + 1) & (self.slots.len() - 1)
    }
}
