//! Marking of encoded frames.

use proptest::prelude::*;
use setpoint_wire::roce::{Connection, Operation, SendPart, U24};
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
fn only_ipv4_frames_can_be_marked() {
    let mark = |change: fn(&mut Vec<u8>)| {
        let mut bytes = octets(&frames()[0]);
        change(&mut bytes);
        ecn::mark(&mut bytes).unwrap_err().to_string()
    };
    assert_eq!(mark(|bytes| bytes[16] = 0x86), "EtherType is 34304, but must be 2048 (IPv4)");
    assert_eq!(mark(|bytes| bytes[18] = 0x60), "IP version is 6, but must be 4");
    let short = mark(|bytes| bytes.truncate(37));
    assert_eq!(short, "the frame ends in its IPv4 header: 20 octets are needed, 19 are left");
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
