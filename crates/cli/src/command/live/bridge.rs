//! `setpoint live bridge`: the bridge of a scenario on network interfaces.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use setpoint_lab::store::{Destination, REPORT};
use setpoint_live::bridge as live;
use setpoint_live::drive::{Driver, Port};
use setpoint_live::plan;
use setpoint_live::sys::{Clock, PacketSocket, Urgency, make_urgent};
use setpoint_record::results::Frames;
use setpoint_scenario::Prepared;
use setpoint_sim::NodeId;
use setpoint_sim::topology::NodeKind;
use setpoint_units::TimeDelta;
use setpoint_wire::MacAddress;

use super::options::LiveOptions;
use super::reload::Reload;
use super::session::{self, Next, Session};
use super::table;
use crate::failure::{Failure, print_error, print_line};
use crate::interrupt;
use crate::scenario::Settings;

/// Run a bridge of a scenario on network interfaces
///
/// A learning bridge with output queues that are drained at the rates of the scenario's links, a congestion point in
/// every queue, and PAUSE or PFC towards the neighbours. Ends on Ctrl-C or SIGTERM, and then writes a result like that of a
/// simulation; SIGHUP reads the scenario again. Needs CAP_NET_RAW and CAP_NET_ADMIN:
/// `sudo setcap cap_net_raw,cap_net_admin+ep $(command -v setpoint)`.
#[derive(Debug, Args)]
pub(crate) struct Bridge {
    /// A scenario file, or the name of a built-in scenario
    #[arg(value_name = "FILE|NAME")]
    scenario: PathBuf,

    #[command(flatten)]
    settings: Settings,

    /// The bridge of the scenario to run [default: the only one]
    #[arg(long = "as", value_name = "NODE")]
    node: Option<String>,

    /// The interface that leads to a neighbour, as in `--port h1=eth1`; one for each link of the bridge
    #[arg(long = "port", value_name = "NODE=INTERFACE", required = true)]
    ports: Vec<String>,

    /// End after this time [default: on Ctrl-C or SIGTERM]
    #[arg(long = "for", value_name = "TIME")]
    duration: Option<TimeDelta>,

    /// Folder for the result [default: results/NAME-bridge]
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,

    #[command(flatten)]
    options: LiveOptions,

    /// Print only errors
    #[arg(long, short)]
    quiet: bool,
}

impl Bridge {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        Arc::new(self).bridge()
    }

    fn bridge(self: &Arc<Self>) -> Result<(), Failure> {
        let prepared = self.prepare()?;
        let node = self.node(&prepared)?;
        let interfaces = self.interfaces(&prepared, node)?;
        let folder = self.out.clone().unwrap_or_else(|| self.settings.folder(&prepared.name, "-bridge"));
        let place = Destination::open(&folder)?;
        let sockets: Result<Vec<_>, _> = interfaces.iter().map(|name| PacketSocket::open(name)).collect();
        let sockets = sockets.map_err(session::refused)?;
        let indices: Vec<Option<u32>> = sockets.iter().map(PacketSocket::index).collect();
        refuse_shared(&neighbours(&prepared, node), &interfaces, &indices)?;
        let addresses: Vec<MacAddress> = sockets.iter().map(PacketSocket::address).collect();
        let (plan, numbers) = self.plan(&prepared, node, &addresses)?;
        let mut bridge = live::Bridge::new(plan);
        interrupt::serve();
        let ports = sockets.into_iter().map(Box::new).map(Port::Link).collect();
        let mut driver = Driver::new(Clock::start(), ports)?;
        make_urgent(Urgency::Hub);
        if !self.quiet {
            print_line(&format!("{} bridges {}; Ctrl-C stops it", prepared.name, interfaces.join(", ")));
        }
        let interval = self.run(&prepared, (node, &addresses), &mut driver, &mut bridge)?;
        let outcome = bridge.outcome(driver.now(), interval, &numbers);
        let record = session::record(&session::lasting(&prepared, &outcome), outcome, Frames::Bridge);
        session::store(&record, place)?;
        if self.quiet { Ok(()) } else { session::print_page(&folder.join(REPORT)) }
    }

    fn prepare(&self) -> Result<Prepared, Failure> {
        session::runnable(self.settings.prepare(&self.scenario)?.1)
    }

    fn plan(
        &self,
        prepared: &Prepared,
        node: NodeId,
        addresses: &[MacAddress],
    ) -> Result<(live::BridgePlan, live::Numbers), Failure> {
        plan::bridge(&prepared.spec, node, addresses, self.options.of(prepared))
            .map_err(|error| Failure::Usage(error.to_string()))
    }

    /// The bridge to run.
    fn node(&self, prepared: &Prepared) -> Result<NodeId, Failure> {
        if let Some(name) = &self.node {
            return session::node_of_kind(prepared, name, NodeKind::Bridge);
        }
        let nodes = prepared.spec.topology.nodes().iter().enumerate();
        let bridges: Vec<_> = nodes.filter(|(_, node)| node.kind == NodeKind::Bridge).collect();
        match &bridges[..] {
            [(index, _)] => Ok(NodeId(*index as u32)),
            several => {
                let names: Vec<&str> = several.iter().map(|(_, node)| node.name.as_str()).collect();
                Err(Failure::Usage(format!("choose one of the bridges with `--as`: {}", names.join(", "))))
            }
        }
    }

    /// The interfaces of the bridge's ports, in the order of the ports.
    fn interfaces(&self, prepared: &Prepared, node: NodeId) -> Result<Vec<String>, Failure> {
        let topology = &prepared.spec.topology;
        let mut given = Vec::new();
        for text in &self.ports {
            let Some((name, interface)) = text.split_once('=') else {
                return Err(Failure::Usage(format!("{text:?} is not a port; write it as `--port h1=eth1`")));
            };
            given.push((session::node(prepared, name)?, interface.to_owned()));
        }
        let ports = plan::ports_of(&prepared.spec, node);
        let mut interfaces = Vec::new();
        for port in ports {
            let neighbour = topology.target(port);
            match given.iter().position(|(node, _)| *node == neighbour) {
                Some(index) => interfaces.push(given.swap_remove(index).1),
                None => {
                    let name = &topology.node_at(neighbour).name;
                    return Err(Failure::Usage(format!(
                        "there is no interface for the link to {name}; add `--port {name}=INTERFACE`"
                    )));
                }
            }
        }
        match given.first() {
            None => {
                refuse_shared(&neighbours(prepared, node), &interfaces, &interfaces)?;
                Ok(interfaces)
            }
            Some((node, _)) => {
                let name = &topology.node_at(*node).name;
                Err(Failure::Usage(format!("the bridge has no further link to {name}")))
            }
        }
    }

    /// Runs the bridge until its end. Returns the time between two samples.
    fn run(
        self: &Arc<Self>,
        prepared: &Prepared,
        (node, addresses): (NodeId, &[MacAddress]),
        driver: &mut Driver,
        bridge: &mut live::Bridge,
    ) -> Result<TimeDelta, Failure> {
        let mut session = Session::new(prepared, self.duration);
        let (command, known) = (self.clone(), addresses.to_vec());
        let mut reload = Reload::new(move || Ok(command.plan(&command.prepare()?, node, &known)?.0));
        while let Some(next) = session.next(driver, bridge)? {
            if next == Next::Show && !self.quiet {
                print_line(&table::bridge(&bridge.look(driver.now())));
            }
            match reload.poll() {
                Some(plan) if plan.ports.len() == addresses.len() => {
                    bridge.reconfigure(plan);
                    print_line("the scenario was read again");
                }
                Some(_) => print_error("the new scenario has different links; the old one remains in effect"),
                None => {}
            }
        }
        Ok(session.samples.interval())
    }
}

/// The neighbours to which the links of a node lead.
fn neighbours(prepared: &Prepared, node: NodeId) -> Vec<&str> {
    let topology = &prepared.spec.topology;
    let name = |port| topology.node_at(topology.target(port)).name.as_str();
    plan::ports_of(&prepared.spec, node).into_iter().map(name).collect()
}

/// Refuses an interface that is used for several links: a frame that the bridge floods would come back on each of them
/// and multiply. Interfaces are compared by name and by index, since an interface may have several names.
fn refuse_shared<T: PartialEq>(links: &[&str], interfaces: &[String], known: &[T]) -> Result<(), Failure> {
    for (later, identity) in known.iter().enumerate() {
        if let Some(earlier) = known[..later].iter().position(|other| other == identity) {
            let (one, other) = (&interfaces[earlier], &interfaces[later]);
            let same = if one == other {
                String::new()
            } else {
                format!(" and {other} are the same interface, which")
            };
            let message = format!(
                "{one}{same} is given for the links to {} and {}; each link needs its own interface",
                links[earlier], links[later]
            );
            return Err(Failure::Usage(message));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interface_with_two_names_is_one_interface() {
        let interfaces = ["eth1", "eth2", "enp3s0"].map(str::to_owned);
        let refused = |known: &[u32]| match refuse_shared(&["h1", "h2", "h3"], &interfaces, known) {
            Err(Failure::Usage(message)) => message,
            other => format!("{other:?}"),
        };
        assert_eq!(refused(&[4, 5, 6]), "Ok(())");
        assert_eq!(
            refused(&[4, 5, 4]),
            "eth1 and enp3s0 are the same interface, which is given for the links to h1 and h3; each link needs its own interface"
        );
    }
}
