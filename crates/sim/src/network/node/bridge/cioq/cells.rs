//! Leaves and spines: frames cross in cells, over all links of their leaf.
//!
//! A leaf splits a frame into cells and sprays them over its links. A spine has a small buffer at each input,
//! and the leaf sends only as many cells as fit: the spine reports freed buffer space, and the report reaches
//! the leaf after the link delay. At a spine, a cell moves into its output's buffer if there is space.
//! Otherwise it waits at its input, and cells for other outputs overtake it (spines have virtual output
//! queues too). Outputs take waiting cells in order of arrival. The far leaf has reserved space for every
//! cell, so a cell's arrival time there is known as soon as it enters its spine's output buffer. Arrivals at
//! leaves therefore need no event, except the one that completes a frame.

use setpoint_units::Time;

use super::super::set::BridgeSet;
use super::Cioq;
use super::interior::{AtLeaf, AtSpine, Interior};
use crate::events::Event;
use crate::index::{BridgeNo, Number, PortNo, RecordNo, SlotNo};
use crate::network::node::bridge_message::{Arriving, Cell, CellUpdate};
use crate::network::node::context::Context;
use crate::network::node::remote::RemoteMessage;
use crate::spec::Delivery;

impl BridgeSet<Cioq> {
    /// The leaves and spines. Must only be called in a network that has them.
    #[inline]
    fn interior(&mut self) -> &mut Interior {
        self.buffers.interior.as_mut().expect("cells exist only in networks with spines")
    }

    /// Splits the frame in a leaf's slot into cells and sprays them towards the leaf that has a record of the frame.
    #[inline]
    pub(super) fn send_cells(
        &mut self,
        cx: &mut Context,
        leaf: BridgeNo,
        slot: SlotNo,
        (to, record): (BridgeNo, RecordNo),
    ) {
        let cells = self.interior().cells;
        let (payload, header) = (cells.payload.get() as u16, cells.header.get() as u16);
        let cioq = &mut self.buffers;
        let entry = &mut cioq.slots[leaf][slot];
        let frame = entry.frame;
        let count = frame.bytes().div_ceil(payload);
        entry.to_leave = count;
        cioq.counters.cells += u64::from(count);
        if cioq.is_here(to) {
            self.announced(to, record, frame, (slot, count));
        } else {
            let announcement = RemoteMessage::Announcement { to, record, frame, slot, cells: count };
            cx.dispatch(cx.part_of[to.place()], announcement);
        }
        let mut left = frame.bytes();
        for _ in 0..count {
            let part = left.min(payload);
            left -= part;
            let interior = self.interior();
            let link = interior.next_link(leaf);
            let cell = Cell { record, leaf: interior.rank_of(to), bytes: part + header };
            self.send_cell(cx, (leaf, link), AtLeaf { cell, slot });
        }
    }

    /// Sends a cell from a leaf as soon as the spine has space for it.
    #[inline]
    fn send_cell(&mut self, cx: &mut Context, (leaf, port): (BridgeNo, PortNo), at_leaf: AtLeaf) {
        let now = cx.now;
        let interior = self.interior();
        let room = interior.cells.spine_input;
        let link = &mut interior.uplinks[port];
        link.collect_returns(now);
        if link.waiting.is_empty() && link.ahead < room {
            link.ahead += 1;
            self.launch(cx, (leaf, port), at_leaf);
        } else {
            link.waiting.push_back(at_leaf);
            self.buffers.counters.waited_at_leaves += 1;
            self.arm_leaf(cx, port);
        }
    }

    /// Puts a cell on its link. After its last cell has been sent, a frame leaves its input when all its cells have reached
    /// their spines.
    #[inline]
    fn launch(&mut self, cx: &mut Context, (leaf, port): (BridgeNo, PortNo), AtLeaf { cell, slot }: AtLeaf) {
        let (_, at) = self.core.ports[port].send_cell(cell.bytes, cx.now);
        let far = self.interior().far_end[port];
        let spine = self.buffers.bridge_of[far];
        self.send_update(cx, spine, CellUpdate::Coming { port: far, arriving: Arriving { at, cell } });
        let cioq = &mut self.buffers;
        let entry = &mut cioq.slots[leaf][slot];
        entry.to_leave -= 1;
        entry.latest = entry.latest.max(at);
        if entry.to_leave == 0 && cioq.rules.delivery == Delivery::Plain {
            cx.events.push(entry.latest, Event::Left(leaf, slot));
        }
    }

    /// Records that a cell is in flight to a port of a spine.
    #[inline]
    pub(super) fn launch_cell(&mut self, cx: &mut Context, port: PortNo, arriving: Arriving) {
        let input = &mut self.interior().spine_inputs[port];
        if input.arriving.is_empty() {
            cx.events.push(arriving.at, Event::CellArrives(port));
        }
        input.arriving.push_back(arriving);
    }

    /// Schedules the next attempt of a leaf's port for the time at which freed space at the spine can be used.
    #[inline]
    fn arm_leaf(&mut self, cx: &mut Context, port: PortNo) {
        let link = &mut self.interior().uplinks[port];
        if !link.waiting.is_empty()
            && !link.armed
            && let Some(&at) = link.returns.front()
        {
            link.armed = true;
            cx.events.push(at.max(cx.now), Event::CellRoom(port));
        }
    }

    /// Continues sending the cells waiting for buffer space at the far end of a link.
    pub(in crate::network) fn cell_room(&mut self, cx: &mut Context, port: PortNo) {
        if self.interior().uplinks[port].armed {
            self.room_at_spine_input(cx, port);
        } else {
            self.room_at_spine_output(cx, port);
        }
    }

    fn room_at_spine_input(&mut self, cx: &mut Context, port: PortNo) {
        let now = cx.now;
        let leaf = self.buffers.bridge_of[port];
        let interior = self.interior();
        let room = interior.cells.spine_input;
        interior.uplinks[port].armed = false;
        interior.uplinks[port].collect_returns(now);
        while let link = &mut self.interior().uplinks[port]
            && link.ahead < room
            && let Some(at_leaf) = link.waiting.pop_front()
        {
            link.ahead += 1;
            self.launch(cx, (leaf, port), at_leaf);
        }
        self.arm_leaf(cx, port);
    }

    /// Handles the arrival of the first cell in flight to a port of a spine.
    #[inline]
    pub(in crate::network) fn cell_arrives(&mut self, cx: &mut Context, from: PortNo) {
        let now = cx.now;
        let spine = self.buffers.bridge_of[from];
        let interior = self.interior();
        let arriving = &mut interior.spine_inputs[from].arriving;
        let Some(Arriving { cell, .. }) = arriving.pop_front() else { return };
        if let Some(next) = arriving.front() {
            cx.events.push(next.at, Event::CellArrives(from));
        }
        let port = interior.down(spine, &cell);
        let room = interior.cells.spine_output as usize;
        let link = &mut interior.downlinks[port];
        link.collect_starts(now);
        if link.waiting.is_empty() && link.starts.len() < room {
            self.send_on(cx, port, AtSpine { cell, from });
        } else {
            link.waiting.push_back(AtSpine { cell, from });
            self.buffers.counters.waited_at_spines += 1;
            self.arm_spine(cx, port);
        }
    }

    /// Moves a cell from a spine's input to its output buffer, from which it is sent without further
    /// conditions.
    #[inline]
    fn send_on(&mut self, cx: &mut Context, port: PortNo, AtSpine { cell, from }: AtSpine) {
        let now = cx.now;
        let (start, at) = self.core.ports[port].send_cell(cell.bytes, now);
        let interior = self.interior();
        let usable = now + interior.spine_inputs[from].delay;
        let (leaf_port, leaf, record) = (interior.far_end[from], interior.leaf_of(&cell), cell.record);
        if start > now {
            interior.downlinks[port].starts.push_back(start);
        }
        let from = self.buffers.bridge_of[leaf_port];
        self.send_update(cx, from, CellUpdate::Room { port: leaf_port, usable });
        self.send_update(cx, leaf, CellUpdate::Expected { leaf, record, at });
    }

    /// Records at a leaf when it can use freed buffer space at a spine.
    #[inline]
    pub(super) fn return_room(&mut self, cx: &mut Context, port: PortNo, usable: Time) {
        self.interior().uplinks[port].returns.push_back(usable);
        self.arm_leaf(cx, port);
    }

    /// Records at a leaf when a cell will have arrived.
    #[inline]
    pub(super) fn expect_cell(&mut self, cx: &mut Context, leaf: BridgeNo, number: RecordNo, at: Time) {
        let record = &mut self.buffers.records[leaf][number];
        record.to_arrive -= 1;
        record.latest = record.latest.max(at);
        if record.to_arrive == 0 {
            cx.events.push(record.latest, Event::Complete(leaf, number));
        }
    }

    fn arm_spine(&mut self, cx: &mut Context, port: PortNo) {
        let link = &mut self.interior().downlinks[port];
        if !link.waiting.is_empty()
            && !link.armed
            && let Some(&at) = link.starts.front()
        {
            link.armed = true;
            cx.events.push(at, Event::CellRoom(port));
        }
    }

    fn room_at_spine_output(&mut self, cx: &mut Context, port: PortNo) {
        let now = cx.now;
        let interior = self.interior();
        let room = interior.cells.spine_output as usize;
        interior.downlinks[port].armed = false;
        interior.downlinks[port].collect_starts(now);
        while let link = &mut self.interior().downlinks[port]
            && link.starts.len() < room
            && let Some(at_spine) = link.waiting.pop_front()
        {
            self.send_on(cx, port, at_spine);
        }
        self.arm_spine(cx, port);
    }
}
