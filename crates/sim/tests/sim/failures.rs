//! Links that fail and recover: lost and rerouted frames, pauses and messages.

use std::sync::Arc;

use crate::support::{LINE, flow, pfc, spec};
use setpoint_sim::traffic::{Arrival, Traffic};
use setpoint_sim::{
    Change, LinkId, NodeId, Outcome, PortId, Spec, SpecError, TimedChange, Topology, Unwatched, simulate,
    validate,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

/// The time that a frame of 1000 B takes on a link of 10 Gb/s.
const FRAME: TimeDelta = TimeDelta::from_nanos(800);
const DELAY: TimeDelta = TimeDelta::from_micros(1);

fn micros(micros: u64) -> Time {
    Time::ZERO + TimeDelta::from_micros(micros)
}

/// `sources` stations and a sink, with two bridges between them. The bridges have the given number of links, followed by a
/// detour over a third bridge with a delay of 50 µs on each of its links.
fn network(sources: usize, links: usize) -> (Topology, Vec<NodeId>, Vec<LinkId>) {
    let mut net = Topology::new();
    let [near, far, beside] = ["near", "far", "beside"].map(|name| net.bridge(name, 1));
    let between: Vec<LinkId> = (0..links).map(|_| net.connect(near, far, LINE, DELAY)).collect();
    for bridge in [near, far] {
        net.connect(bridge, beside, LINE, TimeDelta::from_micros(50));
    }
    let ends = (0..=sources).map(|number| (format!("h{number}"), if number < sources { near } else { far }));
    let stations = ends.map(|(name, bridge)| {
        let station = net.station(name, 0);
        net.connect(station, bridge, LINE, DELAY);
        station
    });
    let stations = stations.collect();
    (net, stations, between)
}

fn change(spec: &mut Spec, at: Time, change: Change) {
    spec.changes.push(TimedChange { at, change });
}

fn run(spec: &Spec) -> Outcome {
    simulate(spec, &mut Unwatched).unwrap()
}

/// A flow with one message that never ends, whose frames follow each other without gaps.
fn endless(net: Topology, stations: &[NodeId]) -> Spec {
    let traffic = Traffic::Message { size: Bytes::new(100_000_000) };
    spec(net, vec![flow(stations[0], stations[1], traffic)], TimeDelta::from_micros(500))
}

/// The link of the first path that a flow takes between the bridges.
fn used(spec: &Spec) -> LinkId {
    setpoint_sim::paths(spec).unwrap()[0][1].link()
}

/// The number of frames of [`endless`] whose transmission on the link between the bridges begins in an interval,
/// excluding its end.
fn begun_between(outcome: &Outcome, from: Time, to: Time) -> u64 {
    let first = outcome.messages_incomplete[0].offered + FRAME + DELAY;
    let until = |time: Time| time.saturating_since(first).as_picos().div_ceil(FRAME.as_picos());
    until(to) - until(from)
}

/// Frames on the link are lost when it fails; frames that leave their station before routes change are sent to the link and
/// lost too; all later frames take the other link.
#[test]
fn a_flow_moves_to_the_other_link() {
    let (net, stations, _) = network(1, 2);
    let mut spec = endless(net, &stations);
    let link = used(&spec);
    spec.rerouting_delay = TimeDelta::from_micros(10);
    change(&mut spec, micros(100), Change::LinkDown(link));
    let outcome = run(&spec);
    let on_link = FRAME + DELAY;
    let in_flight = begun_between(&outcome, micros(100) - on_link, micros(100));
    // The transmission of a frame on the link begins 1.8 us after its transmission at the station.
    let sent = begun_between(&outcome, micros(100), micros(110) + on_link);
    let [failed] = outcome.failed_links[..] else { panic!("one link fails") };
    assert_eq!(failed.link, link);
    assert_eq!((failed.forward.in_flight_frames, failed.forward.sent_frames), (in_flight, sent));
    assert_eq!((in_flight, sent), (2, 15), "1.8 us and 11.8 us of frames");
    assert_eq!(failed.forward.in_flight, Bytes::new(2_000));
    assert_eq!(failed.backward, Default::default());
    let flow = &outcome.flows[0];
    let lost = flow.lost_on_links.get();
    assert_eq!((lost.frames, lost.bytes, lost.unreachable_frames), (17, Bytes::new(17_000), 0));
    assert_eq!(flow.dropped_frames, 0);
    let under_way = flow.sent_frames - flow.delivered_frames - 17;
    assert_eq!(under_way, 6, "three links of 1.8 us");
}

/// Without another path, frames are sent to the failed link until it recovers; those sent after routes have changed count as
/// unreachable. The outcome does not depend on whether the link recovers before or after its lost frames would have arrived.
#[test]
fn frames_reach_their_destination_after_the_link_recovers() {
    for outage in [TimeDelta::from_nanos(500), TimeDelta::from_micros(40)] {
        let mut net = Topology::new();
        let [near, far] = ["near", "far"].map(|name| net.bridge(name, 1));
        let link = net.connect(near, far, LINE, DELAY);
        let stations = [near, far].map(|bridge| {
            let station = net.station(format!("h{}", net.nodes().len()), 0);
            net.connect(station, bridge, LINE, DELAY);
            station
        });
        let mut spec = endless(net, &stations);
        spec.rerouting_delay = TimeDelta::from_micros(10);
        change(&mut spec, micros(100), Change::LinkDown(link));
        change(&mut spec, micros(100) + outage, Change::LinkUp(link));
        let outcome = run(&spec);
        let failed = outcome.failed_links[0].forward;
        let begun = |from, to| begun_between(&outcome, from, to);
        assert_eq!(failed.in_flight_frames, begun(micros(100) - FRAME - DELAY, micros(100)));
        assert_eq!(failed.sent_frames, begun(micros(100), micros(100) + outage));
        let lost = outcome.flows[0].lost_on_links.get();
        assert_eq!(lost.frames, failed.in_flight_frames + failed.sent_frames);
        let unreachable = begun(micros(110), (micros(100) + outage).max(micros(110)));
        assert_eq!(lost.unreachable_frames, unreachable);
    }
}

/// A station whose link has failed loses the frames on the link and holds the others.
#[test]
fn a_station_without_a_link_holds_its_frames() {
    let (net, stations, _) = network(1, 1);
    let mut spec = endless(net, &stations);
    let own = setpoint_sim::paths(&spec).unwrap()[0][0].link();
    change(&mut spec, micros(100), Change::LinkDown(own));
    change(&mut spec, micros(300), Change::LinkUp(own));
    let outcome = run(&spec);
    let flow = &outcome.flows[0];
    assert_eq!(outcome.failed_links[0].forward.in_flight_frames, flow.lost_on_links.get().frames);
    // The station transmits during 300 us of 500 us, and 2 or 3 frames were on the link when it failed.
    let busy = TimeDelta::from_micros(300).as_picos() / FRAME.as_picos();
    assert!(flow.sent_frames.abs_diff(busy) <= 1, "{}", flow.sent_frames);
    assert!((2..=3).contains(&flow.lost_on_links.get().frames));
    let port = outcome.ports.iter().find(|port| port.port.link() == own).unwrap();
    assert_eq!((port.paused, port.pauses), (TimeDelta::ZERO, 0));
}

/// A flow returns to its usual path when its link recovers, and its frames overtake those on the detour. Every message is
/// still complete if, and only if, its own frame arrived.
#[test]
fn messages_overtake_each_other_on_different_paths() {
    let (net, stations, links) = network(1, 1);
    let every = TimeDelta::from_micros(2);
    let arrival = |number: u64| Arrival { after: every * number, size: Bytes::new(1_000) };
    let traffic = Traffic::Schedule((0..200).map(arrival).collect::<Arc<[Arrival]>>());
    let mut spec = spec(net, vec![flow(stations[0], stations[1], traffic)], TimeDelta::from_micros(900));
    change(&mut spec, micros(100), Change::LinkDown(links[0]));
    change(&mut spec, micros(200), Change::LinkUp(links[0]));
    change(&mut spec, micros(300), Change::LinkDown(links[0]));
    let outcome = run(&spec);
    let lost = outcome.flows[0].lost_on_links.get().frames;
    assert!((2..=6).contains(&lost), "{lost}");
    let counts = outcome.message_counts.total();
    assert_eq!((counts.completed, counts.damaged, counts.unfinished), (200 - lost, lost, 0));
    for message in &outcome.messages {
        let taken = message.completed - message.offered;
        let direct = (FRAME + DELAY) * 3;
        let beside = (FRAME + DELAY) * 2 + (FRAME + TimeDelta::from_micros(50)) * 2;
        // A frame waits for at most one other, from the other path, at the link to the sink.
        let is_near = |least: TimeDelta| least <= taken && taken < least + FRAME;
        assert!(is_near(direct) || is_near(beside), "{taken}");
    }
    let detours =
        outcome.messages.iter().filter(|one| one.completed - one.offered > TimeDelta::from_micros(50));
    // Messages that were offered while routes avoided the link: from 100 us to 200 us and from 300 us to the last at 398 us.
    assert!(detours.count().abs_diff(100) <= 1);
}

/// A failure ends the pauses at both ends of its link, and no frame is lost to congestion before or after.
#[test]
fn pauses_end_with_the_link() {
    let (net, stations, links) = network(2, 1);
    let sink = PortId(2 * (net.links().len() as u32 - 1) + 1);
    let flows = (0..2).map(|from| flow(stations[from], stations[2], Traffic::Backlogged)).collect();
    let mut spec = spec(net, flows, TimeDelta::from_millis(4));
    spec.flow_control = pfc();
    spec.sample_interval = TimeDelta::from_micros(50);
    // The link to the sink is the bottleneck, so `far` pauses `near`, which pauses the stations.
    change(&mut spec, Time::ZERO, Change::PortRate(sink, Rate::from_mbps(100)));
    change(&mut spec, micros(2_000), Change::LinkDown(links[0]));
    change(&mut spec, micros(3_500), Change::LinkUp(links[0]));
    // Routes do not change during the run.
    spec.rerouting_delay = TimeDelta::from_secs(1);
    let outcome = run(&spec);
    let between = outcome.ports.iter().find(|port| port.port == links[0].forward()).unwrap();
    let paused = |from: usize, to: usize| between.paused_series[from..to].iter().copied().sum::<TimeDelta>();
    assert!(paused(20, 40) > TimeDelta::ZERO, "the port is paused before the failure");
    assert_eq!(paused(40, 70), TimeDelta::ZERO, "and not while the link is down");
    let sent = |from: usize, to: usize| between.sent_series[from..to].iter().sum::<u64>();
    assert_eq!(sent(41, 69), 28 * 50_000 / 8 * 10, "the port sends at its rate to a link that is down");
    assert!(outcome.flows.iter().all(|flow| flow.dropped_frames == 0 && flow.lost_on_links.get().frames > 0));
    assert_eq!(outcome.deadlock, None);
}

#[test]
fn impossible_failures_are_refused() {
    let refused = |changes: &[(u64, Change)]| {
        let (net, stations, _) = network(1, 1);
        let mut spec = endless(net, &stations);
        changes.iter().for_each(|&(at, one)| change(&mut spec, micros(at), one));
        validate(&spec)
    };
    let (down, up) = (Change::LinkDown(LinkId(0)), Change::LinkUp(LinkId(0)));
    assert_eq!(refused(&[(1, down), (3, up), (5, down)]), Ok(()));
    assert_eq!(refused(&[(3, up), (5, down)]), Err(SpecError::LinkState(0)));
    assert_eq!(refused(&[(9, up), (5, down), (7, down)]), Err(SpecError::LinkState(2)));
    assert_eq!(refused(&[(1, Change::LinkDown(LinkId(99)))]), Err(SpecError::UnknownTarget(0)));
}
