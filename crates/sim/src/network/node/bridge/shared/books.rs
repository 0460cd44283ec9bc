//! Consistency checks, results and memory of shared buffers.

use super::super::set::BridgeSet;
use super::pool::Pool;
use super::{Headroom, SharedBuffers};
use crate::frame::{Frame, FrameKind};
use crate::index::{BridgeNo, PortNo, QueueNo, Stretch};
use crate::network::node::bridge::input::Account;
use crate::network::node::context::Context;
use crate::outcome::SharedBufferOutcome;

impl BridgeSet<SharedBuffers> {
    /// Whether reserves, shared space and headroom add up to the frames that wait, in each bridge.
    pub(super) fn pools_add_up(&self, cx: &Context) -> Result<(), &'static str> {
        let buffers = &self.buffers;
        if !self.egress_adds_up() {
            return Err("the bytes charged to an output queue do not match its frames");
        }
        let first = buffers.pools.numbers().next().unwrap_or_default();
        let mut used: Stretch<BridgeNo, (u64, u64)> =
            Stretch::new(first, buffers.pools.iter().map(|_| (0, 0)));
        for (input, headroom) in buffers.headroom.numbered() {
            let entry = &mut used[buffers.bridge_of[input]];
            for counter in self.core.pause_rules.counters(cx.classes.count()) {
                entry.0 += self.user_of(Account { input, counter }).shared();
                entry.1 += headroom.used[counter];
            }
        }
        for queue in buffers.egress.numbers() {
            used[self.bridge_at(queue)].0 += self.user_at(queue).shared();
        }
        match buffers.pools.iter().zip(used.iter()).all(|(pool, used)| pool.in_use() == *used) {
            true => Ok(()),
            false => Err("the pools of a shared buffer do not match the space that its users hold"),
        }
    }

    fn egress_adds_up(&self) -> bool {
        let charged = |frame: &&Frame| {
            let is_held = matches!(frame.kind(), FrameKind::Data | FrameKind::Reply);
            !(is_held && self.core.pause_rules.protects(frame.class()))
        };
        let sum = |number: QueueNo| -> u64 {
            let frames = self.core.queues[number].frames.iter();
            frames.filter(charged).map(|frame| u64::from(frame.bytes())).sum()
        };
        self.buffers.egress.numbered().all(|(number, bytes)| sum(number) == *bytes)
    }

    fn bridge_at(&self, queue: QueueNo) -> BridgeNo {
        let (_, port, _) = self.core.place_of(queue);
        self.buffers.bridge_of[port]
    }

    /// The use of each bridge's buffer.
    pub(in crate::network) fn outcomes(&self) -> impl Iterator<Item = SharedBufferOutcome> {
        self.buffers.pools.iter().map(Pool::outcome)
    }

    /// Bytes used by counters.
    pub(in super::super) fn counter_bytes(&self) -> usize {
        let buffers = &self.buffers;
        buffers.headroom.len() * size_of::<Headroom>()
            + buffers.egress.len() * size_of::<u64>()
            + buffers.pools.len() * size_of::<Pool>()
    }

    /// The largest number of bytes at which an input could release its sender, if other users of its pool kept only the given
    /// amounts of shared space and freed the rest.
    pub(in crate::network) fn release_level(
        &self,
        (input, counter): (PortNo, usize),
        stuck: &[(PortNo, u64)],
    ) -> u64 {
        let (buffers, reserve) = (&self.buffers, self.buffers.rules.reserve.get());
        let bridge = buffers.bridge_of[input];
        let of_bridge = stuck.iter().filter(|(other, _)| buffers.bridge_of[*other] == bridge);
        let kept: u64 = of_bridge.map(|(_, bytes)| bytes.saturating_sub(reserve)).sum();
        let threshold =
            buffers.pools[bridge].threshold_with(self.user_of(Account { input, counter }).alpha, kept);
        reserve + threshold.saturating_sub(buffers.rules.resume_offset.get())
    }
}
