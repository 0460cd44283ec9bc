//! Charging frames to their inputs or output queues, and the pauses that follow.

use super::super::input::Account;
use super::super::set::BridgeSet;
use super::SharedBuffers;
use super::pool::{Limit, User};
use crate::frame::Frame;
use crate::index::QueueNo;
use crate::network::node::context::Context;

impl BridgeSet<SharedBuffers> {
    /// Charges a protected frame to its input. Ends the run if there is neither shared space nor headroom; returns whether there
    /// was.
    pub(super) fn charge_input(&mut self, cx: &mut Context, account: Account, frame: Frame) -> bool {
        let bytes = u64::from(frame.bytes());
        let Account { input, counter } = account;
        let user = self.user_of(account);
        let buffers = &mut self.buffers;
        let pool = &mut buffers.pools[buffers.bridge_of[input]];
        if pool.take(&user, bytes).is_err() {
            let headroom = &mut buffers.headroom[input];
            let room = headroom.limit;
            if headroom.used[counter] + bytes > room || !pool.take_headroom(bytes) {
                let occupied = self.core.inputs[input].held[counter];
                self.core.lose_protected(cx, frame, occupied, user.held + room);
                return false;
            }
            headroom.used[counter] += bytes;
            let peak = user.reserve + headroom.used[counter];
            let input = &mut self.core.inputs[input];
            input.peak = input.peak.max(peak);
        }
        self.core.inputs[input].held[counter] += bytes;
        true
    }

    /// Pauses the sender of an input that has received a frame, if it uses headroom or too much shared space.
    pub(super) fn pause_if_above(&mut self, cx: &mut Context, account: Account) {
        if self.core.pauses_sender(account) {
            return;
        }
        let Account { input, counter } = account;
        let user = self.user_of(account);
        let buffers = &mut self.buffers;
        let pool = &mut buffers.pools[buffers.bridge_of[input]];
        if buffers.headroom[input].used[counter] > 0 || user.shared() > pool.threshold(&user) {
            pool.pauses += 1;
            self.pause_sender(cx, input, counter);
        }
    }

    /// Frees the space of a protected frame that departs, headroom first, and releases the sender if the input is far enough
    /// below its threshold.
    pub(super) fn discharge_input(&mut self, cx: &mut Context, account: Account, bytes: u64) {
        let Account { input, counter } = account;
        let user = self.user_of(account);
        let buffers = &mut self.buffers;
        let pool = &mut buffers.pools[buffers.bridge_of[input]];
        let headroom = &mut buffers.headroom[input].used[counter];
        let from_headroom = bytes.min(*headroom);
        *headroom -= from_headroom;
        pool.give_headroom_back(from_headroom);
        pool.give_back(&user, bytes - from_headroom);
        self.core.inputs[input].held[counter] -= bytes;
        if self.core.pauses_sender(account) && self.is_below(account) {
            self.release_sender(cx, account);
        }
    }

    /// Whether an input may release its sender.
    fn is_below(&self, account: Account) -> bool {
        let Account { input, counter } = account;
        let user = self.user_of(account);
        let pool = &self.buffers.pools[self.buffers.bridge_of[input]];
        let offset = self.buffers.rules.resume_offset.get();
        let low = user.shared() == 0 || user.shared().saturating_add(offset) <= pool.threshold(&user);
        self.buffers.headroom[input].used[counter] == 0 && low
    }

    /// Charges a frame to an output queue.
    pub(super) fn charge_output(&mut self, queue: QueueNo, bytes: u16) -> Result<(), Limit> {
        let user = self.user_at(queue);
        let (_, port, _) = self.core.place_of(queue);
        let buffers = &mut self.buffers;
        let pool = &mut buffers.pools[buffers.bridge_of[port]];
        let taken = pool.take(&user, u64::from(bytes));
        match taken {
            Ok(()) => buffers.egress[queue] += u64::from(bytes),
            Err(limit) => pool.count_drop(limit),
        }
        taken
    }

    /// Frees the space of a frame that was charged to an output queue.
    pub(super) fn discharge_output(&mut self, queue: QueueNo, bytes: u16) {
        let user = self.user_at(queue);
        let (_, port, _) = self.core.place_of(queue);
        let buffers = &mut self.buffers;
        buffers.pools[buffers.bridge_of[port]].give_back(&user, u64::from(bytes));
        buffers.egress[queue] -= u64::from(bytes);
    }

    /// An input and counter, as a user of its pool.
    pub(super) fn user_of(&self, Account { input, counter }: Account) -> User {
        let held = self.core.inputs[input].held[counter] - self.buffers.headroom[input].used[counter];
        let SharedBuffers { rules, alphas, .. } = &self.buffers;
        // Under PAUSE, one counter includes all classes, which have the same factor.
        let alpha = alphas.get(counter).copied().unwrap_or(rules.alpha);
        User { held, reserve: rules.reserve.get(), alpha }
    }

    /// An output queue, as a user of its pool. In a protected class, only notifications are charged to the output queue, and
    /// nothing is reserved for them.
    pub(super) fn user_at(&self, queue: QueueNo) -> User {
        let (_, _, class) = self.core.place_of(queue);
        let rules = &self.buffers.rules;
        let reserve = if self.core.pause_rules.protects(class) { 0 } else { rules.reserve.get() };
        // Notifications in a protected class have no threshold of their own.
        let alpha = if self.core.pause_rules.protects(class) {
            rules.egress_alpha
        } else {
            self.buffers.alphas[usize::from(class)]
        };
        User { held: self.buffers.egress[queue], reserve, alpha }
    }
}
