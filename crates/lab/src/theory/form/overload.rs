//! Finds the ports that can be overloaded.

use std::collections::{BTreeMap, BTreeSet};

use setpoint_sim::topology::NodeKind;
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{PortId, Spec};
use setpoint_units::{Bytes, Rate, Time};

use super::{Network, Passing};

/// Maximum loads at bridge ports.
///
/// A port receives at most the rate of each upstream port, so a link behind a bottleneck of the same rate does not
/// count as another bottleneck. Rates include the overhead on the wire.
pub(super) struct Loads<'a> {
    network: &'a Network<'a>,
    /// The flows at each bridge port.
    at: BTreeMap<PortId, Vec<Passing>>,
    /// Times at which flows start or rates change; loads cannot grow at other times.
    instants: Vec<Time>,
}

/// The time of a load.
#[derive(Clone, Copy)]
enum When {
    /// At an instant.
    At(Time),
    /// All flows at once, with the fastest upstream links: never less than at any instant.
    Ever,
}

impl<'a> Loads<'a> {
    pub(super) fn new(network: &'a Network<'a>) -> Self {
        let topology = &network.spec.topology;
        let mut at: BTreeMap<PortId, Vec<Passing>> = BTreeMap::new();
        let mut instants = BTreeSet::from([Time::ZERO]);
        for (flow, path) in network.paths.iter().enumerate().filter(|(flow, _)| network.is_ever_on(*flow)) {
            for (place, &port) in path.iter().enumerate() {
                if topology.node_at(topology.source(port)).kind == NodeKind::Bridge {
                    at.entry(port).or_default().push(Passing { flow, place });
                }
            }
            instants.extend(network.activity.spans(flow).iter().map(|span| span.0));
        }
        instants.extend(network.rate_changes().map(|(time, _, _)| time));
        let end = Time::ZERO + network.spec.duration;
        Self { network, at, instants: instants.into_iter().filter(|instant| *instant < end).collect() }
    }

    /// The ports that can receive more than they send at some time.
    pub(super) fn overloaded(&self) -> Vec<PortId> {
        let exceeds = |port: PortId, when| {
            let (offered, rate) = self.load(port, when);
            offered > rate
        };
        let overloaded = |port: &PortId| {
            let ever = self.instants.len() == 1 || exceeds(*port, When::Ever);
            ever && self.instants.iter().any(|&instant| exceeds(*port, When::At(instant)))
        };
        self.at.keys().copied().filter(overloaded).collect()
    }

    /// The port with controlled flows that is closest to overload, its maximum load and its rate.
    pub(super) fn nearest(&self) -> Option<(PortId, Rate, Rate)> {
        let is_controlled =
            |members: &[Passing]| members.iter().any(|member| self.network.is_controlled(member.flow));
        let ports = self.at.iter().filter(|(_, members)| is_controlled(members)).map(|(&port, _)| port);
        let loads = ports.flat_map(|port| {
            let load = move |&instant: &Time| {
                let (offered, rate) = self.load(port, When::At(instant));
                (port, offered, rate)
            };
            self.instants.iter().map(load)
        });
        let nearest = loads.max_by(|first, second| {
            let (one, other) = (first.1 * second.2, second.1 * first.2);
            one.cmp(&other).then(second.0.cmp(&first.0))
        });
        let rate = |bits: u128| Rate::new(u64::try_from(bits).unwrap_or(u64::MAX));
        nearest.and_then(|(port, offered, sent)| Some((port, rate(offered)?, rate(sent)?)))
    }

    /// Maximum load and rate of a port.
    fn load(&self, port: PortId, when: When) -> (u128, u128) {
        let arriving = self.arriving(&self.at[&port], when);
        let rate = match when {
            When::At(instant) => self.rate_at(port, instant),
            When::Ever => self.rates(port).min().unwrap_or_default(),
        };
        (arriving, rate)
    }

    /// Maximum arrival rate of flows; flows from the same upstream port share its rate.
    fn arriving(&self, members: &[Passing], when: When) -> u128 {
        let mut by_port: BTreeMap<PortId, Vec<Passing>> = BTreeMap::new();
        let mut arriving = 0;
        for member in members {
            match member.place.checked_sub(1) {
                Some(place) => by_port
                    .entry(self.network.paths[member.flow][place])
                    .or_default()
                    .push(Passing { place, ..*member }),
                None => arriving += self.offered(member.flow, when),
            }
        }
        for (port, members) in by_port {
            let rate = match when {
                When::At(instant) => self.rate_at(port, instant),
                When::Ever => self.rates(port).max().unwrap_or_default(),
            };
            arriving += self.arriving(&members, when).min(rate);
        }
        arriving
    }

    fn offered(&self, flow: usize, when: When) -> u128 {
        let on = match when {
            When::At(instant) => {
                self.network.activity.spans(flow).iter().any(|span| (span.0..span.1).contains(&instant))
            }
            When::Ever => true,
        };
        let line = match when {
            When::At(instant) => self.rate_at(self.network.paths[flow][0], instant),
            When::Ever => self.rates(self.network.paths[flow][0]).max().unwrap_or_default(),
        };
        if on { line.min(u128::from(most(self.network.spec, flow).bits_per_second())) } else { 0 }
    }

    fn rates(&self, port: PortId) -> impl Iterator<Item = u128> {
        let first = self.network.spec.topology.link_at(port.link()).rate;
        let later = self.network.rate_changes().filter(move |change| change.1 == port).map(|change| change.2);
        std::iter::once(first).chain(later).map(|rate| u128::from(rate.bits_per_second()))
    }

    fn rate_at(&self, port: PortId, instant: Time) -> u128 {
        let first = self.network.spec.topology.link_at(port.link()).rate;
        let changes = self.network.rate_changes().filter(|change| change.1 == port && change.0 <= instant);
        // If changes have equal times, the last in the spec applies.
        let rate = changes
            .fold((Time::ZERO, first), |last, (at, _, rate)| if at >= last.0 { (at, rate) } else { last });
        u128::from(rate.1.bits_per_second())
    }
}

/// Maximum rate of a flow on the wire: limited by its port, its cap and its traffic.
pub(super) fn most(spec: &Spec, flow: usize) -> Rate {
    let flow = &spec.flows[flow];
    let offered = match flow.traffic {
        Traffic::Constant { rate } => Some(on_the_wire(rate, flow.frame, spec.overhead)),
        _ => None,
    };
    [flow.cap, offered].into_iter().flatten().fold(Rate::from_bits_per_second(u64::MAX), Rate::min)
}

/// A rate of frames, including their overhead on the wire.
fn on_the_wire(rate: Rate, frame: Bytes, overhead: Bytes) -> Rate {
    let (frame, whole) = (u128::from(frame.get()).max(1), u128::from((frame + overhead).get()));
    let bits = u128::from(rate.bits_per_second()) * whole / frame;
    Rate::new(u64::try_from(bits).unwrap_or(u64::MAX)).unwrap_or(rate)
}
