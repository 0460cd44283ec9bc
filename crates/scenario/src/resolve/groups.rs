//! Groups of stations, and the stations that join and leave them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use setpoint_sim::{GroupId, GroupSpec, NodeId, Topology};
use setpoint_suggest::nearest;
use setpoint_units::Time;

use super::names::check_no_formula;
use super::pairs::Selector;
use crate::diagnostics::{Place, Problem, Problems};
use crate::format::{self, At, Placed, Root, printed_time};
use crate::group_members::{Group, Member};
use crate::limits::MAX_CHANGES;

/// The groups of a scenario with all stations that are ever members.
#[derive(Default)]
pub(super) struct Groups {
    list: Vec<Course>,
    index: HashMap<String, usize>,
}

/// A group over time.
#[derive(Default)]
struct Course {
    name: String,
    /// Members from the start, in the order of the file.
    first: Vec<NodeId>,
    /// The periods in which each station is a member; the last one is open while the station
    /// remains a member.
    spans: BTreeMap<NodeId, Vec<(Time, Time)>>,
}

/// The joins and leaves of an `[[at]]` entry.
pub(super) struct Step {
    pub(super) group: GroupId,
    pub(super) joins: Vec<NodeId>,
    pub(super) leaves: Vec<NodeId>,
}

/// Reads `[[groups]]`, and the `[[at]]` entries that change their members.
pub(super) fn groups(root: &Root, topology: &Topology, problems: &mut Problems) -> Groups {
    let mut groups = Groups::default();
    let entries = &root.groups[..];
    if entries.is_empty() {
        return groups;
    }
    let mut selector = Selector::new(topology);
    for entry in entries {
        problems.take(groups.read(entry, entries, &mut selector));
    }
    if problems.count() == 0 {
        groups.follow(root, (topology, &mut selector), problems);
    }
    if problems.count() == 0 {
        let empty = groups.list.iter().zip(entries).find(|(group, _)| group.spans.is_empty());
        if let Some((group, entry)) = empty {
            problems.push(empty_group(&group.name, entry.place()));
        }
    }
    groups
}

impl Groups {
    /// The group that a key names.
    pub(super) fn find(&self, key: &Placed<Option<String>>) -> Result<GroupId, Problem> {
        let name = key.as_deref().unwrap_or_default();
        let found = self.index.get(name).map(|&index| GroupId(index as u32));
        found.ok_or_else(|| self.unknown(name, key.place()))
    }

    /// Its name.
    pub(super) fn name(&self, group: GroupId) -> &str {
        &self.list[group.index()].name
    }

    /// The stations that are members at some time, in ascending order.
    pub(super) fn ever(&self, group: GroupId) -> impl ExactSizeIterator<Item = NodeId> + '_ {
        self.list[group.index()].spans.keys().copied()
    }

    /// Whether a station is ever a member.
    pub(super) fn has_ever(&self, group: GroupId, station: NodeId) -> bool {
        self.list[group.index()].spans.contains_key(&station)
    }

    /// The stations that are members from the start.
    pub(super) fn first(&self, group: GroupId) -> &[NodeId] {
        &self.list[group.index()].first
    }

    /// The groups in the form that the simulator uses.
    pub(super) fn specs(&self) -> Vec<GroupSpec> {
        let spec = |group: &Course| GroupSpec { name: group.name.clone(), members: group.first.clone() };
        self.list.iter().map(spec).collect()
    }

    /// The groups in the form that results use, without senders.
    pub(super) fn into_groups(self) -> Vec<Group> {
        let member = |(station, spans)| Member { station, spans };
        let group = |group: Course| Group {
            name: group.name,
            members: group.spans.into_iter().map(member).collect(),
            sessions: Vec::new(),
        };
        self.list.into_iter().map(group).collect()
    }

    /// The joins and leaves of an `[[at]]` entry.
    pub(super) fn step(&self, entry: &At, selector: &mut Selector<'_>) -> Result<Step, Problem> {
        let group = self.find(&entry.group)?;
        let (join, leave) = (&entry.join, &entry.leave);
        if !join.is_given() && !leave.is_given() {
            let message = "this [[at]] does not change the group";
            return Err(Problem::at(entry.group.place(), message, "").help("add `join` or `leave`"));
        }
        let (joins, leaves) = (selector.select_any(join)?, selector.select_any(leave)?);
        let leaving: BTreeSet<NodeId> = leaves.iter().copied().collect();
        if let Some(&station) = joins.iter().find(|station| leaving.contains(station)) {
            let name = selector.name(station);
            let message = format!("{name:?} cannot both join and leave");
            return Err(Problem::at(leave.place(), message, "").context(join.place(), "here it joins"));
        }
        Ok(Step { group, joins, leaves })
    }

    fn read(
        &mut self,
        entry: &Placed<format::Group>,
        entries: &[Placed<format::Group>],
        selector: &mut Selector<'_>,
    ) -> Result<(), Problem> {
        let number = self.list.len();
        let name = entry.name.clone().unwrap_or_else(|| format!("g{}", number + 1));
        let first = self.index.insert(name.clone(), number);
        self.list.push(Course { name: name.clone(), ..Course::default() });
        if let Some(first) = first {
            let message = format!("two groups are called {name:?}");
            return Err(Problem::at(entry.place(), message, "the second")
                .context(entries[first].place(), "the first")
                .help("give them different names"));
        }
        check_no_formula(&name, entry.name.place())?;
        let members = members(entry, selector)?;
        let course = &mut self.list[number];
        course.spans = members.iter().map(|&station| (station, vec![(Time::ZERO, Time::MAX)])).collect();
        course.first = members;
        Ok(())
    }

    /// Applies joins and leaves in chronological order.
    fn follow(
        &mut self,
        root: &Root,
        (topology, selector): (&Topology, &mut Selector<'_>),
        problems: &mut Problems,
    ) {
        let mut entries: Vec<&Placed<At>> = root.at.iter().filter(|entry| entry.group.is_given()).collect();
        entries.sort_by_key(|entry| *entry.time);
        let mut room = MAX_CHANGES;
        for entry in entries {
            let at = Time::ZERO + *entry.time;
            let Some(step) = problems.take(self.step(entry, selector)) else { return };
            // There are too many changes; the code that reads the changes reports this.
            let Some(left) = room.checked_sub(step.joins.len() + step.leaves.len()) else { return };
            room = left;
            let course = &mut self.list[step.group.index()];
            let station = |station: NodeId| topology.node_at(station).name.as_str();
            if let Some(&early) = step.leaves.iter().find(|&&one| !course.leaves(one, at)) {
                problems.push(no_member(&entry.leave, (station(early), &course.name), at));
            }
            if let Some(&again) = step.joins.iter().find(|&&one| !course.joins(one, at)) {
                problems.push(member_already(&entry.join, (station(again), &course.name), at));
            }
        }
    }

    fn unknown(&self, name: &str, place: &Place) -> Problem {
        let problem = Problem::at(place, format!("there is no group {name:?}"), "not known");
        let names: Vec<&str> = self.list.iter().map(|group| group.name.as_str()).collect();
        match (nearest(name, names.iter().copied().take(1_000)), &names[..]) {
            (_, []) => problem.help(format!("add `[[groups]]` with `name = {name:?}` and `members`")),
            (Some(near), _) => problem.help(format!("did you mean {near:?}?")),
            (None, names) if names.len() <= 8 => problem.help(format!("the groups are {}", names.join(", "))),
            (None, names) => {
                problem.help(format!("there are {} groups, such as {:?}", names.len(), names[0]))
            }
        }
    }
}

impl Course {
    /// Adds a station; false if it is already a member.
    fn joins(&mut self, station: NodeId, at: Time) -> bool {
        let spans = self.spans.entry(station).or_default();
        let absent = spans.last().is_none_or(|&(_, end)| end != Time::MAX);
        if absent {
            spans.push((at, Time::MAX));
        }
        absent
    }

    /// Removes a station; false if it is not a member.
    fn leaves(&mut self, station: NodeId, at: Time) -> bool {
        let open = self.spans.get_mut(&station).and_then(|spans| spans.last_mut());
        match open.filter(|(_, end)| *end == Time::MAX) {
            Some((_, end)) => *end = at,
            None => return false,
        }
        true
    }
}

/// The initial members of a group.
fn members(entry: &format::Group, selector: &mut Selector<'_>) -> Result<Vec<NodeId>, Problem> {
    let (key, size) = (&entry.members, &entry.size);
    let mut members = selector.select_any(key)?;
    let Some(wanted) = **size else { return Ok(members) };
    if !key.is_given() {
        return Err(
            Problem::at(size.place(), "`size` limits `members`, which is missing", "").help("add `members`")
        );
    }
    if wanted > members.len() {
        let message = format!("`size` is {wanted}, but `members` selects {}", members.len());
        return Err(Problem::at(size.place(), message, "too many")
            .context(key.place(), format!("{} stations", members.len()))
            .help("lower `size`, or name more members"));
    }
    members.truncate(wanted);
    Ok(members)
}

fn empty_group(name: &str, place: &Place) -> Problem {
    Problem::at(
        place,
        format!("the group {name:?} has no members, and no station joins it"),
        "an empty group",
    )
    .help(format!("add `members`, or an [[at]] with `group = {name:?}` and `join`"))
}

fn member_already<T>(key: &Placed<T>, (station, group): (&str, &str), at: Time) -> Problem {
    let at = printed_time(at.since_start());
    let message = format!("{station:?} joins the group {group:?} at {at}, but is already a member");
    Problem::at(key.place(), message, "for the second time")
        .help(format!("let {station:?} leave first, or remove it here"))
}

fn no_member<T>(key: &Placed<T>, (station, group): (&str, &str), at: Time) -> Problem {
    let at = printed_time(at.since_start());
    let message = format!("{station:?} leaves the group {group:?} at {at}, but is not a member then");
    Problem::at(key.place(), message, "not a member")
        .help(format!("let {station:?} join first, or remove it here"))
}
