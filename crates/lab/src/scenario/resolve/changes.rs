//! What happens at given times.

use setpoint_sim::{Change, FlowId, PortId, Reaction, TimedChange};
use setpoint_units::Time;

use super::Setting;
use super::control::{self, Control};
use super::entry::{cap_too_low, max_too_low};
use super::flows::Flows;
use super::pairs::Selector;
use super::ports::Ports;
use super::run::Schedule;
use super::select::Names;
use super::topology::link_rate;
use crate::scenario::diagnostics::{Problem, Problems};
use crate::scenario::format::parameters_of;
use crate::scenario::view::View;

/// Most changes of one scenario.
pub(super) const MAX_CHANGES: usize = 1_000_000;

/// What changes, and the words for it.
#[derive(Default)]
pub(super) struct Changes {
    pub(super) changes: Vec<TimedChange>,
    pub(super) labels: Vec<(Time, String)>,
}

/// Reads `[[at]]`, in the order of time; entries at the same time stay in the order of the file.
pub(super) fn changes(
    root: &View<'_>,
    setting: &Setting<'_>,
    flows: &Flows<'_>,
    problems: &mut Problems,
) -> Changes {
    let mut entries = root.key("at").entries();
    entries.sort_by_key(|entry| entry.key("time").time());
    let mut reader = Reader {
        setting,
        names: Names::new("flow", flows.names()),
        flows,
        algorithm: setting.algorithm,
        ports: None,
        stations: None,
        found: Changes::default(),
    };
    for entry in &entries {
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
    /// The parameters as changed so far.
    algorithm: Control,
    /// Made when the first port is looked for.
    ports: Option<Ports>,
    /// Made when the first group changes.
    stations: Option<Selector<'a>>,
    found: Changes,
}

impl Reader<'_> {
    fn entry(&mut self, entry: &View<'_>, problems: &mut Problems) {
        let Some(at) = problems.take(time(entry, &self.setting.schedule)) else { return };
        let targets: Vec<View<'_>> = ["port", "flow", "group", "rp"]
            .iter()
            .map(|name| entry.key(name))
            .filter(View::is_given)
            .collect();
        let made = match targets[..] {
            [target] if target.name() == "port" => self.port(entry, &target),
            [target] if target.name() == "flow" => self.flow(entry, &target),
            [target] if target.name() == "group" => self.group(entry, &target),
            [target] => self.reaction_point(entry, &target, problems),
            [] => Err(Problem::at(entry.place(), "this [[at]] changes nothing", "").help(
                "say what: `port` with `rate`; `flow` with `weight`, `max`, `cap`, `start` or `stop`; `group` with `join` \
                 or `leave`; or `rp`",
            )),
            [first, second, ..] => Err(Problem::at(
                second.place(),
                format!("this [[at]] has both `{}` and `{}`", first.name(), second.name()),
                "a second target",
            )
            .context(first.place(), "the first")
            .help("write two [[at]] entries with the same time")),
        };
        let Some((changes, label)) = problems.take(made) else { return };
        if self.found.changes.len() + changes.len() > MAX_CHANGES {
            let message = format!("a scenario has at most {MAX_CHANGES} changes");
            problems.push(Problem::at(entry.place(), message, "too many"));
            return;
        }
        self.found.changes.extend(changes.into_iter().map(|change| TimedChange { at, change }));
        let label = entry.key("label").text().map_or(label, str::to_string);
        self.found.labels.push((at, label));
    }

    fn port(&mut self, entry: &View<'_>, target: &View<'_>) -> Result<(Vec<Change>, String), Problem> {
        only(entry, target, &["rate"])?;
        let rate_key = entry.key("rate");
        link_rate(&rate_key)?;
        let Some(rate) = rate_key.rate() else {
            return Err(Problem::at(target.place(), "a port changes its `rate`, and none is given", "")
                .help("add `rate = \"1 Gb/s\"`"));
        };
        let name = target.text().unwrap_or_default();
        let ports = self.ports.get_or_insert_with(|| Ports::new(self.setting.topology));
        let port: PortId = ports.find(name, target.place(), self.setting.topology)?;
        Ok((vec![Change::PortRate(port, rate)], format!("{name}: {rate}")))
    }

    fn flow(&mut self, entry: &View<'_>, target: &View<'_>) -> Result<(Vec<Change>, String), Problem> {
        only(entry, target, &["weight", "max", "cap", "start", "stop"])?;
        let flows: Vec<FlowId> = self.flows.named(&self.names.select(target)?);
        self.check_cap(&entry.key("cap"), &flows)?;
        self.check_max(&entry.key("max"))?;
        let (mut changes, mut words) = (Vec::new(), Vec::new());
        let mut change = |said: String, make: &dyn Fn(FlowId) -> Change| {
            words.push(said);
            changes.extend(flows.iter().map(|&flow| make(flow)));
        };
        if let Some(weight) = entry.key("weight").integer() {
            change(format!("weight {weight}"), &|flow| Change::Weight(flow, weight as u32));
        }
        let cap = entry.key("cap");
        if cap.is_given() {
            let said = cap.rate().map_or_else(|| String::from("no cap"), |rate| format!("cap {rate}"));
            change(said, &|flow| Change::Cap(flow, cap.rate()));
        }
        let max = entry.key("max");
        if max.is_given() {
            let said = max.rate().map_or_else(|| String::from("no max"), |rate| format!("max {rate}"));
            change(said, &|flow| Change::Max(flow, max.rate()));
        }
        if switched(&entry.key("start"))? {
            change(String::from("start"), &Change::StartFlow);
        }
        if switched(&entry.key("stop"))? {
            change(String::from("stop"), &Change::StopFlow);
        }
        if changes.is_empty() {
            return Err(Problem::at(target.place(), "nothing is said of what changes for this flow", "")
                .help("add `weight`, `max`, `cap`, `start = true` or `stop = true`"));
        }
        if entry.key("start").is_given() && entry.key("stop").is_given() {
            return Err(Problem::at(entry.key("stop").place(), "a flow cannot both start and stop", "")
                .context(entry.key("start").place(), "here it starts"));
        }
        let selected = target.printed().unwrap_or_default();
        Ok((changes, format!("{selected}: {}", words.join(", "))))
    }

    /// Whether they may was checked with the groups.
    fn group(&mut self, entry: &View<'_>, target: &View<'_>) -> Result<(Vec<Change>, String), Problem> {
        only(entry, target, &["join", "leave"])?;
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

    /// A cap has to leave room for the smallest rate, as in [[flows]].
    fn check_cap(&self, key: &View<'_>, flows: &[FlowId]) -> Result<(), Problem> {
        let (Some(cap), Some(least)) = (key.rate(), self.algorithm.min_rate()) else { return Ok(()) };
        let control = self.setting.control;
        let limited = flows
            .iter()
            .map(|flow| &self.flows.specs[flow.index()])
            .any(|spec| spec.reaction == Reaction::Controlled && control.priorities.contains(spec.priority));
        if limited && cap < least { Err(cap_too_low(key, cap, least)) } else { Ok(()) }
    }

    /// As in [[flows]].
    fn check_max(&self, key: &View<'_>) -> Result<(), Problem> {
        match (key.rate(), self.algorithm.min_rate()) {
            (Some(max), Some(least)) if self.algorithm.algorithm.divides() && max < least => {
                Err(max_too_low(key, max, least))
            }
            _ => Ok(()),
        }
    }

    fn reaction_point(
        &mut self,
        entry: &View<'_>,
        target: &View<'_>,
        problems: &mut Problems,
    ) -> Result<(Vec<Change>, String), Problem> {
        only(entry, target, &[])?;
        let Control { algorithm, params, .. } = &mut self.algorithm;
        if !algorithm.notifies() {
            let message =
                format!("there are no reaction points to change with control `{}`", algorithm.name());
            return Err(Problem::at(target.place(), message, "").help("choose another, as [control.qcn]"));
        }
        for key in target.given() {
            let Some(parameter) = parameters_of(*algorithm, "rp").find(|one| one.name() == key.name()) else {
                let message =
                    format!("the reaction points of `{}` have no `{}`", algorithm.name(), key.name());
                return Err(Problem::at(key.place(), message, "belongs to another algorithm"));
            };
            control::write(parameter, &key, params, problems);
        }
        control::check_params(&self.algorithm, target, problems);
        let words: Vec<String> = target
            .given()
            .map(|key| format!("{} {}", key.name(), key.printed().unwrap_or_default()))
            .collect();
        if words.is_empty() {
            return Err(Problem::at(target.place(), "no parameter is given", "")
                .help("name at least one, as in `byte_reset = \"75 kB\"`"));
        }
        let (_, reaction_point) = self.algorithm.algorithm.points(&self.algorithm.params);
        Ok((vec![Change::ReactionPoint(reaction_point)], words.join(", ")))
    }
}

/// When an entry happens.
pub(super) fn time(entry: &View<'_>, schedule: &Schedule) -> Result<Time, Problem> {
    let key = entry.key("time");
    let (time, end) = (key.time().unwrap_or_default(), schedule.duration);
    if time >= end {
        let message = format!("something happens at {time}, and the run ends at {end}");
        return Err(Problem::at(key.place(), message, "after the end").help("make `duration` longer"));
    }
    Ok(Time::ZERO + time)
}

/// Refuses keys that belong to another kind of change.
fn only(entry: &View<'_>, target: &View<'_>, allowed: &[&str]) -> Result<(), Problem> {
    let general = ["time", "label", target.name()];
    let stray = entry.given().find(|key| !general.contains(&key.name()) && !allowed.contains(&key.name()));
    match stray {
        None => Ok(()),
        Some(key) => {
            let message = format!("`{}` does not go with `{}`", key.name(), target.name());
            let problem = Problem::at(key.place(), message, "").context(target.place(), "what changes");
            Err(if allowed.is_empty() {
                problem
            } else {
                problem.help(format!("use {}", allowed.join(", ")))
            })
        }
    }
}

/// Whether a flag is set; one that is written and false would do nothing.
fn switched(key: &View<'_>) -> Result<bool, Problem> {
    if key.is_given() && key.flag() == Some(false) {
        let message = format!("`{} = false` does nothing", key.name());
        return Err(Problem::at(key.place(), message, "").help("leave it out"));
    }
    Ok(key.is_given())
}
