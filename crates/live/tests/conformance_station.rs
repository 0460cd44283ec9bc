//! Compares the live station behind a TAP interface and a socket of the running kernel with the station without I/O.
//!
//! Both are fed the same script: frames from a program, with notifications in between. The rate limiter must take the same
//! steps: each notification cuts its rate, which then recovers with the bytes sent. Timers are switched off, because they
//! would depend on when the kernel delivers a frame.
#![cfg(target_os = "linux")]

mod support;

use std::process::Command;
use std::thread;

use setpoint_control::parameter::Switch;
use setpoint_control::{Algorithm, Params};
use setpoint_live::drive::{Driver, Port};
use setpoint_live::node::Node;
use setpoint_live::plan;
use setpoint_live::station::{LINK, PROGRAMS, Station};
use setpoint_live::sys::{Clock, PacketSocket, SysError, Tap, enter_namespace};
use setpoint_sim::{FlowControl, Spec};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};
use setpoint_wire::{CnTag, Cnm, Conventions, EtherType, Frame, Header, MacAddress, Priority, VlanTag};
use support::skip::{Reason, skip};
use support::{SENDERS, address, program_frame};

/// An input to a station.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// A program sends this many frames.
    Send(usize),
    /// The network sends a notification with this feedback.
    Notify(u8),
}

const SCRIPT: [Step; 12] = [
    Step::Send(10),
    Step::Notify(20),
    Step::Send(30),
    Step::Notify(63),
    Step::Notify(1),
    Step::Send(12),
    Step::Notify(40),
    Step::Send(60),
    Step::Notify(63),
    Step::Notify(63),
    Step::Send(90),
    Step::Notify(5),
];

fn spec() -> Spec {
    let mut params = Params::default();
    params.qcn.rp.timer = Switch::Off;
    params.qcn.rp.byte_reset = Bytes::new(20_000);
    let control = support::control(Algorithm::Qcn, &params);
    support::incast(control, FlowControl::None, |_| Rate::from_gbps(1), |_| TimeDelta::ZERO)
}

fn station() -> Station {
    let spec = spec();
    let node = spec.topology.find("h0").unwrap();
    Station::new(plan::station(&spec, node, address(0), support::options()).unwrap())
}

fn notification(feedback: u8) -> Vec<u8> {
    let sampled = Header {
        destination: address(SENDERS),
        source: address(0),
        vlan: Some(VlanTag::of_priority(Priority::ALL[3])),
        cn_tag: Some(CnTag { flow: 1 }),
        ether_type: EtherType::IPV4,
    };
    let cnm = Cnm {
        feedback,
        congestion_point: [2, 9, 9, 9, 9, 9, 0, 3],
        queue_offset: -20_000,
        queue_delta: 3_000,
        priority: Priority::ALL[3],
        destination: address(SENDERS),
        sample: &[],
    };
    let mut buffer = [0; 256];
    let frame = Frame::cnm(MacAddress([2, 9, 9, 9, 9, 9]), &sampled, Priority::ALL[6], cnm);
    frame.encode(&Conventions::default(), &mut buffer).unwrap().to_vec()
}

/// The limit after each step, in bits per second.
type Limits = Vec<Option<u64>>;

fn limit(station: &Station) -> Option<u64> {
    station.flows().first()?.limit.map(Rate::bits_per_second)
}

/// Runs the script without sockets. Each step takes place at a single instant.
fn expected() -> Limits {
    let mut station = station();
    let mut sent = Vec::new();
    let mut now = Time::ZERO;
    let mut limits = Limits::new();
    for step in SCRIPT {
        match step {
            Step::Send(frames) => {
                for _ in 0..frames {
                    station.receive(now, PROGRAMS, &program_frame(), &mut sent);
                    now += TimeDelta::from_millis(5);
                    station.poll(now, &mut sent);
                }
            }
            Step::Notify(feedback) => station.receive(now, LINK, &notification(feedback), &mut sent),
        }
        limits.push(limit(&station));
    }
    limits
}

fn ip(arguments: &str) {
    let status = Command::new("ip").args(arguments.split(' ')).status().unwrap();
    assert!(status.success(), "ip {arguments}");
}

/// Runs the script through a TAP interface and a virtual link.
fn found() -> Result<Limits, SysError> {
    enter_namespace()?;
    let tap = Tap::open("tap")?;
    ip(&format!("link set tap address {} addrgenmode none up", address(0)));
    ip("link add uplink mtu 1600 type veth peer name network mtu 1600");
    for name in ["uplink", "network"] {
        ip(&format!("link set {name} arp off addrgenmode none up"));
    }
    let mut program = PacketSocket::open("tap")?;
    let (mut link, mut network) = (PacketSocket::open("uplink")?, PacketSocket::open("network")?);
    for socket in [&mut program, &mut link, &mut network] {
        socket.await_link()?;
    }
    let mut station = station();
    let mut driver =
        Driver::new(Clock::start(), vec![Port::Programs(tap), Port::Link(Box::new(link))]).unwrap();
    let mut limits = Limits::new();
    let (mut arrived, mut offered) = (0, 0);
    for step in SCRIPT {
        let obeyed = station.counters.obeyed;
        match step {
            Step::Send(frames) => offered += frames,
            Step::Notify(feedback) => drop(network.send(&notification(feedback)).unwrap()),
        }
        let mut left = if let Step::Send(frames) = step { frames } else { 0 };
        let deadline = driver.now() + TimeDelta::from_secs(10);
        loop {
            // One after another, since the number of waiting frames of a flow is limited.
            if left > 0 && offered - left == arrived {
                program.send(&program_frame()).unwrap();
                left -= 1;
            }
            let until = driver.now() + TimeDelta::from_micros(200);
            driver.run_until(&mut station, until).unwrap();
            let is_data = |octets: &[u8]| usize::from(octets.len() > 1_000);
            network.receive(&mut |octets| arrived += is_data(octets)).unwrap();
            let done = match step {
                Step::Send(_) => arrived == offered,
                Step::Notify(_) => station.counters.obeyed > obeyed,
            };
            if done {
                break;
            }
            assert!(driver.now() < deadline, "{step:?}: {arrived} of {offered}, {:?}", station.counters);
        }
        limits.push(limit(&station));
    }
    Ok(limits)
}

#[test]
fn rate_cuts_behind_sockets_are_those_of_the_station_without_sockets() {
    let found = match thread::spawn(found).join().unwrap() {
        Ok(limits) => limits,
        Err(error) => return skip(Reason::NotPermitted, error),
    };
    let expected = expected();
    assert_eq!(expected, found);
    let cuts = expected.windows(2).filter(|pair| pair[1] < pair[0]).count();
    let raises = expected.windows(2).filter(|pair| pair[0].is_some() && pair[1] > pair[0]).count();
    assert!(cuts >= 4 && raises >= 2, "{expected:?}");
}
