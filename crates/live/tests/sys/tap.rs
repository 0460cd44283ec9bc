//! TAP interfaces.

use std::net::UdpSocket;
use std::time::Duration;

use setpoint_live::sys::{LinkState, Sent, SysError, Tap, interfaces};

use crate::namespace::{in_namespace, ip, until};
use crate::skip::{Reason, skip};

/// Positions of the fields of a UDP datagram in an Ethernet frame, without IP options.
const PROTOCOL: usize = 23;
const SOURCE_ADDRESS: usize = 26;
const DESTINATION_ADDRESS: usize = 30;
const SOURCE_PORT: usize = 34;
const DESTINATION_PORT: usize = 36;
const TEXT: usize = 42;

/// Opens a TAP interface, or reports why it cannot be tested.
fn open() -> Option<Tap> {
    match Tap::open("tap0") {
        Ok(tap) => Some(tap),
        Err(error @ (SysError::NoTun | SysError::TunNotPermitted)) => {
            skip(Reason::NotPermitted, error);
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn next_datagram(tap: &mut Tap) -> Vec<u8> {
    let is_udp = |frame: &[u8]| frame[12..14] == [8, 0] && frame[PROTOCOL] == 17;
    let mut datagrams = Vec::new();
    until(|| {
        tap.receive(&mut |frame| datagrams.extend(is_udp(frame).then(|| frame.to_vec()))).unwrap();
        !datagrams.is_empty()
    });
    datagrams.remove(0)
}

fn swap(frame: &mut [u8], first: usize, second: usize, length: usize) {
    for octet in 0..length {
        frame.swap(first + octet, second + octet);
    }
}

/// The answer to a datagram: addresses and ports are swapped, which leaves both checksums valid.
fn answer_to(datagram: &[u8]) -> Vec<u8> {
    let mut answer = datagram.to_vec();
    swap(&mut answer, 0, 6, 6);
    swap(&mut answer, SOURCE_ADDRESS, DESTINATION_ADDRESS, 4);
    swap(&mut answer, SOURCE_PORT, DESTINATION_PORT, 2);
    answer
}

#[test]
fn programs_exchange_datagrams_with_a_tap() {
    in_namespace(|| {
        let Some(mut tap) = open() else { return };
        assert_eq!(tap.send(&[0; 60]).unwrap(), Sent::Down);
        tap.set_mtu(4000).unwrap();
        tap.set_up().unwrap();
        until(|| tap.link() == LinkState::Up);
        ip("address add 192.0.2.1/24 dev tap0");
        ip("neighbour add 192.0.2.2 lladdr 02:00:00:00:00:02 dev tap0");
        let program = UdpSocket::bind("192.0.2.1:4000").unwrap();
        program.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let text = [b'x'; 3000];
        program.send_to(&text, "192.0.2.2:5000").unwrap();
        let datagram = next_datagram(&mut tap);
        assert_eq!((&datagram[..6], &datagram[6..12]), (&[2, 0, 0, 0, 0, 2][..], &tap.address().0[..]));
        assert_eq!(datagram[TEXT..], text);
        assert_eq!(tap.send(&answer_to(&datagram)).unwrap(), Sent::Done);
        let mut received = [0; 4000];
        let (length, from) = program.recv_from(&mut received).unwrap();
        assert_eq!((&received[..length], from), (&text[..], "192.0.2.2:5000".parse().unwrap()));
    });
}

#[test]
fn a_tap_disappears_when_dropped() {
    in_namespace(|| {
        let Some(tap) = open() else { return };
        assert!(interfaces().contains(&"tap0".to_owned()));
        let second = Tap::open("tap0").unwrap_err();
        assert!(matches!(second, SysError::TapBusy { .. }), "{second}");
        drop(tap);
        // Another test that starts a program holds a copy of all open files for an instant.
        until(|| !interfaces().contains(&"tap0".to_owned()));
    });
}
