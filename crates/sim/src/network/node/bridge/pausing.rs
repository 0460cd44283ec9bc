//! Inputs of bridges under flow control.
//!
//! A bridge counts the bytes it holds from each input, per class for PFC and in total for PAUSE. Above XOFF it pauses the sender on
//! that link; at or below XON it releases the sender.

use setpoint_units::Bytes;

use super::core::Core;
use super::input::{Account, Input};
use super::set::{BridgeSet, Buffering};
use crate::error::SimError;
use crate::events::Event;
use crate::frame::{Frame, PauseCommand};
use crate::index::PortNo;
use crate::lossless::PAUSE_FRAME;
use crate::network::node::context::Context;
use crate::network::node::just_before;
use crate::network::node::pause::PauseEffect;
use crate::network::node::port::Wake;
use crate::network::node::traces::Content;

impl Core {
    /// The input and counter at which a frame is counted while the bridge holds it; `None` if its class is not
    /// protected.
    #[inline]
    pub(super) fn account_of(&self, cx: &Context, frame: Frame) -> Option<Account> {
        self.account(frame, || cx.routes.input_of(frame))
    }

    /// Like [`Core::account_of`], but for a reply, which travels back along the path of its flow.
    pub(super) fn account_of_reply(&self, cx: &Context, reply: Frame) -> Option<Account> {
        self.account(reply, || cx.routes.output_of(reply))
    }

    #[inline]
    fn account(&self, frame: Frame, input: impl FnOnce() -> PortNo) -> Option<Account> {
        let class = frame.class();
        let rules = &self.pause_rules;
        rules.protects(class).then(|| Account { input: input(), counter: rules.counter(class) })
    }

    /// Whether an input has buffer space for a lossless frame; if not, ends the run.
    #[inline]
    pub(super) fn admit_lossless(&mut self, cx: &mut Context, account: Account, frame: Frame) -> bool {
        let input = &self.inputs[account.input];
        let occupied = input.held[account.counter];
        occupied + u64::from(frame.bytes()) <= input.room || self.admit_after_all(cx, account, frame)
    }

    /// Whether an input has buffer space for a lossless frame once all its departures have been counted; if not, ends the
    /// run.
    #[cold]
    fn admit_after_all(&mut self, cx: &mut Context, account: Account, frame: Frame) -> bool {
        self.settle_input(cx, account.input);
        let Input { held, room, .. } = &self.inputs[account.input];
        let (occupied, room) = (held[account.counter], *room);
        if occupied + u64::from(frame.bytes()) <= room {
            return true;
        }
        self.lose_protected(cx, frame, occupied, room);
        false
    }

    /// Ends the run because there is no buffer space for a lossless frame.
    pub(super) fn lose_protected(&mut self, cx: &mut Context, frame: Frame, occupied: u64, room: u64) {
        let error = SimError::Lost {
            at: cx.now,
            port: self.feeding(cx.routes.arrived_at(frame)),
            priority: cx.classes.priorities[frame.class() as usize],
            flow: cx.routes.flow_of(frame),
            occupied: Bytes::new(occupied),
            room: Bytes::new(room),
        };
        cx.fail(error);
    }

    /// Whether an input pauses its sender because of the given counter.
    #[inline]
    pub(super) fn pauses_sender(&self, Account { input, counter }: Account) -> bool {
        self.inputs[input].asked & self.pause_rules.classes_of(counter) != 0
    }

    /// Sends the pause frame that is due, with the current state.
    pub(super) fn send_pause_frame(&mut self, cx: &mut Context, number: PortNo) {
        let (port, input) = (&mut self.ports[number], &mut self.inputs[number]);
        port.pause_frame_due = false;
        let classes = input.asked | input.unsent;
        let command = PauseCommand { classes, stop: input.asked, quanta: self.pause_rules.quanta };
        input.unsent = 0;
        let renew = input.asked != 0 && !input.refresh_armed;
        input.refresh_armed |= renew;
        let refresh = cx.now + input.refresh_after;
        port.transmit(cx, Frame::pause(command, PAUSE_FRAME), cx.now);
        if renew {
            cx.events.push(refresh, Event::PauseRefresh(number));
        }
    }
}

impl<B> BridgeSet<B>
where
    Self: Buffering,
{
    /// Counts the buffer space that a waiting frame occupies, and pauses its sender if a counter exceeds XOFF.
    #[inline]
    pub(super) fn hold_input(&mut self, cx: &mut Context, account: Account, bytes: u64) {
        let held = &mut self.core.inputs[account.input].held[account.counter];
        *held += bytes;
        if *held > self.core.pause_rules.xoff {
            self.exceed(cx, account);
        }
    }

    /// Called when an input's counter seems to exceed XOFF: pauses the sender of the link if it really does.
    #[inline(never)]
    fn exceed(&mut self, cx: &mut Context, account: Account) {
        let Account { input: number, counter } = account;
        let has_asked = self.core.pauses_sender(account);
        if !has_asked && Self::COMMITS {
            self.core.settle_input(cx, number);
        }
        let input = &mut self.core.inputs[number];
        if input.held[counter] <= self.core.pause_rules.xoff {
            return;
        }
        input.peak = input.peak.max(input.held[counter]);
        if !has_asked {
            if Self::COMMITS {
                self.core.recall_from(cx, number);
            }
            self.pause_sender(cx, number, counter);
        }
    }

    /// Removes a departing frame from the counter, and releases its sender if the counter has fallen to XON.
    #[inline]
    pub(super) fn release_input(&mut self, cx: &mut Context, account: Account, bytes: u64) {
        let held = &mut self.core.inputs[account.input].held[account.counter];
        *held -= bytes;
        if *held <= self.core.pause_rules.xon && self.core.pauses_sender(account) {
            self.release_sender(cx, account);
        }
    }

    /// Pauses the sender of a link.
    #[cold]
    #[inline(never)]
    pub(super) fn pause_sender(&mut self, cx: &mut Context, number: PortNo, counter: usize) {
        let classes = self.core.pause_rules.classes_of(counter);
        let input = &mut self.core.inputs[number];
        input.asked |= classes;
        input.unsent |= classes;
        let (paused, cause) = (self.core.feeding(number), self.cause_of(cx, number, counter));
        cx.trace(Content::PauseBegins { paused, counter, cause });
        self.request_pause_frame(cx, number);
        self.paused(cx, number, classes);
    }

    /// Releases the sender of a link.
    #[cold]
    #[inline(never)]
    pub(super) fn release_sender(&mut self, cx: &mut Context, Account { input: number, counter }: Account) {
        let classes = self.core.pause_rules.classes_of(counter);
        let input = &mut self.core.inputs[number];
        input.asked &= !classes;
        input.unsent |= classes;
        cx.trace(Content::PauseEnds { paused: self.core.feeding(number), counter });
        self.request_pause_frame(cx, number);
    }

    /// Requests a pause frame for the sender of a link, to be sent as soon as the port back to the
    /// sender is free.
    fn request_pause_frame(&mut self, cx: &mut Context, number: PortNo) {
        // Among ports that become ready at the same time, those with lower numbers are handled first, so the
        // transmission from a port with a higher number has not begun.
        let begun = match self.core.readying {
            Some(ready) if ready < number => just_before(cx.now),
            _ => cx.now,
        };
        self.core.recall_after(cx, number, begun);
        let port = &mut self.core.ports[number];
        port.pause_frame_due = true;
        if port.free_at <= cx.now && port.wake == Wake::Asleep {
            self.send_next::<true>(cx, number);
        } else {
            self.core.arm(cx, number);
        }
    }

    /// Renews a pause if the input still needs it.
    pub(in crate::network) fn pause_refresh(&mut self, cx: &mut Context, number: PortNo) {
        let input = &mut self.core.inputs[number];
        input.refresh_armed = false;
        if input.asked != 0 {
            self.request_pause_frame(cx, number);
        }
    }

    /// Handles the arrival of a pause frame at a port.
    pub(super) fn receive_pause(&mut self, cx: &mut Context, number: PortNo, frame: Frame) {
        match self.core.pause_state[number].receive(frame.pause_content(), cx.now) {
            Ok(command) => self.obey(cx, number, command),
            Err(later) => cx.events.push(later, Event::PortPauseEnd(number)),
        }
    }

    pub(super) fn obey(&mut self, cx: &mut Context, number: PortNo, command: PauseCommand) {
        if command.stop != 0 {
            self.core.recall(cx, number);
        }
        let effect = self.core.pause_state[number].apply(&mut self.core.ports[number], command, cx.now);
        self.follow(cx, number, effect);
    }

    /// Obeys a pause frame whose response time has passed, and ends a port's expired pauses.
    pub(in crate::network) fn pause_end(&mut self, cx: &mut Context, number: PortNo) {
        if let Some(command) = self.core.pause_state[number].due(cx.now) {
            self.obey(cx, number, command);
        }
        if let Some(effect) = self.core.pause_state[number].expire(&mut self.core.ports[number], cx.now) {
            self.follow(cx, number, effect);
        }
    }

    fn follow(&mut self, cx: &mut Context, number: PortNo, effect: PauseEffect) {
        if effect.changed {
            let port = &self.core.ports[number];
            cx.trace(Content::Held { port: port.id, classes: port.paused });
        }
        if let Some(at) = effect.look_at {
            cx.events.push(at, Event::PortPauseEnd(number));
        }
        if effect.resumed {
            self.core.arm(cx, number);
        }
    }
}
