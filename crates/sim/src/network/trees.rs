//! Congestion trees: which port caused each pause, and where the congestion started.
//!
//! When an input pauses its sender, the cause is the output for which it holds the most bytes (in
//! a tie, the lowest port). If that output is paused itself, its own cause is determined in the
//! same way, and so on to the first output that is not paused: the root of the tree, where more
//! arrives than can leave. The depth is the number of links in between: 1 if the cause is the
//! root.
//!
//! A pause is timed from the far input's decision to pause until its decision to release. The port
//! stops slightly later, when the pause frame arrives; an output counts as paused until the release has
//! arrived. The cause of a pause is determined when it begins. If the congestion moves while the pause lasts,
//! only later pauses show it. An output that is throttled by a series of pauses, and happens to be sending
//! when an input before it overflows, is a root at that moment: more arrived than it could send at its full
//! rate.
//!
//! If buffers depend on each other in a cycle, causes can lead back to the port being paused, which was not
//! paused until now and is its own root. Behind a cycle that has already closed, they can lead back to an
//! earlier output of the chain; then the output of the cycle that has been paused longest is the root. A
//! cycle that is also full is a deadlock (see [`super::deadlock`]).

use std::collections::BTreeMap;

use setpoint_units::{Time, TimeDelta};

use super::Network;
use super::link::{End, Owner};
use crate::ids::PortId;
use crate::index::{PortNo, Table};
use crate::outcome::{CongestionTrees, PauseCause};

/// A pause that an input has requested or released. The bridge determines the cause; what it means for the network is determined
/// after the event.
#[derive(Clone, Copy, Debug)]
pub(super) enum PauseNote {
    Begins {
        /// The port that must stop.
        paused: PortId,
        counter: usize,
        /// The output for which the input holds the most bytes.
        cause: PortId,
        /// Whether the input had not paused it for another counter.
        alone: bool,
    },
    Ends {
        paused: PortId,
        counter: usize,
        /// Whether the input does not pause it for another counter.
        last: bool,
    },
}

/// The pauses of a run. Empty and unused without flow control.
#[derive(Clone, Debug, Default)]
pub(super) struct Trees {
    /// The current or latest pause, by port and counter.
    latest: Vec<Option<Pause>>,
    /// Totals of pauses that have ended.
    ended: BTreeMap<Blame, Sum>,
    /// The number of ports currently asked to pause.
    asked: u32,
    widest: u32,
    deepest: u32,
}

/// A pause, with the cause determined when it began.
#[derive(Clone, Copy, Debug)]
struct Pause {
    cause: PortId,
    root: PortId,
    depth: u32,
    since: Time,
}

/// The port and counter that were paused, with the cause and the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Blame {
    paused: PortId,
    counter: usize,
    cause: PortId,
    root: PortId,
}

/// Totals of pauses with the same cause and root.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    depth: u32,
    pauses: u64,
    time: TimeDelta,
}

impl Sum {
    fn add(&mut self, other: Self) {
        self.depth = self.depth.max(other.depth);
        self.pauses += other.pauses;
        self.time += other.time;
    }
}

impl Network {
    /// Determines the outputs that the frames of each input can wait for. Called before the first
    /// frame.
    pub(super) fn learn_outputs(&mut self) {
        let mut outputs: Table<PortNo, Vec<PortNo>> =
            self.bridges.inputs().iter().map(|_| Vec::new()).collect();
        for flow in self.stations.senders().numbers() {
            for hop in self.cx.paths(flow).flat_map(|path| path.windows(2)) {
                if let (End::Bridge(input), Owner::Bridge(output)) =
                    (self.cx.links[hop[0]].to, self.owners[hop[1]])
                {
                    outputs[input].push(output);
                }
            }
        }
        for outputs in outputs.iter_mut() {
            outputs.sort_unstable_by_key(|output| self.bridges.ports()[*output].id);
            outputs.dedup();
        }
        self.bridges.learn_outputs(outputs);
        let latest = vec![None; self.owners.len() * self.cx.classes.count()];
        self.trees = Trees { latest, ..Trees::default() };
    }

    /// Looks at the pauses that inputs have requested or released during an event.
    pub(super) fn attend_to_pauses(&mut self) {
        let mut notes = std::mem::take(&mut self.cx.pauses);
        for note in notes.drain(..) {
            match note {
                PauseNote::Begins { paused, counter, cause, alone } => {
                    self.pause_begins(paused, counter, cause, alone);
                }
                PauseNote::Ends { paused, counter, last } => self.pause_ends(paused, counter, last),
            }
        }
        self.cx.pauses = notes;
    }

    fn pause_begins(&mut self, paused: PortId, counter: usize, cause: PortId, alone: bool) {
        let (root, depth) = self.root_of(paused, cause, counter);
        let place = self.pause_place(paused, counter);
        let trees = &mut self.trees;
        trees.latest[place] = Some(Pause { cause, root, depth, since: self.cx.now });
        trees.asked += u32::from(alone);
        trees.widest = trees.widest.max(trees.asked);
        trees.deepest = trees.deepest.max(depth);
        self.victims_begin(paused, counter, root);
    }

    fn pause_ends(&mut self, paused: PortId, counter: usize, last: bool) {
        let Some(pause) = self.trees.latest[self.pause_place(paused, counter)] else { return };
        let blame = Blame { paused, counter, cause: pause.cause, root: pause.root };
        let sum = Sum { depth: pause.depth, pauses: 1, time: self.cx.now - pause.since };
        self.trees.ended.entry(blame).or_default().add(sum);
        self.trees.asked -= u32::from(last);
        self.victims_end(paused, counter, pause.root);
    }

    /// The output where the congestion that now reaches an input started, and its distance. Causes that lead
    /// back to the input's own port end there, since it was not paused until now.
    fn root_of(&self, paused: PortId, cause: PortId, counter: usize) -> (PortId, u32) {
        if self.holding(cause, counter).is_none() {
            return (cause, 1);
        }
        let mut chain = vec![cause];
        let mut output = cause;
        while output != paused
            && let Some(pause) = self.holding(output, counter)
        {
            output = pause.cause;
            if let Some(first) = chain.iter().position(|&seen| seen == output) {
                return self.oldest_of(&chain, first, counter);
            }
            chain.push(output);
        }
        (output, chain.len() as u32)
    }

    /// In a chain of causes that closes a cycle at `first`, the output that has been paused longest, and its
    /// distance.
    fn oldest_of(&self, chain: &[PortId], first: usize, counter: usize) -> (PortId, u32) {
        let since = |place: &usize| {
            let pause = self.holding(chain[*place], counter);
            (pause.map(|pause| pause.since), chain[*place])
        };
        let place = (first..chain.len()).min_by_key(since).unwrap_or(first);
        (chain[place], place as u32 + 1)
    }

    /// The pause in effect at a port: one that is requested, or whose release has not arrived yet.
    fn holding(&self, port: PortId, counter: usize) -> Option<Pause> {
        let asked_or_paused = self.asked_of(port) | self.port(port).0.paused;
        let held = asked_or_paused & self.bridges.pause_rules().classes_of(counter) != 0;
        if held { self.trees.latest[self.pause_place(port, counter)] } else { None }
    }

    /// The classes that the far end of a port asks it to pause.
    fn asked_of(&self, port: PortId) -> u8 {
        match self.cx.links[port].to {
            End::Bridge(input) => self.bridges.input(input).asked(),
            End::Station(_) => 0,
        }
    }

    fn pause_place(&self, port: PortId, counter: usize) -> usize {
        port.index() * self.cx.classes.count() + counter
    }

    /// Ports that are asked to pause, with the counter that asks, in ascending order.
    pub(super) fn pauses_now(&self) -> Vec<(PortId, usize)> {
        if self.trees.asked == 0 {
            return Vec::new();
        }
        let rules = self.bridges.pause_rules();
        let counters = |port: PortId| {
            let asked = self.asked_of(port);
            let asks = move |counter: &usize| asked & rules.classes_of(*counter) != 0;
            rules.counters(self.cx.classes.count()).filter(asks).map(move |counter| (port, counter))
        };
        self.owners.numbers().flat_map(counters).collect()
    }

    /// Ends the pauses that are still in effect, for the totals.
    pub(super) fn close_trees(&mut self) {
        for (port, counter) in self.pauses_now() {
            let End::Bridge(input) = self.cx.links[port].to else { continue };
            self.bridges.close_pause(input, counter);
            self.pause_ends(port, counter, self.bridges.input(input).asked() == 0);
        }
    }

    /// The totals of all ended pauses.
    pub(super) fn congestion_trees(&self) -> CongestionTrees {
        let mut causes: BTreeMap<(PortId, PortId, PortId), Sum> = BTreeMap::new();
        for (blame, &sum) in &self.trees.ended {
            causes.entry((blame.paused, blame.cause, blame.root)).or_default().add(sum);
        }
        let pause = |((paused, cause, root), sum): ((PortId, PortId, PortId), Sum)| PauseCause {
            paused,
            cause,
            root,
            depth: sum.depth,
            pauses: sum.pauses,
            time: sum.time,
        };
        CongestionTrees {
            pauses: causes.into_iter().map(pause).collect(),
            widest: self.trees.widest,
            deepest: self.trees.deepest,
        }
    }
}

/// The output with the most bytes; in a tie, the lowest port.
pub(super) fn most(waiting: &[(PortId, u64)]) -> Option<PortId> {
    let least_port_last = waiting.iter().rev();
    least_port_last.max_by_key(|&&(_, bytes)| bytes).map(|&(output, _)| output)
}
