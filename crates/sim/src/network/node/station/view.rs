//! The interface of stations to other modules: measurements, checks and memory use.

use setpoint_control::{Counters, React};
use setpoint_units::{Rate, Time};

use super::sender::Sent;
use super::{Lane, Limiter, Limiters, Sender, Station, Stations};
use crate::ids::PortId;
use crate::index::{SenderNo, StationNo, Table};
use crate::network::node::pause::PauseState;
use crate::network::node::port::Port;
use crate::traffic::source::Supply;

impl Stations {
    pub(in crate::network) fn port(&self, station: StationNo) -> (&Port, &PauseState) {
        let station = &self.stations[station];
        (&station.port, &station.pause_state)
    }

    pub(in crate::network) fn ports(&self) -> impl Iterator<Item = &Port> {
        self.stations.iter().map(|station| &station.port)
    }

    pub(in crate::network) fn senders(&self) -> &Table<SenderNo, Sender> {
        &self.senders
    }

    /// Whether a flow has a frame to send now.
    pub(in crate::network) fn has_frame(&mut self, sender: SenderNo, now: Time) -> bool {
        matches!(self.senders[sender].source.supply(now), Supply::Frame(_) | Supply::Message)
            || self.dispatch.senders_of(sender).next().is_some()
    }

    /// Ends the run; returns the final state of all flows, in order.
    pub(in crate::network) fn into_sent(mut self) -> Vec<Sent> {
        for lane in self.lanes.numbers() {
            if let Some(limiter) = self.lanes[lane].limiter.take() {
                self.limiters_of(lane.resident()).past += limiter.reaction_point.counters();
            }
        }
        let (messages, flows): (Vec<SenderNo>, Vec<SenderNo>) =
            self.senders.numbers().partition(|&sender| self.is_of_message(sender));
        for message in messages {
            self.count_message(message);
            if let Some(limiters) = self.senders[message].limiters.take() {
                self.limiters_of(self.dispatch.flow_of(message)).past += limiters.past;
            }
        }
        drop(self.lanes);
        let mut sent: Vec<Sent> = self.senders.into_iter().take(flows.len()).map(Sender::finish).collect();
        sent.shrink_to_fit();
        sent
    }

    /// Marks a station whose frames are passed to an observer.
    pub(in crate::network) fn tap(&mut self, station: StationNo) {
        self.stations[station].port.tapped = true;
    }

    /// Changes the rate of a station's port.
    pub(in crate::network) fn set_rate(&mut self, station: StationNo, rate: Rate) {
        self.stations[station].port.set_rate(rate);
    }

    /// Begins measurement.
    pub(in crate::network) fn measure_from(&mut self, now: Time) {
        for station in self.stations.iter_mut() {
            station.pause_state.measure_from(station.port.paused, now);
        }
        for limiters in self.senders.iter_mut().filter_map(|sender| sender.limiters.as_mut()) {
            limiters.round_trips.restart();
        }
    }

    /// Resets ports to their initial rates.
    pub(in crate::network) fn finish(&mut self, first_rate: impl Fn(PortId) -> Rate) {
        for station in self.stations.iter_mut() {
            station.port.set_rate(first_rate(station.port.id));
        }
    }

    /// Bytes used by stations.
    pub(in crate::network) fn station_bytes(&self) -> usize {
        self.stations.len() * size_of::<Station>()
    }

    /// Bytes used by flows at their stations.
    pub(in crate::network) fn sender_bytes(&self) -> usize {
        let each = size_of::<Sender>() + size_of::<Lane>();
        let limiters = self.lanes.iter().filter(|lane| lane.limiter.is_some()).count();
        let notified = self.senders.iter().filter(|sender| sender.limiters.is_some()).count();
        self.senders.capacity() * each
            + limiters * size_of::<Limiter>()
            + notified * (size_of::<Limiters>() + Counters::HEAP_BYTES)
            + self.stations.iter().map(|station| station.schedule.heap_bytes()).sum::<usize>()
            + self.senders.iter().map(|sender| sender.source.heap_bytes()).sum::<usize>()
            + self.dispatch.heap_bytes()
    }

    /// Bytes used by notifications waiting for the reaction delay.
    pub(in crate::network) fn frame_bytes(&self) -> usize {
        self.stations.iter().map(|station| station.reacting.heap_bytes()).sum()
    }
}
