//! The stored verdicts, which come from a full run, and pages that show them without running anything.

use setpoint_report::document::Document;

use crate::experiment::{Experiment, Paper};
use crate::record::ClaimRecord;
use crate::{index, page};

/// The stored outcome of every claim, as in `docs/verdicts.md`. Tests check that the claims have not changed since.
pub fn stored_verdicts() -> impl Iterator<Item = ClaimRecord> {
    include_str!("../verdicts.jsonl").lines().filter_map(|line| serde_json::from_str(line).ok())
}

/// The page that lists all experiments with verdicts. It links to pages named after the experiments.
pub fn overview(papers: &[Paper], records: &[ClaimRecord]) -> Document {
    index::document(papers, records, &[])
}

/// The page of an experiment with recorded verdicts. It replaces the page that a run writes, which also has figures.
pub fn stored_page(paper: &Paper, experiment: &Experiment, records: &[ClaimRecord]) -> Document {
    let listed: Vec<&str> = paper.experiments.iter().map(|experiment| experiment.id).collect();
    page::stored(experiment, records, &page::Context { paper: Some(paper), listed: &listed })
}
