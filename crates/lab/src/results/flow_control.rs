//! Link flow control: thresholds, and the configured, required and used headroom.

use setpoint_sim::{FlowControl, LinkBudget, LinkOutcome, Priority, Spec, link_budgets};
use setpoint_units::Bytes;

use super::keyed::keyed;
use crate::port_names::PortNames;
use crate::scenario::named_together;

keyed! {
    /// PAUSE or PFC, and the links that it protects.
    #[derive(Clone, Debug, PartialEq)]
    pub struct FlowControlSummary {
        /// `pause` or `pfc`.
        pub kind: String,
        /// One entry per link that carries flow-controlled frames to a bridge. Thresholds and headroom apply to each
        /// priority under PFC, and to the whole link under PAUSE.
        pub links: Vec<LinkSummary>,
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
        /// Threshold above which the bridge pauses the sender.
        pub xoff_bytes: u64 = Bytes,
        /// Room above the threshold; in a bridge with input buffers, the rest of the buffer.
        pub headroom_given_bytes: u64 = Bytes,
        /// The room that suffices in the worst case: see [flow-control.md](flow-control.md).
        pub headroom_needed_bytes: u64 = Bytes,
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
            headroom_used_bytes: used.get(),
            lapses_bytes: budget.needed.lapses.get(),
            buffer_bytes: budget.buffer().get(),
        }
    }

    /// The share of the configured headroom that was used.
    #[must_use]
    pub fn used_share(&self) -> f64 {
        if self.headroom_given_bytes == 0 {
            return 0.0;
        }
        self.headroom_used_bytes as f64 / self.headroom_given_bytes as f64
    }

    fn is_like(&self, other: &Self) -> bool {
        let figures = |link: &Self| {
            (link.xoff_bytes, link.headroom_given_bytes, link.headroom_needed_bytes, link.buffer_bytes)
        };
        figures(self) == figures(other)
    }
}

/// Links with equal thresholds and headroom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkGroup<'a> {
    /// Their names in a few words.
    pub name: String,
    /// Number of links.
    pub count: usize,
    /// The link that used the largest share of its headroom, the first in case of a tie.
    pub link: &'a LinkSummary,
}

impl FlowControlSummary {
    /// The thresholds and headroom that the links of a spec have before the run; none without flow control.
    #[must_use]
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
        let links = links.iter().map(|link| LinkSummary::new(names, &link.budget, link.used)).collect();
        Some(Self { kind: kind.to_owned(), links })
    }

    /// The link that used the largest share of its headroom, the first in case of a tie; none if there
    /// are no links.
    #[must_use]
    pub fn most_used(&self) -> Option<&LinkSummary> {
        self.links.iter().rev().max_by(|a, b| a.used_share().total_cmp(&b.used_share()))
    }

    /// Groups of links with equal figures, in the order of their first link.
    #[must_use]
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

impl<'a> LinkGroup<'a> {
    fn of(links: &[&'a LinkSummary]) -> Option<Self> {
        let link = links.iter().rev().max_by_key(|link| link.headroom_used_bytes).copied()?;
        let names: Vec<String> = links.iter().map(|link| link.port.clone()).collect();
        Some(Self { name: named_together(&names), count: links.len(), link })
    }
}
