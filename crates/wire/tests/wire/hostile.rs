//! Truncated and forged frames.

use setpoint_wire::{
    Announcement, Cnm, Content, Conventions, EtherType, Frame, Header, MacAddress, Pause, Pfc, Priority,
    VlanTag, WireError,
};

const BRIDGE: MacAddress = MacAddress([2, 0, 0, 0, 0, 1]);

fn parse(bytes: &[u8]) -> Result<Frame<'_>, WireError> {
    Frame::parse(bytes, &Conventions::default())
}

fn notification(sample: &[u8]) -> Frame<'_> {
    let priority = Priority::new(3).unwrap();
    let sampled = Header {
        destination: BRIDGE,
        source: BRIDGE,
        vlan: Some(VlanTag::of_priority(priority)),
        cn_tag: None,
        ether_type: EtherType::IPV4,
    };
    let cnm = Cnm {
        feedback: 1,
        congestion_point: [0; 8],
        queue_offset: -64,
        queue_delta: 64,
        priority,
        destination: BRIDGE,
        sample,
    };
    Frame::cnm(BRIDGE, &sampled, priority, cnm)
}

fn announcement() -> Frame<'static> {
    let announcement =
        Announcement { chassis: BRIDGE, port: b"p1", seconds_to_live: 120, congestion: None, pfc: None };
    Frame::lldp(BRIDGE, announcement)
}

fn octets(frame: &Frame<'_>) -> Vec<u8> {
    frame.encode(&Conventions::default(), &mut [0; 200]).unwrap().to_vec()
}

#[test]
fn a_frame_that_is_cut_off_is_refused() {
    let sample = [0x55; 64];
    let frames = [
        notification(&sample),
        Frame::pause(BRIDGE, Pause { quanta: 1 }),
        Frame::pfc(BRIDGE, Pfc::default()),
    ];
    for (frame, needed) in frames.iter().zip([46 + 64, 18, 34]) {
        let bytes = octets(frame);
        for length in 0..needed {
            let error = parse(&bytes[..length]).unwrap_err();
            assert!(matches!(error, WireError::Truncated { .. }), "{length} octets: {error}");
        }
        assert_eq!(parse(&bytes[..needed]), Ok(*frame));
    }
}

#[test]
fn an_announcement_without_an_end_is_refused() {
    let bytes = octets(&announcement());
    let end = 14 + 9 + 5 + 4;
    assert!(matches!(parse(&bytes[..end]), Err(WireError::Truncated { .. })));
    assert_eq!(parse(&bytes[..end + 2]), Ok(announcement()));
}

#[test]
fn a_notification_of_another_version_is_refused() {
    let mut bytes = octets(&notification(&[]));
    bytes[22] = 0x10;
    assert_eq!(parse(&bytes).unwrap_err().to_string(), "CNM version is 1, but must be 0");
}

/// The reserved bits between version and feedback are ignored.
#[test]
fn reserved_bits_are_ignored() {
    let mut bytes = octets(&notification(&[]));
    bytes[22] = 0x0f;
    bytes[23] |= 0xc0;
    assert_eq!(parse(&bytes), Ok(notification(&[])));
}

#[test]
fn a_notification_with_too_much_of_the_frame_is_refused() {
    let mut bytes = octets(&notification(&[0; 64]));
    bytes[45] = 65;
    bytes.push(0);
    assert_eq!(parse(&bytes).unwrap_err().to_string(), "encapsulated length is 65, but must be at most 64");
}

#[test]
fn values_that_a_format_cannot_express_are_not_encoded() {
    let refusal = |frame: Frame<'_>| {
        frame.encode(&Conventions::default(), &mut [0; 800]).map(<[u8]>::len).unwrap_err().to_string()
    };
    let Frame { header, content: Content::Cnm(cnm) } = notification(&[]) else { unreachable!() };
    let strong = Frame { header, content: Content::Cnm(Cnm { feedback: 64, ..cnm }) };
    assert_eq!(refusal(strong), "CNM feedback is 64, but must be 0 to 63");
    let long = [0; 65];
    assert_eq!(refusal(notification(&long)), "encapsulated length is 65, but must be at most 64");
    let vlan = Some(VlanTag { vlan: 4096, ..VlanTag::default() });
    let far = Frame { header: Header { vlan, ..header }, content: Content::Data(&[]) };
    assert_eq!(refusal(far), "VLAN identifier is 4096, but must be below 4096");
    let short = notification(&[]).encode(&Conventions::default(), &mut [0; 59]).map(<[u8]>::len);
    assert_eq!(short.unwrap_err().to_string(), "the buffer has no room for the frame's padding");
}

#[test]
fn an_unknown_opcode_is_reported_as_such() {
    let mut bytes = octets(&Frame::pause(BRIDGE, Pause { quanta: 1 }));
    bytes[15] = 0x02;
    assert_eq!(parse(&bytes).unwrap().content, Content::MacControl(2));
}

#[test]
fn a_second_tag_of_the_same_kind_belongs_to_the_payload() {
    let mut bytes = vec![0; 60];
    bytes[12..20].copy_from_slice(&[0x81, 0, 0, 1, 0x81, 0, 0, 2]);
    let frame = parse(&bytes).unwrap();
    assert_eq!(frame.header.ether_type, EtherType::VLAN);
    assert!(matches!(frame.content, Content::Data([0, 2, ..])));
}
