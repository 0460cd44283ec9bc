//! Offloads.

use std::net::UdpSocket;

use setpoint_live::sys::{PacketSocket, quiet};

use crate::namespace::{in_namespace, ip, linked_pair, receive};

/// The Internet checksum of a UDP datagram in an Ethernet frame, with its pseudo-header; 0 if the datagram is intact.
fn checksum_error(frame: &[u8]) -> u32 {
    let length = u32::try_from(frame.len() - 34).unwrap();
    let words =
        frame[26..].chunks(2).map(|pair| u32::from(pair[0]) << 8 | pair.get(1).map_or(0, |&o| u32::from(o)));
    let sum = words.fold(length + 17, |sum, word| (sum + word) % 0xffff);
    // In one's complement, 0 and 0xffff are the same.
    sum % 0xffff
}

/// Sends a datagram through the kernel's IP stack, and returns its frame at the other end of the link.
fn datagram(program: &UdpSocket, end: &mut PacketSocket) -> Vec<u8> {
    program.send_to(b"text", "192.0.2.2:5000").unwrap();
    receive(end, 1).remove(0)
}

#[test]
fn a_checksum_left_to_hardware_is_finished_here_and_on_a_quiet_link_by_the_sender() {
    in_namespace(|| {
        let [_, mut b] = linked_pair();
        ip("address add 192.0.2.1/24 dev end-a");
        ip("neighbour add 192.0.2.2 lladdr 02:00:00:00:00:02 dev end-a");
        let program = UdpSocket::bind("192.0.2.1:4000").unwrap();
        assert_eq!(checksum_error(&datagram(&program, &mut b)), 0);
        let statistics = b.statistics().unwrap();
        assert_eq!((statistics.finished, statistics.unfinished), (1, 0));
        for name in ["end-a", "end-b"] {
            quiet(name).unwrap();
        }
        assert_eq!(checksum_error(&datagram(&program, &mut b)), 0);
        assert_eq!(b.statistics().unwrap().finished, 1);
    });
}
