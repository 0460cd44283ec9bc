//! Repeats the experiments of published papers and judges their claims.
//!
//! A [`Paper`] is a list of [`Experiment`]s. An experiment is data: [`Case`]s (a scenario with settings), a number of
//! seeds, panels in the paper's form, and the paper's [`Claim`]s. A claim is a figure that is measured for every seed,
//! and a [`Rule`] for it. The [`Verdict`] is *holds*, *differs* (with the figure, its spread over seeds and the likely
//! cause) or *cannot be judged* (with the reason). A part of a run is a [`Window`] between events of the scenario.
//! `docs/papers.md` explains how to add an experiment.
//!
//! * [`reproduce`] runs experiments on all cores; results do not depend on the number of threads.
//! * [`Folder`] holds the outcome: a page for each experiment, an index, and a line of JSON for each claim.
//!
//! This crate does not draw: figures are values of [`setpoint_plot`], pages are
//! [`setpoint_report::document`]s. A rule, its bounds and the number of seeds are written before anyone looks at the
//! runs, and are never tuned to change a verdict.

mod af_qcn;
mod allerton;
mod case;
mod choice;
mod claim;
mod experiment;
mod fingerprint;
mod folder;
mod index;
mod measure;
mod multicast;
mod page;
mod panel;
mod plan;
mod prelude;
mod record;
mod reproduce;
mod rule;
mod runs;
mod scenario;
mod search;
mod select;
mod smcc;
mod table;
mod timeline;
mod unbiased;
mod water_filling;

pub use case::{Case, Depth};
pub use choice::{Choice, Reading, Setup};
pub use claim::{Claim, Judgement, Measured, Needs, OURS, Origin, Pooled, Verdict, VerdictKind, at};
pub use experiment::{Experiment, Keep, Panels, Paper, Repeats};
pub use fingerprint::Fingerprint;
pub use folder::{Folder, FolderError};
pub use plan::RUN_FAILED;
pub use record::{BesideRecord, ClaimRecord, SeedSpread, unit};
pub use reproduce::{Finished, ReproduceError, Reproduction};
pub use rule::{Agreement, Rule};
pub use runs::{Run, Runs, Seed};
pub use search::{
    ClaimInSetup, ClaimScore, ClaimSummary, Half, Phase, Scores, Search, SearchSummary, SetupRecord,
    SetupSummary, Worth,
};
pub use select::{Unknown, select};
pub use timeline::{END, MEASURED, Moment, START, Timeline, WHOLE_RUN, Window, change, starts, stops};

/// All papers.
#[must_use]
pub fn papers() -> Vec<Paper> {
    vec![af_qcn::paper(), smcc::paper(), unbiased::paper(), multicast::paper(), allerton::paper()]
}
