//! The event queue.
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

use super::Event;

/// A time and a packed event; comparing entries compares (time, kind, component).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    time: u64,
    key: u64,
}

impl Entry {
    #[inline]
    fn new(time: Time, event: Event) -> Self {
        Self { time: time.as_picos(), key: event.pack() }
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    entry: Entry,
    next: u32,
}

const NONE: u32 = u32::MAX;
/// 64 words of 64 bits, so that one more word can record which words have a bit set.
const BUCKETS: usize = 4096;
/// The number of events between two adjustments of the bucket width. It is small in tests, so that short sequences cause
/// many adjustments.
const TUNING_PERIOD: u64 = if cfg!(test) { 1 << 6 } else { 1 << 15 };
/// The target number of events per bucket when the events of a bucket are prefetched together.
const CROWD: f64 = 16.0;
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
    /// Events that were scheduled before the run, in descending order.
    planned: Vec<Entry>,
    /// When the first event beyond the wheel and the first planned event are due.
    next_far: u64,
    next_planned: u64,
    /// The first bucket at which one of them must be moved.
    next_move: u64,
    /// A bucket spans 2^shift picoseconds.
    shift: u32,
    popped: u64,
    refills: u64,
    /// Events pushed beyond the wheel, and into the farther half of it.
    far_pushes: u64,
    distant_pushes: u64,
    next_tuning: u64,
    /// The target number of events per bucket.
    crowd: f64,
}

impl EventQueue {
    pub(crate) fn new() -> Self {
        Self {
            crowd: 1.0,
            current: Vec::with_capacity(64),
            turn: 0,
            heads: Box::new([NONE; BUCKETS]),
            occupied: [0; BUCKETS / 64],
            occupied_words: 0,
            nodes: Vec::with_capacity(256),
            free: NONE,
            far: BinaryHeap::new(),
            planned: Vec::new(),
            next_far: u64::MAX,
            next_planned: u64::MAX,
            next_move: u64::MAX,
            shift: 16,
            popped: 0,
            refills: 0,
            far_pushes: 0,
            distant_pushes: 0,
            next_tuning: TUNING_PERIOD,
        }
    }

    /// Uses wider buckets with several events each, so that [`upcoming`](Self::upcoming) returns them together.
    pub(crate) fn in_crowds(&mut self) {
        self.crowd = CROWD;
    }

    /// The events in the current bucket that have not been delivered, in the order in which they are due.
    pub(crate) fn upcoming(&self) -> impl Iterator<Item = Event> {
        self.current.iter().rev().map(|entry| Event::unpack(entry.key))
    }

    /// Events delivered so far.
    pub(crate) fn popped(&self) -> u64 {
        self.popped
    }

    /// Excludes the last event from the count, because it had no effect.
    pub(crate) fn discount(&mut self) {
        self.popped -= 1;
    }

    /// Schedules an event, which must not be earlier than the last one delivered.
    // Inlined where the kind of event is a constant, so that packing costs nothing.
    #[inline(always)]
    pub(crate) fn push(&mut self, time: Time, event: Event) {
        self.insert(Entry::new(time, event));
    }

    /// Stores an event. All calls in it are tail calls, so the common case needs no stack frame.
    #[inline(never)]
    fn insert(&mut self, entry: Entry) {
        let bucket = entry.time >> self.shift;
        if bucket.wrapping_sub(self.turn + 1) >= BUCKETS as u64 / 2 {
            return self.place_elsewhere(entry);
        }
        let (place, index) = (bucket as usize % BUCKETS, self.free);
        let Some(node) = self.nodes.get_mut(index as usize) else { return self.insert_wheel(bucket, entry) };
        self.free = node.next;
        *node = Node { entry, next: self.heads[place] };
        self.heads[place] = index;
        self.mark_bucket(place);
    }

    /// Schedules the events that are known before the run. There may be very many of them, spread over a long time; they do
    /// not affect the bucket width.
    pub(crate) fn plan(&mut self, events: impl Iterator<Item = (Time, Event)>) {
        self.planned.extend(events.map(|(time, event)| Entry::new(time, event)));
        self.planned.sort_unstable_by(|a, b| b.cmp(a));
        self.planned.shrink_to_fit();
        self.take_planned();
        self.sort_current();
    }

    /// Removes and returns the next event, if it is due before the given limit.
    #[inline(always)]
    pub(crate) fn pop_before(&mut self, limit: Time) -> Option<(Time, Event)> {
        let entry = match self.current.pop() {
            Some(entry) => entry,
            None => self.refill()?,
        };
        if entry.time >= limit.as_picos() {
            self.put_back(entry);
            return None;
        }
        self.popped += 1;
        Some((Time::from_picos(entry.time), Event::unpack(entry.key)))
    }

    #[cold]
    #[inline(never)]
    fn put_back(&mut self, entry: Entry) {
        self.current.push(entry);
    }

    /// Whether the next event is in a different bucket from the last one.
    #[inline]
    pub(crate) fn is_between_buckets(&self) -> bool {
        self.current.is_empty()
    }

    /// The time at which the next event is due.
    pub(crate) fn next_time(&mut self) -> Option<Time> {
        if self.current.is_empty() {
            self.refills += 1;
            self.refill_in_full();
        }
        self.current.last().map(|entry| Time::from_picos(entry.time))
    }

    /// Whether a bucket comes after the current one and within the wheel.
    #[inline]
    fn on_wheel(&self, bucket: u64) -> bool {
        bucket.wrapping_sub(self.turn + 1) < BUCKETS as u64 - 1
    }

    /// Stores an event that is due in the current bucket, in the farther half of the wheel or beyond it.
    #[inline(never)]
    fn place_elsewhere(&mut self, entry: Entry) {
        let bucket = entry.time >> self.shift;
        if bucket <= self.turn {
            let later = self.current.iter().rev().take_while(|other| **other < entry).count();
            self.current.insert(self.current.len() - later, entry);
        } else if self.on_wheel(bucket) {
            self.distant_pushes += 1;
            self.insert_wheel(bucket, entry);
        } else {
            self.far_pushes += 1;
            self.far.push(Reverse(entry));
            self.look_at_far();
        }
    }

    /// Stores an event that is due on the wheel.
    #[inline(never)]
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
        self.mark_bucket(place);
    }

    #[inline]
    fn mark_bucket(&mut self, place: usize) {
        self.occupied[place / 64] |= 1 << (place % 64);
        self.occupied_words |= 1 << (place / 64);
    }

    /// Updates the time at which the first event beyond the wheel is due.
    fn look_at_far(&mut self) {
        self.next_far = self.far.peek().map_or(u64::MAX, |entry| entry.0.time);
        self.plan_move();
    }

    /// Updates the first bucket at which an event must be moved: an event beyond the wheel comes within its reach, or a
    /// planned event is due.
    fn plan_move(&mut self) {
        let far = (self.next_far >> self.shift).saturating_sub(BUCKETS as u64 - 1);
        self.next_move = far.min(self.next_planned >> self.shift);
    }

    /// Advances to the next bucket with events and removes its first event.
    #[inline(always)]
    fn refill(&mut self) -> Option<Entry> {
        self.refills += 1;
        let near = self.next_occupied();
        // The common case: no events for this bucket are stored elsewhere, and it often holds only one.
        if let Some(turn) = near
            && turn < self.next_move
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
            return self.take_crowd();
        }
        self.refill_in_full();
        self.current.pop()
    }

    /// Moves the events of a bucket that holds several into the current bucket, and removes the first.
    #[inline(never)]
    fn take_crowd(&mut self) -> Option<Entry> {
        self.take_bucket();
        self.sort_current();
        self.current.pop()
    }

    /// Advances to the next bucket with events and moves them into the current bucket.
    #[inline(never)]
    fn refill_in_full(&mut self) {
        if self.popped >= self.next_tuning {
            self.tune();
        }
        let near = if self.heads[self.turn as usize % BUCKETS] == NONE {
            self.next_occupied()
        } else {
            Some(self.turn)
        };
        let bucket = |time: u64| (time != u64::MAX).then_some(time >> self.shift);
        let (far, planned) = (bucket(self.next_far), bucket(self.next_planned));
        // A change in width may have moved all events into the current bucket.
        self.turn = [near, far, planned].into_iter().flatten().min().unwrap_or(self.turn);
        if near == Some(self.turn) {
            self.take_bucket();
        }
        if far.is_some_and(|far| far - self.turn < BUCKETS as u64) {
            self.take_far();
        }
        if planned.is_some_and(|planned| planned <= self.turn) {
            self.take_planned();
        }
        self.sort_current();
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
        self.look_at_far();
    }

    /// Moves the planned events that are due by the end of the current bucket into it.
    fn take_planned(&mut self) {
        while let Some(entry) = self.planned.pop_if(|entry| entry.time >> self.shift <= self.turn) {
            self.current.push(entry);
        }
        if self.planned.is_empty() {
            self.planned = Vec::new();
        }
        self.next_planned = self.planned.last().map_or(u64::MAX, |entry| entry.time);
        self.plan_move();
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
            // The words in the order in which they follow this one around the wheel; this word, with its lower
            // bits, comes last.
            let words = self.occupied_words.rotate_right(word as u32 + 1);
            let word = (word + 1 + words.trailing_zeros() as usize) % 64;
            word * 64 + self.occupied[word].trailing_zeros() as usize
        };
        Some(self.turn + 1 + ((place + BUCKETS - start) % BUCKETS) as u64)
    }

    /// Adjusts the bucket width to the event density of the last period.
    #[cold]
    fn tune(&mut self) {
        let is_common = |pushes: u64| pushes * 16 > TUNING_PERIOD;
        let per_bucket = TUNING_PERIOD as f64 / self.refills.max(1) as f64;
        let crowded =
            per_bucket > 2.5 * self.crowd && self.shift > MIN_SHIFT && !is_common(self.distant_pushes);
        // Sorting a few events in a bucket is cheaper than one heap operation.
        let many_far = is_common(self.far_pushes) && per_bucket < 8.0 * self.crowd;
        let sparse = (many_far || per_bucket < self.crowd / 2.0) && self.shift < MAX_SHIFT;
        if crowded {
            self.rebuild(self.shift - 1);
        } else if sparse {
            self.rebuild(self.shift + 1);
        }
        self.refills = 0;
        self.far_pushes = 0;
        self.distant_pushes = 0;
        self.next_tuning = self.popped + TUNING_PERIOD;
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
        // The old vector may be much larger, for example after many flows have started together.
        self.nodes = Vec::with_capacity(entries.len());
        self.free = NONE;
        self.occupied = [0; BUCKETS / 64];
        self.occupied_words = 0;
        self.shift = shift;
        self.look_at_far();
        // One bucket back, so that events due now are not mistaken for events of the current bucket.
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
    use crate::ids::PortId;
    use crate::index::{BridgeNo, LaneNo, PortNo, RecordNo, SenderNo, SlotNo, StationNo};

    impl EventQueue {
        fn pop(&mut self) -> Option<(Time, Event)> {
            self.pop_before(Time::MAX)
        }
    }

    #[test]
    fn an_event_at_the_limit_stays() {
        let mut queue = EventQueue::new();
        let at = |picos| Time::from_picos(picos);
        queue.push(at(5_000_000), Event::Send(StationNo(1)));
        assert_eq!(queue.pop_before(at(5_000_000)), None);
        queue.push(at(4_000_000), Event::Send(StationNo(2)));
        assert_eq!(queue.pop_before(at(5_000_000)), Some((at(4_000_000), Event::Send(StationNo(2)))));
        assert_eq!(queue.pop_before(at(5_000_000)), None);
        assert_eq!(queue.pop_before(at(5_000_001)), Some((at(5_000_000), Event::Send(StationNo(1)))));
        assert_eq!((queue.popped(), queue.pop()), (2, None));
    }

    /// One event of every kind, in the order that applies at equal times.
    fn one_of_each() -> Vec<Event> {
        let (port, station, sender, lane) = (PortNo(7), StationNo(7), SenderNo(7), LaneNo(7));
        vec![
            Event::Stop(sender),
            Event::Start(sender),
            Event::PortPauseEnd(port),
            Event::StationPauseEnd(station),
            Event::Ready(port),
            Event::Send(station),
            Event::ReactionTimer(lane),
            Event::React(station),
            Event::PauseRefresh(port),
            Event::KeepAlive(port),
            Event::CellRoom(port),
            Event::Crossed(port),
            Event::Left(BridgeNo(8), SlotNo(7)),
            Event::Complete(BridgeNo(8), RecordNo(7)),
            Event::Control(BridgeNo(8)),
            Event::CellArrives(port),
            Event::Arrive(PortId(7)),
        ]
    }

    #[test]
    fn equal_times_come_out_by_kind_whenever_they_were_scheduled() {
        let (mut queue, at) = (EventQueue::new(), Time::from_picos(5_000_000));
        one_of_each().into_iter().rev().for_each(|event| queue.push(at, event));
        for event in one_of_each() {
            assert_eq!(queue.pop(), Some((at, event)));
        }
        assert_eq!(queue.pop(), None);
    }

    #[test]
    fn equal_times_and_kinds_come_out_by_component() {
        let (mut queue, at) = (EventQueue::new(), Time::from_picos(5_000_000));
        for number in (0..100).rev() {
            queue.push(at, Event::Send(StationNo(number)));
        }
        for number in 0..100 {
            assert_eq!(queue.pop(), Some((at, Event::Send(StationNo(number)))));
        }
    }

    proptest! {
        /// Events are delivered in sorted order, regardless of which events are planned beforehand or scheduled between
        /// deliveries, near or far, even if the caller peeks at the next event. Long sequences make the queue change its
        /// bucket width.
        #[test]
        fn order_is_total(
            seeds in proptest::collection::vec((0u64..50, 0u32..40), 1..60),
            planned in proptest::collection::vec((0u64..50, 0u32..40), 0..60),
            crowds: bool,
            looks in 1usize..9,
            rounds in 1usize..3000,
        ) {
            let mut queue = EventQueue::new();
            if crowds {
                queue.in_crowds();
            }
            // Planned events have odd numbers, which events scheduled later do not use.
            let times = planned.iter().map(|&(mantissa, exponent)| mantissa << exponent);
            let mut model: std::collections::BTreeSet<(u64, u32)> = times.zip((0..).map(|n| 2 * n + 1)).collect();
            let event = |(time, number)| (Time::from_picos(time), Event::Arrive(PortId(number)));
            queue.plan(model.iter().copied().map(event));
            let mut scheduled = 0u32;
            let mut schedule = |queue: &mut EventQueue, model: &mut std::collections::BTreeSet<(u64, u32)>, time| {
                // Even numbers in an arbitrary order, each used once.
                let number = scheduled.reverse_bits() & !1;
                queue.push(Time::from_picos(time), Event::Arrive(PortId(number)));
                model.insert((time, number));
                scheduled += 1;
            };
            for &(mantissa, exponent) in &seeds {
                schedule(&mut queue, &mut model, mantissa << exponent);
            }
            for round in 0..rounds {
                if round % looks == 0 {
                    prop_assert_eq!(queue.next_time(), model.first().map(|&first| event(first).0));
                }
                let expected = model.pop_first();
                prop_assert_eq!(queue.pop(), expected.map(event));
                let Some((time, _)) = expected else { break };
                let (mantissa, exponent) = seeds[round % seeds.len()];
                schedule(&mut queue, &mut model, time + (mantissa << exponent));
            }
        }
    }

    /// Scheduling events in bulk is equivalent to scheduling them one by one, whenever they are due.
    #[test]
    fn loaded_events_come_out_like_scheduled_ones() {
        let events = (0..5_000u64)
            .map(|n| (Time::from_picos((n * 7_919 % 5_000) << (n % 25)), Event::Send(StationNo(n as u32))));
        let (mut one_by_one, mut at_once) = (EventQueue::new(), EventQueue::new());
        events.clone().for_each(|(time, event)| one_by_one.push(time, event));
        at_once.plan(events);
        for _ in 0..5_000 {
            let next = at_once.pop();
            assert!(next.is_some());
            assert_eq!(next, one_by_one.pop());
        }
        assert_eq!(at_once.pop(), None);
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
