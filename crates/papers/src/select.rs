//! Which experiments are meant.

use setpoint_lab::scenario::nearest;

use crate::experiment::{Experiment, Paper};

/// A name that is neither an experiment nor a paper.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no experiment or paper {name:?}{}", suggestion(.nearest.as_deref()))]
pub struct Unknown {
    /// What was given.
    pub name: String,
    /// What may have been meant.
    pub nearest: Option<String>,
}

fn suggestion(nearest: Option<&str>) -> String {
    match nearest {
        Some(nearest) => format!("; did you mean {nearest:?}?"),
        None => "; `setpoint reproduce --list` shows what there is".to_owned(),
    }
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
    let bare = experiments().find(|experiment| experiment.name() == name).map(|experiment| experiment.id);
    let names = papers.iter().map(|paper| paper.id).chain(experiments().map(|experiment| experiment.id));
    let found = bare.or_else(|| nearest(name, names));
    Unknown { name: name.to_owned(), nearest: found.map(str::to_owned) }
}
