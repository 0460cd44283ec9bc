//! The flow to which a frame of a program belongs, and its number in congestion notification packets.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr};

use setpoint_wire::roce::U24;
use setpoint_wire::{EtherType, Header, MacAddress, Priority};

const IPV6: EtherType = EtherType::IPV6;
const TCP: u8 = 6;
const UDP: u8 = 17;

/// The fields that all frames of a flow share: the destination, the tag's priority and, for IP, addresses, protocol and
/// ports. Frames of different priorities belong to different flows, because a notification concerns a single priority.
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
    /// The flow of an IP packet in a frame to a single station; `None` for other frames, which have no limiter.
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

impl FlowName {
    /// The queue pair by which congestion notification packets name the flow. Ordinary IP traffic has none, so both ends
    /// compute it from the octets that all frames of the flow share: the protocol, the source and the destination
    /// address, and the source and the destination port. It is their 32-bit FNV-1a hash with its upper 8 bits XORed into
    /// its lower 24 bits; the numbers 0 and 1, which are reserved for management, become 2 and 3.
    ///
    /// The priority is not included, because a bridge may remove or change the tag that carries it.
    pub(crate) fn queue_pair(&self) -> U24 {
        let used = if self.ether_type == IPV6 { 32 } else { 8 };
        let octets =
            [self.protocol].into_iter().chain(self.addresses[..used].iter().copied()).chain(self.ports);
        let hash = octets.fold(FNV_BASIS, |hash, octet| (hash ^ u32::from(octet)).wrapping_mul(FNV_PRIME));
        U24::wrapping(match u64::from(hash >> 24 ^ hash & 0x00ff_ffff) {
            reserved @ 0..2 => reserved + 2,
            number => number,
        })
    }

    /// The source and the destination address, if the flow uses IPv4.
    pub(crate) fn ipv4_ends(&self) -> Option<[Ipv4Addr; 2]> {
        let [IpAddr::V4(from), IpAddr::V4(to)] = self.ends() else { return None };
        Some([from, to])
    }
}

/// The parameters of the 32-bit FNV-1a hash (G. Fowler, L. C. Noll and K.-P. Vo).
const FNV_BASIS: u32 = 0x811c_9dc5;
const FNV_PRIME: u32 = 0x0100_0193;

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

    const QUEUE_PAIR: u32 = 0x624e6e;

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

    /// A queue pair that was computed independently, in Python.
    #[test]
    fn both_ends_compute_the_same_queue_pair() {
        let flow = |packet: &[u8]| FlowName::of(&header(EtherType::IPV4), packet).unwrap();
        assert_eq!(flow(&udp(1, 0)).queue_pair().get(), QUEUE_PAIR);
        let tagged = Header {
            destination: MacAddress([2, 0, 0, 0, 9, 9]),
            vlan: Some(setpoint_wire::VlanTag::of_priority(Priority::ALL[5])),
            ..header(EtherType::IPV4)
        };
        let other = FlowName::of(&tagged, &udp(1, 0)).unwrap();
        assert_eq!(other.queue_pair().get(), QUEUE_PAIR, "neither tags nor Ethernet addresses matter");
        assert_ne!(flow(&udp(2, 0)).queue_pair().get(), QUEUE_PAIR);
        assert_eq!(other.ipv4_ends(), Some([[10, 0, 0, 1].into(), [10, 0, 0, 2].into()]));
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
