//! Marking of encoded frames.

use proptest::prelude::*;
use setpoint_wire::roce::{Connection, Operation, SendPart, U24, is_cnp};
use setpoint_wire::{CnTag, Dscp, Ecn, Ipv4Header, MacAddress, RoceFrame, ecn};

use super::{connection, frames, octets};

#[test]
fn a_packet_without_ecn_support_is_not_marked() {
    let connection = Connection { ecn: Ecn::NotEct, ..connection() };
    let frame = RoceFrame::data(&connection, U24::default(), Operation::Send(SendPart::Only, b"x"));
    let mut bytes = octets(&frame);
    assert_eq!(ecn::mark(&mut bytes), Ok(Ecn::NotEct));
    assert_eq!(bytes, octets(&frame));
}

/// A bridge must not repair a packet that was damaged before.
#[test]
fn an_incorrect_checksum_stays_incorrect() {
    let mut bytes = octets(&frames()[0]);
    bytes[18 + 8] -= 1;
    assert_eq!(ecn::mark(&mut bytes), Ok(Ecn::Ce));
    let error = Ipv4Header::parse(&bytes[18..]).unwrap_err().to_string();
    assert_eq!(error, "IPv4 header checksum is 0x264c, but the octets of the frame give 0x274c");
}

#[test]
fn only_ip_frames_can_be_marked() {
    let mark = |change: fn(&mut Vec<u8>)| {
        let mut bytes = octets(&frames()[0]);
        change(&mut bytes);
        ecn::mark(&mut bytes).unwrap_err().to_string()
    };
    assert_eq!(mark(|bytes| bytes[16] = 0x88), "EtherType is 34816, but must be 2048 (IPv4)");
    assert_eq!(mark(|bytes| bytes[18] = 0x65), "IP version is 6, but must be 4");
    assert_eq!(mark(|bytes| bytes[18] = 0x44), "IPv4 header length is 4, but must be at least 5 words");
    let short = mark(|bytes| bytes.truncate(37));
    assert_eq!(short, "the frame ends in its IPv4 header: 20 octets are needed, 19 are left");
    let other = mark(|bytes| bytes[16..18].copy_from_slice(&[0x86, 0xdd]));
    assert_eq!(other, "IP version is 4, but must be 6");
    let short = mark(|bytes| {
        bytes[16..19].copy_from_slice(&[0x86, 0xdd, 0x60]);
        bytes.truncate(57);
    });
    assert_eq!(short, "the frame ends in its IPv6 header: 40 octets are needed, 39 are left");
}

/// A tag, an IPv4 header with a word of options, and the checksum of the whole header, computed by hand: the sum of the words is
/// 4602 + 0018 + 0000 + 0000 + 4011 + 0a00 + 0001 + 0a00 + 0002 + 0101 + 0101 = 9c30.
#[test]
fn options_do_not_prevent_a_mark() {
    let mut bytes = [&[0; 12][..], &[0x81, 0, 0x60, 0, 0x08, 0x00]].concat();
    bytes.extend([0x46, 2, 0, 24, 0, 0, 0, 0, 64, 17, 0x63, 0xcf, 10, 0, 0, 1, 10, 0, 0, 2, 1, 1, 1, 1]);
    assert_eq!(ecn::mark(&mut bytes), Ok(Ecn::Ce));
    assert_eq!((bytes[18 + 1], &bytes[18 + 10..18 + 12]), (3, &[0x63, 0xce][..]));
}

#[test]
fn the_traffic_class_of_ipv6_contains_the_mark() {
    let mut bytes = [&[0; 12][..], &[0x86, 0xdd, 0x6b, 0x8a, 0xbc, 0xde], &[7; 36]].concat();
    assert_eq!((ecn::of(&bytes), ecn::mark(&mut bytes)), (Some(Ecn::NotEct), Ok(Ecn::NotEct)));
    assert_eq!(ecn::declare(&mut bytes), Ok(Ecn::Ect0));
    assert_eq!(bytes[14..18], [0x6b, 0xaa, 0xbc, 0xde], "the flow label and the class stay");
    assert_eq!((ecn::mark(&mut bytes), ecn::of(&bytes)), (Ok(Ecn::Ce), Some(Ecn::Ce)));
    assert_eq!(bytes[14..18], [0x6b, 0xba, 0xbc, 0xde]);
}

#[test]
fn a_declared_codepoint_replaces_only_the_absence_of_one() {
    for (before, after) in
        [(Ecn::NotEct, Ecn::Ect0), (Ecn::Ect0, Ecn::Ect0), (Ecn::Ect1, Ecn::Ect1), (Ecn::Ce, Ecn::Ce)]
    {
        let mut frame = frames()[0];
        frame.ip.ecn = before;
        let mut bytes = octets(&frame);
        assert_eq!(ecn::declare(&mut bytes), Ok(after));
        frame.ip.ecn = after;
        assert_eq!(bytes, octets(&frame), "the checksum follows");
    }
    assert_eq!(ecn::of(&[0xff; 60]), None);
}

#[test]
fn a_cnp_is_recognised_by_its_port_and_opcode() {
    for (frame, expected) in frames().iter().zip([false, false, false, false, true]) {
        assert_eq!(is_cnp(&octets(frame)), expected);
    }
    let mut cnp = octets(&frames()[4]);
    cnp[18 + 6] = 0x20;
    assert!(!is_cnp(&cnp), "a fragment");
    assert!((0..60).all(|length| !is_cnp(&cnp[..length])), "truncated");
}

proptest! {
    /// The checksum that follows from the old one equals the one computed from the marked header, and the ICRC stays
    /// valid.
    #[test]
    fn a_marked_frame_is_the_encoded_marked_packet(
        (source, destination, identification) in any::<([u8; 4], [u8; 4], u16)>(),
        (time_to_live, dscp, tagged) in (any::<u8>(), 0_u8..64, any::<bool>()),
        ecn in prop_oneof![Just(Ecn::NotEct), Just(Ecn::Ect1), Just(Ecn::Ect0), Just(Ecn::Ce)],
    ) {
        let mut frame = frames()[1];
        frame.header.cn_tag = tagged.then_some(CnTag { flow: 1 });
        frame.header.destination = MacAddress([1, 0, 0x5e, 0, 0, 1]);
        let dscp = Dscp::new(dscp).unwrap();
        let (source, destination) = (source.into(), destination.into());
        frame.ip = Ipv4Header { dscp, ecn, identification, time_to_live, source, destination, ..frame.ip };
        let mut bytes = octets(&frame);
        prop_assert_eq!(ecn::mark(&mut bytes), Ok(ecn.marked()));
        frame.ip.ecn = if ecn == Ecn::NotEct { Ecn::NotEct } else { Ecn::Ce };
        prop_assert_eq!(&bytes, &octets(&frame));
        prop_assert_eq!(RoceFrame::parse(&bytes), Ok(frame));
    }
}
