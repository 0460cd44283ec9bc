//! PAUSE (IEEE 802.3x) and priority-based flow control (IEEE 802.1Qbb).
//!
//! A bridge counts the bytes it holds from each input, per class for PFC and in total for PAUSE. Above XOFF
//! it pauses the sender on that link; at or below XON it releases the sender. A pause expires by itself, so
//! the bridge renews it while the input is above XON. [`crate::lossless`] computes how much room an input
//! needs above XOFF and when pauses are renewed; `docs/flow-control.md` derives both.

use setpoint_units::{Bytes, Time, TimeDelta};

use super::Network;
use super::port::Owner;
use crate::error::SimError;
use crate::events::Event;
use crate::frame::{Frame, PauseCommand};
use crate::lossless::{LinkBudget, PAUSE_FRAME, pause_time};

/// The rules of flow control, by class.
#[derive(Clone, Copy, Debug)]
pub(super) struct PauseRules {
    /// Lossless classes.
    pub(super) protected: u8,
    /// Which of an input's counters a class uses: its own, or the first, which all classes share.
    pub(super) counting: Counting,
    pub(super) xoff: u64,
    pub(super) xon: u64,
    pub(super) quanta: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counting {
    /// PFC: each class separately.
    PerClass,
    /// PAUSE: the whole link.
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

    /// The counters in use, given the number of classes.
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

/// The state of an input: the bytes that a bridge holds from one link.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Input {
    pub(super) held: [u64; 8],
    /// The maximum number of bytes that one counter may reach.
    room: u64,
    /// Classes it has paused.
    pub(super) asked: u8,
    /// Classes whose new state has not been sent yet.
    unsent: u8,
    refresh_armed: bool,
    /// The time from one pause frame to the next.
    refresh_after: TimeDelta,
    /// The largest value of any counter above XOFF.
    pub(super) peak: u64,
}

impl Input {
    /// An input with the room in its link's budget.
    pub(super) fn new(budget: &LinkBudget) -> Self {
        Self { room: budget.room().get(), refresh_after: budget.renewal.after, ..Self::default() }
    }
}

/// The pauses in effect at a port.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PauseState {
    until: [Time; 8],
    /// When the valid [`Event::PauseEnd`] fires.
    end_armed: Option<Time>,
    since: Time,
    /// Time paused over the whole run, excluding the current pause.
    total: TimeDelta,
    /// The part of it before measurement began.
    pub(super) unmeasured: TimeDelta,
    pub(super) pauses: u64,
}

impl PauseState {
    /// Time paused from the start until now, including the current pause.
    pub(super) fn paused(&self, paused: u8, now: Time) -> TimeDelta {
        if paused == 0 { self.total } else { self.total + (now - self.since) }
    }
}

impl Network {
    /// Whether an input has room for a lossless frame; if not, ends the run.
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

    /// Ends the run because a lossless frame has no room.
    pub(super) fn lose_protected(&mut self, frame: &Frame, occupied: u64, room: u64) {
        let (port, flow) = self.place_of(frame);
        self.interrupted = true;
        self.violation = Some(SimError::Lost {
            at: self.now,
            port,
            priority: self.classes.priorities[frame.class as usize],
            flow,
            occupied: Bytes::new(occupied),
            room: Bytes::new(room),
        });
    }

    /// Counts a waiting frame and the room it takes, and pauses its sender if a counter exceeds XOFF.
    #[inline]
    pub(super) fn hold_input(&mut self, frame: &Frame, bytes: u64) {
        let counter = self.pause_rules.counter(frame.class);
        let index = self.input_of(frame);
        let input = &mut self.inputs[index as usize];
        input.held[counter] += bytes;
        if input.held[counter] > self.pause_rules.xoff {
            input.peak = input.peak.max(input.held[counter]);
            if input.asked & self.pause_rules.classes_of(counter) == 0 {
                self.pause_sender(index, counter);
            }
        }
    }

    /// Removes a departing frame from the counter, and releases its sender if the counter has fallen to XON.
    #[inline]
    pub(super) fn release_input(&mut self, frame: &Frame, bytes: u64) {
        let counter = self.pause_rules.counter(frame.class);
        let index = self.input_of(frame);
        let input = &mut self.inputs[index as usize];
        input.held[counter] -= bytes;
        let classes = self.pause_rules.classes_of(counter);
        if input.asked & classes != 0 && input.held[counter] <= self.pause_rules.xon {
            self.release_sender(index, counter);
        }
    }

    /// Pauses the sender of a link.
    #[cold]
    #[inline(never)]
    fn pause_sender(&mut self, index: u32, counter: usize) {
        let classes = self.pause_rules.classes_of(counter);
        let input = &mut self.inputs[index as usize];
        input.asked |= classes;
        input.unsent |= classes;
        self.pause_begins(index, counter);
        self.request_pause_frame(index);
        self.start_keep_alive(index, classes);
    }

    /// Releases the sender of a link.
    #[cold]
    #[inline(never)]
    fn release_sender(&mut self, index: u32, counter: usize) {
        let classes = self.pause_rules.classes_of(counter);
        let input = &mut self.inputs[index as usize];
        input.asked &= !classes;
        input.unsent |= classes;
        self.pause_ends(index, counter);
        self.request_pause_frame(index);
    }

    /// Requests a pause frame for the sender of a link, to be sent as soon as the port back to it
    /// is free.
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

    /// Sends the pause frame that is due, with the current state.
    pub(super) fn send_pause_frame(&mut self, port: u32) {
        self.ports[port as usize].pause_frame_due = false;
        let index = port ^ 1;
        let input = &mut self.inputs[index as usize];
        let classes = input.asked | input.unsent;
        let command = PauseCommand { classes, stop: input.asked, quanta: self.pause_rules.quanta };
        input.unsent = 0;
        let renew = input.asked != 0 && !input.refresh_armed;
        input.refresh_armed |= renew;
        let refresh = self.now + input.refresh_after;
        self.transmit(port, Frame::pause(command, PAUSE_FRAME), self.now);
        if renew {
            self.events.push(refresh, Event::PauseRefresh(index));
        }
    }

    /// Renews a pause if the input still needs it.
    pub(super) fn pause_refresh(&mut self, index: u32) {
        let input = &mut self.inputs[index as usize];
        input.refresh_armed = false;
        if input.asked != 0 {
            self.request_pause_frame(index);
        }
    }

    /// Applies a pause frame that has arrived at a port's node.
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

    /// Ends a port's expired pauses.
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

    /// Restarts a port after some of its classes were released.
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
