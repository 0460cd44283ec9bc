//! A whole network in namespaces on this machine: one bridge, its stations, and real UDP traffic.
//!
//! Every node is a thread with its own network namespace. A virtual Ethernet link connects each station to the bridge,
//! and a TAP interface connects each station to its programs. Namespaces, links and interfaces are not visible from
//! outside and disappear with their threads, however the process ends, so there is nothing to clean up.

mod bridge_thread;
mod error;
mod merge;
mod shape;
mod station_thread;
mod traffic;
pub(crate) mod wiring;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use setpoint_sim::{Decision, Outcome, Spec};
use setpoint_units::TimeDelta;

use crate::bridge::{BridgeCounters, Snapshot};
use crate::drive::Losses;
use crate::options::Options;
use crate::station::StationCounters;
use crate::sys::Clock;
use bridge_thread::BridgeEnd;
use shape::Shape;
use station_thread::StationEnd;

pub use error::TestbedError;

/// The time before traffic begins, during which neighbours announce themselves to each other.
const LEAD: TimeDelta = TimeDelta::from_millis(20);

/// Observes a running network.
pub trait Watch: Sync {
    /// Called several times a second with the state of the bridge. May stop the run.
    fn look(&self, snapshot: &Snapshot) -> Decision;
}

/// The measurements of a run.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The outcome, in the form of a simulated one.
    pub outcome: Outcome,
    /// Events at the bridge.
    pub bridge: BridgeCounters,
    /// Events at the stations, in the order of the topology.
    pub stations: Vec<StationCounters>,
    /// Frames lost between the nodes.
    pub losses: Losses,
    /// Datagrams that the programs received, by flow.
    pub received: Vec<u64>,
    /// The longest delay before the machine woke a node.
    pub stall: TimeDelta,
    /// The largest share of the run during which a node or a sending program was ready to run, but had no core; `None` if
    /// the kernel does not report it.
    pub core_wait: Option<f64>,
}

/// Runs a network with one bridge on real frames.
///
/// # Errors
/// If the network has a different shape, if the machine does not allow namespaces, or if the run was stopped.
pub fn run(spec: &Spec, options: Options, watch: &dyn Watch) -> Result<Measured, TestbedError> {
    let shape = Shape::of(spec)?;
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let common = Common { spec, options, shape: &shape, stop: &stop };
        let (bridge_begin, bridge_go) = channel();
        let (ready, readies) = channel();
        let bridge_ready = ready.clone();
        let bridge = scope.spawn(move || {
            part(common, &bridge_ready, || bridge_thread::run(common, &bridge_go, &bridge_ready, watch))
        });
        let mut stations = Vec::new();
        let mut begins = Vec::new();
        for index in 0..shape.stations.len() {
            let (begin, go) = channel();
            let ready = ready.clone();
            stations.push(
                scope.spawn(move || part(common, &ready, || station_thread::run(common, index, &go, &ready))),
            );
            begins.push(begin);
        }
        drop(ready);
        let started = start(&readies, &bridge_begin, &begins, shape.stations.len());
        // Threads that wait for a stage that will never be reached end when their channels close.
        drop((bridge_begin, begins));
        if started.is_err() {
            stop.store(true, Ordering::SeqCst);
        }
        let bridge = bridge.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        stop.store(true, Ordering::SeqCst);
        let stations: Vec<_> = stations
            .into_iter()
            .map(|station| station.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect();
        let ends = stations.into_iter().collect::<Result<Vec<_>, _>>();
        match (bridge, ends) {
            (Err(TestbedError::Abandoned), Err(error)) | (Err(error), _) | (_, Err(error)) => Err(error),
            (Ok(bridge), Ok(stations)) => started.map(|()| measured(spec, &shape, bridge, stations)),
        }
    })
}

/// Data that all threads share.
#[derive(Clone, Copy)]
struct Common<'a> {
    spec: &'a Spec,
    options: Options,
    shape: &'a Shape,
    stop: &'a AtomicBool,
}

/// A message from a thread to the main thread.
enum Ready {
    /// A station's thread has entered its namespace. `thread` is its identifier.
    Station { index: usize, thread: i32 },
    /// A thread's interfaces are up.
    Connected,
    /// A thread has failed, and the others must end.
    Failed,
}

/// Runs a thread's part. If it fails or panics, the main thread is notified and all other threads end.
fn part<T>(
    common: Common<'_>,
    ready: &Sender<Ready>,
    run: impl FnOnce() -> Result<T, TestbedError>,
) -> Result<T, TestbedError> {
    let mut end = End { ready, stop: common.stop, well: false };
    let ended = run();
    end.well = ended.is_ok();
    ended
}

/// Reports the failure of a thread when it is dropped, unless the thread ended without an error.
struct End<'a> {
    ready: &'a Sender<Ready>,
    stop: &'a AtomicBool,
    well: bool,
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        if !self.well {
            self.stop.store(true, Ordering::SeqCst);
            // The main thread may already have ended its part.
            let _ = self.ready.send(Ready::Failed);
        }
    }
}

/// A message from the main thread to the others.
#[derive(Clone)]
enum Go {
    /// Connect the links of the stations, whose threads have these identifiers.
    Wire(Vec<i32>),
    /// Both ends of every link exist: switch them on, and wait until they are up.
    Open,
    /// Everything is ready: begin.
    Begin(Clock),
}

/// Takes all threads through the stages of startup.
fn start(
    readies: &Receiver<Ready>,
    bridge: &Sender<Go>,
    stations: &[Sender<Go>],
    count: usize,
) -> Result<(), TestbedError> {
    let mut threads = vec![0; count];
    for _ in 0..count {
        match readies.recv() {
            Ok(Ready::Station { index, thread }) => threads[index] = thread,
            _ => return Err(TestbedError::Abandoned),
        }
    }
    let abandoned = |_| TestbedError::Abandoned;
    bridge.send(Go::Wire(threads)).map_err(abandoned)?;
    connected(readies, 1)?;
    for node in stations.iter().chain([bridge]) {
        node.send(Go::Open).map_err(abandoned)?;
    }
    connected(readies, count + 1)?;
    let clock = Clock::start();
    for to in stations.iter().chain([bridge]) {
        to.send(Go::Begin(clock)).map_err(abandoned)?;
    }
    Ok(())
}

fn connected(readies: &Receiver<Ready>, count: usize) -> Result<(), TestbedError> {
    for _ in 0..count {
        let Ok(Ready::Connected) = readies.recv() else { return Err(TestbedError::Abandoned) };
    }
    Ok(())
}

fn measured(spec: &Spec, shape: &Shape, bridge: BridgeEnd, stations: Vec<StationEnd>) -> Measured {
    let mut outcome = bridge.outcome;
    let mut received = vec![0; spec.flows.len()];
    let mut losses = bridge.losses;
    let (mut stall, mut core_wait) = (bridge.stall, bridge.core_wait);
    let samples = outcome.ports.first().map_or(0, |port| port.sent_series.len());
    let counters = stations.iter().map(|station| station.counters).collect();
    for (index, station) in stations.into_iter().enumerate() {
        merge::station(spec, shape.stations[index], station.outcome, &mut outcome);
        stall = stall.max(station.stall);
        core_wait = larger(core_wait, station.core_wait);
        losses.not_read += station.losses.not_read;
        losses.not_sent += station.losses.not_sent;
        for (flow, datagrams) in station.received {
            received[flow] += datagrams;
        }
    }
    merge::finish(&mut outcome, samples);
    let bridge = bridge.counters;
    Measured { outcome, bridge, stations: counters, losses, received, stall, core_wait }
}

/// The larger of two shares that may be unknown.
fn larger(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    [one, other].into_iter().flatten().max_by(f64::total_cmp)
}
