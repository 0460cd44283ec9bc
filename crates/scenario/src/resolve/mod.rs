//! Turns the tables of a scenario into a spec for the simulator, and checks whether the values make sense together.

mod bridge;
mod capture;
mod changes;
mod control;
mod delivery;
mod entry;
mod flow_control;
mod flow_files;
mod flow_list;
mod flows;
mod graph;
mod groups;
mod incasts;
mod jobs;
mod messages;
mod names;
mod network;
mod pairs;
mod placement;
mod ports;
mod reach;
mod rows;
mod run;
mod scheduling;
mod select;
mod sessions;
mod table_job;
mod topology;
mod traffic;

use std::sync::Arc;

use setpoint_sim::{Bridges, ControlSpec, FlowControl, Recording, Scheduling, Spec, Topology};
use setpoint_units::{Bytes, Rate, Time};
use setpoint_wire::Conventions;

use self::control::Control;
use self::flow_list::Flows;
use self::groups::Groups;
use self::placement::Surroundings;
use self::run::Schedule;
use super::diagnostics::{Diagnostics, Problem, Problems};
use super::format::{GroupDelivery, Root};
use super::group_members::Group;
use crate::FlowEntry;
use crate::capture::Capture;
use crate::flow_files::FlowFiles;
use crate::job::Job;
use crate::parameter_row::ParameterRow;

/// Maximum number of values in all series: samples times flows and ports.
const MAX_SERIES_VALUES: u64 = 200_000_000;

/// A spec, with the information that results need to describe it.
#[derive(Clone, Debug)]
pub(crate) struct Resolved {
    /// The keys it was resolved from.
    pub(crate) root: Arc<Root>,
    pub(crate) spec: Spec,
    pub(crate) parameters: Vec<ParameterRow>,
    pub(crate) labels: Vec<(Time, String)>,
    pub(crate) set_point: Option<Bytes>,
    pub(crate) lossless: bool,
    pub(crate) groups: Vec<Group>,
    pub(crate) entries: Vec<FlowEntry>,
    pub(crate) jobs: Vec<Job>,
    pub(crate) capture: Option<Capture>,
    pub(crate) conventions: Conventions,
}

impl Resolved {
    /// The number of elements that take up memory.
    pub(crate) fn size(&self) -> usize {
        let spec = &self.spec;
        let groups = self.groups.iter().map(|group| group.members.len() + group.sessions.len());
        let messages: usize = self.jobs.iter().map(|job| job.messages.len()).sum();
        messages
            + spec.flows.len()
            + spec.changes.len()
            + spec.topology.links().len()
            + groups.sum::<usize>()
            + 100
    }
}

/// The context in which flows, changes and captures are resolved.
struct Setting<'a> {
    root: &'a Root,
    flow_files: &'a FlowFiles,
    seed: u64,
    schedule: Schedule,
    topology: &'a Topology,
    bridges: Bridges,
    control: &'a ControlSpec,
    algorithm: Control,
    groups: &'a Groups,
    /// The connected part of the network to which each node belongs.
    islands: Vec<u32>,
    /// The rate of each station's port.
    port_rates: Vec<Rate>,
    /// The slowest link.
    slowest: Rate,
}

/// Creates the spec of a scenario with a seed.
pub(crate) fn resolve(root: Arc<Root>, flow_files: &FlowFiles, seed: u64) -> Result<Resolved, Diagnostics> {
    let read = root;
    let root = &*read;
    let mut problems = Problems::default();
    let schedule = run::schedule(root, &mut problems);
    let topology = topology::topology(root, &mut problems);
    let (Some(schedule), Some(topology), Some(rules)) = (schedule, topology, rules(root, &mut problems))
    else {
        return Err(problems.into_diagnostics(root.topology.place()));
    };
    let Rules { control: (control, algorithm), flow_control, bridges, scheduling } = rules;
    let groups = groups::groups(root, &topology, &mut problems);
    // Flows refer to groups: if the groups are invalid, every flow would be reported too.
    problems.check()?;
    let slowest = topology.links().iter().map(|link| link.rate).min().unwrap_or(Rate::MIN);
    let setting = Setting {
        root,
        flow_files,
        seed,
        schedule,
        bridges,
        control: &control,
        algorithm,
        groups: &groups,
        islands: reach::islands(&topology),
        port_rates: reach::port_rates(&topology),
        slowest,
        topology: &topology,
    };
    let conventions = capture::conventions(&root.wire);
    let capture =
        root.capture.as_ref().map(|keys| capture::capture(keys, conventions, &setting, &mut problems));
    let mut flows = flows::flows(&setting, &mut problems);
    // Changes refer to flows: if the flows are invalid, every change would be reported too.
    problems.check()?;
    let mut changes = changes::changes(&setting, &flows, &mut problems);
    problems.take(check_series(root, &schedule, &flows, &setting));
    problems.check()?;
    let multicast = *root.network.delivery == GroupDelivery::Multicast;
    if !multicast {
        delivery::as_unicast(root, &groups, &mut flows, &mut changes.changes)?;
    }
    changes.end_at(Time::ZERO + schedule.duration);
    let lossless = flows.specs.iter().all(|flow| flow_control::is_lossless(&flow_control, flow.priority));
    let parameters = rows::rows(root, seed, &schedule, &algorithm);
    let Flows { specs, sessions, entries, jobs, .. } = flows;
    let spec = Spec {
        flows: specs,
        groups: if multicast { groups.specs() } else { Vec::new() },
        control,
        flow_control,
        bridges,
        scheduling,
        buffer: *root.network.buffer,
        overhead: *root.network.overhead,
        clock_tolerance: *root.network.clock_tolerance,
        changes: changes.changes,
        rerouting_delay: *root.network.rerouting_delay,
        sample_interval: schedule.sample_interval,
        recording: Recording::Series,
        records_pauses: *root.record_pauses,
        measure_from: schedule.measure_from,
        measure_messages_until: schedule.measure_messages_until,
        duration: schedule.duration,
        seed,
        topology,
    };
    bridge::check_units(root, &spec)?;
    bridge::check_thresholds(root, &spec)?;
    bridge::check_shared_size(root, &spec)?;
    let groups = sessions::add(sessions, groups.into_groups());
    let (labels, set_point) = (changes.labels, algorithm.set_point());
    let capture = capture.flatten();
    Ok(Resolved {
        root: read,
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
    })
}

/// The rules by which bridges handle frames.
struct Rules {
    control: (ControlSpec, Control),
    flow_control: FlowControl,
    bridges: Bridges,
    scheduling: Scheduling,
}

/// Reads the rules, and checks them against each other.
fn rules(root: &Root, problems: &mut Problems) -> Option<Rules> {
    network::check(&root.network, problems);
    let bridges = bridge::bridges(root, problems);
    let control = control::control(&root.control, &root.network, problems);
    let flow_control = flow_control::flow_control(root, problems);
    let bridges = bridges?;
    let scheduling = scheduling::scheduling(root, &bridges, problems);
    let rules = Rules { control: control?, flow_control: flow_control?, bridges, scheduling: scheduling? };
    let around = Surroundings { bridges: &rules.bridges, flow_control: &rules.flow_control };
    if let Some(keys) = &root.control.notifications {
        placement::check(keys, &rules.control.0, &around, problems);
    }
    problems.take(bridge::check_fixed_thresholds(root));
    problems.take(control::check_set_point(root, &rules.control, &around));
    problems.take(control::check_drops(root, &rules.control, &around));
    Some(rules)
}

/// Limits the size of the series, which stay in memory until they are stored.
fn check_series(
    root: &Root,
    schedule: &Schedule,
    flows: &Flows<'_>,
    setting: &Setting<'_>,
) -> Result<(), Problem> {
    let samples = schedule.duration / schedule.sample_interval;
    let copies: usize = flows.specs.iter().map(|flow| sessions::receivers(flow, setting.groups)).sum();
    let curves = flows.specs.len().max(copies) as u64 + setting.topology.links().len() as u64 * 2;
    let values = samples.saturating_mul(curves);
    if values <= MAX_SERIES_VALUES {
        return Ok(());
    }
    let key = &root.sample_interval;
    let message = format!("{samples} samples of {curves} flows and ports exceed {MAX_SERIES_VALUES} values");
    Err(Problem::at(key.place(), message, "too many values").help("increase `sample_interval`"))
}
