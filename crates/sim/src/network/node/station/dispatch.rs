//! Independent messages: each gets its own sender and lane when it begins and gives them up when it has been sent.
//!
//! The flow itself keeps its home lane, from which no frame is sent: the lane becomes due when a message arrives, and starts
//! that message when its turn comes. Sender numbers are reused only by the same station, so that the order of its lanes does
//! not depend on anything that happens elsewhere.

use std::collections::BTreeMap;

use setpoint_control::{Limit, Pace, React};
use setpoint_units::{Rate, Time, TimeDelta};

use super::Stations;
use super::lane::{Lane, LaneState};
use super::sender::{Sender, SinceSample};
use crate::ids::FlowId;
use crate::index::{Conversation, LaneNo, SenderNo, StationNo};
use crate::network::node::context::Context;
use crate::sample::SourceSample;
use crate::traffic::source::{Message, Source, Supply};

/// The independent messages of the flows of a partition.
#[derive(Clone, Debug, Default)]
pub(in crate::network) struct Dispatch {
    /// The lowest number of a message's sender; lower numbers are senders of flows.
    first: u32,
    /// The flow of each message's sender, beginning with `first`.
    owners: Vec<SenderNo>,
    /// The messages of each flow that are being sent.
    active: BTreeMap<SenderNo, Active>,
    /// For each station, the senders that it can reuse.
    free: BTreeMap<StationNo, Vec<SenderNo>>,
}

/// The messages of a flow that are being sent.
#[derive(Clone, Debug, Default)]
struct Active {
    /// Number of messages that have begun.
    begun: u32,
    senders: BTreeMap<Conversation, SenderNo>,
}

impl Dispatch {
    /// The state before any message has begun; senders with numbers below `flows` belong to flows.
    pub(super) fn new(flows: usize) -> Self {
        Self { first: flows as u32, ..Self::default() }
    }

    /// The flow of a sender, if the sender belongs to a message.
    fn owner(&self, sender: SenderNo) -> Option<SenderNo> {
        self.owners.get(sender.0.checked_sub(self.first)? as usize).copied()
    }

    /// The flow of a message's sender; the sender itself if it belongs to a flow.
    pub(super) fn flow_of(&self, sender: SenderNo) -> SenderNo {
        self.owner(sender).unwrap_or(sender)
    }

    /// The sender of a flow's message, while the message is being sent.
    pub(super) fn sender_of(&self, flow: SenderNo, conversation: Conversation) -> Option<SenderNo> {
        self.active.get(&flow)?.senders.get(&conversation).copied()
    }

    /// The senders of a flow's active messages.
    pub(super) fn senders_of(&self, flow: SenderNo) -> impl Iterator<Item = SenderNo> {
        self.active.get(&flow).into_iter().flat_map(|active| active.senders.values().copied())
    }

    /// Bytes on the heap, excluding senders and lanes.
    pub(super) fn heap_bytes(&self) -> usize {
        let active: usize = self.active.values().map(|active| active.senders.len()).sum();
        self.owners.capacity() * size_of::<SenderNo>()
            + active * Self::BYTES_OF_ENTRY
            + self.free.values().map(|free| free.capacity() * size_of::<SenderNo>()).sum::<usize>()
    }

    /// The largest number of bytes that an entry takes in a tree of active messages, whose nodes are at least half full.
    const BYTES_OF_ENTRY: usize = 2 * (size_of::<Conversation>() + size_of::<SenderNo>()) + 8;

    /// The largest number of bytes that a message takes here. Lists double when they grow.
    pub(in crate::network) const BYTES_OF_MESSAGE: usize = 4 * size_of::<SenderNo>() + Self::BYTES_OF_ENTRY;
}

impl Stations {
    /// Starts messages of a flow that have arrived, up to the number that may be sent at the same time.
    #[cold]
    #[inline(never)]
    pub(super) fn dispatch(&mut self, cx: &mut Context, flow: SenderNo) {
        while self.next_of(cx, LaneNo::home_of(flow)) == Supply::Message {
            let Some(source) = self.senders[flow].source.begin_message() else { return };
            self.begin_message(cx, flow, source);
        }
    }

    fn begin_message(&mut self, cx: &mut Context, flow: SenderNo, source: Source) {
        let conversations = cx.routes.conversations();
        let (id, active) = (self.flow_of(flow), self.dispatch.active.entry(flow).or_default());
        let conversation = loop {
            let conversation = conversations.of_message(id, active.begun);
            active.begun = (active.begun + 1) % conversations.numbers();
            if !active.senders.contains_key(&conversation) {
                break conversation;
            }
        };
        let Sender { weight, cap, .. } = self.senders[flow];
        let Lane { station, class, .. } = self.lanes[LaneNo::home_of(flow)];
        let clock = self.stations[station].clock;
        let sender = self.place_for(station, flow);
        let lane = LaneNo::home_of(sender);
        self.dispatch.active.entry(flow).or_default().senders.insert(conversation, sender);
        let hop = cx.routes.way_of(conversation).0;
        self.senders[sender] = Sender { cap, ..Sender::new(source, conversation, lane, hop, weight) };
        self.lanes[lane] = Lane::new(station, class, Pace::new(cap.map(|cap| clock.rate(cap))));
        self.limit_from_start(cx, sender);
        let supply = self.next_of(cx, lane);
        self.place(cx, lane, supply);
    }

    /// A number for the sender of a message at a station.
    fn place_for(&mut self, station: StationNo, flow: SenderNo) -> SenderNo {
        let Dispatch { first, owners, free, .. } = &mut self.dispatch;
        if let Some(free) = free.get_mut(&station) {
            // The lane of a message that was cut off may still be in a ring of its station.
            let usable = |sender: &SenderNo| !self.lanes[LaneNo::home_of(*sender)].queued;
            if let Some(place) = free.iter().rposition(usable) {
                let sender = free.remove(place);
                owners[(sender.0 - *first) as usize] = flow;
                return sender;
            }
        }
        owners.push(flow);
        self.lanes.push(Lane::new(station, 0, Pace::new(None)));
        self.senders.push(self.senders[flow].clone())
    }

    /// Frees the sender of a message if it has been sent completely.
    #[inline(never)]
    pub(super) fn retire_if_sent(&mut self, cx: &mut Context, sender: SenderNo) {
        if self.senders[sender].source.is_exhausted() {
            self.retire(cx, sender);
        }
    }

    /// Adds the frames and bytes that a message has sent to those of its flow.
    pub(super) fn count_message(&mut self, sender: SenderNo) {
        let Sender { sent_frames, sent, .. } = &mut self.senders[sender];
        let (frames, bytes) = (std::mem::take(sent_frames), std::mem::take(sent));
        let flow = &mut self.senders[self.dispatch.flow_of(sender)];
        flow.sent_frames += frames;
        flow.sent += bytes;
    }

    /// Bytes that a flow has sent, including its messages.
    pub(in crate::network) fn sent_by(&self, flow: SenderNo) -> u64 {
        let messages = self.dispatch.senders_of(flow).map(|message| self.senders[message].sent);
        self.senders[flow].sent + messages.sum::<u64>()
    }

    /// Frees the sender of a message that has been sent completely or was cut off.
    #[cold]
    #[inline(never)]
    pub(super) fn retire(&mut self, cx: &mut Context, sender: SenderNo) {
        let Some(flow) = self.dispatch.owner(sender) else { return };
        let Some(active) = self.dispatch.active.get_mut(&flow) else { return };
        active.senders.remove(&self.senders[sender].conversation);
        self.count_message(sender);
        self.leave_lane(cx, sender);
        self.senders[flow].source.end_message(cx.now);
        self.reconsider(cx, LaneNo::home_of(flow));
    }

    /// Removes a message's sender from the lane in which it sends. A lane that other senders have joined remains until they
    /// have left it.
    fn leave_lane(&mut self, cx: &mut Context, sender: SenderNo) {
        let (current, home) = (self.senders[sender].lane, LaneNo::home_of(sender));
        let is_alone = self.lanes[current].has_only_resident();
        let others_stay = self.lanes[current].remove_member(sender);
        if current != home {
            self.lanes[home].come_home(sender);
            self.set_free(sender);
        }
        if others_stay {
            return self.apply_limit(cx, current);
        }
        self.release(cx, current);
        if is_alone {
            self.set_free(sender);
        }
    }

    /// Makes a message's sender available again once the message has been sent.
    pub(super) fn set_free(&mut self, sender: SenderNo) {
        let Some(flow) = self.dispatch.owner(sender) else { return };
        if let Some(limiters) = self.senders[sender].limiters.take() {
            self.limiters_of(flow).past += limiters.past;
        }
        let lane = &mut self.lanes[LaneNo::home_of(sender)];
        lane.park(LaneState::Idle);
        let station = lane.station;
        self.dispatch.free.entry(station).or_default().push(sender);
    }

    /// Cuts off all messages of a flow that are not completely sent.
    pub(super) fn cut_messages(&mut self, cx: &mut Context, flow: SenderNo) {
        let id = self.flow_of(flow);
        let senders: Vec<SenderNo> = self.dispatch.senders_of(flow).collect();
        for sender in senders {
            let Sender { source, sent, conversation, .. } = &mut self.senders[sender];
            let conversation = *conversation;
            if *sent > 0 {
                cx.cut_off(conversation, *sent);
            }
            source.take_waiting(cx.now, |message| cx.receivers.cut(id, conversation, message));
            source.stop(*sent, cx.now);
            self.retire(cx, sender);
        }
    }

    /// Removes the messages of a flow that have been offered by now but have sent nothing, and calls `visit` for each.
    pub(in crate::network) fn take_waiting(
        &mut self,
        flow: SenderNo,
        now: Time,
        mut visit: impl FnMut(Conversation, &Message),
    ) {
        let senders: Vec<SenderNo> = [flow].into_iter().chain(self.dispatch.senders_of(flow)).collect();
        for sender in senders {
            let Sender { source, conversation, .. } = &mut self.senders[sender];
            source.take_waiting(now, |message| visit(*conversation, message));
        }
    }

    /// The rate that is reported for a flow's limiter, if it has one. For independent messages, the lowest rate of their
    /// limiters.
    pub(in crate::network) fn reported_limit(&self, flow: SenderNo) -> Option<Rate> {
        let limit = |sender| self.lanes[self.senders[sender].lane].limit().map(Limit::reported);
        limit(flow).into_iter().chain(self.dispatch.senders_of(flow).filter_map(limit)).min()
    }

    /// The state of a flow's source, if it has received an acknowledgement, and the mean of the round-trip times since the last
    /// call.
    pub(in crate::network) fn take_source_sample(
        &mut self,
        id: FlowId,
        flow: SenderNo,
    ) -> Option<SourceSample> {
        let limiters = self.senders[flow].limiters.as_mut()?;
        if limiters.round_trips.acknowledgements == 0 {
            return None;
        }
        let SinceSample { acknowledgements, round_trips, marks } = std::mem::take(&mut limiters.since_sample);
        let round_trip = round_trips.checked_div(u128::from(acknowledgements)).map(|mean| {
            TimeDelta::from_picos(u64::try_from(mean).expect("a mean is at most the largest value"))
        });
        let senders = || [flow].into_iter().chain(self.dispatch.senders_of(flow));
        let window = |sender| match self.lanes[self.senders[sender].lane].limit() {
            Some(Limit::Window { bytes, .. }) => Some(bytes),
            _ => None,
        };
        let limiter = |sender| self.lanes[self.senders[sender].lane].limiter.as_ref();
        Some(SourceSample {
            flow: id,
            round_trip,
            window: senders().filter_map(window).reduce(|sum, bytes| sum + bytes),
            in_flight: senders().map(|sender| self.senders[sender].in_flight()).sum(),
            marks,
            load: senders().filter_map(limiter).filter_map(|limiter| limiter.reaction_point.load()).max(),
        })
    }

    /// Whether a sender belongs to an independent message.
    #[inline]
    pub(super) fn is_of_message(&self, sender: SenderNo) -> bool {
        sender.0 >= self.dispatch.first
    }
}
