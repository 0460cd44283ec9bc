//! `setpoint check`: validates scenarios and describes what they would run.

mod links;
mod messages;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use setpoint_control::Marking;
use setpoint_scenario::{Prepared, Scenario};
use setpoint_sim::topology::NodeKind;
use setpoint_sim::{
    Bridges, ControlSpec, Delivery, FlowControl, Placement, Priority, SharedBuffer, Spec, shared_budgets,
};
use setpoint_units::{Bytes, Time};

use crate::failure::{Failure, Kind};
use crate::memory;
use crate::scenario::{Axes, Settings};
use crate::terminal::{self, Facts, Screen, count, plain, things};
use crate::warnings::Warnings;

/// Check scenarios and describe what they would run
///
/// Problems are shown with their lines, one stage at a time: TOML syntax, then individual keys and
/// values, then their combination, then the variants of a sweep. A file that fails at one stage is not checked
/// further; other files are. The exit code is 2 if there are any problems.
///
/// A scenario that can run but is implausible gets warnings, each with a code for `setpoint explain`. For links
/// under PAUSE or PFC, tables show the threshold, the configured and the required headroom with its parts,
/// and the buffer that a port and a bridge need.
#[derive(Debug, Args)]
pub(crate) struct Check {
    /// Scenario files, or names of built-in scenarios
    #[arg(value_name = "FILE|NAME", required = true)]
    scenarios: Vec<PathBuf>,

    #[command(flatten)]
    settings: Settings,

    #[command(flatten)]
    axes: Axes,

    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,

    /// Print only problems
    #[arg(long, short)]
    quiet: bool,
}

impl Check {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let mut wrong = false;
        for name in &self.scenarios {
            match self.describe(name) {
                Ok((text, warnings)) => {
                    if !self.quiet {
                        terminal::print(&text)?;
                    }
                    warnings.print();
                    wrong |= self.strict && warnings.count() > 0;
                }
                Err(failure) => {
                    failure.report();
                    wrong = true;
                }
            }
        }
        if wrong { Err(Failure::Reported(Kind::Usage)) } else { Ok(()) }
    }

    fn describe(&self, name: &Path) -> Result<(String, Warnings), Failure> {
        let scenario = self.axes.add_to(self.settings.load(name)?)?;
        let prepared = scenario.prepare(self.settings.seed_for(&scenario))?;
        let variants = scenario.variants()?;
        let warnings = Warnings::of_variants(&variants, self.settings.seed());
        let screen = Screen::of_stdout();
        let title = format!("{}: {}\n", plain(&name.display().to_string()), self.verdict(&warnings, screen));
        let mut facts = facts(&scenario, &prepared, variants.len());
        facts.add("memory", memory::describe(&prepared.spec)?);
        let links = links::table(&prepared.spec, screen);
        Ok((format!("{title}{}{links}\n", facts.render(screen)), warnings))
    }

    fn verdict(&self, warnings: &Warnings, screen: Screen) -> String {
        let warned = things(warnings.count() as u64, "warning");
        match warnings.count() {
            0 => screen.paint.good("ok"),
            _ if self.strict => screen.paint.bad(&warned),
            _ => format!("{}, {warned}", screen.paint.good("ok")),
        }
    }
}

fn facts(scenario: &Scenario, prepared: &Prepared, variants: usize) -> Facts {
    let spec = &prepared.spec;
    let mut facts = Facts::new();
    let colon = if prepared.description.is_empty() { "" } else { ": " };
    facts.add_text("scenario", plain(&format!("{}{colon}{}", prepared.name, prepared.description)));
    facts.add("network", network(spec));
    facts.add("bridges", bridges(spec));
    facts.add("flows", [count(spec.flows.len() as u64)]);
    facts.add("messages", messages::describe(prepared));
    facts.add("groups", groups(prepared));
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
        facts.add_text("sweep", format!("{} variants of {}", count(variants as u64), axes.join(" × ")));
    }
    facts
}

fn network(spec: &Spec) -> Vec<String> {
    let of_kind = |kind| spec.topology.nodes().iter().filter(|node| node.kind == kind).count() as u64;
    let mut parts =
        vec![things(of_kind(NodeKind::Station), "station"), things(of_kind(NodeKind::Bridge), "bridge")];
    parts.extend(has_spines(spec).then(|| things(of_kind(NodeKind::Spine), "spine")));
    parts.push(things(spec.topology.links().len() as u64, "link"));
    parts
}

/// Number of groups, and their delivery.
fn groups(prepared: &Prepared) -> Vec<String> {
    let groups = &prepared.groups;
    if groups.is_empty() {
        return Vec::new();
    }
    let members = groups.iter().map(|group| group.members.len() as u64).sum();
    let delivery = if prepared.spec.groups.is_empty() { "multiple unicast" } else { "multicast" };
    vec![count(groups.len() as u64), things(members, "member"), delivery.to_owned()]
}

fn has_spines(spec: &Spec) -> bool {
    spec.topology.nodes().iter().any(|node| node.kind == NodeKind::Spine)
}

/// The internal structure of bridges.
fn bridges(spec: &Spec) -> Vec<String> {
    let outputs = format!("{} per output", spec.buffer);
    if let Bridges::SharedBuffer(shared) = spec.bridges {
        return shared_buffer(spec, &shared);
    }
    let Bridges::Cioq(cioq) = spec.bridges else {
        let protected = spec.flow_control.protected();
        // Frames under flow control are bounded by the inputs, not by the output buffer.
        let binds = spec.flows.iter().any(|flow| !protected.contains(flow.priority));
        return ["output-queued".to_owned()].into_iter().chain(binds.then_some(outputs)).collect();
    };
    let inputs = format!("{} per input in units of {}", cioq.input_buffer, cioq.unit);
    let between = if has_spines(spec) {
        format!("cells of {} between leaves", cioq.cells.payload)
    } else {
        format!("speed-up {}", cioq.speedup)
    };
    let mut parts = vec!["cioq".to_owned(), inputs, outputs, between];
    parts.extend((cioq.delivery == Delivery::Reliable).then(|| "reliable delivery".to_owned()));
    parts
}

/// The parts of the shared buffer of the bridge with the least shared space.
fn shared_buffer(spec: &Spec, shared: &SharedBuffer) -> Vec<String> {
    let mut parts = vec!["shared_buffer".to_owned(), format!("{} per bridge", shared.size)];
    let budgets = shared_budgets(spec).unwrap_or_default();
    let Some(least) = budgets.iter().min_by_key(|budget| budget.shared()) else { return parts };
    let rest = least.shared().unwrap_or(Bytes::ZERO);
    parts.push(format!("reserves {}", least.reserves));
    parts.push(format!("headroom pool {}", least.headroom_pool));
    parts.push(format!("shared pool {rest}"));
    parts.extend(alphas(spec, shared));
    if spec.flow_control != FlowControl::None {
        parts.push(match least.exhausted_by {
            None => "headroom for the worst case".to_owned(),
            Some(_) => format!("headroom pool {} too small for the worst case", least.oversubscribed()),
        });
    }
    parts
}

/// The factors of the dynamic thresholds, for all priorities in use.
fn alphas(spec: &Spec, shared: &SharedBuffer) -> Vec<String> {
    let protected = spec.flow_control.protected();
    let used: BTreeSet<Priority> = spec.flows.iter().map(|flow| flow.priority).collect();
    let alpha = |priority: Priority| {
        let action = if protected.contains(priority) { "inputs pause" } else { "queues drop" };
        let factor = shared.alpha_of(priority, &spec.flow_control).factor();
        format!("{action} above {factor} × the free shared space (priority {})", priority.get())
    };
    used.into_iter().map(alpha).collect()
}

/// Placement and marking of congestion points, if they differ from the standard.
fn points(control: &ControlSpec) -> Vec<String> {
    let mut parts = Vec::new();
    match control.placement {
        Placement::Outputs => return parts,
        Placement::Inputs => parts.push("congestion points at inputs".to_owned()),
        Placement::Both => parts.push("congestion points at inputs and outputs".to_owned()),
    }
    parts.push(
        match control.marking {
            Marking::Arrival => "arrival marking",
            Marking::LargestBacklog => "largest-backlog marking",
            Marking::RandomOccupancy(_) => "random occupancy marking",
        }
        .to_owned(),
    );
    parts.extend(control.keep_alive.map(|clock| format!("keep-alive every {clock}")));
    parts
}

fn control(prepared: &Prepared) -> Vec<String> {
    let name = prepared.algorithm().name();
    let congestion = match prepared.set_point {
        Some(set_point) => format!("{} with a set point of {set_point}", name.to_uppercase()),
        None => name.to_owned(),
    };
    let flow = match prepared.spec.flow_control {
        FlowControl::None => "no flow control",
        FlowControl::Pause(_) => "PAUSE",
        FlowControl::Pfc(..) => "PFC",
    };
    let promise = if prepared.lossless { "no frame may be lost" } else { "a full buffer drops frames" };
    let points = points(&prepared.spec.control);
    [congestion].into_iter().chain(points).chain([flow.to_owned(), promise.to_owned()]).collect()
}
