//! Flows from CSV files: one flow for all messages between two stations with the same class and priority.

use std::collections::HashMap;
use std::ops::Range;

use setpoint_sim::traffic::{Arrival, Traffic};
use setpoint_sim::{FlowSpec, NodeId, Priority};
use setpoint_units::{Bytes, Time};

use super::Setting;
use super::bridge;
use super::entry::usual_flow;
use super::flow_list::Flows;
use super::names::check_no_formula;
use super::network::frame;
use super::pairs::{Selector, too_many};
use crate::FlowEntry;
use crate::diagnostics::Problem;
use crate::flow_files::{FlowTable, Row, Word};
use crate::format::{AnyKey, FlowFile, Placed};
use crate::limits::LONGEST;

/// Adds the flows of a file; `number` is the position of its entry.
pub(super) fn add<'a>(
    entry: &'a Placed<FlowFile>,
    number: usize,
    room: usize,
    setting: &Setting<'a>,
    selector: &Selector<'_>,
    flows: &mut Flows<'a>,
) -> Result<(), Problem> {
    check_no_formula(entry.name.as_deref().unwrap_or_default(), entry.name.place())?;
    let table = setting.flow_files.find(&entry.path, entry.path.place()).ok_or_else(|| unread(entry))?;
    let stations = stations(entry, table, selector)?;
    check_sizes(entry, table, setting)?;
    let groups = groups(table, priority(entry, setting));
    if groups.len() > room {
        return Err(too_many(&entry.path, groups.len()));
    }
    let length = frame_length(entry, setting)?;
    let mut parts = Parts { entry, number, length, setting, flows };
    for class in [None].into_iter().chain((0..table.classes.len()).map(Some)) {
        let first = parts.flows.specs.len();
        for group in groups.iter().filter(|group| group.key.class == class) {
            let pair = (stations[group.key.source], stations[group.key.destination]);
            check_path(entry, pair, table, group, setting)?;
            parts.push(pair, group);
        }
        let name = class.map(|class| table.classes[class].text.as_str());
        parts.close(name, first..parts.flows.specs.len());
    }
    Ok(())
}

/// Files are read when a scenario is loaded, before a further axis is added.
fn unread(entry: &FlowFile) -> Problem {
    let message = format!("{:?} was not read together with the scenario", *entry.path);
    Problem::at(entry.path.place(), message, "").help(
        "list the files in the `[sweep]` table of the scenario, or set one with `--set flow_files.1.path=…`",
    )
}

fn stations(entry: &FlowFile, table: &FlowTable, selector: &Selector<'_>) -> Result<Vec<NodeId>, Problem> {
    let station = |word: &Word| {
        let found = selector.find(&word.text, &table.place_of_word(word));
        found.map_err(|problem| problem.context(entry.path.place(), "the file is named here"))
    };
    table.stations.iter().map(station).collect()
}

fn check_sizes(entry: &FlowFile, table: &FlowTable, setting: &Setting<'_>) -> Result<(), Problem> {
    let most = setting.slowest * LONGEST;
    match table.rows.iter().find(|row| row.size > most) {
        None => Ok(()),
        Some(row) => {
            let message = format!("a message has {}, but must have at most {most}", row.size);
            let slow = format!("more would take longer than {LONGEST} on a {} link", setting.slowest);
            Err(Problem::at(&table.place_of(row), message, "out of range")
                .context(entry.path.place(), "the file is named here")
                .help(slow))
        }
    }
}

fn priority(entry: &FlowFile, setting: &Setting<'_>) -> Priority {
    entry.priority.unwrap_or(*setting.root.network.priority)
}

fn frame_length(entry: &FlowFile, setting: &Setting<'_>) -> Result<Bytes, Problem> {
    let network = &setting.root.network;
    let length = match *entry.frame {
        Some(length) => frame(&entry.frame, length, *network.buffer)?,
        None => frame(&network.frame, *network.frame, *network.buffer)?,
    };
    let key: &dyn AnyKey = if entry.frame.is_given() { &entry.frame } else { &network.frame };
    bridge::check_frame(setting, key, length)?;
    Ok(length)
}

/// The common properties of the messages of a flow.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    class: Option<usize>,
    source: usize,
    destination: usize,
    priority: Priority,
}

/// The messages of a flow.
struct Group {
    key: Key,
    first: Row,
    arrivals: Vec<Arrival>,
}

/// The flows of a table, in order of their first message in the file.
fn groups(table: &FlowTable, usual: Priority) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut places: HashMap<Key, usize> = HashMap::new();
    for row in &table.rows {
        let Row { class, source, destination, .. } = *row;
        let key = Key { class, source, destination, priority: row.priority.unwrap_or(usual) };
        let place = *places.entry(key).or_insert_with(|| {
            groups.push(Group { key, first: *row, arrivals: Vec::new() });
            groups.len() - 1
        });
        groups[place].arrivals.push(Arrival { after: row.start, size: row.size });
    }
    for group in &mut groups {
        group.arrivals.sort_by_key(|arrival| arrival.after);
    }
    groups
}

fn check_path(
    entry: &FlowFile,
    (source, sink): (NodeId, NodeId),
    table: &FlowTable,
    group: &Group,
    setting: &Setting<'_>,
) -> Result<(), Problem> {
    if setting.islands[source.index()] == setting.islands[sink.index()] {
        return Ok(());
    }
    let name = |id: NodeId| &setting.topology.node_at(id).name;
    let message = format!("{:?} cannot reach {:?}", name(source), name(sink));
    Err(Problem::at(&table.place_of(&group.first), message, "there is no path")
        .context(entry.path.place(), "the file is named here")
        .help("add a link between the two parts of the network"))
}

/// The flows of an entry while they are added.
struct Parts<'p, 'a> {
    entry: &'a Placed<FlowFile>,
    number: usize,
    length: Bytes,
    setting: &'p Setting<'a>,
    flows: &'p mut Flows<'a>,
}

impl Parts<'_, '_> {
    fn push(&mut self, (source, sink): (NodeId, NodeId), group: &Group) {
        let Self { entry, flows, setting, .. } = self;
        flows.count += 1;
        let name = match &*entry.name {
            Some(name) => format!("{name}{}", flows.count),
            None => format!("f{}", flows.count),
        };
        let tenant = flows.tenants.number(None, flows.specs.len());
        flows.places.push(entry.place());
        flows.specs.push(FlowSpec {
            name,
            source,
            destination: sink.into(),
            traffic: Traffic::Schedule(group.arrivals.clone().into()),
            messages: entry.messages.unwrap_or(*setting.root.network.messages),
            start: Time::ZERO + *entry.start,
            tenant,
            ..usual_flow(group.key.priority, self.length)
        });
    }

    /// Ends a class, which is an entry of its own in the results.
    fn close(&mut self, class: Option<&str>, flows: Range<usize>) {
        if flows.is_empty() {
            return;
        }
        let own = || self.entry.name.clone().unwrap_or_else(|| format!("flow_files.{}", self.number + 1));
        let is_taken = |name: &str| self.flows.entries.iter().any(|entry| entry.name == name);
        let name = match class {
            None => own(),
            Some(class) if is_taken(class) => format!("{}.{class}", own()),
            Some(class) => class.to_owned(),
        };
        self.flows.entries.push(FlowEntry { name, flows });
    }
}
