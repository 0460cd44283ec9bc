//! Which flow a program's frame belongs to.

use setpoint_wire::{EtherType, Header, MacAddress};

const IPV6: EtherType = EtherType(0x86dd);
const TCP: u8 = 6;
const UDP: u8 = 17;

/// What the frames of a flow have in common: the destination and, for IP, addresses, protocol and ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct FlowName {
    destination: MacAddress,
    ether_type: EtherType,
    /// Source and destination addresses.
    addresses: [u8; 32],
    protocol: u8,
    ports: [u8; 4],
}

impl FlowName {
    /// The flow of a frame to a single station that carries IP; none for other frames, which have no limiter.
    pub(super) fn of(header: &Header, payload: &[u8]) -> Option<Self> {
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
        Some(Self { destination, ether_type, addresses, protocol, ports })
    }

    /// The station to which the flow goes.
    pub(super) fn destination(&self) -> MacAddress {
        self.destination
    }
}

type Packet<'a> = ([u8; 32], u8, &'a [u8]);

/// Addresses, protocol and what follows. A fragment has no ports, and all fragments of a packet belong together.
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
