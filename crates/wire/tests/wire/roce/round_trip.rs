//! Encoding a frame and parsing it again gives the same frame.

use core::net::Ipv4Addr;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use setpoint_wire::roce::{Aeth, Bth, Operation, Reth, SendPart, Syndrome, U24, WritePart};
use setpoint_wire::{CnTag, Dscp, Ecn, Header, Ipv4Header, MIN_FRAME, MacAddress, RoceFrame, UdpHeader};

use super::{frames, octets, repair};

/// The longest headers: Ethernet with both tags, IPv4, UDP, BTH and RETH.
const HEADERS: usize = 22 + 20 + 8 + 12 + 16;

fn number() -> impl Strategy<Value = U24> {
    any::<u64>().prop_map(U24::wrapping)
}

fn header() -> impl Strategy<Value = Header> {
    (any::<[u8; 6]>(), any::<[u8; 6]>(), any::<bool>(), option::of(any::<u16>())).prop_map(
        |(destination, source, tagged, flow)| {
            let Header { vlan, ether_type, .. } = frames()[0].header;
            let (destination, source) = (MacAddress(destination), MacAddress(source));
            let (vlan, cn_tag) = (vlan.filter(|_| tagged), flow.map(|flow| CnTag { flow }));
            Header { destination, source, vlan, cn_tag, ether_type }
        },
    )
}

fn ip() -> impl Strategy<Value = Ipv4Header> {
    let ecn = prop_oneof![Just(Ecn::NotEct), Just(Ecn::Ect1), Just(Ecn::Ect0), Just(Ecn::Ce)];
    (ecn, 0_u8..64, any::<(u16, bool, u8)>(), any::<Ipv4Addr>(), any::<Ipv4Addr>()).prop_map(
        |(ecn, dscp, (identification, do_not_fragment, time_to_live), source, destination)| Ipv4Header {
            dscp: Dscp::new(dscp).unwrap(),
            ecn,
            identification,
            do_not_fragment,
            time_to_live,
            source,
            destination,
            ..frames()[0].ip
        },
    )
}

fn bth() -> impl Strategy<Value = Bth> {
    (any::<[bool; 5]>(), any::<u16>(), number(), number()).prop_map(
        |([solicited_event, migrated, fecn, becn, acknowledge_request], partition, queue_pair, sequence)| {
            Bth {
                solicited_event,
                migrated,
                partition,
                fecn,
                becn,
                queue_pair,
                acknowledge_request,
                sequence,
            }
        },
    )
}

fn reth() -> impl Strategy<Value = Reth> {
    any::<(u64, u32, u32)>().prop_map(|(address, key, length)| Reth { address, key, length })
}

/// An operation of any kind, with the given payload if it has one.
fn operation(payload: &[u8]) -> impl Strategy<Value = Operation<'_>> {
    let send = prop_oneof![
        Just(SendPart::First),
        Just(SendPart::Middle),
        Just(SendPart::Last),
        Just(SendPart::Only)
    ];
    let write = prop_oneof![
        reth().prop_map(WritePart::First),
        Just(WritePart::Middle),
        Just(WritePart::Last),
        reth().prop_map(WritePart::Only)
    ];
    let aeth = (any::<u8>(), number())
        .prop_map(|(syndrome, messages)| Aeth { syndrome: Syndrome(syndrome), messages });
    prop_oneof![
        send.prop_map(move |part| Operation::Send(part, payload)),
        write.prop_map(move |part| Operation::Write(part, payload)),
        aeth.prop_map(Operation::Acknowledge),
        Just(Operation::Cnp),
        // Opcodes of other services.
        (0x20_u8..0x80).prop_map(move |opcode| Operation::Other(opcode, payload)),
    ]
}

const PAYLOAD: &[u8] = &{
    let mut payload = [0; 300];
    let mut place = 0;
    while place < payload.len() {
        payload[place] = (place * 7 + 1) as u8;
        place += 1;
    }
    payload
};

fn frame() -> impl Strategy<Value = RoceFrame<'static>> {
    let operation = (0..=PAYLOAD.len()).prop_flat_map(|length| operation(&PAYLOAD[..length]));
    (header(), ip(), any::<u16>(), bth(), operation).prop_map(|(header, ip, source_port, bth, operation)| {
        RoceFrame { header, ip, source_port, bth, operation }
    })
}

/// The headers of the longest datagram. One more octet is too much for either header.
#[test]
fn headers_of_a_datagram() {
    let ip = Ipv4Header::of_udp([10, 0, 0, 1].into(), [10, 0, 0, 2].into());
    let udp = UdpHeader { source_port: 49_153, destination_port: 49_152 };
    let longest = 65_535 - 20 - 8;
    let mut packet = ip.encode(8 + longest).unwrap().to_vec();
    packet.extend(udp.encode(longest).unwrap());
    packet.resize(65_535, 0x55);
    let (parsed, datagram) = Ipv4Header::parse(&packet).unwrap();
    assert_eq!((parsed, datagram.len()), (ip, 65_515));
    let (parsed, payload) = UdpHeader::parse(&ip, datagram).unwrap();
    assert_eq!((parsed, payload.len()), (udp, longest));
    assert!(ip.encode(8 + longest + 1).is_err() && udp.encode(65_535 - 8 + 1).is_err());
}

proptest! {
    #[test]
    fn frames_of_all_operations(frame in frame()) {
        let bytes = octets(&frame);
        prop_assert_eq!(RoceFrame::parse(&bytes), Ok(frame));
        prop_assert_eq!(bytes.len(), frame.length());
        prop_assert!(bytes.len() >= MIN_FRAME);
        let mut repaired = bytes.clone();
        repair::header_checksum(&mut repaired);
        repair::icrc(&mut repaired);
        prop_assert_eq!(bytes, repaired);
    }

    #[test]
    fn the_beginning_of_a_frame(frame in frame(), room in HEADERS..450) {
        let whole = octets(&frame);
        let mut buffer = vec![0xaa; room];
        let start = frame.encode_start(&mut buffer).unwrap();
        prop_assert_eq!(start, &whole[..room.min(whole.len())]);
    }

    /// Every forged packet is refused or can be encoded again with the same meaning.
    #[test]
    fn forged_packets(frame in frame(), forged in vec((0_usize..64, any::<u8>()), 0..3), words in 0_usize..80) {
        let mut bytes = octets(&frame);
        let start = repair::packet(&bytes);
        let total = 44 + 4 * words;
        bytes.resize(start + total, 0x55);
        for (offset, octet) in forged.into_iter().filter(|(offset, _)| *offset < total) {
            bytes[start + offset] = octet;
        }
        bytes[start + 2..start + 4].copy_from_slice(&(total as u16).to_be_bytes());
        bytes[start + 24..start + 26].copy_from_slice(&(total as u16 - 20).to_be_bytes());
        repair::header_checksum(&mut bytes);
        repair::icrc(&mut bytes);
        if let Ok(parsed) = RoceFrame::parse(&bytes) {
            let again = octets(&parsed);
            prop_assert_eq!(RoceFrame::parse(&again), Ok(parsed));
        }
    }

    #[test]
    fn arbitrary_octets(bytes in vec(any::<u8>(), 0..200)) {
        let mut bytes = bytes;
        for (place, octet) in bytes.iter_mut().skip(12).zip([0x08, 0x00, 0x45]) {
            *place = octet;
        }
        // Two checksums, the port and the ICRC are never correct by chance.
        prop_assert!(RoceFrame::parse(&bytes).is_err());
    }
}
