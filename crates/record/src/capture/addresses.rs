//! The addresses of stations, ports and groups in a capture.
//!
//! | entity | MAC address | IPv4 address |
//! |---|---|---|
//! | station: node n | `02:00:00:` and n | 10.0.0.0 + n + 1 |
//! | port n of a bridge | `02:00:01:` and n | – |
//! | group n | `01:00:5e:` and the lower 23 bits of its IPv4 address | 239.0.0.0 + n + 1 |
//!
//! A congestion point is identified by the address of its port and two more octets: its side (0 at an output, 1 at an
//! input) and its priority.

use setpoint_sim::{GroupId, NodeId, PointPlace, PortId, Side};
use setpoint_wire::MacAddress;

pub(super) type Ipv4 = [u8; 4];

pub(super) fn station(node: NodeId) -> MacAddress {
    let [_, a, b, c] = node.0.to_be_bytes();
    MacAddress([0x02, 0, 0, a, b, c])
}

pub(super) fn port(port: PortId) -> MacAddress {
    let [_, a, b, c] = port.0.to_be_bytes();
    MacAddress([0x02, 0, 1, a, b, c])
}

pub(super) fn group(group: GroupId) -> MacAddress {
    let [_, a, b, c] = group_ipv4(group);
    MacAddress([0x01, 0, 0x5e, a & 0x7f, b, c])
}

pub(super) fn station_ipv4(node: NodeId) -> Ipv4 {
    let [_, a, b, c] = (node.0 + 1).to_be_bytes();
    [10, a, b, c]
}

pub(super) fn group_ipv4(group: GroupId) -> Ipv4 {
    let [_, a, b, c] = (group.0 + 1).to_be_bytes();
    [239, a, b, c]
}

pub(super) fn congestion_point(place: &PointPlace) -> [u8; 8] {
    let [a, b, c, d, e, f] = port(place.port).0;
    let side = match place.side {
        Side::Output => 0,
        Side::Input => 1,
    };
    [a, b, c, d, e, f, side, place.priority.get()]
}
