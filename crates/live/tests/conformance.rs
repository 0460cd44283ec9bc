//! Compares the live bridge and the live station with the simulated ones, on the same traffic.
//!
//! The simulator runs a network and reports every frame. The live bridge is then given the frames that reached the
//! simulated bridge, as octets and at the same times: it must send the same notifications and the same pauses, at the same
//! times. It must also mark the same frames. The live station is given the notifications, reports of marks and pauses that
//! reached a simulated station: it must send its frames at the same times. A live receiver must report marks at the same
//! times.

mod support;

use std::collections::{BTreeMap, HashMap};

use setpoint_control::dcqcn::{self, Marking, Reports};
use setpoint_control::parameter::Percent;
use setpoint_control::{
    Algorithm, CongestionPointParams, Mark, NotificationPointParams, Params, ReactionPointParams,
};
use setpoint_live::bridge::Bridge;
use setpoint_live::node::{Egress, Node};
use setpoint_live::options::Options;
use setpoint_live::plan;
use setpoint_live::station::{LINK, PROGRAMS, Station};
use setpoint_sim::{Decision, FlowControl, Monitor, PassingContent, PassingFrame, PortId, Spec, simulate};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};
use setpoint_wire::roce::is_cnp;
use setpoint_wire::{CnTag, Cnm, Content, Conventions, Ecn, Frame, Header, MacAddress, Pfc, QueueUnit, ecn};
use support::rdma::{cnp, datagram, reports};
use support::{FRAME, SENDERS, address, data, port_address, program_frame};

const CONVENTIONS: Conventions = Conventions {
    offset_sign: setpoint_wire::OffsetSign::NegativeWhenCongested,
    queue_unit: QueueUnit::Octets64,
    priority_place: setpoint_wire::PriorityPlace::UpperBits,
};

/// The length of a report in a tagged frame. The simulated report is as long as a notification.
const CNP: Bytes = Bytes::new(82);

fn options() -> Options {
    options_with(CONVENTIONS)
}

fn options_with(conventions: Conventions) -> Options {
    Options { pause_patience: TimeDelta::from_secs(100), conventions, ..support::options() }
}

fn params() -> Params {
    let mut params = Params::default();
    params.qcn.cp.sample_base = Bytes::new(20_000);
    (params.smcc.cp.sample_base, params.aimd.cp.sample_base) = (Bytes::new(20_000), Bytes::new(20_000));
    params.smcc.cp.set_point = Bytes::new(30_000);
    params.dcqcn.cp =
        dcqcn::CpParams { k_max: Bytes::new(50_000), p_max: Percent::new(30), ..params.dcqcn.cp };
    params.dcqcn.rp = dcqcn::RpParams { min_rate: Rate::from_mbps(10), ..params.dcqcn.rp };
    params
}

fn pfc() -> FlowControl {
    support::pfc(30_000, 20_000)
}

/// Four stations send to a fifth. The receiver's link is slower, and no two delays are equal: in a network where everything
/// takes a multiple of one frame time, frames arrive and leave at the same time, and their order is arbitrary.
fn incast(algorithm: Algorithm, flow_control: FlowControl) -> Spec {
    let rate = |number| if number == SENDERS { Rate::from_mbps(937) } else { Rate::from_gbps(1) };
    let delay = |number| TimeDelta::from_picos(2_000_000 + 1_237 * number as u64);
    let mut spec = support::incast(support::control(algorithm, &params()), flow_control, rate, delay);
    if algorithm == Algorithm::Dcqcn {
        spec.control.notification_size = CNP;
    }
    for (number, flow) in spec.flows.iter_mut().enumerate() {
        flow.weight = number as u32 + 1;
    }
    spec
}

/// Every frame of a simulated run.
#[derive(Default)]
struct Seen(Vec<PassingFrame>);

impl Monitor for Seen {
    fn progress(&mut self, _: Time, _: u64) -> Decision {
        Decision::Continue
    }

    fn observes(&self, _: PortId) -> bool {
        true
    }

    fn passes(&mut self, frame: &PassingFrame) {
        self.0.push(*frame);
    }
}

fn simulated(spec: &Spec) -> Vec<PassingFrame> {
    let mut seen = Seen::default();
    simulate(spec, &mut seen).unwrap();
    seen.0
}

/// The time at which a frame has arrived at the far end of its link.
fn arrival(spec: &Spec, frame: &PassingFrame) -> Time {
    let link = spec.topology.link_at(frame.port.link());
    frame.at + link.rate.time_to_send(frame.length + spec.overhead) + link.delay
}

/// Frames with the time at which they were sent.
#[derive(Default)]
struct Timed {
    now: Time,
    frames: Vec<(Time, usize, Vec<u8>)>,
}

impl Egress for Timed {
    fn send(&mut self, port: usize, octets: &[u8]) {
        self.frames.push((self.now, port, octets.to_vec()));
    }
}

/// A notification or pause sent by a bridge, in a form in which the two bridges can be compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Said {
    Notification { to: usize, feedback: u8, offset: i64, delta: i64, priority: u8 },
    Pfc { to: usize, stop: u8, resume: u8 },
}

/// A queue length as a notification carries it: in units of 64 octets, rounded towards zero.
fn on_wire(length: i64) -> i64 {
    length / 64 * 64
}

/// The control frames of the simulated bridge.
fn said_by_simulated(frames: &[PassingFrame]) -> Vec<Said> {
    let said = |frame: &PassingFrame| match frame.content {
        PassingContent::Notification { flow, signal, from, .. } => {
            let notification = signal.fields();
            Some(Said::Notification {
                to: flow.index(),
                feedback: notification.feedback.get(),
                offset: on_wire(notification.queue_offset),
                delta: on_wire(notification.queue_delta),
                priority: from.priority.get(),
            })
        }
        PassingContent::Pfc { stop, resume, .. } => {
            Some(Said::Pfc { to: frame.port.link().index(), stop: stop.0, resume: resume.0 })
        }
        _ => None,
    };
    frames.iter().filter_map(said).collect()
}

fn said_by_live(sent: &[(Time, usize, Vec<u8>)]) -> Vec<Said> {
    let said = |(_, port, octets): &(Time, usize, Vec<u8>)| {
        let frame = Frame::parse(octets, &CONVENTIONS).unwrap();
        match frame.content {
            Content::Cnm(Cnm { feedback, queue_offset, queue_delta, priority, destination, .. }) => {
                assert_eq!((frame.header.destination, destination), (address(*port), address(SENDERS)));
                assert_eq!(frame.header.cn_tag, Some(CnTag { flow: 1 }));
                let priority = priority.number();
                Some(Said::Notification {
                    to: *port,
                    feedback,
                    offset: queue_offset,
                    delta: queue_delta,
                    priority,
                })
            }
            Content::Pfc(Pfc { enabled, times }) => {
                let stop =
                    (0..8).filter(|number| times[*number] > 0).fold(0, |set, number| set | 1 << number);
                Some(Said::Pfc { to: *port, stop, resume: enabled.0 & !stop })
            }
            _ => None,
        }
    };
    sent.iter().filter_map(said).collect()
}

/// Feeds a live bridge the frames that reached the simulated one. `data` is a frame of a station.
fn replay(spec: &Spec, frames: &[PassingFrame], data: impl Fn(usize) -> Vec<u8>) -> (Bridge, Timed) {
    let bridge = spec.topology.find("bridge").unwrap();
    let addresses: Vec<MacAddress> = (0..=SENDERS).map(port_address).collect();
    let (plan, _) = plan::bridge(spec, bridge, &addresses, options()).unwrap();
    let (mut bridge, mut sent) = (Bridge::new(plan), Timed::default());
    // The bridge learns where the receiver is.
    let mut hello = data(SENDERS);
    hello[..6].copy_from_slice(&address(0).0);
    hello.truncate(60);
    bridge.receive(Time::ZERO, SENDERS, &hello, &mut sent);
    sent.frames.clear();
    let mut arrivals: Vec<(Time, usize)> = frames
        .iter()
        .filter(|frame| {
            matches!(frame.content, PassingContent::Data { .. }) && frame.port.0.is_multiple_of(2)
        })
        .map(|frame| (arrival(spec, frame), frame.port.link().index()))
        .filter(|(at, _)| *at < Time::ZERO + spec.duration)
        .collect();
    arrivals.sort_unstable();
    for (at, from) in arrivals {
        while let Some(due) = bridge.deadline().filter(|due| *due < at) {
            sent.now = due;
            bridge.poll(due, &mut sent);
        }
        sent.now = at;
        bridge.receive(at, from, &data(from), &mut sent);
    }
    (bridge, sent)
}

/// The control frames of a bridge by neighbour. Renewed pauses are left out, because the two bridges renew pauses at
/// different times.
fn by_neighbour(said: Vec<Said>) -> BTreeMap<usize, Vec<Said>> {
    let mut neighbours: BTreeMap<usize, Vec<Said>> = BTreeMap::new();
    let mut pauses: HashMap<usize, Said> = HashMap::new();
    for said in said {
        let (Said::Notification { to, .. } | Said::Pfc { to, .. }) = said;
        let is_renewal =
            matches!(said, Said::Pfc { .. }) && pauses.insert(to, said.clone()) == Some(said.clone());
        if !is_renewal {
            neighbours.entry(to).or_default().push(said);
        }
    }
    neighbours
}

/// Compares the control frames of both bridges, up to the end of the shorter sequence: frames in flight at the end of
/// the run are missing from one of them.
fn bridges_agree(algorithm: Algorithm, flow_control: FlowControl, at_least: usize) {
    let spec = incast(algorithm, flow_control);
    let frames = simulated(&spec);
    let (bridge, sent) = replay(&spec, &frames, data);
    let (expected, found) =
        (by_neighbour(said_by_simulated(&frames)), by_neighbour(said_by_live(&sent.frames)));
    let mut compared = 0;
    for (port, expected) in &expected {
        let found = &found[port];
        let common = expected.len().min(found.len());
        assert!(expected.len().abs_diff(found.len()) <= 1, "{} {}", expected.len(), found.len());
        assert_eq!(expected[..common], found[..common], "{algorithm:?}, port {port}");
        compared += common;
    }
    assert!(compared >= at_least && bridge.counters.lost == 0, "{algorithm:?}: {compared}");
}

#[test]
fn notifications_are_those_of_the_simulated_bridge() {
    bridges_agree(Algorithm::Qcn, FlowControl::None, 200);
    bridges_agree(Algorithm::AfQcn, FlowControl::None, 200);
    bridges_agree(Algorithm::Fqcn, FlowControl::None, 200);
    bridges_agree(Algorithm::Smcc, FlowControl::None, 100);
    bridges_agree(Algorithm::Aimd, FlowControl::None, 20);
}

#[test]
fn pauses_are_those_of_the_simulated_bridge() {
    bridges_agree(Algorithm::None, pfc(), 100);
    bridges_agree(Algorithm::Qcn, pfc(), 100);
}

/// An ECN-capable packet in a frame of a station.
fn capable(from: usize) -> Vec<u8> {
    datagram(from, SENDERS, Some(3), Ecn::Ect0, FRAME as usize - 4)
}

/// The port of the receiver, and that of the bridge at the other end of its link.
const RECEIVER: PortId = PortId(2 * SENDERS as u32);

/// Compares the times, flows and marks of the frames to the receiver.
fn marks_agree(marking: Marking, flow_control: FlowControl) {
    let mut spec = incast(Algorithm::Dcqcn, flow_control);
    if let CongestionPointParams::Dcqcn(cp) = &mut spec.control.congestion_point {
        cp.marking = marking;
    }
    let frames = simulated(&spec);
    let (bridge, sent) = replay(&spec, &frames, capable);
    let expected = frames.iter().filter(|frame| frame.port == RECEIVER.peer()).filter_map(|frame| {
        let PassingContent::Data { flow, mark, .. } = frame.content else { return None };
        Some((frame.at, flow.index(), mark == Mark::Congested))
    });
    let found = sent.frames.iter().filter(|(_, port, _)| *port == SENDERS).filter_map(|(at, _, octets)| {
        let source = Header::parse(octets).unwrap().0.source;
        Some((*at, (0..SENDERS).find(|from| address(*from) == source)?, ecn::of(octets)? == Ecn::Ce))
    });
    let (expected, found): (Vec<_>, Vec<_>) = (expected.collect(), found.collect());
    let common = expected.len().min(found.len());
    assert!(expected.len().abs_diff(found.len()) <= 1, "{} {}", expected.len(), found.len());
    assert_eq!(expected[..common], found[..common], "{marking:?}");
    let marks = expected.iter().filter(|(.., marked)| *marked).count();
    let counters = bridge.counters;
    assert!(common > 10_000 && marks > 100 && marks + 100 < common, "{common} {marks}");
    assert_eq!((counters.lost, counters.unmarkable_dropped, counters.unmarkable_forwarded), (0, 0, 0));
}

#[test]
fn marks_are_those_of_the_simulated_bridge() {
    for marking in [Marking::Dequeue, Marking::Enqueue] {
        marks_agree(marking, FlowControl::None);
        marks_agree(marking, pfc());
    }
}

/// Compares the times and the destinations of the reports of a receiver.
fn receivers_agree(reports: Reports) {
    let mut spec = incast(Algorithm::Dcqcn, FlowControl::None);
    let interval = TimeDelta::from_micros(90);
    spec.control.notification_point = NotificationPointParams::Dcqcn(dcqcn::NpParams { reports, interval });
    let frames = simulated(&spec);
    let expected = frames.iter().filter(|frame| frame.port == RECEIVER).filter_map(|frame| {
        let PassingContent::Reply { flow, .. } = frame.content else { return None };
        Some((frame.at, flow.index()))
    });
    let expected: Vec<(Time, usize)> = expected.collect();
    let node = spec.topology.find(&format!("h{SENDERS}")).unwrap();
    let plan = plan::station(&spec, node, address(SENDERS), options()).unwrap();
    let (mut station, mut sent) = (Station::new(plan), Timed::default());
    for frame in frames.iter().filter(|frame| frame.port == RECEIVER.peer()) {
        let PassingContent::Data { flow, mark, .. } = frame.content else { continue };
        let at = arrival(&spec, frame);
        while let Some(due) = station.deadline().filter(|due| *due < at) {
            sent.now = due;
            station.poll(due, &mut sent);
        }
        let mut octets = capable(flow.index());
        if mark == Mark::Congested {
            ecn::mark(&mut octets).unwrap();
        }
        sent.now = at;
        station.receive(at, LINK, &octets, &mut sent);
    }
    let found = sent.frames.iter().filter(|(_, port, octets)| *port == LINK && is_cnp(octets)).map(|sent| {
        let destination = Header::parse(&sent.2).unwrap().0.destination;
        (sent.0, (0..SENDERS).find(|to| address(*to) == destination).unwrap())
    });
    let found: Vec<(Time, usize)> = found.collect();
    let common = expected.len().min(found.len());
    assert!(expected.len().abs_diff(found.len()) <= SENDERS, "{} {}", expected.len(), found.len());
    assert_eq!(expected[..common], found[..common], "{reports:?}");
    assert!(common > 100, "{common}");
}

#[test]
fn reports_leave_when_those_of_the_simulated_receiver_leave() {
    receivers_agree(Reports::Paced);
    receivers_agree(Reports::Deferred);
    receivers_agree(Reports::Polled);
}

/// Queue lengths in octets. The simulator's lengths are exact, and a reaction to rounded lengths would differ slightly.
const EXACT: Conventions = Conventions { queue_unit: QueueUnit::Octet, ..CONVENTIONS };

/// A station that always has a frame to send, and receives the notifications that its simulated counterpart received.
fn stations_agree(algorithm: Algorithm, flow_control: FlowControl) {
    // The buffer is small enough for every queue length to fit into 16 bits.
    let spec = Spec { buffer: Bytes::new(56_000), ..incast(algorithm, flow_control) };
    let frames = simulated(&spec);
    let node = spec.flows[0].source;
    let plan = plan::station(&spec, node, address(0), options_with(EXACT)).unwrap();
    let (mut station, mut sent) = (Station::new(plan), Timed::default());
    let own = PortId(0);
    let expected: Vec<Time> = frames
        .iter()
        .filter(|frame| frame.port == own && matches!(frame.content, PassingContent::Data { .. }))
        .map(|frame| frame.at)
        .collect();
    let incoming: Vec<(Time, Vec<u8>)> = frames
        .iter()
        .filter(|frame| frame.port == own.peer())
        .filter_map(|frame| Some((arrival(&spec, frame), octets(frame)?)))
        .collect();
    let mut incoming = incoming.into_iter().peekable();
    let packet = match algorithm {
        // Bridges that mark frames need no CN-TAG.
        Algorithm::Dcqcn => datagram(0, SENDERS, None, Ecn::NotEct, FRAME as usize - 8),
        _ => program_frame(),
    };
    let mut now = expected[0];
    let end = *expected.last().unwrap();
    while now <= end {
        sent.now = now;
        while let Some((_, octets)) = incoming.next_if(|(at, _)| *at <= now) {
            station.receive(now, LINK, &octets, &mut sent);
        }
        for _ in 0..3 {
            station.receive(now, PROGRAMS, &packet, &mut sent);
        }
        let next = [station.deadline(), incoming.peek().map(|(at, _)| *at)];
        now = next.into_iter().flatten().filter(|at| *at > now).min().unwrap();
    }
    let is_data = |octets: &[u8]| octets.len() as u64 + 4 == FRAME;
    let found: Vec<Time> = sent
        .frames
        .iter()
        .filter(|(_, port, octets)| *port == LINK && is_data(octets))
        .map(|sent| sent.0)
        .collect();
    let common = expected.len().min(found.len());
    assert!(expected.len().abs_diff(found.len()) <= 1, "{algorithm:?} {} {}", expected.len(), found.len());
    assert_eq!(expected[..common], found[..common], "{algorithm:?}");
    assert!(common > 100, "{common}");
}

/// A frame from the bridge as octets.
fn octets(frame: &PassingFrame) -> Option<Vec<u8>> {
    let mut buffer = [0; 256];
    let frame = match frame.content {
        PassingContent::Notification { signal, from, .. } => {
            let notification = signal.fields();
            let sampled = Header::parse(&data(0)).unwrap().0;
            let cnm = Cnm {
                feedback: notification.feedback.get(),
                congestion_point: [2, 0, 0, 0, 1, from.port.0 as u8, 0, from.priority.get()],
                queue_offset: notification.queue_offset,
                queue_delta: notification.queue_delta,
                priority: setpoint_wire::Priority::ALL[from.priority.index()],
                destination: address(SENDERS),
                sample: &[],
            };
            Frame::cnm(port_address(0), &sampled, setpoint_wire::Priority::ALL[6], cnm)
        }
        PassingContent::Pfc { stop, resume, quanta } => {
            let times = std::array::from_fn(|number| if stop.0 >> number & 1 == 1 { quanta } else { 0 });
            let enabled = setpoint_wire::PrioritySet(stop.0 | resume.0);
            Frame::pfc(port_address(0), Pfc { enabled, times })
        }
        PassingContent::Reply { .. } => return Some(cnp(&reports(0))),
        _ => return None,
    };
    Some(frame.encode(&EXACT, &mut buffer).unwrap().to_vec())
}

#[test]
fn frames_leave_when_those_of_the_simulated_station_leave() {
    stations_agree(Algorithm::Qcn, FlowControl::None);
    stations_agree(Algorithm::AfQcn, FlowControl::None);
    stations_agree(Algorithm::Smcc, FlowControl::None);
    stations_agree(Algorithm::Aimd, FlowControl::None);
    stations_agree(Algorithm::Dcqcn, FlowControl::None);
    stations_agree(Algorithm::Dcqcn, pfc());
    stations_agree(Algorithm::Qcn, pfc());
    stations_agree(Algorithm::None, pfc());
}

/// Algorithms that cannot run on real frames are refused with a reason.
#[test]
fn some_networks_do_not_run_on_real_frames() {
    let mut spec = incast(Algorithm::Bcn, FlowControl::None);
    assert!(plan::check(&spec).unwrap_err().to_string().starts_with("bcn does not run on real frames"));
    spec.control.congestion_point = CongestionPointParams::None;
    spec.control.reaction_point = ReactionPointParams::None;
    assert_eq!(plan::check(&spec), Ok(()));
}
