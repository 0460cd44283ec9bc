//! Flow control of links as it is stored: thresholds, headroom that was given, is needed and was used.

use serde::{Deserialize, Serialize};
use setpoint_sim::{FlowControl, LinkBudget, LinkOutcome, Priority, Spec, link_budgets};
use setpoint_units::Bytes;

use crate::metrics::PortNames;
use crate::scenario::named_together;

/// PAUSE or PFC, and the links that it protects.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FlowControlSummary {
    /// `pause` or `pfc`.
    pub kind: String,
    /// One per link that brings frames under flow control to a bridge.
    pub links: Vec<LinkSummary>,
}

/// One link under flow control. Thresholds and headroom are those of one priority under PFC, of the link under PAUSE.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkSummary {
    /// The port that sends on it, `from->to`.
    pub port: String,
    /// The priorities of its flows that are protected.
    pub priorities: Vec<u8>,
    /// The threshold above which the bridge pauses the sender.
    pub xoff_bytes: u64,
    /// Room above the threshold.
    pub headroom_given_bytes: u64,
    /// The room that is certain to suffice.
    pub headroom_needed_bytes: u64,
    /// The most that was used of it, in the whole run.
    pub headroom_used_bytes: u64,
    /// What of the needed room is for arrivals between pauses that run out before they are renewed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lapses_bytes: u64,
    /// The buffer that the bridge sets aside for the link: thresholds and headroom of all its priorities.
    pub buffer_bytes: u64,
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

    /// The share of the given headroom that was used.
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
    /// How many there are.
    pub count: usize,
    /// The one that used the most of its headroom, the first of equals.
    pub link: &'a LinkSummary,
}

impl FlowControlSummary {
    /// What a spec will give its links; none where nothing is under flow control.
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

    /// What links were given and used.
    pub(crate) fn of(spec: &Spec, names: &PortNames, links: &[LinkOutcome]) -> Option<Self> {
        let kind = match spec.flow_control {
            FlowControl::None => return None,
            FlowControl::Pause(_) => "pause",
            FlowControl::Pfc(..) => "pfc",
        };
        let links = links.iter().map(|link| LinkSummary::new(names, &link.budget, link.used)).collect();
        Some(Self { kind: kind.to_owned(), links })
    }

    /// The link that used the largest share of its headroom, the first of equals; none without links.
    #[must_use]
    pub fn most_used(&self) -> Option<&LinkSummary> {
        self.links.iter().rev().max_by(|a, b| a.used_share().total_cmp(&b.used_share()))
    }

    /// Links with equal figures together, in the order of their first.
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
