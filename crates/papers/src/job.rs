//! One run of one experiment.

use std::panic::{AssertUnwindSafe, catch_unwind};

use setpoint_lab::run::{outcome, record};
use setpoint_lab::scenario::Prepared;
use setpoint_lab::sweep::{RunEnd, RunId, RunMonitor, SweepMonitor, panic_message};

use crate::case::{Case, Depth};
use crate::experiment::Experiment;
use crate::runs::Run;

/// How the reason begins for which the claims of an experiment cannot be judged if one of its runs failed.
pub const RUN_FAILED: &str = "a run failed,";

/// One run to do.
#[derive(Clone, Debug)]
pub(crate) struct Job<'a> {
    /// Place of the experiment among those chosen.
    pub(crate) experiment: usize,
    /// Place of the run within its experiment.
    pub(crate) place: usize,
    pub(crate) of: &'a Experiment,
    pub(crate) case: &'a Case,
    pub(crate) id: RunId,
}

/// All runs, by experiment, then by case, then by seed.
pub(crate) fn jobs<'a>(experiments: &[&'a Experiment]) -> Vec<Job<'a>> {
    let of_experiment = |(index, of): (usize, &&'a Experiment)| {
        let of: &'a Experiment = of;
        let pairs = of.cases.iter().flat_map(move |case| of.seeds().map(move |seed| (case, seed)));
        pairs.enumerate().map(move |(place, (case, seed))| {
            let id =
                RunId { index: 0, runs: 0, seed, folder: format!("{} {}, seed {seed}", of.id, case.name) };
            Job { experiment: index, place, of, case, id }
        })
    };
    let mut jobs: Vec<Job<'a>> = experiments.iter().enumerate().flat_map(of_experiment).collect();
    let runs = jobs.len();
    for (index, job) in jobs.iter_mut().enumerate() {
        (job.id.index, job.id.runs) = (index, runs);
    }
    jobs
}

impl Job<'_> {
    /// Does the run and tells the monitor how it ended; none if it was stopped.
    pub(crate) fn execute(&self, depth: Depth, monitor: &dyn SweepMonitor) -> Option<Result<Run, String>> {
        monitor.started(&self.id);
        let ended = catch_unwind(AssertUnwindSafe(|| self.simulate(depth, monitor)));
        let ended = ended.unwrap_or_else(|panic| Some(Err(panic_message(&*panic))));
        let ended =
            ended.map(|end| end.map_err(|error| format!("the run {} failed: {error}", self.id.folder)));
        monitor.finished(
            &self.id,
            &match &ended {
                Some(Ok(_)) => RunEnd::Stored,
                Some(Err(error)) => RunEnd::Failed(error.clone()),
                None => RunEnd::Stopped,
            },
        );
        ended.map(|end| end.map_err(|error| format!("{RUN_FAILED} {}: {error}", self.id.folder)))
    }

    fn simulate(&self, depth: Depth, monitor: &dyn SweepMonitor) -> Option<Result<Run, String>> {
        let timing = &self.of.timing;
        let prepared = self.case.load(timing, depth).and_then(|scenario| scenario.prepare(self.id.seed));
        let prepared: Prepared = match prepared {
            Ok(prepared) => prepared,
            Err(wrong) => return Some(Err(wrong.to_string())),
        };
        let mut watch = RunMonitor { run: &self.id, duration: prepared.spec.duration, monitor };
        match outcome(&prepared, &mut watch) {
            Ok(mut outcome) => {
                let feedback = std::mem::take(&mut outcome.feedback);
                let record = record(&prepared, outcome);
                Some(Ok(Run::new(record, feedback, self.of.kept, timing.factor(depth))))
            }
            Err(error) if error.is_stopped() => None,
            Err(error) => Some(Err(error.to_string())),
        }
    }
}
