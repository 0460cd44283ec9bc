//! Inputs: frames arrive, are stored, and leave for their outputs.

use setpoint_control::culprit::{Owner, Units};
use setpoint_control::{Arrival, CulpritCounters, FlowKey, Observe};
use setpoint_units::{Bytes, Rate};

use super::super::point::Issued;
use super::super::set::BridgeSet;
use super::Cioq;
use super::slots::{self, Others, Slot};
use crate::events::Event;
use crate::frame::Frame;
use crate::index::{BridgeNo, PortNo, QueueNo, RecordNo, SlotNo};
use crate::network::node::bridge_message::ControlMessage;
use crate::network::node::context::Context;
use crate::spec::Side;

impl BridgeSet<Cioq> {
    /// Handles the arrival of a data frame at an input.
    #[inline]
    pub(in super::super) fn enter_input(&mut self, cx: &mut Context, frame: Frame) {
        let input = cx.routes.input_of(frame);
        let units = self.buffers.rules.units(frame.bytes());
        if !self.has_input_room(cx, input, frame, units) {
            return;
        }
        let queue = self.core.input_queue(input, frame.class());
        let with_frame = self.core.queues[queue].length + u64::from(frame.bytes());
        let owned = self.occupy(cx, input, frame, units);
        let slot = self.append_to_voq(cx, input, frame, units, owned);
        self.buffers.hold(input, slot);
        if let Some(account) = self.core.account_of(cx, frame) {
            let occupied = u64::from(units) * self.buffers.rules.unit;
            self.hold_input(cx, account, occupied);
        }
        self.show_to_congestion_point(cx, queue, frame, with_frame);
        self.ask_for_room(cx, input, frame, units);
    }

    /// Requests buffer space for a frame at its output.
    #[inline]
    fn ask_for_room(&mut self, cx: &mut Context, input: PortNo, frame: Frame, units: u32) {
        let output = cx.routes.output_of(frame);
        let (from, to) = (self.buffers.bridge_of[input], self.buffers.bridge_of[output]);
        let message = ControlMessage::Request { input, output, class: frame.class(), units };
        self.send_message(cx, from, to, message);
    }

    /// Whether an input has buffer space for a frame. If not, drops the frame or ends the run.
    #[inline]
    fn has_input_room(&mut self, cx: &mut Context, input: PortNo, frame: Frame, units: u32) -> bool {
        let cioq = &mut self.buffers;
        let (used, room) = (cioq.inputs[input].used[frame.class() as usize], cioq.rules.input_units);
        if used + units <= room {
            return true;
        }
        let unit = cioq.rules.unit;
        if self.core.pause_rules.protects(frame.class()) {
            self.core.lose_protected(cx, frame, u64::from(used) * unit, u64::from(room) * unit);
        } else {
            self.drop_frame(cx, self.core.input_queue(input, frame.class()), frame);
        }
        false
    }

    /// Allocates buffer space for a frame at an input.
    #[inline]
    fn occupy(&mut self, cx: &Context, input: PortNo, frame: Frame, units: u32) -> Units {
        let queue = self.core.input_queue(input, frame.class());
        self.core.queues[queue].hold(frame.bytes(), cx.now);
        let edge = &mut self.buffers.inputs[input];
        edge.used[frame.class() as usize] += units;
        let owner = Owner { flow: frame.conversation().key(), class: frame.class() };
        match &mut edge.culprits {
            Some(array) => array.store(owner, units).expect("the culprit array has a word for every unit"),
            None => Units::default(),
        }
    }

    /// Appends a frame to the virtual output queue for its output. Returns its slot.
    #[inline]
    fn append_to_voq(
        &mut self,
        cx: &Context,
        input: PortNo,
        frame: Frame,
        units: u32,
        owned: Units,
    ) -> SlotNo {
        let output = cx.routes.output_of(frame);
        let cioq = &mut self.buffers;
        let voq = cioq.pair(input, output, frame.class());
        let slots = &mut cioq.slots[cioq.bridge_of[input]];
        let slot = slots.take(Slot::waiting(frame, voq, units, owned));
        cioq.voqs[voq].push(slots, slot);
        slot
    }

    /// Handles the arrival at an input of a frame addressed to a group: stores it once and requests an output
    /// for each copy. Returns whether there was buffer space.
    pub(in super::super) fn enter_once(&mut self, cx: &mut Context, copies: &[Frame]) -> bool {
        let frame = copies[0];
        let input = cx.routes.input_of(frame);
        let units = self.buffers.rules.units(frame.bytes());
        if !self.has_input_room(cx, input, frame, units) {
            return false;
        }
        let queue = self.core.input_queue(input, frame.class());
        let with_frame = self.core.queues[queue].length + u64::from(frame.bytes());
        let owned = self.occupy(cx, input, frame, units);
        let mut asking = std::mem::take(&mut self.buffers.asking);
        asking.clear();
        for &copy in copies {
            asking.push(self.append_to_voq(cx, input, copy, units, owned));
        }
        self.buffers.join(input, &asking);
        if let Some(account) = self.core.account_of(cx, frame) {
            let occupied = u64::from(units) * self.buffers.rules.unit;
            self.hold_input(cx, account, occupied);
        }
        self.show_to_congestion_point(cx, queue, frame, with_frame);
        copies.iter().for_each(|copy| self.ask_for_room(cx, input, *copy, units));
        self.buffers.asking = asking;
        true
    }

    /// Handles a grant: sends the next frame of a virtual output queue across the bridge.
    #[inline]
    pub(super) fn inject(
        &mut self,
        cx: &mut Context,
        bridge: BridgeNo,
        (input, output, class): (PortNo, PortNo, u8),
        record: RecordNo,
    ) {
        let cioq = &mut self.buffers;
        let voq = cioq.pair(input, output, class);
        let slot = cioq.voqs[voq].pop(&mut cioq.slots[bridge]);
        let frame = cioq.slots[bridge][slot].frame;
        let to = cioq.bridge_of[output];
        if to == bridge {
            self.announced(to, record, frame, (slot, 0));
            self.cross(cx, input, frame.bytes(), (slot, record));
        } else {
            self.send_cells(cx, bridge, slot, (to, record));
        }
    }

    /// Frees a slot whose frame the input no longer needs and, unless other copies of the frame still need it, the frame's
    /// buffer space.
    #[inline]
    pub(in crate::network) fn free_input(&mut self, cx: &mut Context, bridge: BridgeNo, number: SlotNo) {
        let cioq = &mut self.buffers;
        let slot = cioq.slots[bridge][number];
        let others = slots::part(&mut cioq.slots[bridge], &mut cioq.voqs, number);
        slots::release(&mut cioq.slots[bridge], &mut cioq.voqs, number);
        cioq.slots[bridge].give_back(number);
        if others == Others::Left {
            return;
        }
        let Slot { frame, owned, units, .. } = slot;
        let input = cx.routes.input_of(frame);
        let edge = &mut self.buffers.inputs[input];
        edge.used[frame.class() as usize] -= units;
        if let Some(array) = &mut edge.culprits {
            array.release(owned);
        }
        let queue = self.core.input_queue(input, frame.class());
        self.core.queues[queue].release(frame.bytes(), cx.now);
        if let Some(account) = self.core.account_of(cx, frame) {
            let occupied = u64::from(units) * self.buffers.rules.unit;
            self.release_input(cx, account, occupied);
        }
    }

    /// Counters of the culprit searches of an input buffer.
    pub(in super::super) fn culprit_counters(&self, queue: QueueNo) -> CulpritCounters {
        let (side, port, class) = self.core.place_of(queue);
        if side == Side::Output {
            return CulpritCounters::default();
        }
        self.buffers.inputs[port].culprits.as_ref().map(|array| array.counters_of(class)).unwrap_or_default()
    }

    /// Records that the rate of the port that feeds an input has changed.
    pub(in crate::network) fn set_feeding_rate(&mut self, input: PortNo, rate: Rate) {
        self.buffers.inputs[input].feeding_rate = rate;
    }

    /// Starts clocked sampling of classes that an input has paused.
    pub(in super::super) fn start_keep_alive(&mut self, cx: &mut Context, input: PortNo, classes: u8) {
        if self.buffers.rules.keep_alive.is_some() {
            cx.classes.in_set(classes).for_each(|class| self.wind_clock(cx, input, class));
        }
    }

    fn wind_clock(&mut self, cx: &mut Context, input: PortNo, class: u8) {
        let Some(period) = self.buffers.rules.keep_alive else { return };
        let next = cx.now + self.buffers.inputs[input].feeding_rate.time_to_send(period);
        self.buffers.inputs[input].clock[class as usize] = next;
        cx.events.push(next, Event::KeepAlive(input));
    }

    /// Takes the clocked samples that are due at an input. There may be none: if a pause has ended in the
    /// meantime, the next pause has its own clock.
    pub(in crate::network) fn keep_alive(&mut self, cx: &mut Context, input: PortNo) {
        let now = cx.now;
        for class in cx.classes.in_set(self.core.inputs[input].asked()) {
            if self.buffers.inputs[input].clock[class as usize] == now {
                self.sample_by_clock(cx, input, class);
                self.wind_clock(cx, input, class);
            }
        }
    }

    fn sample_by_clock(&mut self, cx: &mut Context, input: PortNo, class: u8) {
        let index = self.core.input_queue(input, class);
        let (queue, mut issued) = (&mut self.core.queues[index], Issued::new());
        let arrival = Arrival { now: cx.now, ..Arrival::of(Bytes::ZERO, Bytes::new(queue.length)) };
        queue.congestion_point.on_clock(&arrival, &mut queue.entropy, &mut issued);
        // If there is no culprit, all frames that were sampled have since left the buffer.
        if !issued.is_empty()
            && let Some(culprit) = self.buffers.culprit(input, class)
        {
            issued.iter_mut().for_each(|(to, _)| *to = culprit);
            self.notify(cx, index, None, issued);
        }
    }
}

impl Cioq {
    /// The flow that the congestion point of an input notifies in place of the sampled frame's flow.
    pub(super) fn culprit(&mut self, input: PortNo, class: u8) -> Option<FlowKey> {
        let edge = &mut self.inputs[input];
        self.rules.marking.culprit(edge.culprits.as_mut()?, class, &mut edge.entropy)
    }

    /// Makes a slot represent the buffer space of its frame.
    #[inline]
    fn hold(&mut self, input: PortNo, slot: SlotNo) {
        slots::hold(&mut self.slots[self.bridge_of[input]], &mut self.voqs, slot);
    }

    /// Links the slots of copies of one frame.
    fn join(&mut self, input: PortNo, copies: &[SlotNo]) {
        slots::join(&mut self.slots[self.bridge_of[input]], &mut self.voqs, copies.iter().copied());
    }
}
