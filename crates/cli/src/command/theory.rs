//! Options and output shared by `fluid`, `stability` and `phase`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use setpoint_fluid::{Feedback, Increase, ModelOptions, Sampling, TargetUpdate};
use setpoint_lab::store::Destination;
use setpoint_lab::theory::{self, DcqcnReading, EquilibriumRecord, Finding, Origin, TheoryError};
use setpoint_report::document::Document;
use setpoint_scenario::{Prepared, Scenario};

use super::output::Output;

use crate::failure::Failure;
use crate::interrupt;
use crate::scenario::{Settings, default_name};
use crate::terminal::{self, Facts, Screen, Unit, indented, plain, quantity};

/// Maximum length of lines of prose.
const PROSE: usize = 100;

/// The scenario, and where and how to present the result.
#[derive(Debug, Args)]
pub(super) struct CommonOptions {
    /// A scenario file, or the name of a built-in scenario if there is no such file [default: the built-in
    /// `default`]
    #[arg(value_name = "FILE|NAME")]
    scenario: Option<PathBuf>,

    #[command(flatten)]
    pub(super) settings: Settings,

    /// Folder for the result [default: results/NAME-fluid, -stability or -phase, with NAME from the scenario,
    /// followed by the values of --set and --seed]
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,

    #[command(flatten)]
    pub(super) output: Output,
}

/// A prepared scenario, and the destination of its result.
pub(super) struct Subject {
    pub(super) scenario: Scenario,
    pub(super) prepared: Prepared,
    pub(super) folder: PathBuf,
    place: Destination,
}

impl CommonOptions {
    /// Reads the scenario and opens the destination.
    pub(super) fn read(&self, ending: &str) -> Result<Subject, Failure> {
        self.output.plots.check()?;
        let (scenario, folder) = self.scenario_and_folder(ending)?;
        let prepared = scenario.prepare(self.settings.seed_for(&scenario))?;
        let place = theory::open(&folder)?;
        interrupt::set_stop_message("stopped; nothing was stored".to_owned());
        Ok(Subject { scenario, prepared, folder, place })
    }

    /// Reads the scenario and determines the folder of its result, without opening the folder.
    pub(super) fn scenario_and_folder(&self, ending: &str) -> Result<(Scenario, PathBuf), Failure> {
        let name = self.scenario.clone().unwrap_or_else(default_name);
        let scenario = self.settings.load(&name)?;
        let folder = self.out.clone().unwrap_or_else(|| self.settings.folder(scenario.name(), ending));
        Ok((scenario, folder))
    }

    /// Stores a finding and prints it.
    pub(super) fn store(&self, completed: Completed<'_>) -> Result<(), Failure> {
        let Completed { finding, subject, options, work, took, text } = completed;
        let Subject { prepared, folder, place, .. } = subject;
        let (page, plots) = self.output.files(&page(&finding))?;
        theory::write(&finding, &Origin::of(&prepared, options), page.as_deref(), &plots, place)?;
        if self.output.json {
            return Ok(terminal::print(&finding.json())?);
        }
        if self.output.quiet {
            return Ok(());
        }
        let screen = Screen::of_stdout();
        let mut facts = Facts::new();
        facts.add_text(work, format!("in {}", quantity(Unit::Seconds, took.as_secs_f64())));
        facts.add("result", [screen.paint.link(&folder.display().to_string())]);
        self.output.add_places(&mut facts, &folder, &finding.page_file(), screen);
        let mut output = format!("{}\n", screen.paint.strong(&plain(&prepared.name)));
        output += &indented(&plain(&prepared.description), 0, screen.width.min(PROSE));
        output += &format!("\n{}\n{}", text(screen), facts.render(screen));
        Ok(terminal::print(&output)?)
    }
}

/// A finding, ready to be stored and printed.
pub(super) struct Completed<'a> {
    pub(super) finding: Finding<'a>,
    pub(super) subject: Subject,
    pub(super) options: Vec<(String, String)>,
    /// The label of the elapsed time.
    pub(super) work: &'static str,
    pub(super) took: Duration,
    pub(super) text: &'a dyn Fn(Screen) -> String,
}

pub(super) fn page(finding: &Finding<'_>) -> Document {
    match finding {
        Finding::Fluid(record) => setpoint_report::fluid(record),
        Finding::Stability(record) => setpoint_report::stability(record),
        Finding::Phase(record) => setpoint_report::phase(record),
        Finding::Atlas(record) => setpoint_report::atlas(record),
    }
}

/// How to interpret equations where the papers are ambiguous.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct Readings {
    /// The rates in the increase term of QCN's equation (10)
    #[arg(long, value_enum, value_name = "READING", default_value = "at-source")]
    increase: IncreaseReading,

    /// The effect of feedback without congestion in QCN's equations
    #[arg(long, value_enum, value_name = "READING", default_value = "both-signs")]
    feedback: FeedbackReading,

    /// The sampling probability in QCN's equations
    #[arg(long, value_enum, value_name = "READING", default_value = "follows-feedback")]
    sampling: SamplingReading,

    /// The messages that set the target rate of QCN
    #[arg(long, value_enum, value_name = "READING", default_value = "every-message")]
    target: TargetReading,

    /// How DCQCN's equations count cuts and increases
    #[arg(long, value_enum, value_name = "READING", default_value = "renewal")]
    dcqcn: DcqcnCycles,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum IncreaseReading {
    /// The current rates: the increase is clocked at the source
    AtSource,
    /// The rates one loop delay ago, as printed in the paper
    AsPrinted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FeedbackReading {
    /// It raises the rate just as congestion lowers it, as printed in the paper
    BothSigns,
    /// None: no message is sent without congestion
    CongestionOnly,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SamplingReading {
    /// It follows the feedback according to equation (13), and is lowest without congestion
    FollowsFeedback,
    /// It follows the magnitude of the feedback, so it also rises while the queue is short
    FollowsMagnitude,
    /// It is constant, as for an uncongested queue
    Constant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TargetReading {
    /// Every message, as in equation (9)
    EveryMessage,
    /// The first message after at least one cycle without messages, as in extra fast recovery
    AfterACycle,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DcqcnCycles {
    /// As means over the time between two cuts, as the protocol counts them
    Renewal,
    /// As printed in the paper
    AsPrinted,
}

impl Readings {
    pub(super) fn dcqcn(self) -> DcqcnReading {
        match self.dcqcn {
            DcqcnCycles::Renewal => DcqcnReading::Renewal,
            DcqcnCycles::AsPrinted => DcqcnReading::AsPrinted,
        }
    }

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
                SamplingReading::FollowsMagnitude => Sampling::FollowsMagnitude,
                SamplingReading::Constant => Sampling::Constant,
            },
            target: match self.target {
                TargetReading::EveryMessage => TargetUpdate::EveryMessage,
                TargetReading::AfterACycle => TargetUpdate::AfterACycle,
            },
        }
    }

    /// The options as given on the command line.
    pub(super) fn options(self) -> Vec<(String, String)> {
        let name = |value: Option<clap::builder::PossibleValue>| {
            value.map(|value| value.get_name().to_owned()).unwrap_or_default()
        };
        vec![
            ("increase".to_owned(), name(self.increase.to_possible_value())),
            ("feedback".to_owned(), name(self.feedback.to_possible_value())),
            ("sampling".to_owned(), name(self.sampling.to_possible_value())),
            ("target".to_owned(), name(self.target.to_possible_value())),
            ("dcqcn".to_owned(), name(self.dcqcn.to_possible_value())),
        ]
    }
}

/// The equilibrium in one line: rate and queue, and the marking probability and α at which they are constant.
pub(super) fn equilibrium(at: &EquilibriumRecord) -> Vec<String> {
    let mut parts = vec![
        format!("{} per source", quantity(Unit::BitsPerSecond, at.rate_bps)),
        format!("queue {}", quantity(Unit::Bytes, at.queue_bytes.round())),
    ];
    parts.extend(at.marking_share.map(|share| format!("{} of frames marked", quantity(Unit::Share, share))));
    parts.extend(at.alpha.map(|alpha| format!("α {}", quantity(Unit::Ratio, alpha))));
    parts
}

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
