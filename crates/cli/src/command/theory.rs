//! What `fluid`, `stability` and `phase` have in common.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use setpoint_fluid::{Feedback, Increase, ModelOptions, Sampling, TargetUpdate};
use setpoint_lab::scenario::{Prepared, Scenario};
use setpoint_lab::store::{Destination, PLOTS};
use setpoint_lab::theory::{self, Finding, Origin, TheoryError};
use setpoint_report::document::Document;

use super::plots::Plots;

use crate::failure::Failure;
use crate::interrupt;
use crate::scenario::{Settings, default_name};
use crate::terminal::{self, Facts, Screen, Unit, indented, plain, quantity};

/// Lines of prose are not longer than this.
const PROSE: usize = 100;

/// Which scenario, and what to do with what is found.
#[derive(Debug, Args)]
pub(super) struct Asked {
    /// A scenario file, or the name of a built-in scenario if there is no such file [default: the built-in `default`]
    #[arg(value_name = "FILE|NAME")]
    scenario: Option<PathBuf>,

    #[command(flatten)]
    settings: Settings,

    /// Folder for what is found [default: results/NAME-fluid, -stability or -phase, by the name of the scenario, with
    /// what --set and --seed say appended]
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Print the record as JSON, and nothing else, on standard output
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    plots: Plots,

    /// Leave out the page
    #[arg(long)]
    no_report: bool,

    /// Print nothing but errors, and the JSON if that is asked for
    #[arg(long, short)]
    pub(super) quiet: bool,
}

/// A scenario that was read, and where its finding goes.
pub(super) struct Subject {
    pub(super) scenario: Scenario,
    pub(super) prepared: Prepared,
    pub(super) folder: PathBuf,
    place: Destination,
}

impl Asked {
    /// Reads the scenario, and opens a place for what is found.
    pub(super) fn read(&self, ending: &str) -> Result<Subject, Failure> {
        self.plots.check()?;
        let name = self.scenario.clone().unwrap_or_else(default_name);
        let scenario = self.settings.load(&name)?;
        let prepared = scenario.prepare(self.settings.seed().unwrap_or(scenario.seed()))?;
        let folder = self.out.clone().unwrap_or_else(|| self.settings.folder(scenario.name(), ending));
        let place = theory::open(&folder)?;
        interrupt::say_when_stopped("stopped; nothing was stored".to_owned());
        Ok(Subject { scenario, prepared, folder, place })
    }

    /// Stores a finding and tells of it.
    pub(super) fn store(&self, told: Told<'_>) -> Result<(), Failure> {
        let Told { finding, subject, options, work, took, text } = told;
        let Subject { prepared, folder, place, .. } = subject;
        let document = page(&finding);
        let page = (!self.no_report).then(|| document.html());
        let plots = self.plots.files(|| document.plots())?;
        theory::write(&finding, &Origin::of(&prepared, options), page.as_deref(), &plots, place)?;
        if self.json {
            return Ok(terminal::print(&finding.json())?);
        }
        if self.quiet {
            return Ok(());
        }
        let screen = Screen::of_stdout();
        let mut facts = Facts::new();
        facts.say(work, format!("in {}", quantity(Unit::Seconds, took.as_secs_f64())));
        self.add_places(&mut facts, &folder, &finding, screen);
        let mut told = format!("{}\n", screen.paint.strong(&plain(&prepared.name)));
        told += &indented(&plain(&prepared.description), 0, screen.width.min(PROSE));
        told += &format!("\n{}\n{}", text(screen), facts.render(screen));
        Ok(terminal::print(&told)?)
    }

    /// Where everything is.
    fn add_places(&self, facts: &mut Facts, folder: &Path, finding: &Finding<'_>, screen: Screen) {
        let link = |path: &Path| [screen.paint.link(&path.display().to_string())];
        facts.add("result", link(folder));
        if !self.no_report {
            facts.add("report", link(&folder.join(finding.page_file())));
        }
        if self.plots.wanted() {
            facts.add("plots", link(&folder.join(PLOTS)));
        }
    }
}

/// A finding with what there is to say about it.
pub(super) struct Told<'a> {
    pub(super) finding: Finding<'a>,
    pub(super) subject: Subject,
    pub(super) options: Vec<(String, String)>,
    /// What took so long, in a word.
    pub(super) work: &'static str,
    pub(super) took: Duration,
    pub(super) text: &'a dyn Fn(Screen) -> String,
}

/// The page of a finding.
fn page(finding: &Finding<'_>) -> Document {
    match finding {
        Finding::Fluid(record) => setpoint_report::fluid(record),
        Finding::Stability(record) => setpoint_report::stability(record),
        Finding::Phase(record) => setpoint_report::phase(record),
    }
}

/// How equations are read where that can be done in two ways.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct Readings {
    /// Which rates the increase of QCN's equation (10) looks at
    #[arg(long, value_enum, value_name = "READING", default_value = "at-source")]
    increase: IncreaseReading,

    /// What feedback without congestion does in QCN's equations
    #[arg(long, value_enum, value_name = "READING", default_value = "both-signs")]
    feedback: FeedbackReading,

    /// The sampling probability in QCN's equations
    #[arg(long, value_enum, value_name = "READING", default_value = "follows-feedback")]
    sampling: SamplingReading,

    /// Which messages set the target of QCN
    #[arg(long, value_enum, value_name = "READING", default_value = "every-message")]
    target: TargetReading,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum IncreaseReading {
    /// Those of now: the increase is clocked at the source
    AtSource,
    /// Those a loop's delay ago, as the equation is printed
    AsPrinted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FeedbackReading {
    /// It raises the rate as congestion would lower it, as the equation is printed
    BothSigns,
    /// Nothing: no message is sent then
    CongestionOnly,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SamplingReading {
    /// It follows the feedback by equation (13)
    FollowsFeedback,
    /// It is that of an uncongested queue, always
    Constant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TargetReading {
    /// Every message, as in equation (9)
    EveryMessage,
    /// A message after at least one cycle without any, as extra fast recovery has it
    AfterACycle,
}

impl Readings {
    pub(super) fn reading(self) -> ModelOptions {
        ModelOptions {
            increase: match self.increase {
                IncreaseReading::AtSource => Increase::AtSource,
                IncreaseReading::AsPrinted => Increase::AsPrinted,
            },
            feedback: match self.feedback {
                FeedbackReading::CongestionOnly => Feedback::CongestionOnly,
                FeedbackReading::BothSigns => Feedback::BothSigns,
            },
            sampling: match self.sampling {
                SamplingReading::FollowsFeedback => Sampling::FollowsFeedback,
                SamplingReading::Constant => Sampling::Constant,
            },
            target: match self.target {
                TargetReading::EveryMessage => TargetUpdate::EveryMessage,
                TargetReading::AfterACycle => TargetUpdate::AfterACycle,
            },
        }
    }

    /// As they would be given.
    pub(super) fn options(self) -> Vec<(String, String)> {
        let name = |value: Option<clap::builder::PossibleValue>| {
            value.map(|value| value.get_name().to_owned()).unwrap_or_default()
        };
        vec![
            ("increase".to_owned(), name(self.increase.to_possible_value())),
            ("feedback".to_owned(), name(self.feedback.to_possible_value())),
            ("sampling".to_owned(), name(self.sampling.to_possible_value())),
            ("target".to_owned(), name(self.target.to_possible_value())),
        ]
    }
}

/// What to say of an error about a scenario.
pub(super) fn failure(error: TheoryError, scenario: &str) -> Failure {
    let help = error.remedy().map(|remedy| format!("\n  help: {remedy}")).unwrap_or_default();
    match error {
        TheoryError::Scenario(diagnostics) => Failure::Scenario(diagnostics),
        TheoryError::NoForm(error) => {
            Failure::Usage(format!("the scenario `{scenario}` has no fluid form: {error}{help}"))
        }
        TheoryError::NoLoop(error) => {
            Failure::Usage(format!("the scenario `{scenario}` has no linear loop: {error}{help}"))
        }
        TheoryError::NoPlane(error) => Failure::Usage(format!("the scenario `{scenario}`: {error}")),
        TheoryError::TooManyCells { .. }
        | TheoryError::TooManyRuns { .. }
        | TheoryError::TooManySteps { .. }
        | TheoryError::SameKey(_) => Failure::Usage(format!("{error}{help}")),
        error if error.is_stopped() => Failure::Interrupted(format!("{error}; nothing was stored")),
        error => Failure::Run(error.to_string()),
    }
}
