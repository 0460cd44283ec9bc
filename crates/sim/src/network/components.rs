//! The components of a running network, with the tables by which they are found.

use setpoint_units::Time;

use crate::ids::{FlowId, PortId};
use crate::index::{PartNo, PortNo, QueueNo, ReceiverNo, SenderNo, Table};
use crate::network::node::books::Books;
use crate::network::node::bridge::QueueNumbers;
use crate::network::node::context::{Classes, Rules};
use crate::network::node::partition::Partition;
use crate::network::node::pause::{PauseRules, PauseState};
use crate::network::node::places::{Ends, Owner, Owners, Place};
use crate::network::node::port::Port;
use crate::network::node::routes::Routes;
use crate::network::node::station::Sender;
use crate::outcome::Copies;

/// The partitions of a network. Everything that observes or changes the network as a whole has access to them.
pub(in crate::network) struct Components {
    pub(in crate::network) parts: Table<PartNo, Box<Partition>>,
    /// The time that the whole network has reached.
    pub(in crate::network) now: Time,
    pub(in crate::network) owners: Owners,
    pub(in crate::network) senders: Ends<SenderNo>,
    pub(in crate::network) receivers: Ends<ReceiverNo>,
    /// Tables and settings; every partition has a copy of them too.
    pub(in crate::network) routes: Routes,
    pub(in crate::network) rules: Rules,
    pub(in crate::network) classes: Classes,
    pub(in crate::network) pause_rules: PauseRules,
    pub(in crate::network) queue_numbers: QueueNumbers,
}

impl Components {
    /// All flows, in order.
    pub(in crate::network) fn flows(&self) -> impl Iterator<Item = FlowId> + use<> {
        (0..self.routes.flow_count() as u32).map(FlowId)
    }

    /// A flow at its station.
    pub(in crate::network) fn sender(&self, flow: FlowId) -> &Sender {
        let (part, sender) = self.senders.of(flow);
        &self.parts[part].stations.senders()[sender]
    }

    /// Bytes that a flow has sent.
    pub(in crate::network) fn sent_by(&self, flow: FlowId) -> u64 {
        let (part, sender) = self.senders.of(flow);
        self.parts[part].stations.sent_by(sender)
    }

    /// The counts of a flow at its destination.
    pub(in crate::network) fn books_of(&self, flow: FlowId) -> &Books {
        self.parts[self.receivers.of(flow).0].cx.receivers.books(flow)
    }

    /// The copies of a flow's frames that bridges created.
    pub(in crate::network) fn copies_of(&self, flow: FlowId) -> Copies {
        // Frames to groups stay in one partition.
        self.parts[PartNo(0)].cx.groups.copies_of(flow)
    }

    /// Events so far.
    pub(in crate::network) fn events(&self) -> u64 {
        self.parts.iter().map(|part| part.cx.events.popped()).sum()
    }

    /// A port, with the pauses in effect.
    pub(in crate::network) fn port(&self, port: PortId) -> (&Port, &PauseState) {
        let Owner { part, place } = self.owners[port];
        match place {
            Place::Station(station) => self.parts[part].stations.port(station),
            Place::Bridge(port) => self.parts[part].bridges.core().port(port),
        }
    }

    /// The input at the far end of a port's link, if it belongs to a bridge, with its partition.
    pub(in crate::network) fn far_input(&self, port: PortId) -> Option<(&Partition, PortNo)> {
        let Owner { part, place } = self.owners[port.peer()];
        match place {
            Place::Station(_) => None,
            Place::Bridge(input) => Some((&self.parts[part], input)),
        }
    }

    /// The partition of a queue.
    pub(in crate::network) fn part_of_queue(&self, queue: QueueNo) -> PartNo {
        let (_, port, _) = self.queue_numbers.place_of(queue);
        self.part_of_port(port)
    }

    /// The partition of a bridge's port.
    pub(in crate::network) fn part_of_port(&self, port: PortNo) -> PartNo {
        let has_it = |number: &PartNo| self.parts[*number].bridges.core().ports().includes(port);
        self.parts.numbers().find(has_it).expect("every port is in a partition")
    }

    /// Delivers the messages that partitions have sent each other outside windows.
    pub(in crate::network) fn exchange(&mut self) {
        for from in self.parts.numbers() {
            for to in self.parts.numbers() {
                let mut batch = std::mem::take(self.parts[from].cx.outbox.batch_for(to));
                self.parts[to].receive(&mut batch);
                *self.parts[from].cx.outbox.batch_for(to) = batch;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::node;

    /// The structures accessed for every frame must fit in the cache lines they were designed for.
    #[test]
    fn components_fit_their_cache_lines() {
        let lines = |size: usize| size / 64;
        assert_eq!(lines(size_of::<Port>()), 2);
        assert!(size_of::<node::link::Link>() <= 32);
        assert_eq!(lines(size_of::<node::station::Lane>()), 1);
        assert_eq!(lines(size_of::<node::station::Sender>()), 2);
        assert_eq!(lines(size_of::<node::receive::Receiver>()), 1);
        assert_eq!(lines(size_of::<node::bridge::Queue>()), 5);
    }
}
