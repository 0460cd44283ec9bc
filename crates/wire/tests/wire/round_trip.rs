//! Encoding a frame and parsing it again gives the same frame.

use proptest::array::{uniform6, uniform8};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use setpoint_wire::lldp::{CongestionTlv, PfcTlv};
use setpoint_wire::{
    Announcement, CnTag, Cnm, Content, Conventions, EtherType, Frame, Header, MIN_FRAME, MacAddress,
    OffsetSign, Pause, Pfc, Priority, PriorityPlace, PrioritySet, QueueUnit, VlanTag,
};

fn address() -> impl Strategy<Value = MacAddress> {
    uniform6(any::<u8>()).prop_map(MacAddress)
}

fn priority() -> impl Strategy<Value = Priority> {
    (0_u8..8).prop_map(|number| Priority::new(number).unwrap())
}

fn vlan() -> impl Strategy<Value = VlanTag> {
    (priority(), any::<bool>(), 0_u16..4096).prop_map(|(priority, drop_eligible, vlan)| VlanTag {
        priority,
        drop_eligible,
        vlan,
    })
}

fn conventions() -> impl Strategy<Value = Conventions> {
    let sign = prop_oneof![Just(OffsetSign::NegativeWhenCongested), Just(OffsetSign::PositiveWhenCongested)];
    let unit = prop_oneof![Just(QueueUnit::Octets64), Just(QueueUnit::Octet)];
    let place = prop_oneof![Just(PriorityPlace::UpperBits), Just(PriorityPlace::LowerBits)];
    (sign, unit, place).prop_map(|(offset_sign, queue_unit, priority_place)| Conventions {
        offset_sign,
        queue_unit,
        priority_place,
    })
}

fn header(ether_type: EtherType) -> impl Strategy<Value = Header> {
    (address(), address(), option::of(vlan()), option::of(any::<u16>())).prop_map(
        move |(destination, source, vlan, flow)| {
            let cn_tag = flow.map(|flow| CnTag { flow });
            Header { destination, source, vlan, cn_tag, ether_type }
        },
    )
}

/// Encodes and parses a frame.
fn repeated<'b>(
    frame: &Frame<'_>,
    conventions: &Conventions,
    buffer: &'b mut [u8],
) -> Result<Frame<'b>, TestCaseError> {
    let bytes = frame.encode(conventions, buffer).unwrap();
    prop_assert!(bytes.len() >= MIN_FRAME);
    Ok(Frame::parse(bytes, conventions).unwrap())
}

/// The number of octets that a queue field represents.
fn units(conventions: &Conventions, field: i16) -> i64 {
    // The smallest value has no counterpart with the other sign.
    i64::from(field.max(-i16::MAX)) * if conventions.queue_unit == QueueUnit::Octet { 1 } else { 64 }
}

proptest! {
    #[test]
    fn notifications(
        conventions in conventions(),
        header in header(EtherType::CNM),
        feedback in 0_u8..64,
        congestion_point in uniform8(any::<u8>()),
        (offset, delta) in any::<(i16, i16)>(),
        (priority, destination) in (priority(), address()),
        sample in vec(any::<u8>(), 0..=64),
    ) {
        let cnm = Cnm {
            feedback,
            congestion_point,
            queue_offset: units(&conventions, offset),
            queue_delta: units(&conventions, delta),
            priority,
            destination,
            sample: &sample,
        };
        let frame = Frame { header, content: Content::Cnm(cnm) };
        let mut buffer = [0; 200];
        prop_assert_eq!(repeated(&frame, &conventions, &mut buffer)?, frame);
    }

    #[test]
    fn flow_control(source in address(), quanta in any::<u16>(), set in any::<u8>(), times in uniform8(any::<u16>())) {
        let pfc = Pfc { enabled: PrioritySet(set), times };
        for frame in [Frame::pause(source, Pause { quanta }), Frame::pfc(source, pfc)] {
            let mut buffer = [0; 100];
            prop_assert_eq!(repeated(&frame, &Conventions::default(), &mut buffer)?, frame);
        }
    }

    #[test]
    fn announcements(
        (source, chassis) in (address(), address()),
        port in vec(any::<u8>(), 1..=255),
        seconds_to_live in any::<u16>(),
        congestion in option::of(any::<(u8, u8)>()),
        pfc in option::of((any::<bool>(), any::<bool>(), 0_u8..16, any::<u8>())),
    ) {
        let announcement = Announcement {
            chassis,
            port: &port,
            seconds_to_live,
            congestion: congestion
                .map(|(managed, ready)| CongestionTlv { managed: PrioritySet(managed), ready: PrioritySet(ready) }),
            pfc: pfc.map(|(willing, macsec_bypass, capability, enabled)| {
                PfcTlv { willing, macsec_bypass, capability, enabled: PrioritySet(enabled) }
            }),
        };
        let frame = Frame::lldp(source, announcement);
        let mut buffer = [0; 400];
        prop_assert_eq!(repeated(&frame, &Conventions::default(), &mut buffer)?, frame);
    }

    #[test]
    fn data(header in header(EtherType::IPV4), payload in vec(any::<u8>(), 46..1500)) {
        let frame = Frame { header, content: Content::Data(&payload) };
        let mut buffer = [0; 1600];
        prop_assert_eq!(repeated(&frame, &Conventions::default(), &mut buffer)?, frame);
    }

    /// Every frame that can be parsed can be encoded again, with the same meaning.
    #[test]
    fn parsed_frames(bytes in vec(any::<u8>(), 0..200), kind in 0_usize..4, conventions in conventions()) {
        let types = [[0x22, 0xe7], [0x88, 0x08], [0x88, 0xcc], [0x81, 0x00]];
        let mut bytes = bytes;
        if let Some(place) = bytes.get_mut(12..14) {
            place.copy_from_slice(&types[kind]);
        }
        if let Ok(frame) = Frame::parse(&bytes, &conventions) {
            let mut buffer = [0; 700];
            let again = repeated(&frame, &conventions, &mut buffer)?;
            prop_assert_eq!(again.header, frame.header);
            if !matches!(frame.content, Content::Data(_)) {
                prop_assert_eq!(again.content, frame.content);
            }
        }
    }
}
