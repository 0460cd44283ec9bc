//! Programs that send and receive UDP datagrams.

use std::io;
use std::net::UdpSocket;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use setpoint_sim::traffic::Traffic;
use setpoint_sim::{Destination, Spec};
use setpoint_units::{Rate, Time};

use super::{Common, LEAD, TestbedError, shape};
use crate::marking::marks;
use crate::sys::{Clock, CoreWait};

/// The first UDP port; flow n uses this plus n.
const FIRST_PORT: u16 = 20_000;
/// The frame check sequence, the C-tag, and the Ethernet, IPv4 and UDP headers.
const HEADERS: u64 = 4 + 4 + 14 + 20 + 8;
/// The CN-TAG, which frames do not have if bridges mark them.
const CN_TAG: u64 = 4;
/// The rate that a backlogged program offers, as a percentage of its link's rate: more than the link can carry.
const BACKLOGGED: u64 = 120;
/// Interval at which a program wakes up to send.
const TICK: Duration = Duration::from_millis(1);
/// Interval at which a receiving program checks whether the run has ended.
const PATIENCE: Duration = Duration::from_millis(50);

/// A program that receives the datagrams of a flow.
pub(super) struct Sink {
    pub(super) flow: usize,
    pub(super) socket: UdpSocket,
}

/// The flows that a station sends.
pub(super) fn flows_from(common: Common<'_>, station: usize) -> Vec<usize> {
    let node = common.shape.stations[station];
    (0..common.spec.flows.len()).filter(|&flow| common.spec.flows[flow].source == node).collect()
}

/// The programs that receive the flows to a station.
pub(super) fn sinks(common: Common<'_>, station: usize) -> Result<Vec<Sink>, TestbedError> {
    let node = Destination::Station(common.shape.stations[station]);
    let flows = common.spec.flows.iter().enumerate().filter(|(_, flow)| flow.destination == node);
    let sink = |(flow, _)| -> io::Result<Sink> {
        let socket = UdpSocket::bind((shape::ipv4(station), port(flow)))?;
        socket.set_read_timeout(Some(PATIENCE))?;
        Ok(Sink { flow, socket })
    };
    flows.map(sink).collect::<Result<_, _>>().map_err(TestbedError::failed("receiving program"))
}

fn port(flow: usize) -> u16 {
    FIRST_PORT + flow as u16
}

/// Sends the datagrams of a flow until the run ends. A datagram that the machine refuses is not sent again, and does not
/// stop the program. Returns the share of the time during which the program had no core.
pub(super) fn send(common: Common<'_>, flow: usize, clock: Clock) -> Option<f64> {
    let spec = &common.spec.flows[flow];
    let Destination::Station(to) = spec.destination else { return None };
    let (from, to) = (common.shape.position(spec.source), common.shape.position(to));
    let socket = UdpSocket::bind((shape::ipv4(from), port(flow))).ok()?;
    let wait = CoreWait::start();
    let headers = if marks(&common.spec.control) { HEADERS } else { HEADERS + CN_TAG };
    let payload = vec![0; spec.frame.get().saturating_sub(headers).clamp(18, 1_472) as usize];
    let begin = spec.start.saturating_add(LEAD);
    let end = spec.stop.unwrap_or(Time::MAX).min(Time::ZERO + common.spec.duration);
    let rate = offered(common.spec, flow);
    let mut sent: u64 = 0;
    while clock.now() < end && !common.stop.load(Ordering::SeqCst) {
        let elapsed = clock.now().saturating_since(begin).as_picos();
        let bits = u128::from(elapsed) * u128::from(rate.bits_per_second()) / 1_000_000_000_000;
        let due = (bits / 8) as u64 / spec.frame.get().max(1);
        // After a long sleep, a program does not catch up on all missed datagrams.
        sent = sent.max(due.saturating_sub(100));
        while sent < due {
            let _ = socket.send_to(&payload, (shape::ipv4(to), port(flow)));
            sent += 1;
        }
        thread::sleep(TICK);
    }
    wait.share()
}

/// The rate that a program offers.
fn offered(spec: &Spec, flow: usize) -> Rate {
    let flow = &spec.flows[flow];
    let port = spec.topology.ports().find(|port| spec.topology.source(*port) == flow.source);
    let line = port.map_or(Rate::MIN, |port| spec.topology.link_at(port.link()).rate);
    match flow.traffic {
        Traffic::Constant { rate } => rate,
        _ => Rate::new(line.bits_per_second() / 100 * BACKLOGGED).unwrap_or(line),
    }
}

/// Receives datagrams until the run has ended and none are waiting. Returns their number.
pub(super) fn receive(common: Common<'_>, socket: &UdpSocket) -> u64 {
    let mut buffer = [0; 2_048];
    let mut received = 0;
    loop {
        match socket.recv(&mut buffer) {
            Ok(_) => received += 1,
            Err(_) if common.stop.load(Ordering::SeqCst) => return received,
            Err(_) => {}
        }
    }
}
