//! Sending and receiving.

use setpoint_live::sys::{LONGEST_FRAME, PacketSocket, Sent, SentAll};
use setpoint_wire::{CnTag, Content, Conventions, EtherType, Frame, Header, MacAddress, Priority, VlanTag};

use crate::namespace::{in_namespace, ip, linked_pair, receive};

const SOURCE: MacAddress = MacAddress([2, 0, 0, 0, 0, 1]);
const DESTINATION: MacAddress = MacAddress([2, 0, 0, 0, 0, 2]);

/// A frame with a sequence number.
pub(crate) fn numbered(number: u32, length: usize) -> Vec<u8> {
    let mut frame = vec![0x5a; length];
    frame[..6].copy_from_slice(&DESTINATION.0);
    frame[6..12].copy_from_slice(&SOURCE.0);
    frame[12..14].copy_from_slice(&[0x88, 0xb5]);
    frame[14..18].copy_from_slice(&number.to_be_bytes());
    frame
}

fn tagged(vlan: u16) -> Vec<u8> {
    let header = Header {
        destination: DESTINATION,
        source: SOURCE,
        vlan: Some(VlanTag { vlan, drop_eligible: true, ..VlanTag::of_priority(Priority::new(5).unwrap()) }),
        cn_tag: Some(CnTag { flow: 0x1234 }),
        ether_type: EtherType::IPV4,
    };
    let payload: Vec<u8> = (0..=255).cycle().take(1500).collect();
    let frame = Frame { header, content: Content::Data(&payload) };
    frame.encode(&Conventions::default(), &mut [0; 2000]).unwrap().to_vec()
}

#[test]
fn tags_arrive_octet_for_octet() {
    in_namespace(|| {
        let [mut a, mut b] = linked_pair();
        let frames = [tagged(0), tagged(100), tagged(4094)];
        for frame in &frames {
            assert_eq!(a.send(frame).unwrap(), Sent::Done);
        }
        assert_eq!(receive(&mut b, 3), frames);
    });
}

#[test]
fn the_type_of_the_outer_of_two_tags_is_kept() {
    in_namespace(|| {
        let [mut a, mut b] = linked_pair();
        let mut frame = numbered(0, 100);
        frame[12..20].copy_from_slice(&[0x88, 0xa8, 0x60, 0x07, 0x81, 0x00, 0x20, 0x08]);
        assert_eq!(a.send(&frame).unwrap(), Sent::Done);
        assert_eq!(receive(&mut b, 1), [frame]);
    });
}

#[test]
fn a_thousand_frames_arrive_in_order() {
    in_namespace(|| {
        let [mut a, mut b] = linked_pair();
        let frames: Vec<Vec<u8>> = (0..1000).map(|number| numbered(number, 1514)).collect();
        assert_eq!(a.send_all(&frames).unwrap(), SentAll { accepted: 1000, end: Sent::Done });
        assert_eq!(receive(&mut b, 1000), frames);
        let statistics = b.statistics().unwrap();
        assert!(statistics.received >= 1000 && statistics.dropped == 0, "{statistics:?}");
        assert_eq!(
            b.statistics().unwrap().received,
            statistics.received,
            "counts since the socket was opened"
        );
    });
}

#[test]
fn frames_that_do_not_fit_into_the_buffer_are_counted() {
    in_namespace(|| {
        let [mut a, mut b] = linked_pair();
        let burst: Vec<Vec<u8>> = (0..64).map(|number| numbered(number, 1514)).collect();
        let mut sent = 0;
        while b.statistics().unwrap().dropped == 0 {
            sent += a.send_all(&burst).unwrap().accepted as u64;
        }
        let statistics = b.statistics().unwrap();
        assert!(statistics.received + statistics.dropped >= sent, "{sent} sent, {statistics:?}");
        assert_eq!(receive(&mut b, 64)[..64], burst);
    });
}

#[test]
fn own_frames_are_not_received() {
    in_namespace(|| {
        let [mut a, mut b] = linked_pair();
        let mut observer = PacketSocket::open("end-a").unwrap();
        assert_eq!(a.send(&numbered(1, 60)).unwrap(), Sent::Done);
        assert_eq!(b.send(&numbered(2, 60)).unwrap(), Sent::Done);
        assert_eq!(receive(&mut b, 1), [numbered(1, 60)]);
        assert_eq!(receive(&mut a, 1), [numbered(2, 60)]);
        assert_eq!(receive(&mut observer, 1), [numbered(2, 60)], "sent by another socket of this machine");
    });
}

#[test]
fn long_frames_are_refused_and_oversized_frames_counted() {
    in_namespace(|| {
        let [mut a, mut b] = linked_pair();
        let frames = [numbered(1, 60), numbered(2, 1519), numbered(3, 60)];
        assert_eq!(a.mtu().unwrap(), 1504);
        assert_eq!(a.send(&frames[1]).unwrap(), Sent::TooLong);
        assert_eq!(a.send_all(&frames).unwrap(), SentAll { accepted: 1, end: Sent::TooLong });
        for name in ["end-a", "end-b"] {
            ip(&format!("link set {name} mtu 20000"));
        }
        for length in [LONGEST_FRAME, LONGEST_FRAME + 1, 60] {
            assert_eq!(a.send(&numbered(4, length)).unwrap(), Sent::Done);
        }
        let lengths: Vec<usize> = receive(&mut b, 3).iter().map(Vec::len).collect();
        assert_eq!(lengths, [60, LONGEST_FRAME, 60]);
        assert_eq!(b.statistics().unwrap().oversized, 1);
    });
}
