//! A sweep as commands for other processes.

use setpoint_scenario::Variant;

use super::{Plan, Sweep};
use crate::command::slurm::{Work, text};
use crate::failure::Failure;

impl Sweep {
    /// The sweep as commands for Slurm jobs.
    pub(super) fn work<'a>(&self, variants: &'a [Variant], plan: &'a Plan) -> Result<Work<'a>, Failure> {
        let (folder, scenario) = (text(&plan.folder)?, text(&self.scenario)?);
        let mut arguments = vec!["sweep".to_owned(), scenario.to_owned()];
        arguments.extend(self.settings.arguments().chain(self.axes.arguments()));
        arguments.extend([format!("--seeds={}", self.seeds), format!("--out={folder}")]);
        arguments.extend(self.memory.arguments());
        let output = self.output;
        let no_report = output.no_report.then(|| "--no-report".to_owned());
        Ok(Work {
            variants,
            seeds: self.seeds,
            threads: self.threads,
            folder: &plan.folder,
            arguments,
            page_arguments: output
                .plots
                .arguments()
                .chain(self.tables.arguments())
                .chain(no_report)
                .collect(),
            quiet: output.quiet,
        })
    }
}
