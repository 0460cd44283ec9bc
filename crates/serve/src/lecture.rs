//! Lectures: sequences of steps, each with a text, a scenario, and what to watch when it runs.
//!
//! A lecture is a small TOML file (docs/lectures.md). Everything in it is checked when it is read, and all problems are
//! reported with their lines, so that no step fails in front of an audience.

mod problems;

use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use setpoint_lab::session::Request;
use setpoint_papers::papers;
use setpoint_record::catalogue;
use setpoint_scenario::{Source, builtin};
use setpoint_suggest::did_you_mean;
use setpoint_units::TimeDelta;
use toml::Spanned;

pub use problems::LectureError;
use problems::Problems;

/// The name of the built-in lecture, and its text.
const BUILT_IN: (&str, &str) = ("qcn", include_str!("../lectures/qcn.toml"));
/// Maximum number of steps.
const MOST_STEPS: usize = 200;

/// A lecture whose scenarios can all run.
#[derive(Clone, Debug, Serialize)]
pub struct Lecture {
    /// Its name in addresses.
    id: String,
    title: String,
    description: String,
    steps: Vec<Step>,
}

/// A step.
#[derive(Clone, Debug, Serialize)]
struct Step {
    title: String,
    /// Paragraphs.
    text: Vec<String>,
    /// Sentences on details to watch during the run, or to notice when it has ended.
    watch: Vec<String>,
    /// The text of the scenario.
    scenario: String,
    settings: Vec<String>,
    /// Simulated seconds per second; `None` for a run that is as fast as possible.
    speed: Option<f64>,
    /// The parts that are shown.
    show: Vec<Part>,
    /// Metrics that are shown when the run has ended.
    figures: Vec<Figure>,
    changes: Vec<Change>,
}

/// A metric of a run.
#[derive(Clone, Copy, Debug, Serialize)]
struct Figure {
    name: &'static str,
    title: &'static str,
}

/// A variant of a step.
#[derive(Clone, Debug, Serialize)]
struct Change {
    label: String,
    /// All settings, including those of the step.
    settings: Vec<String>,
    watch: Vec<String>,
}

/// A part of the display of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Part {
    Network,
    Queues,
    Rates,
}

/// The file of a lecture.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    title: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    steps: Vec<Spanned<StepEntry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StepEntry {
    title: String,
    text: String,
    watch: Vec<String>,
    scenario: Spanned<String>,
    #[serde(default)]
    set: Vec<Spanned<String>>,
    speed: Option<Spanned<String>>,
    show: Option<Spanned<Vec<Part>>>,
    #[serde(default)]
    figures: Vec<Spanned<String>>,
    #[serde(default)]
    changes: Vec<Spanned<ChangeEntry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChangeEntry {
    label: String,
    set: Vec<Spanned<String>>,
    #[serde(default)]
    watch: Vec<String>,
}

impl Lecture {
    /// The lecture that ships with Setpoint.
    ///
    /// # Panics
    /// Never: a test reads it.
    #[must_use]
    pub fn built_in() -> &'static Self {
        static READ: OnceLock<Lecture> = OnceLock::new();
        let (id, text) = BUILT_IN;
        READ.get_or_init(|| Self::of_text(id, "qcn.toml", text, None).expect("a test reads this lecture"))
    }

    /// Reads a lecture from a file.
    ///
    /// # Errors
    /// Returns all problems of the file, with their lines.
    pub fn read(path: &Path) -> Result<Self, LectureError> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| LectureError::of_file(&name, &format!("cannot be read: {error}")))?;
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        // Only letters that need no escape in an address. The built-in lecture keeps its name.
        let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
        let id = match stem.chars().map(plain).collect::<String>() {
            id if id.is_empty() || id == BUILT_IN.0 => format!("{id}-file"),
            id => id,
        };
        Self::of_text(&id, &name, &text, Some(path.parent().unwrap_or(Path::new(""))))
    }

    /// Its name in addresses.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    fn of_text(id: &str, name: &str, text: &str, folder: Option<&Path>) -> Result<Self, LectureError> {
        let mut problems = Problems::new(name, text);
        let file: File = match toml::from_str(text) {
            Ok(file) => file,
            Err(error) => {
                problems.add(error.span().unwrap_or_default(), error.message());
                return Err(problems.into_error());
            }
        };
        match file.steps.len() {
            0 => problems.add(0..0, "the lecture has no steps; a step begins with `[[steps]]`"),
            steps if steps > MOST_STEPS => {
                problems.add(0..0, &format!("the lecture has {steps} steps; the maximum is {MOST_STEPS}"));
            }
            _ => {}
        }
        let reader = Reader { folder, problems: &mut problems };
        let steps = reader.steps(file.steps.into_iter().take(MOST_STEPS));
        problems.or(Self { id: id.to_owned(), title: file.title, description: file.description, steps })
    }
}

/// Reads steps and collects their problems.
struct Reader<'a> {
    /// The folder of the file, for scenarios in files.
    folder: Option<&'a Path>,
    problems: &'a mut Problems,
}

impl Reader<'_> {
    fn steps(mut self, entries: impl Iterator<Item = Spanned<StepEntry>>) -> Vec<Step> {
        entries.filter_map(|entry| self.step(entry.into_inner())).collect()
    }

    fn step(&mut self, entry: StepEntry) -> Option<Step> {
        let StepEntry { title, text, watch, scenario, set, speed, show, figures, changes } = entry;
        let speed = speed.and_then(|speed| self.speed(&speed));
        let show = show.map_or(vec![Part::Network, Part::Queues], |show| self.shown(show));
        let figures = figures.iter().filter_map(|figure| self.figure(figure)).collect();
        let (source, case) = self.source(&scenario)?;
        let settings: Vec<String> =
            case.into_iter().chain(set.iter().map(|setting| setting.get_ref().clone())).collect();
        let span = set.first().map_or(scenario.span(), Spanned::span);
        self.check(&source, &settings, span);
        let changes =
            changes.into_iter().map(|change| self.change(&source, &settings, change.into_inner())).collect();
        let paragraphs = text.split("\n\n").map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
        Some(Step {
            title,
            text: paragraphs.filter(|text| !text.is_empty()).collect(),
            watch,
            scenario: source.text,
            settings,
            speed,
            show,
            figures,
            changes,
        })
    }

    fn change(&mut self, source: &Source, before: &[String], entry: ChangeEntry) -> Change {
        let ChangeEntry { label, set, watch } = entry;
        let span = set.first().map_or(0..0, Spanned::span);
        let settings: Vec<String> =
            before.iter().cloned().chain(set.into_iter().map(Spanned::into_inner)).collect();
        self.check(source, &settings, span);
        Change { label, settings, watch }
    }

    /// A built-in scenario, a case of an experiment with its settings, the text itself, or a file relative to the lecture.
    fn source(&mut self, name: &Spanned<String>) -> Option<(Source, Vec<String>)> {
        let (span, name) = (name.span(), name.get_ref());
        if name.contains('\n') {
            return Some((Source::new("scenario", name), Vec::new()));
        }
        if let Some(found) = builtin().iter().find(|builtin| builtin.name == name) {
            return Some((Source::new(found.name, found.text), Vec::new()));
        }
        if let Some((experiment, case)) = name.split_once(':') {
            let papers = papers();
            let found = papers.iter().find_map(|paper| paper.experiment(experiment));
            let cases = found.map(|experiment| &experiment.cases[..]).unwrap_or_default();
            if let Some(found) = cases.iter().find(|found| found.name == case) {
                return Some((Source::new(name, found.scenario), found.settings.clone()));
            }
            let message = match found {
                Some(_) => format!("the experiment {experiment} has no case {case:?}"),
                None => format!(
                    "there is no experiment {experiment:?}; `setpoint reproduce --list` shows their names"
                ),
            };
            self.problems.add(span, &message);
            return None;
        }
        self.file(span, name).map(|source| (source, Vec::new()))
    }

    fn file(&mut self, span: Range<usize>, name: &str) -> Option<Source> {
        match self
            .folder
            .filter(|_| name.ends_with(".toml"))
            .map(|folder| std::fs::read_to_string(folder.join(name)))
        {
            Some(Ok(text)) => return Some(Source::new(name, text)),
            Some(Err(error)) => {
                self.problems.add(span, &format!("the scenario {name:?} cannot be read: {error}"));
            }
            None => {
                let near = did_you_mean(name, builtin().iter().map(|builtin| builtin.name));
                let help = near.unwrap_or_else(|| {
                    "`setpoint list` shows their names; a scenario in a file ends in `.toml`".into()
                });
                self.problems.add(span, &format!("there is no built-in scenario {name:?}; {help}"));
            }
        }
        None
    }

    /// Checks that a scenario can run with its settings.
    fn check(&mut self, source: &Source, settings: &[String], span: Range<usize>) {
        let prepared = Request::new(source.clone(), settings, None).and_then(|request| request.prepare());
        for problem in prepared.err().iter().flat_map(setpoint_scenario::Diagnostics::problems) {
            let remedies = problem.remedies().iter().map(|remedy| format!("; {remedy}")).collect::<String>();
            self.problems.add(
                span.clone(),
                &format!("the scenario {:?}: {}{remedies}", source.name, problem.message()),
            );
        }
    }

    /// Simulated seconds per second, from text such as `10 ms/s`.
    fn speed(&mut self, speed: &Spanned<String>) -> Option<f64> {
        let time = speed.get_ref().strip_suffix("/s").and_then(|time| time.trim().parse::<TimeDelta>().ok());
        let per_second = time.map(TimeDelta::as_secs_f64).filter(|speed| *speed > 0.0);
        if per_second.is_none() {
            let message = format!(
                "`speed` is {:?}; write simulated time per second, as in \"10 ms/s\"",
                speed.get_ref()
            );
            self.problems.add(speed.span(), &message);
        }
        per_second
    }

    fn shown(&mut self, show: Spanned<Vec<Part>>) -> Vec<Part> {
        if show.get_ref().is_empty() {
            self.problems.add(
                show.span(),
                "`show` is empty; write at least one of \"network\", \"queues\" and \"rates\"",
            );
        }
        show.into_inner()
    }

    fn figure(&mut self, figure: &Spanned<String>) -> Option<Figure> {
        let name = figure.get_ref();
        if let Some(metric) = catalogue::all().find(|metric| metric.name == name) {
            return Some(Figure { name: metric.name, title: metric.title });
        }
        let near = did_you_mean(name, catalogue::all().map(|metric| metric.name));
        let help = near.unwrap_or_else(|| "docs/results.md lists the metrics".into());
        self.problems.add(figure.span(), &format!("there is no metric {name:?}; {help}"));
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_lecture_has_ten_steps() {
        let (id, text) = BUILT_IN;
        let lecture = Lecture::of_text(id, "qcn.toml", text, None).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(lecture.steps.len(), 10);
    }

    #[test]
    fn the_documented_lecture_can_be_shown() {
        let text = include_str!("../../../docs/lectures.md");
        let (_, example) = text.split_once("```toml\n").unwrap();
        let (example, _) = example.split_once("```\n").unwrap();
        let lecture =
            Lecture::of_text("t", "lectures.md", example, None).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(lecture.steps[0].text.len(), 2);
        assert_eq!(lecture.steps[0].changes[0].settings, ["control=none"]);
    }

    #[test]
    fn problems_have_their_lines() {
        let step = |more: &str| {
            format!("title = \"T\"\n[[steps]]\ntitle = \"S\"\ntext = \"\"\nwatch = []\n{more}\n")
        };
        let error = |more: &str| Lecture::of_text("t", "t.toml", &step(more), None).unwrap_err().to_string();
        assert_eq!(
            error("scenario = \"defualt\""),
            "t.toml:6: there is no built-in scenario \"defualt\"; did you mean `default`?"
        );
        let both = error("scenario = \"default\"\nspeed = \"10 ms\"\nfigures = [\"queue_men\"]");
        assert!(both.contains("t.toml:7: `speed` is \"10 ms\"; write simulated time per second"), "{both}");
        assert!(both.contains("t.toml:8: there is no metric \"queue_men\""), "{both}");
        let set = error(
            "scenario = \"default\"\n\n[[steps.changes]]\nlabel = \"L\"\nset = [\"control.qcn.cp.weight=0\"]",
        );
        assert!(
            set.starts_with(
                "t.toml:10: the scenario \"default\": `weight`: \"0\" is not a power of two; write"
            ),
            "{set}"
        );
        let unknown = error("scenario = \"default\"\nscenaro = 1");
        assert!(unknown.starts_with("t.toml:7: unknown field `scenaro`"), "{unknown}");
        let empty = Lecture::of_text("t", "t.toml", "title = \"T\"", None).unwrap_err().to_string();
        assert!(empty.contains("no steps"), "{empty}");
    }
}
