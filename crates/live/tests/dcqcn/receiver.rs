//! Replies to marked frames.

use setpoint_control::dcqcn::{NpParams, Reports};
use setpoint_live::node::Node;
use setpoint_live::station::{LINK, PROGRAMS, Station};
use setpoint_sim::Spec;
use setpoint_units::TimeDelta;
use setpoint_wire::roce::Operation;
use setpoint_wire::{Ecn, Priority, RoceFrame};

use super::support::address;
use super::support::rdma::{cnp, datagram, ipv4, ipv6, queue_pair, reports};
use super::{RECEIVER, Sent, at, on_link, spec, spec_of_np, station};

fn marked(from: usize) -> Vec<u8> {
    datagram(from, RECEIVER, Some(3), Ecn::Ce, 1_000)
}

/// Lets frames arrive at the receiver at the given times in microseconds. Returns the times at which it sent packets, in
/// microseconds, and their destinations.
fn replies(spec: &Spec, arrivals: &[(u64, Vec<u8>)]) -> Vec<(u64, usize)> {
    let mut station = station(spec, RECEIVER);
    station.poll(at(0), &mut Sent::new());
    let mut found = Vec::new();
    let mut arrivals = arrivals.iter().peekable();
    for now in 0..1_000 {
        let mut sent = Sent::new();
        if station.deadline().is_some_and(|due| due <= at(now * 1_000)) {
            station.poll(at(now * 1_000), &mut sent);
        }
        while let Some((_, octets)) = arrivals.next_if(|(at, _)| *at <= now) {
            station.receive(at(now * 1_000), LINK, octets, &mut sent);
        }
        let to = |octets: &[u8]| (0..=RECEIVER).find(|to| octets[..6] == address(*to).0).unwrap();
        found.extend(on_link(&sent).into_iter().map(|octets| (now, to(octets))));
    }
    found
}

#[test]
fn a_marked_frame_is_answered_by_a_packet_that_names_its_flow() {
    let mut station = station(&spec(), RECEIVER);
    let mut sent = Sent::new();
    station.receive(at(0), LINK, &marked(2), &mut sent);
    let [octets] = on_link(&sent)[..] else { panic!("{sent:?}") };
    assert_eq!(octets, cnp(&reports(2)), "octet by octet");
    let RoceFrame { header, ip, source_port, bth, operation } = RoceFrame::parse(octets).unwrap();
    assert_eq!((header.destination, header.source), (address(2), address(RECEIVER)));
    assert_eq!(header.vlan.map(|tag| tag.priority), Some(Priority::ALL[6]));
    assert_eq!((ip.source, ip.destination), (ipv4(RECEIVER), ipv4(2)));
    assert_eq!((ip.dscp.number(), ip.ecn), (48, Ecn::NotEct));
    assert_eq!((operation, bth.becn, bth.sequence.get()), (Operation::Cnp, true, 0));
    assert_eq!(bth.queue_pair.get(), queue_pair(2, RECEIVER));
    assert!(source_port >= 49_152);
    // The program receives the frame with its mark.
    let delivered: Vec<_> = sent.iter().filter(|(port, _)| *port == PROGRAMS).collect();
    let mut plain = marked(2);
    plain.drain(12..16);
    assert_eq!(delivered, [&(PROGRAMS, plain)]);
    assert_eq!((station.counters.marked, station.counters.cnps), (1, 1));
}

/// The interval is 50 us. Marks within it are forgotten, or deferred until its end.
#[test]
fn packets_are_paced_by_flow() {
    let arrivals: Vec<(u64, Vec<u8>)> = [(100, 0), (110, 1), (149, 0), (150, 0), (170, 0), (205, 0)]
        .map(|(at, from)| (at, marked(from)))
        .into();
    assert_eq!(replies(&spec(), &arrivals), [(100, 0), (110, 1), (150, 0), (205, 0)]);
    let np = NpParams { reports: Reports::Deferred, ..NpParams::default() };
    // The mark at 149 us is reported at 150 us. Those at 150 and 170 us are reported at 200 us, and that at 205 us at 250 us.
    assert_eq!(replies(&spec_of_np(np), &arrivals), [(100, 0), (110, 1), (150, 0), (200, 0), (250, 0)]);
}

/// Intervals begin with the first frame of a flow, whether it is marked or not.
#[test]
fn receivers_may_poll() {
    let interval = TimeDelta::from_micros(100);
    let spec = spec_of_np(NpParams { reports: Reports::Polled, interval });
    let clear = datagram(0, RECEIVER, Some(3), Ecn::Ect0, 1_000);
    let arrivals = [(30, clear.clone()), (40, marked(0)), (50, marked(0)), (140, clear), (260, marked(0))];
    assert_eq!(replies(&spec, &arrivals), [(130, 0), (330, 0)]);
}

#[test]
fn other_frames_are_not_answered() {
    let frames = [
        datagram(0, RECEIVER, Some(3), Ecn::NotEct, 1_000),
        datagram(0, RECEIVER, Some(3), Ecn::Ect0, 1_000),
        // Another priority, another station, another protocol.
        datagram(0, RECEIVER, Some(2), Ecn::Ce, 1_000),
        datagram(0, 1, Some(3), Ecn::Ce, 1_000),
        ipv6(0, RECEIVER, Ecn::Ce),
        // Truncated.
        marked(0)[..36].to_vec(),
    ];
    let arrivals: Vec<_> = frames.into_iter().map(|octets| (10, octets)).collect();
    assert_eq!(replies(&spec(), &arrivals), []);
    // A bridge may have removed the tag.
    assert_eq!(replies(&spec(), &[(10, datagram(0, RECEIVER, None, Ecn::Ce, 1_000))]), [(10, 0)]);
}

/// Forged flows use bounded memory, and marks of earlier flows are still reported.
#[test]
fn forged_flows_are_limited() {
    let mut station = station(&spec(), RECEIVER);
    let mut sent = Sent::new();
    station.receive(at(0), LINK, &marked(0), &mut sent);
    for number in 0..50_000_u32 {
        let mut octets = marked(1);
        octets.truncate(60);
        // The source address of the packet.
        octets[18 + 12..18 + 16].copy_from_slice(&number.to_be_bytes());
        station.receive(at(u64::from(number) * 10_000), LINK, &octets, &mut sent);
        sent.clear();
    }
    assert_eq!(station.counters.cnps, 4_096);
    station.receive(at(600_000_000), LINK, &marked(0), &mut sent);
    assert_eq!(on_link(&sent).len(), 1);
}

/// Packets wait while their priority is paused, but no more than 64 of them.
#[test]
fn waiting_packets_are_limited() {
    let mut station: Station = station(&spec(), RECEIVER);
    let mut sent = Sent::new();
    let stop = setpoint_wire::Pfc { enabled: setpoint_wire::PrioritySet(1 << 6), times: [65_535; 8] };
    let pause = setpoint_wire::Frame::pfc(address(9), stop);
    let mut buffer = [0; 64];
    station.receive(at(0), LINK, pause.encode(&Default::default(), &mut buffer).unwrap(), &mut sent);
    for number in 0..100 {
        station.receive(at(number * 60_000), LINK, &marked(0), &mut sent);
    }
    assert_eq!(on_link(&sent).len(), 0);
    assert_eq!((station.counters.cnps, station.counters.cnps_dropped), (64, 36));
}
