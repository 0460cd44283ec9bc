//! `setpoint live station`: an end station of a scenario on this machine.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use setpoint_lab::store::{Destination, REPORT};
use setpoint_live::drive::{Driver, Port};
use setpoint_live::plan;
use setpoint_live::station::{self as live, StationPlan};
use setpoint_live::sys::{Clock, PacketSocket, Silence, Tap, Urgency, make_urgent, quiet};
use setpoint_record::results::{Frames, RunRecord};
use setpoint_scenario::Prepared;
use setpoint_sim::NodeId;
use setpoint_sim::topology::NodeKind;
use setpoint_units::{Time, TimeDelta};
use setpoint_wire::MacAddress;

use super::options::LiveOptions;
use super::reload::Reload;
use super::session::{self, Next, Session};
use super::table;
use crate::failure::{Failure, print_line};
use crate::interrupt;
use crate::scenario::Settings;
use crate::terminal;

/// Run an end station of a scenario on this machine
///
/// Creates a TAP interface. Frames that programs send through it are sorted into flows, tagged, paced by reaction
/// points and sent on the link; notifications and PFC from the link are obeyed. Give the TAP interface an IP address to
/// use it: `ip address add 10.0.0.1/24 dev TAP`. The link needs an MTU of at least 1504 and must not have an IP
/// address; while the station runs, the kernel does not answer ARP on it. Ends on Ctrl-C or SIGTERM, and then writes a
/// result with the station's own flows; SIGHUP reads the scenario again. Needs CAP_NET_RAW and CAP_NET_ADMIN: `sudo
/// setcap cap_net_raw,cap_net_admin+ep $(command -v setpoint)`.
#[derive(Debug, Args)]
pub(crate) struct Station {
    /// A scenario file, or the name of a built-in scenario
    #[arg(value_name = "FILE|NAME")]
    scenario: PathBuf,

    #[command(flatten)]
    settings: Settings,

    /// The station of the scenario to run
    #[arg(long = "as", value_name = "NODE")]
    node: String,

    /// The interface of the link to the bridge
    #[arg(long, value_name = "INTERFACE")]
    link: String,

    /// The name of the TAP interface
    #[arg(long, value_name = "INTERFACE", default_value = "setpoint0")]
    tap: String,

    /// End after this time [default: on Ctrl-C or SIGTERM]
    #[arg(long = "for", value_name = "TIME")]
    duration: Option<TimeDelta>,

    /// Folder for the result [default: results/NAME-NODE]
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,

    #[command(flatten)]
    options: LiveOptions,

    /// Print only errors
    #[arg(long, short)]
    quiet: bool,
}

impl Station {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        Arc::new(self).attach()
    }

    fn attach(self: &Arc<Self>) -> Result<(), Failure> {
        let prepared = self.prepare()?;
        let node = session::node_of_kind(&prepared, &self.node, NodeKind::Station)?;
        let named = || self.settings.folder(&prepared.name, &format!("-{}", self.node));
        let folder = self.out.clone().unwrap_or_else(named);
        let place = Destination::open(&folder)?;
        let socket = PacketSocket::open(&self.link).map_err(session::refused)?;
        quiet(&self.link).map_err(session::refused)?;
        let _silence = Silence::on(&self.link).map_err(session::refused)?;
        let mut tap = Tap::open(&self.tap).map_err(session::refused)?;
        tap.set_up().map_err(session::refused)?;
        let address = tap.address();
        let mut station = live::Station::new(self.plan(&prepared, node, address)?);
        interrupt::serve();
        let mut driver =
            Driver::new(Clock::start(), vec![Port::Programs(tap), Port::Link(Box::new(socket))])?;
        make_urgent(Urgency::Node);
        if !self.quiet {
            print_line(&format!("{} is {} on {}; Ctrl-C stops it", self.tap, self.node, self.link));
        }
        let interval = self.run(&prepared, (node, address), &mut driver, &mut station)?;
        let record = self.record(&prepared, node, &station, (driver.now(), interval));
        session::store(&record, place)?;
        if self.quiet {
            return Ok(());
        }
        terminal::print(&table::station_end(&station.counters))?;
        session::print_page(&folder.join(REPORT))
    }

    /// The record of a station: measurements of the flows that it sent.
    fn record(
        &self,
        prepared: &Prepared,
        node: NodeId,
        station: &live::Station,
        (now, interval): (Time, TimeDelta),
    ) -> RunRecord {
        let outcome = station.outcome(now, interval, plan::ports_of(&prepared.spec, node)[0]);
        let mut seen = session::lasting(prepared, &outcome);
        seen.spec = plan::as_seen_at_station(&seen.spec, node, &station.flows());
        // The entries of the scenario cover the flows of all stations.
        seen.entries.clear();
        session::record(&seen, outcome, Frames::Station)
    }

    fn prepare(&self) -> Result<Prepared, Failure> {
        session::runnable(self.settings.prepare(&self.scenario)?.1)
    }

    fn plan(&self, prepared: &Prepared, node: NodeId, address: MacAddress) -> Result<StationPlan, Failure> {
        plan::station(&prepared.spec, node, address, self.options.of(prepared))
            .map_err(|error| Failure::Usage(error.to_string()))
    }

    /// Runs the station until its end. Returns the time between two samples.
    fn run(
        self: &Arc<Self>,
        prepared: &Prepared,
        (node, address): (NodeId, MacAddress),
        driver: &mut Driver,
        station: &mut live::Station,
    ) -> Result<TimeDelta, Failure> {
        let mut session = Session::new(prepared, self.duration);
        let (mut shown, mut before) = (Time::ZERO, Vec::new());
        let command = self.clone();
        let mut reload = Reload::new(move || command.plan(&command.prepare()?, node, address));
        while let Some(next) = session.next(driver, station)? {
            if next == Next::Show && !self.quiet {
                let (now, flows) = (driver.now(), station.flows());
                print_line(&table::station(now, &flows, &before, now - shown));
                (shown, before) = (now, flows.iter().map(|flow| flow.sent).collect());
            }
            if let Some(plan) = reload.poll() {
                station.reconfigure(driver.now(), plan);
                print_line("the scenario was read again");
            }
        }
        Ok(session.samples.interval())
    }
}
