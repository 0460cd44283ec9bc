//! The culprit array: the owner of each unit of a buffer.

use alloc::vec::Vec;

use super::{CulpritCounters, Search};
use crate::Entropy;
use crate::signal::FlowKey;

/// The owner of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The flow.
    pub flow: FlowKey,
    /// The class of the frame, from 0 to 7 like priorities.
    pub class: u8,
}

/// The units of one frame, from [`CulpritArray::store`] to [`CulpritArray::release`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Units {
    first: u32,
    count: u32,
}

/// A word for each unit of a buffer: its owner, if it is occupied.
///
/// In section VI of the paper a word contains a pointer to the frame's header; here it contains the flow. Free units are
/// reused last in, first out; unused units are allocated in ascending order. Words exist only up to the highest unit
/// that was ever in use, so that memory grows with the used part of a large buffer.
#[derive(Clone, Debug)]
pub struct CulpritArray {
    /// The number of units.
    units: u32,
    words: Vec<Option<Owner>>,
    /// For an occupied unit, the next unit of its frame; for a free unit, the next free unit.
    next: Vec<u32>,
    first_free: u32,
    free: u32,
    /// By class.
    counters: [CulpritCounters; CLASSES],
    /// A buffer for the flows of a class, allocated when the largest flow is first needed.
    flows: Vec<FlowKey>,
}

/// Frames have one of eight priorities.
const CLASSES: usize = 8;

impl CulpritArray {
    /// Creates the array for an empty buffer.
    pub fn new(units: u32) -> Self {
        Self {
            units,
            words: Vec::new(),
            next: Vec::new(),
            first_free: 0,
            free: units,
            counters: [CulpritCounters::default(); CLASSES],
            flows: Vec::new(),
        }
    }

    /// The words, by unit. Units beyond them have never been in use and are free.
    pub fn words(&self) -> &[Option<Owner>] {
        &self.words
    }

    /// The heap memory, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.words.capacity() * size_of::<Option<Owner>>()
            + self.next.capacity() * size_of::<u32>()
            + self.flows.capacity() * size_of::<FlowKey>()
    }

    /// The heap memory of a unit that has been in use, in bytes: its word, its successor, and space for sorting its flow.
    pub const BYTES_PER_UNIT: usize = size_of::<Option<Owner>>() + size_of::<u32>() + size_of::<FlowKey>();

    /// The number of free units.
    pub fn free(&self) -> u32 {
        self.free
    }

    /// The cost of all searches.
    pub fn counters(&self) -> CulpritCounters {
        let mut sum = CulpritCounters::default();
        self.counters.iter().for_each(|&of_class| sum += of_class);
        sum
    }

    /// The cost of the searches for culprits of a class.
    pub fn counters_of(&self, class: u8) -> CulpritCounters {
        self.counters.get(usize::from(class)).copied().unwrap_or_default()
    }

    /// Allocates units for a frame, or returns `None` if too few are free.
    pub fn store(&mut self, owner: Owner, count: u32) -> Option<Units> {
        if count > self.free {
            return None;
        }
        let units = Units { first: self.first_free, count };
        for _ in 0..count {
            let unit = self.first_free as usize;
            if unit == self.words.len() {
                self.words.push(None);
                self.next.push(self.first_free + 1);
            }
            self.words[unit] = Some(owner);
            self.first_free = self.next[unit];
        }
        self.free -= count;
        Some(units)
    }

    /// Frees the units of a frame, which must have been stored and not yet released.
    pub fn release(&mut self, units: Units) {
        let mut unit = units.first;
        for left in (0..units.count).rev() {
            debug_assert!(self.words[unit as usize].is_some(), "unit {unit} is free already");
            self.words[unit as usize] = None;
            if left == 0 {
                self.next[unit as usize] = core::mem::replace(&mut self.first_free, units.first);
            } else {
                unit = self.next[unit as usize];
            }
        }
        self.free += units.count;
    }

    /// The flow with the most units of a class; on a tie, the one with the lowest number.
    ///
    /// The paper suggests "a priority queue to sort flows", updated with every frame. Here all words are examined when a
    /// notification is due, which is rare. This does not count as a search.
    #[must_use]
    pub fn largest(&mut self, class: u8) -> Option<FlowKey> {
        let Self { words, flows, .. } = self;
        flows.clear();
        flows.reserve(words.len());
        flows.extend(words.iter().flatten().filter(|owner| owner.class == class).map(|owner| owner.flow));
        flows.sort_unstable();
        // If there are several maxima, `max_by_key` returns the last.
        let most = flows.chunk_by(PartialEq::eq).rev().max_by_key(|units| units.len())?;
        most.first().copied()
    }

    /// The flow of a random occupied unit of a class.
    ///
    /// The search reads words at random addresses until it finds one that belongs to the class. With one word per read,
    /// every unit of the class has the same probability. With several words per read, the search chooses uniformly
    /// among the words of the class in the read, so that a unit with few neighbours of its class is found more often
    /// than one with many. After the configured number of failed reads, all words are read sequentially, starting
    /// after the last read (or after the first row, if there are no random reads). This finds the next unit of the
    /// class, which favours units after long gaps.
    ///
    /// # Panics
    /// Panics if the class is above 7.
    pub fn random(&mut self, class: u8, search: &Search, entropy: &mut dyn Entropy) -> Option<FlowKey> {
        let rows = self.units.div_ceil(search.words_per_read.max(1));
        let place = usize::from(class);
        self.counters[place].searches += 1;
        let mut row = 0;
        for _ in 0..search.random_reads {
            row = below(rows, entropy);
            self.counters[place].reads += 1;
            if let Some(flow) = self.one_of(row, class, search, entropy) {
                return Some(flow);
            }
        }
        self.counters[place].fallbacks += 1;
        for offset in 1..=rows {
            self.counters[place].reads += 1;
            self.counters[place].fallback_reads += 1;
            if let Some(flow) = self.one_of((row + offset) % rows, class, search, entropy) {
                return Some(flow);
            }
        }
        None
    }

    /// The flow of a unit of a class in a row of words that are read together.
    fn one_of(&self, row: u32, class: u8, search: &Search, entropy: &mut dyn Entropy) -> Option<FlowKey> {
        let width = search.words_per_read.max(1) as usize;
        let begin = (row as usize * width).min(self.words.len());
        let words = &self.words[begin..self.words.len().min(begin + width)];
        let owned = words.iter().flatten().filter(|owner| owner.class == class);
        let found = owned.clone().count() as u32;
        let chosen = if found > 1 { below(found, entropy) } else { 0 };
        owned.map(|owner| owner.flow).nth(chosen as usize)
    }
}

/// A random number below a bound, uniform to within one part in 2^32.
fn below(bound: u32, entropy: &mut dyn Entropy) -> u32 {
    ((u64::from(entropy.next_u32()) * u64::from(bound)) >> 32) as u32
}
