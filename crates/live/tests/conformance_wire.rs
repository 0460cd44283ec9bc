//! Compares the live bridge behind sockets of the running kernel with the bridge without I/O, on the same frames.
//!
//! A burst arrives much faster than the queue drains, so the queue lengths that the congestion point samples do not depend
//! on when the kernel delivers a frame. Sampling decisions and the contents of the notifications must be equal.
#![cfg(target_os = "linux")]

mod support;

use std::process::Command;
use std::thread;

use setpoint_control::{Algorithm, Params};
use setpoint_live::bridge::Bridge;
use setpoint_live::drive::{Driver, Port};
use setpoint_live::node::Node;
use setpoint_live::plan;
use setpoint_live::sys::{Clock, PacketSocket, SysError, enter_namespace};
use setpoint_sim::{FlowControl, Spec};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};
use setpoint_wire::{Cnm, Content, Conventions, Frame, MacAddress};
use support::skip::{Reason, skip};
use support::{SENDERS, data, incast};

/// The number of frames in the burst, which the senders send in turn.
const BURST: usize = 90;
/// The rate at which the queue drains: one frame every 1.2 s.
const DRAIN: Rate = Rate::from_bits_per_second(10_000);

fn spec() -> Spec {
    let mut params = Params::default();
    params.qcn.cp.sample_base = Bytes::new(10_000);
    let control = support::control(Algorithm::Qcn, &params);
    incast(
        control,
        FlowControl::None,
        |number| if number == SENDERS { DRAIN } else { Rate::from_gbps(1) },
        |_| TimeDelta::ZERO,
    )
}

fn bridge(addresses: &[MacAddress]) -> Bridge {
    let spec = spec();
    let node = spec.topology.find("bridge").unwrap();
    Bridge::new(plan::bridge(&spec, node, addresses, support::options()).unwrap().0)
}

/// A notification: the port through which it was sent, feedback, queue offset and queue delta.
type Said = (usize, u8, i64, i64);

fn said(port: usize, octets: &[u8]) -> Option<Said> {
    let frame = Frame::parse(octets, &Conventions::default()).ok()?;
    let Content::Cnm(Cnm { feedback, queue_offset, queue_delta, .. }) = frame.content else { return None };
    Some((port, feedback, queue_offset, queue_delta))
}

/// A frame by which the bridge learns where the receiver is.
fn hello() -> Vec<u8> {
    let mut octets = data(SENDERS);
    octets[..6].copy_from_slice(&support::address(0).0);
    octets.truncate(60);
    octets
}

/// The notifications if the burst arrives at a single instant, without sockets.
fn expected(addresses: &[MacAddress]) -> Vec<Said> {
    let mut bridge = bridge(addresses);
    let mut sent = Vec::new();
    bridge.receive(Time::ZERO, SENDERS, &hello(), &mut sent);
    for number in 0..BURST {
        bridge.receive(Time::ZERO, number % SENDERS, &data(number % SENDERS), &mut sent);
    }
    bridge.poll(Time::ZERO + TimeDelta::from_millis(10), &mut sent);
    sent.iter().filter_map(|(port, octets)| said(*port, octets)).collect()
}

fn ip(arguments: &str) {
    let status = Command::new("ip").args(arguments.split(' ')).status().unwrap();
    assert!(status.success(), "ip {arguments}");
}

/// The bridge's ends and the neighbours' ends of five links.
fn links() -> (Vec<PacketSocket>, Vec<PacketSocket>) {
    for number in 0..=SENDERS {
        ip(&format!("link add port{number} mtu 1600 type veth peer name end{number} mtu 1600"));
        for name in ["port", "end"] {
            ip(&format!("link set {name}{number} arp off addrgenmode none up"));
        }
    }
    let open = |name: &str| {
        (0..=SENDERS).map(|number| PacketSocket::open(&format!("{name}{number}")).unwrap()).collect()
    };
    let (mut ports, ends): (Vec<PacketSocket>, _) = (open("port"), open("end"));
    ports.iter_mut().for_each(|port| port.await_link().unwrap());
    (ports, ends)
}

/// The expected notifications, and those if the burst arrives through sockets.
fn found() -> Result<(Vec<Said>, Vec<Said>), SysError> {
    enter_namespace()?;
    let (ports, mut ends) = links();
    let addresses: Vec<MacAddress> = ports.iter().map(PacketSocket::address).collect();
    let mut bridge = bridge(&addresses);
    let ports = ports.into_iter().map(|socket| Port::Link(Box::new(socket))).collect();
    let mut driver = Driver::new(Clock::start(), ports).unwrap();
    ends[SENDERS].send(&hello()).unwrap();
    let wait = |driver: &mut Driver, bridge: &mut Bridge| {
        let until = driver.now() + TimeDelta::from_millis(20);
        driver.run_until(bridge, until).unwrap();
    };
    wait(&mut driver, &mut bridge);
    for number in 0..BURST {
        ends[number % SENDERS].send(&data(number % SENDERS)).unwrap();
        // One after another, because frames on different links arrive in no particular order.
        let until = driver.now() + TimeDelta::from_micros(300);
        driver.run_until(&mut bridge, until).unwrap();
    }
    wait(&mut driver, &mut bridge);
    let mut heard = Vec::new();
    for (port, end) in ends.iter_mut().enumerate() {
        while end.receive(&mut |octets| heard.extend(said(port, octets))).unwrap() > 0 {}
    }
    Ok((expected(&addresses), heard))
}

#[test]
fn notifications_on_the_wire_are_those_of_the_bridge_without_sockets() {
    let (mut expected, mut heard) = match thread::spawn(found).join().unwrap() {
        Ok(said) => said,
        Err(error) => return skip(Reason::NotPermitted, error),
    };
    // The notifications were received port by port. The queue only grows, so sorting by its offset restores the order.
    expected.sort_by_key(|said| -said.2);
    heard.sort_by_key(|said| -said.2);
    assert!(expected.len() > 5, "{expected:?}");
    assert_eq!(expected, heard);
}
