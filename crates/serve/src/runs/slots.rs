//! The runs that compute at the same time.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How often a waiting run looks whether its page is still there.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// A bounded number of places, given in the order of the tickets.
#[derive(Clone, Debug)]
pub(super) struct Slots(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    places: usize,
    most: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    next: u64,
    /// Tickets that have not been given back, in order; the first `places` of them compute.
    held: Vec<u64>,
}

/// A place, or the wait for one. Given back when it is dropped.
#[derive(Debug)]
pub(super) struct Ticket {
    number: u64,
    slots: Slots,
}

impl Slots {
    pub(super) fn new(places: usize, waiting: usize) -> Self {
        let most = places + waiting;
        Self(Arc::new(Inner { places, most, state: Mutex::default(), changed: Condvar::new() }))
    }

    /// A ticket, unless too many wait.
    pub(super) fn ticket(&self) -> Option<Ticket> {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.held.len() >= self.0.most {
            return None;
        }
        state.next += 1;
        let number = state.next;
        state.held.push(number);
        Some(Ticket { number, slots: self.clone() })
    }
}

impl Ticket {
    /// Waits for a place. `ahead` is told how many are before this one, whenever that changes. Returns whether there is a
    /// place; it is not, if nobody watches any more.
    pub(super) fn wait(&self, watched: impl Fn() -> bool, mut ahead: impl FnMut(usize)) -> bool {
        let Inner { places, state, changed, .. } = &*self.slots.0;
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut told = None;
        loop {
            let before = state.held.iter().take_while(|held| **held != self.number).count();
            let Some(waits_for) = before.checked_sub(*places).map(|waits| waits + 1) else { return true };
            if !watched() {
                return false;
            }
            if told != Some(waits_for) {
                told = Some(waits_for);
                ahead(waits_for);
            }
            state = changed.wait_timeout(state, LOOK_EVERY).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut state = self.slots.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.held.retain(|held| *held != self.number);
        self.slots.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_given_in_order() {
        let slots = Slots::new(2, 2);
        let mut tickets: Vec<Ticket> = (0..4).map(|_| slots.ticket().unwrap()).collect();
        assert!(slots.ticket().is_none(), "two compute and two wait");
        let mut ahead = Vec::new();
        for ticket in &tickets {
            let mut looks = 0;
            let looked = std::cell::Cell::new(&mut looks);
            let got = ticket.wait(|| false, |count| ahead.push(count));
            let _ = looked;
            ahead.push(if got { 100 } else { 200 });
        }
        assert_eq!(ahead, [100, 100, 200, 200], "the last two gave up before they were told");
        drop(tickets.remove(0));
        assert!(tickets[1].wait(|| false, |_| {}), "the third has moved up");
        assert!(!tickets[2].wait(|| false, |_| {}));
        assert!(slots.ticket().is_some());
    }
}
