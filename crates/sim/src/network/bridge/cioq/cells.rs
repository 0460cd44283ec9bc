//! Leaves and spines: frames cross in cells, over all links of their leaf.
//!
//! A leaf splits a frame into cells and sprays them over its links. A spine has a small buffer at each input,
//! and the leaf sends only as many cells as fit: the spine reports freed room, and the report
//! reaches the leaf after the link delay. At a spine, a cell moves into its output's buffer if
//! there is room. Otherwise it waits at its input, and cells for other outputs overtake it
//! (spines have virtual output queues too). Outputs take waiting cells in order of arrival. The
//! far leaf has room for every cell, so a cell's arrival time there is known as soon as it enters
//! its spine's output buffer. Arrivals at leaves therefore need no event, except the one that
//! completes a frame.

use super::super::super::context::Context;
use super::super::Bridges;
use super::interior::{Interior, NOWHERE, Waiting};
use crate::events::Event;
use crate::frame::Frame;
use crate::index::{PortNo, SlotNo};

impl Bridges {
    /// The leaves and spines. Must only be called in a network that has them.
    #[inline]
    fn interior(&mut self) -> &mut Interior {
        self.cioq().interior.as_mut().expect("cells exist only in networks with spines")
    }

    /// Splits a frame into cells and sprays them.
    #[inline]
    pub(super) fn send_cells(&mut self, cx: &mut Context, slot: SlotNo, input: PortNo) {
        let cells = self.interior().cells;
        let (payload, header) = (cells.payload.get() as u16, cells.header.get() as u16);
        let entry = &mut self.cioq().slots[slot];
        let mut left = entry.frame.bytes;
        let count = left.div_ceil(payload);
        (entry.to_leave, entry.to_arrive) = (count, count);
        let leaf = self.interior().leaf_of[input];
        for _ in 0..count {
            let part = left.min(payload);
            left -= part;
            let link = self.interior().next_link(leaf);
            self.send_cell(cx, link, Frame::cell(slot, part + header));
        }
        self.cioq().counters.cells += u64::from(count);
    }

    /// Sends a cell from a leaf as soon as the spine has room for it.
    #[inline]
    fn send_cell(&mut self, cx: &mut Context, port: PortNo, cell: Frame) {
        let now = cx.now;
        let interior = self.interior();
        let room = interior.cells.spine_input;
        let link = &mut interior.links[port];
        link.collect_returns(now);
        if link.waiting.is_empty() && link.ahead < room {
            link.ahead += 1;
            self.launch(cx, port, cell);
        } else {
            link.waiting.push_back(Waiting { cell, from: port });
            self.cioq().counters.waited_at_leaves += 1;
            self.arm_leaf(cx, port);
        }
    }

    #[inline]
    fn launch(&mut self, cx: &mut Context, port: PortNo, cell: Frame) {
        let port = &mut self.ports[port];
        let start = port.free_at.max(cx.now);
        port.transmit(cx, cell, start);
    }

    /// Schedules the next attempt of a leaf's port for when room at the spine can be used.
    #[inline]
    fn arm_leaf(&mut self, cx: &mut Context, port: PortNo) {
        let link = &mut self.interior().links[port];
        if !link.waiting.is_empty()
            && !link.armed
            && let Some(&at) = link.returns.front()
        {
            link.armed = true;
            cx.events.push(at.max(cx.now), Event::CellRoom(port));
        }
    }

    /// Continues sending cells that wait for room at a link.
    pub(in super::super::super) fn cell_room(&mut self, cx: &mut Context, port: PortNo) {
        self.interior().links[port].armed = false;
        if self.interior().spine_of[port] == NOWHERE {
            self.room_at_spine_output(cx, port);
        } else {
            self.room_at_spine_input(cx, port);
        }
    }

    fn room_at_spine_input(&mut self, cx: &mut Context, port: PortNo) {
        let now = cx.now;
        let interior = self.interior();
        let room = interior.cells.spine_input;
        interior.links[port].collect_returns(now);
        while let link = &mut self.interior().links[port]
            && link.ahead < room
            && let Some(Waiting { cell, .. }) = link.waiting.pop_front()
        {
            link.ahead += 1;
            self.launch(cx, port, cell);
        }
        self.arm_leaf(cx, port);
    }

    /// Handles the arrival of a cell at a spine.
    #[inline]
    pub(in super::super) fn cell_at_spine(&mut self, cx: &mut Context, port: PortNo, cell: Frame) {
        let from = self.interior().far_end[port];
        let slot = cell.slot();
        let entry = &mut self.cioq().slots[slot];
        entry.to_leave -= 1;
        let (frame, left) = (entry.frame, entry.to_leave == 0);
        let (output, now) = (cx.routes.output_of(&frame), cx.now);
        let interior = self.interior();
        let spine = interior.spine_of[from] as usize;
        let port = interior.down[spine * interior.leaves.len() + interior.leaf_of[output] as usize];
        let room = interior.cells.spine_output as usize;
        let link = &mut interior.links[port];
        link.collect_starts(now);
        if link.waiting.is_empty() && link.starts.len() < room {
            self.send_on(cx, port, Waiting { cell, from });
        } else {
            link.waiting.push_back(Waiting { cell, from });
            self.cioq().counters.waited_at_spines += 1;
            self.arm_spine(cx, port);
        }
        if left {
            self.left_input(cx, slot);
        }
    }

    /// Moves a cell from a spine's input to its output buffer, from which it is sent without further
    /// conditions.
    #[inline]
    fn send_on(&mut self, cx: &mut Context, port: PortNo, Waiting { cell, from }: Waiting) {
        let now = cx.now;
        let (start, at) = self.ports[port].pass(cell.bytes, now);
        let usable = now + self.ports[from].delay();
        let interior = self.interior();
        if start > now {
            interior.links[port].starts.push_back(start);
        }
        interior.links[from].returns.push_back(usable);
        self.arm_leaf(cx, from);
        let entry = &mut self.cioq().slots[cell.slot()];
        entry.to_arrive -= 1;
        entry.latest = entry.latest.max(at);
        let (complete, latest) = (entry.to_arrive == 0, entry.latest);
        if complete {
            cx.events.push(latest, Event::Complete(cell.slot()));
        }
    }

    fn arm_spine(&mut self, cx: &mut Context, port: PortNo) {
        let link = &mut self.interior().links[port];
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
        interior.links[port].collect_starts(now);
        while let link = &mut self.interior().links[port]
            && link.starts.len() < room
            && let Some(waiting) = link.waiting.pop_front()
        {
            self.send_on(cx, port, waiting);
        }
        self.arm_spine(cx, port);
    }
}
