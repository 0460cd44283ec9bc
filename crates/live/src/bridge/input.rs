//! An input of a bridge: the bytes of lossless priorities waiting for an output, and the pauses that they cause.

use setpoint_sim::FlowControl;
use setpoint_units::{Rate, Time, TimeDelta};
use setpoint_wire::{Frame, MacAddress, Pause, Pfc, Priority, PrioritySet};

use crate::pauses::pause_time;

/// The input of one port.
#[derive(Clone, Debug)]
pub(super) struct Input {
    held: [u64; 8],
    /// The maximum number of bytes per counter.
    room: u64,
    /// The priorities that the neighbour was asked to pause.
    asked: PrioritySet,
    /// The time at which the pause must be renewed, if one was requested.
    renew: Option<Time>,
    /// The largest number of bytes ever held, if it exceeded XOFF.
    pub(super) peak: u64,
    /// Pause frames sent.
    pub(super) frames: u64,
}

impl Input {
    pub(super) fn new(room: u64) -> Self {
        Self { held: [0; 8], room, asked: PrioritySet(0), renew: None, peak: 0, frames: 0 }
    }

    pub(super) fn set_room(&mut self, room: u64) {
        self.room = room;
    }

    /// Whether a lossless frame fits.
    pub(super) fn has_room(&self, rules: &FlowControl, priority: Priority, length: u64) -> bool {
        self.held[counter(rules, priority)] + length <= self.room
    }

    /// Counts a frame that is held. Returns whether a frame must be sent to pause the neighbour.
    pub(super) fn hold(&mut self, rules: &FlowControl, priority: Priority, length: u64) -> Tell {
        let Some(params) = rules.params() else { return Tell::Nothing };
        let counter = counter(rules, priority);
        self.held[counter] += length;
        if self.held[counter] <= params.xoff.get() {
            return Tell::Nothing;
        }
        self.peak = self.peak.max(self.held[counter]);
        self.ask(PrioritySet(self.asked.0 | affected(rules, priority).0))
    }

    /// Subtracts a frame that leaves. Returns whether a frame must be sent to end the neighbour's pause.
    pub(super) fn release(&mut self, rules: &FlowControl, priority: Priority, length: u64) -> Tell {
        let Some(params) = rules.params() else { return Tell::Nothing };
        let counter = counter(rules, priority);
        self.held[counter] -= length;
        if self.held[counter] > params.xon.get() {
            return Tell::Nothing;
        }
        self.ask(PrioritySet(self.asked.0 & !affected(rules, priority).0))
    }

    fn ask(&mut self, asked: PrioritySet) -> Tell {
        let before = std::mem::replace(&mut self.asked, asked);
        if before == asked { Tell::Nothing } else { Tell::Changed(PrioritySet(before.0 ^ asked.0)) }
    }

    /// The time at which a pause must be renewed.
    pub(super) fn due(&self) -> Option<Time> {
        self.renew
    }

    /// The frame that pauses or resumes the changed priorities at the neighbour, or that renews a pause.
    pub(super) fn frame(
        &mut self,
        now: Time,
        rules: &FlowControl,
        rate: Rate,
        (address, changed): (MacAddress, PrioritySet),
    ) -> Option<Frame<'static>> {
        let quanta = rules.params()?.quanta;
        self.frames += 1;
        // A pause is renewed twice as often as necessary, because frames and programs may be late.
        let again = TimeDelta::from_picos(pause_time(quanta, rate).as_picos() / 2);
        self.renew = (self.asked.0 != 0).then(|| now + again);
        let stops = |number: usize| self.asked.0 >> number & 1 == 1;
        Some(match rules {
            FlowControl::None => return None,
            FlowControl::Pause(_) => {
                Frame::pause(address, Pause { quanta: if self.asked.0 == 0 { 0 } else { quanta } })
            }
            FlowControl::Pfc(..) => {
                let times = std::array::from_fn(|number| if stops(number) { quanta } else { 0 });
                Frame::pfc(address, Pfc { enabled: PrioritySet(changed.0 | self.asked.0), times })
            }
        })
    }
}

/// Changes that must be announced to the neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tell {
    Nothing,
    /// These priorities have been paused or resumed.
    Changed(PrioritySet),
}

/// The counter of a priority: its own with PFC, a shared one with PAUSE.
fn counter(rules: &FlowControl, priority: Priority) -> usize {
    match rules {
        FlowControl::Pause(_) => 0,
        _ => usize::from(priority.number()),
    }
}

/// The priorities that stop when the counter of a priority is above XOFF.
fn affected(rules: &FlowControl, priority: Priority) -> PrioritySet {
    match rules {
        FlowControl::Pause(_) => PrioritySet(0xff),
        _ => PrioritySet(1 << priority.number()),
    }
}

/// Whether frames of a priority must not be lost.
pub(super) fn protects(rules: &FlowControl, priority: Priority) -> bool {
    rules.protected().0 >> priority.number() & 1 == 1
}
