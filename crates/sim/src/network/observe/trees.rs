//! Congestion trees: which port caused each pause, and where the congestion started.
//!
//! When an input pauses its sender, the cause is the output for which it holds the most bytes (in
//! a tie, the lowest port). If that output is itself paused, its cause is determined in the same
//! way, and so on to the first output that is not paused: the root of the tree, where more arrives
//! than can leave. The depth is the number of links in between: 1 if the cause is the root.
//!
//! Bridges record the pauses that they request, and ports record the pauses in effect ([`crate::network::node::traces`]); trees are
//! determined from these traces, using the state of ports at the time of each trace.
//!
//! A pause is timed from the far input's decision to pause until its decision to release. The port
//! stops slightly later, when the pause frame arrives; an output counts as paused until the release has
//! arrived. The cause of a pause is determined when it begins. If the congestion moves while the pause lasts,
//! only later pauses reflect it. An output that is throttled by a series of pauses, but happens to be sending when
//! an input that feeds it exceeds its threshold, is a root at that moment: more arrived than it could send at its
//! full rate.
//!
//! If buffers depend on each other in a cycle, causes can lead back to the port being paused, which was not
//! paused until now and is its own root. Behind a cycle that has already closed, they can lead back to an
//! earlier output of the chain; then the output in the cycle that has been paused longest is the root. A
//! cycle that is also full is a deadlock (see [`crate::network::observe::deadlock`]).

use std::collections::{BTreeMap, BTreeSet};

use setpoint_units::{Time, TimeDelta};

use crate::ids::PortId;
use crate::index::{PartNo, PortNo, Stretch, Table};
use crate::network::components::Components;
use crate::network::node::places::Place;
use crate::outcome::{CongestionTrees, PauseCause};

/// The pauses in a run. Empty and unused without flow control.
#[derive(Clone, Debug, Default)]
pub(in crate::network) struct Trees {
    /// The current or latest pause, by port and counter.
    latest: Vec<Option<Pause>>,
    ports: Table<PortId, PortPauses>,
    /// Totals for pauses that have ended.
    ended: BTreeMap<Blame, Sum>,
    /// The number of ports currently asked to pause.
    asked: u32,
    widest: u32,
    deepest: u32,
}

/// The pauses of a port.
#[derive(Clone, Copy, Debug, Default)]
struct PortPauses {
    /// The classes that the far end asks it to pause.
    asked: u8,
    /// The classes for which pauses are in effect.
    held: u8,
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

/// Totals for pauses with the same cause and root.
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

impl Trees {
    /// The state before the first frame.
    pub(in crate::network) fn new(net: &Components) -> Self {
        let latest = vec![None; net.owners.len() * net.classes.count()];
        let ports = net.owners.iter().map(|_| PortPauses::default()).collect();
        Self { latest, ports, ..Self::default() }
    }

    /// Records the classes for which pauses are in effect at a port.
    pub(in crate::network) fn hold(&mut self, port: PortId, classes: u8) {
        self.ports[port].held = classes;
    }

    /// Records that a port is asked to pause. Returns the root of the tree.
    pub(in crate::network) fn pause_begins(
        &mut self,
        net: &Components,
        at: Time,
        (paused, counter): (PortId, usize),
        cause: PortId,
    ) -> PortId {
        let (root, depth) = self.root_of(net, paused, cause, counter);
        let (place, classes) = (pause_place(net, paused, counter), net.pause_rules.classes_of(counter));
        let trees = self;
        trees.latest[place] = Some(Pause { cause, root, depth, since: at });
        let asked = &mut trees.ports[paused].asked;
        trees.asked += u32::from(*asked == 0);
        *asked |= classes;
        trees.widest = trees.widest.max(trees.asked);
        trees.deepest = trees.deepest.max(depth);
        root
    }

    /// Records the end of a pause. Returns the root of its tree.
    pub(in crate::network) fn pause_ends(
        &mut self,
        net: &Components,
        at: Time,
        (paused, counter): (PortId, usize),
    ) -> Option<PortId> {
        let pause = self.latest[pause_place(net, paused, counter)]?;
        let blame = Blame { paused, counter, cause: pause.cause, root: pause.root };
        let sum = Sum { depth: pause.depth, pauses: 1, time: at - pause.since };
        let classes = net.pause_rules.classes_of(counter);
        let trees = self;
        trees.ended.entry(blame).or_default().add(sum);
        let asked = &mut trees.ports[paused].asked;
        *asked &= !classes;
        trees.asked -= u32::from(*asked == 0);
        Some(pause.root)
    }

    /// The output at which the congestion now reaching an input started, and its distance. Causes that lead
    /// back to the input's own port end there, since it was not paused until now.
    fn root_of(&self, net: &Components, paused: PortId, cause: PortId, counter: usize) -> (PortId, u32) {
        if self.holding(net, cause, counter).is_none() {
            return (cause, 1);
        }
        let mut chain = vec![cause];
        let mut output = cause;
        while output != paused
            && let Some(pause) = self.holding(net, output, counter)
        {
            output = pause.cause;
            if let Some(first) = chain.iter().position(|&seen| seen == output) {
                return self.oldest_of(net, &chain, first, counter);
            }
            chain.push(output);
        }
        (output, chain.len() as u32)
    }

    /// The output that has been paused longest in the cycle that a chain of causes closes at `first`, and its
    /// distance.
    fn oldest_of(&self, net: &Components, chain: &[PortId], first: usize, counter: usize) -> (PortId, u32) {
        let since = |place: &usize| {
            let pause = self.holding(net, chain[*place], counter);
            (pause.map(|pause| pause.since), chain[*place])
        };
        let place = (first..chain.len()).min_by_key(since).unwrap_or(first);
        (chain[place], place as u32 + 1)
    }

    /// The pause in effect at a port: a pause that is requested, or whose release has not arrived yet.
    fn holding(&self, net: &Components, port: PortId, counter: usize) -> Option<Pause> {
        let PortPauses { asked, held } = self.ports[port];
        let holds = (asked | held) & net.pause_rules.classes_of(counter) != 0;
        if holds { self.latest[pause_place(net, port, counter)] } else { None }
    }

    /// Ports that are asked to pause, with the counter responsible, in ascending order.
    pub(in crate::network) fn pauses_now(&self, net: &Components) -> Vec<(PortId, usize)> {
        if self.asked == 0 {
            return Vec::new();
        }
        let rules = net.pause_rules;
        let counters = |port: PortId| {
            let asked = self.ports[port].asked;
            let asks = move |counter: &usize| asked & rules.classes_of(*counter) != 0;
            rules.counters(net.classes.count()).filter(asks).map(move |counter| (port, counter))
        };
        net.owners.numbers().flat_map(counters).collect()
    }

    /// The totals of all ended pauses.
    pub(in crate::network) fn congestion_trees(&self) -> CongestionTrees {
        let mut causes: BTreeMap<(PortId, PortId, PortId), Sum> = BTreeMap::new();
        for (blame, &sum) in &self.ended {
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
            widest: self.widest,
            deepest: self.deepest,
        }
    }
}

/// The place of a pause in [`Trees::latest`].
fn pause_place(net: &Components, port: PortId, counter: usize) -> usize {
    port.index() * net.classes.count() + counter
}

/// Determines the outputs that the frames of each input, including replies, can wait for. Called before the first
/// frame.
pub(in crate::network) fn learn_outputs(net: &mut Components) {
    let owners = &net.owners;
    let mut hops: BTreeSet<(PortNo, PortId, PortNo)> = BTreeSet::new();
    for flow in net.flows() {
        for hop in net.parts[PartNo(0)].cx.paths(flow).flat_map(|path| path.windows(2)) {
            if let (Place::Bridge(input), Place::Bridge(output)) =
                (owners[hop[0].peer()].place, owners[hop[1]].place)
            {
                hops.insert((input, hop[1], output));
                if net.rules.answers() {
                    hops.insert((output, hop[0].peer(), input));
                }
            }
        }
    }
    for part in net.parts.iter_mut() {
        let bridges = &mut part.bridges;
        let mut outputs: Stretch<PortNo, Vec<PortNo>> =
            Stretch::new(bridges.core().first_port(), bridges.core().inputs().iter().map(|_| Vec::new()));
        for &(input, _, output) in hops.iter().filter(|(input, ..)| bridges.core().ports().includes(*input)) {
            outputs[input].push(output);
        }
        bridges.core_mut().learn_outputs(outputs);
    }
}
