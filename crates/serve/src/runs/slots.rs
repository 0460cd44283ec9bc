//! The runs that compute at the same time.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use setpoint_units::Bytes;

/// Interval at which a waiting run checks whether its page is still connected.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// A bounded number of places and a bounded amount of memory, assigned in the order of the tickets.
#[derive(Clone, Debug)]
pub(super) struct Slots(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    places: usize,
    memory: Bytes,
    most: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    next: u64,
    /// Tickets that have not been returned, in order, with the memory that each needs.
    held: Vec<(u64, Bytes)>,
}

/// A place, or the wait for one. It is returned when the ticket is dropped.
#[derive(Debug)]
pub(super) struct Ticket {
    number: u64,
    slots: Slots,
}

impl Slots {
    /// Up to `places` runs compute at the same time, as long as they together need no more than `memory`.
    pub(super) fn new(places: usize, memory: Bytes, waiting: usize) -> Self {
        let most = places + waiting;
        Self(Arc::new(Inner { places, memory, most, state: Mutex::default(), changed: Condvar::new() }))
    }

    /// A ticket for a run that needs the given amount of memory, unless too many runs are waiting.
    pub(super) fn ticket(&self, memory: Bytes) -> Option<Ticket> {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.held.len() >= self.0.most {
            return None;
        }
        state.next += 1;
        let number = state.next;
        state.held.push((number, memory));
        Some(Ticket { number, slots: self.clone() })
    }
}

impl Inner {
    /// The number of runs that must end before the last of these can compute. A single run never waits for memory.
    fn waits_for(&self, until_it: &[(u64, Bytes)]) -> usize {
        let fits = |held: &[(u64, Bytes)]| {
            let memory = held.iter().fold(0_u64, |sum, (_, memory)| sum.saturating_add(memory.get()));
            held.len() <= self.places && memory <= self.memory.get()
        };
        (0..until_it.len())
            .find(|&ended| fits(&until_it[ended..]))
            .unwrap_or(until_it.len().saturating_sub(1))
    }
}

impl Ticket {
    /// Waits for a place. Calls `ahead` with the number of runs that must end first, whenever it changes. Returns
    /// whether there is a place; there is none if the run is no longer being watched.
    pub(super) fn wait(&self, watched: impl Fn() -> bool, mut ahead: impl FnMut(usize)) -> bool {
        let inner = &*self.slots.0;
        let mut state = inner.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut told = 0;
        loop {
            let before = state.held.iter().take_while(|(held, _)| *held != self.number).count();
            let waits_for = inner.waits_for(&state.held[..=before]);
            if waits_for == 0 || !watched() {
                return waits_for == 0;
            }
            if told != waits_for {
                told = waits_for;
                ahead(waits_for);
            }
            state = inner.changed.wait_timeout(state, LOOK_EVERY).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut state = self.slots.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.held.retain(|(held, _)| *held != self.number);
        self.slots.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: Bytes = Bytes::new(10);
    const LARGE: Bytes = Bytes::new(60);

    /// Whether a ticket has a place.
    fn has_place(ticket: &Ticket) -> bool {
        ticket.wait(|| false, |_| {})
    }

    #[test]
    fn places_are_given_in_order() {
        let slots = Slots::new(2, Bytes::new(100), 2);
        let mut tickets: Vec<Ticket> = (0..4).map(|_| slots.ticket(SMALL).unwrap()).collect();
        assert!(slots.ticket(SMALL).is_none(), "two compute and two wait");
        assert_eq!(tickets.iter().map(has_place).collect::<Vec<_>>(), [true, true, false, false]);
        drop(tickets.remove(0));
        assert_eq!(tickets.iter().map(has_place).collect::<Vec<_>>(), [true, true, false], "all moved up");
        assert!(slots.ticket(SMALL).is_some());
    }

    #[test]
    fn runs_wait_for_memory_and_nobody_overtakes() {
        let slots = Slots::new(10, Bytes::new(100), 2);
        let sizes = [LARGE, LARGE, SMALL];
        let mut tickets: Vec<Ticket> = sizes.map(|size| slots.ticket(size).unwrap()).into();
        assert_eq!(tickets.iter().map(has_place).collect::<Vec<_>>(), [true, false, false]);
        drop(tickets.remove(0));
        assert_eq!(tickets.iter().map(has_place).collect::<Vec<_>>(), [true, true]);
    }

    #[test]
    fn a_waiting_run_is_told_how_many_must_end() {
        let slots = Slots::new(2, Bytes::new(100), 2);
        let _tickets: Vec<Ticket> = (0..3).map(|_| slots.ticket(SMALL).unwrap()).collect();
        let last = slots.ticket(Bytes::new(95)).unwrap();
        let (mut told, looks) = (Vec::new(), std::cell::Cell::new(0));
        let watched = || {
            looks.set(looks.get() + 1);
            looks.get() < 2
        };
        assert!(!last.wait(watched, |ahead| told.push(ahead)));
        assert_eq!(told, [3]);
    }
}
