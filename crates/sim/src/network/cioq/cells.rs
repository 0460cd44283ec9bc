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

use super::super::Network;
use super::interior::{Interior, NOWHERE, Waiting};
use crate::error::SimError;
use crate::events::{Event, MAX_COMPONENTS};
use crate::frame::Frame;

impl Network {
    /// The leaves and spines. Must only be called in a network that has them.
    #[inline]
    fn interior(&mut self) -> &mut Interior {
        self.cioq().interior.as_mut().expect("cells exist only in networks with spines")
    }

    /// Splits a frame into cells and sprays them.
    #[inline]
    pub(super) fn send_cells(&mut self, slot: u32, input: u32) {
        if slot as usize >= MAX_COMPONENTS {
            self.interrupted = true;
            self.violation = Some(SimError::TooCrowded { at: self.now, most: MAX_COMPONENTS });
            return;
        }
        let cells = self.interior().cells;
        let (payload, header) = (cells.payload.get() as u16, cells.header.get() as u16);
        let entry = &mut self.cioq().slots[slot];
        let mut left = entry.frame.bytes;
        let count = left.div_ceil(payload);
        (entry.to_leave, entry.to_arrive) = (count, count);
        let leaf = self.interior().leaf_of[input as usize];
        for _ in 0..count {
            let part = left.min(payload);
            left -= part;
            let link = self.interior().next_link(leaf);
            self.send_cell(link, Frame::cell(slot, part + header));
        }
        self.cioq().counters.cells += u64::from(count);
    }

    /// Sends a cell from a leaf as soon as the spine has room for it.
    #[inline]
    fn send_cell(&mut self, port: u32, cell: Frame) {
        let now = self.now;
        let interior = self.interior();
        let room = interior.cells.spine_input;
        let link = &mut interior.links[port as usize];
        link.collect_returns(now);
        if link.waiting.is_empty() && link.ahead < room {
            link.ahead += 1;
            self.launch(port, cell);
        } else {
            link.waiting.push_back(Waiting { cell, from: port });
            self.cioq().counters.waited_at_leaves += 1;
            self.arm_leaf(port);
        }
    }

    #[inline]
    fn launch(&mut self, port: u32, cell: Frame) {
        let start = self.ports[port as usize].free_at.max(self.now);
        self.transmit(port, cell, start);
    }

    /// Schedules the next attempt of a leaf's port for when room at the spine can be used.
    #[inline]
    fn arm_leaf(&mut self, port: u32) {
        let link = &mut self.interior().links[port as usize];
        if !link.waiting.is_empty()
            && !link.armed
            && let Some(&at) = link.returns.front()
        {
            link.armed = true;
            self.events.push(at.max(self.now), Event::CellRoom(port));
        }
    }

    /// Continues sending cells that wait for room at a link.
    pub(in super::super) fn cell_room(&mut self, port: u32) {
        self.interior().links[port as usize].armed = false;
        if self.interior().spine_of[port as usize] == NOWHERE {
            self.room_at_spine_output(port);
        } else {
            self.room_at_spine_input(port);
        }
    }

    fn room_at_spine_input(&mut self, port: u32) {
        let now = self.now;
        let interior = self.interior();
        let room = interior.cells.spine_input;
        interior.links[port as usize].collect_returns(now);
        while let link = &mut self.interior().links[port as usize]
            && link.ahead < room
            && let Some(Waiting { cell, .. }) = link.waiting.pop_front()
        {
            link.ahead += 1;
            self.launch(port, cell);
        }
        self.arm_leaf(port);
    }

    /// Handles the arrival of a cell at a spine.
    #[inline]
    pub(in super::super) fn cell_at_spine(&mut self, from: u32, cell: Frame) {
        let slot = cell.slot();
        let entry = &mut self.cioq().slots[slot];
        entry.to_leave -= 1;
        let (frame, left) = (entry.frame, entry.to_leave == 0);
        let (output, now) = (self.output_of(&frame), self.now);
        let interior = self.interior();
        let spine = interior.spine_of[from as usize] as usize;
        let port = interior.down[spine * interior.leaves.len() + interior.leaf_of[output as usize] as usize];
        let room = interior.cells.spine_output as usize;
        let link = &mut interior.links[port as usize];
        link.collect_starts(now);
        if link.waiting.is_empty() && link.starts.len() < room {
            self.send_on(port, Waiting { cell, from });
        } else {
            link.waiting.push_back(Waiting { cell, from });
            self.cioq().counters.waited_at_spines += 1;
            self.arm_spine(port);
        }
        if left {
            self.left_input(slot);
        }
    }

    /// Moves a cell from a spine's input to its output buffer, from which it is sent without further
    /// conditions.
    #[inline]
    fn send_on(&mut self, port: u32, Waiting { cell, from }: Waiting) {
        let now = self.now;
        let (start, at) = self.ports[port as usize].pass(cell.bytes, now);
        let usable = now + self.ports[from as usize].delay;
        let interior = self.interior();
        if start > now {
            interior.links[port as usize].starts.push_back(start);
        }
        interior.links[from as usize].returns.push_back(usable);
        self.arm_leaf(from);
        let entry = &mut self.cioq().slots[cell.slot()];
        entry.to_arrive -= 1;
        entry.latest = entry.latest.max(at);
        let (complete, latest) = (entry.to_arrive == 0, entry.latest);
        if complete {
            self.events.push(latest, Event::Complete(cell.slot()));
        }
    }

    fn arm_spine(&mut self, port: u32) {
        let link = &mut self.interior().links[port as usize];
        if !link.waiting.is_empty()
            && !link.armed
            && let Some(&at) = link.starts.front()
        {
            link.armed = true;
            self.events.push(at, Event::CellRoom(port));
        }
    }

    fn room_at_spine_output(&mut self, port: u32) {
        let now = self.now;
        let interior = self.interior();
        let room = interior.cells.spine_output as usize;
        interior.links[port as usize].collect_starts(now);
        while let link = &mut self.interior().links[port as usize]
            && link.starts.len() < room
            && let Some(waiting) = link.waiting.pop_front()
        {
            self.send_on(port, waiting);
        }
        self.arm_spine(port);
    }
}
