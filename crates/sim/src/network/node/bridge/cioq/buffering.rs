//! The operations of bridges with input buffers.

use setpoint_control::FlowKey;

use super::super::input::Account;
use super::super::set::{BridgeSet, Buffering, Copied};
use super::Cioq;
use crate::events::Event;
use crate::frame::{Frame, FrameKind};
use crate::ids::PortId;
use crate::index::{PortNo, QueueNo};
use crate::network::node::context::Context;
use crate::spec::Side;

impl Buffering for BridgeSet<Cioq> {
    const COMMITS: bool = false;

    #[inline]
    fn enter<const EXTRAS: bool>(&mut self, cx: &mut Context, frame: Frame) {
        self.enter_input(cx, frame);
    }

    fn enter_copies(&mut self, cx: &mut Context, copies: &[Frame]) -> Copied {
        if self.enter_once(cx, copies) { Copied::Once } else { Copied::Dropped }
    }

    fn enqueue_reply(&mut self, _: &mut Context, _: PortNo, _: Frame) {
        unreachable!("only output-queued bridges forward replies")
    }

    #[inline]
    fn left(&mut self, cx: &mut Context, output: PortNo, queue: QueueNo, frame: Frame) {
        match frame.kind() {
            FrameKind::Data => self.left_output(cx, output, queue),
            _ => self.give_room_back(cx, output, queue, frame.bytes()),
        }
    }

    fn take_room(&mut self, queue: QueueNo, bytes: u16) -> bool {
        self.buffers.take_room(queue, bytes)
    }

    /// Between two leaves, a notification crosses the fabric like a notification issued inside the fabric.
    fn pass_notification(&mut self, cx: &mut Context, frame: Frame) {
        let (input, output) = (cx.routes.input_of(frame), cx.routes.output_of(frame));
        if self.buffers.is_across(input, output) {
            self.notify_across(cx, output, frame);
        } else {
            self.send_notification(cx, frame);
        }
    }

    fn send_issued(&mut self, cx: &mut Context, (side, port): (Side, PortNo), notification: Frame) {
        match side {
            Side::Output => self.notify_across(cx, port, notification),
            Side::Input => self.send_notification(cx, notification),
        }
    }

    fn culprit(&mut self, input: PortNo, class: u8) -> Option<FlowKey> {
        self.buffers.culprit(input, class)
    }

    fn paused(&mut self, cx: &mut Context, input: PortNo, classes: u8) {
        self.start_keep_alive(cx, input, classes);
    }

    fn pause_if_needed(&mut self, cx: &mut Context, input: PortNo, counter: usize) {
        self.hold_input(cx, Account { input, counter }, 0);
    }

    fn waiting_of(&self, cx: &Context, input: PortNo, counter: usize) -> Vec<(PortId, u64)> {
        self.held_for(cx, input, self.core.pause_rules.classes_of(counter))
    }

    fn adds_up(&self, cx: &Context) -> Result<(), &'static str> {
        self.core.queues_add_up()?;
        if !self.inside_adds_up(cx) {
            return Err("the frames inside bridges do not match their buffers' counters");
        }
        self.core.inputs_add_up(&self.held_at_inputs(cx))
    }

    #[inline]
    fn inside(&mut self, cx: &mut Context, event: Event) {
        match event {
            Event::Control(bridge) => self.control(cx, bridge),
            Event::Crossed(input) => self.crossed(cx, input),
            Event::CellArrives(port) => self.cell_arrives(cx, port),
            Event::CellRoom(port) => self.cell_room(cx, port),
            Event::Left(bridge, slot) => self.free_input(cx, bridge, slot),
            Event::Complete(bridge, record) => self.complete(cx, bridge, record),
            Event::KeepAlive(input) => self.keep_alive(cx, input),
            _ => unreachable!("not an event inside bridges: {event:?}"),
        }
    }

    #[inline]
    fn look_at_entry(&self, cx: &Context, frame: Frame, depth: u32) {
        self.look_at_input(cx, frame, depth);
    }

    #[inline]
    fn look_at_departure(&self, port: PortNo, queue: QueueNo, depth: u32) {
        self.buffers.look_at_stored(port, queue, depth);
    }

    #[inline]
    fn look_inside(&self, cx: &Context, event: Event, depth: u32) {
        match event {
            Event::CellArrives(port) => self.look_at_cell(port, depth),
            Event::Control(bridge) => self.look_at_inbox(cx, bridge, depth),
            Event::Left(bridge, slot) => self.look_at_slot(cx, bridge, slot, depth),
            Event::Complete(bridge, record) => self.look_at_record(cx, bridge, record, depth),
            _ => (),
        }
    }
}
