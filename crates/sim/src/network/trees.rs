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
use super::pause::Input;
use crate::frame::FrameKind;
use crate::ids::PortId;
use crate::outcome::{CongestionTrees, PauseCause};

/// The pauses of a run. Empty and unused without flow control.
#[derive(Clone, Debug, Default)]
pub(super) struct Trees {
    /// For each input, the outputs that flows take next, in ascending order.
    outputs: Vec<Vec<u32>>,
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
    cause: u32,
    root: u32,
    depth: u32,
    since: Time,
}

/// The input and counter that requested a pause, with its cause and root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Blame {
    paused: u32,
    counter: usize,
    cause: u32,
    root: u32,
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
        let mut outputs = vec![Vec::new(); self.inputs.len()];
        for flow in 0..self.flows.len() as u32 {
            for hop in self.paths(flow).flat_map(|path| path.windows(2)) {
                outputs[hop[0] as usize].push(hop[1]);
            }
        }
        for outputs in &mut outputs {
            outputs.sort_unstable();
            outputs.dedup();
        }
        let latest = vec![None; self.inputs.len() * self.classes.count()];
        self.trees = Trees { outputs, latest, ..Trees::default() };
    }

    /// The outputs that an input's frames can wait for.
    pub(super) fn outputs_of(&self, input: u32) -> &[u32] {
        &self.trees.outputs[input as usize]
    }

    /// The outputs that an input's frames wait for, in ascending order, with the bytes in one of its
    /// counters.
    pub(super) fn waiting_of(&self, input: u32, counter: usize) -> Vec<(u32, u64)> {
        let classes = self.pause_rules.classes_of(counter);
        if self.cioq.is_some() {
            return self.held_for(input, classes);
        }
        let nonempty = |output: &&u32| self.ports[**output as usize].waiting & classes != 0;
        let mut outputs: Vec<u32> = self.outputs_of(input).iter().filter(nonempty).copied().collect();
        // Everything that an input holds waits for some output: bytes that are not in the other queues are in
        // the longest.
        let length = |&output: &u32| {
            let queues = self.queues_of(output, classes);
            queues.map(|queue| self.queues[queue].length).sum::<u64>()
        };
        outputs.sort_by_key(length);
        let longest = outputs.pop();
        let mut rest = self.inputs[input as usize].held[counter];
        let mut waiting: Vec<(u32, u64)> = Vec::with_capacity(outputs.len() + 1);
        for output in outputs {
            let bytes = self.waiting_at(output, input, classes);
            rest -= bytes;
            waiting.push((output, bytes));
        }
        waiting.extend(longest.map(|output| (output, rest)));
        waiting.retain(|&(_, bytes)| bytes > 0);
        waiting.sort_unstable();
        waiting
    }

    /// Bytes of some classes that came from an input and wait for an output.
    fn waiting_at(&self, output: u32, input: u32, classes: u8) -> u64 {
        let frames = self.queues_of(output, classes).flat_map(|queue| self.queues[queue].frames.iter());
        let of_input = frames.filter(|frame| frame.kind == FrameKind::Data && self.input_of(frame) == input);
        of_input.map(|frame| u64::from(frame.bytes)).sum()
    }

    /// The number of frames of a counter's classes that wait for an output.
    pub(super) fn frames_at(&self, output: u32, counter: usize) -> usize {
        let queues = self.queues_of(output, self.pause_rules.classes_of(counter));
        queues.map(|queue| self.queues[queue].frames.len()).sum()
    }

    fn queues_of(&self, output: u32, classes: u8) -> impl Iterator<Item = usize> {
        let of_class = move |class: &u8| classes & (1 << class) != 0;
        (0..self.classes.count() as u8).filter(of_class).map(move |class| self.queue_of(output, class))
    }

    /// Records that an input has paused its sender.
    pub(super) fn pause_begins(&mut self, input: u32, counter: usize) {
        let cause = self.cause_of(input, counter);
        let (root, depth) = self.root_of(input, cause, counter);
        let place = self.pause_place(input, counter);
        let for_nothing_else = self.inputs[input as usize].asked == self.pause_rules.classes_of(counter);
        let trees = &mut self.trees;
        trees.latest[place] = Some(Pause { cause, root, depth, since: self.now });
        trees.asked += u32::from(for_nothing_else);
        trees.widest = trees.widest.max(trees.asked);
        trees.deepest = trees.deepest.max(depth);
        self.victims_begin(input, counter, root);
    }

    /// Records that an input has released its sender.
    pub(super) fn pause_ends(&mut self, input: u32, counter: usize) {
        let Some(pause) = self.trees.latest[self.pause_place(input, counter)] else { return };
        let blame = Blame { paused: input, counter, cause: pause.cause, root: pause.root };
        let sum = Sum { depth: pause.depth, pauses: 1, time: self.now - pause.since };
        self.trees.ended.entry(blame).or_default().add(sum);
        self.trees.asked -= u32::from(self.inputs[input as usize].asked == 0);
        self.victims_end(input, counter, pause.root);
    }

    /// The output for which an input holds the most bytes.
    fn cause_of(&self, input: u32, counter: usize) -> u32 {
        match self.outputs_of(input) {
            [only] => *only,
            several => most(&self.waiting_of(input, counter)).unwrap_or(several[0]),
        }
    }

    /// The output where the congestion that now reaches an input started, and its distance. Causes that lead
    /// back to the input's own port end there, since it was not paused until now.
    fn root_of(&self, input: u32, cause: u32, counter: usize) -> (u32, u32) {
        if self.holding(cause, counter).is_none() {
            return (cause, 1);
        }
        let mut chain = vec![cause];
        let mut output = cause;
        while output != input
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
    fn oldest_of(&self, chain: &[u32], first: usize, counter: usize) -> (u32, u32) {
        let since = |place: &usize| {
            let pause = self.holding(chain[*place], counter);
            (pause.map(|pause| pause.since), chain[*place])
        };
        let place = (first..chain.len()).min_by_key(since).unwrap_or(first);
        (chain[place], place as u32 + 1)
    }

    /// The pause in effect at a port: one that is requested, or whose release has not arrived yet.
    fn holding(&self, port: u32, counter: usize) -> Option<Pause> {
        let asked_or_paused = self.inputs[port as usize].asked | self.ports[port as usize].paused;
        let held = asked_or_paused & self.pause_rules.classes_of(counter) != 0;
        if held { self.trees.latest[self.pause_place(port, counter)] } else { None }
    }

    fn pause_place(&self, port: u32, counter: usize) -> usize {
        port as usize * self.classes.count() + counter
    }

    /// Ports that are asked to pause, with the counter that asks, in ascending order.
    pub(super) fn pauses_now(&self) -> Vec<(u32, usize)> {
        if self.trees.asked == 0 {
            return Vec::new();
        }
        let asks = |input: &Input, counter: usize| input.asked & self.pause_rules.classes_of(counter) != 0;
        let inputs = self.inputs.iter().enumerate().filter(|(_, input)| input.asked != 0);
        inputs
            .flat_map(|(index, input)| {
                let counters = self.pause_rules.counters(self.classes.count());
                counters
                    .filter(move |&counter| asks(input, counter))
                    .map(move |counter| (index as u32, counter))
            })
            .collect()
    }

    /// Ends the pauses that are still in effect, for the totals.
    pub(super) fn close_trees(&mut self) {
        for (input, counter) in self.pauses_now() {
            self.inputs[input as usize].asked &= !self.pause_rules.classes_of(counter);
            self.pause_ends(input, counter);
        }
    }

    /// The totals of all ended pauses.
    pub(super) fn congestion_trees(&self) -> CongestionTrees {
        let mut causes: BTreeMap<(u32, u32, u32), Sum> = BTreeMap::new();
        for (blame, &sum) in &self.trees.ended {
            causes.entry((blame.paused, blame.cause, blame.root)).or_default().add(sum);
        }
        let pause = |((paused, cause, root), sum): ((u32, u32, u32), Sum)| PauseCause {
            paused: PortId(paused),
            cause: PortId(cause),
            root: PortId(root),
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
pub(super) fn most(waiting: &[(u32, u64)]) -> Option<u32> {
    let least_port_last = waiting.iter().rev();
    least_port_last.max_by_key(|&&(_, bytes)| bytes).map(|&(output, _)| output)
}
