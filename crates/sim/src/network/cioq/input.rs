//! Inputs: frames arrive, are stored, and leave for their outputs.

use setpoint_control::culprit::{Owner, Units};
use setpoint_control::{Arrival, CulpritCounters, FlowKey};
use setpoint_units::Bytes;

use super::super::Network;
use super::Message;
use super::slots::{Others, Slot};
use crate::events::Event;
use crate::frame::Frame;
use crate::spec::{Delivery, Side};

impl Network {
    /// Handles the arrival of a data frame at an input; its `step` has advanced to the port after its output.
    #[inline]
    pub(in super::super) fn enter(&mut self, frame: Frame) {
        let input = self.input_of(&frame);
        let units = self.cioq().rules.units(frame.bytes);
        if !self.has_input_room(input, &frame, units) {
            return;
        }
        let queue = self.input_queue(input, frame.class);
        let with_frame = self.queues[queue].length + u64::from(frame.bytes);
        let owned = self.occupy(input, &frame, units);
        let (_, voq) = self.append_to_voq(input, Slot { owned, ..Slot::waiting(frame, units) });
        if self.pause_rules.protects(frame.class) {
            let occupied = u64::from(units) * self.cioq().rules.unit;
            self.hold_input(&frame, occupied);
        }
        self.show_to_congestion_point(queue, &frame, with_frame);
        self.send_message(Message::Request(voq));
    }

    /// Whether an input has room for a frame. If not, drops the frame or ends the run.
    #[inline]
    fn has_input_room(&mut self, input: u32, frame: &Frame, units: u32) -> bool {
        let cioq = self.cioq();
        let (used, room) = (cioq.inputs[input as usize].used[frame.class as usize], cioq.rules.input_units);
        if used + units <= room {
            return true;
        }
        let unit = cioq.rules.unit;
        if self.pause_rules.protects(frame.class) {
            self.lose_protected(frame, u64::from(used) * unit, u64::from(room) * unit);
        } else {
            self.drop_frame(self.input_queue(input, frame.class), frame);
        }
        false
    }

    /// Allocates room for a frame at an input.
    #[inline]
    fn occupy(&mut self, input: u32, frame: &Frame, units: u32) -> Units {
        let queue = self.input_queue(input, frame.class);
        self.queues[queue].hold(frame.bytes, self.now);
        let edge = &mut self.cioq().inputs[input as usize];
        edge.used[frame.class as usize] += units;
        let owner = Owner { flow: FlowKey(frame.flow), class: frame.class };
        match &mut edge.culprits {
            Some(array) => array.store(owner, units).expect("the culprit array has a word for every unit"),
            None => Units::default(),
        }
    }

    /// Appends a frame to the virtual output queue for its output. Returns its slot and the queue.
    #[inline]
    fn append_to_voq(&mut self, input: u32, slot: Slot) -> (u32, u32) {
        let (output, classes) = (self.output_of(&slot.frame), self.classes.count());
        let cioq = self.cioq();
        let voq = cioq.voq(input, output, slot.frame.class, classes);
        let slot = cioq.slots.take(Slot { voq, ..slot });
        cioq.voqs[voq as usize].push(&mut cioq.slots, slot);
        (slot, voq)
    }

    /// Handles the arrival of a frame to a group at an input: stores it once and requests an output for each
    /// copy. Returns whether there was room.
    pub(in super::super) fn enter_once(&mut self, copies: &[Frame]) -> bool {
        let onward = |copy: &Frame| copy.at(copy.step + 1);
        let frame = onward(&copies[0]);
        let input = self.input_of(&frame);
        let units = self.cioq().rules.units(frame.bytes);
        if !self.has_input_room(input, &frame, units) {
            return false;
        }
        let queue = self.input_queue(input, frame.class);
        let with_frame = self.queues[queue].length + u64::from(frame.bytes);
        let owned = self.occupy(input, &frame, units);
        let mut asking = std::mem::take(&mut self.cioq().asking);
        asking.clear();
        for copy in copies.iter().map(onward) {
            asking.push(self.append_to_voq(input, Slot { owned, held: false, ..Slot::waiting(copy, units) }));
        }
        self.cioq().slots.join(asking.iter().map(|&(slot, _)| slot));
        if self.pause_rules.protects(frame.class) {
            let occupied = u64::from(units) * self.cioq().rules.unit;
            self.hold_input(&frame, occupied);
        }
        self.show_to_congestion_point(queue, &frame, with_frame);
        asking.iter().for_each(|&(_, voq)| self.send_message(Message::Request(voq)));
        self.cioq().asking = asking;
        true
    }

    /// Handles a grant: sends the next frame of a virtual output queue across the bridge.
    #[inline]
    pub(super) fn inject(&mut self, voq: u32) {
        let cioq = self.cioq();
        let slot = cioq.voqs[voq as usize].inject(&mut cioq.slots);
        let frame = cioq.slots[slot].frame;
        let (input, output) = (self.input_of(&frame), self.output_of(&frame));
        match &mut self.cioq().interior {
            Some(interior) if interior.joins(input, output) => self.send_cells(slot, input),
            _ => self.cross(slot, input),
        }
    }

    /// Records that a whole frame has reached the next stage. Its input releases it, unless it must keep a
    /// copy.
    #[inline]
    pub(super) fn left_input(&mut self, slot: u32) {
        if self.cioq().rules.delivery == Delivery::Plain {
            self.free_input(slot);
        }
    }

    /// Handles the acknowledgement that a frame has left its output.
    pub(super) fn forget_copy(&mut self, slot: u32) {
        self.free_input(slot);
        self.cioq().slots.give_back(slot);
    }

    #[inline]
    fn free_input(&mut self, slot: u32) {
        if self.cioq().slots.part(slot) == Others::Left {
            return;
        }
        let entry = &mut self.cioq().slots[slot];
        entry.held = false;
        let Slot { frame, owned, units, .. } = *entry;
        let input = self.input_of(&frame);
        let edge = &mut self.cioq().inputs[input as usize];
        edge.used[frame.class as usize] -= units;
        if let Some(array) = &mut edge.culprits {
            array.release(owned);
        }
        let queue = self.input_queue(input, frame.class);
        self.queues[queue].release(frame.bytes, self.now);
        if self.pause_rules.protects(frame.class) {
            let occupied = u64::from(units) * self.cioq().rules.unit;
            self.release_input(&frame, occupied);
        }
    }

    /// The flow that the congestion point of an input notifies in place of the sampled frame's flow.
    pub(in super::super) fn culprit(&mut self, input: u32, class: u8) -> Option<FlowKey> {
        let cioq = self.cioq.as_mut()?;
        let edge = &mut cioq.inputs[input as usize];
        cioq.rules.marking.culprit(edge.culprits.as_mut()?, class, &mut edge.entropy)
    }

    /// Counters of the culprit searches for a class at an input.
    pub(in super::super) fn culprit_counters(&self, side: Side, port: u32, class: u8) -> CulpritCounters {
        let cioq = self.cioq.as_ref().filter(|_| side == Side::Input);
        let array = cioq.and_then(|cioq| cioq.inputs[port as usize].culprits.as_ref());
        array.map(|array| array.counters_of(class)).unwrap_or_default()
    }

    /// Starts clocked sampling of classes that an input has paused.
    pub(in super::super) fn start_keep_alive(&mut self, input: u32, classes: u8) {
        if self.cioq.as_ref().is_some_and(|cioq| cioq.rules.keep_alive.is_some()) {
            self.classes_in(classes).for_each(|class| self.wind_clock(input, class));
        }
    }

    fn wind_clock(&mut self, input: u32, class: u8) {
        let Some(period) = self.cioq().rules.keep_alive else { return };
        let next = self.now + self.ports[input as usize].nominal_rate().time_to_send(period);
        self.cioq().inputs[input as usize].clock[class as usize] = next;
        self.events.push(next, Event::KeepAlive(input));
    }

    /// Takes the clocked samples that are due at an input. There may be none: if a pause has ended since, the
    /// next one has its own clock.
    pub(in super::super) fn keep_alive(&mut self, input: u32) {
        let now = self.now;
        for class in self.classes_in(self.inputs[input as usize].asked) {
            if self.cioq().inputs[input as usize].clock[class as usize] == now {
                self.sample_by_clock(input, class);
                self.wind_clock(input, class);
            }
        }
    }

    fn sample_by_clock(&mut self, input: u32, class: u8) {
        let index = self.input_queue(input, class);
        let queue = &mut self.queues[index];
        let arrival = Arrival { now: self.now, ..Arrival::of(Bytes::ZERO, Bytes::new(queue.length)) };
        queue.congestion_point.on_clock(&arrival, &mut queue.entropy, &mut self.notifications);
        if self.notifications.is_empty() {
            return;
        }
        match self.culprit(input, class) {
            Some(flow) => {
                self.notifications.iter_mut().for_each(|(to, _)| *to = flow);
                self.notify(index, None);
            }
            // All frames that were sampled have since left the buffer.
            None => self.notifications.clear(),
        }
    }

    /// The classes in a bit set.
    pub(super) fn classes_in(&self, set: u8) -> impl Iterator<Item = u8> + use<> {
        (0..self.classes.count() as u8).filter(move |class| set & (1 << class) != 0)
    }

    /// The input buffer of a class at the far end of a port.
    #[inline]
    pub(in super::super) fn input_queue(&self, port: u32, class: u8) -> usize {
        self.ports.len() * self.classes.count() + self.queue_of(port, class)
    }
}
