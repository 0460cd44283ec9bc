//! Small multicast trees whose copies, deliveries, drops and notifications can be counted by hand.

use crate::support;
use crate::support::{cioq, flow, no_control, pfc, spec};
use setpoint_control::parameter::Percent;
use setpoint_control::qcn::Sampling;
use setpoint_control::{CongestionPointParams, qcn};
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{
    Bridges, Change, Cioq, Copies, Destination, FlowOutcome, FlowSpec, GroupId, GroupSpec, NodeId, Outcome,
    Placement, PortOutcome, Side, SimError, Spec, SpecError, TimedChange, Topology, Unwatched, link_budgets,
    simulate,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

/// Frames of 1000 B at 1 Gb/s: one every 8 us.
const OFFERED: Rate = Rate::from_gbps(1);
/// The source stops after 1 ms, and the network is idle long before the end.
const FRAMES: u64 = 125;
const G: GroupId = GroupId(0);

fn at(micros: u64) -> Time {
    Time::ZERO + TimeDelta::from_micros(micros)
}

/// A source `s`, two bridges and three receivers, with links of 10 Gb/s unless specified otherwise:
///
/// ```text
/// s ─ b1 ─ b2 ─ r1
///      │    └── r2
///      └─────── r3
/// ```
struct Small {
    between: Rate,
    to_r2: Rate,
}

const FAST: Small = Small { between: support::LINE, to_r2: support::LINE };

impl Small {
    fn build(&self) -> Spec {
        let delay = TimeDelta::from_micros(1);
        let mut net = Topology::new();
        let [s, r1, r2, r3] = ["s", "r1", "r2", "r3"].map(|name| net.station(name, 0));
        let [b1, b2] = ["b1", "b2"].map(|name| net.bridge(name, 1));
        net.connect(s, b1, support::LINE, delay);
        net.connect(b1, b2, self.between, delay);
        net.connect(b2, r1, support::LINE, delay);
        net.connect(b2, r2, self.to_r2, delay);
        net.connect(b1, r3, support::LINE, delay);
        let to_group = FlowSpec {
            destination: Destination::Group(G),
            stop: Some(at(1_000)),
            ..flow(s, r1, Traffic::Constant { rate: OFFERED })
        };
        let groups = vec![GroupSpec { name: "g".to_owned(), members: vec![r1, r2, r3] }];
        let plain = spec(net, vec![to_group], TimeDelta::from_millis(20));
        Spec { groups, ..plain }
    }
}

fn run(spec: &Spec) -> Outcome {
    simulate(spec, &mut Unwatched).unwrap()
}

fn port<'a>(spec: &Spec, outcome: &'a Outcome, name: &str) -> &'a PortOutcome {
    let id = spec.topology.find_port(name).unwrap();
    outcome.ports.iter().find(|port| port.port == id).unwrap()
}

fn sent_over(spec: &Spec, outcome: &Outcome, name: &str) -> u64 {
    let id = spec.topology.find_port(name).unwrap();
    outcome.ports.iter().find(|port| port.port == id).map_or(0, |port| port.sent_frames)
}

/// Delivered and lost frames of r1, r2 and r3.
fn received(flow: &FlowOutcome) -> Vec<(u64, u64)> {
    flow.receivers.iter().map(|receiver| (receiver.delivered_frames, receiver.lost_frames)).collect()
}

fn copies(created: u64, unwanted: u64) -> Copies {
    let size = Bytes::new(1_000);
    Copies {
        created_frames: created,
        created: size * created,
        unwanted_frames: unwanted,
        unwanted: size * unwanted,
    }
}

fn all_kinds() -> [Bridges; 3] {
    let immediate = Cioq { control_delay: TimeDelta::ZERO, ..cioq() };
    [Bridges::OutputQueued, Bridges::Cioq(cioq()), Bridges::Cioq(immediate)]
}

#[test]
fn a_frame_is_copied_only_where_paths_diverge() {
    for bridges in all_kinds() {
        let spec = Spec { bridges, ..FAST.build() };
        let outcome = run(&spec);
        let flow = &outcome.flows[0];
        assert_eq!((flow.sent_frames, flow.delivered_frames, flow.dropped_frames), (FRAMES, 3 * FRAMES, 0));
        assert_eq!(flow.copies.get(), copies(2 * FRAMES, 0));
        assert_eq!(received(flow), [(FRAMES, 0); 3]);
        for name in ["s->b1", "b1->b2", "b1->r3", "b2->r1", "b2->r2"] {
            assert_eq!(port(&spec, &outcome, name).sent_frames, FRAMES, "{name}");
        }
        assert_eq!(outcome.packet_hops, 5 * FRAMES);
    }
}

#[test]
fn each_receiver_has_the_delay_of_its_own_path() {
    let outcome = run(&FAST.build());
    // 0.8 us on every link of 10 Gb/s and 1 us of propagation.
    let delays = outcome.flows[0].receivers.iter().map(|receiver| {
        assert_eq!(receiver.delay_sum, u128::from(receiver.delay_max.as_picos()) * u128::from(FRAMES));
        receiver.delay_max
    });
    let hops = |count| TimeDelta::from_nanos(1_800) * count;
    assert_eq!(delays.collect::<Vec<_>>(), [hops(3), hops(3), hops(2)]);
}

/// Number of frames that a port admits if one arrives every 8 us, each takes `span` to send, and there is space for `room`
/// waiting frames.
fn let_in(span: f64, room: usize) -> u64 {
    let mut starts: Vec<f64> = Vec::new();
    for frame in 0..FRAMES {
        let now = frame as f64 * 8.0;
        let free = starts.last().map_or(0.0, |last| last + span);
        let waiting = starts.iter().filter(|&&start| start > now).count();
        if free <= now || waiting < room {
            starts.push(free.max(now));
        }
    }
    starts.len() as u64
}

#[test]
fn a_dropped_copy_is_lost_only_for_its_receiver() {
    // 8000 bits at 90 Mb/s take 88.9 us; there is space for five frames in total.
    let small = Small { to_r2: Rate::from_mbps(90), ..FAST };
    let spec = Spec { buffer: Bytes::new(4_000), ..small.build() };
    let outcome = run(&spec);
    let enter = let_in(8_000.0 / 90.0, 4);
    assert_eq!(enter, 16);
    let flow = &outcome.flows[0];
    assert_eq!(received(flow), [(FRAMES, 0), (enter, FRAMES - enter), (FRAMES, 0)]);
    assert_eq!((flow.delivered_frames, flow.dropped_frames), (2 * FRAMES + enter, FRAMES - enter));
    assert_eq!(flow.copies.get(), copies(2 * FRAMES, 0));
}

#[test]
fn a_frame_dropped_before_paths_diverge_is_lost_for_all_behind() {
    let small = Small { between: Rate::from_mbps(90), ..FAST };
    let spec = Spec { buffer: Bytes::new(4_000), ..small.build() };
    let outcome = run(&spec);
    let enter = let_in(8_000.0 / 90.0, 4);
    let flow = &outcome.flows[0];
    assert_eq!(received(flow), [(enter, FRAMES - enter), (enter, FRAMES - enter), (FRAMES, 0)]);
    // One drop means two losses; each frame that entered the second bridge was copied once.
    assert_eq!(flow.dropped_frames, FRAMES - enter);
    assert_eq!(flow.copies.get(), copies(FRAMES + enter, 0));
}

#[test]
fn an_input_without_room_drops_a_frame_once_and_it_is_lost_to_all() {
    // The outputs of b2 have space for one frame each, and its input for four.
    let small = Small { to_r2: Rate::from_mbps(90), ..FAST };
    let inputs = Cioq { input_buffer: Bytes::new(4_096), unit: Bytes::new(1_024), ..cioq() };
    let spec = Spec {
        buffer: Bytes::new(1_024),
        bridges: Bridges::Cioq(inputs),
        overhead: Bytes::ZERO,
        ..small.build()
    };
    let outcome = run(&spec);
    let flow = &outcome.flows[0];
    let [(r1, lost1), (r2, lost2), (r3, lost3)] = received(flow)[..] else { panic!("three receivers") };
    assert_eq!((r3, lost3), (FRAMES, 0), "the path to r3 is free");
    assert_eq!((r1, lost1), (r2, lost2), "a stored frame reaches both, a dropped one neither");
    assert_eq!(r1 + lost1, FRAMES);
    assert!(lost1 > FRAMES / 2, "{lost1}");
    assert_eq!(flow.dropped_frames, lost1, "one drop, two losses");
}

#[test]
fn every_output_on_the_way_samples_its_copy_and_an_input_the_frame() {
    // Every frame is sampled and finds the queue above the set point.
    let mut params = qcn::Params::default();
    params.cp.sampling = Sampling::Fixed;
    params.cp.fixed_probability = Percent::WHOLE;
    params.cp.set_point = Bytes::new(100);
    let congestion_point = CongestionPointParams::Qcn(params.cp);
    let notified = |placement, bridges| {
        let control = setpoint_sim::ControlSpec { congestion_point, placement, ..no_control() };
        let outcome = run(&Spec { control, bridges, ..FAST.build() });
        let of_side = |side| {
            let queues = outcome.queues.iter().filter(|queue| queue.side == side);
            queues.map(|queue| queue.congestion_point.notifications).collect::<Vec<_>>()
        };
        let flow = &outcome.flows[0];
        assert!(flow.first_notified.unwrap() < at(10));
        (of_side(Side::Output), of_side(Side::Input), flow.notifications)
    };
    // b1->b2, b2->r1, b2->r2, b1->r3; inputs of b1 and b2.
    let (outputs, _, received) = notified(Placement::Outputs, Bridges::OutputQueued);
    assert_eq!((outputs, received), (vec![FRAMES; 4], 4 * FRAMES));
    for bridges in &all_kinds()[1..] {
        let (outputs, inputs, received) = notified(Placement::Outputs, *bridges);
        assert_eq!((outputs, inputs, received), (vec![FRAMES; 4], vec![0; 2], 4 * FRAMES));
        let (outputs, inputs, received) = notified(Placement::Inputs, *bridges);
        assert_eq!((outputs, inputs, received), (vec![0; 4], vec![FRAMES; 2], 2 * FRAMES));
    }
}

#[test]
fn members_receive_from_joining_to_leaving() {
    let mut spec = FAST.build();
    let [r1, r2, r3] = ["r1", "r2", "r3"].map(|name| spec.topology.find(name).unwrap());
    // r2 joins and leaves again; r3 leaves after the first frame. All changes fall between the arrivals of frames at the
    // bridges.
    spec.groups[0].members = vec![r1, r3];
    let change = |micros: u64, change| TimedChange { at: at(micros) + TimeDelta::from_nanos(7_500), change };
    spec.changes = vec![
        change(792, Change::Leave(G, r2)),
        change(392, Change::Join(G, r2)),
        change(0, Change::Leave(G, r3)),
        change(592, Change::Leave(G, r1)),
    ];
    for bridges in all_kinds() {
        let spec = Spec { bridges, ..spec.clone() };
        let outcome = run(&spec);
        let flow = &outcome.flows[0];
        // Frames leave the source at 0, 8, 16, … us, up to 0.8 us later, and reach b1 1.8 us and b2 3.6 us
        // after that.
        assert_eq!(received(flow), [(75, 0), (50, 0), (1, 0)]);
        assert_eq!(sent_over(&spec, &outcome, "b1->b2"), 100);
        // One copy for r3, and 25 for r2 while r1 is also a member.
        assert_eq!(flow.copies.get(), copies(1 + 25, 25));
    }
}

#[test]
fn frames_after_a_member_has_left_are_delivered_but_not_measured() {
    // At 88.9 us per frame, two frames have reached r2 by 200 us, a third is in transit, and the rest wait.
    let small = Small { to_r2: Rate::from_mbps(90), ..FAST };
    let mut spec = small.build();
    let r2 = spec.topology.find("r2").unwrap();
    spec.changes = vec![TimedChange { at: at(200), change: Change::Leave(G, r2) }];
    let outcome = run(&spec);
    let receiver = &outcome.flows[0].receivers[1];
    assert_eq!((receiver.delivered_frames, receiver.delivered_measured), (25, Bytes::new(2_000)));
    assert_eq!(receiver.delivered_series.iter().sum::<u64>(), 2_000);
}

#[test]
fn without_members_frames_end_at_the_first_bridge() {
    let mut spec = FAST.build();
    let r1 = spec.topology.find("r1").unwrap();
    spec.groups[0].members = Vec::new();
    spec.changes = vec![TimedChange { at: at(19_000), change: Change::Join(G, r1) }];
    let outcome = run(&spec);
    assert_eq!(outcome.flows[0].copies.get(), copies(0, FRAMES));
    assert_eq!((outcome.packet_hops, outcome.flows[0].delivered_frames), (FRAMES, 0));
}

#[test]
fn a_frame_leaves_an_input_buffer_with_the_last_of_its_copies() {
    let small = Small { to_r2: Rate::from_mbps(90), ..FAST };
    let shared = Spec { bridges: Bridges::Cioq(cioq()), buffer: Bytes::new(1_024), ..small.build() };
    let outcome = run(&shared);
    let into_b2 = shared.topology.find_port("b1->b2").unwrap();
    let buffer =
        outcome.queues.iter().find(|queue| queue.side == Side::Input && queue.port == into_b2).unwrap();
    // Frames for r1 leave on arrival, those for r2 at one per 88.9 us: of the 125 frames in 1 ms, about 114 remain, each
    // counted once.
    assert_eq!(received(&outcome.flows[0]), [(FRAMES, 0); 3]);
    let most = buffer.peak.get() / 1_000;
    assert!((110..=115).contains(&most), "{most} frames");
}

#[test]
fn flow_control_holds_the_whole_tree_to_its_slowest_branch_and_loses_nothing() {
    for bridges in [Bridges::OutputQueued, Bridges::Cioq(cioq())] {
        let small = Small { to_r2: Rate::from_mbps(90), ..FAST };
        let mut spec = Spec { flow_control: pfc(), bridges, ..small.build() };
        spec.flows[0].traffic = Traffic::Backlogged;
        spec.flows[0].stop = None;
        let outcome = run(&spec);
        let flow = &outcome.flows[0];
        assert_eq!(flow.dropped_frames, 0);
        let [r1, r2, r3] = [0, 1, 2].map(|index| flow.receivers[index].delivered_measured.get() * 8 / 20);
        assert!(r2.abs_diff(90_000) < 3_000, "{r2} kb/s");
        // 1 ms at 10 Gb/s is far more than the buffers hold.
        assert!(r1 < 200_000 && r3 < 300_000, "{r1} and {r3} kb/s");
    }
}

#[test]
fn a_branching_bridge_has_headroom_for_every_copy() {
    let with = Spec { flow_control: pfc(), ..FAST.build() };
    let mut without = with.clone();
    without.flows[0].destination = without.topology.find("r1").unwrap().into();
    let into = |spec: &Spec, name: &str| {
        let port = spec.topology.find_port(name).unwrap();
        let budgets = link_budgets(spec).unwrap();
        budgets.iter().find(|budget| budget.port == port).unwrap().needed.total()
    };
    for (name, times) in [("s->b1", 2), ("b1->b2", 2)] {
        assert_eq!(into(&with, name), into(&without, name) * times, "{name}");
        let bridges = Bridges::Cioq(Cioq { unit: Bytes::new(1), ..cioq() });
        let inputs = Spec { bridges, ..with.clone() };
        assert_eq!(into(&inputs, name), into(&without, name), "{name}");
    }
}

#[test]
fn each_source_of_a_group_has_its_own_tree() {
    let mut spec = FAST.build();
    let other = spec.topology.station("s2", 0);
    let b2 = spec.topology.find("b2").unwrap();
    spec.topology.connect(other, b2, support::LINE, TimeDelta::ZERO);
    spec.flows.push(FlowSpec { source: other, ..spec.flows[0].clone() });
    let outcome = run(&spec);
    for flow in &outcome.flows {
        assert_eq!(received(flow), [(FRAMES, 0); 3]);
    }
    assert_eq!(
        (sent_over(&spec, &outcome, "b2->b1"), sent_over(&spec, &outcome, "b1->b2")),
        (FRAMES, FRAMES)
    );
    assert_eq!(outcome.flows[1].copies.get(), copies(2 * FRAMES, 0));
}

#[test]
fn invalid_groups_are_refused() {
    let refused = |change: &dyn Fn(&mut Spec)| {
        let mut spec = FAST.build();
        change(&mut spec);
        match simulate(&spec, &mut Unwatched) {
            Err(SimError::Spec(error)) => error,
            other => panic!("{other:?}"),
        }
    };
    let named = |name: &str| FAST.build().topology.find(name).unwrap();
    let (s, r1, b1) = (named("s"), named("r1"), named("b1"));
    let later = |change| vec![TimedChange { at: at(5), change }];
    let flow = setpoint_sim::FlowId(0);
    assert_eq!(refused(&|spec| spec.groups[0].members.clear()), SpecError::EmptyGroup(G));
    assert_eq!(refused(&|spec| spec.groups[0].members.push(b1)), SpecError::NotAMember(G, b1));
    assert_eq!(refused(&|spec| spec.groups[0].members.push(r1)), SpecError::MemberTwice(G, r1));
    assert_eq!(refused(&|spec| spec.groups[0].members.push(s)), SpecError::InOwnGroup(flow, G));
    assert_eq!(refused(&|spec| spec.changes = later(Change::Join(G, s))), SpecError::InOwnGroup(flow, G));
    assert_eq!(refused(&|spec| spec.changes = later(Change::Join(G, r1))), SpecError::Membership(0));
    assert_eq!(refused(&|spec| spec.changes = later(Change::Leave(G, s))), SpecError::Membership(0));
    assert_eq!(refused(&|spec| spec.groups.clear()), SpecError::UnknownGroup(flow, G));
    let strange = later(Change::Leave(GroupId(7), r1));
    assert_eq!(refused(&|spec| spec.changes.clone_from(&strange)), SpecError::UnknownTarget(0));
    let message = Traffic::Message { size: Bytes::new(1) };
    assert_eq!(refused(&|spec| spec.flows[0].traffic = message.clone()), SpecError::GroupMessages(flow));
    let apart = |spec: &mut Spec| {
        let (island, lonely) = (spec.topology.bridge("b9", 0), spec.topology.station("r9", 0));
        spec.topology.connect(island, lonely, support::LINE, TimeDelta::ZERO);
        spec.groups[0].members.push(lonely);
    };
    let lonely = NodeId(named("b2").0 + 2);
    assert_eq!(refused(&apart), SpecError::UnreachableMember(flow, lonely));
}
