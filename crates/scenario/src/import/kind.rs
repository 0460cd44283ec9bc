//! Recognises a file by its content.

use std::sync::Arc;

use super::words::Words;
use crate::diagnostics::{Place, Problem};
use crate::source::Source;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    HpccTopology,
    HpccFlows,
    HpccTrace,
    HtsimConnections,
    HtsimTopology,
    Goal,
}

impl Kind {
    /// Recognises a file.
    pub(super) fn of(source: &Arc<Source>) -> Result<Self, Problem> {
        let mut words = Words::of(source);
        let first = words.next().map_or("", |word| word.text);
        let has_word = |wanted: &[&str]| {
            let is_wanted = |line: &str| {
                let first = line.split_whitespace().next().unwrap_or_default();
                wanted.iter().any(|wanted| first.eq_ignore_ascii_case(wanted))
            };
            source.text.lines().take(1_000).any(is_wanted)
        };
        if first.parse::<u64>().is_ok() {
            return Self::of_hpcc(source);
        }
        if has_word(&["num_ranks", "rank"]) {
            return Ok(Self::Goal);
        }
        if has_word(&["connections"]) {
            return Ok(Self::HtsimConnections);
        }
        if has_word(&["tiers", "podsize", "tier"]) {
            return Ok(Self::HtsimTopology);
        }
        Err(Problem::at(&Place::whole(source), "this file has no known format", "")
            .help(
                "the formats are HPCC's topology.txt, flow.txt and trace.txt, htsim's connection matrices (.cm) and topologies \
                 (.topo), and GOAL as text",
            ))
    }

    /// HPCC's files are lists of numbers, which differ in the first two lines.
    fn of_hpcc(source: &Arc<Source>) -> Result<Self, Problem> {
        let count = |line: &str| line.split_whitespace().count();
        let mut lines = source.text.lines().map(count).filter(|count| *count > 0);
        match (lines.next(), lines.next()) {
            (Some(3), _) => Ok(Self::HpccTopology),
            (Some(1), Some(6)) => Ok(Self::HpccFlows),
            (Some(1), _) if source.text.split_whitespace().next() == Some("0") => Ok(Self::HpccFlows),
            (Some(1), Some(_)) => Ok(Self::HpccTrace),
            _ => Err(Problem::at(
                &Place::whole(source),
                "this file begins with a number, but is not one of HPCC's files",
                "",
            )
            .help(
                "a topology begins with a line of 3 numbers: nodes, switches and links; a list of flows begins with their number, and each \
                 flow has 6 values; a trace begins with the number of nodes",
            )),
        }
    }

    /// A description for messages.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::HpccTopology => "a topology of HPCC",
            Self::HpccFlows => "a list of flows of HPCC",
            Self::HpccTrace => "a list of traced nodes of HPCC",
            Self::HtsimConnections => "a connection matrix of htsim",
            Self::HtsimTopology => "a topology of htsim",
            Self::Goal => "a GOAL schedule",
        }
    }
}
