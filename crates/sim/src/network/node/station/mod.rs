//! End stations: lanes take turns at a station's port, and limiters set their pace.
//!
//! Lanes of one class share the port by bytes in proportion to their weights (deficit round robin);
//! [`Schedule`] decides which lane is next.

mod ahead;
mod build;
mod dependents;
mod dispatch;
mod failures;
mod lane;
mod pending;
mod reaction;
mod reply;
mod schedule;
mod sender;
mod view;

use setpoint_control::{Backlog, ReactionPointParams, Update};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

use crate::clock::Clock;
use crate::controllers::MakeReactionPoint;
use crate::events::Event;
use crate::frame::{Frame, FrameKind, InFlight, PauseCommand};
use crate::ids::{FlowId, PortId};
use crate::index::{Conversation, LaneNo, SenderNo, StationNo, Table};
use crate::network::node::context::Context;
use crate::network::node::followers::Followers;
use crate::network::node::pause::{PauseEffect, PauseState};
use crate::network::node::places::Ends;
use crate::network::node::port::Port;
use crate::network::node::traces::Content;
use crate::ring::Ring;
use crate::traffic::source::Supply;

pub(in crate::network) use dispatch::Dispatch;
pub(in crate::network) use lane::{Lane, Limiter};
pub(in crate::network) use reaction::IdlePath;
pub(in crate::network) use sender::{Limiters, Sender};

use lane::LaneState;
use schedule::{Schedule, Turn};

/// The lanes of stations: one per sender, which is its home.
type Lanes = Table<LaneNo, Lane>;

/// The stations of a partition.
pub(in crate::network) struct Stations {
    stations: Table<StationNo, Station>,
    lanes: Lanes,
    ends: Ends<SenderNo>,
    /// Senders in the order of their flows, followed by the senders of independent messages.
    senders: Table<SenderNo, Sender>,
    dispatch: Dispatch,
    reaction_params: ReactionPointParams,
    /// Makes reaction points that replace those given by the parameters.
    make: Option<MakeReactionPoint>,
    /// The paths of the senders' flows; empty if no reaction point reads them.
    idle_paths: Table<SenderNo, IdlePath>,
    /// The largest base round-trip time in the network.
    largest_rtt: TimeDelta,
    /// The seed of the run.
    seed: u64,
    /// The messages that wait for other messages.
    followers: Followers,
}

/// A station. The fields that every frame needs come first.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(in crate::network) struct Station {
    port: Port,
    schedule: Schedule,
    /// The time at which its valid [`Event::Send`] is due; any other event of this kind that fires is outdated.
    armed: Time,
    /// Bytes a lane of weight 1 may send per turn.
    quantum: u64,
    /// Its clock, which drives its pacing and the timers of its limiters.
    clock: Clock,
    /// Lanes with a rate limiter.
    limited: Vec<LaneNo>,
    /// Notifications and replies waiting for the reaction delay.
    reacting: Ring<InFlight>,
    /// Its receivers' replies waiting for the port.
    replies: Ring<Frame>,
    pause_state: PauseState,
}

impl Context {
    /// Takes a frame from a source that is not endless. Like the next function, it is not inlined, because inlining would
    /// slow down the common case.
    #[inline(never)]
    fn take_from(&mut self, sender: &mut Sender, length: Bytes) {
        if sender.source.take(length) {
            self.announce_message(sender);
        }
    }

    /// Announces the message that began with the frame just taken, if any.
    #[inline(never)]
    fn announce_message(&mut self, sender: &mut Sender) {
        if let Some(message) = sender.source.begun_message(self.now) {
            self.expect(sender.conversation, message);
        }
    }
}

impl Stations {
    /// Handles all frames that have arrived over a link to a station by now.
    pub(in crate::network) fn arrive(&mut self, cx: &mut Context, link: PortId, station: StationNo) {
        while let Some(InFlight { at, frame }) = cx.land_due(link) {
            match frame.kind() {
                FrameKind::Data => {
                    cx.receivers.deliver(&mut cx.groups, frame, at);
                    if frame.requests_reply() {
                        self.answer(cx, station, frame, at);
                    }
                    if frame.ends_message() {
                        self.follow_arrival(cx, link, frame, at);
                    }
                }
                FrameKind::Notification => self.receive_notification(cx, station, frame),
                FrameKind::Reply => self.receive_reply(cx, station, frame),
                FrameKind::Pause => self.receive_pause(cx, station, frame),
                FrameKind::Lost => {}
            }
        }
    }

    /// Sends if the station's port is free and a frame is due.
    #[inline]
    pub(in crate::network) fn send<const EXTRAS: bool>(&mut self, cx: &mut Context, number: StationNo) {
        let station = &mut self.stations[number];
        if station.armed != cx.now {
            return;
        }
        station.armed = Time::MAX;
        if !(EXTRAS && cx.rules.answers() && self.send_reply(cx, number))
            && let Some(lane) = self.next_lane(cx, number)
        {
            self.send_from::<EXTRAS>(cx, number, lane);
        }
        self.kick::<EXTRAS>(cx, number);
    }

    /// Schedules the station's next transmission.
    #[inline(always)]
    fn kick<const EXTRAS: bool>(&mut self, cx: &mut Context, number: StationNo) {
        let station = &mut self.stations[number];
        let port = &station.port;
        let due = station.schedule.due(&self.lanes, port.paused, cx.now);
        // Replies come before data.
        let due =
            if EXTRAS && cx.rules.answers() && station.next_reply().is_some() { Some(cx.now) } else { due };
        let Some(due) = due else { return };
        let due = due.max(port.free_at).max(cx.now);
        if due < station.armed {
            station.armed = due;
            cx.events.push(due, Event::Send(number));
        }
    }

    /// Re-evaluates a lane after its traffic, pace or members changed.
    fn reconsider(&mut self, cx: &mut Context, lane: LaneNo) {
        let supply = self.next_of(cx, lane);
        self.place(cx, lane, supply);
        self.kick::<true>(cx, self.lanes[lane].station);
    }

    /// The next lane that has credit for a frame.
    // Always inlined: calls of this function and of `dequeue` of bridges take 1 % of the instructions of a run under PFC.
    #[inline(always)]
    fn next_lane(&mut self, cx: &Context, number: StationNo) -> Option<LaneNo> {
        loop {
            let station = &mut self.stations[number];
            match station.schedule.next(&mut self.lanes, station.port.paused, cx.now)? {
                Turn::Alone(lane) => return Some(lane),
                Turn::Contended(lane) if self.has_credit(cx, number, lane) => return Some(lane),
                Turn::Contended(lane) => {
                    self.stations[number].schedule.end_turn(lane, &mut self.lanes[lane]);
                }
            }
        }
    }

    /// Whether a lane may send in this turn; if not, gives it credit for its next turn.
    fn has_credit(&mut self, cx: &Context, station: StationNo, lane: LaneNo) -> bool {
        let Supply::Frame(bytes) = self.next_of(cx, lane) else { return true };
        let entry = &mut self.lanes[lane];
        if entry.credit >= bytes.get() {
            return true;
        }
        let Some(sender) = entry.current(lane) else { return true };
        let weight = u64::from(self.senders[sender].weight);
        entry.credit += weight * self.stations[station].quantum;
        false
    }

    /// Sends one frame of a lane and reschedules the lane.
    #[inline]
    fn send_from<const EXTRAS: bool>(&mut self, cx: &mut Context, number: StationNo, lane: LaneNo) {
        let Supply::Frame(length) = self.next_of(cx, lane) else { return self.send_nothing(cx, lane) };
        let (station, entry) = (&mut self.stations[number], &mut self.lanes[lane]);
        let Some(sender) = entry.current(lane) else { return };
        let (from, bytes) = (&mut self.senders[sender], length.get() as u16);
        if !from.source.is_endless() {
            cx.take_from(from, length);
        }
        from.sent_frames += 1;
        from.sent += length.get();
        let mut frame = Frame::data(from.conversation, from.hop, bytes, entry.class, cx.now);
        let mut message = None;
        if EXTRAS && cx.rules.labels {
            (frame, message) = Self::labelled(cx, entry, from, frame);
        }
        station.port.transmit(cx, frame, cx.now);
        let ended = station.port.free_at;
        station.schedule.charge(entry.class, length + cx.rules.overhead);
        entry.credit = entry.credit.saturating_sub(length.get());
        let update = entry.count_sent(cx.now, bytes, station.clock, from);
        entry.pace.charge((length + cx.rules.overhead).get(), cx.now);
        if EXTRAS && entry.has_window {
            entry.update_window(cx, lane, from, station.clock);
        }
        let supply = if entry.has_only_resident() {
            from.source.supply(cx.now)
        } else {
            entry.set_turn(entry.turn() + 1);
            self.next_of_several(cx, lane)
        };
        let backlog = if matches!(supply, Supply::Frame(_)) { Backlog::Waiting } else { Backlog::Empty };
        if update == Update::Changed || backlog == Backlog::Empty {
            self.release_if_idle(cx, lane, backlog);
        }
        self.place(cx, lane, supply);
        if EXTRAS && let Some(number) = message {
            self.follow_departure(cx, sender, number, ended);
        }
        if self.is_of_message(sender) {
            self.retire_if_sent(cx, sender);
        }
    }

    /// Adds the data that this run requires to a frame of a lane. If the frame ends a message for which other messages may wait,
    /// also returns the message's number.
    #[inline(never)]
    fn labelled(cx: &mut Context, lane: &Lane, sender: &Sender, frame: Frame) -> (Frame, Option<u32>) {
        let frame = lane.labelled(cx, frame);
        if cx.rules.dependents {
            (Self::flagged(cx, sender, frame), sender.source.message_sent())
        } else {
            (frame, None)
        }
    }

    /// Reschedules a lane that has no frame to send, and starts the messages of its flow that have arrived.
    #[cold]
    fn send_nothing(&mut self, cx: &mut Context, lane: LaneNo) {
        let mut supply = self.next_of(cx, lane);
        if supply == Supply::Message
            && let Some(sender) = self.lanes[lane].current(lane)
        {
            self.dispatch(cx, sender);
            supply = self.next_of(cx, lane);
        }
        self.place(cx, lane, supply);
    }

    /// Makes a lane ready, pending, idle or silent.
    #[inline(always)]
    fn place(&mut self, cx: &Context, lane: LaneNo, supply: Supply) {
        let entry = &mut self.lanes[lane];
        let (supplied, bytes) = match supply {
            Supply::Frame(bytes) => (Time::ZERO, bytes.get() as u16),
            Supply::Message => (Time::ZERO, 0),
            Supply::NotBefore(at) => (at, 0),
            Supply::None => return entry.park(LaneState::Idle),
        };
        let Some(eligible) = entry.pace.eligible() else { return entry.park(LaneState::Silent) };
        let due = eligible.max(supplied);
        let schedule = &mut self.stations[entry.station].schedule;
        if due > cx.now {
            schedule.make_pending(lane, entry, due);
        } else {
            schedule.make_ready(lane, entry, bytes, cx.now);
        }
    }

    /// The next supply of a lane with several senders: starting with the sender whose turn it is, the first one that has a
    /// frame gets the turn.
    #[inline(always)]
    fn next_of(&mut self, cx: &Context, lane: LaneNo) -> Supply {
        if self.lanes[lane].has_only_resident() {
            return self.senders[lane.resident()].source.supply(cx.now);
        }
        self.next_of_several(cx, lane)
    }

    #[inline(never)]
    fn next_of_several(&mut self, cx: &Context, lane: LaneNo) -> Supply {
        let entry = &mut self.lanes[lane];
        let mut later: Option<Time> = None;
        let count = entry.members().len();
        for offset in 0..count {
            let turn = (entry.turn() + offset) % count;
            let sender = entry.members()[turn];
            match self.senders[sender].source.supply(cx.now) {
                supply @ (Supply::Frame(_) | Supply::Message) => {
                    entry.set_turn(turn);
                    return supply;
                }
                Supply::NotBefore(at) => later = Some(later.map_or(at, |earlier| earlier.min(at))),
                Supply::None => {}
            }
        }
        later.map_or(Supply::None, Supply::NotBefore)
    }

    /// The sender of a flow.
    #[inline]
    pub(in crate::network) fn sender_of(&self, flow: FlowId) -> SenderNo {
        self.ends.of(flow).1
    }

    /// The flow of a sender.
    pub(in crate::network) fn flow_of(&self, sender: SenderNo) -> FlowId {
        FlowId(self.senders[self.dispatch.flow_of(sender)].conversation.0)
    }

    /// Starts the traffic of a flow.
    pub(in crate::network) fn start(&mut self, cx: &mut Context, sender: SenderNo) {
        self.senders[sender].source.start(cx.now);
        // A flow with independent messages sends nothing itself: each message gets a limiter.
        if !self.senders[sender].source.begins_messages() {
            self.limit_from_start(cx, sender);
        }
        self.reconsider(cx, self.senders[sender].lane);
        self.start_dependents(cx, sender);
    }

    /// Stops the traffic of a flow. Messages that it has not sent completely are cut off.
    pub(in crate::network) fn stop(&mut self, cx: &mut Context, sender: SenderNo) {
        let flow = self.flow_of(sender);
        self.cut_messages(cx, sender);
        let Sender { lane, sent, source, .. } = &mut self.senders[sender];
        let (lane, conversation) = (*lane, Conversation::of_flow(flow));
        cx.cut_off(conversation, *sent);
        source.stop(*sent, cx.now);
        if cx.rules.lossless {
            cx.trace(Content::FlowStops(flow));
        }
        self.reconsider(cx, lane);
    }

    /// Changes the weight of a flow.
    pub(in crate::network) fn set_weight(&mut self, sender: SenderNo, weight: u32) {
        self.senders[sender].weight = weight;
        for message in self.dispatch.senders_of(sender) {
            self.senders[message].weight = weight;
        }
    }

    /// Changes the cap of a flow.
    pub(in crate::network) fn set_cap(&mut self, cx: &mut Context, sender: SenderNo, cap: Option<Rate>) {
        let messages: Vec<SenderNo> = self.dispatch.senders_of(sender).collect();
        for sender in messages.into_iter().chain([sender]) {
            self.senders[sender].cap = cap;
            self.apply_limit(cx, self.senders[sender].lane);
        }
    }

    /// Handles the arrival of a pause frame.
    fn receive_pause(&mut self, cx: &mut Context, number: StationNo, frame: Frame) {
        match self.stations[number].pause_state.receive(frame.pause_content(), cx.now) {
            Ok(command) => self.obey(cx, number, command),
            Err(later) => cx.events.push(later, Event::StationPauseEnd(number)),
        }
    }

    fn obey(&mut self, cx: &mut Context, number: StationNo, command: PauseCommand) {
        let station = &mut self.stations[number];
        let effect = station.pause_state.apply(&mut station.port, command, cx.now);
        self.follow(cx, number, effect);
    }

    /// Obeys a pause frame whose response time has passed, and ends a station's expired pauses.
    pub(in crate::network) fn pause_end(&mut self, cx: &mut Context, number: StationNo) {
        if let Some(command) = self.stations[number].pause_state.due(cx.now) {
            self.obey(cx, number, command);
        }
        let station = &mut self.stations[number];
        if let Some(effect) = station.pause_state.expire(&mut station.port, cx.now) {
            self.follow(cx, number, effect);
        }
    }

    fn follow(&mut self, cx: &mut Context, number: StationNo, effect: PauseEffect) {
        if effect.changed {
            let port = &self.stations[number].port;
            cx.trace(Content::Held { port: port.id, classes: port.paused });
        }
        if let Some(at) = effect.look_at {
            cx.events.push(at, Event::StationPauseEnd(number));
        }
        if effect.resumed {
            self.send_replies(cx, number);
        }
    }
}
