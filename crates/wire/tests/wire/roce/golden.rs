//! Published packets, and frames written octet by octet.

use setpoint_wire::roce::{Aeth, Bth, Operation, SendPart, Syndrome, U24};
use setpoint_wire::{Dscp, Ecn, EtherType, Header, Ipv4Header, MacAddress, Protocol, RoceFrame};

use super::{connection, frames, octets, repair};

fn from_hex(parts: &[&str]) -> Vec<u8> {
    let digits: Vec<u8> = parts.concat().bytes().filter(|digit| *digit != b' ').collect();
    let octet = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.chunks(2).map(octet).collect()
}

fn header(destination: [u8; 6], source: [u8; 6]) -> Header {
    let (destination, source) = (MacAddress(destination), MacAddress(source));
    Header { destination, source, vlan: None, cn_tag: None, ether_type: EtherType::IPV4 }
}

/// A packet that a ConnectX-4 Lx adapter sent, from Scapy's `test/contrib/roce.uts`.
#[test]
fn a_cnp_from_a_network_card() {
    let captured = from_hex(&[
        "e41d2dab2bc2 7cfe90643b32 0800",
        "45 c2 003c 718c 4000 40 11 9161 0a001101 0a001201",
        "0000 12b7 0028 0000",
        "81 00 ffff 40 000118 00 000000",
        "00000000000000000000000000000000",
        "82fd002a",
    ]);
    let frame = RoceFrame {
        header: header([0xe4, 0x1d, 0x2d, 0xab, 0x2b, 0xc2], [0x7c, 0xfe, 0x90, 0x64, 0x3b, 0x32]),
        ip: Ipv4Header {
            dscp: Dscp::new(48).unwrap(),
            ecn: Ecn::Ect0,
            identification: 0x718c,
            do_not_fragment: true,
            time_to_live: 64,
            protocol: Protocol::UDP,
            source: [10, 0, 17, 1].into(),
            destination: [10, 0, 18, 1].into(),
        },
        source_port: 0,
        bth: Bth {
            solicited_event: false,
            migrated: false,
            partition: 0xffff,
            fecn: false,
            becn: true,
            queue_pair: U24::new(0x118).unwrap(),
            acknowledge_request: false,
            sequence: U24::new(0).unwrap(),
        },
        operation: Operation::Cnp,
    };
    assert_eq!(RoceFrame::parse(&captured), Ok(frame));
    assert_eq!(octets(&frame), captured);
}

/// A packet of an unreliable connection, with pad octets and a UDP checksum, from Scapy's `test/contrib/roce.uts`.
#[test]
fn a_packet_with_a_udp_checksum() {
    let mut captured = from_hex(&[
        "248a07a8fa22 248a07a8fa22 0800",
        "45 01 0040 0478 4000 40 11 b4d5 c0a80007 c0a80007",
        "c000 12b7 002c aca2",
        "24 60 ffff 00 0000d3 00 cf1710",
        "4630818be28935d90e9a95505401be885e50 0000",
        "78f353f3",
    ]);
    let frame = RoceFrame::parse(&captured).unwrap();
    assert_eq!((frame.ip.ecn, frame.source_port), (Ecn::Ect1, 49_152));
    assert_eq!((frame.bth.queue_pair.get(), frame.bth.sequence.get()), (211, 13_571_856));
    assert_eq!(frame.operation, Operation::Other(0x24, &captured[54..72]));
    // It is encoded without a UDP checksum. The ICRC does not depend on that checksum.
    let encoded = octets(&frame);
    captured[40..42].fill(0);
    assert_eq!(encoded, captured);
}

#[test]
fn a_send() {
    let [send, ..] = frames();
    let expected = from_hex(&[
        "020000000002 020000000001 8100 6000 0800", // priority 3
        "45 6a 0034 0000 4000 40 11",               // DSCP 26, ECT(0), 52 octets
        // 456a + 0034 + 4000 + 4011 + 0a00 + 0001 + 0a00 + 0002 = d9b2
        "264d 0a000001 0a000002",
        "c001 12b7 0020 0000",            // no checksum
        "04 70 ffff 00 022222 80 010203", // three pad octets, acknowledgement requested
        "68656c6c6f 000000",
    ]);
    let bytes = octets(&send);
    let (packet, icrc) = bytes.split_at(bytes.len() - 4);
    assert_eq!(packet, expected);
    assert_eq!(icrc, repair::icrc_of(&bytes));
}

#[test]
fn extended_headers() {
    let [_, first, last, acknowledgement, cnp] = frames();
    let transport = |frame: &RoceFrame<'_>| {
        let bytes = octets(frame);
        bytes[46..bytes.len() - 4].to_vec()
    };
    let bth = "06 40 ffff 00 022222 00 010203";
    let reth = "00007f0102030400 0a0b0c0d 00001000";
    assert_eq!(transport(&first), from_hex(&[bth, reth, "3132333435363738"]));
    assert_eq!(transport(&last), from_hex(&["08 50 ffff 00 022222 80 010203", "313233 00"]));
    assert_eq!(transport(&acknowledgement), from_hex(&["11 40 ffff 00 000011 00 010203", "1f 000009"]));
    let reserved = "00000000000000000000000000000000";
    assert_eq!(transport(&cnp), from_hex(&["81 00 ffff 40 000011 00 000000", reserved]));
}

/// An untagged packet without a payload has 58 octets, and the frame two more.
#[test]
fn a_short_frame_is_padded_after_the_icrc() {
    let untagged = setpoint_wire::roce::Connection { vlan: None, ..connection() };
    let empty = RoceFrame::data(&untagged, U24::default(), Operation::Send(SendPart::Last, &[]));
    let bytes = octets(&empty);
    assert_eq!((bytes.len(), empty.length(), empty.overhead()), (60, 60, 58));
    assert_eq!(bytes[54..58], repair::icrc_of(&bytes));
    assert_eq!(bytes[58..], [0, 0]);
    assert_eq!(RoceFrame::parse(&bytes), Ok(empty));
}

#[test]
fn a_negative_acknowledgement() {
    let aeth = Aeth { syndrome: Syndrome::SEQUENCE_ERROR, messages: U24::default() };
    let frame = RoceFrame::acknowledgement(&connection(), U24::wrapping(5), aeth);
    assert_eq!(octets(&frame)[58], 0b0110_0000);
    assert!(Syndrome::ACK.is_positive() && !Syndrome::SEQUENCE_ERROR.is_positive());
}
