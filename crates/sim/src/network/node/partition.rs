//! A part of a network: some of the bridges and the stations on their links, with their events.
//!
//! Partitions share no state. Messages from one to another ([`crate::network::node::remote`]) take effect no sooner than the lookahead
//! after they are sent, so partitions can process a window of that length independently.

use std::time::Duration;

use setpoint_units::Time;

use crate::events::Event;
use crate::network::node::bridge::{BridgeSet, Bridges, Buffering, Cioq};
use crate::network::node::context::Context;
use crate::network::node::link::End;
use crate::network::node::remote::{Batch, RemoteMessage};
use crate::network::node::station::Stations;
use crate::network::node::{ahead, just_before};
use crate::prefetch;
use crate::stopwatch::Stopwatch;

/// The weight of the latest stage in the mean load of a partition.
const WEIGHT: f64 = 0.25;

/// A partition of a network.
pub(in crate::network) struct Partition {
    pub(in crate::network) cx: Context,
    pub(in crate::network) stations: Stations,
    pub(in crate::network) bridges: Bridges,
    /// The duration of its recent stages, used to balance the load between threads.
    pub(in crate::network) load: Duration,
    /// The processing time in this stage so far.
    busy: Duration,
}

impl Partition {
    pub(in crate::network) fn new(cx: Context, stations: Stations, bridges: Bridges) -> Self {
        Self { cx, stations, bridges, load: Duration::ZERO, busy: Duration::ZERO }
    }

    /// Runs `work` and measures how long it takes.
    pub(in crate::network) fn timed(&mut self, work: impl FnOnce(&mut Self)) {
        let watch = Stopwatch::start();
        work(self);
        self.busy += watch.elapsed();
    }

    /// Ends a stage.
    pub(in crate::network) fn measure_load(&mut self) {
        self.load = self.load.mul_f64(1.0 - WEIGHT) + std::mem::take(&mut self.busy).mul_f64(WEIGHT);
    }

    /// Processes events up to the context's time limit.
    pub(in crate::network) fn process(&mut self) {
        let Self { cx, stations, bridges, .. } = self;
        match bridges {
            Bridges::OutputQueued(bridges) if cx.rules.extras => {
                process::<_, true>(cx, stations, &mut **bridges);
            }
            Bridges::OutputQueued(bridges) => process::<_, false>(cx, stations, &mut **bridges),
            Bridges::SharedBuffer(bridges) => process::<_, true>(cx, stations, &mut **bridges),
            Bridges::Cioq(bridges) => process::<_, true>(cx, stations, &mut **bridges),
        }
    }

    /// Processes all events before `end`.
    pub(in crate::network) fn run_window(&mut self, end: Time) {
        self.cx.until = end;
        self.process();
        if self.cx.violation.is_none() {
            self.cx.now = end;
        }
        self.send_away(end);
    }

    /// The time at which the next event is due, or at which the next transmission of a frame to another partition
    /// begins, whichever is earlier.
    pub(in crate::network) fn next_time(&mut self) -> Option<Time> {
        let Self { cx, bridges, .. } = self;
        let begins = cx.away.iter().filter_map(|&link| match cx.links[link].to {
            End::Away(_, port) => bridges.core().next_begin(port, cx.now),
            _ => None,
        });
        cx.events.next_time().into_iter().chain(begins).min()
    }

    /// Sends to other partitions the frames that can no longer be recalled: those whose transmission begins before
    /// `end`.
    pub(in crate::network) fn send_away(&mut self, end: Time) {
        let Self { cx, bridges, .. } = self;
        let mut links = std::mem::take(&mut cx.away);
        // A link whose frames were all recalled may be listed twice.
        links.sort_unstable();
        links.dedup();
        links.retain(|&link| {
            let End::Away(part, port) = cx.links[link].to else { return false };
            if cx.rules.sees_departures {
                bridges.core_mut().settle_output(cx, port, just_before(end));
            }
            let kept = bridges.core().not_begun(port, end);
            while cx.links[link].flight.len() > kept
                && let Some(flying) = cx.links[link].flight.pop_front()
            {
                if cx.rules.answers()
                    && let Some(report) = cx.take_report(flying.frame)
                {
                    cx.outbox.batch_for(part).reports.push(report);
                }
                cx.dispatch(part, RemoteMessage::Frame { link, flying });
            }
            kept > 0
        });
        cx.away = links;
    }

    /// Receives the batch from another partition, and leaves it empty.
    pub(in crate::network) fn receive(&mut self, batch: &mut Batch) {
        let Self { cx, bridges, .. } = self;
        let mut reports = batch.reports.drain(..);
        for message in batch.messages.drain(..) {
            match message {
                RemoteMessage::Frame { link, mut flying } => {
                    debug_assert!(flying.at >= cx.now, "a frame comes too late");
                    if cx.rules.answers() {
                        flying.frame = cx.receive_report(flying.frame, &mut reports);
                    }
                    cx.launch(link, flying);
                }
                RemoteMessage::Control { to, message } => inside(bridges).post(cx, to, message),
                RemoteMessage::Announcement { to, record, frame, slot, cells } => {
                    inside(bridges).announced(to, record, frame, (slot, cells));
                }
                RemoteMessage::Message { conversation, message } => cx.expect(conversation, message),
                RemoteMessage::CutOff { conversation, sent } => cx.cut_off(conversation, sent),
                RemoteMessage::Loss { conversation, loss } => cx.lose_of(conversation, loss),
            }
        }
        debug_assert!(reports.next().is_none(), "a report comes without its frame");
        drop(reports);
        // Cells are processed after the announcements of their frames, which may be in the same batch.
        if let Some(bridges) = bridges.cioq_mut() {
            bridges.apply_all(cx, &batch.cells);
        }
        batch.cells.clear();
    }
}

/// Processes events up to the context's time limit. There is one copy of this loop for each kind of bridge, and another one for
/// networks without `EXTRAS` ([`Rules::extras`](crate::network::node::context::Rules)). In browsers, where
/// functions are optimised while they run, several copies in one function would take longer to optimise.
#[cfg_attr(target_family = "wasm", inline(never))]
fn process<B, const EXTRAS: bool>(cx: &mut Context, stations: &mut Stations, bridges: &mut BridgeSet<B>)
where
    BridgeSet<B>: Buffering,
{
    let mut prepared = false;
    loop {
        if prefetch::IS_AVAILABLE && cx.looks_ahead && (!prepared || cx.events.is_between_buckets()) {
            prepared = true;
            ahead::prepare(cx, stations, bridges);
        }
        let Some((time, event)) = cx.events.pop_before(cx.until) else { return };
        debug_assert!(time >= cx.now, "time runs backwards");
        cx.now = time;
        match event {
            Event::Arrive(link) => {
                if EXTRAS && cx.rules.sees_departures {
                    bridges.settle_sender(cx, link);
                }
                match cx.links[link].to {
                    End::Bridge(port) => bridges.arrive::<EXTRAS>(cx, link, port),
                    End::Station(station) => stations.arrive(cx, link, station),
                    End::Away(..) => unreachable!("frames arrive in the partition to which they go"),
                    // The remains of a frame that was lost.
                    End::Broken | End::BrokenToStation(_) => drop(cx.land(link)),
                }
            }
            Event::Ready(port) => bridges.ready::<EXTRAS>(cx, port),
            Event::Send(station) => stations.send::<EXTRAS>(cx, station),
            Event::ReactionTimer(lane) => stations.reaction_timer(cx, lane),
            Event::React(station) => stations.react_to_next(cx, station),
            Event::Answer(conversation) => stations.answer_by_timer(cx, conversation),
            Event::StationPauseEnd(station) => stations.pause_end(cx, station),
            Event::PortPauseEnd(port) => bridges.pause_end(cx, port),
            Event::PauseRefresh(input) => bridges.pause_refresh(cx, input),
            Event::Start(sender) => stations.start(cx, sender),
            Event::Stop(sender) => stations.stop(cx, sender),
            Event::Control(_)
            | Event::Crossed(_)
            | Event::CellArrives(_)
            | Event::CellRoom(_)
            | Event::Left(..)
            | Event::Complete(..)
            | Event::KeepAlive(_) => bridges.inside(cx, event),
        }
    }
}

/// The bridges that receive a message about their interior.
fn inside(bridges: &mut Bridges) -> &mut BridgeSet<Cioq> {
    bridges.cioq_mut().expect("only bridges with input buffers send messages to each other")
}
