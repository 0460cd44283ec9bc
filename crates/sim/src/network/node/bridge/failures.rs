//! Failures and recoveries of links at bridges.

use super::Bridges;
use super::core::Core;
use super::input::Account;
use super::set::{BridgeSet, Buffering};
use crate::frame::PauseCommand;
use crate::index::PortNo;
use crate::network::node::context::Context;
use crate::network::node::traces::Content;

impl Bridges {
    /// Ends all pauses on a link that has failed: those that its port obeys, and those that its input requested.
    pub(in crate::network) fn disconnect(&mut self, cx: &mut Context, port: PortNo) {
        self.core_mut().disconnect(cx, port);
    }

    /// Pauses the sender of a link that carries frames again, if its input is still above a threshold.
    pub(in crate::network) fn ask_again(&mut self, cx: &mut Context, input: PortNo) {
        match self {
            Self::OutputQueued(bridges) => bridges.ask_again(cx, input),
            Self::SharedBuffer(bridges) => bridges.ask_again(cx, input),
            Self::Cioq(bridges) => bridges.ask_again(cx, input),
        }
    }

    /// Applies a pause to a port at once.
    pub(in crate::network) fn obey(&mut self, cx: &mut Context, port: PortNo, command: PauseCommand) {
        match self {
            Self::OutputQueued(bridges) => bridges.obey(cx, port, command),
            Self::SharedBuffer(bridges) => bridges.obey(cx, port, command),
            Self::Cioq(bridges) => bridges.obey(cx, port, command),
        }
    }
}

impl Core {
    fn disconnect(&mut self, cx: &mut Context, number: PortNo) {
        let port = &mut self.ports[number];
        port.pause_frame_due = false;
        if self.pause_state[number].disconnect(port, cx.now) {
            cx.trace(Content::Held { port: port.id, classes: 0 });
        }
        for counter in self.pause_rules.counters(cx.classes.count()) {
            if self.pauses_sender(Account { input: number, counter }) {
                self.inputs[number].asked &= !self.pause_rules.classes_of(counter);
                cx.trace(Content::PauseEnds { paused: self.feeding(number), counter });
            }
        }
        self.inputs[number].unsent = 0;
        self.arm(cx, number);
    }
}

impl<B> BridgeSet<B>
where
    Self: Buffering,
{
    fn ask_again(&mut self, cx: &mut Context, input: PortNo) {
        for counter in self.core.pause_rules.counters(cx.classes.count()) {
            if self.core.inputs[input].held[counter] > 0 {
                self.pause_if_needed(cx, input, counter);
            }
        }
    }
}
