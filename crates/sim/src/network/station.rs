//! An end station: it gives its port to one lane after another.
//!
//! Lanes that may send now wait in a ring per class; the highest class goes first, and within it lanes
//! take turns by bytes in proportion to their weight (deficit round robin). Lanes whose pace or traffic
//! allows a frame only later wait in a heap by time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use setpoint_control::Backlog;
use setpoint_units::Time;

use super::Network;
use super::lane::{Lane, LaneState};
use super::port::highest;
use crate::events::Event;
use crate::frame::Frame;
use crate::ring::Ring;
use crate::traffic::source::Supply;

#[derive(Clone, Debug)]
pub(super) struct Station {
    pub(super) port: u32,
    ready: Vec<Ring<u32>>,
    ready_classes: u8,
    pending: BinaryHeap<Reverse<(Time, u32)>>,
    /// When its next [`Event::Send`] is due; any other one that fires is out of date.
    armed: Time,
    /// Bytes a lane of weight 1 may send per turn.
    pub(super) quantum: u64,
    /// The lanes that have a rate limiter.
    pub(super) limited: Vec<u32>,
}

impl Station {
    pub(super) fn new(port: u32, classes: usize) -> Self {
        Self {
            port,
            ready: vec![Ring::default(); classes],
            ready_classes: 0,
            pending: BinaryHeap::new(),
            armed: Time::MAX,
            quantum: 1,
            limited: Vec::new(),
        }
    }

    #[inline]
    fn make_ready(&mut self, lane: u32, entry: &mut Lane) {
        entry.state = LaneState::Ready;
        if !entry.queued {
            entry.queued = true;
            self.ready[entry.class as usize].push_back(lane);
            self.ready_classes |= 1 << entry.class;
        }
    }
}

/// What a lane could send next.
enum Next {
    Frame { flow: u32, bytes: u16 },
    Later(Time),
    Nothing,
}

impl Network {
    /// The station's port is free and something may be due.
    #[inline]
    pub(super) fn send(&mut self, index: u32) {
        let station = &mut self.stations[index as usize];
        if station.armed != self.now {
            return;
        }
        station.armed = Time::MAX;
        self.promote(index);
        if let Some(lane) = self.next_lane(index) {
            self.send_from(index, lane);
        }
        self.kick(index);
    }

    /// Makes sure that the station looks again when it next has something to do.
    #[inline]
    pub(super) fn kick(&mut self, index: u32) {
        let station = &mut self.stations[index as usize];
        let port = &self.ports[station.port as usize];
        let due = if station.ready_classes & !port.paused != 0 {
            self.now
        } else {
            match station.pending.peek() {
                Some(&Reverse((due, _))) => due,
                None => return,
            }
        };
        let due = due.max(port.free_at).max(self.now);
        if due < station.armed {
            station.armed = due;
            self.events.push(due, Event::Send(index));
        }
    }

    /// Looks anew at what a lane has to send, after its traffic, pace or membership has changed.
    pub(super) fn reconsider(&mut self, lane: u32) {
        let next = self.next_of(lane);
        self.place(lane, next);
        self.kick(self.lanes[lane as usize].station);
    }

    /// Lanes whose time has come become ready.
    #[inline]
    fn promote(&mut self, index: u32) {
        let station = &mut self.stations[index as usize];
        while let Some(&Reverse((due, lane))) = station.pending.peek() {
            let entry = &mut self.lanes[lane as usize];
            let valid = entry.state == LaneState::Pending && entry.due == due;
            if valid && due > self.now {
                break;
            }
            station.pending.pop();
            if valid {
                station.make_ready(lane, entry);
            }
        }
    }

    /// The lane whose turn it is, taken out of its ring.
    #[inline]
    fn next_lane(&mut self, index: u32) -> Option<u32> {
        loop {
            let station = &mut self.stations[index as usize];
            let port = &self.ports[station.port as usize];
            let class = highest(station.ready_classes & !port.paused)?;
            let ring = &mut station.ready[class as usize];
            let lane = ring.pop_front().expect("a ready class has a lane");
            let alone = ring.is_empty();
            if alone {
                station.ready_classes &= !(1 << class);
            }
            let entry = &mut self.lanes[lane as usize];
            entry.queued = false;
            if entry.state != LaneState::Ready {
                continue;
            }
            if alone || self.has_credit(index, lane) {
                return Some(lane);
            }
            self.stations[index as usize].make_ready(lane, &mut self.lanes[lane as usize]);
        }
    }

    /// Whether a lane may send in this turn; if not, it gets credit for its next.
    fn has_credit(&mut self, station: u32, lane: u32) -> bool {
        let Next::Frame { flow, bytes } = self.next_of(lane) else { return true };
        let entry = &mut self.lanes[lane as usize];
        if entry.credit >= u64::from(bytes) {
            return true;
        }
        let weight = u64::from(self.flows[flow as usize].weight);
        entry.credit += weight * self.stations[station as usize].quantum;
        false
    }

    /// Sends one frame of a lane and puts the lane where it belongs next.
    #[inline]
    fn send_from(&mut self, index: u32, lane: u32) {
        let next = self.next_of(lane);
        let Next::Frame { flow: flow_index, bytes } = next else {
            self.place(lane, next);
            return;
        };
        let flow = &mut self.flows[flow_index as usize];
        flow.source.take(bytes);
        flow.books.sent_frames += 1;
        flow.books.sent += u64::from(bytes);
        let frame = Frame::data(flow_index, flow.second_step, bytes, flow.class, self.now);
        self.transmit(self.stations[index as usize].port, frame);
        let entry = &mut self.lanes[lane as usize];
        entry.credit = entry.credit.saturating_sub(u64::from(bytes));
        if entry.members.len() > 1 {
            entry.turn = (entry.turn + 1) % entry.members.len();
        }
        if entry.limiter.is_some() {
            self.count_sent(lane, flow_index, bytes);
        }
        let charged = u64::from(bytes) + self.rules.overhead.get();
        self.lanes[lane as usize].charge(charged, self.now);
        let next = self.next_of(lane);
        let backlog = if matches!(next, Next::Frame { .. }) { Backlog::Waiting } else { Backlog::Empty };
        self.release_if_idle(lane, backlog);
        self.place(lane, next);
    }

    /// Puts a lane among the ready, the pending or the idle.
    #[inline]
    fn place(&mut self, lane: u32, next: Next) {
        let entry = &mut self.lanes[lane as usize];
        let due = match next {
            Next::Frame { .. } => entry.eligible,
            Next::Later(at) => entry.eligible.max(at),
            Next::Nothing => {
                entry.state = LaneState::Idle;
                entry.credit = 0;
                return;
            }
        };
        if due > self.now {
            entry.state = LaneState::Pending;
            entry.due = due;
            entry.credit = 0;
            let station = &mut self.stations[entry.station as usize];
            station.pending.push(Reverse((due, lane)));
        } else {
            self.stations[entry.station as usize].make_ready(lane, entry);
        }
    }

    /// What a lane has to send: the flow whose turn it is, or the first after it with a frame.
    #[inline]
    fn next_of(&mut self, lane: u32) -> Next {
        let entry = &mut self.lanes[lane as usize];
        let mut later: Option<Time> = None;
        let count = entry.members.len();
        for offset in 0..count {
            let turn = if count == 1 { 0 } else { (entry.turn + offset) % count };
            let flow = entry.members[turn];
            match self.flows[flow as usize].source.supply(self.now) {
                Supply::Frame(bytes) => {
                    entry.turn = turn;
                    return Next::Frame { flow, bytes };
                }
                Supply::NotBefore(at) => later = Some(later.map_or(at, |earlier| earlier.min(at))),
                Supply::None => {}
            }
        }
        later.map_or(Next::Nothing, Next::Later)
    }
}
