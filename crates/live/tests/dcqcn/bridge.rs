//! Marks at a bridge.

use setpoint_control::dcqcn::Marking;
use setpoint_live::bridge::{Bridge, Marks};
use setpoint_live::node::{Egress, Node};
use setpoint_live::plan;
use setpoint_sim::{FlowControl, Spec};
use setpoint_units::{Time, TimeDelta};
use setpoint_wire::{Ecn, EtherType, Header, Ipv4Header, MacAddress, ecn};

use super::support::rdma::{cnp, datagram, ipv6, reports};
use super::support::{self, SENDERS, address, port_address};
use super::{Sent, at, params, spec, spec_with};

/// The length of the frames, without the frame check sequence.
const LENGTH: usize = 1_496;

/// Frames to the receiver, with the times at which the bridge sent them.
#[derive(Default)]
struct Received {
    now: Time,
    frames: Vec<(Time, Vec<u8>)>,
}

impl Egress for Received {
    fn send(&mut self, port: usize, octets: &[u8]) {
        if port == SENDERS && Header::parse(octets).is_ok_and(|(header, _)| header.vlan.is_some()) {
            self.frames.push((self.now, octets.to_vec()));
        }
    }
}

fn bridge(spec: &Spec) -> Bridge {
    let node = spec.topology.find("bridge").unwrap();
    let addresses: Vec<MacAddress> = (0..=SENDERS).map(port_address).collect();
    let mut bridge = Bridge::new(plan::bridge(spec, node, &addresses, support::options()).unwrap().0);
    let hello = datagram(SENDERS, 0, None, Ecn::NotEct, 60);
    bridge.receive(Time::ZERO, SENDERS, &hello, &mut Sent::new());
    bridge
}

/// Lets frames arrive at the bridge at one instant, the first from the first station and so on, and runs it until its queues are
/// empty. Frame n is transmitted while n + 1 frames wait behind the first one.
fn pass(spec: &Spec, frames: &[Vec<u8>]) -> (Bridge, Received) {
    let (mut bridge, mut received) = (bridge(spec), Received { now: at(0), ..Received::default() });
    for (from, octets) in frames.iter().enumerate() {
        bridge.receive(at(0), from, octets, &mut received);
    }
    while let Some(due) = bridge.deadline().filter(|due| *due < at(10_000_000)) {
        received.now = due;
        bridge.poll(due, &mut received);
    }
    (bridge, received)
}

fn codepoints(received: &Received) -> Vec<Option<Ecn>> {
    received.frames.iter().map(|(_, octets)| ecn::of(octets)).collect()
}

fn three(second: Vec<u8>) -> [Vec<u8>; 3] {
    let first = |from| datagram(from, SENDERS, Some(3), Ecn::Ect0, LENGTH);
    [first(0), second, first(2)]
}

/// The first frame finds an idle port. When the second one leaves, the third one waits behind it; when the third one leaves,
/// the queue is empty.
#[test]
fn departing_frames_are_marked_by_the_queue_behind_them() {
    let frames = three(datagram(1, SENDERS, Some(3), Ecn::Ect1, LENGTH));
    let (mut bridge, received) = pass(&spec(), &frames);
    assert_eq!(codepoints(&received), [Ecn::Ect0, Ecn::Ce, Ecn::Ect0].map(Some));
    for (_, octets) in &received.frames {
        Ipv4Header::parse(&octets[18..]).expect("the header checksum is correct");
    }
    assert_eq!((bridge.counters.marked, bridge.counters.dropped), (1, 0));
    let marks = Some(Marks { marked: 1, cnps: 0 });
    assert_eq!(bridge.look(at(10_000_000)).marks, marks);
}

/// Of three frames that arrive together, only the third one finds a frame in the queue: the first one is on the link.
#[test]
fn arriving_frames_are_marked_by_the_queue_before_them() {
    let mut params = params();
    params.dcqcn.cp.marking = Marking::Enqueue;
    let frames = three(datagram(1, SENDERS, Some(3), Ecn::Ect0, LENGTH));
    let (_, received) = pass(&spec_with(&params, FlowControl::None), &frames);
    assert_eq!(codepoints(&received), [Ecn::Ect0, Ecn::Ect0, Ecn::Ce].map(Some));
}

/// A frame with its length on the wire takes 121.6 us at 100 Mb/s. The third frame directly follows the first one.
#[test]
fn frames_that_cannot_be_marked_are_dropped_unless_their_priority_is_lossless() {
    let mut arp = datagram(1, SENDERS, Some(3), Ecn::Ect0, LENGTH);
    arp[16..18].copy_from_slice(&[0x08, 0x06]);
    let not_capable = datagram(1, SENDERS, Some(3), Ecn::NotEct, LENGTH);
    for second in [not_capable, ipv6(1, SENDERS, Ecn::NotEct), arp] {
        let before = ecn::of(&second);
        let (bridge, received) = pass(&spec(), &three(second.clone()));
        assert_eq!(codepoints(&received), [Some(Ecn::Ect0); 2]);
        assert_eq!(received.frames[1].0 - received.frames[0].0, TimeDelta::from_nanos(121_600));
        let counters = bridge.counters;
        assert_eq!((counters.unmarkable_dropped, counters.dropped, counters.marked), (1, 1, 0));

        let lossless = spec_with(&params(), support::pfc(60_000, 40_000));
        let (bridge, received) = pass(&lossless, &three(second));
        assert_eq!(codepoints(&received), [Some(Ecn::Ect0), before, Some(Ecn::Ect0)]);
        let counters = bridge.counters;
        assert_eq!((counters.unmarkable_forwarded, counters.dropped, counters.marked), (1, 0, 0));
    }
}

#[test]
fn ipv6_and_marked_frames_are_marked() {
    for second in [ipv6(1, SENDERS, Ecn::Ect0), datagram(1, SENDERS, Some(3), Ecn::Ce, LENGTH)] {
        let (bridge, received) = pass(&spec(), &three(second));
        assert_eq!(codepoints(&received), [Ecn::Ect0, Ecn::Ce, Ecn::Ect0].map(Some));
        assert_eq!(bridge.counters.marked, 1);
    }
}

/// Priorities without congestion control are forwarded unchanged. Neighbours need not announce anything, so the bridge keeps
/// the priority of all frames.
#[test]
fn only_priorities_under_congestion_control_are_marked() {
    let frames = [0, 1, 2].map(|from| datagram(from, SENDERS, Some(2), Ecn::NotEct, LENGTH));
    let (bridge, received) = pass(&spec(), &frames);
    assert_eq!(codepoints(&received), [Some(Ecn::NotEct); 3]);
    assert_eq!((bridge.counters.dropped, bridge.counters.remapped), (0, 0));
}

#[test]
fn the_result_contains_marks_by_queue() {
    let spec = spec();
    let node = spec.topology.find("bridge").unwrap();
    let addresses: Vec<MacAddress> = (0..=SENDERS).map(port_address).collect();
    let (_, numbers) = plan::bridge(&spec, node, &addresses, support::options()).unwrap();
    let (mut bridge, _) = pass(&spec, &three(datagram(1, SENDERS, Some(3), Ecn::NotEct, LENGTH)));
    let outcome = bridge.outcome(at(20_000_000), TimeDelta::from_millis(1), &numbers);
    let [queue] = &outcome.queues[..] else { panic!("{:?}", outcome.queues) };
    assert_eq!(
        (queue.marked_frames, queue.dropped_frames),
        (Some(0), 1),
        "a frame that is dropped has no mark"
    );
    let books: Vec<_> = outcome
        .flows
        .iter()
        .map(|flow| (flow.sent_frames, flow.delivered_frames, flow.dropped_frames))
        .collect();
    assert_eq!(books, [(1, 1, 0), (1, 0, 1), (1, 1, 0), (0, 0, 0)]);
}

#[test]
fn reports_of_receivers_are_forwarded_and_counted() {
    let mut bridge = bridge(&spec());
    let mut sent = Sent::new();
    bridge.receive(at(0), 0, &datagram(0, SENDERS, Some(3), Ecn::Ect0, LENGTH), &mut sent);
    sent.clear();
    let packet = cnp(&reports(0));
    bridge.receive(at(1), SENDERS, &packet, &mut sent);
    assert_eq!(sent, [(0, packet)]);
    assert_eq!(bridge.look(at(2)).marks, Some(Marks { marked: 0, cnps: 1 }));
}

/// Two flows of one station have no CN-TAG, and the bridge distinguishes them by their addresses and ports.
#[test]
fn flows_of_one_station_are_distinguished_by_their_packets() {
    let mut spec = spec();
    spec.flows.push(setpoint_sim::FlowSpec { name: "second".to_owned(), ..spec.flows[0].clone() });
    let node = spec.topology.find("bridge").unwrap();
    let addresses: Vec<MacAddress> = (0..=SENDERS).map(port_address).collect();
    let (_, numbers) = plan::bridge(&spec, node, &addresses, support::options()).unwrap();
    let mut bridge = bridge(&spec);
    let first = datagram(0, SENDERS, Some(3), Ecn::Ect0, LENGTH);
    let mut second = first.clone();
    // Another UDP port.
    second[18 + 20 + 1] += 1;
    for (number, octets) in [&first, &second, &second].into_iter().enumerate() {
        bridge.receive(at(number as u64 * 1_000_000), 0, octets, &mut Sent::new());
    }
    let outcome = bridge.outcome(at(9_000_000), TimeDelta::from_millis(1), &numbers);
    assert_eq!((outcome.flows[0].delivered_frames, outcome.flows[4].delivered_frames), (1, 2));
    assert_eq!(Header::parse(&first).unwrap().0.ether_type, EtherType::IPV4);
    assert_eq!(address(0), Header::parse(&second).unwrap().0.source);
}
