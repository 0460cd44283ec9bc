//! Rate limiters of stations: notifications, byte counters and timers change the pace of lanes.

use setpoint_control::{Backlog, Notification, PointId, ReactionPoint, ReactionPointParams, Update};
use setpoint_units::{Bytes, Rate};

use super::Network;
use super::lane::{LaneState, Limiter};
use crate::events::Event;
use crate::frame::{Frame, InFlight};

impl Network {
    /// Handles the arrival of a notification at its flow's station.
    pub(super) fn receive_notification(&mut self, frame: Frame) {
        let flow = &mut self.flows[frame.flow as usize];
        flow.books.notifications += 1;
        flow.limiters.first_notified.get_or_insert(self.now);
        if self.rules.reaction_delay.is_zero() {
            self.react(&frame);
        } else {
            let at = self.now + self.rules.reaction_delay;
            self.reacting.push_back(InFlight { at, frame });
            self.events.push(at, Event::React(0));
        }
    }

    /// Processes the notification whose reaction delay has passed.
    pub(super) fn react_to_next(&mut self) {
        if let Some(InFlight { frame, .. }) = self.reacting.pop_front() {
            self.react(&frame);
        }
    }

    fn react(&mut self, frame: &Frame) {
        let (notification, from) = frame.notification_content();
        if self.is_free_after(frame.flow, from, &notification) {
            return;
        }
        let Some(lane) = self.limited_lane(frame.flow) else { return };
        let now = self.lanes[lane as usize].clock.reading(self.now);
        let Some(limiter) = &mut self.lanes[lane as usize].limiter else { return };
        limiter.reaction_point.on_notification(now, from, &notification, &mut limiter.entropy);
        self.arm_timer(lane);
        self.apply_rate(lane);
        // A reaction point that ignores notifications gives its limiter back at once.
        self.release_if_idle(lane, Backlog::Waiting);
    }

    /// Whether a flow without a limiter still needs none after a notification, because the notification asks
    /// for a higher rate.
    fn is_free_after(&self, flow: u32, from: PointId, notification: &Notification) -> bool {
        let lane = &self.lanes[self.flows[flow as usize].lane as usize];
        if lane.limiter.is_some() {
            return false;
        }
        let now = lane.clock.reading(self.now);
        let mut trial = self.reaction_point(flow);
        trial.on_notification(
            now,
            from,
            notification,
            &mut self.flows[flow as usize].limiters.entropy.clone(),
        );
        trial.may_release(Backlog::Waiting)
    }

    /// Creates a reaction point for a flow.
    fn reaction_point(&self, flow: u32) -> ReactionPoint {
        let station = self.lanes[flow as usize].station;
        let line = self.ports[self.stations[station as usize].port as usize].nominal_rate();
        if self.groups.receivers_of(flow).is_empty() {
            ReactionPoint::new(&self.reaction_params, line)
        } else {
            ReactionPoint::for_group(&self.reaction_params, &self.rules.group, line)
        }
    }

    /// The limited lane of a flow that has just been notified: its own if the station has a free limiter,
    /// otherwise one of those in use by its class; `None` if nothing is limited.
    fn limited_lane(&mut self, flow: u32) -> Option<u32> {
        let current = self.flows[flow as usize].lane;
        if self.lanes[current as usize].limiter.is_some() {
            return Some(current);
        }
        if self.rules.limiters == 0 || self.reaction_params == ReactionPointParams::None {
            return None;
        }
        let class = self.lanes[current as usize].class;
        let station = &mut self.stations[self.lanes[current as usize].station as usize];
        let in_use = |lane: &&u32| self.lanes[**lane as usize].class == class;
        let candidates: Vec<u32> = station.limited.iter().filter(in_use).copied().collect();
        if candidates.len() >= self.rules.limiters as usize {
            let chosen = candidates[flow as usize % candidates.len()];
            self.join(flow, chosen);
            return Some(chosen);
        }
        station.limited.push(current);
        self.lanes[current as usize].limiter = Some(Box::new(Limiter {
            reaction_point: self.reaction_point(flow),
            entropy: self.flows[current as usize].limiters.entropy.clone(),
            timer_armed: None,
        }));
        Some(current)
    }

    /// Moves a flow from its home lane into a lane with a limiter.
    fn join(&mut self, flow: u32, lane: u32) {
        let home = &mut self.lanes[flow as usize];
        home.set_members(Vec::new());
        home.state = LaneState::Idle;
        self.flows[flow as usize].lane = lane;
        self.lanes[lane as usize].add_member(flow);
        self.reconsider(lane);
    }

    /// Reports a sent frame to the lane's limiter, if it has one.
    #[inline]
    pub(super) fn count_sent(&mut self, lane: u32, flow: u32, bytes: u16) -> Update {
        let entry = &mut self.lanes[lane as usize];
        let shared = entry.sole().is_none();
        let Some(limiter) = &mut entry.limiter else { return Update::Unchanged };
        let update = limiter.reaction_point.on_sent(Bytes::new(u64::from(bytes)), &mut limiter.entropy);
        if update == Update::Changed || shared {
            let rate = limiter.reaction_point.rate();
            entry.set_pace(self.flows[flow as usize].capped(rate), self.now);
        }
        update
    }

    /// Handles the timer event of a lane's reaction point, which may be early.
    pub(super) fn reaction_timer(&mut self, lane: u32) {
        let entry = &mut self.lanes[lane as usize];
        let shown = entry.clock.reading(self.now);
        let Some(limiter) = &mut entry.limiter else { return };
        if limiter.timer_armed != Some(self.now) {
            return;
        }
        limiter.timer_armed = None;
        let mut update = Update::Unchanged;
        if limiter.reaction_point.timer().is_some_and(|due| due <= shown) {
            update = limiter.reaction_point.on_timer(shown, &mut limiter.entropy);
        }
        self.arm_timer(lane);
        if update == Update::Changed {
            self.apply_rate(lane);
        }
        self.release_if_idle(lane, self.backlog(lane));
    }

    fn backlog(&self, lane: u32) -> Backlog {
        if self.lanes[lane as usize].state == LaneState::Idle { Backlog::Empty } else { Backlog::Waiting }
    }

    /// Schedules at most one event per timer: an event that fires early is rescheduled.
    fn arm_timer(&mut self, lane: u32) {
        let entry = &mut self.lanes[lane as usize];
        let Some(limiter) = &mut entry.limiter else { return };
        let Some(due) = limiter.reaction_point.timer().map(|due| entry.clock.time_of(due)) else { return };
        if limiter.timer_armed.is_none_or(|armed| armed > due) {
            limiter.timer_armed = Some(due);
            self.events.push(due.max(self.now), Event::ReactionTimer(lane));
        }
    }

    /// Sets a lane's pace to its limiter's rate and reschedules the pending departure.
    pub(super) fn apply_rate(&mut self, lane: u32) {
        let entry = &mut self.lanes[lane as usize];
        let Some(flow) = entry.current() else { return };
        let pace = match entry.limit() {
            Some(limit) => self.flows[flow as usize].capped(limit),
            None => self.flows[flow as usize].cap,
        };
        entry.set_pace(pace, self.now);
        self.reconsider(lane);
    }

    /// Gives reaction points new parameters; they keep their state, and those no longer needed are released.
    pub(super) fn set_reaction_params(&mut self, params: &ReactionPointParams) {
        let another = std::mem::discriminant(&self.reaction_params) != std::mem::discriminant(params);
        self.reaction_params = *params;
        self.rules.tags = params.tags();
        for lane in 0..self.lanes.len() as u32 {
            let Some(limiter) = &mut self.lanes[lane as usize].limiter else { continue };
            if *params == ReactionPointParams::None {
                self.release(lane);
                continue;
            }
            if another {
                self.flows[lane as usize].limiters.past += limiter.reaction_point.counters();
            }
            limiter.reaction_point.set_params(params);
            self.arm_timer(lane);
            self.apply_rate(lane);
            self.release_if_idle(lane, self.backlog(lane));
        }
    }

    /// Releases the limiter of a lane that no longer needs it; flows that joined the lane return to their
    /// home lanes.
    #[inline]
    pub(super) fn release_if_idle(&mut self, lane: u32, backlog: Backlog) {
        let Some(limiter) = &self.lanes[lane as usize].limiter else { return };
        if limiter.reaction_point.may_release(backlog) {
            self.release(lane);
        }
    }

    #[cold]
    fn release(&mut self, lane: u32) {
        let entry = &mut self.lanes[lane as usize];
        let Some(limiter) = entry.limiter.take() else { return };
        let members = entry.set_members(vec![lane]);
        let station = entry.station;
        self.flows[lane as usize].limiters.past += limiter.reaction_point.counters();
        self.flows[lane as usize].limiters.entropy = limiter.entropy;
        self.stations[station as usize].limited.retain(|&other| other != lane);
        for flow in members {
            self.flows[flow as usize].lane = flow;
            self.lanes[flow as usize].set_members(vec![flow]);
            self.apply_rate(flow);
        }
        self.apply_rate(lane);
    }
}

impl super::Flow {
    /// The smaller of a rate and the flow's cap.
    pub(super) fn capped(&self, rate: Rate) -> Option<Rate> {
        Some(self.cap.map_or(rate, |cap| cap.min(rate)))
    }
}
