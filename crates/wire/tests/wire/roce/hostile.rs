//! Truncated and forged frames, and values that cannot be encoded.

use setpoint_wire::roce::{Operation, SendPart, U24};
use setpoint_wire::{Dscp, Protocol, RoceFrame, WireError};

use super::{connection, frames, octets, repair};

/// The offset of the IPv4 header.
const IP: usize = 18;
const UDP: usize = IP + 20;
const BTH: usize = UDP + 8;

// The positions of frames in `frames`.
const SEND: usize = 0;
const WRITE: usize = 1;
const ACKNOWLEDGEMENT: usize = 3;

/// The message about a frame in which some octets have been replaced and the checksums adjusted.
fn refusal(kind: usize, offset: usize, replaced: &[u8]) -> String {
    let mut bytes = octets(&frames()[kind]);
    bytes[offset..offset + replaced.len()].copy_from_slice(replaced);
    repair::header_checksum(&mut bytes);
    repair::icrc(&mut bytes);
    RoceFrame::parse(&bytes).unwrap_err().to_string()
}

#[test]
fn a_frame_that_is_cut_off_is_refused() {
    for frame in frames() {
        let bytes = octets(&frame);
        for length in 0..bytes.len() {
            let error = RoceFrame::parse(&bytes[..length]).unwrap_err();
            assert!(matches!(error, WireError::Truncated { .. }), "{length} octets: {error}");
        }
        assert_eq!(RoceFrame::parse(&bytes), Ok(frame));
    }
}

#[test]
fn an_ipv4_header_that_is_not_supported_is_refused() {
    assert_eq!(refusal(SEND, IP, &[0x65]), "IP version is 6, but must be 4");
    let options = "IPv4 header length is 6, but must be 5 words (options are not supported)";
    assert_eq!(refusal(SEND, IP, &[0x46]), options);
    let fragment = |value: u16| {
        let field = "IPv4 fragment offset with the flag for more fragments";
        format!("{field} is {value}, but must be 0 (fragments are not supported)")
    };
    assert_eq!(refusal(SEND, IP + 6, &[0x20, 0x00]), fragment(0x2000));
    assert_eq!(refusal(SEND, IP + 6, &[0x40, 0x01]), fragment(1));
    assert_eq!(refusal(SEND, IP + 9, &[6]), "IPv4 protocol is 6, but must be 17 (UDP)");
    assert_eq!(refusal(SEND, IP - 2, &[0x08, 0x06]), "EtherType is 2054, but must be 2048 (IPv4)");
}

#[test]
fn a_total_length_below_the_header_is_refused() {
    let mut bytes = octets(&frames()[SEND]);
    bytes[IP + 3] = 19;
    repair::header_checksum(&mut bytes);
    let error = RoceFrame::parse(&bytes).unwrap_err().to_string();
    assert_eq!(error, "IPv4 total length is 19, but must be at least 20");
}

#[test]
fn a_datagram_that_is_not_roce_is_refused() {
    let length = "UDP length is 31, but must be the length of the IPv4 payload";
    assert_eq!(refusal(SEND, UDP + 4, &[0, 31]), length);
    assert_eq!(refusal(SEND, UDP + 2, &[0, 53]), "UDP destination port is 53, but must be 4791 (RoCEv2)");
    let checksum = refusal(SEND, UDP + 6, &[0x12, 0x34]);
    assert!(
        checksum.starts_with("UDP checksum is 0x1234, but the octets of the frame give 0x"),
        "{checksum}"
    );
}

#[test]
fn a_transport_header_that_is_not_allowed_is_refused() {
    assert_eq!(refusal(SEND, BTH + 1, &[0x71]), "BTH version is 1, but must be 0");
    // The opcode of another operation, with the wrong number of octets after the header.
    assert_eq!(refusal(SEND, BTH, &[0x11]), "length after the AETH is 1, but must be 0");
    let address = "the frame ends in its RETH address: 8 octets are needed, 5 are left";
    assert_eq!(refusal(SEND, BTH, &[0x06]), address);
    let short = "the frame ends in its reserved octets of the CNP: 16 octets are needed, 4 are left";
    assert_eq!(refusal(ACKNOWLEDGEMENT, BTH, &[0x81]), short);
    let long = "length after the reserved octets of the CNP is 8, but must be 0";
    assert_eq!(refusal(WRITE, BTH, &[0x81]), long);
}

#[test]
fn a_pad_count_that_does_not_match_the_payload_is_refused() {
    let message = "BTH pad count is 3, but must be within a payload whose padded length is a multiple of 4";
    let mut odd = octets(&frames()[SEND]);
    odd[IP + 3] -= 1;
    odd[UDP + 5] -= 1;
    let empty = RoceFrame::data(&connection(), U24::default(), Operation::Send(SendPart::Only, b""));
    let mut empty = octets(&empty);
    empty[BTH + 1] |= 0x30;
    for mut bytes in [odd, empty] {
        repair::header_checksum(&mut bytes);
        repair::icrc(&mut bytes);
        assert_eq!(RoceFrame::parse(&bytes).unwrap_err().to_string(), message);
    }
}

#[test]
fn a_packet_without_room_for_the_icrc_is_refused() {
    let mut bytes = octets(&frames()[SEND]);
    bytes[IP + 3] = 20 + 8 + 12 + 3;
    bytes[UDP + 5] = 8 + 12 + 3;
    repair::header_checksum(&mut bytes);
    let error = RoceFrame::parse(&bytes).unwrap_err().to_string();
    assert_eq!(error, "the frame ends in its ICRC: 4 octets are needed, 3 are left");
}

#[test]
fn a_damaged_frame_is_refused() {
    let message = |offset: usize| {
        let mut bytes = octets(&frames()[SEND]);
        bytes[offset] ^= 1;
        RoceFrame::parse(&bytes).unwrap_err()
    };
    let field = |error| match error {
        WireError::Corrupt { field, .. } => field,
        other => panic!("{other}"),
    };
    for offset in (IP + 4..IP + 6).chain(IP + 8..IP + 20) {
        assert_eq!(field(message(offset)), "IPv4 header checksum", "octet {offset}");
    }
    // All octets of the transport except its version, the octet of FECN and BECN, and the UDP fields.
    for offset in [BTH, BTH + 2, BTH + 3].into_iter().chain(BTH + 5..BTH + 24) {
        assert_eq!(field(message(offset)), "ICRC", "octet {offset}");
    }
}

#[test]
fn values_that_a_format_cannot_express_are_not_encoded() {
    let long = vec![0; 65_500];
    let frame =
        |payload| RoceFrame::data(&connection(), U24::default(), Operation::Send(SendPart::Only, payload));
    let refusal = |frame: RoceFrame<'_>, room: usize| {
        frame.encode(&mut vec![0; room]).map(<[u8]>::len).unwrap_err().to_string()
    };
    assert_eq!(refusal(frame(&long), 70_000), "IPv4 total length is 65544, but must be at most 65535");
    let longest = frame(&long[..65_488]);
    assert_eq!(octets(&longest).len(), 18 + 65_532);
    assert_eq!(refusal(frame(b"1234"), 65), "the buffer has no room for the frame's RoCEv2 packet");
    let mut tcp = frame(b"");
    tcp.ip.protocol = Protocol(6);
    assert_eq!(refusal(tcp, 100), "IPv4 protocol is 6, but must be 17 (UDP)");
    let dscp = Dscp::new(64).unwrap_err().to_string();
    assert_eq!(dscp, "DSCP is 64, but must be 0 to 63");
    let number = U24::new(1 << 24).unwrap_err().to_string();
    assert_eq!(number, "number is 16777216, but must be at most 16777215 (24 bits)");
}
