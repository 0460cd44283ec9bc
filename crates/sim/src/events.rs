//! The event queue, ordered by time and then by scheduling order.
//!
//! Events due at the same picosecond are delivered in the order in which they were scheduled. This is a
//! guarantee, and results depend on it.
//!
//! A wheel of buckets holds events that are due soon, and a heap holds later ones. The bucket
//! width in picoseconds is a power of two. The current bucket is sorted once and then emptied
//! from its end. With about one event per bucket, sorting costs almost nothing, so the bucket
//! width follows the event density. If many events lie beyond the wheel's reach, the queue uses
//! wider buckets with several events each, because sorting them is cheaper than the heap. The
//! width affects only the speed of the queue, never the order of events.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use setpoint_units::Time;

use crate::ids::{FlowId, PortId};
use crate::index::{LaneNo, PortNo, SlotNo, StationNo};

/// An event, with the component that handles it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The first frame in flight from a port reaches the other end of the link.
    Arrive(PortId),
    /// A bridge's port has finished a transmission and has more frames waiting.
    Ready(PortNo),
    /// A station may have something to send.
    Send(StationNo),
    /// A reaction point's timer expires.
    ReactionTimer(LaneNo),
    /// A station's reaction delay ends, and its reaction point acts on a notification.
    React(StationNo),
    /// A pause may have expired at a station.
    StationPauseEnd(StationNo),
    /// A pause may have expired at a bridge's port.
    PortPauseEnd(PortNo),
    /// An input must renew a pause that it requested.
    PauseRefresh(PortNo),
    /// Messages between inputs and outputs of bridges arrive.
    Control,
    /// The first frame in the crossbar from an input reaches its output.
    Crossed(PortNo),
    /// Cells waiting at a link between a leaf and a spine may continue.
    CellRoom(PortNo),
    /// The last cell of the frame in a slot reaches its output.
    Complete(SlotNo),
    /// An input that has paused its sender samples its buffer.
    KeepAlive(PortNo),
    /// A flow starts.
    Start(FlowId),
    /// A flow stops.
    Stop(FlowId),
    /// Something happens to the whole network.
    Whole(Whole),
}

/// An event that concerns the whole network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whole {
    /// The next change in the spec takes effect.
    Change,
    /// Measurement begins.
    MeasureFrom,
    /// A sample interval ends.
    Sample,
}

const INDEX_BITS: u32 = 20;
const KIND_BITS: u32 = 4;
const SEQUENCE_SHIFT: u32 = INDEX_BITS + KIND_BITS;
const INDEX_MASK: u64 = (1 << INDEX_BITS) - 1;
const KIND_MASK: u64 = (1 << KIND_BITS) - 1;

/// Maximum number of components of one kind that an event can address.
pub(crate) const MAX_COMPONENTS: usize = 1 << INDEX_BITS;

impl Event {
    #[inline]
    fn pack(self) -> u64 {
        let (kind, index) = match self {
            Self::Arrive(port) => (0, port.0),
            Self::Ready(port) => (1, port.0),
            Self::Send(station) => (2, station.0),
            Self::ReactionTimer(lane) => (3, lane.0),
            Self::React(station) => (4, station.0),
            Self::StationPauseEnd(station) => (5, station.0),
            Self::PauseRefresh(input) => (6, input.0),
            Self::Whole(whole) => (7, whole as u32),
            Self::Start(flow) => (8, flow.0),
            Self::Stop(flow) => (9, flow.0),
            Self::Control => (10, 0),
            Self::Crossed(input) => (11, input.0),
            Self::CellRoom(port) => (12, port.0),
            Self::Complete(slot) => (13, slot.0),
            Self::KeepAlive(input) => (14, input.0),
            Self::PortPauseEnd(port) => (15, port.0),
        };
        kind << INDEX_BITS | u64::from(index)
    }

    #[inline]
    fn unpack(key: u64) -> Self {
        let index = (key & INDEX_MASK) as u32;
        match key >> INDEX_BITS & KIND_MASK {
            0 => Self::Arrive(PortId(index)),
            1 => Self::Ready(PortNo(index)),
            2 => Self::Send(StationNo(index)),
            3 => Self::ReactionTimer(LaneNo(index)),
            4 => Self::React(StationNo(index)),
            5 => Self::StationPauseEnd(StationNo(index)),
            6 => Self::PauseRefresh(PortNo(index)),
            7 if index == Whole::Change as u32 => Self::Whole(Whole::Change),
            7 if index == Whole::MeasureFrom as u32 => Self::Whole(Whole::MeasureFrom),
            7 => Self::Whole(Whole::Sample),
            8 => Self::Start(FlowId(index)),
            9 => Self::Stop(FlowId(index)),
            10 => Self::Control,
            11 => Self::Crossed(PortNo(index)),
            12 => Self::CellRoom(PortNo(index)),
            13 => Self::Complete(SlotNo(index)),
            14 => Self::KeepAlive(PortNo(index)),
            _ => Self::PortPauseEnd(PortNo(index)),
        }
    }
}

/// The time in the high bits, then the sequence number and the packed event: comparing entries compares
/// (time, sequence).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    time: u64,
    key: u64,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    entry: Entry,
    next: u32,
}

const NONE: u32 = u32::MAX;
/// 64 words of 64 bits, so that one more word can record which words have a bit set.
const BUCKETS: usize = 4096;
/// Events between two adjustments of the bucket width.
const TUNING_PERIOD: u64 = 1 << 15;
const MIN_SHIFT: u32 = 4;
const MAX_SHIFT: u32 = 40;

/// Pending events.
#[derive(Debug)]
pub(crate) struct EventQueue {
    /// Events in the current bucket, in descending order.
    current: Vec<Entry>,
    /// The number of the current bucket, counted from time zero.
    turn: u64,
    /// The first node of each bucket.
    heads: Box<[u32; BUCKETS]>,
    occupied: [u64; BUCKETS / 64],
    occupied_words: u64,
    nodes: Vec<Node>,
    free: u32,
    /// Events beyond the wheel.
    far: BinaryHeap<Reverse<Entry>>,
    /// A bucket spans 2^shift picoseconds.
    shift: u32,
    sequence: u64,
    popped: u64,
    refills: u64,
    far_pushes: u64,
    next_tuning: u64,
}

impl EventQueue {
    pub(crate) fn new() -> Self {
        Self {
            current: Vec::with_capacity(64),
            turn: 0,
            heads: Box::new([NONE; BUCKETS]),
            occupied: [0; BUCKETS / 64],
            occupied_words: 0,
            nodes: Vec::with_capacity(256),
            free: NONE,
            far: BinaryHeap::new(),
            shift: 16,
            sequence: 0,
            popped: 0,
            refills: 0,
            far_pushes: 0,
            next_tuning: TUNING_PERIOD,
        }
    }

    /// Events delivered so far.
    pub(crate) fn popped(&self) -> u64 {
        self.popped
    }

    /// Whether three quarters of the sequence numbers are used up.
    pub(crate) fn nearly_exhausted(&self) -> bool {
        self.sequence >> (64 - SEQUENCE_SHIFT - 2) >= 3
    }

    /// Schedules an event, which must not be earlier than the last one delivered.
    #[inline]
    pub(crate) fn push(&mut self, time: Time, event: Event) {
        let entry = self.entry(time, event);
        let bucket = entry.time >> self.shift;
        if self.on_wheel(bucket) {
            self.insert_wheel(bucket, entry);
        } else {
            self.place_elsewhere(entry);
        }
    }

    /// Schedules many events at once, in iteration order.
    pub(crate) fn push_all(&mut self, events: impl Iterator<Item = (Time, Event)>) {
        for (time, event) in events {
            let entry = self.entry(time, event);
            let bucket = entry.time >> self.shift;
            if self.on_wheel(bucket) {
                self.insert_wheel(bucket, entry);
            } else if bucket <= self.turn {
                self.current.push(entry);
            } else {
                self.far.push(Reverse(entry));
            }
        }
        self.sort_current();
    }

    /// The entry for an event that is scheduled now.
    #[inline]
    fn entry(&mut self, time: Time, event: Event) -> Entry {
        let key = self.sequence << SEQUENCE_SHIFT | event.pack();
        self.sequence += 1;
        Entry { time: time.as_picos(), key }
    }

    /// Removes and returns the next event.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(Time, Event)> {
        let entry = match self.current.pop() {
            Some(entry) => entry,
            None => self.refill()?,
        };
        self.popped += 1;
        Some((Time::from_picos(entry.time), Event::unpack(entry.key)))
    }

    /// Whether a bucket comes after the current one and within the wheel.
    #[inline]
    fn on_wheel(&self, bucket: u64) -> bool {
        bucket.wrapping_sub(self.turn + 1) < BUCKETS as u64 - 1
    }

    /// Stores an event that is due in the current bucket or beyond the wheel.
    #[inline(never)]
    fn place_elsewhere(&mut self, entry: Entry) {
        if entry.time >> self.shift <= self.turn {
            self.insert_current(entry);
        } else {
            self.far_pushes += 1;
            self.far.push(Reverse(entry));
        }
    }

    #[inline]
    fn insert_current(&mut self, entry: Entry) {
        let later = self.current.iter().rev().take_while(|other| **other < entry).count();
        self.current.insert(self.current.len() - later, entry);
    }

    #[inline]
    fn insert_wheel(&mut self, bucket: u64, entry: Entry) {
        let place = bucket as usize % BUCKETS;
        let node = Node { entry, next: self.heads[place] };
        let index = self.free;
        if index == NONE {
            self.heads[place] = self.nodes.len() as u32;
            self.nodes.push(node);
        } else {
            let slot = &mut self.nodes[index as usize];
            self.free = slot.next;
            *slot = node;
            self.heads[place] = index;
        }
        self.occupied[place / 64] |= 1 << (place % 64);
        self.occupied_words |= 1 << (place / 64);
    }

    /// Advances to the next bucket with events and removes its first event.
    #[inline]
    fn refill(&mut self) -> Option<Entry> {
        let near = self.next_occupied();
        let far = self.far.peek().map_or(u64::MAX, |entry| entry.0.time >> self.shift);
        self.refills += 1;
        // The common case: the bucket holds one event, and the heap has none for it.
        if let Some(turn) = near
            && far.saturating_sub(turn) >= BUCKETS as u64
            && self.popped < self.next_tuning
        {
            self.turn = turn;
            let place = turn as usize % BUCKETS;
            let head = self.heads[place];
            let node = &mut self.nodes[head as usize];
            if node.next == NONE {
                node.next = self.free;
                self.free = head;
                let entry = node.entry;
                self.clear_bucket(place);
                return Some(entry);
            }
        }
        self.refill_in_full()
    }

    #[inline(never)]
    fn refill_in_full(&mut self) -> Option<Entry> {
        if self.popped >= self.next_tuning {
            self.tune();
        }
        let near = if self.heads[self.turn as usize % BUCKETS] == NONE {
            self.next_occupied()
        } else {
            Some(self.turn)
        };
        let far = self.far.peek().map(|entry| entry.0.time >> self.shift);
        self.turn = match (near, far) {
            (Some(near), Some(far)) => near.min(far),
            (Some(only), None) | (None, Some(only)) => only,
            // A change in width may have moved all events into the current bucket.
            (None, None) => self.turn,
        };
        if near == Some(self.turn) {
            self.take_bucket();
        }
        if far.is_some_and(|far| far - self.turn < BUCKETS as u64) {
            self.take_far();
        }
        self.sort_current();
        self.current.pop()
    }

    #[inline]
    fn clear_bucket(&mut self, place: usize) {
        self.heads[place] = NONE;
        let word = &mut self.occupied[place / 64];
        *word &= !(1 << (place % 64));
        if *word == 0 {
            self.occupied_words &= !(1 << (place / 64));
        }
    }

    fn take_bucket(&mut self) {
        let place = self.turn as usize % BUCKETS;
        let mut index = self.heads[place];
        self.clear_bucket(place);
        while index != NONE {
            let node = &mut self.nodes[index as usize];
            self.current.push(node.entry);
            let next = std::mem::replace(&mut node.next, self.free);
            self.free = index;
            index = next;
        }
    }

    /// Moves the events that are now within the wheel's reach out of the heap.
    fn take_far(&mut self) {
        while let Some(&Reverse(entry)) = self.far.peek() {
            let bucket = entry.time >> self.shift;
            if bucket - self.turn >= BUCKETS as u64 {
                break;
            }
            self.far.pop();
            if bucket == self.turn { self.current.push(entry) } else { self.insert_wheel(bucket, entry) }
        }
    }

    #[inline]
    fn sort_current(&mut self) {
        match self.current.len() {
            0 | 1 => {}
            2 => {
                if self.current[0] < self.current[1] {
                    self.current.swap(0, 1);
                }
            }
            _ => self.current.sort_unstable_by(|a, b| b.cmp(a)),
        }
    }

    /// The number of the first non-empty bucket after the current one.
    #[inline]
    fn next_occupied(&self) -> Option<u64> {
        if self.occupied_words == 0 {
            return None;
        }
        let start = (self.turn + 1) as usize % BUCKETS;
        let (word, bit) = (start / 64, start % 64);
        let rest = self.occupied[word] & (u64::MAX << bit);
        let place = if rest != 0 {
            word * 64 + rest.trailing_zeros() as usize
        } else {
            // The words that follow this one around the wheel; this word (its lower bits) comes last.
            let words = self.occupied_words.rotate_right(word as u32 + 1);
            let word = (word + 1 + words.trailing_zeros() as usize) % 64;
            word * 64 + self.occupied[word].trailing_zeros() as usize
        };
        Some(self.turn + 1 + ((place + BUCKETS - start) % BUCKETS) as u64)
    }

    /// Adjusts the bucket width to the event density of the last period.
    #[cold]
    fn tune(&mut self) {
        let per_bucket = TUNING_PERIOD as f64 / self.refills.max(1) as f64;
        let crowded = per_bucket > 2.5 && self.shift > MIN_SHIFT && !self.reaches_far();
        // Sorting a few events in a bucket is cheaper than one heap operation.
        let sparse = self.far_pushes * 16 > TUNING_PERIOD && per_bucket < 8.0 && self.shift < MAX_SHIFT;
        if crowded {
            self.rebuild(self.shift - 1);
        } else if sparse {
            self.rebuild(self.shift + 1);
        }
        self.refills = 0;
        self.far_pushes = 0;
        self.next_tuning = self.popped + TUNING_PERIOD;
    }

    /// Whether many events are so far ahead that a wheel of half the width would leave them in the heap.
    fn reaches_far(&self) -> bool {
        let place = (self.turn as usize + BUCKETS / 2) % BUCKETS / 64;
        let words = self.occupied.len();
        let buckets = |from: usize, count: usize| -> u32 {
            (from..from + count).map(|word| self.occupied[word % words].count_ones()).sum()
        };
        buckets(place, words / 2) * 8 > buckets(0, words)
    }

    fn rebuild(&mut self, shift: u32) {
        let now = self.turn << self.shift;
        let far = std::mem::take(&mut self.far);
        let mut entries: Vec<Entry> = far.into_iter().map(|entry| entry.0).collect();
        for head in self.heads.iter_mut() {
            let mut index = std::mem::replace(head, NONE);
            while index != NONE {
                entries.push(self.nodes[index as usize].entry);
                index = self.nodes[index as usize].next;
            }
        }
        // There may have been many more events at once, as when many flows start together.
        self.nodes = Vec::with_capacity(entries.len());
        self.free = NONE;
        self.occupied = [0; BUCKETS / 64];
        self.occupied_words = 0;
        self.shift = shift;
        // One bucket back, so that events due now are not mistaken for those of the current bucket.
        self.turn = (now >> shift).saturating_sub(1);
        for entry in entries {
            let bucket = entry.time >> shift;
            if self.on_wheel(bucket) { self.insert_wheel(bucket, entry) } else { self.place_elsewhere(entry) }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn equal_times_come_out_in_the_order_of_scheduling() {
        let mut queue = EventQueue::new();
        let at = Time::from_picos(5_000_000);
        for index in 0..100 {
            queue.push(at, Event::Send(StationNo(index)));
        }
        for index in 0..100 {
            assert_eq!(queue.pop(), Some((at, Event::Send(StationNo(index)))));
        }
        assert_eq!(queue.pop(), None);
    }

    proptest! {
        /// Whatever is scheduled between deliveries, near or far, events come out in sorted order. Long
        /// sequences make the queue change its bucket width along the way.
        #[test]
        fn order_is_total(
            seeds in proptest::collection::vec((0u64..50, 0u32..40), 1..60),
            rounds in 1usize..3000,
        ) {
            let mut queue = EventQueue::new();
            let mut model = std::collections::BTreeSet::new();
            let mut sequence = 0u64;
            let mut schedule = |queue: &mut EventQueue, model: &mut std::collections::BTreeSet<(u64, u64)>, time| {
                queue.push(Time::from_picos(time), Event::Arrive(PortId(sequence as u32 % 1000)));
                model.insert((time, sequence));
                sequence += 1;
            };
            for &(mantissa, exponent) in &seeds {
                schedule(&mut queue, &mut model, mantissa << exponent);
            }
            for round in 0..rounds {
                let expected = model.pop_first();
                let popped = queue.pop();
                prop_assert_eq!(popped.map(|(time, _)| time.as_picos()), expected.map(|(time, _)| time));
                let Some((time, order)) = expected else { break };
                prop_assert_eq!(popped.unwrap().1, Event::Arrive(PortId(order as u32 % 1000)));
                let (mantissa, exponent) = seeds[round % seeds.len()];
                schedule(&mut queue, &mut model, time + (mantissa << exponent));
            }
        }
    }

    /// Scheduling events in bulk is equivalent to scheduling them one by one, wherever they lie.
    #[test]
    fn loaded_events_come_out_like_scheduled_ones() {
        let events = (0..5_000u64)
            .map(|n| (Time::from_picos((n * 7_919 % 5_000) << (n % 25)), Event::Send(StationNo(n as u32))));
        let (mut one_by_one, mut at_once) = (EventQueue::new(), EventQueue::new());
        events.clone().for_each(|(time, event)| one_by_one.push(time, event));
        at_once.push_all(events);
        for _ in 0..5_000 {
            let next = at_once.pop();
            assert!(next.is_some());
            assert_eq!(next, one_by_one.pop());
        }
        assert_eq!(at_once.pop(), None);
    }

    #[test]
    fn says_when_sequence_numbers_run_out() {
        let mut queue = EventQueue::new();
        assert!(!queue.nearly_exhausted());
        queue.sequence = (1 << (64 - SEQUENCE_SHIFT)) / 4 * 3;
        assert!(queue.nearly_exhausted());
    }

    #[test]
    fn survives_changes_of_density() {
        let mut queue = EventQueue::new();
        let mut last = 0;
        for index in 0..2_000 {
            queue.push(Time::from_picos(index), Event::Send(StationNo(index as u32)));
        }
        for round in 0..400_000u64 {
            let (time, event) = queue.pop().unwrap();
            assert!(time.as_picos() >= last);
            last = time.as_picos();
            let gap = if round / 100_000 % 2 == 0 { 1_000 } else { 50_000_000 };
            queue.push(Time::from_picos(last + gap), event);
        }
    }
}
