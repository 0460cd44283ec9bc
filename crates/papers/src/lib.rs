//! Reproduces experiments from published papers and judges the papers' claims.
//!
//! A [`Paper`] is a list of [`Experiment`]s. An experiment is data: [`Case`]s (a scenario with settings), a
//! number of seeds, panels in the paper's form, and [`Claim`]s. A claim is the paper's or ours ([`Origin`]);
//! it consists of a figure that is measured for every seed and a [`Rule`]. A part of a run is a [`Window`]
//! between events of the scenario. Where the paper leaves a point open, the experiment has a [`Choice`]; a [`Setup`]
//! selects one option of each choice, and the leading set-up selects those that the text supports best.
//! `docs/papers.md` explains how to add an experiment.
//!
//! * [`Reproduction`] runs experiments on all cores, in the leading set-up and in those that differ in one choice. Each
//!   claim gets a [`Verdict`].
//! * [`Search`] runs every set-up of a paper and finds those that satisfy most of its claims.
//! * [`stored_page`] renders the verdicts of a full run that is stored with the experiments, without running anything.
//! * [`Folder`] stores the outcome: a page for each experiment and each search, an index, and lines of JSON.
//!
//! Results do not depend on the number of threads.
//!
//! This crate does not draw: figures are values of [`setpoint_plot`], pages are
//! [`setpoint_report::document`]s. A rule, its bounds and the number of seeds are fixed before anyone looks at the
//! runs, and are never tuned to change a verdict.

mod af_qcn;
mod allerton;
mod case;
mod choice;
mod claim;
mod conext16;
mod dcqcn15;
mod entry;
mod experiment;
mod fingerprint;
mod folder;
mod hpcc;
mod index;
mod measure;
mod multicast;
mod page;
mod panel;
mod plan;
mod powertcp;
mod prelude;
mod probe;
mod record;
mod reproduce;
mod rule;
mod runs;
mod scenario;
mod search;
mod select;
mod setup;
mod shards;
mod smcc;
mod stored;
mod table;
mod timeline;
mod unbiased;
mod water_filling;

pub use case::{Case, Depth};
pub use choice::{Choice, Reading};
pub use claim::{Claim, Judgement, Measured, Needs, OURS, Origin, Pooled, Verdict, VerdictKind, at};
pub use conext16::conext16_margins;
pub use entry::Entry;
pub use experiment::{Experiment, Panels, Paper, Repeats};
pub use fingerprint::Fingerprint;
pub use folder::{Folder, FolderError};
pub use probe::{Probed, Sabotage, probe};
pub use record::{BesideRecord, ClaimRecord, SeedSpread, unit};
pub use reproduce::{Finished, ReproduceError, Reproduction};
pub use rule::{Agreement, Rule};
pub use runs::{Keep, RUN_FAILED, Run, Runs, Seed};
pub use search::{
    ClaimInSetup, ClaimScore, ClaimSummary, Part, Phase, Scores, Search, SearchSummary, SetupRecord,
    SetupSummary, Stage, Worth,
};
pub use select::{Unknown, of_shard, select};
pub use setup::Setup;
pub use shards::ShardFolder;
pub use stored::{overview, stored_page, stored_verdicts};
pub use timeline::{END, MEASURED, Moment, START, Timeline, WHOLE_RUN, Window, change, starts, stops};

/// All papers.
pub fn papers() -> Vec<Paper> {
    vec![
        af_qcn::paper(),
        smcc::paper(),
        unbiased::paper(),
        multicast::paper(),
        allerton::paper(),
        conext16::paper(),
        dcqcn15::paper(),
        hpcc::paper(),
        powertcp::paper(),
    ]
}
