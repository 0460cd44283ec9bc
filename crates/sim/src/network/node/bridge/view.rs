//! The interface of bridges to other modules: measurements, checks, congestion trees and deadlocks.

use setpoint_units::{Rate, Time};

use super::{Bridges, Input, Queue};
use crate::dwell::Dwell;
use crate::frame::{Frame, FrameKind};
use crate::ids::{PortId, Priority};
use crate::index::{Number, PortNo, QueueNo, Stretch};
use crate::network::node::context::Context;
use crate::network::node::just_before;
use crate::network::node::pause::PauseRules;
use crate::network::node::pause::PauseState;
use crate::network::node::port::Port;
use crate::network::observe::trees::most;
use crate::spec::Side;

/// The location of a queue.
#[derive(Clone, Copy, Debug)]
pub(in crate::network) struct QueuePlace {
    pub(in crate::network) side: Side,
    /// The port that an output queue feeds, or that feeds an input buffer.
    pub(in crate::network) port: PortId,
    pub(in crate::network) class: u8,
}

impl Bridges {
    pub(in crate::network) fn ports(&self) -> &Stretch<PortNo, Port> {
        &self.ports
    }

    /// The first of its ports.
    pub(in crate::network) fn first_port(&self) -> PortNo {
        self.ports.numbers().next().unwrap_or_default()
    }

    pub(in crate::network) fn port(&self, port: PortNo) -> (&Port, &PauseState) {
        (&self.ports[port], &self.pause_state[port])
    }

    /// The id of a bridge's port, which may be in another partition.
    pub(in crate::network) fn id_of(&self, port: PortNo) -> PortId {
        self.ids[port.place()]
    }

    pub(in crate::network) fn inputs(&self) -> &Stretch<PortNo, Input> {
        &self.inputs
    }

    pub(in crate::network) fn input(&self, port: PortNo) -> &Input {
        &self.inputs[port]
    }

    pub(in crate::network) fn queues(&self) -> &Stretch<QueueNo, Queue> {
        &self.queues
    }

    /// Removes the distribution of a queue's length.
    pub(in crate::network) fn take_dwell(&mut self, queue: QueueNo) -> Dwell {
        std::mem::take(&mut self.queues[queue].dwell)
    }

    /// Ends a sample interval of a queue: returns the largest length since the last interval.
    pub(in crate::network) fn take_largest(&mut self, queue: QueueNo) -> u64 {
        let queue = &mut self.queues[queue];
        std::mem::replace(&mut queue.largest, queue.length)
    }

    pub(in crate::network) fn pause_rules(&self) -> &PauseRules {
        &self.pause_rules
    }

    /// Notifications sent, by quantised feedback.
    pub(in crate::network) fn feedback(&self) -> &[u64; 64] {
        &self.feedback
    }

    /// The location of a queue.
    pub(in crate::network) fn queue_place(&self, queue: QueueNo) -> QueuePlace {
        let (side, port, class) = self.place_of(queue);
        let port = match side {
            Side::Output => self.ports[port].id,
            Side::Input => self.feeding(port),
        };
        QueuePlace { side, port, class }
    }

    /// Marks a port whose frames are passed to an observer.
    pub(in crate::network) fn tap(&mut self, port: PortNo) {
        self.ports[port].tapped = true;
    }

    /// Changes the rate of a port.
    pub(in crate::network) fn set_rate(&mut self, cx: &mut Context, port: PortNo, rate: Rate) {
        // Changes come before the events at the same time. Under flow control, where departures may be events, the
        // transmission of a frame that departs now has therefore not begun.
        let begun = if cx.rules.lossless { just_before(cx.now) } else { cx.now };
        self.recall_after(cx, port, begun);
        self.ports[port].set_rate(rate);
    }

    /// Begins measurement.
    pub(in crate::network) fn measure_from(&mut self, now: Time) {
        for queue in self.queues.iter_mut() {
            queue.dwell.restart(now);
        }
        for (pause_state, port) in self.pause_state.iter_mut().zip(self.ports.iter()) {
            pause_state.measure_from(port.paused, now);
        }
    }

    /// Ends the run: resets ports to their initial rates, and completes the counts of queues and ports.
    pub(in crate::network) fn finish(&mut self, now: Time, first_rate: impl Fn(PortId) -> Rate) {
        for queue in self.queues.iter_mut() {
            queue.dwell.leave(queue.length, now);
        }
        for number in self.ports.numbers() {
            let (frames, bytes) = self.committed_ahead(number);
            let port = &mut self.ports[number];
            port.sent_frames -= frames;
            port.sent -= bytes;
            port.set_rate(first_rate(port.id));
        }
    }

    /// Sets the outputs that the frames of each input can wait for.
    pub(in crate::network) fn learn_outputs(&mut self, outputs: Stretch<PortNo, Vec<PortNo>>) {
        self.outputs = outputs;
    }

    /// The outputs that an input's frames can wait for.
    pub(in crate::network) fn outputs_of(&self, input: PortNo) -> &[PortNo] {
        &self.outputs[input]
    }

    /// The output for which an input holds the most bytes.
    pub(super) fn cause_of(&self, cx: &Context, input: PortNo, counter: usize) -> PortId {
        match self.outputs_of(input) {
            [only] => self.id_of(*only),
            several => {
                let first = self.id_of(several[0]);
                most(&self.waiting_of(cx, input, counter)).unwrap_or(first)
            }
        }
    }

    /// The outputs that an input's frames wait for, in ascending order, with the waiting bytes that
    /// one of its counters includes.
    pub(in crate::network) fn waiting_of(
        &self,
        cx: &Context,
        input: PortNo,
        counter: usize,
    ) -> Vec<(PortId, u64)> {
        let classes = self.pause_rules.classes_of(counter);
        if self.cioq.is_some() {
            return self.held_for(cx, input, classes);
        }
        let nonempty = |output: &&PortNo| self.ports[**output].waiting & classes != 0;
        let mut outputs: Vec<PortNo> = self.outputs_of(input).iter().filter(nonempty).copied().collect();
        // Everything that an input holds waits for some output, so bytes that are not in the other queues are
        // in the longest one.
        let length = |&output: &PortNo| {
            self.queues_of(cx, output, classes).map(|queue| self.queues[queue].length).sum::<u64>()
        };
        outputs.sort_by_key(length);
        let longest = outputs.pop();
        let mut rest = self.inputs[input].held()[counter];
        let mut waiting: Vec<(PortId, u64)> = Vec::with_capacity(outputs.len() + 1);
        for output in outputs {
            let bytes = self.waiting_at(cx, output, input, classes);
            rest -= bytes;
            waiting.push((self.id_of(output), bytes));
        }
        waiting.extend(longest.map(|output| (self.id_of(output), rest)));
        waiting.retain(|&(_, bytes)| bytes > 0);
        waiting.sort_unstable();
        waiting
    }

    /// Like [`Bridges::waiting_of`], but counts only frames that stay as long as their output sends nothing. `bridges_at`
    /// returns the bridges in an output's partition.
    pub(in crate::network) fn stuck_at<'a>(
        &self,
        cx: &Context,
        input: PortNo,
        counter: usize,
        bridges_at: impl Fn(PortNo) -> &'a Bridges,
    ) -> Vec<(PortId, u64)> {
        match &self.cioq {
            Some(_) => self.stuck_for(cx, input, self.pause_rules.classes_of(counter), bridges_at),
            None => self.waiting_of(cx, input, counter),
        }
    }

    /// Bytes of the given classes that came from an input and wait for an output.
    fn waiting_at(&self, cx: &Context, output: PortNo, input: PortNo, classes: u8) -> u64 {
        let frames = self.queues_of(cx, output, classes).flat_map(|queue| self.queues[queue].frames.iter());
        let of_input = frames.filter(|frame| is_held(frame) && cx.routes.arrived_at(**frame) == input);
        of_input.map(|frame| u64::from(frame.bytes())).sum()
    }

    /// The number of frames of a counter's classes that wait for an output.
    pub(in crate::network) fn frames_at(&self, cx: &Context, output: PortNo, counter: usize) -> usize {
        let queues = self.queues_of(cx, output, self.pause_rules.classes_of(counter));
        queues.map(|queue| self.queues[queue].frames.len()).sum()
    }

    fn queues_of(&self, cx: &Context, output: PortNo, classes: u8) -> impl Iterator<Item = QueueNo> {
        cx.classes.in_set(classes).map(move |class| self.queue_of(output, class))
    }

    /// All frames inside bridges: those that wait for their ports, and those that have not reached an output queue.
    pub(in crate::network) fn frames(&self) -> impl Iterator<Item = &Frame> {
        self.queues.iter().flat_map(|queue| queue.frames.iter()).chain(self.inside())
    }

    /// The number of frames inside bridges, which is the cost of visiting all of them.
    pub(in crate::network) fn frame_count(&self) -> usize {
        self.queues.iter().map(|queue| queue.frames.len()).sum::<usize>() + self.frames_inside()
    }

    /// Whether the lengths of queues and the counters of inputs match the frames inside.
    pub(in crate::network) fn adds_up(&self, cx: &Context) -> Result<(), &'static str> {
        let is_output = |queue: &QueueNo| self.place_of(*queue).0 == Side::Output;
        if !self.queues.numbers().filter(is_output).all(|queue| self.queues[queue].adds_up()) {
            return Err("a queue's length differs from the total length of its frames");
        }
        if !self.inside_adds_up(cx) {
            return Err("the frames inside bridges do not match their buffers' counters");
        }
        match self.inputs_add_up(cx) {
            true => Ok(()),
            false => Err("an input's counter does not match its waiting frames"),
        }
    }

    /// Whether the inputs' counters equal the buffer space that protected data occupies.
    fn inputs_add_up(&self, cx: &Context) -> bool {
        let mut held: Stretch<PortNo, [u64; Priority::COUNT]> =
            Stretch::new(self.first_port(), self.inputs.iter().map(|_| [0; Priority::COUNT]));
        let mut count = |input: PortNo, class: u8, bytes: u64| {
            if self.pause_rules.protects(class) {
                held[input][self.pause_rules.counter(class)] += bytes;
            }
        };
        if self.cioq.is_some() {
            self.count_held(cx, count);
        } else {
            let frames = self.queues.iter().flat_map(|queue| queue.frames.iter());
            for frame in frames.filter(is_held) {
                count(cx.routes.arrived_at(*frame), frame.class(), u64::from(frame.bytes()));
            }
            for (number, queue) in self.queues.numbered() {
                let (_, _, class) = self.place_of(number);
                queue.committed.iter().for_each(|frame| count(frame.input, class, u64::from(frame.bytes)));
            }
        }
        self.inputs.iter().zip(held.iter()).all(|(input, held)| input.held() == held)
    }
}

/// Whether inputs count a frame of a protected class.
fn is_held(frame: &&Frame) -> bool {
    matches!(frame.kind(), FrameKind::Data | FrameKind::Reply)
}
