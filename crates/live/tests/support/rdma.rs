//! IP frames for congestion control by marks, and the packets that report them.

use std::net::Ipv4Addr;

use setpoint_wire::roce::{Connection, End, U24};
use setpoint_wire::{Dscp, Ecn, Ipv4Header, Priority, RoceFrame, UdpHeader, VlanTag};

use super::{SENDERS, address};

/// The UDP ports of all flows.
pub const PORTS: [u16; 2] = [7, 9];

/// The IPv4 address of a station.
pub fn ipv4(station: usize) -> Ipv4Addr {
    [10, 0, 0, station as u8 + 1].into()
}

/// A UDP datagram in a frame with the given length, without the frame check sequence.
pub fn datagram(from: usize, to: usize, tag: Option<u8>, ecn: Ecn, length: usize) -> Vec<u8> {
    let mut octets = [address(to).0, address(from).0].concat();
    octets.extend(tag.map(|priority| [0x81, 0, priority << 5, 0]).into_iter().flatten());
    octets.extend([0x08, 0x00]);
    let payload = length - octets.len() - 28;
    let ip = Ipv4Header { ecn, ..Ipv4Header::of_udp(ipv4(from), ipv4(to)) };
    octets.extend(ip.encode(8 + payload).unwrap());
    let udp = UdpHeader { source_port: PORTS[0], destination_port: PORTS[1] };
    octets.extend(udp.encode(payload).unwrap());
    octets.resize(length, 0);
    octets
}

/// An IPv6 packet without a payload of a known protocol, in priority 3.
pub fn ipv6(from: usize, to: usize, ecn: Ecn) -> Vec<u8> {
    let mut octets = [address(to).0, address(from).0].concat();
    octets.extend([0x81, 0, 3 << 5, 0, 0x86, 0xdd, 0x60, (ecn as u8) << 4, 0, 0, 0, 0, 59, 64]);
    octets.resize(1_496, 0);
    octets
}

/// The queue pair of the flow from one station to another, computed independently of the station: 32-bit FNV-1a, folded to 24
/// bits.
pub fn queue_pair(from: usize, to: usize) -> u32 {
    let ports = PORTS.map(u16::to_be_bytes).concat();
    let octets = [&[17][..], &ipv4(from).octets(), &ipv4(to).octets(), &ports].concat();
    let mut hash: u32 = 2_166_136_261;
    for octet in octets {
        hash = (hash ^ u32::from(octet)).wrapping_mul(16_777_619);
    }
    (hash >> 24) ^ (hash & 0xff_ffff)
}

/// The connection on which the receiver of a station's flow reports marks.
pub fn reports(from: usize) -> Connection {
    let number = queue_pair(from, SENDERS);
    let queue_pair = U24::new(number).unwrap();
    let end = |station| End { address: address(station), ipv4: ipv4(station), queue_pair };
    Connection {
        source: end(SENDERS),
        destination: end(from),
        vlan: Some(VlanTag::of_priority(Priority::ALL[6])),
        dscp: Dscp::new(48).unwrap(),
        ecn: Ecn::NotEct,
        source_port: 49_152 + (number % 16_384) as u16,
    }
}

/// A congestion notification packet.
pub fn cnp(connection: &Connection) -> Vec<u8> {
    RoceFrame::cnp(connection).encode(&mut [0; 128]).unwrap().to_vec()
}
