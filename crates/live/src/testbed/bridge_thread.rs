//! The thread that runs the bridge.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender};

use setpoint_sim::{Decision, Outcome};
use setpoint_units::{Time, TimeDelta};

use super::{Common, Go, Ready, TestbedError, Watch, wiring};
use crate::bridge::{Bridge, BridgeCounters, Numbers};
use crate::drive::{Driver, Losses, Port, Samples};
use crate::plan;
use crate::sys::{CoreWait, PacketSocket, Urgency, enter_namespace, make_urgent, quiet};

/// The interval at which the observer is called.
const LOOK_EVERY: TimeDelta = TimeDelta::from_millis(250);

/// The measurements of the bridge.
pub(super) struct BridgeEnd {
    pub(super) outcome: Outcome,
    pub(super) counters: BridgeCounters,
    pub(super) losses: Losses,
    pub(super) stall: TimeDelta,
    pub(super) core_wait: Option<f64>,
}

pub(super) fn run(
    common: Common<'_>,
    go: &Receiver<Go>,
    ready: &Sender<Ready>,
    watch: &dyn Watch,
) -> Result<BridgeEnd, TestbedError> {
    enter_namespace()?;
    let Ok(Go::Wire(threads)) = go.recv() else { return Err(TestbedError::Abandoned) };
    for (position, thread) in threads.iter().enumerate() {
        wiring::connect(position, *thread)?;
    }
    let mut sockets = open(threads.len())?;
    let addresses: Vec<_> = sockets.iter().map(PacketSocket::address).collect();
    let (plan, numbers) = plan::bridge(common.spec, common.shape.bridge, &addresses, common.options)?;
    let mut bridge = Bridge::new(plan);
    let abandoned = |_| TestbedError::Abandoned;
    ready.send(Ready::Connected).map_err(abandoned)?;
    let Ok(Go::Open) = go.recv() else { return Err(TestbedError::Abandoned) };
    sockets.iter_mut().try_for_each(PacketSocket::await_link)?;
    ready.send(Ready::Connected).map_err(abandoned)?;
    let Ok(Go::Begin(clock)) = go.recv() else { return Err(TestbedError::Abandoned) };
    make_urgent(Urgency::Hub);
    let ports = sockets.into_iter().map(Box::new).map(Port::Link).collect();
    let mut driver = Driver::new(clock, ports).map_err(TestbedError::failed("bridge"))?;
    measure(common, &mut driver, &mut bridge, &numbers, watch)
}

fn open(count: usize) -> Result<Vec<PacketSocket>, TestbedError> {
    let mut sockets = Vec::with_capacity(count);
    for position in 0..count {
        quiet(&wiring::port(position))?;
        sockets.push(PacketSocket::open(&wiring::port(position))?);
    }
    Ok(sockets)
}

/// Runs the bridge from sample to sample.
fn measure(
    common: Common<'_>,
    driver: &mut Driver,
    bridge: &mut Bridge,
    numbers: &Numbers,
    watch: &dyn Watch,
) -> Result<BridgeEnd, TestbedError> {
    let spec = common.spec;
    let failed = || TestbedError::failed("bridge");
    let end = Time::ZERO + spec.duration;
    let mut samples = Samples::new(spec, end);
    let wait = CoreWait::start();
    let mut look = Time::ZERO + LOOK_EVERY;
    while driver.run_to_sample(bridge, &mut samples).map_err(failed())? {
        if common.stop.load(Ordering::SeqCst) {
            return Err(TestbedError::Abandoned);
        }
        if samples.last() >= look {
            look = samples.last() + LOOK_EVERY;
            if watch.look(&bridge.look(samples.last())) == Decision::Stop {
                return Err(TestbedError::Stopped);
            }
        }
    }
    let outcome = bridge.outcome(driver.now(), samples.interval(), numbers);
    let losses = driver.losses().map_err(failed())?;
    let outcome = Outcome { end, measure_from: spec.measure_from, ..outcome };
    let (counters, stall, core_wait) = (bridge.counters, driver.stall(), wait.share());
    Ok(BridgeEnd { outcome, counters, losses, stall, core_wait })
}
