//! An experiment's entry in the output folder: its page, plots and records.

use serde::{Deserialize, Serialize};
use setpoint_lab::build::SOURCES;
use setpoint_plot::Style;
use setpoint_record::VERSION;
use setpoint_report::Plot;
use setpoint_report::document::Document;

use crate::case::Depth;
use crate::experiment::{Experiment, Paper};
use crate::fingerprint::Fingerprint;
use crate::page;
use crate::record::ClaimRecord;
use crate::reproduce::Finished;

/// The page of an experiment, its plots and its records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The experiment's id.
    pub experiment: String,
    /// The page as HTML.
    pub page: String,
    /// The plots, if they were drawn separately.
    pub plots: Vec<Plot>,
    /// The records of its claims.
    pub records: Vec<ClaimRecord>,
}

/// The papers, and the experiments that have pages, so that a page can link to its neighbours.
#[derive(Clone, Debug)]
pub(crate) struct Listing<'a> {
    pub(crate) papers: &'a [Paper],
    /// The ids of experiments that have a page or will have one.
    pub(crate) listed: Vec<&'a str>,
}

impl Entry {
    /// The entry of an experiment with its page, without separate plots.
    pub fn new(finished: &Finished<'_>, page: &Document) -> Self {
        Self {
            experiment: finished.experiment.id.to_owned(),
            page: page.html(),
            plots: Vec::new(),
            records: ClaimRecord::all(finished),
        }
    }

    /// Adds all plots on the page as separate drawings, named after the experiment.
    #[must_use]
    pub fn with_plots(self, page: &Document, style: Style) -> Self {
        let name = self.experiment.rsplit('/').next().unwrap_or_default();
        let named = |plot: Plot| Plot { name: format!("{name}-{}", plot.name), ..plot };
        Self { plots: page.plots(style).into_iter().map(named).collect(), ..self }
    }
}

impl<'a> Listing<'a> {
    /// Lists the experiments that were chosen or already have records.
    pub(crate) fn new(
        papers: &'a [Paper],
        records: &[ClaimRecord],
        is_chosen: impl Fn(&Experiment) -> bool,
    ) -> Self {
        let all = papers.iter().flat_map(|paper| &paper.experiments);
        let known = |experiment: &Experiment| records.iter().any(|record| record.experiment == experiment.id);
        let listed = all.filter(|experiment| is_chosen(experiment) || known(experiment));
        Self { papers, listed: listed.map(|experiment| experiment.id).collect() }
    }

    /// The page of an experiment.
    pub(crate) fn page(&self, finished: &Finished<'_>) -> Document {
        let paper = self.papers.iter().find(|paper| paper.id == finished.experiment.paper());
        page::experiment(finished, &page::Context { paper, listed: &self.listed })
    }

    /// The inputs that determine an entry: equal inputs give an equal entry.
    pub(crate) fn inputs(&self, experiment: &Experiment, depth: Depth) -> Vec<String> {
        let fingerprint = Fingerprint::new(experiment);
        let claims = experiment.claims.iter().map(|claim| fingerprint.of(claim));
        let neighbours = self.listed.join(" ");
        let build = [VERSION, SOURCES].map(str::to_owned);
        build.into_iter().chain([depth.name().to_owned(), neighbours]).chain(claims).collect()
    }
}
