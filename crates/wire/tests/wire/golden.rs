//! Frames written octet by octet, from the descriptions of their formats.

use setpoint_wire::lldp::{CongestionTlv, PfcTlv};
use setpoint_wire::{
    Announcement, CnTag, Cnm, Content, Conventions, EtherType, Frame, Header, MacAddress, OffsetSign, Pause,
    Pfc, Priority, PriorityPlace, PrioritySet, QueueUnit, VlanTag,
};

const STATION: MacAddress = MacAddress([2, 0, 0, 0, 0, 0x0a]);
const BRIDGE: MacAddress = MacAddress([2, 0, 0, 0, 0, 0x01]);

fn priority(number: u8) -> Priority {
    Priority::new(number).unwrap()
}

/// The header of a frame of flow 5 with priority 3 in VLAN 100.
fn sampled() -> Header {
    Header {
        destination: MacAddress([2, 0, 0, 0, 0, 0x14]),
        source: STATION,
        vlan: Some(VlanTag { vlan: 100, ..VlanTag::of_priority(priority(3)) }),
        cn_tag: Some(CnTag { flow: 5 }),
        ether_type: EtherType::IPV4,
    }
}

/// A queue of 52 kB with a set point of 26 kB, unchanged since the last sample.
fn cnm(sample: &[u8]) -> Cnm<'_> {
    Cnm {
        feedback: 12,
        congestion_point: [2, 0, 0, 0, 0, 1, 0, 3],
        queue_offset: -26_000,
        queue_delta: 0,
        priority: priority(3),
        destination: sampled().destination,
        sample,
    }
}

/// The frame as hexadecimal digits, without the padding.
fn octets(frame: &Frame<'_>, conventions: &Conventions, padding: usize) -> String {
    let mut buffer = [0xaa; 600];
    let bytes = frame.encode(conventions, &mut buffer).unwrap();
    let (used, padded) = bytes.split_at(bytes.len() - padding);
    assert!(padded.iter().all(|octet| *octet == 0), "{padded:02x?}");
    used.iter().map(|octet| format!("{octet:02x}")).collect()
}

fn joined(parts: &[&str]) -> String {
    parts.concat().replace(' ', "")
}

#[test]
fn a_notification() {
    let frame = Frame::cnm(BRIDGE, &sampled(), priority(6), cnm(&[]));
    let expected = [
        "02 00 00 00 00 0a  02 00 00 00 00 01", // to the source of the sampled frame
        "81 00 c0 64",                          // priority 6, VLAN 100
        "22 e9 00 05",                          // flow 5
        "22 e7 00 0c",                          // version 0, feedback 12
        "02 00 00 00 00 01 00 03",              // congestion point
        "fe 6a  00 00",                         // −26000 octets are −406.25 units of 64
        "60 00  02 00 00 00 00 14  00 00",      // priority 3, destination, no octets of the frame
    ];
    assert_eq!(octets(&frame, &Conventions::default(), 14), joined(&expected));
}

#[test]
fn conventions_change_the_queue_fields_and_the_priority() {
    let other = Conventions {
        offset_sign: OffsetSign::PositiveWhenCongested,
        queue_unit: QueueUnit::Octet,
        priority_place: PriorityPlace::LowerBits,
    };
    let growing = Cnm { queue_delta: 1_500, ..cnm(&[0x08, 0x00, 0x45]) };
    let frame = Frame::cnm(BRIDGE, &sampled(), priority(6), growing);
    let bytes = octets(&frame, &other, 11);
    // Queue fields with values of 26000 and 1500 octets, priority 3, and three octets of the frame.
    assert!(
        bytes.ends_with(&joined(&["65 90 05 dc", "00 03", "02 00 00 00 00 14", "00 03 08 00 45"])),
        "{bytes}"
    );
}

#[test]
fn a_notification_about_an_untagged_frame_has_flow_zero() {
    let untagged = Header { vlan: None, cn_tag: None, ..sampled() };
    let frame = Frame::cnm(BRIDGE, &untagged, priority(6), cnm(&[]));
    let bytes = octets(&frame, &Conventions::default(), 14);
    assert_eq!(&bytes[24..40], "8100c00022e90000");
}

#[test]
fn a_queue_field_saturates() {
    let field = |octets: i64| {
        let long = Cnm { queue_offset: -octets, queue_delta: octets, ..cnm(&[]) };
        let bytes =
            self::octets(&Frame::cnm(BRIDGE, &sampled(), priority(6), long), &Conventions::default(), 14);
        bytes[64..72].to_owned()
    };
    assert_eq!(field(i64::MAX), "80007fff");
    assert_eq!(field(63), "00000000", "less than a unit is rounded towards zero");
}

#[test]
fn a_pause() {
    let frame = Frame::pause(BRIDGE, Pause { quanta: 0xffff });
    let expected = ["01 80 c2 00 00 01  02 00 00 00 00 01", "88 08 00 01 ff ff"];
    assert_eq!(octets(&frame, &Conventions::default(), 42), joined(&expected));
}

#[test]
fn a_pfc_frame() {
    let frame = Frame::pfc(BRIDGE, Pfc { times: [0, 0, 0, 0x1234, 0, 0, 0, 1], enabled: PrioritySet(0x88) });
    let expected = [
        "01 80 c2 00 00 01  02 00 00 00 00 01",
        "88 08 01 01 00 88",
        "00 00 00 00 00 00 12 34 00 00 00 00 00 00 00 01",
    ];
    assert_eq!(octets(&frame, &Conventions::default(), 26), joined(&expected));
}

#[test]
fn an_announcement() {
    let third = PrioritySet(1 << 3);
    let announcement = Announcement {
        chassis: BRIDGE,
        port: b"p1",
        seconds_to_live: 121,
        congestion: Some(CongestionTlv { managed: third, ready: PrioritySet(0) }),
        pfc: Some(PfcTlv { willing: true, macsec_bypass: false, capability: 8, enabled: third }),
    };
    let expected = [
        "01 80 c2 00 00 0e  02 00 00 00 00 01  88 cc",
        "02 07 04 02 00 00 00 00 01", // chassis, by address
        "04 03 05 70 31",             // port, by name
        "06 02 00 79",                // time to live
        "fe 06 00 80 c2 08 08 00",    // congestion notification on priority 3, not ready
        "fe 06 00 80 c2 0b 88 08",    // PFC: willing, up to 8 priorities, enabled on priority 3
        "00 00",
    ];
    assert_eq!(octets(&Frame::lldp(BRIDGE, announcement), &Conventions::default(), 10), joined(&expected));
}

#[test]
fn a_frame_with_tags_keeps_its_payload() {
    let mut buffer = [0; 100];
    let payload = [0x45; 60];
    let frame = Frame { header: sampled(), content: Content::Data(&payload) };
    let bytes = frame.encode(&Conventions::default(), &mut buffer).unwrap();
    assert_eq!(bytes.len(), 22 + 60);
    assert_eq!(bytes[12..22], [0x81, 0, 0x60, 100, 0x22, 0xe9, 0, 5, 8, 0]);
    assert_eq!(Frame::parse(bytes, &Conventions::default()), Ok(frame));
}
