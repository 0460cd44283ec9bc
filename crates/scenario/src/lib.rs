//! Scenario files: from text to a [`setpoint_sim::Spec`], with precise error messages.
//!
//! A scenario is a TOML file. Every quantity is a string with its unit; a number without a unit is an
//! error. Alternatives are tables named by their kind (`[topology.dumbbell]`, `[control.qcn]`); a kind
//! with only default values can be given by its name (`flow_control = "pfc"`). `docs/scenario.md` lists every
//! key.
//!
//! ```
//! use setpoint_scenario::{Scenario, Source};
//!
//! let text = r#"
//!     name = "three-to-one"
//!     duration = "100 ms"
//!
//!     [topology.star]
//!     stations = 4
//!     rate = "10 Gb/s"
//!     delay = "500 ns"
//!
//!     [control.qcn]
//!     preset = "10G"
//!     cp.set_point = "33 kB"
//!
//!     [[flows]]
//!     from = "h*"
//!     to = "h4"
//!     pattern = "incast"
//!
//!     [[at]]
//!     time = "50 ms"
//!     port = "bridge->h4"
//!     rate = "1 Gb/s"
//! "#;
//! let scenario = Scenario::load(&Source::new("three-to-one.toml", text), &[])?;
//! let prepared = scenario.prepare(scenario.seed())?;
//! assert_eq!(prepared.spec.flows.len(), 3);
//! assert_eq!(prepared.event_labels[0].1, "bridge->h4: 1 Gb/s");
//!
//! let wrong = Source::new("wrong.toml", "duration = 2");
//! let errors = Scenario::load(&wrong, &[]).unwrap_err().to_string();
//! assert!(errors.contains("`duration` is 2 without a unit"));
//! # Ok::<(), setpoint_scenario::Diagnostics>(())
//! ```
//!
//! # Stages
//! Each stage is a type, and only valid data leaves a stage:
//!
//! 1. text → a tree of values with their places, merged from the file, the files it extends and
//!    the settings from the command line;
//! 2. → the structs that declare the format (`format`), each key with its type;
//! 3. → [`Scenario`]: resolved once and cached, which also checks whether the values make sense
//!    together;
//! 4. → [`Variant`]s of its sweep, each a separate scenario. Variants stay resolved until they run,
//!    up to a total size. Variants beyond that size are resolved again when they run, so that a
//!    sweep of 100 000 large networks does not exhaust memory;
//! 5. → [`Prepared`]: a spec with a seed, and the information that results need to describe it.
//!
//! A stage reports all of its problems. No input makes a stage panic, or use an unbounded amount of time or memory.

mod axis;
mod builtin;
mod capture;
mod check;
mod checks;
mod decimal;
mod diagnostics;
mod file;
mod flatten;
mod flow_files;
mod format;
pub mod glossary;
mod group_members;
pub mod import;
mod job;
mod key_words;
mod limits;
mod merge;
mod overrides;
mod parameter_row;
mod place;
pub mod port_names;
mod precedence;
mod reference;
mod resolve;
mod schema;
pub mod scope;
mod shorter;
mod source;
mod tree;
mod variants;

use std::ops::Range;
use std::sync::Arc;

use setpoint_control::{Algorithm, Preset};
use setpoint_sim::Spec;
use setpoint_units::{Bytes, Time};
use setpoint_wire::Conventions;

use self::file::ScenarioFile;
use self::flow_files::FlowFiles;
use self::format::Root;
use self::resolve::Resolved;
use self::tree::Item;

pub use axis::numbers as axis_numbers;
pub use axis::{Axis, MAX_VARIANTS};
pub use builtin::{Builtin, Purpose, builtin};
pub use capture::Capture;
pub use check::{Check, checks, checks_reference};
pub use checks::{Warning, at_most, named_together};
pub use diagnostics::{Colour, Diagnostics, Problem};
pub use format::{Key, keys};
pub use group_members::{Group, Member, Session};
pub use job::{Job, JobMessage};
pub use key_words::key_words;
pub use overrides::Override;
pub use parameter_row::ParameterRow;
pub use port_names::PortNames;
pub use reference::reference;
pub use schema::schema;
pub use source::{Files, NoFiles, Source};
pub use variants::{Variant, warnings_of};

/// A valid scenario, which can be prepared and run.
#[derive(Clone, Debug)]
pub struct Scenario {
    read: Arc<Read>,
    /// The values of a variant of a sweep.
    assigned: Vec<Override>,
    axes: Arc<[Axis]>,
    seed: u64,
    /// The resolved scenario with its own seed; none for variants of a large sweep.
    resolved: Option<Arc<Resolved>>,
}

/// The part that all variants of a scenario share.
#[derive(Debug)]
struct Read {
    text: String,
    /// The merged files.
    base: Item,
    /// The tables that the scenario names.
    flow_files: FlowFiles,
    /// Settings from the command line.
    overrides: Vec<Override>,
    name: String,
    description: String,
}

/// A scenario with a seed, ready to run.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The network, flows and changes to simulate.
    pub spec: Spec,
    /// The scenario's name.
    pub name: String,
    /// One or two sentences.
    pub description: String,
    /// The scenario text as it was read, or merged with the files that it extends.
    pub text: String,
    /// Settings from the command line and from a sweep, in order.
    pub overrides: Vec<(String, String)>,
    /// Every parameter in effect.
    pub parameters: Vec<ParameterRow>,
    /// Descriptions of the changes, in chronological order.
    pub event_labels: Vec<(Time, String)>,
    /// The set point of the congestion points, if there are any.
    pub set_point: Option<Bytes>,
    /// Whether no frame of any flow may be lost.
    pub lossless: bool,
    /// The groups with their senders, in the order of the file.
    pub groups: Vec<Group>,
    /// The `[[flows]]` entries, in the order of the file.
    pub entries: Vec<FlowEntry>,
    /// The `[[jobs]]` entries, in the order of the file.
    pub jobs: Vec<Job>,
    /// The frames to store with the result, if any.
    pub capture: Option<Capture>,
    /// How notifications are encoded as octets.
    pub conventions: Conventions,
    /// The keys.
    root: Arc<Root>,
}

/// One `[[flows]]` entry of a scenario, or one class of a file in `[[flow_files]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowEntry {
    /// Its `name`, the class, or its key in the scenario, such as `flows.1`.
    pub name: String,
    /// Its flows, as indices into the flows of the spec.
    pub flows: Range<usize>,
}

impl Scenario {
    /// Reads a scenario that neither extends nor names files, applies settings, and checks everything. Setting a key
    /// removes its axis from the sweep.
    ///
    /// # Errors
    /// Returns all problems found in the scenario.
    pub fn load(source: &Source, overrides: &[Override]) -> Result<Self, Diagnostics> {
        Self::load_with(source, overrides, &NoFiles)
    }

    /// Like [`Scenario::load`], with access to the files that the scenario extends or names.
    ///
    /// # Errors
    /// As [`Scenario::load`].
    pub fn load_with(
        source: &Source,
        overrides: &[Override],
        files: &dyn Files,
    ) -> Result<Self, Diagnostics> {
        let source = Arc::new(source.clone());
        let ScenarioFile { mut text, base, root } = ScenarioFile::read(&source, overrides, files)?;
        let mut problems = diagnostics::Problems::default();
        let mut axes = axis::of_sweep(root.sweep.as_ref().map(|axes| &axes.0), &mut problems);
        problems.take(axis::check_product(&axes));
        problems.check()?;
        axes.retain(|axis| overrides.iter().all(|given| given.key() != axis.key()));
        let flow_files = flow_files(&source, &root, &axes, files)?;
        add_comment(&mut text, &flow_files.comment());
        let seed = *root.seed;
        let read = Read {
            name: root.name.clone().unwrap_or_else(|| source.stem()),
            description: root.description.clone(),
            overrides: overrides.to_vec(),
            text,
            base,
            flow_files,
        };
        let resolved = Some(Arc::new(resolve::resolve(Arc::new(root), &read.flow_files, seed)?));
        Ok(Self { read: Arc::new(read), assigned: Vec::new(), axes: axes.into(), seed, resolved })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.read.name
    }

    /// Its description, in one or two sentences; may be empty.
    pub fn description(&self) -> &str {
        &self.read.description
    }

    /// Its seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The keys of the sweep's axes, in the order of the file; empty without a sweep.
    pub fn axes(&self) -> impl Iterator<Item = &str> {
        self.axes.iter().map(Axis::key)
    }

    /// The number of variants of the sweep; 1 without a sweep.
    pub fn variant_count(&self) -> usize {
        variants::count(&self.axes)
    }

    /// Adds axes to the sweep. An axis whose key is already swept replaces the existing axis.
    ///
    /// # Errors
    /// If a key is given twice or has been set, or if there are more than [`MAX_VARIANTS`] combinations.
    pub fn with_axes(mut self, added: &[Axis]) -> Result<Self, Diagnostics> {
        let mut axes = self.axes.to_vec();
        for (index, axis) in added.iter().enumerate() {
            self.check_axis(axis, &added[..index])?;
            match axes.iter_mut().find(|known| known.key() == axis.key()) {
                Some(known) => *known = axis.clone(),
                None => axes.push(axis.clone()),
            }
        }
        axis::check_product(&axes)?;
        self.axes = axes.into();
        Ok(self)
    }

    /// Checks parameters that are going to be varied one combination at a time. They replace axes of the sweep with the same
    /// keys.
    ///
    /// # Errors
    /// If a key is given twice or has been set.
    pub fn with_parameters(self, parameters: &[Axis]) -> Result<Self, Diagnostics> {
        for (index, axis) in parameters.iter().enumerate() {
            self.check_axis(axis, &parameters[..index])?;
        }
        Ok(self)
    }

    /// Refuses an axis whose key already has a value or an axis.
    fn check_axis(&self, axis: &Axis, before: &[Axis]) -> Result<(), Problem> {
        let (key, place) = (axis.key(), axis.settings()[0].place());
        if let Some(set) = self.read.overrides.iter().find(|set| set.key() == key) {
            let message = format!("`{key}` is set to {}, so it cannot be an axis too", set.value());
            return Err(Problem::at(place, message, "an axis").context(set.place(), "set here"));
        }
        match before.iter().find(|other| other.key() == key) {
            Some(first) => Err(Problem::at(place, format!("the axis `{key}` is given twice"), "the second")
                .context(first.settings()[0].place(), "the first")
                .help("list all values of a key in one axis")),
            None => Ok(()),
        }
    }

    /// Every combination of the sweep's values; without a sweep, a single variant that sets nothing.
    ///
    /// # Errors
    /// If a combination is invalid; the message shows its values.
    pub fn variants(&self) -> Result<Vec<Variant>, Diagnostics> {
        variants::variants(self)
    }

    /// The spec for a seed. The spec for the scenario's own seed is cached, so that nothing is
    /// resolved twice.
    ///
    /// # Errors
    /// None beyond those of [`Scenario::load`], unless a different seed leads to different flows.
    pub fn prepare(&self, seed: u64) -> Result<Prepared, Diagnostics> {
        let resolved = match &self.resolved {
            Some(kept) if kept.spec.seed == seed => kept.clone(),
            Some(kept) => Arc::new(self.resolve(kept.root.clone(), seed)?),
            None => Arc::new(self.resolve(Arc::new(self.root()?), seed)?),
        };
        let settings = self.read.overrides.iter().chain(&self.assigned);
        let Resolved {
            root,
            spec,
            parameters,
            labels,
            set_point,
            lossless,
            groups,
            entries,
            jobs,
            capture,
            conventions,
        } = Arc::unwrap_or_clone(resolved);
        Ok(Prepared {
            spec,
            name: self.read.name.clone(),
            description: self.read.description.clone(),
            text: self.read.text.clone(),
            overrides: settings.map(|setting| (setting.key().to_string(), setting.value())).collect(),
            parameters,
            event_labels: labels,
            set_point,
            lossless,
            groups,
            entries,
            jobs,
            capture,
            conventions,
            root,
        })
    }

    /// The spec for a seed with additional keys set: the same as if the scenario were loaded with
    /// these overrides, but without reading it again.
    ///
    /// # Errors
    /// Returns all problems found in the scenario with these values.
    pub fn prepare_with(&self, settings: &[&Override], seed: u64) -> Result<Prepared, Diagnostics> {
        let assigned = self.assigned.iter().chain(settings.iter().copied()).cloned().collect();
        Self { assigned, resolved: None, ..self.clone() }.prepare(seed)
    }

    /// Reads the files with all settings. Settings from the command line and from a sweep are
    /// applied together, so that a key of an algorithm is not lost if a variant chooses that
    /// algorithm.
    fn root(&self) -> Result<Root, Diagnostics> {
        let mut tree = self.read.base.clone();
        overrides::apply(&mut tree, self.read.overrides.iter().chain(&self.assigned))?;
        Root::of(&tree)
    }

    fn resolve(&self, root: Arc<Root>, seed: u64) -> Result<Resolved, Diagnostics> {
        resolve::resolve(root, &self.read.flow_files, seed)
    }

    /// This scenario with values from a sweep, checked. The resolved form is cached if it fits.
    fn varied(&self, assigned: Vec<Override>, room: &mut usize) -> Result<Self, Diagnostics> {
        let mut scenario = Self { assigned, resolved: None, ..self.clone() };
        let root = scenario.root()?;
        scenario.seed = *root.seed;
        let resolved = scenario.resolve(Arc::new(root), scenario.seed)?;
        if let Some(left) = room.checked_sub(resolved.size()) {
            *room = left;
            scenario.resolved = Some(Arc::new(resolved));
        }
        Ok(scenario)
    }
}

/// Reads the tables that a scenario and its sweep name.
fn flow_files(
    source: &Source,
    root: &Root,
    axes: &[Axis],
    files: &dyn Files,
) -> Result<FlowFiles, Diagnostics> {
    let mut tables = FlowFiles::of(source);
    let mut problems = diagnostics::Problems::default();
    let mut read = |target: &str, place| {
        tables.read(target, place, files).unwrap_or_else(|found| problems.extend(found));
    };
    for entry in root.flow_files.iter() {
        read(&entry.path, entry.path.place());
    }
    for setting in axes.iter().flat_map(Axis::settings) {
        setting.texts_of("flow_files", "path").into_iter().for_each(|(target, place)| read(target, place));
    }
    problems.or_else(tables)
}

/// Appends lines to the text of a scenario.
fn add_comment(text: &mut String, lines: &str) {
    if !lines.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    *text += lines;
}

impl Check {
    /// The check of a finished run for mechanisms that did nothing.
    pub const INACTIVE_MECHANISM: &'static Self = check::INACTIVE_MECHANISM;
    /// The check of a finished run for frames lost on links that failed.
    pub const LOST_ON_FAILED_LINKS: &'static Self = check::LOST_ON_FAILED_LINKS;
    /// The check of a finished run for pauses before the first notification.
    pub const PAUSES_BEFORE_FEEDBACK: &'static Self = check::PAUSES_BEFORE_FEEDBACK;
    /// The checks of finished runs.
    pub const OF_RUNS: [&'static Self; 3] =
        [Self::INACTIVE_MECHANISM, Self::LOST_ON_FAILED_LINKS, Self::PAUSES_BEFORE_FEEDBACK];
}

impl Prepared {
    /// The algorithm.
    pub fn algorithm(&self) -> Algorithm {
        self.root.control.algorithm
    }

    /// The preset that the parameters start from; without control, the one for the slowest link.
    pub fn preset(&self) -> Option<Preset> {
        match &self.root.control.participants {
            Some(participants) => Some(*participants.preset),
            None => checks::fitting_preset(&self.spec),
        }
    }

    /// Whether the scenario silences a check.
    pub fn allows(&self, check: &Check) -> bool {
        checks::is_allowed(&self.root, check.code)
    }

    /// Warnings about settings that are valid but probably not intended.
    pub fn warnings(&self) -> Vec<Warning> {
        checks::warnings(&self.root, &self.spec, self.set_point)
    }
}
