//! Fat trees of two or three tiers, wired as in htsim.

use setpoint_units::{Rate, TimeDelta};

use crate::import::network::{Network, Uplinks};

/// A fat tree.
#[derive(Debug)]
pub(super) struct FatTree {
    pub(super) hosts: u64,
    /// Hosts in a pod.
    pub(super) pod: u64,
    /// The tiers: TOR, AGG and, with three tiers, CORE.
    pub(super) tiers: Vec<Tier>,
}

/// The switches of a tier and the links below them.
#[derive(Clone, Debug)]
pub(super) struct Tier {
    pub(super) rate: Rate,
    pub(super) delay: TimeDelta,
    /// The delay of a switch.
    pub(super) switch_delay: TimeDelta,
    /// Ports down and up.
    pub(super) down: u64,
    pub(super) up: u64,
    /// Parallel links between a switch and a switch of the tier below.
    pub(super) bundle: u64,
}

impl FatTree {
    /// The number of switches of each tier; the radices must fit together.
    pub(super) fn counts(&self) -> Vec<u64> {
        let mut counts = vec![self.hosts / self.tiers[0].down];
        for pair in self.tiers.windows(2) {
            counts.push(counts[counts.len() - 1] * pair[0].up / pair[1].down);
        }
        counts
    }

    /// The number of links.
    pub(super) fn links(&self) -> u64 {
        let uplinks =
            self.counts().into_iter().zip(&self.tiers).map(|(count, tier)| count.saturating_mul(tier.up));
        uplinks.fold(self.hosts, u64::saturating_add)
    }

    /// The network. A switch delays each frame; half of its delay is added to each of its links, so that every path has the same
    /// delay as in htsim.
    pub(super) fn network(&self) -> Network {
        let mut network = Network::default();
        let counts = self.counts();
        let names = ["tor", "agg", "core"];
        let switches: Vec<Vec<String>> = counts
            .iter()
            .zip(names)
            .map(|(count, name)| (0..*count).map(|index| format!("{name}{index}")).collect())
            .collect();
        for name in switches.iter().flatten() {
            network.bridge(name.clone());
        }
        for host in 0..self.hosts {
            let station = network.station(host);
            let tor = &switches[0][(host / self.tiers[0].down) as usize];
            self.connect(&mut network, &station, tor, 0);
        }
        let pods = self.hosts / self.pod;
        let (tors, aggs) = (counts[0] / pods, counts[1] / pods);
        for tor in 0..counts[0] {
            // With two tiers, each switch is connected to all those above.
            let above =
                if self.tiers.len() == 2 { 0..counts[1] } else { tor / tors * aggs..(tor / tors + 1) * aggs };
            for agg in above {
                self.connect(&mut network, &switches[0][tor as usize], &switches[1][agg as usize], 1);
            }
        }
        if self.tiers.len() == 3 {
            network.uplinks = self.cores(&mut network, &switches, aggs);
        }
        network
    }

    /// Links from AGG switches to CORE switches: switches at the same position in their pods share their cores.
    fn cores(&self, network: &mut Network, switches: &[Vec<String>], aggs: u64) -> Uplinks {
        let mut uplinks = Vec::new();
        for (agg, name) in (0..).zip(&switches[1]) {
            let mut own = Vec::new();
            for link in 0..self.tiers[1].up / self.tiers[2].bundle {
                own.push(network.links.len());
                let core = agg % aggs + aggs * link;
                self.connect(network, name, &switches[2][core as usize], 2);
            }
            uplinks.push(own);
        }
        Uplinks(uplinks)
    }

    /// Connects a switch of a tier to a node below it.
    fn connect(&self, network: &mut Network, below: &str, above: &str, tier: usize) {
        let Tier { rate, delay, switch_delay, bundle, .. } = &self.tiers[tier];
        let lower = tier.checked_sub(1).map_or(TimeDelta::ZERO, |lower| self.tiers[lower].switch_delay);
        for _ in 0..*bundle {
            network.connect(below, above, *rate, *delay + *switch_delay / 2 + lower / 2);
        }
    }
}
