//! PAUSE (IEEE 802.3x) and priority-based flow control (IEEE 802.1Qbb).
//!
//! A bridge counts what it holds of each input, per class for PFC and in all for PAUSE. Above XOFF it
//! asks the sender of that link to stop, at or below XON to go on. A pause runs out by itself, so the bridge
//! renews it for as long as the input is above XON. How much room an input needs above XOFF and when pauses are
//! renewed is worked out in [`crate::lossless`]; `docs/flow-control.md` derives it.

use setpoint_units::{Bytes, Time, TimeDelta};

use super::Network;
use super::port::Owner;
use crate::error::SimError;
use crate::events::Event;
use crate::frame::{Frame, PauseCommand};
use crate::lossless::{LinkBudget, PAUSE_FRAME, pause_time};

/// How links are paused, by class.
#[derive(Clone, Copy, Debug)]
pub(super) struct PauseRules {
    /// Classes that lose nothing.
    pub(super) protected: u8,
    /// Which counter of an input a class counts in: its own, or the first for all of them.
    pub(super) counting: Counting,
    pub(super) xoff: u64,
    pub(super) xon: u64,
    pub(super) quanta: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counting {
    /// PFC: each class by itself.
    PerClass,
    /// PAUSE: the link as a whole.
    WholeLink,
}

impl PauseRules {
    pub(super) const NONE: Self =
        Self { protected: 0, counting: Counting::PerClass, xoff: 0, xon: 0, quanta: 0 };

    #[inline]
    pub(super) fn protects(&self, class: u8) -> bool {
        self.protected & (1 << class) != 0
    }

    #[inline]
    pub(super) fn counter(&self, class: u8) -> usize {
        match self.counting {
            Counting::PerClass => class as usize,
            Counting::WholeLink => 0,
        }
    }

    /// The counters in use, of that many classes.
    pub(super) fn counters(&self, classes: usize) -> std::ops::Range<usize> {
        match self.counting {
            Counting::PerClass => 0..classes,
            Counting::WholeLink => 0..1,
        }
    }

    /// The classes that stop when a counter is above XOFF.
    pub(super) fn classes_of(&self, counter: usize) -> u8 {
        match self.counting {
            Counting::PerClass => 1 << counter,
            Counting::WholeLink => self.protected,
        }
    }
}

/// What a bridge holds of the frames that came over one link.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Input {
    pub(super) held: [u64; 8],
    /// What it may hold in one counter.
    room: u64,
    /// Classes it has asked to stop.
    pub(super) asked: u8,
    /// Classes whose state the sender has not been told yet.
    untold: u8,
    refresh_armed: bool,
    /// How long after a pause frame the next is due.
    refresh_after: TimeDelta,
    /// The most that was held in one counter, of what was above XOFF.
    pub(super) peak: u64,
}

impl Input {
    /// An input with the room that its link is given.
    pub(super) fn new(budget: &LinkBudget) -> Self {
        Self { room: budget.room().get(), refresh_after: budget.renewal.after, ..Self::default() }
    }
}

/// Which pauses a port obeys.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PauseState {
    until: [Time; 8],
    /// When the [`Event::PauseEnd`] that counts fires.
    end_armed: Option<Time>,
    since: Time,
    /// Time paused over the whole run, without a pause that goes on.
    total: TimeDelta,
    /// What of it was before measurement began.
    pub(super) unmeasured: TimeDelta,
    pub(super) pauses: u64,
}

impl PauseState {
    /// The time paused from the start up to now, including a pause that goes on.
    pub(super) fn paused(&self, paused: u8, now: Time) -> TimeDelta {
        if paused == 0 { self.total } else { self.total + (now - self.since) }
    }
}

impl Network {
    /// Whether an input has room for a frame that may not be lost; if not, the run is over.
    pub(super) fn admit_lossless(&mut self, frame: &Frame) -> bool {
        let input = &self.inputs[self.input_of(frame) as usize];
        let occupied = input.held[self.pause_rules.counter(frame.class)];
        if occupied + u64::from(frame.bytes) <= input.room {
            return true;
        }
        let room = input.room;
        self.lose_protected(frame, occupied, room);
        false
    }

    /// A frame that may not be lost has no room: the run is over.
    pub(super) fn lose_protected(&mut self, frame: &Frame, occupied: u64, room: u64) {
        let (port, flow) = self.place_of(frame);
        self.violation = Some(SimError::Lost {
            at: self.now,
            port,
            priority: self.classes.priorities[frame.class as usize],
            flow,
            occupied: Bytes::new(occupied),
            room: Bytes::new(room),
        });
    }

    /// Counts a frame that waits and takes some room, and asks its sender to stop if that is too much.
    #[inline]
    pub(super) fn hold_input(&mut self, frame: &Frame, bytes: u64) {
        let counter = self.pause_rules.counter(frame.class);
        let index = self.input_of(frame);
        let input = &mut self.inputs[index as usize];
        input.held[counter] += bytes;
        if input.held[counter] > self.pause_rules.xoff {
            input.peak = input.peak.max(input.held[counter]);
            if input.asked & self.pause_rules.classes_of(counter) == 0 {
                self.ask(index, counter);
            }
        }
    }

    /// Counts a frame that leaves, and lets its sender go on if enough have left.
    #[inline]
    pub(super) fn release_input(&mut self, frame: &Frame, bytes: u64) {
        let counter = self.pause_rules.counter(frame.class);
        let index = self.input_of(frame);
        let input = &mut self.inputs[index as usize];
        input.held[counter] -= bytes;
        let classes = self.pause_rules.classes_of(counter);
        if input.asked & classes != 0 && input.held[counter] <= self.pause_rules.xon {
            self.let_go(index, counter);
        }
    }

    /// Asks the sender of a link to stop.
    #[cold]
    #[inline(never)]
    fn ask(&mut self, index: u32, counter: usize) {
        let classes = self.pause_rules.classes_of(counter);
        let input = &mut self.inputs[index as usize];
        input.asked |= classes;
        input.untold |= classes;
        self.pause_begins(index, counter);
        self.request_pause_frame(index);
        self.start_keep_alive(index, classes);
    }

    /// Lets the sender of a link go on.
    #[cold]
    #[inline(never)]
    fn let_go(&mut self, index: u32, counter: usize) {
        let classes = self.pause_rules.classes_of(counter);
        let input = &mut self.inputs[index as usize];
        input.asked &= !classes;
        input.untold |= classes;
        self.pause_ends(index, counter);
        self.request_pause_frame(index);
    }

    /// A pause frame to the sender of a link goes out as soon as the port back to it is free.
    fn request_pause_frame(&mut self, input: u32) {
        let back = input ^ 1;
        let port = &mut self.ports[back as usize];
        port.pause_frame_due = true;
        if port.free_at <= self.now && port.wake == super::port::Wake::Asleep {
            self.send_next(back);
        } else {
            self.arm(back);
        }
    }

    /// Sends the pause frame that is due, with the state as it is now.
    pub(super) fn send_pause_frame(&mut self, port: u32) {
        self.ports[port as usize].pause_frame_due = false;
        let index = port ^ 1;
        let input = &mut self.inputs[index as usize];
        let classes = input.asked | input.untold;
        let command = PauseCommand { classes, stop: input.asked, quanta: self.pause_rules.quanta };
        input.untold = 0;
        let renew = input.asked != 0 && !input.refresh_armed;
        input.refresh_armed |= renew;
        let refresh = self.now + input.refresh_after;
        self.transmit(port, Frame::pause(command, PAUSE_FRAME), self.now);
        if renew {
            self.events.push(refresh, Event::PauseRefresh(index));
        }
    }

    /// Renews a pause that an input still needs.
    pub(super) fn pause_refresh(&mut self, index: u32) {
        let input = &mut self.inputs[index as usize];
        input.refresh_armed = false;
        if input.asked != 0 {
            self.request_pause_frame(index);
        }
    }

    /// A port obeys a pause frame that has arrived at its node.
    pub(super) fn apply_pause(&mut self, index: u32, command: PauseCommand) {
        let port = &mut self.ports[index as usize];
        let until = self.now + pause_time(command.quanta, port.rate());
        let pause_state = &mut self.pause_state[index as usize];
        let before = port.paused;
        port.paused = (port.paused & !command.classes) | command.stop;
        for class in 0..8 {
            if command.stop & (1 << class) != 0 {
                pause_state.until[class] = until;
            }
        }
        pause_state.pauses += u64::from(command.stop & !before != 0);
        if before == 0 && port.paused != 0 {
            pause_state.since = self.now;
        }
        if command.stop != 0 && pause_state.end_armed.is_none_or(|armed| until < armed) {
            pause_state.end_armed = Some(until);
            self.events.push(until, Event::PauseEnd(index));
        }
        if before & !port.paused != 0 {
            self.resume(index, before);
        }
    }

    /// Ends the pauses of a port that have run out.
    pub(super) fn pause_end(&mut self, index: u32) {
        let port = &mut self.ports[index as usize];
        let pause_state = &mut self.pause_state[index as usize];
        if pause_state.end_armed != Some(self.now) {
            return;
        }
        let before = port.paused;
        let mut next = None;
        for class in (0..8).filter(|class| before & (1 << class) != 0) {
            let until = pause_state.until[class];
            if until <= self.now {
                port.paused &= !(1 << class);
            } else {
                next = Some(next.map_or(until, |earlier: Time| earlier.min(until)));
            }
        }
        pause_state.end_armed = next;
        if let Some(next) = next {
            self.events.push(next, Event::PauseEnd(index));
        }
        if before & !port.paused != 0 {
            self.resume(index, before);
        }
    }

    /// Sets a port going again after some of its classes were released.
    fn resume(&mut self, index: u32, before: u8) {
        let port = &self.ports[index as usize];
        if before != 0 && port.paused == 0 {
            let pause_state = &mut self.pause_state[index as usize];
            pause_state.total += self.now - pause_state.since;
        }
        match port.owner {
            Owner::Station(station) => self.kick(station),
            Owner::Bridge => self.arm(index),
        }
    }
}
