//! PAUSE (IEEE 802.3x) and priority-based flow control (IEEE 802.1Qbb): the rules, and the pauses in effect at a port.
//!
//! A bridge counts the bytes it holds from each input ([`crate::network::node::bridge`]) and pauses the sender on that link. This module
//! implements the sender's side. A pause expires by itself, so the bridge renews it while the input is above XON.
//! [`crate::lossless`] computes how much buffer space an input needs above XOFF and when pauses are renewed;
//! `docs/flow-control.md` derives both.

use std::collections::VecDeque;

use setpoint_units::{Time, TimeDelta};

use crate::frame::PauseCommand;
use crate::lossless::pause_time;
use crate::network::node::port::Port;

/// The rules of flow control, by class.
#[derive(Clone, Copy, Debug)]
pub(in crate::network) struct PauseRules {
    /// Lossless classes.
    pub(in crate::network) protected: u8,
    /// Whether the inputs have a separate counter for each class, or a single counter for all classes.
    pub(in crate::network) counting: Counting,
    pub(in crate::network) xoff: u64,
    pub(in crate::network) xon: u64,
    pub(in crate::network) quanta: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::network) enum Counting {
    /// PFC: each class separately.
    PerClass,
    /// PAUSE: the whole link.
    WholeLink,
}

impl PauseRules {
    pub(in crate::network) const NONE: Self =
        Self { protected: 0, counting: Counting::PerClass, xoff: 0, xon: 0, quanta: 0 };

    #[inline]
    pub(in crate::network) fn protects(&self, class: u8) -> bool {
        self.protected & (1 << class) != 0
    }

    #[inline]
    pub(in crate::network) fn counter(&self, class: u8) -> usize {
        match self.counting {
            Counting::PerClass => class as usize,
            Counting::WholeLink => 0,
        }
    }

    /// The counters in use, given the number of classes.
    pub(in crate::network) fn counters(&self, classes: usize) -> std::ops::Range<usize> {
        match self.counting {
            Counting::PerClass => 0..classes,
            Counting::WholeLink => 0..1,
        }
    }

    /// The classes that stop when a counter is above XOFF.
    pub(in crate::network) fn classes_of(&self, counter: usize) -> u8 {
        match self.counting {
            Counting::PerClass => 1 << counter,
            Counting::WholeLink => self.protected,
        }
    }
}

/// The pauses in effect at a port.
#[derive(Clone, Debug, Default)]
pub(in crate::network) struct PauseState {
    until: [Time; 8],
    /// The time at which the valid event for the end of a pause fires.
    end_armed: Option<Time>,
    since: Time,
    /// Time paused over the whole run, excluding the current pause.
    total: TimeDelta,
    /// The part of that time before measurement began.
    unmeasured: TimeDelta,
    pub(in crate::network) pauses: u64,
    /// The time the port takes to obey a pause frame.
    response: TimeDelta,
    /// Pause frames that have arrived but have not taken effect yet, each with the time at which it takes effect, in
    /// chronological order.
    received: VecDeque<(Time, PauseCommand)>,
    /// Whether a station holds its frames because its link has failed, which does not count as a pause.
    holds: bool,
}

/// The effect of a pause frame, or of the end of a pause.
#[derive(Clone, Copy, Debug)]
pub(in crate::network) struct PauseEffect {
    /// The time at which to check for the end of a pause, if it has changed.
    pub(in crate::network) look_at: Option<Time>,
    /// Whether the set of paused classes has changed.
    pub(in crate::network) changed: bool,
    /// Whether classes may send again.
    pub(in crate::network) resumed: bool,
}

impl PauseState {
    /// The state of a port with the given response time.
    pub(in crate::network) fn new(response: TimeDelta) -> Self {
        Self { response, ..Self::default() }
    }

    /// Receives a pause frame. Returns the frame's command if it takes effect now, and otherwise the time at which it
    /// will.
    pub(in crate::network) fn receive(
        &mut self,
        command: PauseCommand,
        now: Time,
    ) -> Result<PauseCommand, Time> {
        if self.response.is_zero() {
            return Ok(command);
        }
        let at = now + self.response;
        self.received.push_back((at, command));
        Err(at)
    }

    /// The command of a pause frame that takes effect now.
    pub(in crate::network) fn due(&mut self, now: Time) -> Option<PauseCommand> {
        self.received.front().filter(|(at, _)| *at == now)?;
        self.received.pop_front().map(|(_, command)| command)
    }

    /// The classes that received frames will release when they take effect.
    pub(in crate::network) fn releasing(&self) -> u8 {
        self.received.iter().fold(0, |released, (_, command)| released | command.classes & !command.stop)
    }

    /// Time paused from the start until now, including the current pause of the given classes.
    pub(in crate::network) fn paused(&self, classes: u8, now: Time) -> TimeDelta {
        if classes == 0 || self.holds { self.total } else { self.total + (now - self.since) }
    }

    /// Ends all pauses, because the link has failed. Returns whether there were any.
    pub(in crate::network) fn disconnect(&mut self, port: &mut Port, now: Time) -> bool {
        let before = std::mem::take(&mut port.paused);
        self.end_armed = None;
        self.received.clear();
        self.resumes(port, before, now)
    }

    /// Holds all frames of a station whose link has failed, or sends them again.
    pub(in crate::network) fn hold(&mut self, port: &mut Port, holds: bool) {
        self.holds = holds;
        port.paused = if holds { u8::MAX } else { 0 };
    }

    /// Time paused since measurement began.
    pub(in crate::network) fn measured(&self, classes: u8, now: Time) -> TimeDelta {
        self.paused(classes, now) - self.unmeasured
    }

    /// Begins measurement.
    pub(in crate::network) fn measure_from(&mut self, classes: u8, now: Time) {
        self.unmeasured = self.paused(classes, now);
    }

    /// Applies a pause frame that takes effect.
    pub(in crate::network) fn apply(
        &mut self,
        port: &mut Port,
        command: PauseCommand,
        now: Time,
    ) -> PauseEffect {
        let until = now + pause_time(command.quanta, port.rate());
        let before = port.paused;
        port.paused = (before & !command.classes) | command.stop;
        for class in 0..8 {
            if command.stop & (1 << class) != 0 {
                self.until[class] = until;
            }
        }
        self.pauses += u64::from(command.stop & !before != 0);
        if before == 0 && port.paused != 0 {
            self.since = now;
        }
        let sooner = command.stop != 0 && self.end_armed.is_none_or(|armed| until < armed);
        if sooner {
            self.end_armed = Some(until);
        }
        let changed = port.paused != before;
        PauseEffect { look_at: sooner.then_some(until), changed, resumed: self.resumes(port, before, now) }
    }

    /// Ends the pauses that have expired; returns `None` if the event that triggered the call is outdated.
    pub(in crate::network) fn expire(&mut self, port: &mut Port, now: Time) -> Option<PauseEffect> {
        if self.end_armed != Some(now) {
            return None;
        }
        let before = port.paused;
        let mut next = None;
        for class in (0..8).filter(|class| before & (1 << class) != 0) {
            let until = self.until[class];
            if until <= now {
                port.paused &= !(1 << class);
            } else {
                next = Some(next.map_or(until, |earlier: Time| earlier.min(until)));
            }
        }
        self.end_armed = next;
        let changed = port.paused != before;
        Some(PauseEffect { look_at: next, changed, resumed: self.resumes(port, before, now) })
    }

    /// Whether some of the classes that were paused before may send again. If all of them may, adds the duration of the
    /// pause to the total.
    fn resumes(&mut self, port: &Port, before: u8, now: Time) -> bool {
        if before != 0 && port.paused == 0 {
            self.total += now - self.since;
        }
        before & !port.paused != 0
    }
}
