//! The headers of a flow's frames.
//!
//! In a run whose receivers reply, controlled flows to a station are RDMA connections over RoCEv2: receivers send
//! congestion notification packets and acknowledgements to the queue pairs of the sources. All other flows are plain UDP.

use setpoint_control::{Answers, ReactionPointParams};
use setpoint_sim::{Destination, FlowId, FlowSpec, Priority, Reaction, Spec};
use setpoint_wire::roce::{Connection, End, U24};
use setpoint_wire::{
    CnTag, Dscp, Ecn, EtherType, Header, Ipv4Header, MacAddress, UdpHeader, VlanTag, WireError, ipv4, udp,
};

use super::addresses::{self, Ipv4};

/// The first of the ports that are not assigned to any service. Flow n of a station sends from this port plus n, and
/// flows without RoCEv2 send to this port.
const FIRST_PORT: u16 = 49_152;
/// The first queue pair that is not reserved for management.
const FIRST_QUEUE_PAIR: u64 = 2;

/// The flows of a run.
pub(super) struct Flows<'a> {
    spec: &'a Spec,
    /// The number of each flow at its source, from 1: its identifier in CN-TAGs.
    numbers: Vec<u16>,
    receivers_reply: bool,
}

impl<'a> Flows<'a> {
    pub(super) fn new(spec: &'a Spec) -> Self {
        let receivers_reply = spec.control.notification_point.answers() != Answers::Never;
        Self { spec, numbers: numbers(spec), receivers_reply }
    }

    /// The spec of a flow.
    pub(super) fn spec(&self, flow: FlowId) -> &'a FlowSpec {
        &self.spec.flows[flow.index()]
    }

    /// Whether the frames of a flow are RoCEv2.
    pub(super) fn is_rdma(&self, flow: FlowId) -> bool {
        let flow = self.spec(flow);
        self.receivers_reply
            && flow.reaction == Reaction::Controlled
            && matches!(flow.destination, Destination::Station(_))
    }

    /// The connection of a flow over RoCEv2. A flow has the same queue pair at both ends.
    pub(super) fn connection(&self, flow: FlowId) -> Connection {
        let queue_pair = U24::wrapping(FIRST_QUEUE_PAIR + u64::from(flow.0));
        let end = |(address, ipv4): (MacAddress, Ipv4)| End { address, ipv4: ipv4.into(), queue_pair };
        let priority = on_wire(self.spec(flow).priority);
        Connection {
            source: end(self.source(flow)),
            destination: end(self.destination(flow)),
            vlan: Some(VlanTag::of_priority(priority)),
            dscp: Dscp::class_selector(priority),
            ecn: Ecn::Ect0,
            source_port: self.source_port(flow),
        }
    }

    /// The Ethernet header of a flow's data.
    pub(super) fn header(&self, flow: FlowId) -> Header {
        Header {
            destination: self.destination(flow).0,
            source: self.source(flow).0,
            vlan: Some(VlanTag::of_priority(on_wire(self.spec(flow).priority))),
            cn_tag: self.is_tagged(flow).then(|| CnTag { flow: self.numbers[flow.index()] }),
            ether_type: EtherType::IPV4,
        }
    }

    /// Appends the IPv4 and UDP headers of a flow's datagram to a payload. `length` includes these headers.
    pub(super) fn extend_headers(
        &self,
        flow: FlowId,
        length: usize,
        payload: &mut Vec<u8>,
    ) -> Result<(), WireError> {
        let ip = Ipv4Header::of_udp(self.source(flow).1.into(), self.destination(flow).1.into());
        payload.extend(ip.encode(length - ipv4::LENGTH)?);
        let udp = UdpHeader { source_port: self.source_port(flow), destination_port: FIRST_PORT };
        payload.extend(udp.encode(length - ipv4::LENGTH - udp::LENGTH)?);
        Ok(())
    }

    fn source(&self, flow: FlowId) -> (MacAddress, Ipv4) {
        let source = self.spec(flow).source;
        (addresses::station(source), addresses::station_ipv4(source))
    }

    fn destination(&self, flow: FlowId) -> (MacAddress, Ipv4) {
        match self.spec(flow).destination {
            Destination::Station(node) => (addresses::station(node), addresses::station_ipv4(node)),
            Destination::Group(group) => (addresses::group(group), addresses::group_ipv4(group)),
        }
    }

    fn source_port(&self, flow: FlowId) -> u16 {
        FIRST_PORT.wrapping_add(self.numbers[flow.index()]).max(FIRST_PORT)
    }

    /// Whether data have a CN-TAG: those of flows with a reaction point, except over RoCEv2.
    fn is_tagged(&self, flow: FlowId) -> bool {
        let (spec, control) = (self.spec(flow), &self.spec.control);
        spec.reaction == Reaction::Controlled
            && control.priorities.contains(spec.priority)
            && control.reaction_point != ReactionPointParams::None
            && !self.is_rdma(flow)
    }
}

pub(super) fn on_wire(priority: Priority) -> setpoint_wire::Priority {
    setpoint_wire::Priority::ALL[priority.index()]
}

/// The number of each flow among those of its source, from 1. Flows beyond the range of CN-TAGs share the last number.
fn numbers(spec: &Spec) -> Vec<u16> {
    let mut at_source = vec![0u16; spec.topology.nodes().len()];
    let number = |flow: &FlowSpec| {
        let number = &mut at_source[flow.source.index()];
        *number = number.saturating_add(1);
        *number
    };
    spec.flows.iter().map(number).collect()
}
