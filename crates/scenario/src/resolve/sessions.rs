//! Flows to groups: each sender sends to all members.

use setpoint_sim::{Destination, FlowSpec, GroupId, NodeId};

use super::Setting;
use super::entry::Route;
use super::groups::Groups;
use super::pairs::Selector;
use super::traffic::Offer;
use crate::diagnostics::Problem;
use crate::format::{AnyKey, Choice, Flow, GroupDelivery, Pattern, Placed};
use crate::group_members::{Group, Session};
use crate::limits::MAX_FLOWS;

/// The senders of an entry, each with the entry's group as destination.
pub(super) fn routes(
    entry: &Placed<Flow>,
    setting: &Setting<'_>,
    selector: &mut Selector<'_>,
    room: usize,
) -> Result<Vec<Route>, Problem> {
    check_keys(entry)?;
    let group = setting.groups.find(&entry.group)?;
    let senders = selector.select(&entry.from)?;
    check_count(entry, senders.len().saturating_mul(setting.groups.ever(group).len()), room)?;
    check_senders(entry, setting, group, &senders)?;
    Ok(senders.into_iter().map(|sender| (sender, group.into())).collect())
}

/// The number of stations that receive the flow at some point in the run.
pub(super) fn receivers(flow: &FlowSpec, groups: &Groups) -> usize {
    match flow.destination {
        Destination::Station(_) => 1,
        Destination::Group(group) => groups.ever(group).len(),
    }
}

/// Refuses messages unless each member has its own flow, because a multicast message would reach each member at a
/// different time.
pub(super) fn check_traffic(entry: &Flow, setting: &Setting<'_>, offer: &Offer<'_>) -> Result<(), Problem> {
    let messages = match offer {
        Offer::Same(traffic) => traffic.sends_messages(),
        Offer::Messages(_) => true,
    };
    let multicast = *setting.root.network.delivery == GroupDelivery::Multicast;
    if !(messages && multicast && entry.group.is_given()) {
        return Ok(());
    }
    let message = "messages cannot be multicast, because they would reach each member at a different time";
    Err(Problem::at(entry.traffic.place(), message, "creates messages")
        .context(entry.group.place(), "sends to a group")
        .help(
            "set `network.delivery = \"multiple-unicast\"`, or choose backlogged, constant or on_off traffic",
        ))
}

/// Adds sessions to their groups.
pub(super) fn add(sessions: Vec<(GroupId, Session)>, mut groups: Vec<Group>) -> Vec<Group> {
    for (group, session) in sessions {
        groups[group.index()].sessions.push(session);
    }
    groups
}

/// Refuses keys that contradict `group`.
fn check_keys(entry: &Flow) -> Result<(), Problem> {
    let Flow { group, to, pattern, .. } = entry;
    if to.is_given() {
        let message = "flows go to stations or to a group, but this entry has both `to` and `group`";
        return Err(Problem::at(group.place(), message, "to a group")
            .context(to.place(), "to stations")
            .help("keep one of them, or write two [[flows]] entries"));
    }
    if **pattern != Pattern::Pairs {
        let message = format!(
            "the pattern {:?} cannot be combined with `group`: each sender sends to all members",
            pattern.word()
        );
        return Err(Problem::at(pattern.place(), message, "").help("remove it"));
    }
    let counts: [&dyn AnyKey; 3] = [&entry.shift, &entry.fan_out, &entry.fan_in];
    match counts.into_iter().find(|key| key.is_given()) {
        None => Ok(()),
        Some(key) => {
            let name = key.field().name;
            let message =
                format!("`{name}` cannot be combined with `group`: each sender sends to all members");
            Err(Problem::at(key.place(), message, "would be ignored").help("remove it"))
        }
    }
}

/// Limits the number of counters, which both kinds of delivery need for each sender and member.
fn check_count(entry: &Flow, count: usize, room: usize) -> Result<(), Problem> {
    if count <= room {
        return Ok(());
    }
    let message = format!(
        "{count} pairs of senders and members exceed the {room} that remain; a scenario can have at most {MAX_FLOWS} \
         flows and such pairs"
    );
    Err(Problem::at(entry.group.place(), message, "too many"))
}

/// Checks that no station sends to itself and that every member can be reached.
fn check_senders(
    entry: &Flow,
    setting: &Setting<'_>,
    group: GroupId,
    senders: &[NodeId],
) -> Result<(), Problem> {
    let (key, called) = (&entry.group, setting.groups.name(group));
    let name = |id: NodeId| &setting.topology.node_at(id).name;
    if let Some(&inside) = senders.iter().find(|&&sender| setting.groups.has_ever(group, sender)) {
        let (inside, first) = (name(inside), setting.groups.first(group).contains(&inside));
        let (how, among) =
            if first { ("is a member of it", "the group's `members`") } else { ("joins it", "`join`") };
        let message = format!("{inside:?} sends to the group {called:?}, but {how}");
        return Err(Problem::at(key.place(), message, "would send to itself")
            .context(entry.from.place(), format!("{inside:?} is among these"))
            .help(format!("remove {inside:?} from `from`, or from {among}")));
    }
    let island = |id: NodeId| setting.islands[id.index()];
    // Stations in the same part of the network can reach the same stations.
    let mut reached = None;
    for &sender in senders.iter().filter(|&&sender| reached.replace(island(sender)) != Some(island(sender))) {
        if let Some(member) = setting.groups.ever(group).find(|&member| island(member) != island(sender)) {
            let (sender, member) = (name(sender), name(member));
            let message = format!("{sender:?} cannot reach {member:?}, a member of the group {called:?}");
            return Err(Problem::at(key.place(), message, "there is no path")
                .help("add a link between the two parts of the network, or remove one of the stations"));
        }
    }
    Ok(())
}
