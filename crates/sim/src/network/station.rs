//! An end station, whose lanes take turns at its port.
//!
//! Lanes of one class share the port by bytes in proportion to their weights (deficit round robin);
//! [`Schedule`] decides which lane is next.

use setpoint_control::{Backlog, Update};
use setpoint_units::Time;

use super::Network;
use super::lane::LaneState;
use super::schedule::{Schedule, Turn};
use crate::events::Event;
use crate::frame::Frame;
use crate::traffic::source::Supply;

/// Aligned to take one cache line, not two.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct Station {
    pub(super) port: u32,
    pub(super) schedule: Schedule,
    /// When its valid [`Event::Send`] is due; any other that fires is outdated.
    armed: Time,
    /// Bytes a lane of weight 1 may send per turn.
    pub(super) quantum: u64,
    /// Lanes with a rate limiter.
    pub(super) limited: Vec<u32>,
}

impl Station {
    pub(super) fn new(port: u32, schedule: Schedule) -> Self {
        Self { port, schedule, armed: Time::MAX, quantum: 1, limited: Vec::new() }
    }
}

/// What a lane can send next.
#[derive(Clone, Copy)]
enum Next {
    Frame { flow: u32, bytes: u16 },
    Later(Time),
    Nothing,
}

impl Network {
    /// Sends if the station's port is free and a frame is due.
    #[inline]
    pub(super) fn send(&mut self, index: u32) {
        let station = &mut self.stations[index as usize];
        if station.armed != self.now {
            return;
        }
        station.armed = Time::MAX;
        if let Some(lane) = self.next_lane(index) {
            self.send_from(index, lane);
        }
        self.kick(index);
    }

    /// Schedules the station's next activity.
    #[inline]
    pub(super) fn kick(&mut self, index: u32) {
        let station = &mut self.stations[index as usize];
        let port = &self.ports[station.port as usize];
        let Some(due) = station.schedule.due(&self.lanes, port.paused, self.now) else { return };
        let due = due.max(port.free_at).max(self.now);
        if due < station.armed {
            station.armed = due;
            self.events.push(due, Event::Send(index));
        }
    }

    /// Re-evaluates a lane after its traffic, pace or members changed.
    pub(super) fn reconsider(&mut self, lane: u32) {
        let next = self.next_of(lane);
        self.place(lane, next);
        self.kick(self.lanes[lane as usize].station);
    }

    /// The next lane that has credit for a frame.
    #[inline]
    fn next_lane(&mut self, index: u32) -> Option<u32> {
        loop {
            let station = &mut self.stations[index as usize];
            let paused = self.ports[station.port as usize].paused;
            match station.schedule.next(&mut self.lanes, paused, self.now)? {
                Turn::Alone(lane) => return Some(lane),
                Turn::Contended(lane) if self.has_credit(index, lane) => return Some(lane),
                Turn::Contended(lane) => {
                    let entry = &mut self.lanes[lane as usize];
                    self.stations[index as usize].schedule.end_turn(lane, entry);
                }
            }
        }
    }

    /// Whether a lane may send in this turn; if not, gives it credit for its next turn.
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

    /// Sends one frame of a lane and reschedules the lane.
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
        let mut frame = Frame::data(flow_index, flow.second_step, bytes, flow.class, self.now);
        if self.rules.tags
            && let Some(point) = self.lanes[lane as usize].tag()
        {
            frame = frame.tagged(point);
        }
        self.transmit(self.stations[index as usize].port, frame, self.now);
        let entry = &mut self.lanes[lane as usize];
        entry.credit = entry.credit.saturating_sub(u64::from(bytes));
        if entry.sole().is_none() {
            entry.turn = (entry.turn + 1) % entry.members().len();
        }
        let update = self.count_sent(lane, flow_index, bytes);
        let charged = u64::from(bytes) + self.rules.overhead.get();
        self.lanes[lane as usize].charge(charged, self.now);
        let next = self.next_of(lane);
        let backlog = if matches!(next, Next::Frame { .. }) { Backlog::Waiting } else { Backlog::Empty };
        if update == Update::Changed || backlog == Backlog::Empty {
            self.release_if_idle(lane, backlog);
        }
        self.place(lane, next);
    }

    /// Makes a lane ready, pending or idle.
    #[inline]
    fn place(&mut self, lane: u32, next: Next) {
        let entry = &mut self.lanes[lane as usize];
        let (due, bytes) = match next {
            Next::Frame { bytes, .. } => (entry.pace.eligible(), bytes),
            Next::Later(at) => (entry.pace.eligible().max(at), 0),
            Next::Nothing => {
                entry.state = LaneState::Idle;
                entry.credit = 0;
                return;
            }
        };
        let schedule = &mut self.stations[entry.station as usize].schedule;
        if due > self.now {
            schedule.make_pending(lane, entry, due);
        } else {
            schedule.make_ready(lane, entry, bytes, self.now);
        }
    }

    /// The next frame that a lane can send: from the first flow with a frame, starting with the flow whose turn
    /// it is.
    #[inline(always)]
    fn next_of(&mut self, lane: u32) -> Next {
        if let Some(flow) = self.lanes[lane as usize].sole() {
            return match self.flows[flow as usize].source.supply(self.now) {
                Supply::Frame(bytes) => Next::Frame { flow, bytes },
                Supply::NotBefore(at) => Next::Later(at),
                Supply::None => Next::Nothing,
            };
        }
        self.next_of_several(lane)
    }

    fn next_of_several(&mut self, lane: u32) -> Next {
        let entry = &mut self.lanes[lane as usize];
        let mut later: Option<Time> = None;
        let count = entry.members().len();
        for offset in 0..count {
            let turn = (entry.turn + offset) % count;
            let flow = entry.members()[turn];
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
