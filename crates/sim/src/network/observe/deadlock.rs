//! Flow-control deadlocks: cycles of buffers that wait for each other.
//!
//! A paused port resumes when the input at its far end has drained to XON. That input drains as its frames
//! leave through outputs, but a paused output lets none leave. So a set of paused ports is stuck forever if
//! the input at each port's far end holds more than XON in frames that wait for outputs in the set: for any
//! of them to resume first, another would have to send earlier. To find the largest such set, start from all
//! paused ports and remove those whose inputs could drain, until no more can be removed.
//!
//! The condition is exact in this sense: ports in the set never send again, whatever arrives, and if nothing
//! more arrived, all others would be released. A deadlock that is inevitable but has not yet occurred is not
//! detected. Changes in the spec make no difference: the rate of a port that sends nothing does not matter, and the
//! frames of a flow that stops stay where they are. Three limits:
//! - A pause must not expire before it is renewed. This requires quanta of at least twice the longest frame
//!   in the reverse direction, as [`crate::Headroom::Automatic`] does. A pause that lapses can let a cycle
//!   move again.
//! - Starvation by strict priority is not a deadlock: an output that a higher class starves is not paused.
//! - A frame counts for its input until it is sent. If it leaves the input earlier, for a buffer at the
//!   output, the part that still fits there is not stuck and is subtracted (`stuck_for`). Buffer space that several
//!   inputs may use is subtracted for each of them, so a deadlock is detected when that space is used up, or when
//!   the rest is too small for the frame whose turn it is. A frame whose copies share buffer space counts for the
//!   output of one copy and, once that copy has left, for the output of the next. Copies that can leave eventually
//!   do so, and the deadlock is then detected. A frame that its input holds until it has been sent is not stuck
//!   while the acknowledgement is in transit.
//!
//! In a bridge with a shared buffer, the level at which an input releases its sender depends on the other users of the buffer. The
//! search uses the highest level that is possible: all frames outside the set have left, and the set holds only the frames that
//! wait for its ports.
//!
//! A pause that has been requested but has not reached its port does not count, since the port is still sending. Neither
//! does a pause that a release in transit will end. Both cases are checked again at the next sample. The search runs
//! at samples, only while ports are paused, and only if its cost is below the cost of the events since the last
//! search.

use std::collections::{BTreeMap, BTreeSet};

use crate::frame::FrameKind;
use crate::ids::PortId;
use crate::index::{PartNo, PortNo};
use crate::network::components::Components;
use crate::network::node::bridge::most;
use crate::network::node::partition::Partition;
use crate::network::node::pause::Counting;
use crate::network::observe::trees::Trees;
use crate::outcome::Deadlock;

/// The state of deadlock detection.
#[derive(Clone, Debug, Default)]
pub(in crate::network) struct DeadlockWatch {
    /// The first deadlock.
    pub(in crate::network) found: Option<Deadlock>,
    /// The event count at the last search.
    looked: u64,
    /// The number of frames that the last search visited.
    cost: u64,
}

/// A port and the counter that pauses it.
type Paused = (PortId, usize);

/// Paused ports, each with the outputs that the frames it sent are waiting for.
type Waits = BTreeMap<Paused, Vec<(PortId, u64)>>;

impl DeadlockWatch {
    /// Searches for a deadlock if the search is worth its cost. After the first deadlock, the next
    /// search is at the end of the run, to determine how far the deadlock has spread.
    pub(in crate::network) fn search(&mut self, net: &Components, trees: &Trees) {
        let events = net.events();
        let last = net.now >= net.rules.end;
        let due = events - self.looked >= self.cost;
        if !last && (self.found.is_some() || !due) {
            return;
        }
        self.looked = events;
        let candidates = candidates(net, trees);
        self.cost = cost_of(net, &candidates);
        let rules = net.pause_rules;
        let stuck = locked(waits(net, &candidates), |waits, pause| release_level(net, waits, pause));
        let ports = stuck.keys().map(|&(port, _)| port).collect::<BTreeSet<_>>().len() as u32;
        if let Some(deadlock) = &mut self.found {
            deadlock.stuck = ports;
        } else if let Some((&(_, counter), _)) = stuck.first_key_value() {
            let whole_link = rules.counting == Counting::WholeLink;
            let priority = (!whole_link).then(|| net.classes.priorities[counter]);
            self.found = Some(Deadlock { at: net.now, cycle: cycle(&stuck), priority, stuck: ports });
        }
    }
}

/// Paused ports that, according to the flows' routes, could be in a cycle or behind one. Most congestion trees have
/// no such ports, which can be determined without visiting any frame.
fn candidates(net: &Components, trees: &Trees) -> BTreeSet<Paused> {
    let in_effect = |&pause: &Paused| is_in_effect(net, pause);
    let mut candidates: BTreeSet<Paused> = trees.pauses_now(net).into_iter().filter(in_effect).collect();
    loop {
        let may_wait = |&(port, counter): &Paused| {
            outputs_after(net, port).any(|output| candidates.contains(&(id_of(net, output), counter)))
        };
        let kept: BTreeSet<Paused> = candidates.iter().copied().filter(may_wait).collect();
        if kept.len() == candidates.len() {
            return kept;
        }
        candidates = kept;
    }
}

/// The outputs that the frames a port sends can wait for at its far end.
fn outputs_after(net: &Components, port: PortId) -> impl Iterator<Item = PortNo> {
    let outputs = net.far_input(port).map(|(part, input)| part.bridges.core().outputs_of(input));
    outputs.unwrap_or_default().iter().copied()
}

fn id_of(net: &Components, port: PortNo) -> PortId {
    net.parts[PartNo(0)].bridges.core().id_of(port)
}

fn waits(net: &Components, candidates: &BTreeSet<Paused>) -> Waits {
    let stuck = |&(port, counter): &Paused| {
        let far = net.far_input(port);
        far.map(|(part, input)| stuck_at(net, part, input, counter)).unwrap_or_default()
    };
    candidates.iter().map(|pause| (*pause, stuck(pause))).collect()
}

/// The number of frames to visit for a set of ports.
fn cost_of(net: &Components, candidates: &BTreeSet<Paused>) -> u64 {
    let frames = |&(port, counter): &Paused| {
        let frames = |output: PortNo| {
            let part = &net.parts[net.part_of_port(output)];
            part.bridges.core().frames_at(&part.cx, output, counter) as u64
        };
        outputs_after(net, port).map(frames).sum::<u64>()
    };
    candidates.iter().map(frames).sum()
}

/// The outputs that an input's frames wait for, counting only frames that stay as long as their output sends nothing.
fn stuck_at(net: &Components, part: &Partition, input: PortNo, counter: usize) -> Vec<(PortId, u64)> {
    let bridges_at = |output: PortNo| &net.parts[net.part_of_port(output)].bridges;
    part.bridges.stuck_at(&part.cx, input, counter, bridges_at)
}

/// Whether a requested pause is in effect, and no earlier release is in transit or about to take effect.
fn is_in_effect(net: &Components, (port, counter): Paused) -> bool {
    let classes = net.pause_rules.classes_of(counter);
    // On a link between partitions, each partition may hold some of the frames.
    let back = net.parts.iter().flat_map(|part| part.cx.links[port.peer()].flight.iter());
    let on_the_way = back.filter(|flying| flying.frame.kind() == FrameKind::Pause);
    let released = on_the_way.fold(0, |released, flying| {
        let command = flying.frame.pause_content();
        released | command.classes & !command.stop
    });
    let (port, pause_state) = net.port(port);
    port.paused & classes == classes && (released | pause_state.releasing()) & classes == 0
}

/// The largest number of bytes at which the input at a port's far end could release the port if only the given frames stayed.
fn release_level(net: &Components, waits: &Waits, (port, counter): Paused) -> u64 {
    let Some((part, input)) = net.far_input(port) else { return net.pause_rules.xon };
    let Some(bridges) = part.bridges.shared() else { return net.pause_rules.xon };
    let kept = |(&(port, _), waiting): (&Paused, &Vec<(PortId, u64)>)| {
        let (far, input) = net.far_input(port)?;
        let bytes = waiting.iter().map(|(_, bytes)| bytes).sum();
        (far.cx.part == part.cx.part).then_some((input, bytes))
    };
    let stuck: Vec<(PortNo, u64)> = waits.iter().filter_map(kept).collect();
    bridges.release_level((input, counter), &stuck)
}

/// The largest set of ports in which each port has more bytes waiting for outputs in the set than the level at which it would be
/// released.
fn locked(mut waits: Waits, level: impl Fn(&Waits, Paused) -> u64) -> Waits {
    loop {
        let ports: BTreeSet<Paused> = waits.keys().copied().collect();
        for (&(_, counter), waiting) in &mut waits {
            waiting.retain(|&(output, _)| ports.contains(&(output, counter)));
        }
        let levels: Vec<u64> = waits.keys().map(|pause| level(&waits, *pause)).collect();
        let mut levels = levels.into_iter();
        waits.retain(|_, waiting| {
            let level = levels.next().expect("every port has a level");
            waiting.iter().map(|&(_, bytes)| bytes).sum::<u64>() > level
        });
        if waits.len() == ports.len() {
            return waits;
        }
    }
}

/// The cycle reached from the lowest stuck port by following the output for which the most bytes wait.
fn cycle(stuck: &Waits) -> Vec<PortId> {
    let Some((&(first, counter), _)) = stuck.first_key_value() else { return Vec::new() };
    let mut walk = vec![first];
    let mut port = first;
    loop {
        port = most(&stuck[&(port, counter)]).expect("every stuck port waits for another");
        if let Some(closed) = walk.iter().position(|&passed| passed == port) {
            let mut cycle = walk.split_off(closed);
            let lowest = (0..cycle.len()).min_by_key(|&place| cycle[place]).unwrap_or(0);
            cycle.rotate_left(lowest);
            return cycle;
        }
        walk.push(port);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(entries: &[(u32, &[(u32, u64)])]) -> Waits {
        let waiting = |list: &[(u32, u64)]| list.iter().map(|&(port, bytes)| (PortId(port), bytes)).collect();
        entries.iter().map(|&(port, list)| ((PortId(port), 0), waiting(list))).collect()
    }

    fn ports(waits: &Waits) -> Vec<u32> {
        waits.keys().map(|&(port, _)| port.0).collect()
    }

    #[test]
    fn a_tree_comes_undone_from_its_root() {
        let tree = waits(&[(1, &[(9, 50)]), (2, &[(1, 50)]), (3, &[(1, 30), (2, 30)])]);
        assert!(locked(tree, |_, _| 10).is_empty());
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
        let stuck = locked(ring, |_, _| 10);
        assert_eq!(ports(&stuck), [1, 2, 4, 7]);
        assert_eq!(cycle(&stuck), [1, 2, 4].map(PortId));
    }

    #[test]
    fn a_cycle_with_one_input_that_can_come_down_to_xon_resolves() {
        let ring = waits(&[(1, &[(2, 50)]), (2, &[(9, 90), (4, 10)]), (4, &[(1, 30)])]);
        assert!(locked(ring, |_, _| 10).is_empty());
    }

    #[test]
    fn the_cycle_shown_is_the_one_with_most_bytes_from_its_lowest_port_on() {
        // From port 1, which is behind the cycles, the search goes through port 5.
        let rings = waits(&[
            (1, &[(5, 20)]),
            (3, &[(5, 30)]),
            (4, &[(5, 40)]),
            (5, &[(3, 20), (4, 20), (6, 30)]),
            (6, &[(4, 15)]),
        ]);
        let stuck = locked(rings, |_, _| 10);
        assert_eq!(ports(&stuck), [1, 3, 4, 5, 6]);
        assert_eq!(cycle(&stuck), [4, 5, 6].map(PortId));
    }
}
