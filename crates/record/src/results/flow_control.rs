//! Link flow control: thresholds, and the configured, required and used headroom.

use std::collections::BTreeMap;

use setpoint_scenario::{PortNames, named_together};
use setpoint_sim::{
    FlowControl, HeadroomParts, LinkBudget, LinkOutcome, NodeId, PauseResponse, Priority, Spec, Topology,
    link_budgets,
};
use setpoint_units::Bytes;

use super::keyed::keyed;

keyed! {
    /// PAUSE or PFC, and the links that it protects.
    #[derive(Clone, Debug, PartialEq)]
    pub struct FlowControlSummary {
        /// `pause` or `pfc`.
        pub kind: String,
        /// One entry per link that carries flow-controlled frames to a bridge. Thresholds and headroom apply to each
        /// priority under PFC, and to the whole link under PAUSE.
        pub links: Vec<LinkSummary>,
        /// One entry per bridge to which such a link leads.
        #[serde(default)]
        pub bridges: Vec<BridgeSummary>,
        /// Keys of delays that the scenario leaves at zero, so that the required headroom does not cover them.
        #[serde(default)]
        pub left_out: Vec<String>,
    }
}

keyed! {
    /// The buffer that one bridge reserves for frames under flow control.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct BridgeSummary {
        /// The bridge.
        pub name: String,
        /// Number of links under flow control that lead to it.
        pub links: usize,
        /// Sum of thresholds and headroom over these links, for every protected priority under PFC.
        pub buffer_bytes: u64 = Bytes,
    }
}

keyed! {
    /// One link under flow control.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct LinkSummary {
        /// The port that sends on it, `from->to`.
        pub port: String,
        /// The protected priorities of its flows.
        pub priorities: Vec<u8>,
        /// Threshold above which the bridge pauses the sender. In a bridge with a shared buffer, the reserve of the input, above which
        /// the threshold depends on the free space.
        pub xoff_bytes: u64 = Bytes,
        /// Room above the threshold; in a bridge with input buffers, the rest of the buffer.
        pub headroom_given_bytes: u64 = Bytes,
        /// The room that suffices in the worst case, for the delays that the scenario sets: see
        /// [flow-control.md](flow-control.md).
        pub headroom_needed_bytes: u64 = Bytes,
        /// The required room, itemised; `lapses_bytes` is the rest.
        #[serde(default)]
        pub headroom_parts: HeadroomPartsSummary,
        /// Largest amount of data that the input held above the threshold; whole run.
        pub headroom_used_bytes: u64 = Bytes,
        /// The part of the required room that covers arrivals between pauses that expire before they are
        /// renewed. Omitted if every pause is renewed in time.
        #[serde(default, skip_serializing_if = "is_zero")]
        pub lapses_bytes: u64 = Bytes,
        /// Buffer that the bridge reserves for the link: threshold and headroom, for every protected priority under
        /// PFC.
        pub buffer_bytes: u64 = Bytes,
    }
}

keyed! {
    /// The required room of a link, by cause.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct HeadroomPartsSummary {
        /// The frame that crosses the threshold.
        pub crossing_bytes: u64 = Bytes,
        /// Arrivals while the pause frame waits for the longest frame on the return link.
        pub waiting_bytes: u64 = Bytes,
        /// Arrivals while the pause frame is transmitted.
        pub pause_frame_bytes: u64 = Bytes,
        /// Arrivals during the propagation delay of the cable, both ways.
        pub propagation_bytes: u64 = Bytes,
        /// Arrivals during the delay of MAC and PHY, both ways (`network.interface_delay`).
        pub interface_bytes: u64 = Bytes,
        /// Arrivals until the sender obeys the pause (`response_time`).
        pub response_bytes: u64 = Bytes,
        /// The frame that the sender has just begun when the pause takes effect.
        pub begun_bytes: u64 = Bytes,
    }
}

impl HeadroomPartsSummary {
    fn new(parts: &HeadroomParts) -> Self {
        Self {
            crossing_bytes: parts.crossing.get(),
            waiting_bytes: parts.waiting.get(),
            pause_frame_bytes: parts.pause_frame.get(),
            propagation_bytes: parts.propagation.get(),
            interface_bytes: parts.interface.get(),
            response_bytes: parts.response.get(),
            begun_bytes: parts.begun.get(),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn is_zero(value: &u64) -> bool {
    *value == 0
}

impl LinkSummary {
    fn new(names: &PortNames, budget: &LinkBudget, used: Bytes) -> Self {
        let all = (0..Priority::COUNT as u8).filter_map(Priority::new);
        Self {
            port: names.of(budget.port).to_owned(),
            priorities: all
                .filter(|&priority| budget.priorities.contains(priority))
                .map(Priority::get)
                .collect(),
            xoff_bytes: budget.threshold.get(),
            headroom_given_bytes: budget.given.get(),
            headroom_needed_bytes: budget.needed.total().get(),
            headroom_parts: HeadroomPartsSummary::new(&budget.needed),
            headroom_used_bytes: used.get(),
            lapses_bytes: budget.needed.lapses.get(),
            buffer_bytes: budget.buffer().get(),
        }
    }

    /// The share of the configured headroom that was used.
    pub fn used_share(&self) -> f64 {
        if self.headroom_given_bytes == 0 {
            return 0.0;
        }
        self.headroom_used_bytes as f64 / self.headroom_given_bytes as f64
    }

    /// The parts of the required headroom that are not zero, each with its cause in a few words.
    pub fn items(&self) -> Vec<(&'static str, u64)> {
        let parts = &self.headroom_parts;
        let all = HeadroomParts {
            crossing: Bytes::new(parts.crossing_bytes),
            waiting: Bytes::new(parts.waiting_bytes),
            pause_frame: Bytes::new(parts.pause_frame_bytes),
            propagation: Bytes::new(parts.propagation_bytes),
            interface: Bytes::new(parts.interface_bytes),
            response: Bytes::new(parts.response_bytes),
            begun: Bytes::new(parts.begun_bytes),
            lapses: Bytes::new(self.lapses_bytes),
        };
        all.named().into_iter().map(|(name, part)| (name, part.get())).filter(|(_, part)| *part > 0).collect()
    }

    fn is_like(&self, other: &Self) -> bool {
        let figures = |link: &Self| {
            (link.xoff_bytes, link.headroom_given_bytes, link.headroom_needed_bytes, link.buffer_bytes)
        };
        figures(self) == figures(other) && self.headroom_parts == other.headroom_parts
    }
}

/// Links with equal thresholds and headroom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkGroup<'a> {
    /// A short description of the links.
    pub name: String,
    /// Number of links.
    pub count: usize,
    /// The link that used the largest share of its headroom, the first in case of a tie.
    pub link: &'a LinkSummary,
}

impl FlowControlSummary {
    /// The thresholds and headroom that the links of a spec have before the run; none without flow control.
    pub fn planned(spec: &Spec) -> Option<Self> {
        let budgets = link_budgets(spec).ok()?;
        let unused = |budget| LinkOutcome { budget, used: Bytes::ZERO };
        Self::of(
            spec,
            &PortNames::of_all(&spec.topology),
            &budgets.into_iter().map(unused).collect::<Vec<_>>(),
        )
    }

    /// The headroom that links had, and how much they used.
    pub(crate) fn of(spec: &Spec, names: &PortNames, links: &[LinkOutcome]) -> Option<Self> {
        let kind = match spec.flow_control {
            FlowControl::None => return None,
            FlowControl::Pause(_) => "pause",
            FlowControl::Pfc(..) => "pfc",
        };
        let (bridges, left_out) = (bridges(&spec.topology, links), left_out(spec, kind));
        let links = links.iter().map(|link| LinkSummary::new(names, &link.budget, link.used)).collect();
        Some(Self { kind: kind.to_owned(), links, bridges, left_out })
    }

    /// The delays that the required headroom leaves out, in words; none if it covers them all.
    pub fn left_out_text(&self) -> Option<String> {
        let words = |key: &String| {
            let what = if key.ends_with("response_time") {
                "the response time of senders"
            } else {
                "the delay of MAC and PHY"
            };
            format!("{what} ({key})")
        };
        let texts: Vec<String> = self.left_out.iter().map(words).collect();
        (!texts.is_empty()).then(|| texts.join(" and "))
    }

    /// The bridge that reserves the most buffer, the first in case of a tie.
    pub fn largest_bridge(&self) -> Option<&BridgeSummary> {
        self.bridges.iter().rev().max_by_key(|bridge| bridge.buffer_bytes)
    }

    /// The link that used the largest share of its headroom, the first in case of a tie; none if there
    /// are no links.
    pub fn most_used(&self) -> Option<&LinkSummary> {
        self.links.iter().rev().max_by(|a, b| a.used_share().total_cmp(&b.used_share()))
    }

    /// Groups of links with equal figures, in the order of their first link.
    pub fn groups(&self) -> Vec<LinkGroup<'_>> {
        let mut groups: Vec<Vec<&LinkSummary>> = Vec::new();
        for link in &self.links {
            match groups.iter_mut().find(|group| group[0].is_like(link)) {
                Some(group) => group.push(link),
                None => groups.push(vec![link]),
            }
        }
        groups.iter().filter_map(|links| LinkGroup::of(links)).collect()
    }
}

/// The keys of delays that are zero.
fn left_out(spec: &Spec, kind: &str) -> Vec<String> {
    let at_once =
        spec.flow_control.params().is_some_and(|params| params.response == PauseResponse::IMMEDIATE);
    let no_interface = spec.topology.links().iter().all(|link| link.interface.is_zero());
    let response = at_once.then(|| format!("flow_control.{kind}.response_time"));
    let interface = no_interface.then(|| "network.interface_delay".to_owned());
    response.into_iter().chain(interface).collect()
}

/// The buffer that each bridge reserves, in the order of the bridges.
fn bridges(topology: &Topology, links: &[LinkOutcome]) -> Vec<BridgeSummary> {
    let mut sums: BTreeMap<NodeId, (usize, u64)> = BTreeMap::new();
    for link in links {
        let (count, sum) = sums.entry(topology.target(link.budget.port)).or_default();
        *count += 1;
        *sum = sum.saturating_add(link.budget.buffer().get());
    }
    let bridge = |(node, (links, buffer_bytes)): (NodeId, (usize, u64))| BridgeSummary {
        name: topology.node_at(node).name.clone(),
        links,
        buffer_bytes,
    };
    sums.into_iter().map(bridge).collect()
}

impl<'a> LinkGroup<'a> {
    fn of(links: &[&'a LinkSummary]) -> Option<Self> {
        let link = links.iter().rev().max_by_key(|link| link.headroom_used_bytes).copied()?;
        let names: Vec<String> = links.iter().map(|link| link.port.clone()).collect();
        Some(Self { name: named_together(&names), count: links.len(), link })
    }
}
