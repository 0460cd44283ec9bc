//! Rate limiters of stations: notifications, byte counters and timers change the pace of lanes.

use setpoint_control::{Backlog, Feedback, Limit, React, ReactionPoint, ReactionPointParams, Update};
use setpoint_random::RandomStream;
use setpoint_units::{Bytes, Time};

use super::super::context::Context;
use super::Stations;
use super::lane::{Lane, LaneState, Limiter};
use super::sender::{Limiters, Sender};
use crate::clock::Clock;
use crate::controllers::MakeReactionPoint;
use crate::events::Event;
use crate::frame::{Frame, InFlight};
use crate::index::{Conversation, LaneNo, SenderNo, StationNo};

impl Lane {
    /// Reports to the lane's limiter, if there is one, that one of the lane's senders has sent a frame.
    #[inline(always)]
    pub(super) fn count_sent(&mut self, now: Time, bytes: u16, clock: Clock, sender: &Sender) -> Update {
        let shared = !self.has_only_resident();
        let Some(limiter) = &mut self.limiter else { return Update::Unchanged };
        let update = limiter.reaction_point.on_sent(Bytes::new(u64::from(bytes)), &mut limiter.entropy);
        if update == Update::Changed || shared {
            let limit = sender.capped(limiter.reaction_point.limit());
            self.pace.set_limit(Some(clock.limit(limit)), now);
        }
        update
    }
}

impl Stations {
    /// From now on, uses `make` to create reaction points in place of those given by the parameters.
    pub(in super::super) fn make_reaction_points(&mut self, make: Option<MakeReactionPoint>) {
        self.make = make;
    }

    /// Handles the arrival of a notification at its flow's station.
    pub(super) fn receive_notification(&mut self, cx: &mut Context, station: StationNo, frame: Frame) {
        let limiters = self.limiters_of(self.sender_of(cx.routes.flow_of(frame)));
        limiters.notifications += 1;
        limiters.first_notified.get_or_insert(cx.now);
        if cx.rules.reaction_delay.is_zero() {
            self.react(cx, frame);
        } else {
            let at = cx.now + cx.rules.reaction_delay;
            self.stations[station].reacting.push_back(InFlight { at, frame });
            cx.events.push(at, Event::React(station));
        }
    }

    /// State that the limiters of a sender share.
    pub(super) fn limiters_of(&mut self, sender: SenderNo) -> &mut Limiters {
        let (seed, conversation) = (self.seed, self.senders[sender].conversation);
        self.senders[sender].limiters.get_or_insert_with(|| Box::new(Limiters::new(seed, conversation)))
    }

    /// The random stream for the next limiter of a sender.
    fn entropy_of(&self, sender: SenderNo) -> RandomStream {
        let Sender { conversation, limiters, .. } = &self.senders[sender];
        limiters.as_ref().map_or_else(
            || Limiters::new(self.seed, *conversation).entropy,
            |limiters| limiters.entropy.clone(),
        )
    }

    /// Processes the notification whose reaction delay has passed.
    pub(in super::super) fn react_to_next(&mut self, cx: &mut Context, station: StationNo) {
        if let Some(InFlight { frame, .. }) = self.stations[station].reacting.pop_front() {
            self.react(cx, frame);
        }
    }

    fn react(&mut self, cx: &mut Context, frame: Frame) {
        let (signal, from) = frame.signal_content();
        let feedback = signal.sent_by(from);
        // A message may have been sent completely before its notification arrives.
        let Some(sender) = self.sender_in(cx, frame.conversation()) else { return };
        if !self.is_limited_after(sender, &feedback) {
            return;
        }
        let Some(lane) = self.limited_lane(cx, sender) else { return };
        let now = self.clock_of(lane).reading(cx.now);
        let Some(limiter) = &mut self.lanes[lane].limiter else { return };
        limiter.reaction_point.on_feedback(now, &feedback, &mut limiter.entropy);
        self.arm_timer(cx, lane);
        self.apply_limit(cx, lane);
        // A reaction point that ignores notifications releases its limiter at once.
        self.release_if_idle(cx, lane, Backlog::Waiting);
    }

    /// The sender of a conversation, if the conversation is still being sent.
    fn sender_in(&self, cx: &Context, conversation: Conversation) -> Option<SenderNo> {
        let flow = cx.routes.conversations().flow_of(conversation);
        let sender = self.sender_of(flow);
        if conversation == Conversation::of_flow(flow) {
            return Some(sender);
        }
        self.dispatch.sender_of(sender, conversation)
    }

    /// Whether a flow has a limiter, or needs one after the given feedback. A point defined outside the simulator decides
    /// for itself once it exists.
    fn is_limited_after(&self, sender: SenderNo, feedback: &Feedback) -> bool {
        let lane = &self.lanes[self.senders[sender].lane];
        lane.limiter.is_some() || self.make.is_some() || self.reaction_params.limits(feedback)
    }

    /// Creates a reaction point for a sender.
    fn reaction_point(&self, cx: &Context, sender: SenderNo) -> ReactionPoint {
        let station = self.lanes[LaneNo::home_of(sender)].station;
        let line = self.stations[station].port.nominal_rate();
        if let Some(make) = &self.make {
            return ReactionPoint::custom(make(line));
        }
        if cx.groups.receivers_of(self.flow_of(sender)).is_empty() {
            ReactionPoint::new(&self.reaction_params, line)
        } else {
            ReactionPoint::for_group(&self.reaction_params, &cx.rules.group, line)
        }
    }

    /// The limited lane of a flow that has just been notified: its own lane if the station has a free
    /// limiter, otherwise a lane of its class that has one; `None` if there are no limiters.
    fn limited_lane(&mut self, cx: &mut Context, sender: SenderNo) -> Option<LaneNo> {
        let current = self.senders[sender].lane;
        if self.lanes[current].limiter.is_some() {
            return Some(current);
        }
        if cx.rules.limiters == 0 || self.reaction_params == ReactionPointParams::None {
            return None;
        }
        let (class, number) = (self.lanes[current].class, self.senders[sender].conversation.0 as usize);
        let station = &mut self.stations[self.lanes[current].station];
        let in_use = |lane: &&LaneNo| self.lanes[**lane].class == class;
        let candidates: Vec<LaneNo> = station.limited.iter().filter(in_use).copied().collect();
        if candidates.len() >= cx.rules.limiters as usize {
            let chosen = candidates[number % candidates.len()];
            self.join(cx, sender, chosen);
            return Some(chosen);
        }
        station.limited.push(current);
        self.lanes[current].limiter = Some(Box::new(Limiter {
            reaction_point: self.reaction_point(cx, sender),
            entropy: self.entropy_of(current.resident()),
            timer_armed: None,
        }));
        Some(current)
    }

    /// Moves a sender from its home lane into a lane with a limiter.
    fn join(&mut self, cx: &mut Context, sender: SenderNo, lane: LaneNo) {
        let home = &mut self.lanes[LaneNo::home_of(sender)];
        home.leave();
        home.state = LaneState::Idle;
        self.senders[sender].lane = lane;
        self.lanes[lane].add_member(lane.resident(), sender);
        self.reconsider(cx, lane);
    }

    /// Handles the timer event of a lane's reaction point, which may fire early.
    pub(in super::super) fn reaction_timer(&mut self, cx: &mut Context, lane: LaneNo) {
        let shown = self.clock_of(lane).reading(cx.now);
        let entry = &mut self.lanes[lane];
        let Some(limiter) = &mut entry.limiter else { return };
        if limiter.timer_armed != Some(cx.now) {
            return;
        }
        limiter.timer_armed = None;
        let mut update = Update::Unchanged;
        if limiter.reaction_point.timer().is_some_and(|due| due <= shown) {
            update = limiter.reaction_point.on_timer(shown, &mut limiter.entropy);
        }
        self.arm_timer(cx, lane);
        if update == Update::Changed {
            self.apply_limit(cx, lane);
        }
        self.release_if_idle(cx, lane, self.backlog(lane));
    }

    /// The clock of a lane's station.
    fn clock_of(&self, lane: LaneNo) -> Clock {
        self.stations[self.lanes[lane].station].clock
    }

    fn backlog(&self, lane: LaneNo) -> Backlog {
        if self.lanes[lane].state == LaneState::Idle { Backlog::Empty } else { Backlog::Waiting }
    }

    /// Schedules at most one event per timer: an event that fires early is rescheduled.
    fn arm_timer(&mut self, cx: &mut Context, lane: LaneNo) {
        let clock = self.clock_of(lane);
        let Some(limiter) = &mut self.lanes[lane].limiter else { return };
        let Some(due) = limiter.reaction_point.timer().map(|due| clock.time_of(due)) else { return };
        if limiter.timer_armed.is_none_or(|armed| armed > due) {
            limiter.timer_armed = Some(due);
            cx.events.push(due.max(cx.now), Event::ReactionTimer(lane));
        }
    }

    /// Sets a lane's pace to its limit and reschedules the pending departure.
    pub(super) fn apply_limit(&mut self, cx: &mut Context, lane: LaneNo) {
        let clock = self.clock_of(lane);
        let entry = &mut self.lanes[lane];
        let Some(sender) = entry.current(lane) else { return };
        let limit = match entry.limit() {
            Some(limit) => Some(self.senders[sender].capped(limit)),
            None => self.senders[sender].cap.map(Limit::Rate),
        };
        entry.pace.set_limit(limit.map(|limit| clock.limit(limit)), cx.now);
        self.reconsider(cx, lane);
    }

    /// Gives reaction points new parameters; they keep their state, and those no longer needed are released.
    pub(in super::super) fn set_reaction_params(&mut self, cx: &mut Context, params: &ReactionPointParams) {
        let another = std::mem::discriminant(&self.reaction_params) != std::mem::discriminant(params);
        self.reaction_params = *params;
        cx.rules.tags = params.tags();
        for lane in self.lanes.numbers() {
            let Some(limiter) = &mut self.lanes[lane].limiter else { continue };
            if *params == ReactionPointParams::None {
                self.release(cx, lane);
                continue;
            }
            if another {
                let counters = limiter.reaction_point.counters();
                self.limiters_of(lane.resident()).past += counters;
            }
            let Some(limiter) = &mut self.lanes[lane].limiter else { continue };
            limiter.reaction_point.set_params(params);
            self.arm_timer(cx, lane);
            self.apply_limit(cx, lane);
            self.release_if_idle(cx, lane, self.backlog(lane));
        }
    }

    /// Releases the limiter of a lane that no longer needs it; flows that joined the lane return to their
    /// home lanes.
    #[inline]
    pub(super) fn release_if_idle(&mut self, cx: &mut Context, lane: LaneNo, backlog: Backlog) {
        let Some(limiter) = &self.lanes[lane].limiter else { return };
        if limiter.reaction_point.may_release(backlog) {
            self.release(cx, lane);
        }
    }

    #[cold]
    pub(super) fn release(&mut self, cx: &mut Context, lane: LaneNo) {
        let resident = lane.resident();
        let entry = &mut self.lanes[lane];
        let Some(limiter) = entry.limiter.take() else { return };
        let members = entry.come_home(resident);
        let station = entry.station;
        let limiters = self.limiters_of(resident);
        limiters.past += limiter.reaction_point.counters();
        limiters.entropy = limiter.entropy;
        self.stations[station].limited.retain(|&other| other != lane);
        let resident_is_gone = !members.contains(&resident);
        for sender in members {
            let home = LaneNo::home_of(sender);
            self.senders[sender].lane = home;
            self.lanes[home].come_home(sender);
            self.apply_limit(cx, home);
        }
        self.apply_limit(cx, lane);
        if resident_is_gone {
            self.set_free(resident);
        }
    }
}
