//! Selection of experiments by name.

use std::cmp::Reverse;

use setpoint_lab::shard::Shard;
use setpoint_suggest::did_you_mean;

use crate::experiment::{Experiment, Paper};

/// A name that is neither an experiment nor a paper.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no experiment or paper {name:?}; {remedy}")]
pub struct Unknown {
    /// The given name.
    pub name: String,
    /// The most similar names, or how to list all names.
    pub remedy: String,
}

/// The experiments with the given ids or of the given papers, each only once and in the order of the papers; all
/// experiments if no names are given.
///
/// # Errors
/// If a name is unknown; the error contains the first such name and the most similar known names.
pub fn select<'a>(papers: &'a [Paper], names: &[String]) -> Result<Vec<&'a Experiment>, Unknown> {
    let all = || papers.iter().flat_map(|paper| &paper.experiments);
    let means = |name: &str, experiment: &Experiment| name == experiment.id || name == experiment.paper();
    for name in names {
        if !all().any(|experiment| means(name, experiment)) {
            return Err(unknown(papers, name));
        }
    }
    let wanted =
        |experiment: &&Experiment| names.is_empty() || names.iter().any(|name| means(name, experiment));
    Ok(all().filter(wanted).collect())
}

/// The experiments that belong to a shard. Those with the most runs are distributed first, so that all shards take
/// about the same time.
pub fn of_shard<'a>(chosen: &[&'a Experiment], shard: Shard) -> Vec<&'a Experiment> {
    let runs = |experiment: &Experiment| experiment.cases.len() * experiment.seed_numbers().count();
    let mut order: Vec<usize> = (0..chosen.len()).collect();
    order.sort_by_key(|place| (Reverse(runs(chosen[*place])), *place));
    let mut own: Vec<usize> = order
        .into_iter()
        .enumerate()
        .filter(|(rank, _)| shard.takes(*rank))
        .map(|(_, place)| place)
        .collect();
    own.sort_unstable();
    own.into_iter().map(|place| chosen[place]).collect()
}

/// The error for a misspelt name, or for an experiment without its paper.
fn unknown(papers: &[Paper], name: &str) -> Unknown {
    let experiments = || papers.iter().flat_map(|paper| &paper.experiments);
    let names = papers.iter().map(|paper| paper.id).chain(experiments().map(|experiment| experiment.id));
    let list = || "`setpoint reproduce --list` shows all names".to_owned();
    Unknown { name: name.to_owned(), remedy: did_you_mean(name, names).unwrap_or_else(list) }
}
