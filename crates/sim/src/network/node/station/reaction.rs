//! Rate limiters of stations: feedback, byte counters and timers change the pace of lanes.
//!
//! If the limit is a window, the lane waits while the window is full. A frame that is lost without a reply would leave it full
//! forever, so bytes in flight are given up after a time-out ([`TIME_OUT`]), as if they had been acknowledged: the simulator
//! has no retransmission.

use setpoint_control::{
    Backlog, Feedback, Limit, Path, React, ReactionPoint, ReactionPointParams, SourceNeeds, Start, Update,
};
use setpoint_random::RandomStream;
use setpoint_units::{Bytes, Time, TimeDelta};

use super::Stations;
use super::lane::{Lane, LaneState, Limiter};
use super::sender::{Limiters, Sender};
use crate::clock::Clock;
use crate::controllers::MakeReactionPoint;
use crate::events::Event;
use crate::frame::{Frame, FrameKind, InFlight};
use crate::index::{Conversation, LaneNo, SenderNo, StationNo, Table};
use crate::network::node::context::{Context, Rules};
use crate::network::node::reports::Report;
use crate::spec::Reaction;

/// The time after which a sender gives up the bytes in flight: like the time-out of a RoCE adapter, it is long compared with
/// any round-trip time.
const TIME_OUT: TimeDelta = TimeDelta::from_millis(4);

/// The path of a flow in an idle network.
#[derive(Clone, Copy, Debug)]
pub(in crate::network) struct IdlePath {
    /// The base round-trip time.
    pub(in crate::network) rtt: TimeDelta,
    pub(in crate::network) bridges: u32,
}

impl Lane {
    /// Reports a frame sent by one of the lane's senders to the lane's limiter, if there is one.
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

impl Lane {
    /// Silences the lane if the window of its limiter is full, and lets it continue at its pace otherwise.
    #[inline(never)]
    pub(super) fn update_window(&mut self, cx: &mut Context, lane: LaneNo, sender: &Sender, clock: Clock) {
        let Some(limiter) = &mut self.limiter else { return };
        let full = |bytes: Bytes| sender.in_flight() >= bytes.get();
        let is_full = matches!(limiter.reaction_point.limit(), Limit::Window { bytes, .. } if full(bytes));
        match (limiter.full, is_full) {
            (None, true) => {
                limiter.full = Some((self.pace, cx.now + TIME_OUT));
                self.pace.set_limit(Some(Limit::Silent), cx.now);
                limiter.arm_timer(cx, lane, clock);
            }
            (Some((pace, _)), false) => {
                limiter.full = None;
                self.pace = pace;
            }
            _ => {}
        }
    }

    /// Sets its limit, which takes effect once the window is no longer full.
    fn set_limit(&mut self, limit: Option<Limit>, now: Time) {
        let held = self.limiter.as_mut().and_then(|limiter| limiter.full.as_mut());
        held.map_or(&mut self.pace, |(pace, _)| pace).set_limit(limit, now);
    }
}

impl Limiter {
    /// Schedules at most one event per timer: an event that fires early is rescheduled.
    fn arm_timer(&mut self, cx: &mut Context, lane: LaneNo, clock: Clock) {
        let timer = self.reaction_point.timer().map(|due| clock.time_of(due));
        let give_up_at = self.full.map(|(_, give_up_at)| give_up_at);
        let Some(due) = timer.into_iter().chain(give_up_at).min() else { return };
        if self.timer_armed.is_none_or(|armed| armed > due) {
            self.timer_armed = Some(due);
            cx.events.push(due.max(cx.now), Event::ReactionTimer(lane));
        }
    }
}

impl Stations {
    /// From now on, uses `make` to create reaction points in place of those given by the parameters.
    pub(in crate::network) fn make_reaction_points(&mut self, make: Option<MakeReactionPoint>) {
        self.make = make;
    }

    /// Handles the arrival of a notification, or of a receiver's congestion notification, at its flow's station.
    pub(super) fn receive_notification(&mut self, cx: &mut Context, station: StationNo, frame: Frame) {
        let limiters = self.limiters_of(self.sender_of(cx.routes.flow_of(frame)));
        limiters.notifications += 1;
        limiters.first_notified.get_or_insert(cx.now);
        self.react_later(cx, station, frame);
    }

    /// Reacts to a notification or reply after the reaction delay.
    fn react_later(&mut self, cx: &mut Context, station: StationNo, frame: Frame) {
        if cx.rules.reaction_delay.is_zero() {
            self.react(cx, frame);
        } else {
            let at = cx.now + cx.rules.reaction_delay;
            self.stations[station].reacting.push_back(InFlight { at, frame });
            cx.events.push(at, Event::React(station));
        }
    }

    /// Handles the arrival of a reply at its flow's station.
    #[inline(never)]
    pub(super) fn receive_reply(&mut self, cx: &mut Context, station: StationNo, frame: Frame) {
        if frame.report().is_none() {
            return self.receive_notification(cx, station, frame);
        }
        self.react_later(cx, station, frame);
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
    pub(in crate::network) fn react_to_next(&mut self, cx: &mut Context, station: StationNo) {
        if let Some(InFlight { frame, .. }) = self.stations[station].reacting.pop_front() {
            self.react(cx, frame);
        }
    }

    fn react(&mut self, cx: &mut Context, frame: Frame) {
        if frame.kind() == FrameKind::Notification {
            let (signal, from) = frame.signal_content();
            return self.react_to(cx, frame.conversation(), &signal.sent_by(from));
        }
        match cx.take_report(frame) {
            Some(report) => {
                self.react_to_report(cx, frame, &report);
                cx.reports.recycle(report);
            }
            None => self.react_to(cx, frame.conversation(), &Feedback::Congestion),
        }
    }

    /// Processes an acknowledgement.
    fn react_to_report(&mut self, cx: &mut Context, frame: Frame, report: &Report) {
        let flow = self.sender_of(cx.routes.flow_of(frame));
        self.limiters_of(flow).add_acknowledgement(cx.now - frame.sent_at(), report.mark());
        // A message may have been sent completely before its acknowledgement arrives.
        let Some(sender) = self.sender_in(cx, frame.conversation()) else { return };
        let sent_at = self.clock_of(LaneNo::home_of(sender)).reading(frame.sent_at());
        let content = report.acknowledgement(sent_at);
        let settled = &mut self.limiters_of(sender).settled;
        *settled = content.settled.get().max(*settled);
        if let Some(limiter) = &mut self.lanes[self.senders[sender].lane].limiter
            && let Some((_, give_up_at)) = &mut limiter.full
        {
            *give_up_at = cx.now + TIME_OUT;
        }
        let is_first = self.limiters_of(flow).round_trips.first_lowered.is_none();
        let before = if is_first { self.limit_of(sender) } else { None };
        self.react_to(cx, frame.conversation(), &Feedback::Acknowledgement(content));
        if is_first && self.is_lowered(sender, before) {
            self.limiters_of(flow).round_trips.first_lowered = Some(cx.now);
        }
    }

    /// The limit of a sender's limiter, if it has one.
    fn limit_of(&self, sender: SenderNo) -> Option<Limit> {
        let limiter = self.lanes[self.senders[sender].lane].limiter.as_ref();
        limiter.map(|limiter| limiter.reaction_point.limit())
    }

    /// Whether a sender's limit is lower than before.
    fn is_lowered(&self, sender: SenderNo, before: Option<Limit>) -> bool {
        self.limit_of(sender).is_some_and(|limit| before.is_none_or(|before| limit.is_below(before)))
    }

    fn react_to(&mut self, cx: &mut Context, conversation: Conversation, feedback: &Feedback<'_>) {
        // A message may have been sent completely before its notification arrives.
        let Some(sender) = self.sender_in(cx, conversation) else { return };
        if !self.is_limited_after(sender, feedback) {
            return;
        }
        let Some(lane) = self.limited_lane(cx, sender) else { return };
        let now = self.clock_of(lane).reading(cx.now);
        let Some(limiter) = &mut self.lanes[lane].limiter else { return };
        limiter.reaction_point.on_feedback(now, feedback, &mut limiter.entropy);
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

    /// Whether a flow has a limiter, or needs one after the given feedback. A point defined outside the simulator is
    /// always created, since only the point itself can decide.
    fn is_limited_after(&self, sender: SenderNo, feedback: &Feedback<'_>) -> bool {
        let lane = &self.lanes[self.senders[sender].lane];
        lane.limiter.is_some() || self.make.is_some() || self.reaction_params.limits(feedback)
    }

    /// Creates a reaction point for a sender.
    fn reaction_point(&self, cx: &Context, sender: SenderNo) -> ReactionPoint {
        let path = self.path_of(sender);
        if let Some(make) = &self.make {
            return ReactionPoint::custom(make(&path));
        }
        if cx.groups.receivers_of(self.flow_of(sender)).is_empty() {
            ReactionPoint::new(&self.reaction_params, &path)
        } else {
            ReactionPoint::for_group(&self.reaction_params, &cx.rules.group, path.line_rate)
        }
    }

    /// The path of a sender's flow.
    fn path_of(&self, sender: SenderNo) -> Path {
        let station = self.lanes[LaneNo::home_of(sender)].station;
        let line_rate = self.stations[station].port.nominal_rate();
        if self.idle_paths.len() == 0 {
            return Path::at(line_rate);
        }
        let frame = Bytes::new(u64::from(self.senders[sender].source.frame_bytes()));
        let IdlePath { rtt: base_rtt, bridges } = self.idle_paths[self.dispatch.flow_of(sender)];
        Path { line_rate, base_rtt, largest_rtt: self.largest_rtt, bridges, frame }
    }

    /// Sets the paths of the senders' flows, and the largest base round-trip time in the network.
    pub(in crate::network) fn set_idle_paths(
        &mut self,
        paths: Table<SenderNo, IdlePath>,
        largest_rtt: TimeDelta,
    ) {
        (self.idle_paths, self.largest_rtt) = (paths, largest_rtt);
    }

    /// Gives a starting sender a limiter if its reaction point needs one before the first frame. Background traffic
    /// gets no limiter.
    pub(super) fn limit_from_start(&mut self, cx: &mut Context, sender: SenderNo) {
        if cx.rules.sources.start == Start::FirstFeedback
            || cx.routes.facts(self.flow_of(sender)).reaction == Reaction::Uncontrolled
        {
            return;
        }
        if let Some(lane) = self.limited_lane(cx, sender) {
            self.arm_timer(cx, lane);
            self.apply_limit(cx, lane);
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
        // Windows are kept for each flow, so flows do not share them.
        if candidates.len() >= cx.rules.limiters as usize && !cx.rules.sources.window {
            let chosen = candidates[number % candidates.len()];
            self.join(cx, sender, chosen);
            return Some(chosen);
        }
        station.limited.push(current);
        self.lanes[current].limiter = Some(Box::new(Limiter {
            reaction_point: self.reaction_point(cx, sender),
            entropy: self.entropy_of(current.resident()),
            timer_armed: None,
            full: None,
        }));
        self.lanes[current].has_window = cx.rules.sources.window;
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
    pub(in crate::network) fn reaction_timer(&mut self, cx: &mut Context, lane: LaneNo) {
        let shown = self.clock_of(lane).reading(cx.now);
        let Some(limiter) = &mut self.lanes[lane].limiter else { return };
        if limiter.timer_armed != Some(cx.now) {
            return;
        }
        limiter.timer_armed = None;
        if limiter.full.is_some_and(|(_, give_up_at)| give_up_at <= cx.now) {
            self.give_up(cx, lane);
        }
        let Some(limiter) = &mut self.lanes[lane].limiter else { return };
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

    /// Treats the bytes that a lane has in flight as acknowledged.
    #[cold]
    fn give_up(&mut self, cx: &mut Context, lane: LaneNo) {
        let sender = lane.resident();
        let sent = self.senders[sender].sent;
        self.limiters_of(sender).settled = sent;
        self.apply_limit(cx, lane);
    }

    /// The clock of a lane's station.
    fn clock_of(&self, lane: LaneNo) -> Clock {
        self.stations[self.lanes[lane].station].clock
    }

    fn backlog(&self, lane: LaneNo) -> Backlog {
        if self.lanes[lane].state == LaneState::Idle { Backlog::Empty } else { Backlog::Waiting }
    }

    fn arm_timer(&mut self, cx: &mut Context, lane: LaneNo) {
        let clock = self.clock_of(lane);
        if let Some(limiter) = &mut self.lanes[lane].limiter {
            limiter.arm_timer(cx, lane, clock);
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
        entry.set_limit(limit.map(|limit| clock.limit(limit)), cx.now);
        if entry.has_window {
            entry.update_window(cx, lane, &self.senders[sender], clock);
        }
        self.reconsider(cx, lane);
    }

    /// Gives reaction points new parameters; they keep their state, and those no longer needed are released.
    pub(in crate::network) fn set_reaction_params(&mut self, cx: &mut Context, params: &ReactionPointParams) {
        let another = std::mem::discriminant(&self.reaction_params) != std::mem::discriminant(params);
        self.reaction_params = *params;
        let Rules { bridges, answers, sources, .. } = cx.rules;
        // Telemetry cannot be turned on during a run, because the tags of frames in flight are not report numbers.
        let telemetry = params.needs().telemetry && sources.telemetry;
        cx.rules = cx.rules.with_needs(bridges, answers, SourceNeeds { telemetry, ..params.needs() });
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
            let path = self.path_of(lane.resident());
            let Some(limiter) = &mut self.lanes[lane].limiter else { continue };
            limiter.reaction_point.set_params(params, &path);
            self.lanes[lane].has_window |= params.needs().window;
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
        entry.has_window = false;
        if let Some((pace, _)) = limiter.full {
            entry.pace = pace;
        }
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
