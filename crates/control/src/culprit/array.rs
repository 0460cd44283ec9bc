//! The culprit array: who owns each unit of a buffer.

use alloc::vec::Vec;

use super::{CulpritCounters, Search};
use crate::Entropy;
use crate::signal::FlowKey;

/// Whose frame is in a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The flow.
    pub flow: FlowKey,
    /// The class of the frame: from 0 to 7, as there are priorities.
    pub class: u8,
}

/// The units of one frame: what [`CulpritArray::store`] gave and [`CulpritArray::release`] takes back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Units {
    first: u32,
    count: u32,
}

/// A word for each unit of a buffer: whose frame is in it, or that it is free.
///
/// Section VI of the paper has a pointer to the frame's header in a word; here it is the flow that the header would
/// say. Units that are free are given out last in, first out, and those that were never in use in ascending order: words
/// are kept only up to the highest unit that was ever in use, so that a large buffer costs what is used of it.
#[derive(Clone, Debug)]
pub struct CulpritArray {
    /// As many as there are units.
    units: u32,
    words: Vec<Option<Owner>>,
    /// For a unit in use, the next of its frame; for a free one, the next that is free.
    next: Vec<u32>,
    first_free: u32,
    free: u32,
    /// By class.
    counters: [CulpritCounters; CLASSES],
    /// Room for the flows of a class, taken once, when the largest is first asked for.
    flows: Vec<FlowKey>,
}

/// Frames have one of eight priorities.
const CLASSES: usize = 8;

impl CulpritArray {
    /// The array of a buffer whose units are all free.
    #[must_use]
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

    /// The words, by unit: what reading all of the array would give. Units beyond were never in use and are free.
    #[must_use]
    pub fn words(&self) -> &[Option<Owner>] {
        &self.words
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.words.capacity() * size_of::<Option<Owner>>()
            + self.next.capacity() * size_of::<u32>()
            + self.flows.capacity() * size_of::<FlowKey>()
    }

    /// Bytes on the heap that a unit takes once it has been in use: word, successor, and room to sort its flow.
    pub const BYTES_PER_UNIT: usize = size_of::<Option<Owner>>() + size_of::<u32>() + size_of::<FlowKey>();

    /// Units that are free.
    #[must_use]
    pub fn free(&self) -> u32 {
        self.free
    }

    /// What searches have cost so far.
    #[must_use]
    pub fn counters(&self) -> CulpritCounters {
        let mut sum = CulpritCounters::default();
        self.counters.iter().for_each(|&of_class| sum += of_class);
        sum
    }

    /// What searches for culprits of a class have cost so far.
    #[must_use]
    pub fn counters_of(&self, class: u8) -> CulpritCounters {
        self.counters.get(usize::from(class)).copied().unwrap_or_default()
    }

    /// Gives units to a frame; none if fewer are free.
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

    /// Takes back the units of a frame, which it must have given and not have had back yet.
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

    /// The flow that has the most units of a class; of several the one with the lowest number.
    ///
    /// The paper has "a priority queue to sort flows" in mind, which is brought up to date with every frame. Here all
    /// words are looked at when a notification is due, which is seldom. No search is counted.
    #[must_use]
    pub fn largest(&mut self, class: u8) -> Option<FlowKey> {
        let Self { words, flows, .. } = self;
        flows.clear();
        flows.reserve(words.len());
        flows.extend(words.iter().flatten().filter(|owner| owner.class == class).map(|owner| owner.flow));
        flows.sort_unstable();
        // Of several that are largest `max_by_key` takes the last.
        let most = flows.chunk_by(PartialEq::eq).rev().max_by_key(|units| units.len())?;
        most.first().copied()
    }

    /// The flow of an occupied unit of a class, at random.
    ///
    /// Words at random addresses are read until one of the class is found. With one word a read, every unit of the
    /// class has the same chance. With several, one of the class among them is taken, each with the same chance; a unit
    /// that has few of its class beside it is then found more often than one that has many. After a number of reads
    /// without success all words are read one after another, from behind the last read on (without random reads, from
    /// behind the first row): what is found then is the next of the class, so that units behind long gaps are favoured.
    ///
    /// # Panics
    /// If there is no such class: if it is above 7.
    pub fn random(&mut self, class: u8, search: &Search, entropy: &mut impl Entropy) -> Option<FlowKey> {
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

    /// The flow of one of the units of a class in a row of words that are read together.
    fn one_of(&self, row: u32, class: u8, search: &Search, entropy: &mut impl Entropy) -> Option<FlowKey> {
        let width = search.words_per_read.max(1) as usize;
        let begin = (row as usize * width).min(self.words.len());
        let words = &self.words[begin..self.words.len().min(begin + width)];
        let owned = words.iter().flatten().filter(|owner| owner.class == class);
        let found = owned.clone().count() as u32;
        let chosen = if found > 1 { below(found, entropy) } else { 0 };
        owned.map(|owner| owner.flow).nth(chosen as usize)
    }
}

/// A number below a bound, each with the same chance but for a part in 2^32.
fn below(bound: u32, entropy: &mut impl Entropy) -> u32 {
    ((u64::from(entropy.next_u32()) * u64::from(bound)) >> 32) as u32
}
