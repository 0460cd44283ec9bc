//! Changes at given times.

use std::collections::BTreeMap;

use setpoint_control::Role;
use setpoint_sim::{Change, FlowId, LinkId, PortId, Reaction, TimedChange};
use setpoint_units::{Rate, Time, spelling};

use super::Setting;
use super::control::{self, Control};
use super::entry::{cap_too_low, max_too_low};
use super::flow_list::Flows;
use super::pairs::Selector;
use super::ports::Ports;
use super::select::Names;
use crate::diagnostics::{Place, Problem, Problems};
use crate::format::{AnyKey, At, OrWord, Placed};
use crate::limits::MAX_CHANGES;
use crate::tree::Item;

/// Verbs in labels.
const START: &str = "start";
const STOP: &str = "stop";

/// The changes, and a description of each.
#[derive(Default)]
pub(super) struct Changes {
    pub(super) changes: Vec<TimedChange>,
    pub(super) labels: Vec<(Time, String)>,
}

impl Changes {
    /// Removes the changes that do not take place because the run ends first. Joins and leaves are kept: they determine
    /// who is a member at any time.
    pub(super) fn end_at(&mut self, end: Time) {
        let is_member = |change: &Change| matches!(change, Change::Join(..) | Change::Leave(..));
        self.changes.retain(|timed| timed.at < end || is_member(&timed.change));
        self.labels.retain(|(at, _)| *at < end);
    }
}

/// Reads `[[at]]` in chronological order; entries with the same time stay in file order.
pub(super) fn changes(setting: &Setting<'_>, flows: &Flows<'_>, problems: &mut Problems) -> Changes {
    let mut entries: Vec<&Placed<At>> = setting.root.at.iter().collect();
    entries.sort_by_key(|entry| *entry.time);
    let mut reader = Reader {
        setting,
        names: Names::new("flow", flows.names()),
        flows,
        algorithm: setting.algorithm,
        ports: None,
        stations: None,
        down: BTreeMap::new(),
        found: Changes::default(),
    };
    for entry in entries {
        if problems.is_full() {
            break;
        }
        reader.entry(entry, problems);
    }
    reader.found
}

struct Reader<'a> {
    setting: &'a Setting<'a>,
    names: Names<'a>,
    flows: &'a Flows<'a>,
    /// The parameters with all changes so far.
    algorithm: Control,
    /// Created when the first port is looked up.
    ports: Option<Ports>,
    /// Created when the first group changes.
    stations: Option<Selector<'a>>,
    /// The links that are down, with the entries in which they failed.
    down: BTreeMap<LinkId, &'a Place>,
    found: Changes,
}

impl<'a> Reader<'a> {
    fn entry(&mut self, entry: &'a Placed<At>, problems: &mut Problems) {
        let at = Time::ZERO + *entry.time;
        let targets: [&dyn AnyKey; 5] = [&entry.port, &entry.link, &entry.flow, &entry.group, &entry.rp];
        let targets: Vec<&dyn AnyKey> = targets.into_iter().filter(|target| target.is_given()).collect();
        let read = match targets[..] {
            [_] if entry.port.is_given() => self.port(entry),
            [_] if entry.link.is_given() => self.link(entry),
            [_] if entry.flow.is_given() => self.flow(entry),
            [_] if entry.group.is_given() => self.group(entry),
            [_] => self.reaction_point(entry, problems),
            [] => Err(Problem::at(entry.place(), "this [[at]] changes nothing", "").help(
                "add `port` with `rate`; `link` with `fail` or `recover`; `flow` with `weight`, `max`, `cap`, `start` or `stop`; `group` with `join` \
                 or `leave`; or `rp`",
            )),
            [first, second, ..] => Err(Problem::at(
                second.place(),
                format!("this [[at]] has both `{}` and `{}`", first.field().name, second.field().name),
                "a second target",
            )
            .context(first.place(), "the first")
            .help("write two [[at]] entries with the same time")),
        };
        let Some((changes, label)) = problems.take(read) else { return };
        if self.found.changes.len() + changes.len() > MAX_CHANGES {
            let message = format!("a scenario has at most {MAX_CHANGES} changes");
            problems.push(Problem::at(entry.place(), message, "too many"));
            return;
        }
        self.found.changes.extend(changes.into_iter().map(|change| TimedChange { at, change }));
        let label = entry.label.clone().unwrap_or(label);
        self.found.labels.push((at, label));
    }

    fn port(&mut self, entry: &Placed<At>) -> Result<(Vec<Change>, String), Problem> {
        let target = &entry.port;
        only(entry, target, &[&entry.rate])?;
        let Some(rate) = entry.rate.map(|rate| rate.0) else {
            return Err(Problem::at(target.place(), "the `rate` of this port is missing", "")
                .help("add `rate = \"1 Gb/s\"`"));
        };
        let port = self.port_named(target)?;
        let name = target.as_deref().unwrap_or_default();
        Ok((vec![Change::PortRate(port, rate)], format!("{name}: {rate}")))
    }

    fn port_named(&mut self, target: &Placed<Option<String>>) -> Result<PortId, Problem> {
        let ports = self.ports.get_or_insert_with(|| Ports::new(self.setting.topology));
        ports.find(target.as_deref().unwrap_or_default(), target.place(), self.setting.topology)
    }

    fn link(&mut self, entry: &'a Placed<At>) -> Result<(Vec<Change>, String), Problem> {
        let At { link: target, fail, recover, .. } = &**entry;
        only(entry, target, &[fail, recover])?;
        let port = self.port_named(target)?;
        let (link, name) = (port.link(), target.as_deref().unwrap_or_default());
        if self.setting.topology.is_inside(port) {
            let message = format!("{name} is inside a distributed bridge, where links cannot fail");
            return Err(Problem::at(target.place(), message, "between a leaf and a spine")
                .help("choose a link between bridges, or between a bridge and a station"));
        }
        match (switched(fail)?, switched(recover)?) {
            (true, false) => match self.down.insert(link, target.place()) {
                None => Ok((vec![Change::LinkDown(link)], format!("{name} fails"))),
                Some(earlier) => {
                    Err(Problem::at(target.place(), format!("{name} is already down"), "fails again")
                        .context(earlier, "failed here")
                        .help("add an [[at]] with `recover = true` in between"))
                }
            },
            (false, true) => match self.down.remove(&link) {
                Some(_) => Ok((vec![Change::LinkUp(link)], format!("{name} recovers"))),
                None => Err(Problem::at(
                    target.place(),
                    format!("{name} is not down at this time"),
                    "cannot recover",
                )
                .help("a link recovers only after an [[at]] with `fail = true`")),
            },
            (false, false) => Err(Problem::at(target.place(), "this [[at]] does not change the link", "")
                .help("add `fail = true` or `recover = true`")),
            (true, true) => Err(Problem::at(recover.place(), "a link cannot both fail and recover", "")
                .context(fail.place(), "here it fails")),
        }
    }

    fn flow(&mut self, entry: &Placed<At>) -> Result<(Vec<Change>, String), Problem> {
        let At { flow: target, weight, max, cap, start, stop, .. } = &**entry;
        only(entry, target, &[weight, max, cap, start, stop])?;
        let selection = target.as_deref().unwrap_or_default();
        let selected = self.names.select(selection)?;
        let flows: Vec<FlowId> = self.flows.named(&selected);
        self.check_cap(cap, &flows)?;
        self.check_max(max)?;
        self.check_jobs(start, &flows)?;
        self.check_jobs(stop, &flows)?;
        let (mut changes, mut words) = (Vec::new(), Vec::new());
        let mut change = |description: String, make: &dyn Fn(FlowId) -> Change| {
            words.push(description);
            changes.extend(flows.iter().map(|&flow| make(flow)));
        };
        if let Some(weight) = **weight {
            change(format!("weight {weight}"), &|flow| Change::Weight(flow, weight));
        }
        if let Some(OrWord { quantity, .. }) = **cap {
            let words = quantity.map_or_else(|| String::from("no cap"), |rate| format!("cap {rate}"));
            change(words, &|flow| Change::Cap(flow, quantity));
        }
        if let Some(OrWord { quantity, .. }) = **max {
            let words = quantity.map_or_else(|| String::from("no max"), |rate| format!("max {rate}"));
            change(words, &|flow| Change::Max(flow, quantity));
        }
        if switched(start)? {
            change(String::from(START), &Change::StartFlow);
        }
        if switched(stop)? {
            change(String::from(STOP), &Change::StopFlow);
        }
        if changes.is_empty() {
            return Err(Problem::at(target.place(), "this [[at]] does not change the flow", "")
                .help("add `weight`, `max`, `cap`, `start = true` or `stop = true`"));
        }
        if start.is_given() && stop.is_given() {
            return Err(Problem::at(stop.place(), "a flow cannot both start and stop", "")
                .context(start.place(), "here it starts"));
        }
        let names: Vec<&str> = selected.iter().map(|&index| self.names.name(index)).collect();
        Ok((changes, label(&names, &words)))
    }

    /// Membership has already been checked along with the groups.
    fn group(&mut self, entry: &Placed<At>) -> Result<(Vec<Change>, String), Problem> {
        only(entry, &entry.group, &[&entry.join, &entry.leave])?;
        let topology = self.setting.topology;
        let selector = self.stations.get_or_insert_with(|| Selector::new(topology));
        let step = self.setting.groups.step(entry, selector)?;
        let leaves = step.leaves.iter().map(|&station| Change::Leave(step.group, station));
        let joins = step.joins.iter().map(|&station| Change::Join(step.group, station));
        let words: Vec<String> = [(&step.joins, "join"), (&step.leaves, "leave")]
            .into_iter()
            .filter(|(stations, _)| !stations.is_empty())
            .map(|(stations, verb)| match stations[..] {
                [station] => format!("{} {verb}s", topology.node_at(station).name),
                _ => format!("{} stations {verb}", stations.len()),
            })
            .collect();
        let name = self.setting.groups.name(step.group);
        Ok((leaves.chain(joins).collect(), format!("{name}: {}", words.join(", "))))
    }

    /// The flows of a job start together and do not stop.
    fn check_jobs(&self, key: &Placed<Option<bool>>, flows: &[FlowId]) -> Result<(), Problem> {
        let of_job = |flow: &FlowId| {
            let jobs = self.flows.jobs.iter();
            jobs.filter(|job| job.flows.contains(&flow.index())).map(|job| (&job.name, flow.index())).next()
        };
        match flows.iter().find_map(of_job).filter(|_| key.is_given()) {
            None => Ok(()),
            Some((job, flow)) => {
                let message = format!("{:?} is a flow of the job {job:?}", self.flows.specs[flow].name);
                Err(Problem::at(key.place(), message, "cannot start again or stop")
                    .help("set `start` of the job, or select other flows"))
            }
        }
    }

    /// A cap must not be below the minimum rate of a limiter, as in [[flows]].
    fn check_cap(&self, key: &Placed<Option<OrWord<Rate>>>, flows: &[FlowId]) -> Result<(), Problem> {
        let (Some(cap), Some(least)) = (key.and_then(|cap| cap.quantity), self.algorithm.min_rate()) else {
            return Ok(());
        };
        let control = self.setting.control;
        let limited = flows
            .iter()
            .map(|flow| &self.flows.specs[flow.index()])
            .any(|spec| spec.reaction == Reaction::Controlled && control.priorities.contains(spec.priority));
        if limited && cap < least { Err(cap_too_low(key, cap, least)) } else { Ok(()) }
    }

    /// A `max` must not be below the minimum rate of a limiter, as in [[flows]].
    fn check_max(&self, key: &Placed<Option<OrWord<Rate>>>) -> Result<(), Problem> {
        match (key.and_then(|max| max.quantity), self.algorithm.min_rate()) {
            (Some(max), Some(least)) if self.algorithm.algorithm.divides() && max < least => {
                Err(max_too_low(key, max, least))
            }
            _ => Ok(()),
        }
    }

    fn reaction_point(
        &mut self,
        entry: &Placed<At>,
        problems: &mut Problems,
    ) -> Result<(Vec<Change>, String), Problem> {
        let target = &entry.rp;
        only(entry, target, &[])?;
        let Control { algorithm, params, .. } = &mut self.algorithm;
        if !algorithm.notifies() {
            let message = format!("control `{}` has no reaction points to change", algorithm.name());
            return Err(
                Problem::at(target.place(), message, "").help("choose another, such as [control.qcn]")
            );
        }
        for key in target.iter() {
            let Some(parameter) =
                algorithm.parameters_of(Role::ReactionPoint).find(|one| one.name() == key.name())
            else {
                let message =
                    format!("the reaction points of `{}` have no `{}`", algorithm.name(), key.name());
                return Err(Problem::at(key.place(), message, "belongs to another algorithm"));
            };
            control::write(parameter, key, params, problems);
        }
        let place_of = |key: &str| {
            let written = target.find(key.rsplit('.').next().unwrap_or_default());
            written.map_or(target.place(), Placed::place)
        };
        control::check_params(&self.algorithm, place_of, problems);
        let text = |key: &Placed<Item>| spelling::value(&key.value.to_string()).replace('\u{a0}', " ");
        let words = target.iter().map(|key| format!("{} {}", key.name().replace('_', " "), text(key)));
        let words: Vec<String> = words.collect();
        if words.is_empty() {
            return Err(Problem::at(target.place(), "no parameter is given", "")
                .help("name at least one, as in `byte_reset = \"75 kB\"`"));
        }
        let (_, reaction_point) = self.algorithm.algorithm.points(&self.algorithm.params);
        Ok((vec![Change::ReactionPoint(reaction_point)], format!("reaction points: {}", words.join(", "))))
    }
}

/// Maximum number of flows in the label of a change.
const MOST_NAMED: usize = 3;

/// A change to flows, in words: `f1 and f2 stop`, `f1: weight 4`.
fn label(flows: &[&str], words: &[String]) -> String {
    let subject = match flows {
        [one] => (*one).to_owned(),
        [first @ .., last] if flows.len() <= MOST_NAMED => format!("{} and {last}", first.join(", ")),
        _ => format!("{} flows", flows.len()),
    };
    match words {
        [verb] if verb == START || verb == STOP => {
            format!("{subject} {verb}{}", if flows.len() == 1 { "s" } else { "" })
        }
        _ => format!("{subject}: {}", words.join(", ")),
    }
}

/// Refuses keys that belong to another kind of change.
fn only(entry: &Placed<At>, target: &dyn AnyKey, allowed: &[&dyn AnyKey]) -> Result<(), Problem> {
    let name = |key: &&dyn AnyKey| key.field().name;
    let general: [&dyn AnyKey; 3] = [&entry.time, &entry.label, target];
    let fits = |key: &&dyn AnyKey| general.iter().chain(allowed).any(|fitting| name(fitting) == name(key));
    match entry.keys().into_iter().filter(|key| key.is_given()).find(|key| !fits(key)) {
        None => Ok(()),
        Some(key) => {
            let message = format!("`{}` cannot be combined with `{}`", name(&key), name(&target));
            let problem =
                Problem::at(key.place(), message, "").context(target.place(), "the target of the change");
            Err(if allowed.is_empty() {
                problem
            } else {
                problem.help(format!("use {}", allowed.iter().map(name).collect::<Vec<_>>().join(", ")))
            })
        }
    }
}

/// Whether a flag is set; `false` would do nothing and is refused.
fn switched(key: &Placed<Option<bool>>) -> Result<bool, Problem> {
    if **key == Some(false) {
        let message = format!("`{} = false` does nothing", key.name());
        return Err(Problem::at(key.place(), message, "").help("leave it out"));
    }
    Ok(key.is_given())
}
