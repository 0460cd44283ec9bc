//! Deadlock of flow control: buffers that wait for each other in a cycle.
//!
//! A paused port resumes when the input at its far end has come down to XON. That input comes down as its frames leave
//! through outputs, and an output that is paused itself lets none leave. So a set of paused ports is stuck for ever
//! if the input at the far end of each holds more than XON in frames that wait for outputs of the set: for any of
//! them to be the first to resume, another would have had to send before. The largest such set is found by starting from
//! all paused ports and striking out those whose inputs could come down, until none is left to strike out.
//!
//! The condition is exact in this sense: ports in the set never send again, whatever comes, and if nothing came any more
//! all others would be released. A network on its way into a deadlock is not in one yet. Changes of the spec make no
//! difference: a port's rate does not matter while it sends nothing, and a flow that stops leaves its frames where they
//! are. Three limits:
//! - A pause must not run out before it is renewed, which asks for quanta of at least twice the longest frame on the
//!   way back, as [`crate::Headroom::Automatic`] does. A pause that lapses can let a cycle move again.
//! - Strict priority is no deadlock: an output that is never given a chance by a higher class is not paused.
//! - A frame counts with its input until it is sent. Where it leaves the input before, for a buffer at the output, what
//!   still finds room there is not stuck and is taken off (`stuck_for`). Room that several inputs may use is taken off
//!   each of them, so that a deadlock is seen when that room is used up, or when what is left of it is too little for
//!   the frame whose turn it is. A frame whose copies share its room counts for the output of one of them, and
//!   for the next when that one has left: those that leave do so in the end, and then the deadlock is seen.
//!
//! A pause that has been decided and not yet obeyed does not count, since its port goes on sending for that
//! long, nor does one that a release still on its way will interrupt: they are seen at the next sample. The set
//! is looked for at samples, only while ports are paused and as often as that costs less than the events since.

use std::collections::{BTreeMap, BTreeSet};

use super::Network;
use super::pause::Counting;
use super::trees::most;
use crate::frame::FrameKind;
use crate::ids::PortId;
use crate::outcome::Deadlock;

/// What is known of deadlocks.
#[derive(Clone, Debug, Default)]
pub(super) struct DeadlockWatch {
    /// The first one.
    pub(super) found: Option<Deadlock>,
    /// Events so far at the last look.
    looked: u64,
    /// Frames that had to be looked at.
    cost: u64,
}

/// A port and the counter that pauses it.
type Paused = (u32, usize);

/// Paused ports, and for which outputs the frames that they have sent wait.
type Waits = BTreeMap<Paused, Vec<(u32, u64)>>;

impl Network {
    /// Looks for a deadlock, if that is worth its cost. Once there is one, how far it has spread is asked at the end.
    pub(super) fn watch_for_deadlock(&mut self) {
        let last = self.now >= self.rules.end;
        let due = self.events.popped() - self.deadlocks.looked >= self.deadlocks.cost;
        if !last && (self.deadlocks.found.is_some() || !due) {
            return;
        }
        self.deadlocks.looked = self.events.popped();
        let candidates = self.candidates();
        self.deadlocks.cost = self.cost_of(&candidates);
        let stuck = locked(self.waits(&candidates), self.pause_rules.xon);
        let ports = stuck.keys().map(|&(port, _)| port).collect::<BTreeSet<_>>().len() as u32;
        if let Some(deadlock) = &mut self.deadlocks.found {
            deadlock.stuck = ports;
        } else if let Some((&(_, counter), _)) = stuck.first_key_value() {
            let whole_link = self.pause_rules.counting == Counting::WholeLink;
            let priority = (!whole_link).then(|| self.classes.priorities[counter]);
            self.deadlocks.found =
                Some(Deadlock { at: self.now, cycle: cycle(&stuck), priority, stuck: ports });
        }
    }

    /// Paused ports that could be in a cycle or behind one by the routes of flows. Most trees have none, which
    /// shows without a look at any frame.
    fn candidates(&self) -> BTreeSet<Paused> {
        let in_effect = |&pause: &Paused| self.is_in_effect(pause);
        let mut candidates: BTreeSet<Paused> = self.pauses_now().into_iter().filter(in_effect).collect();
        loop {
            let may_wait = |&(port, counter): &Paused| {
                self.outputs_of(port).iter().any(|&output| candidates.contains(&(output, counter)))
            };
            let kept: BTreeSet<Paused> = candidates.iter().copied().filter(may_wait).collect();
            if kept.len() == candidates.len() {
                return kept;
            }
            candidates = kept;
        }
    }

    fn waits(&self, candidates: &BTreeSet<Paused>) -> Waits {
        let stuck = |&(port, counter): &Paused| match &self.cioq {
            Some(_) => self.stuck_for(port, self.pause_rules.classes_of(counter)),
            None => self.waiting_of(port, counter),
        };
        candidates.iter().map(|pause| (*pause, stuck(pause))).collect()
    }

    /// Frames that may have to be looked at for some ports.
    fn cost_of(&self, candidates: &BTreeSet<Paused>) -> u64 {
        let frames = |&(port, counter): &Paused| {
            let outputs = self.outputs_of(port).iter();
            outputs.map(move |&output| self.frames_at(output, counter) as u64).sum::<u64>()
        };
        candidates.iter().map(frames).sum()
    }

    /// Whether a pause that was asked for has arrived, and no release is on its way that came before.
    fn is_in_effect(&self, (port, counter): Paused) -> bool {
        let classes = self.pause_rules.classes_of(counter);
        let back = &self.ports[port as usize ^ 1];
        let on_the_way = back.flight.iter().filter(|flying| flying.frame.kind == FrameKind::Pause);
        let released = on_the_way.fold(0, |released, flying| {
            let command = flying.frame.pause_content();
            released | command.classes & !command.stop
        });
        self.ports[port as usize].paused & classes == classes && released & classes == 0
    }
}

/// The largest set of ports each of which has more than `xon` waiting for outputs of the set.
fn locked(mut waits: Waits, xon: u64) -> Waits {
    loop {
        let ports: BTreeSet<Paused> = waits.keys().copied().collect();
        for (&(_, counter), waiting) in &mut waits {
            waiting.retain(|&(output, _)| ports.contains(&(output, counter)));
        }
        waits.retain(|_, waiting| waiting.iter().map(|&(_, bytes)| bytes).sum::<u64>() > xon);
        if waits.len() == ports.len() {
            return waits;
        }
    }
}

/// The cycle that is reached from the lowest stuck port by going on to the output for which most waits.
fn cycle(stuck: &Waits) -> Vec<PortId> {
    let Some((&(first, counter), _)) = stuck.first_key_value() else { return Vec::new() };
    let mut walk = vec![first];
    let mut port = first;
    loop {
        port = most(&stuck[&(port, counter)]).expect("a stuck port waits for another");
        if let Some(closed) = walk.iter().position(|&passed| passed == port) {
            let mut cycle = walk.split_off(closed);
            let lowest = (0..cycle.len()).min_by_key(|&place| cycle[place]).unwrap_or(0);
            cycle.rotate_left(lowest);
            return cycle.into_iter().map(PortId).collect();
        }
        walk.push(port);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(entries: &[(u32, &[(u32, u64)])]) -> Waits {
        entries.iter().map(|&(port, waiting)| ((port, 0), waiting.to_vec())).collect()
    }

    fn ports(waits: &Waits) -> Vec<u32> {
        waits.keys().map(|&(port, _)| port).collect()
    }

    #[test]
    fn a_tree_comes_undone_from_its_root() {
        let tree = waits(&[(1, &[(9, 50)]), (2, &[(1, 50)]), (3, &[(1, 30), (2, 30)])]);
        assert!(locked(tree, 10).is_empty());
    }

    #[test]
    fn a_full_cycle_stays_with_what_hangs_on_it() {
        let ring = waits(&[
            (1, &[(2, 50)]),
            (2, &[(9, 90), (4, 11)]),
            (4, &[(1, 30)]),
            (7, &[(4, 20)]),
            (8, &[(9, 99)]),
        ]);
        let stuck = locked(ring, 10);
        assert_eq!(ports(&stuck), [1, 2, 4, 7]);
        assert_eq!(cycle(&stuck), [1, 2, 4].map(PortId));
    }

    #[test]
    fn a_cycle_with_one_input_that_can_come_down_to_xon_resolves() {
        let ring = waits(&[(1, &[(2, 50)]), (2, &[(9, 90), (4, 10)]), (4, &[(1, 30)])]);
        assert!(locked(ring, 10).is_empty());
    }

    #[test]
    fn the_cycle_shown_is_the_one_with_most_bytes_from_its_lowest_port_on() {
        // From port 1, which hangs on the cycles, by way of 5.
        let rings = waits(&[
            (1, &[(5, 20)]),
            (3, &[(5, 30)]),
            (4, &[(5, 40)]),
            (5, &[(3, 20), (4, 20), (6, 30)]),
            (6, &[(4, 15)]),
        ]);
        let stuck = locked(rings, 10);
        assert_eq!(ports(&stuck), [1, 3, 4, 5, 6]);
        assert_eq!(cycle(&stuck), [4, 5, 6].map(PortId));
    }
}
