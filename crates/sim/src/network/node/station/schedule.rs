//! The order in which a station's lanes send.
//!
//! Lanes that may send now wait in a ring per class. The highest class goes first, unless classes have weights and take turns
//! ([`Turns`]); lanes within a class take turns too. Lanes whose pace or traffic allows a frame only later wait in a heap ordered by time. A
//! station with a single lane needs neither: the lane itself stores the time at which it is due.

use setpoint_units::{Bytes, Time};

use super::Lanes;
use super::lane::{Lane, LaneState};
use super::pending::Pending;
use crate::index::LaneNo;
use crate::network::node::port::highest;
use crate::network::node::turns::Turns;
use crate::ring::Ring;

#[derive(Clone, Debug)]
pub(super) enum Schedule {
    /// The station's only lane.
    Single(LaneNo),
    /// Several lanes, or none.
    Several(Box<Queues>),
}

#[derive(Clone, Debug)]
pub(super) struct Queues {
    ready: Vec<Ring<LaneNo>>,
    ready_classes: u8,
    /// The turns of the classes. `None` under strict priority.
    turns: Option<Box<Turns>>,
    /// An entry is valid only while its lane is pending and due at that time.
    pending: Pending,
}

/// The lane that sends next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// No other lane of its class is waiting.
    Alone(LaneNo),
    /// Other lanes of its class are waiting too.
    Contended(LaneNo),
}

impl Schedule {
    /// A schedule for the given lanes; the lanes of independent messages may be added later.
    pub(super) fn new(lanes: &[LaneNo], classes: usize, may_grow: bool, turns: Option<Turns>) -> Self {
        match *lanes {
            [lane] if !may_grow => Self::Single(lane),
            _ => Self::Several(Box::new(Queues {
                ready: vec![Ring::default(); classes],
                ready_classes: 0,
                turns: turns.map(Box::new),
                pending: Pending::with_room_for(lanes.len()),
            })),
        }
    }

    /// The bytes that the heap of pending lanes uses.
    pub(super) fn heap_bytes(&self) -> usize {
        match self {
            Self::Single(_) => 0,
            Self::Several(queues) => queues.pending.heap_bytes(),
        }
    }

    /// Makes a lane ready to send a frame of `bytes`: ahead of the other lanes in its class if it has enough
    /// credit left from its turn, otherwise behind them.
    #[inline]
    pub(super) fn make_ready(&mut self, lane: LaneNo, entry: &mut Lane, bytes: u16, now: Time) {
        entry.state = LaneState::Ready;
        match self {
            Self::Single(_) => entry.due = now,
            Self::Several(queues) if entry.credit >= u64::from(bytes) => queues.push_first(lane, entry),
            Self::Several(queues) => queues.push_last(lane, entry),
        }
    }

    /// Ends a lane's turn: the other lanes in its class go first.
    pub(super) fn end_turn(&mut self, lane: LaneNo, entry: &mut Lane) {
        if let Self::Several(queues) = self {
            queues.push_last(lane, entry);
        }
    }

    /// Counts a frame that a class has sent, with its preamble and gap, towards the turn of the class.
    #[inline]
    pub(super) fn charge(&mut self, class: u8, bytes: Bytes) {
        if let Self::Several(queues) = self
            && let Some(turns) = &mut queues.turns
        {
            turns.charge(class, bytes);
        }
    }

    /// Makes a lane pending until `due`.
    #[inline(always)]
    pub(super) fn make_pending(&mut self, lane: LaneNo, entry: &mut Lane, due: Time) {
        entry.state = LaneState::Pending;
        entry.due = due;
        entry.credit = 0;
        if let Self::Several(queues) = self {
            queues.pending.push((due, lane));
        }
    }

    /// The time at which the next lane of a class that is not paused is due, if any.
    #[inline(always)]
    pub(super) fn due(&self, lanes: &Lanes, paused: u8, now: Time) -> Option<Time> {
        match self {
            Self::Single(lane) => {
                let entry = &lanes[*lane];
                match entry.state {
                    LaneState::Idle | LaneState::Silent => None,
                    LaneState::Ready if paused & (1 << entry.class) != 0 => None,
                    LaneState::Pending | LaneState::Ready => Some(entry.due),
                }
            }
            Self::Several(queues) if queues.ready_classes & !paused != 0 => Some(now),
            Self::Several(queues) => queues.pending.first().map(|(due, _)| due),
        }
    }

    /// Removes and returns the lane that sends next.
    #[inline]
    pub(super) fn next(&mut self, lanes: &mut Lanes, paused: u8, now: Time) -> Option<Turn> {
        match self {
            Self::Single(lane) => {
                let entry = &mut lanes[*lane];
                if matches!(entry.state, LaneState::Idle | LaneState::Silent) || entry.due > now {
                    return None;
                }
                entry.state = LaneState::Ready;
                (paused & (1 << entry.class) == 0).then_some(Turn::Alone(*lane))
            }
            Self::Several(queues) => {
                queues.promote(lanes, now);
                queues.next(lanes, paused)
            }
        }
    }
}

impl Queues {
    /// Prefetches the entries of the lanes that may be next.
    #[inline]
    pub(super) fn look_at_pending(&self) {
        self.pending.look_at();
    }

    /// The lane that probably sends next.
    #[inline]
    pub(super) fn probably_next(&self) -> Option<LaneNo> {
        self.pending.first().map(|(_, lane)| lane)
    }

    fn push_first(&mut self, lane: LaneNo, entry: &mut Lane) {
        if !std::mem::replace(&mut entry.queued, true) {
            self.ready[entry.class as usize].push_front(lane);
            self.ready_classes |= 1 << entry.class;
        }
    }

    fn push_last(&mut self, lane: LaneNo, entry: &mut Lane) {
        if !std::mem::replace(&mut entry.queued, true) {
            self.ready[entry.class as usize].push_back(lane);
            self.ready_classes |= 1 << entry.class;
        }
    }

    /// Makes pending lanes ready if they are due by now.
    fn promote(&mut self, lanes: &mut Lanes, now: Time) {
        while let Some((due, lane)) = self.pending.first() {
            let entry = &mut lanes[lane];
            let valid = entry.state == LaneState::Pending && entry.due == due;
            if valid && due > now {
                break;
            }
            self.pending.remove_first();
            if valid {
                entry.state = LaneState::Ready;
                self.push_last(lane, entry);
            }
        }
    }

    fn next(&mut self, lanes: &mut Lanes, paused: u8) -> Option<Turn> {
        loop {
            let ready = self.ready_classes & !paused;
            let class = match &mut self.turns {
                None => highest(ready)?,
                Some(turns) => turns.next(ready)?,
            };
            let ring = &mut self.ready[class as usize];
            let lane = ring.pop_front().expect("a ready class has a lane");
            let alone = ring.is_empty();
            if alone {
                self.ready_classes &= !(1 << class);
            }
            let entry = &mut lanes[lane];
            entry.queued = false;
            if entry.state == LaneState::Ready {
                return Some(if alone { Turn::Alone(lane) } else { Turn::Contended(lane) });
            }
        }
    }
}
