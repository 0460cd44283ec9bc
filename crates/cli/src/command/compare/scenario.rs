//! Running a scenario with several algorithms.

use std::path::PathBuf;

use setpoint_control::{Algorithm, Params, Preset};
use setpoint_lab::compare::Side;
use setpoint_lab::sweep::{Batch, open, sweep_into};
use setpoint_scenario::Variant;

use super::{Compare, Compared, FIGURES, MOST, PAGE, first_runs};
use crate::command::stopping::{kept, stopped};
use crate::failure::{Failure, Kind};
use crate::interrupt;
use crate::progress::{SweepProgress, Visibility};
use crate::warnings::Warnings;

impl Compare {
    /// Runs the scenario with each algorithm and compares them.
    pub(super) fn run_algorithms(&self) -> Result<(), Failure> {
        self.check_algorithms()?;
        let variants = self.variants()?;
        if !self.quiet {
            Warnings::of_variants(&variants, None).print();
        }
        let out = self.out.clone().unwrap_or_else(|| self.default_folder(&variants));
        let folder = open(&out)?;
        folder.check(&[PAGE, FIGURES])?;
        interrupt::set_stop_message(kept(&out));
        let runs = variants.len() * self.seeds.get() as usize;
        let progress = SweepProgress::new(runs, Visibility::unless_quiet(self.quiet));
        let batch = Batch { seeds: self.seeds, threads: self.threads };
        let ended = sweep_into(&folder, &variants, batch, &progress);
        progress.finish();
        let summary = ended.map_err(|error| stopped(error, &out))?;
        if summary.failures().next().is_some() {
            return Err(Failure::Reported(Kind::Run));
        }
        let sides = Side::variants_of(&out, &summary).map_err(|error| Failure::Run(error.to_string()))?;
        let places: Vec<PathBuf> = sides.iter().map(|_| out.clone()).collect();
        let runs = first_runs(&sides, &places)?;
        self.present(&folder, &out, &Compared { sides, runs })
    }

    fn check_algorithms(&self) -> Result<(), Failure> {
        let names = self.names();
        if self.results.len() > 1 {
            let given = self.results.len();
            return Err(Failure::Usage(format!("`--control` takes one scenario, but got {given}")));
        }
        if !(2..=MOST).contains(&names.len()) {
            let given = names.len();
            return Err(Failure::Usage(format!(
                "`--control` needs two to {MOST} algorithms, but got {given}"
            )));
        }
        match names.iter().enumerate().find(|(place, name)| names[..*place].contains(name)) {
            Some((_, name)) => Err(Failure::Usage(format!("the algorithm `{name}` is given twice"))),
            None => Ok(()),
        }
    }

    /// The scenario with each algorithm.
    fn variants(&self) -> Result<Vec<Variant>, Failure> {
        let (scenario, names) = (&self.results[0], self.names());
        let written = self.settings.without_other_algorithms(&names, None).load_for_seeds(scenario)?;
        let written = written.prepare(written.seed())?;
        let variant = |(index, algorithm): (usize, &Algorithm)| {
            let name = algorithm.name();
            let point =
                self.set_point.and_then(|size| Some(format!("{}={size}", set_point_key(*algorithm)?)));
            let is_other = *algorithm != written.algorithm();
            let preset = written.preset().filter(|preset| is_other && changes(*algorithm, *preset));
            let preset = preset.map(|preset| format!("control.{name}.preset={}", preset.name()));
            let settings = [format!("control={name}")].into_iter().chain(preset).chain(point);
            let own = self.settings.without_other_algorithms(&names, Some(name));
            let scenario = own.load_with(scenario, settings)?;
            Ok(Variant { index, assignments: vec![("control".to_owned(), name.to_owned())], scenario })
        };
        self.control.iter().enumerate().map(variant).collect()
    }

    fn names(&self) -> Vec<&'static str> {
        self.control.iter().map(|algorithm| algorithm.name()).collect()
    }

    fn default_folder(&self, variants: &[Variant]) -> PathBuf {
        let names = self.names();
        let point = self.set_point.map(|size| format!("set_point={size}"));
        let given = [format!("control={}", names.join("+"))].into_iter().chain(point);
        self.settings.folder_with(variants[0].scenario.name(), "-compare", given)
    }
}

/// Whether a preset changes any default parameter of an algorithm.
fn changes(algorithm: Algorithm, preset: Preset) -> bool {
    algorithm.points(&Params::preset(preset)) != algorithm.points(&Params::default())
}

/// The key of an algorithm's set point, if it has one: algorithms that share a congestion point each have their own table.
fn set_point_key(algorithm: Algorithm) -> Option<String> {
    let mut keys = algorithm.parameters().map(|parameter| parameter.key);
    let key = keys.find(|key| key.ends_with(".set_point"))?;
    let (_, rest) = key.split_once('.')?;
    Some(format!("control.{}.{rest}", algorithm.name()))
}
