//! The scenario of a command, and settings that override it.

use std::path::{Path, PathBuf};

use clap::Args;
use setpoint_lab::files::{self, NotFound};
use setpoint_lab::session::Request;
use setpoint_scenario::{Axis, Prepared, Scenario, Source, builtin};

use crate::failure::Failure;
use crate::folder;

/// Options that modify a scenario.
#[derive(Clone, Debug, Args)]
pub(crate) struct Settings {
    /// Set a key of the scenario, as in `--set network.buffer=200kB`
    ///
    /// Keys are written with dots; the first entry of `[[flows]]` is `flows.1`. Can be given several times.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// The seed; for several runs, the seed of the first
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

impl Settings {
    /// The seed of a scenario, unless another is given.
    pub(crate) fn seed_for(&self, scenario: &Scenario) -> u64 {
        self.seed.unwrap_or(scenario.seed())
    }

    /// The given seed.
    pub(crate) fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// The options as arguments for another process.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = String> {
        let seed = self.seed.map(|seed| format!("--seed={seed}"));
        self.set.iter().map(|set| format!("--set={set}")).chain(seed)
    }

    /// Whether any option is given.
    pub(crate) fn is_given(&self) -> bool {
        self.seed.is_some() || !self.set.is_empty()
    }

    /// The same options without the keys of compared algorithms other than `own`, such as `control.smcc.cp.set_point`: each
    /// algorithm has only its own keys.
    pub(crate) fn without_other_algorithms(&self, compared: &[&str], own: Option<&str>) -> Self {
        let algorithm = |set: &str| {
            let key = set.split('=').next()?.trim().strip_prefix("control.")?;
            Some(key.split('.').next().unwrap_or(key).to_owned())
        };
        let is_other =
            |set: &String| algorithm(set).is_some_and(|of| Some(&*of) != own && compared.contains(&&*of));
        Self { set: self.set.iter().filter(|set| !is_other(set)).cloned().collect(), seed: self.seed }
    }

    /// The scenario with the given name and with these options. `values` (`key=value`) come before the given ones.
    fn request(&self, name: &Path, values: impl IntoIterator<Item = String>) -> Result<Request, Failure> {
        let settings = values.into_iter().chain(self.set.iter().cloned());
        let request = Request::new(source(name)?, settings, self.seed)?;
        match (self.seed, request.overrides().iter().find(|set| set.key() == "seed")) {
            (Some(seed), Some(set)) => Err(Failure::Usage(format!(
                "`--seed {seed}` and `--set {set}` both give the seed; leave out one of them"
            ))),
            _ => Ok(request),
        }
    }

    /// The default folder for the result of one run.
    pub(crate) fn folder(&self, scenario: &str, ending: &str) -> PathBuf {
        let seed = self.seed.map(|seed| format!("seed={seed}"));
        folder::default(scenario, ending, self.set.iter().chain(&seed))
    }

    /// The default folder for several runs. It contains a folder per seed.
    pub(crate) fn folder_for_seeds(&self, scenario: &str, ending: &str) -> PathBuf {
        folder::default(scenario, ending, &self.set)
    }

    /// The default folder for several runs with further values (`key=value`).
    pub(crate) fn folder_with(
        &self,
        scenario: &str,
        ending: &str,
        values: impl IntoIterator<Item = String>,
    ) -> PathBuf {
        let all: Vec<String> = self.set.iter().cloned().chain(values).collect();
        folder::default(scenario, ending, &all)
    }

    /// The default folder for a sweep.
    pub(crate) fn folder_for_sweep(&self, scenario: &str, axes: &Axes) -> PathBuf {
        folder::default(scenario, "-sweep", self.set.iter().chain(&axes.axes))
    }

    /// Reads and checks the scenario with the given name.
    pub(crate) fn load(&self, name: &Path) -> Result<Scenario, Failure> {
        Ok(self.request(name, [])?.load()?)
    }

    /// Reads the scenario with the given name and prepares it for its seed.
    pub(crate) fn prepare(&self, name: &Path) -> Result<(Scenario, Prepared), Failure> {
        Ok(self.request(name, [])?.prepare()?)
    }

    /// Reads and checks a scenario for several runs. Here the seed is an ordinary key, and the runs count up from
    /// it.
    pub(crate) fn load_for_seeds(&self, name: &Path) -> Result<Scenario, Failure> {
        self.load_with(name, [])
    }

    /// Like [`Self::load_for_seeds`], with further values (`key=value`) that come before the given ones.
    pub(crate) fn load_with(
        &self,
        name: &Path,
        values: impl IntoIterator<Item = String>,
    ) -> Result<Scenario, Failure> {
        Ok(self.request(name, values)?.load_for_seeds()?)
    }
}

/// Axes of a sweep on the command line.
#[derive(Clone, Debug, Args)]
pub(crate) struct Axes {
    /// Sweep a key over several values, as in `--axis network.buffer=100kB,200kB`
    ///
    /// Commas separate the values; whole numbers can be given as a range, as in `topology.dumbbell.senders=1..8`.
    /// Several axes are combined with each other and with the axes in the scenario's `[sweep]`; an axis given here
    /// replaces one with the same key there. Can be given several times.
    #[arg(long = "axis", value_name = "KEY=VALUES")]
    axes: Vec<String>,
}

impl Axes {
    /// The options as arguments for another process.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = String> {
        self.axes.iter().map(|axis| format!("--axis={axis}"))
    }

    /// Adds the axes to the sweep of a scenario.
    pub(crate) fn add_to(&self, scenario: Scenario) -> Result<Scenario, Failure> {
        let axes: Result<Vec<Axis>, _> = self.axes.iter().map(|text| Axis::read("--axis", text)).collect();
        Ok(scenario.with_axes(&axes?)?)
    }
}

/// A scenario file or, if there is none, the built-in scenario of that name.
pub(crate) fn source(name: &Path) -> Result<Source, Failure> {
    files::find(name).map_err(|error| match error {
        NotFound::Unknown { .. } => Failure::Usage(error.to_string()),
        NotFound::Unreadable(diagnostics) => Failure::Scenario(diagnostics),
    })
}

/// The scenario that runs if none is given.
pub(crate) fn default_name() -> PathBuf {
    PathBuf::from(builtin()[0].name)
}
