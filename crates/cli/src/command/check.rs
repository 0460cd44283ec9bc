//! `setpoint check`: whether scenarios are right, and what they would run.

use std::path::{Path, PathBuf};

use clap::Args;
use setpoint_lab::scenario::{Prepared, Scenario};
use setpoint_sim::topology::NodeKind;
use setpoint_sim::{FlowControl, Spec};
use setpoint_units::Time;

use crate::failure::{Failure, Kind};
use crate::scenario::Settings;
use crate::terminal::{self, Facts, Screen, count, plain, things};

/// Check scenarios and say what they would run
///
/// Problems are shown with their lines, all those of a stage together: what is not TOML, then keys and values by
/// themselves, then what they mean together, then the variants of a sweep. A file that fails at one stage is not
/// looked at by the next; other files are. The exit code is 2 if there are any.
#[derive(Debug, Args)]
pub(crate) struct Check {
    /// Scenario files, or names of built-in scenarios
    #[arg(value_name = "FILE|NAME", required = true)]
    scenarios: Vec<PathBuf>,

    #[command(flatten)]
    settings: Settings,

    /// Print nothing but problems
    #[arg(long, short)]
    quiet: bool,
}

impl Check {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let mut wrong = false;
        for name in &self.scenarios {
            match self.describe(name) {
                Ok(text) if self.quiet => drop(text),
                Ok(text) => terminal::print(&text)?,
                Err(failure) => {
                    failure.report();
                    wrong = true;
                }
            }
        }
        if wrong { Err(Failure::Told(Kind::Usage)) } else { Ok(()) }
    }

    fn describe(&self, name: &Path) -> Result<String, Failure> {
        let scenario = self.settings.load(name)?;
        let prepared = scenario.prepare(self.settings.seed().unwrap_or(scenario.seed()))?;
        let variants = scenario.variants()?.len();
        let screen = Screen::of_stdout();
        let title = format!("{}: {}\n", plain(&name.display().to_string()), screen.paint.good("ok"));
        Ok(format!("{title}{}\n", facts(&scenario, &prepared, variants).render(screen)))
    }
}

fn facts(scenario: &Scenario, prepared: &Prepared, variants: usize) -> Facts {
    let spec = &prepared.spec;
    let mut facts = Facts::new();
    let colon = if prepared.description.is_empty() { "" } else { ": " };
    facts.say("scenario", plain(&format!("{}{colon}{}", prepared.name, prepared.description)));
    facts.add("network", network(spec));
    facts.add("flows", [count(spec.flows.len() as u64)]);
    facts.add("control", control(prepared));
    let sampled = format!("sampled every {}", spec.sample_interval);
    let measured = match spec.measure_from {
        Time::ZERO => "measured from the start".to_owned(),
        later => format!("measured from {later}"),
    };
    facts.add("duration", [spec.duration.to_string(), measured, sampled]);
    if !prepared.event_labels.is_empty() {
        facts.add("changes", [count(prepared.event_labels.len() as u64)]);
    }
    if variants > 1 {
        let axes: Vec<&str> = scenario.axes().collect();
        facts.say("sweep", format!("{} variants of {}", count(variants as u64), axes.join(" × ")));
    }
    facts
}

fn network(spec: &Spec) -> Vec<String> {
    let of_kind = |kind| spec.topology.nodes().iter().filter(|node| node.kind == kind).count() as u64;
    vec![
        things(of_kind(NodeKind::Station), "station"),
        things(of_kind(NodeKind::Bridge), "bridge"),
        things(spec.topology.links().len() as u64, "link"),
    ]
}

fn control(prepared: &Prepared) -> Vec<String> {
    let name = prepared.spec.control.congestion_point.algorithm().name();
    let congestion = match prepared.set_point {
        Some(set_point) => format!("{} with a set point of {set_point}", name.to_uppercase()),
        None => name.to_owned(),
    };
    let flow = match prepared.spec.flow_control {
        FlowControl::None => "no flow control",
        FlowControl::Pause(_) => "PAUSE",
        FlowControl::Pfc(..) => "PFC",
    };
    let promise = if prepared.lossless { "nothing may be lost" } else { "a full buffer drops" };
    vec![congestion, flow.to_owned(), promise.to_owned()]
}
