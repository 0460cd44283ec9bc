//! The device under test, between the generator and the sink.

use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use setpoint_control::{Algorithm, Audience, GroupParams, Marking, Params, PointId};
use setpoint_sim::{ControlSpec, FlowControl, Placement, PrioritySet, SampledFrames};
use setpoint_units::{Bytes, Rate, TimeDelta};
use setpoint_wire::Conventions;

use super::shared::Shared;
use crate::bridge::{Bridge, BridgePlan, PortPlan};
use crate::drive::{Driver, Port};
use crate::neighbour::Defence;
use crate::options::Options;
use crate::sys::{Core, PacketSocket, Urgency, enter_namespace, make_urgent, pin, quiet};
use crate::testbed::{TestbedError, wiring};

/// The interval at which the bridge records its CPU time.
const TELL_EVERY: TimeDelta = TimeDelta::from_millis(5);
/// Far above what the bridge can forward, so that only the program limits it.
const PORT_RATE: Rate = Rate::from_gbps(100);

/// The device under test, between the generator and the sink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arm {
    /// A virtual link, without a bridge.
    Link,
    /// The kernel's bridge.
    Kernel,
    /// The bridge of this crate.
    Setpoint,
}

impl Arm {
    /// All arms, in the order in which they are measured.
    pub const ALL: [Self; 3] = [Self::Link, Self::Kernel, Self::Setpoint];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Link => "none",
            Self::Kernel => "kernel",
            Self::Setpoint => "setpoint",
        }
    }
}

/// Connects the threads of the generator and the sink, and forwards frames until the measurement ends.
pub(super) fn run(
    arm: Arm,
    threads: [i32; 2],
    wired: &Sender<()>,
    shared: &Shared,
) -> Result<(), TestbedError> {
    enter_namespace()?;
    let abandoned = |_| TestbedError::Abandoned;
    match arm {
        Arm::Link => link(threads)?,
        Arm::Kernel => kernel_bridge(threads)?,
        Arm::Setpoint => {
            let driver_and_bridge = bridge(threads, shared)?;
            wired.send(()).map_err(abandoned)?;
            return forward(driver_and_bridge, shared);
        }
    }
    wired.send(()).map_err(abandoned)?;
    // The namespace lasts as long as this thread.
    while !shared.has_ended() {
        thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}

fn link([from, to]: [i32; 2]) -> Result<(), TestbedError> {
    let (name, mtu) = (wiring::LINK, wiring::MTU);
    let peer = format!("peer name {name} mtu {mtu} netns {to}");
    wiring::ip(&format!("link add {name} mtu {mtu} netns {from} type veth {peer}"))
}

fn kernel_bridge(threads: [i32; 2]) -> Result<(), TestbedError> {
    wiring::ip("link add bridge type bridge stp_state 0 forward_delay 0")?;
    for (position, thread) in threads.into_iter().enumerate() {
        wiring::connect(position, thread)?;
        quiet(&wiring::port(position))?;
        wiring::ip(&format!("link set {} master bridge", wiring::port(position)))?;
    }
    wiring::ip("link set bridge arp off addrgenmode none up")
}

fn bridge(threads: [i32; 2], shared: &Shared) -> Result<(Driver, Bridge), TestbedError> {
    let mut sockets = Vec::new();
    for (position, thread) in threads.into_iter().enumerate() {
        wiring::connect(position, thread)?;
        quiet(&wiring::port(position))?;
        sockets.push(PacketSocket::open(&wiring::port(position))?);
    }
    let bridge = Bridge::new(plan(&sockets));
    let ports = sockets.into_iter().map(Box::new).map(Port::Link).collect();
    let driver = Driver::new(shared.clock, ports).map_err(TestbedError::failed("bridge"))?;
    Ok((driver, bridge))
}

fn forward((mut driver, mut bridge): (Driver, Bridge), shared: &Shared) -> Result<(), TestbedError> {
    pin(Core::First);
    make_urgent(Urgency::Hub);
    while !shared.has_ended() {
        let until = driver.now() + TELL_EVERY;
        driver.run_until(&mut bridge, until).map_err(TestbedError::failed("bridge"))?;
        shared.bridge_time.tell();
    }
    Ok(())
}

fn plan(sockets: &[PacketSocket]) -> BridgePlan {
    BridgePlan {
        ports: sockets.iter().enumerate().map(port).collect(),
        control: no_control(),
        flow_control: FlowControl::None,
        buffer: Bytes::new(100_000_000),
        overhead: Bytes::ZERO,
        seed: 1,
        flows: Vec::new(),
        options: Options {
            defence: Defence::Automatic,
            alternate_priority: setpoint_wire::Priority::default(),
            announce_every: TimeDelta::from_secs(30),
            pause_patience: TimeDelta::from_secs(1),
            conventions: Conventions::default(),
        },
    }
}

fn port((number, socket): (usize, &PacketSocket)) -> PortPlan {
    PortPlan {
        name: socket.interface().to_owned(),
        address: socket.address(),
        rate: PORT_RATE,
        points: std::array::from_fn(|priority| PointId((number * 8 + priority) as u32)),
        room: Bytes::ZERO,
    }
}

fn no_control() -> ControlSpec {
    let (congestion_point, reaction_point) = Algorithm::None.points(&Params::default());
    ControlSpec {
        congestion_point,
        reaction_point,
        placement: Placement::Outputs,
        marking: Marking::Arrival,
        keep_alive: None,
        group: GroupParams::default(),
        priorities: PrioritySet::NONE,
        sampled: SampledFrames::Enqueued,
        audience: Audience::Sampled,
        limiters_per_station: 1,
        notification_priority: setpoint_sim::Priority::new(6).expect("there are eight priorities"),
        notification_size: Bytes::new(64),
        reaction_delay: TimeDelta::ZERO,
    }
}
