//! The state of all kinds of bridges, regardless of how they buffer frames.

use std::sync::Arc;

use setpoint_units::{Bytes, Rate, Time};

use crate::dwell::Dwell;
use crate::events::Event;
use crate::frame::Frame;
use crate::ids::PortId;
use crate::index::{Number, PortNo, QueueNo, Stretch};
use crate::network::node::bridge::input::Input;
use crate::network::node::bridge::numbers::QueueNumbers;
use crate::network::node::bridge::queue::Queue;
use crate::network::node::context::Context;
use crate::network::node::just_before;
use crate::network::node::pause::{PauseRules, PauseState};
use crate::network::node::port::{Port, Wake, highest};
use crate::network::node::turns::Turns;
use crate::spec::Side;

/// The ports, queues and inputs of the bridges of a partition, including the spines of distributed bridges.
pub(in crate::network) struct Core {
    pub(super) ports: Stretch<PortNo, Port>,
    /// For each port, the bytes that the bridge holds from its link.
    pub(super) inputs: Stretch<PortNo, Input>,
    /// The pauses in effect at each port.
    pub(super) pause_state: Stretch<PortNo, PauseState>,
    /// For each port that is not inside a fabric, an output queue for each class, followed by an input buffer for each class if
    /// bridges have them.
    pub(super) queues: Stretch<QueueNo, Queue>,
    pub(super) pause_rules: PauseRules,
    /// For each port, the turns of its classes. `None` under strict priority.
    pub(super) turns: Option<Stretch<PortNo, Turns>>,
    /// The outputs that the frames of each input can wait for, in the order of their ids. Empty without flow control.
    pub(super) outputs: Stretch<PortNo, Vec<PortNo>>,
    /// The port whose [`Event::Ready`] is being handled.
    pub(super) readying: Option<PortNo>,
    /// Notifications sent, by quantised feedback.
    pub(super) feedback: [u64; 64],
    pub(super) queue_numbers: QueueNumbers,
    /// The frames that were last taken off a link. Its memory is reused.
    pub(super) taken_back: Vec<Frame>,
    /// The ids of all bridges' ports, including those in other partitions.
    pub(super) ids: Arc<[PortId]>,
}

impl Core {
    /// Schedules the wake-up of a busy port that has frames to send.
    #[inline]
    pub(super) fn arm(&mut self, cx: &mut Context, number: PortNo) {
        let port = &mut self.ports[number];
        let due = port.pause_frame_due || port.ready() != 0;
        if due && port.wake == Wake::Asleep {
            port.wake = Wake::Armed;
            cx.events.push(port.free_at.max(cx.now), Event::Ready(number));
        }
    }

    /// The class that sends next at a free port.
    #[inline]
    pub(super) fn next_class<const EXTRAS: bool>(&mut self, port: PortNo) -> Option<u8> {
        let ready = self.ports[port].ready();
        match &mut self.turns {
            Some(turns) if EXTRAS => turns[port].next(ready),
            _ => highest(ready),
        }
    }

    /// Counts a frame that a port sends, with its preamble and gap, towards the turn of its class.
    #[inline]
    pub(super) fn charge(&mut self, port: PortNo, class: u8, bytes: Bytes) {
        if let Some(turns) = &mut self.turns {
            turns[port].charge(class, bytes);
            turns[port].keep(self.ports[port].waiting);
        }
    }

    /// The output queue of a port and class.
    #[inline]
    pub(super) fn queue_of(&self, port: PortNo, class: u8) -> QueueNo {
        self.queue_numbers.of_port(Side::Output, self.ports[port].queues, class)
    }

    /// The input buffer of a port and class.
    #[inline]
    pub(super) fn input_queue(&self, port: PortNo, class: u8) -> QueueNo {
        self.queue_numbers.of_port(Side::Input, self.ports[port].queues, class)
    }

    /// A queue's side, port and class.
    pub(super) fn place_of(&self, queue: QueueNo) -> (Side, PortNo, u8) {
        self.queue_numbers.place_of(queue)
    }

    /// The port that feeds an input: the port at the other end of its link.
    pub(super) fn feeding(&self, input: PortNo) -> PortId {
        self.ports[input].id.peer()
    }

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

    /// Marks a port whose frames are passed to an observer.
    pub(in crate::network) fn tap(&mut self, port: PortNo) {
        self.ports[port].tapped = true;
    }

    /// Changes the rate of a port.
    pub(in crate::network) fn set_rate(&mut self, cx: &mut Context, port: PortNo, rate: Rate) {
        // Changes come before other events at the same time. Under flow control, where departures may be events, the
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
}
