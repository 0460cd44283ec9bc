//! Flows from CSV files: one flow for all messages between two stations with the same class and priority. Messages that wait for
//! each other form a job.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use setpoint_sim::traffic::{Arrival, Traffic};
use setpoint_sim::{FlowId, FlowSpec, NodeId, Priority};
use setpoint_units::{Bytes, Time};

use super::Setting;
use super::entry::{frame_length, usual_flow};
use super::flow_list::Flows;
use super::names::check_no_formula;
use super::pairs::{Selector, too_many};
use super::table_job::TableJob;
use crate::FlowEntry;
use crate::diagnostics::Problem;
use crate::flow_files::{FlowTable, Row, Word};
use crate::format::{FlowFile, Placed};
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
    let groups = groups(table, priority(entry, setting))?;
    if groups.len() > room {
        return Err(too_many(&entry.path, groups.len()));
    }
    let length = frame_length(&entry.frame, setting)?;
    let first = FlowId(flows.specs.len() as u32);
    let orders = table.orders.as_ref().map(|orders| TableJob::new(table, orders, first, &groups));
    let mut parts = Parts { entry, number, length, setting, flows };
    for class in groups.chunk_by(|one, next| one.key.class == next.key.class) {
        let first = parts.flows.specs.len();
        for group in class {
            let pair = (stations[group.key.source], stations[group.key.destination]);
            check_path(entry, pair, table, group, setting)?;
            let traffic = match &orders {
                None => Traffic::Schedule(arrivals(table, group)),
                Some(orders) => Traffic::Dependent(orders.messages(group)),
            };
            parts.push(pair, group.key.priority, traffic);
        }
        let name = class[0].key.class.map(|class| table.classes[class].text.as_str());
        parts.close(name, first..parts.flows.specs.len());
    }
    match orders {
        None => Ok(()),
        Some(orders) => parts.finish(&orders, &stations, first.index()),
    }
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

/// The common properties of the messages of a flow.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    class: Option<usize>,
    source: usize,
    destination: usize,
    priority: Priority,
}

/// The messages of a flow.
pub(super) struct Group {
    key: Key,
    /// The rows of its messages.
    pub(super) rows: Vec<usize>,
}

/// The flows of a table, ordered by class and then by their first message in the file.
fn groups(table: &FlowTable, usual: Priority) -> Result<Vec<Group>, Problem> {
    let mut groups: Vec<Group> = Vec::new();
    let mut places: HashMap<Key, usize> = HashMap::new();
    let mut add = |key: Key, row: usize| {
        let place = *places.entry(key).or_insert_with(|| {
            groups.push(Group { key, rows: Vec::new() });
            groups.len() - 1
        });
        groups[place].rows.push(row);
    };
    let key = |row: &Row| {
        let Row { class, source, destination, priority, .. } = *row;
        Key { class, source, destination, priority: priority.unwrap_or(usual) }
    };
    // Computations belong to a flow of their station; if it sends nothing, to a flow without messages.
    let mut keys: HashMap<usize, Key> = HashMap::new();
    let mut partners: HashMap<usize, Key> = HashMap::new();
    for (number, row) in table.rows.iter().enumerate().filter(|(_, row)| !row.is_computation()) {
        let key = key(row);
        add(key, number);
        keys.entry(key.source).or_insert(key);
        let back = Key { source: key.destination, destination: key.source, ..key };
        partners.entry(back.source).or_insert(back);
    }
    for (number, row) in table.rows.iter().enumerate().filter(|(_, row)| row.is_computation()) {
        let key = keys.get(&row.source).or_else(|| partners.get(&row.source));
        add(*key.ok_or_else(|| lonely(table, row))?, number);
    }
    groups.sort_by_key(|group| group.key.class);
    Ok(groups)
}

fn lonely(table: &FlowTable, row: &Row) -> Problem {
    let name = &table.stations[row.source].text;
    let message = format!("{name:?} computes, but neither sends nor receives a message");
    Problem::at(&table.place_of(row), message, "").help("remove the line: no message waits for it")
}

/// The messages of a flow that begin at given times.
fn arrivals(table: &FlowTable, group: &Group) -> Arc<[Arrival]> {
    let arrival = |row: &usize| Arrival { after: table.rows[*row].start, size: table.rows[*row].size };
    let mut arrivals: Vec<Arrival> = group.rows.iter().map(arrival).collect();
    arrivals.sort_by_key(|arrival| arrival.after);
    arrivals.into()
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
    Err(Problem::at(&table.place_of(&table.rows[group.rows[0]]), message, "there is no path")
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
    fn push(&mut self, (source, sink): (NodeId, NodeId), priority: Priority, traffic: Traffic) {
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
            traffic,
            messages: entry.messages.unwrap_or(*setting.root.network.messages),
            start: Time::ZERO + *entry.start,
            tenant,
            ..usual_flow(priority, self.length)
        });
    }

    /// Ends a class, which is an entry of its own in the results.
    fn close(&mut self, class: Option<&str>, flows: Range<usize>) {
        let own = || self.own_name();
        let is_taken = |name: &str| self.flows.entries.iter().any(|entry| entry.name == name);
        let name = match class {
            None => own(),
            Some(class) if is_taken(class) => format!("{}.{class}", own()),
            Some(class) => class.to_owned(),
        };
        self.flows.entries.push(FlowEntry { name, flows });
    }

    /// Adds the job that the messages form, whose flows begin with the given one.
    fn finish(self, orders: &TableJob<'_>, stations: &[NodeId], first: usize) -> Result<(), Problem> {
        let name = self.own_name();
        if self.flows.jobs.iter().any(|job| job.name == name) {
            let problem =
                Problem::at(self.entry.place(), format!("two jobs are called {name:?}"), "the second");
            return Err(problem.help("give the entries different names"));
        }
        let start = Time::ZERO + *self.entry.start;
        self.flows.jobs.push(orders.job(name, stations.to_vec(), start, first..self.flows.specs.len()));
        Ok(())
    }

    fn own_name(&self) -> String {
        self.entry.name.clone().unwrap_or_else(|| format!("flow_files.{}", self.number + 1))
    }
}
