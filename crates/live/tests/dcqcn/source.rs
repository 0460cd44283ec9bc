//! Sources: the declaration of frames as ECN-capable, and the reaction to reports of marks.

use setpoint_live::node::Node;
use setpoint_live::station::{LINK, PROGRAMS, Station};
use setpoint_sim::Spec;
use setpoint_units::Rate;
use setpoint_wire::roce::{Connection, End, U24};
use setpoint_wire::{Cnm, Ecn, Frame, Header, Ipv4Header, ecn};

use super::support::rdma::{cnp, datagram, ipv6, reports};
use super::support::{self, address};
use super::{RECEIVER, Sent, at, on_link, spec, station, with_background};

fn packet() -> Vec<u8> {
    datagram(0, RECEIVER, None, Ecn::NotEct, 1_000)
}

/// The frame that a station sends for a frame of a program.
fn sent_for(spec: &Spec, octets: &[u8]) -> Vec<u8> {
    let mut station = station(spec, 0);
    let mut sent = Sent::new();
    station.receive(at(0), PROGRAMS, octets, &mut sent);
    let [octets] = on_link(&sent)[..] else { panic!("{sent:?}") };
    octets.to_vec()
}

#[test]
fn frames_of_flows_under_control_are_declared_as_capable() {
    let octets = sent_for(&spec(), &packet());
    let (header, payload) = Header::parse(&octets).unwrap();
    assert_eq!((header.vlan.unwrap().priority.number(), header.cn_tag), (3, None));
    let (ip, _) = Ipv4Header::parse(payload).expect("the header checksum is correct");
    assert_eq!(ip.ecn, Ecn::Ect0);
    let mut expected = datagram(0, RECEIVER, Some(3), Ecn::Ect0, 1_004);
    // The same packet in a longer frame.
    expected.truncate(1_004);
    assert_eq!(octets[..38], *datagram(0, RECEIVER, Some(3), Ecn::Ect0, 1_004).get(..38).unwrap());
    assert_eq!(octets.len(), expected.len());
}

#[test]
fn other_frames_keep_their_codepoint() {
    let kept = |spec: &Spec, octets: &[u8]| ecn::of(&sent_for(spec, octets));
    assert_eq!(kept(&spec(), &datagram(0, RECEIVER, None, Ecn::Ect1, 1_000)), Some(Ecn::Ect1));
    assert_eq!(kept(&with_background(), &packet()), Some(Ecn::NotEct), "background traffic");
    let other = datagram(0, RECEIVER, Some(2), Ecn::NotEct, 1_000);
    assert_eq!(kept(&spec(), &other), Some(Ecn::NotEct), "a priority without congestion control");
    assert_eq!(kept(&spec(), &ipv6(0, RECEIVER, Ecn::NotEct)), Some(Ecn::NotEct), "no CNPs over IPv6");
    let mut broadcast = packet();
    broadcast[..6].fill(0xff);
    assert_eq!(kept(&spec(), &broadcast), Some(Ecn::NotEct));
}

/// A station whose flow has sent the given number of frames.
fn busy(spec: &Spec, frames: u64) -> Station {
    let mut station = station(spec, 0);
    for number in 0..frames {
        station.receive(at(number * 100_000), PROGRAMS, &packet(), &mut Sent::new());
    }
    station
}

fn limit(station: &Station) -> Option<f64> {
    station.flows()[0].limit.map(|limit| limit.bits_per_second() as f64 / 1e6)
}

/// The line rate is 100 Mb/s, α begins at 1, and a cycle of the timer lasts 55 us. At the second packet, 120 us after the first
/// one, α has decayed twice: it is (255/256)^2, and the rate is 87.5 Mb/s (1 - α/2).
#[test]
fn reports_limit_the_flow_as_the_rules_require() {
    let mut station = busy(&spec(), 10);
    let mut sent = Sent::new();
    let begin = 5_000_000;
    assert_eq!(limit(&station), None);
    station.receive(at(begin), LINK, &cnp(&reports(0)), &mut sent);
    assert_eq!((limit(&station), station.counters.obeyed), (Some(50.0), 1));
    let mut trace = Vec::new();
    for _ in 0..2 {
        let due = station.deadline().unwrap();
        station.poll(due, &mut sent);
        trace.push((due - at(begin), limit(&station).unwrap()));
    }
    let after = setpoint_units::TimeDelta::from_micros;
    assert_eq!(trace, [(after(55), 75.0), (after(110), 87.5)]);
    station.receive(at(begin + 120_000), LINK, &cnp(&reports(0)), &mut sent);
    let alpha = (255.0_f64 / 256.0).powi(2);
    let expected = 87.5 * (1.0 - alpha / 2.0);
    assert!((limit(&station).unwrap() - expected).abs() < 1e-5, "{:?} {expected}", limit(&station));
    assert!(sent.is_empty(), "programs receive no reports: {sent:?}");
    assert_eq!(station.flows()[0].notifications, 2);
}

/// At 50 Mb/s, a frame with 1008 B and 20 B between frames takes 164.48 us.
#[test]
fn a_limited_flow_is_paced() {
    let mut spec = spec();
    if let setpoint_control::ReactionPointParams::Dcqcn(rp) = &mut spec.control.reaction_point {
        rp.time_reset = setpoint_units::TimeDelta::from_secs(1);
    }
    let mut station = busy(&spec, 10);
    let begin = 5_000_000;
    station.receive(at(begin), LINK, &cnp(&reports(0)), &mut Sent::new());
    let mut times = Vec::new();
    for _ in 0..4 {
        station.receive(at(begin), PROGRAMS, &packet(), &mut Sent::new());
    }
    while times.len() < 3 {
        let due = station.deadline().unwrap();
        let mut sent = Sent::new();
        station.poll(due, &mut sent);
        times.extend(on_link(&sent).iter().map(|_| (due - at(begin)).as_picos() / 1_000));
    }
    assert_eq!(times, [164_480, 328_960, 493_440]);
}

#[test]
fn forged_reports_are_ignored() {
    let genuine = reports(0);
    let queue_pair = U24::wrapping(u64::from(genuine.destination.queue_pair.get()) + 1);
    let of = |change: fn(&mut Connection)| {
        let mut connection = genuine;
        change(&mut connection);
        cnp(&connection)
    };
    let cases = [
        (
            "another queue pair",
            cnp(&Connection { destination: End { queue_pair, ..genuine.destination }, ..genuine }),
        ),
        ("another sender", of(|connection| connection.source.address = address(3))),
        ("another receiver's address", of(|connection| connection.source.ipv4 = [10, 0, 0, 9].into())),
        ("another source's address", of(|connection| connection.destination.ipv4 = [10, 0, 0, 9].into())),
    ];
    for (what, octets) in cases {
        let mut station = busy(&spec(), 10);
        station.receive(at(5_000_000), LINK, &octets, &mut Sent::new());
        assert_eq!((station.counters.unknown_flow, limit(&station)), (1, None), "{what}");
    }
    let mut station = busy(&with_background(), 10);
    station.receive(at(5_000_000), LINK, &cnp(&genuine), &mut Sent::new());
    assert_eq!((station.counters.unknown_flow, limit(&station)), (1, None), "background traffic");
    let mut station = busy(&spec(), 10);
    let mut damaged = cnp(&genuine);
    *damaged.last_mut().unwrap() ^= 1;
    station.receive(at(5_000_000), LINK, &damaged, &mut Sent::new());
    assert_eq!((station.counters.invalid, limit(&station)), (1, None), "an incorrect ICRC");
    station.receive(
        at(5_000_000),
        LINK,
        &of(|connection| connection.destination.address = address(1)),
        &mut Sent::new(),
    );
    assert_eq!((station.counters.not_ours, limit(&station)), (1, None), "for another station");
}

/// Each report responds to a frame, so there are no more reports than frames.
#[test]
fn a_flood_of_reports_is_limited() {
    let mut station = busy(&spec(), 20);
    for number in 0..1_000 {
        station.receive(at(5_000_000 + number), LINK, &cnp(&reports(0)), &mut Sent::new());
    }
    assert_eq!((station.counters.obeyed, station.counters.too_many), (20, 980));
    assert!(station.flows()[0].limit.unwrap() >= Rate::from_mbps(1));
}

/// Bridges that mark frames send no notifications, so one that arrives is forged.
#[test]
fn notifications_of_bridges_are_not_obeyed() {
    let mut station = busy(&spec(), 10);
    let sampled = Header::parse(&support::data(0)).unwrap().0;
    let cnm = Cnm {
        feedback: 63,
        congestion_point: [2, 9, 9, 9, 9, 9, 0, 3],
        queue_offset: -50_000,
        queue_delta: 10_000,
        priority: setpoint_wire::Priority::ALL[3],
        destination: address(RECEIVER),
        sample: &[],
    };
    let mut buffer = [0; 256];
    let frame = Frame::cnm(address(9), &sampled, setpoint_wire::Priority::ALL[6], cnm);
    let octets = frame.encode(&Default::default(), &mut buffer).unwrap();
    station.receive(at(5_000_000), LINK, octets, &mut Sent::new());
    assert_eq!((station.counters.unknown_flow, limit(&station)), (1, None));
}
