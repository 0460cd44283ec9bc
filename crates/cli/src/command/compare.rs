//! `setpoint compare`: one page about several results.

mod scenario;
mod table;

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};

use clap::Args;
use setpoint_control::Algorithm;
use setpoint_lab::compare::{Comparison, Side, check_warnings};
use setpoint_lab::store::{self, Collection, Kind, MANIFEST, PLOTS, REPORT, SWEEP};
use setpoint_lab::sweep::{self, RunSummary, SweepSummary};
use setpoint_record::json;
use setpoint_record::results::RunRecord;
use setpoint_report::ComparedRun;
use setpoint_scenario::key_words;
use setpoint_units::Bytes;

use super::plots::Plots;
use super::sweep::{seeds, threads};
use crate::browser;
use crate::failure::{Failure, print_warning};
use crate::scenario::Settings;
use crate::terminal::{self, Facts, Screen, plain, value};

const PAGE: &str = "compare.html";
const FIGURES: &str = "compare.json";
/// The maximum number of results on one page.
const MOST: usize = 4;

/// Compare results on one page, or run a scenario with several algorithms and compare them
///
/// Reads two to four results: single runs, runs with several seeds, or sweeps over the same keys, whose variants are matched
/// by their values. Differences from the first are computed on common seeds, with a 95 % confidence interval if there are at
/// least three. Single runs are also drawn on common axes. The results are not changed.
///
/// With --control, the argument is a scenario, which runs with each of the algorithms. By default each algorithm has its own
/// set point; --set-point gives all of them the same, so that the comparison reflects the algorithms and not their set
/// points. All algorithms start from the preset that the scenario's algorithm has or, if the scenario has none, from the
/// preset for the slowest link. `--set control.NAME.KEY=VALUE` sets a key of one of the algorithms, such as
/// `control.af-qcn.preset=25G`.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Compare {
    /// Folders that hold a result or, with --control, a scenario file or the name of a built-in scenario
    #[arg(value_name = "RESULT", num_args = 1..=MOST, required = true)]
    results: Vec<PathBuf>,

    /// Run a scenario with these algorithms, as in `--control qcn,smcc,none`
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = algorithm)]
    control: Vec<Algorithm>,

    /// Give all algorithms of --control this set point, as in `30kB`; those without a set point are not affected
    #[arg(long, value_name = "SIZE", requires = "control")]
    set_point: Option<Bytes>,

    #[command(flatten)]
    settings: Settings,

    /// Number of consecutive seeds for each algorithm of --control
    #[arg(long, value_name = "N", default_value = "5", value_parser = seeds, requires = "control")]
    seeds: NonZeroU32,

    /// Number of concurrent runs of --control [default: one per core]
    #[arg(long, value_name = "N", value_parser = threads, requires = "control")]
    threads: Option<NonZeroUsize>,

    /// Folder for the page and, with --control, for the runs [default: results/compare, or results/NAME-compare with the
    /// name of the scenario, the values of --set and the algorithms]
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Print only the figures as JSON on standard output
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    plots: Plots,

    /// Open the page in a browser
    #[arg(long)]
    open: bool,

    /// Print only errors, and the JSON with --json
    #[arg(long, short)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  setpoint run -q && setpoint run -q --set control=smcc
  setpoint compare results/qcn-dumbbell results/qcn-dumbbell_control=smcc --open
  setpoint compare qcn-dumbbell --control qcn,smcc,none --set-point 30kB";

/// Reads the name of an algorithm.
pub(super) fn algorithm(name: &str) -> Result<Algorithm, String> {
    let names = || Algorithm::ALL.map(Algorithm::name).join(", ");
    Algorithm::from_name(name.trim()).ok_or_else(|| format!("expected one of {}", names()))
}

/// The sides of a comparison, and the runs to draw.
struct Compared {
    sides: Vec<Side>,
    /// The name, the folder and the record of one run from each side; empty for sweeps.
    runs: Vec<(String, PathBuf, RunRecord)>,
}

impl Compare {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        self.plots.check()?;
        if !self.control.is_empty() {
            return self.run_algorithms();
        }
        if self.settings.is_given() {
            return Err(Failure::Usage(
                "`--set` and `--seed` need `--control`: stored results cannot be changed".to_owned(),
            ));
        }
        if self.results.len() < 2 {
            return Err(Failure::Usage(
                "one result is given; give two to four, or a scenario with `--control qcn,smcc`".to_owned(),
            ));
        }
        let compared = self.stored()?;
        let out = self.out.clone().unwrap_or_else(|| PathBuf::from("results/compare"));
        let place = Collection::open(&out, Kind::Comparison, &[PAGE, FIGURES])?;
        self.present(&place, &out, &compared)
    }

    fn stored(&self) -> Result<Compared, Failure> {
        let is_run = |folder: &PathBuf| folder.join(MANIFEST).is_file() || !folder.join(SWEEP).is_file();
        if self.results.iter().all(is_run) {
            let records: Vec<RunRecord> =
                self.results.iter().map(|folder| store::read(folder)).collect::<Result<_, _>>()?;
            let names = names(&self.results, &records);
            let sides = names.iter().zip(&records).map(|(name, record)| Side::of_run(name.clone(), record));
            let sides = sides.collect();
            let runs = names.into_iter().zip(self.results.iter().cloned()).zip(records);
            let runs = runs.map(|((name, folder), record)| (name, folder, record)).collect();
            return Ok(Compared { sides, runs });
        }
        let named = self.results.iter().zip(by_folder(&self.results));
        let sides: Vec<Side> = named
            .map(|(folder, name)| Side::read(folder, name))
            .collect::<Result<_, _>>()
            .map_err(|error| Failure::Run(error.to_string()))?;
        let runs = first_runs(&sides, &self.results)?;
        Ok(Compared { sides, runs })
    }

    /// Writes the page and the figures, and prints the table.
    fn present(&self, place: &Collection, out: &Path, compared: &Compared) -> Result<(), Failure> {
        let comparison = Comparison::of(&compared.sides).map_err(|error| Failure::Run(error.to_string()))?;
        let report = |folder: &Path| {
            let page = folder.join(REPORT).canonicalize().ok()?;
            Some(format!("file://{}", page.display()))
        };
        let runs: Vec<ComparedRun<'_>> = (compared.runs.iter())
            .map(|(name, folder, record)| ComparedRun { name: name.clone(), record, report: report(folder) })
            .collect();
        let document = setpoint_report::compare(&comparison, &runs);
        self.plots.put_page(place, PAGE, &document)?;
        place.put(FIGURES, json::text(&comparison).as_bytes())?;
        self.print(&comparison, &self.announced(compared), out)?;
        if self.open {
            browser::open_file(&out.join(PAGE));
        }
        Ok(())
    }

    /// The warnings that were printed in full before the runs.
    fn announced(&self, compared: &Compared) -> Vec<String> {
        if self.control.is_empty() { Vec::new() } else { check_warnings(&compared.sides) }
    }

    fn print(&self, comparison: &Comparison, announced: &[String], out: &Path) -> Result<(), Failure> {
        if !self.quiet {
            let warnings = comparison.warnings.iter().filter(|warning| !announced.contains(warning));
            warnings.for_each(|warning| print_warning(&plain(warning)));
        }
        if self.json {
            terminal::print(&json::text(comparison))?;
        } else if !self.quiet {
            let screen = Screen::of_stdout();
            let mut facts = Facts::new();
            facts.add_text("differences", table::meaning(comparison));
            facts.add("page", [screen.paint.link(&out.join(PAGE).display().to_string())]);
            if self.plots.wanted() {
                facts.add("plots", [screen.paint.link(&out.join(PLOTS).display().to_string())]);
            }
            terminal::print(&format!("{}\n{}", table::render(comparison, screen), facts.render(screen)))?;
        }
        Ok(())
    }
}

/// One run of each result, with a seed that all results have in common, to be drawn; empty for sweeps.
fn first_runs(sides: &[Side], folders: &[PathBuf]) -> Result<Vec<(String, PathBuf, RunRecord)>, Failure> {
    let runs = |side: &Side| match &side.variants[..] {
        [variant] => variant.runs.iter().filter(|run| run.error.is_none()).cloned().collect(),
        _ => Vec::new(),
    };
    let all: Vec<Vec<RunSummary>> = sides.iter().map(runs).collect();
    let is_common = |seed: &u64| all.iter().all(|runs| runs.iter().any(|run| run.seed == *seed));
    let Some(seed) = all[0].iter().map(|run| run.seed).find(is_common) else { return Ok(Vec::new()) };
    let read = |((side, runs), folder): ((&Side, &Vec<RunSummary>), &PathBuf)| {
        let run = runs.iter().find(|run| run.seed == seed).expect("every result has this seed");
        let folder = folder.join(&run.folder);
        Ok((side.name.clone(), folder.clone(), store::read(&folder)?))
    };
    sides.iter().zip(&all).zip(folders).map(read).collect()
}

/// Short, distinct names: the settings in which runs of one scenario differ, or the names of the folders.
fn names(folders: &[PathBuf], records: &[RunRecord]) -> Vec<String> {
    let all: Vec<Vec<(String, String)>> =
        folders.iter().zip(records).map(|(folder, record)| labelled(folder, record)).collect();
    let settings = |given: &Vec<(String, String)>| {
        let is_common = |pair: &&(String, String)| all.iter().all(|one| one.contains(pair));
        let own: Vec<&(String, String)> = given.iter().filter(|pair| !is_common(pair)).collect();
        let keys: Vec<String> = own.iter().map(|(key, _)| key.clone()).collect();
        let pairs = key_words(&keys).into_iter().zip(&own).map(|(words, pair)| setting(&words, &pair.1));
        let text = pairs.collect::<Vec<_>>().join(", ");
        if text.is_empty() { "as written".to_owned() } else { text }
    };
    let by_setting: Vec<String> = all.iter().map(settings).collect();
    let one_scenario = records.iter().all(|record| record.manifest.scenario == records[0].manifest.scenario);
    if one_scenario && differ(&by_setting) { by_setting } else { by_folder(folders) }
}

/// The settings of a run. If the run belongs to a sweep, values are shown with the sweep's labels.
fn labelled(folder: &Path, record: &RunRecord) -> Vec<(String, String)> {
    let labels = labels(folder).unwrap_or_default();
    let label = |(key, value): &(String, String)| {
        let known = labels.iter().find(|(axis, _)| axis == key);
        (key.clone(), known.map_or(value, |(_, label)| label).clone())
    };
    record.manifest.overrides.iter().map(label).collect()
}

/// The keys and labels of the variant to which a run belongs; `None` if its folder is not in a sweep.
fn labels(folder: &Path) -> Option<Vec<(String, String)>> {
    let folder = folder.canonicalize().ok()?;
    let SweepSummary { axes, variants, .. } = sweep::read(folder.parent()?).ok()?;
    let is_own = |run: &RunSummary| folder.file_name().is_some_and(|name| name == run.folder.as_str());
    let variant = variants.into_iter().find(|variant| variant.runs.iter().any(is_own))?;
    Some(axes.into_iter().zip(variant.values).collect())
}

/// A setting in words, such as `gain 1/64`; for the algorithm, only its name, such as `smcc`.
fn setting(words: &str, text: &str) -> String {
    if words == "control" { value(text) } else { format!("{words} {}", value(text)) }
}

/// The names of folders, or their paths if the names are equal.
fn by_folder(folders: &[PathBuf]) -> Vec<String> {
    let name =
        |folder: &PathBuf| folder.file_name().map_or_else(String::new, |name| name.display().to_string());
    let names: Vec<String> = folders.iter().map(name).collect();
    if differ(&names) { names } else { folders.iter().map(|folder| folder.display().to_string()).collect() }
}

fn differ(names: &[String]) -> bool {
    names.iter().enumerate().all(|(index, name)| !names[..index].contains(name))
}
