//! The thread that runs a station.

use std::io;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender};
use std::thread;

use setpoint_sim::Outcome;
use setpoint_units::{Time, TimeDelta};

use super::traffic::{self, Sink};
use super::{Common, Go, Ready, TestbedError, larger, shape, wiring};
use crate::drive::{Driver, Losses, Port, Samples};
use crate::plan;
use crate::station::{Station, StationCounters};
use crate::sys::{
    CoreWait, PacketSocket, Tap, Urgency, enter_namespace, make_urgent, quiet, thread_identifier,
};

/// The measurements of a station.
pub(super) struct StationEnd {
    pub(super) outcome: Outcome,
    pub(super) counters: StationCounters,
    pub(super) losses: Losses,
    pub(super) stall: TimeDelta,
    /// The largest share of time without a core, among the node and its sending programs.
    pub(super) core_wait: Option<f64>,
    /// Datagrams received, by flow.
    pub(super) received: Vec<(usize, u64)>,
}

pub(super) fn run(
    common: Common<'_>,
    index: usize,
    go: &Receiver<Go>,
    ready: &Sender<Ready>,
) -> Result<StationEnd, TestbedError> {
    enter_namespace()?;
    let abandoned = |_| TestbedError::Abandoned;
    ready.send(Ready::Station { index, thread: thread_identifier() }).map_err(abandoned)?;
    let Ok(Go::Open) = go.recv() else { return Err(TestbedError::Abandoned) };
    let ports = open(index)?;
    let node = common.shape.stations[index];
    let port = plan::ports_of(common.spec, node)[0];
    let plan = plan::station(common.spec, node, shape::address(index), common.options)?;
    let sinks = traffic::sinks(common, index)?;
    ready.send(Ready::Connected).map_err(abandoned)?;
    let Ok(Go::Begin(clock)) = go.recv() else { return Err(TestbedError::Abandoned) };
    let mut driver = Driver::new(clock, ports).map_err(TestbedError::failed("station"))?;
    let mut station = Station::new(plan);
    thread::scope(|scope| {
        let senders: Vec<_> = traffic::flows_from(common, index)
            .into_iter()
            .map(|flow| scope.spawn(move || traffic::send(common, flow, clock)))
            .collect();
        let receivers: Vec<_> = sinks
            .into_iter()
            .map(|Sink { flow, socket }| (flow, scope.spawn(move || traffic::receive(common, &socket))))
            .collect();
        // Only this thread becomes urgent; the programs run in ordinary threads.
        make_urgent(Urgency::Node);
        let mut samples = Samples::new(common.spec, Time::ZERO + common.spec.duration);
        let wait = CoreWait::start();
        let ended = measure(common, &mut driver, &mut station, &mut samples);
        let core_wait = senders
            .into_iter()
            .fold(wait.share(), |largest, sender| larger(largest, sender.join().ok().flatten()));
        let received = receivers.into_iter().map(|(flow, sink)| (flow, sink.join().unwrap_or(0))).collect();
        ended.map_err(TestbedError::failed("station"))?;
        let losses = driver.losses().map_err(TestbedError::failed("station"))?;
        let outcome = station.outcome(driver.now(), samples.interval(), port);
        let (counters, stall) = (station.counters, driver.stall());
        Ok(StationEnd { outcome, counters, losses, stall, core_wait, received })
    })
}

fn open(index: usize) -> Result<Vec<Port>, TestbedError> {
    wiring::switch_on()?;
    quiet(wiring::LINK)?;
    let tap = Tap::open(wiring::TAP)?;
    wiring::set_addresses(index)?;
    let mut socket = PacketSocket::open(wiring::LINK)?;
    socket.await_link()?;
    Ok(vec![Port::Programs(tap), Port::Link(Box::new(socket))])
}

/// Runs the station from sample to sample, and then until the bridge has ended.
fn measure(
    common: Common<'_>,
    driver: &mut Driver,
    station: &mut Station,
    samples: &mut Samples,
) -> io::Result<()> {
    let ended = || common.stop.load(Ordering::SeqCst);
    while !ended() && driver.run_to_sample(station, samples)? {}
    while !ended() {
        let now = driver.now();
        driver.run_until(station, now + common.spec.sample_interval)?;
    }
    Ok(())
}
