//! Determines the flow to which a program's frame belongs.

use std::fmt;
use std::net::IpAddr;

use setpoint_wire::{EtherType, Header, MacAddress, Priority};

const IPV6: EtherType = EtherType(0x86dd);
const TCP: u8 = 6;
const UDP: u8 = 17;

/// The fields that all frames of a flow share: the destination, the tag's priority and, for IP, addresses, protocol and
/// ports. Frames of different priorities belong to different flows, because a notification is about one priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FlowName {
    destination: MacAddress,
    priority: Option<Priority>,
    ether_type: EtherType,
    /// Source and destination addresses.
    addresses: [u8; 32],
    protocol: u8,
    ports: [u8; 4],
}

impl FlowName {
    /// The flow of a frame to a single station that carries IP; `None` for other frames, which have no limiter.
    pub(crate) fn of(header: &Header, payload: &[u8]) -> Option<Self> {
        if header.destination.is_group() {
            return None;
        }
        let (addresses, protocol, rest) = match header.ether_type {
            EtherType::IPV4 => ipv4(payload)?,
            IPV6 => ipv6(payload)?,
            _ => return None,
        };
        let ports = match (protocol, rest) {
            (TCP | UDP, [a, b, c, d, ..]) => [*a, *b, *c, *d],
            _ => [0; 4],
        };
        let (destination, ether_type) = (header.destination, header.ether_type);
        let priority = header.vlan.map(|tag| tag.priority);
        Some(Self { destination, priority, ether_type, addresses, protocol, ports })
    }

    /// The destination station of the flow.
    pub(crate) fn destination(&self) -> MacAddress {
        self.destination
    }
}

/// Prints, for example, `udp 10.0.0.1:20000 to 10.0.0.2:9000`.
impl fmt::Display for FlowName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.ports;
        let ends = self.ends().map(|end| end.to_string());
        let [from, to] = match (self.protocol, ends) {
            (TCP | UDP, [from, to]) => {
                let [from_port, to_port] = [[a, b], [c, d]].map(u16::from_be_bytes);
                [format!("{from}:{from_port}"), format!("{to}:{to_port}")]
            }
            (_, ends) => ends,
        };
        match self.protocol {
            TCP => write!(f, "tcp {from} to {to}"),
            UDP => write!(f, "udp {from} to {to}"),
            protocol => write!(f, "protocol {protocol} {from} to {to}"),
        }
    }
}

impl FlowName {
    /// The addresses of the sender and the receiver.
    fn ends(&self) -> [IpAddr; 2] {
        let octets = |start: usize, count: usize| &self.addresses[start..start + count];
        let ipv4 = |start| <[u8; 4]>::try_from(octets(start, 4)).map(IpAddr::from);
        let ipv6 = |start| <[u8; 16]>::try_from(octets(start, 16)).map(IpAddr::from);
        let ends = if self.ether_type == IPV6 { [ipv6(0), ipv6(16)] } else { [ipv4(0), ipv4(4)] };
        ends.map(|end| end.expect("a slice of the length of its array"))
    }
}

type Packet<'a> = ([u8; 32], u8, &'a [u8]);

/// The addresses, the protocol and the octets after the header. For a fragment, these octets are omitted, so that all
/// fragments of a packet belong to one flow.
fn ipv4(packet: &[u8]) -> Option<Packet<'_>> {
    let words = usize::from(packet.first()? & 0x0f);
    let mut addresses = [0; 32];
    addresses[..8].copy_from_slice(packet.get(12..20)?);
    let whole = u16::from_be_bytes([*packet.get(6)?, *packet.get(7)?]) & 0x3fff == 0;
    let rest = if whole { packet.get(words * 4..).unwrap_or_default() } else { &[] };
    Some((addresses, *packet.get(9)?, rest))
}

fn ipv6(packet: &[u8]) -> Option<Packet<'_>> {
    let addresses = packet.get(8..40)?.try_into().ok()?;
    Some((addresses, *packet.get(6)?, packet.get(40..).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn header(ether_type: EtherType) -> Header {
        let destination = MacAddress([2, 0, 0, 0, 0, 2]);
        Header { destination, source: MacAddress([2, 0, 0, 0, 0, 1]), vlan: None, cn_tag: None, ether_type }
    }

    fn udp(source_port: u8, fragment: u8) -> Vec<u8> {
        let mut packet = vec![0x45, 0, 0, 40, 0, 0, fragment, 0, 64, UDP, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2];
        packet.extend([0, source_port, 0, 9, 0, 20, 0, 0]);
        packet
    }

    #[test]
    fn flows_differ_in_their_ports_unless_they_are_fragments() {
        let flow = |packet: &[u8]| FlowName::of(&header(EtherType::IPV4), packet).unwrap();
        assert_ne!(flow(&udp(1, 0)), flow(&udp(2, 0)));
        assert_eq!(flow(&udp(1, 0)), flow(&udp(1, 0x40)), "not to be fragmented");
        assert_eq!(flow(&udp(1, 0x20)), flow(&udp(2, 0x20)), "more fragments follow");
    }

    #[test]
    fn flows_have_readable_names() {
        let flow = FlowName::of(&header(EtherType::IPV4), &udp(1, 0)).unwrap();
        assert_eq!(flow.to_string(), "udp 10.0.0.1:1 to 10.0.0.2:9");
        let mut packet = [0; 40];
        (packet[6], packet[8], packet[23], packet[39]) = (58, 0xfe, 1, 2);
        let flow = FlowName::of(&header(IPV6), &packet).unwrap();
        assert_eq!(flow.to_string(), "protocol 58 fe00::1 to ::2");
    }

    #[test]
    fn other_frames_belong_to_no_flow() {
        assert_eq!(FlowName::of(&header(EtherType(0x0806)), &[0; 28]), None);
        let group = Header { destination: MacAddress([0xff; 6]), ..header(EtherType::IPV4) };
        assert_eq!(FlowName::of(&group, &udp(1, 0)), None);
    }

    proptest! {
        #[test]
        fn anything_may_come(ipv6 in any::<bool>(), packet in prop::collection::vec(any::<u8>(), 0..80)) {
            FlowName::of(&header(if ipv6 { IPV6 } else { EtherType::IPV4 }), &packet);
        }
    }
}
