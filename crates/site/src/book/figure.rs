//! Figures of runs. A comment in a chapter names a built-in scenario; the page shows plots of its run.
//!
//! The comment is TOML, so that code hosts show nothing:
//!
//! ```text
//! <!-- run
//! id = "qcn-queue"
//! title = "QCN keeps a queue at its set point"
//! scenario = "default"
//! set = ["duration=400 ms", "at=[]"]
//! show = ["queues", "rates"]
//! -->
//! ```

use std::fmt::Write;

use serde::Deserialize;
use setpoint_lab::build;
use setpoint_lab::session::Request;
use setpoint_papers::papers;
use setpoint_plot::{Figure, Room};
use setpoint_record::results::RunRecord;
use setpoint_record::run::run;
use setpoint_report::document::{Block, Section};
use setpoint_report::shell_word;
use setpoint_scenario::{Colour, Diagnostics, Source};
use setpoint_sim::Unwatched;

use super::chapter::Chapter;
use crate::SiteError;
use crate::escape::escaped;
use crate::laboratory::Scene;

/// The beginning of a comment that describes a figure.
const START: &str = "<!-- run\n";

/// A figure of one or several runs of a built-in scenario.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RunFigure {
    /// The identifier for links.
    id: String,
    title: String,
    /// The name of a built-in scenario, or the id of an experiment.
    scenario: String,
    /// Settings of all runs, as for `setpoint run --set`.
    #[serde(default)]
    set: Vec<String>,
    /// The runs; if none are given, there is a single run without its own settings.
    #[serde(default)]
    runs: Vec<Variant>,
    /// The names of the report's plots to show.
    show: Vec<String>,
}

/// A run with its own settings.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Variant {
    /// Its name in the titles of plots.
    label: String,
    #[serde(default)]
    set: Vec<String>,
    /// The name of a case of the experiment.
    case: Option<String>,
}

impl RunFigure {
    /// The figure that a comment describes; none if it is an ordinary comment.
    ///
    /// # Errors
    /// If the description is invalid.
    pub(super) fn parse(comment: &str, chapter: &Chapter) -> Result<Option<Self>, SiteError> {
        let Some(text) = comment.strip_prefix(START).and_then(|rest| rest.trim_end().strip_suffix("-->"))
        else {
            return Ok(None);
        };
        let figure: Self =
            toml::from_str(text).map_err(|error| failed(chapter, "a run", &error.to_string()))?;
        Ok(Some(figure))
    }

    /// Runs the scenario and renders the plots. With a laboratory, the figure has links that run it there.
    ///
    /// # Errors
    /// If the scenario or a setting is invalid, a run fails, or a run has no such plot.
    pub(super) fn html(&self, chapter: &Chapter, has_laboratory: bool) -> Result<String, SiteError> {
        let one = [Variant::default()];
        let variants = if self.runs.is_empty() { &one[..] } else { &self.runs };
        let fail = |why: &str| failed(chapter, &self.id, why);
        let records = variants.iter().map(|variant| self.run(variant)).collect::<Result<Vec<_>, _>>();
        let records = records.map_err(|why| fail(&why))?;
        let plots =
            self.show.iter().map(|name| self.plots(name, variants, &records)).collect::<Result<Vec<_>, _>>();
        let plots = plots.map_err(|why| fail(&why))?.concat();
        let section = Section::new(&self.id, &self.title).with(Block::Figures(plots));
        let trials = if has_laboratory { self.trials(variants, chapter) } else { String::new() };
        Ok(format!(
            "<section class=\"run\" id=\"{id}\" aria-labelledby=\"{id}-title\"><p class=\"run-title\" id=\"{id}-title\">{}</p>\n{}{trials}{}</section>\n",
            escaped(&self.title),
            section.content(),
            self.commands(variants),
            id = escaped(&self.id),
        ))
    }

    fn settings<'a>(&'a self, variant: &'a Variant) -> impl Iterator<Item = &'a String> {
        self.set.iter().chain(&variant.set)
    }

    fn run(&self, variant: &Variant) -> Result<RunRecord, String> {
        let described = |problem: Diagnostics| problem.render(Colour::Off);
        let (source, mut settings) = match &variant.case {
            None => (Source::builtin(&self.scenario).map_err(described)?, Vec::new()),
            Some(name) => self.case(name).ok_or_else(|| format!("{} has no case `{name}`", self.scenario))?,
        };
        settings.extend(self.settings(variant).cloned());
        let request = Request::new(source, settings, None).map_err(described)?;
        let (_, prepared) = request.prepare().map_err(described)?;
        run(&prepared, build::current(), &mut Unwatched).map_err(|error| error.to_string())
    }

    /// The scenario and the settings of a case.
    fn case(&self, name: &str) -> Option<(Source, Vec<String>)> {
        let papers = papers();
        let experiment = papers.iter().find_map(|paper| paper.experiment(&self.scenario))?;
        let case = experiment.cases.iter().find(|case| case.name == name)?;
        Some((Source::new(format!("{}.toml", case.name), case.scenario), case.settings.clone()))
    }

    /// A plot of every run. Several plots are shown side by side.
    fn plots(&self, name: &str, variants: &[Variant], records: &[RunRecord]) -> Result<Vec<Figure>, String> {
        let plot = |(variant, record): (&Variant, &RunRecord)| -> Result<(String, Room, Figure), String> {
            let plot = setpoint_report::figures(record).into_iter().find(|figure| figure.name == name);
            let plot = plot.ok_or_else(|| format!("a run has no plot `{name}`"))?;
            let room = if records.len() * self.show.len() > 1 { Room::Half } else { Room::Full };
            let title = match variant.label.as_str() {
                "" => plot.title.clone(),
                label => format!("{label}: {}", lower(&plot.title)),
            };
            Ok((title, room, plot))
        };
        let plots: Vec<_> = variants.iter().zip(records).map(plot).collect::<Result<_, _>>()?;
        let named = |(place, (title, room, plot)): (usize, (String, Room, Figure))| Figure {
            name: format!("{}-{name}-{}", self.id, place + 1),
            title,
            room,
            ..plot
        };
        Ok(plots.into_iter().enumerate().map(named).collect())
    }

    /// Links that run the figure in place, where its scenario can be changed; without scripts, they open the laboratory.
    fn trials(&self, variants: &[Variant], chapter: &Chapter) -> String {
        let link = |variant: &Variant| {
            let scene = match &variant.case {
                None => Scene::builtin(&self.scenario, self.settings(variant)),
                Some(case) => Scene::case(&self.scenario, case, self.settings(variant)),
            };
            let name = if variant.label.is_empty() { &self.title } else { &variant.label };
            let text = match variant.label.as_str() {
                "" => "Run and change".to_owned(),
                label => format!("Run and change: {}", escaped(label)),
            };
            format!(
                "<a class=\"trial\" href=\"{}\" data-figure=\"{}\" data-name=\"{}\">{text}</a>",
                escaped(&scene.bench(&chapter.address)),
                escaped(&scene.figure(&chapter.address)),
                escaped(name)
            )
        };
        let links: Vec<String> = variants.iter().map(link).collect();
        format!("<p class=\"trials\">{}</p>\n", links.join("\n"))
    }

    /// The commands that repeat the runs.
    fn commands(&self, variants: &[Variant]) -> String {
        let mut text = String::new();
        for variant in variants.iter().filter(|variant| variant.case.is_none()) {
            let _ = write!(text, "setpoint run {}", self.scenario);
            for setting in self.settings(variant) {
                let _ = write!(text, " --set {}", shell_word(setting));
            }
            text.push('\n');
        }
        if variants.iter().any(|variant| variant.case.is_some()) {
            let _ = writeln!(text, "setpoint reproduce {}", self.scenario);
        }
        format!(
            "<details><summary>Repeat</summary><pre tabindex=\"0\"><code>{}</code></pre></details>\n",
            escaped(&text)
        )
    }
}

/// A title in the middle of a sentence.
fn lower(title: &str) -> String {
    let mut letters = title.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

fn failed(chapter: &Chapter, figure: &str, why: &str) -> SiteError {
    SiteError::Figure { chapter: chapter.path, figure: figure.to_owned(), why: why.trim_end().to_owned() }
}
