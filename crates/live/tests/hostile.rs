//! Hostile frames: truncated, oversized, forged, flooded. Whatever arrives, a bridge keeps forwarding, a station keeps
//! sending, and memory stays bounded.
//!
//! `HOSTILE_FRAMES=10000000 cargo test -p setpoint-live --test hostile --release` tries more frames.

mod support;

use proptest::prelude::*;
use setpoint_control::Algorithm;
use setpoint_live::bridge::Bridge;
use setpoint_live::node::Node;
use setpoint_live::station::{LINK, PROGRAMS, Station};
use setpoint_sim::{Purpose, RandomStream};
use setpoint_units::{Time, TimeDelta};
use setpoint_wire::{
    CnTag, Cnm, Conventions, EtherType, Frame, Header, MacAddress, Pause, Pfc, Priority, PrioritySet, VlanTag,
};
use support::{address, bridge_plan, data, program_frame, station_plan};

type Sent = Vec<(usize, Vec<u8>)>;

fn at(micros: u64) -> Time {
    Time::ZERO + TimeDelta::from_micros(micros)
}

fn encoded(frame: &Frame<'_>) -> Vec<u8> {
    let mut buffer = [0; 256];
    frame.encode(&Conventions::default(), &mut buffer).unwrap().to_vec()
}

/// A notification for a flow of station 0, to be forged.
fn cnm(to: MacAddress, flow: u16, cnm: Cnm<'_>) -> Vec<u8> {
    let sampled = Header {
        destination: address(4),
        source: to,
        vlan: Some(VlanTag::of_priority(Priority::ALL[3])),
        cn_tag: Some(CnTag { flow }),
        ether_type: EtherType::IPV4,
    };
    encoded(&Frame::cnm(MacAddress([2, 9, 9, 9, 9, 9]), &sampled, Priority::ALL[6], cnm))
}

fn genuine() -> Cnm<'static> {
    Cnm {
        feedback: 63,
        congestion_point: [2, 9, 9, 9, 9, 9, 0, 3],
        queue_offset: -50_000,
        queue_delta: 10_000,
        priority: Priority::ALL[3],
        destination: address(4),
        sample: &[],
    }
}

/// A station that has sent the given number of frames of its first flow, and the current time.
fn busy_station(frames: u64) -> (Station, Time) {
    let mut station = Station::new(station_plan(0));
    let mut sent = Sent::new();
    let mut now = at(1);
    for _ in 0..frames {
        station.receive(now, PROGRAMS, &program_frame(), &mut sent);
        now += TimeDelta::from_micros(200);
        station.poll(now, &mut sent);
    }
    (station, now)
}

#[test]
fn a_station_obeys_only_notifications_for_its_own_flows() {
    let forged: Vec<(&str, Vec<u8>)> = vec![
        ("another station", cnm(address(1), 1, genuine())),
        ("a flow that does not exist", cnm(address(0), 2, genuine())),
        ("flow 0, which takes frames that belong to none", cnm(address(0), 0, genuine())),
        ("another destination", cnm(address(0), 1, Cnm { destination: address(3), ..genuine() })),
        ("another priority", cnm(address(0), 1, Cnm { priority: Priority::ALL[2], ..genuine() })),
        ("the largest flow", cnm(address(0), u16::MAX, genuine())),
    ];
    for (what, octets) in forged {
        let (mut station, now) = busy_station(100);
        station.receive(now, LINK, &octets, &mut Sent::new());
        assert_eq!((station.counters.obeyed, station.flows()[0].limit), (0, None), "{what}");
        assert_eq!(station.counters.unknown_flow + station.counters.not_ours, 1, "{what}");
    }
    let (mut station, now) = busy_station(100);
    station.receive(now, LINK, &cnm(address(0), 1, genuine()), &mut Sent::new());
    assert_eq!(station.counters.obeyed, 1, "the genuine one");
    assert!(station.flows()[0].limit.is_some());
}

#[test]
fn a_notification_with_another_version_is_refused() {
    let (mut station, now) = busy_station(10);
    let mut octets = cnm(address(0), 1, genuine());
    octets[22] |= 0x10;
    station.receive(now, LINK, &octets, &mut Sent::new());
    assert_eq!((station.counters.invalid, station.counters.obeyed), (1, 0));
}

/// Each notification responds to a frame: a flow accepts no more notifications than it has sent frames, so a flooded
/// flow keeps recovering.
#[test]
fn a_flood_of_notifications_is_limited() {
    let (mut station, now) = busy_station(20);
    for _ in 0..10_000 {
        station.receive(now, LINK, &cnm(address(0), 1, genuine()), &mut Sent::new());
    }
    assert_eq!((station.counters.obeyed, station.counters.too_many), (20, 9_980));
}

/// A flood of notifications with forged congestion points uses bounded memory.
#[test]
fn forged_congestion_points_are_limited() {
    let (mut station, mut now) = busy_station(10);
    let mut sent = Sent::new();
    for number in 0..100_000_u32 {
        let [a, b, c, d] = number.to_be_bytes();
        let congestion_point = [2, 0, a, b, c, d, 0, 3];
        station.receive(now, PROGRAMS, &program_frame(), &mut sent);
        station.receive(now, LINK, &cnm(address(0), 1, Cnm { congestion_point, ..genuine() }), &mut sent);
        now += TimeDelta::from_millis(20);
        sent.clear();
    }
    let counters = station.counters;
    assert!(counters.obeyed <= 1_024 && counters.unknown_point > 50_000, "{counters:?}");
}

/// A neighbour that pauses forever stops a station for at most half of the time.
#[test]
fn a_pause_storm_does_not_stop_a_station() {
    for octets in [
        encoded(&Frame::pfc(address(9), Pfc { enabled: PrioritySet(0xff), times: [65_535; 8] })),
        encoded(&Frame::pause(address(9), Pause { quanta: 65_535 })),
    ] {
        let mut station = Station::new(station_plan(0));
        let mut sent = Sent::new();
        for tick in 0..100_000 {
            station.receive(at(tick * 100), LINK, &octets, &mut sent);
            station.receive(at(tick * 100), PROGRAMS, &program_frame(), &mut sent);
        }
        let frames = sent.iter().filter(|(port, octets)| *port == LINK && octets.len() > 1_000).count();
        // 10 s at 100 Mb/s are 83 000 frames.
        assert!((30_000..60_000).contains(&frames), "{frames}");
    }
}

/// A program's frame with its own tag is held while the priority in the tag is paused, even if it belongs to no flow.
#[test]
fn frames_with_tags_of_their_own_obey_pauses() {
    let [two, three] = [2, 3].map(|priority| {
        let mut octets = program_frame();
        octets.splice(12..12, [0x81, 0, priority << 5, 0]);
        octets
    });
    let no_flow = {
        let mut octets = three.clone();
        octets[16..18].copy_from_slice(&[0x88, 0xb5]);
        octets
    };
    let mut station = Station::new(station_plan(0));
    let mut sent = Sent::new();
    let pfc = Pfc { enabled: PrioritySet(0b1000), times: [65_535; 8] };
    station.receive(at(1), LINK, &encoded(&Frame::pfc(address(9), pfc)), &mut sent);
    sent.clear();
    for octets in [&two, &three, &no_flow] {
        station.receive(at(2), PROGRAMS, octets, &mut sent);
    }
    station.poll(at(300_000), &mut sent);
    let tags: Vec<u8> = sent.iter().map(|(_, octets)| octets[14] >> 5).collect();
    assert_eq!(tags, [2], "the others are paused");
    station.poll(at(400_000), &mut sent);
    assert_eq!(sent.len(), 3);
}

/// The watchdog also protects a bridge, where traffic between other ports is not affected at all.
#[test]
fn a_pause_storm_does_not_stop_a_bridge() {
    let mut bridge = Bridge::new(bridge_plan());
    let mut sent = Sent::new();
    bridge.receive(at(0), 4, &hello(4), &mut sent);
    bridge.receive(at(0), 3, &hello(3), &mut sent);
    let storm = encoded(&Frame::pfc(address(9), Pfc { enabled: PrioritySet(0xff), times: [65_535; 8] }));
    // The other traffic uses another input: with PFC, frames from an input that is waiting for the paused port
    // have to wait too.
    let other = {
        let mut octets = data(1);
        octets[..6].copy_from_slice(&address(3).0);
        octets
    };
    for tick in 0..100_000 {
        bridge.receive(at(tick * 100), 4, &storm, &mut sent);
        bridge.receive(at(tick * 100), 0, &data(0), &mut sent);
        if tick % 2 == 0 {
            bridge.receive(at(tick * 100), 1, &other, &mut sent);
        }
    }
    let sent_to =
        |port: usize| sent.iter().filter(|(to, octets)| *to == port && octets.len() > 1_000).count();
    assert!(sent_to(4) > 30_000 && sent_to(3) > 49_000, "{} {}", sent_to(4), sent_to(3));
}

/// A short frame by which a bridge learns where a station is.
fn hello(station: usize) -> Vec<u8> {
    let mut octets = data(station);
    octets[..6].copy_from_slice(&MacAddress([0xff; 6]).0);
    octets.truncate(60);
    octets
}

/// Forged sources and flows use bounded memory, and frames of genuine stations still pass.
#[test]
fn forged_sources_do_not_exhaust_a_bridge() {
    let mut bridge = Bridge::new(bridge_plan());
    let mut sent = Sent::new();
    bridge.receive(at(0), 4, &hello(4), &mut sent);
    for number in 0..200_000_u32 {
        let mut octets = data(1);
        octets.truncate(60);
        octets[6..12].copy_from_slice(&[2, 7, 0, 0, 0, 0]);
        octets[8..12].copy_from_slice(&number.to_be_bytes());
        bridge.receive(at(u64::from(number)), 1, &octets, &mut sent);
        sent.clear();
    }
    bridge.receive(at(1_000_000), 0, &data(0), &mut sent);
    bridge.poll(at(2_000_000), &mut sent);
    assert!(sent.iter().any(|(port, octets)| *port == 4 && octets.len() > 1_000));
}

/// A bridge that removed a CN-TAG would expose the tag after it, with a priority that the bridge has not checked.
#[test]
fn a_tag_behind_a_cn_tag_is_refused() {
    let mut bridge = Bridge::new(bridge_plan());
    let mut sent = Sent::new();
    let mut hidden = program_frame();
    hidden.splice(12..12, [0x22, 0xe9, 0, 1, 0x81, 0, 3 << 5, 0]);
    bridge.poll(at(0), &mut sent);
    sent.clear();
    bridge.receive(at(1), 0, &hidden, &mut sent);
    bridge.receive(at(1), 0, &[&hidden[..18], &[0][..]].concat(), &mut sent);
    assert_eq!((sent.len(), bridge.counters.invalid), (0, 2));
}

/// Random frames, most of them close to a valid one, with a few octets changed, removed or added.
struct Mutator {
    random: RandomStream,
    seeds: Vec<Vec<u8>>,
}

impl Mutator {
    fn new(seed: u64) -> Self {
        let announcement = {
            let mut neighbour = setpoint_live::neighbour::Neighbour::new(support::profile());
            let mut buffer = [0; 512];
            neighbour.announce(Time::ZERO, &mut buffer).unwrap().to_vec()
        };
        let pfc = Pfc { enabled: PrioritySet(0b1000), times: [0, 0, 0, 65_535, 0, 0, 0, 0] };
        let seeds = vec![
            support::rdma::cnp(&support::rdma::reports(0)),
            support::rdma::datagram(1, 0, Some(3), setpoint_wire::Ecn::Ce, 200),
            support::rdma::datagram(0, 4, None, setpoint_wire::Ecn::NotEct, 200),
            data(0),
            hello(3),
            program_frame(),
            cnm(address(0), 1, genuine()),
            encoded(&Frame::pfc(address(1), pfc)),
            encoded(&Frame::pause(address(1), Pause { quanta: 9 })),
            announcement,
        ];
        Self { random: RandomStream::new(seed, Purpose::Matrix, 0), seeds }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound as u64) as usize
    }

    fn frame(&mut self) -> Vec<u8> {
        if self.below(10) == 0 {
            return (0..self.below(120)).map(|_| self.random.below(256) as u8).collect();
        }
        let chosen = self.below(self.seeds.len());
        let mut octets = self.seeds[chosen].clone();
        for _ in 0..self.below(4) {
            // Most changes hit the headers, where they matter.
            let within = octets.len().clamp(1, 64);
            let place = self.below(within);
            if let Some(octet) = octets.get_mut(place) {
                *octet = self.random.below(256) as u8;
            }
        }
        match self.below(8) {
            0 => octets.truncate(self.below(octets.len() + 1)),
            1 => octets.resize(octets.len() + self.below(9_000), 0xa5),
            _ => {}
        }
        octets
    }
}

fn frames_to_try() -> u64 {
    std::env::var("HOSTILE_FRAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(60_000)
}

/// Frames that a bridge sends can be parsed, and those that it received are accounted for.
#[test]
fn a_bridge_survives_any_frame() {
    survives_as_bridge(Bridge::new(bridge_plan()), frames_to_try());
    survives_as_bridge(Bridge::new(support::bridge_plan_of(Algorithm::Dcqcn)), frames_to_try() / 4);
}

fn survives_as_bridge(mut bridge: Bridge, frames: u64) {
    let mut mutator = Mutator::new(1);
    let mut sent = Sent::new();
    for number in 0..frames {
        let (port, octets) = (mutator.below(5), mutator.frame());
        bridge.receive(at(number * 50), port, &octets, &mut sent);
        for (to, octets) in sent.drain(..) {
            assert!(to < 5 && Frame::parse(&octets, &Conventions::default()).is_ok(), "{octets:02x?}");
        }
    }
    let counters = bridge.counters;
    assert!(counters.truncated > 100 && counters.invalid > 100 && counters.flooded > 100, "{counters:?}");
    assert!(counters.bad_control > 10 && counters.bad_source > 100, "{counters:?}");
}

/// A station survives any frame from its link and from its programs, and still sends afterwards.
#[test]
fn a_station_survives_any_frame() {
    survives_as_station(Station::new(station_plan(0)), frames_to_try());
    survives_as_station(Station::new(support::station_plan_of(Algorithm::Dcqcn, 0)), frames_to_try() / 4);
}

fn survives_as_station(mut station: Station, frames: u64) {
    let mut mutator = Mutator::new(2);
    let mut sent = Sent::new();
    for number in 0..frames {
        let (port, octets) = (mutator.below(2), mutator.frame());
        station.receive(at(number * 50), port, &octets, &mut sent);
        sent.clear();
    }
    let counters = station.counters;
    assert!(counters.truncated > 100 && counters.invalid > 100 && counters.unknown_flow > 10, "{counters:?}");
    let later = at(frames * 50) + TimeDelta::from_secs(100);
    station.poll(later, &mut sent);
    sent.clear();
    station.receive(later, PROGRAMS, &program_frame(), &mut sent);
    station.poll(later + TimeDelta::from_secs(1), &mut sent);
    assert!(sent.iter().any(|(port, octets)| *port == LINK && octets.len() > 1_000));
}

proptest! {
    /// Any sequence of short frames at arbitrary times.
    #[test]
    fn any_octets_at_any_time(frames in prop::collection::vec((0usize..5, 0u64..1_000_000, prop::collection::vec(any::<u8>(), 0..100)), 0..50)) {
        let (mut bridge, mut station) = (Bridge::new(bridge_plan()), Station::new(station_plan(0)));
        let mut marking = Bridge::new(support::bridge_plan_of(Algorithm::Dcqcn));
        let mut answering = Station::new(support::station_plan_of(Algorithm::Dcqcn, 0));
        let (mut sent, mut now) = (Sent::new(), Time::ZERO);
        for (port, step, octets) in frames {
            now += TimeDelta::from_nanos(step);
            bridge.receive(now, port, &octets, &mut sent);
            station.receive(now, port % 2, &octets, &mut sent);
            marking.receive(now, port, &octets, &mut sent);
            answering.receive(now, port % 2, &octets, &mut sent);
        }
    }
}
