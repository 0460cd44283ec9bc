//! Which experiments are meant.

use setpoint_suggest::did_you_mean;

use crate::experiment::{Experiment, Paper};

/// A name that is neither an experiment nor a paper.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no experiment or paper {name:?}; {remedy}")]
pub struct Unknown {
    /// What was given.
    pub name: String,
    /// What may have been meant, or where to look.
    pub remedy: String,
}

/// The experiments of some ids and papers, in the order of the papers and each once; all of them if nothing is named.
///
/// # Errors
/// If a name is unknown; the first one is told, with the nearest that there is.
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

/// An experiment may be given without its paper, or a name be misspelt.
fn unknown(papers: &[Paper], name: &str) -> Unknown {
    let experiments = || papers.iter().flat_map(|paper| &paper.experiments);
    let names = papers.iter().map(|paper| paper.id).chain(experiments().map(|experiment| experiment.id));
    let list = || "`setpoint reproduce --list` shows what there is".to_owned();
    Unknown { name: name.to_owned(), remedy: did_you_mean(name, names).unwrap_or_else(list) }
}
