//! Groups as multiple unicast: a flow for each sender and each station that is ever a member.
//!
//! Such a flow runs while two conditions hold: its sender's flow is on (it has started, by its own `start` or by an
//! `[[at]]`, and has not been stopped since), and its receiver is a member. A member that joins while the flow is
//! stopped therefore starts nothing, and a flow that restarts does so only for its current members. Changes at the same
//! time take effect in file order and before the flow's own start and stop, as in the simulator.

use std::collections::{BTreeMap, BTreeSet};

use setpoint_sim::{Change, Destination, FlowId, FlowSpec, GroupId, NodeId, TimedChange};
use setpoint_units::Time;

use super::flow_list::Flows;
use super::groups::Groups;
use crate::diagnostics::Problem;
use crate::format::Root;
use crate::limits::MAX_CHANGES;

/// Turns joins and leaves into starts and stops of flows.
pub(super) fn as_unicast(
    root: &Root,
    groups: &Groups,
    flows: &mut Flows<'_>,
    changes: &mut Vec<TimedChange>,
) -> Result<(), Problem> {
    let mut events = Events::taken_from(changes, flows);
    let mut room = MAX_CHANGES.saturating_sub(changes.len());
    for (group, session) in &flows.sessions {
        let first: BTreeSet<NodeId> = groups.first(*group).iter().copied().collect();
        for index in session.flows.clone() {
            let spec = &mut flows.specs[index];
            let Destination::Station(receiver) = spec.destination else { continue };
            let id = FlowId(index as u32);
            let course = Course { member: first.contains(&receiver), on: false };
            let order = events.of(id, (*group, receiver), spec);
            let later = settle(spec, course.follow(&order));
            room = room.checked_sub(later.len()).ok_or_else(|| too_many(root))?;
            changes
                .extend(later.into_iter().map(|(at, switch)| TimedChange { at, change: switch.change(id) }));
        }
    }
    changes.sort_by_key(|change| change.at);
    Ok(())
}

fn too_many(root: &Root) -> Problem {
    let message = format!("joins and leaves would start and stop flows more than {MAX_CHANGES} times");
    Problem::at(root.at.place(), message, "too many")
        .help("let fewer stations join and leave, or set `network.delivery = \"multicast\"`")
}

/// A change to a flow or its receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    Start,
    Stop,
    Join,
    Leave,
}

/// The time of an event, its position among events with the same time, and the event itself.
type Timed = (Time, usize, Event);

/// Changes to flows that consist of parts, and to group members, ordered by time and then by file
/// position.
#[derive(Default)]
struct Events {
    flows: BTreeMap<FlowId, Vec<Timed>>,
    members: BTreeMap<(GroupId, NodeId), Vec<Timed>>,
}

impl Events {
    /// Removes these events from the changes, which are in chronological order.
    fn taken_from(changes: &mut Vec<TimedChange>, flows: &Flows<'_>) -> Self {
        let mut parts = vec![false; flows.specs.len()];
        for (_, session) in &flows.sessions {
            parts[session.flows.clone()].fill(true);
        }
        let mut events = Self::default();
        let mut number = 0;
        changes.retain(|&TimedChange { at, change }| {
            number += 1;
            let Events { flows, members } = &mut events;
            let (list, event) = match change {
                Change::StartFlow(flow) if parts[flow.index()] => {
                    (flows.entry(flow).or_default(), Event::Start)
                }
                Change::StopFlow(flow) if parts[flow.index()] => {
                    (flows.entry(flow).or_default(), Event::Stop)
                }
                Change::Join(group, station) => (members.entry((group, station)).or_default(), Event::Join),
                Change::Leave(group, station) => (members.entry((group, station)).or_default(), Event::Leave),
                _ => return true,
            };
            list.push((at, number, event));
            false
        });
        events
    }

    /// All events that affect one part, in order, including its own start and stop.
    fn of(&mut self, flow: FlowId, member: (GroupId, NodeId), spec: &FlowSpec) -> Vec<Timed> {
        let mut order = self.flows.remove(&flow).unwrap_or_default();
        order.extend(self.members.get(&member).into_iter().flatten());
        order.push((spec.start, usize::MAX, Event::Start));
        order.extend(spec.stop.map(|stop| (stop, usize::MAX, Event::Stop)));
        order.sort_by_key(|&(at, number, _)| (at, number));
        order
    }
}

/// Whether a part starts or stops running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Switch {
    On,
    Off,
}

impl Switch {
    fn change(self, flow: FlowId) -> Change {
        match self {
            Self::On => Change::StartFlow(flow),
            Self::Off => Change::StopFlow(flow),
        }
    }
}

/// The state of a part at one instant.
#[derive(Clone, Copy)]
struct Course {
    member: bool,
    on: bool,
}

impl Course {
    /// When the part is switched on and off. Starting a flow that is already running counts too: it offers a message
    /// again.
    fn follow(mut self, order: &[Timed]) -> Vec<(Time, Switch)> {
        let mut switches: Vec<(Time, Switch)> = Vec::new();
        for &(at, _, event) in order {
            let running = self.on && self.member;
            match event {
                Event::Start => self.on = true,
                Event::Stop => self.on = false,
                Event::Join => self.member = true,
                Event::Leave => self.member = false,
            }
            if self.on && self.member {
                switches.push((at, Switch::On));
            } else if running {
                // A start and a stop at the same instant cancel out.
                while switches.last() == Some(&(at, Switch::On)) {
                    switches.pop();
                }
                let begun = matches!(switches.last(), Some((_, Switch::On)));
                switches.extend(begun.then_some((at, Switch::Off)));
            }
        }
        switches
    }
}

/// Turns the first period in which a part runs into its own start and stop, and returns the rest. The simulator spreads
/// these starts over a frame time if several flows start together. A part that never runs stops as soon as it starts.
fn settle(spec: &mut FlowSpec, switches: Vec<(Time, Switch)>) -> Vec<(Time, Switch)> {
    let mut rest = switches;
    if rest.is_empty() {
        spec.stop = Some(spec.start);
        return rest;
    }
    spec.start = rest.remove(0).0;
    let off = rest.iter().position(|&(_, switch)| switch == Switch::Off);
    // The simulator applies changes before flows' own stops, so a stop that is followed immediately by a start has to
    // be a change.
    let alone = off.filter(|&off| rest.get(off + 1).is_none_or(|next| next.0 > rest[off].0));
    spec.stop = alone.map(|off| rest.remove(off).0);
    rest
}
