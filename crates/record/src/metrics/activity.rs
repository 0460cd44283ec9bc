//! The periods during which a flow competes for bandwidth, according to the scenario.
//!
//! A backlogged flow competes from its start to its stop. Other traffic (constant, bursts, messages)
//! arrives at its own pace: its rate shows how much the flow had to send, not its share of a link.
//! Background traffic that ignores notifications does not compete. Flows to a group are compared while
//! they are on, whatever their traffic, since they belong to one application.

use std::ops::Range;

use setpoint_scenario::Group;
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{Change, Destination, FlowId, FlowSpec, Reaction, Spec};
use setpoint_units::Time;

/// The periods during which each flow was on.
#[derive(Clone, Debug)]
pub struct Activity {
    flows: Vec<FlowActivity>,
}

#[derive(Clone, Debug)]
struct FlowActivity {
    /// Starts and ends in order, without overlap; the end is exclusive.
    spans: Vec<(Time, Time)>,
    /// Whether it uses all available bandwidth while it is on.
    competes: bool,
    /// Its share of a link relative to other flows.
    weight: f64,
}

impl Activity {
    /// The activity of every flow of a spec with these groups. A multicast flow is inactive while its group is empty.
    pub fn of(spec: &Spec, groups: &[Group]) -> Self {
        let mut switches: Vec<Vec<(Time, Switch)>> = vec![Vec::new(); spec.flows.len()];
        for timed in &spec.changes {
            match timed.change {
                Change::StartFlow(flow) => push(&mut switches, flow, timed.at, Switch::On),
                Change::StopFlow(flow) => push(&mut switches, flow, timed.at, Switch::Off),
                _ => {}
            }
        }
        let flow = |(spec, mut switches): (&FlowSpec, Vec<_>)| {
            // As in the simulator: at any instant, changes come first, in their order, followed by the
            // flow's own start and stop.
            switches.extend(initial(spec));
            let spans = spans(switches);
            let group = match spec.destination {
                Destination::Group(group) => groups.get(group.index()),
                Destination::Station(_) => None,
            };
            FlowActivity {
                spans: group.map_or_else(|| spans.clone(), |group| common(&spans, &group.occupied())),
                competes: competes(spec),
                weight: f64::from(spec.weight.max(1)),
            }
        };
        Self { flows: spec.flows.iter().zip(switches).map(flow).collect() }
    }

    /// The activity of flows of equal weight that compete in the given spans.
    #[cfg(test)]
    pub(super) fn from_spans(flows: Vec<Vec<(Time, Time)>>) -> Self {
        Self {
            flows: flows
                .into_iter()
                .map(|spans| FlowActivity { spans, competes: true, weight: 1.0 })
                .collect(),
        }
    }

    /// Whether a flow competed during the whole time between two instants, so that its rate can be compared.
    pub fn covers(&self, flow: usize, from: Time, to: Time) -> bool {
        self.flows[flow].competes && self.any_on(flow..flow + 1, from, to)
    }

    /// Whether at least one of the given flows was on at every time between two instants.
    pub fn any_on(&self, flows: Range<usize>, from: Time, to: Time) -> bool {
        let mut spans: Vec<(Time, Time)> =
            self.flows[flows].iter().flat_map(|flow| flow.spans.iter().copied()).collect();
        spans.sort_unstable();
        let mut covered = from;
        for (start, end) in spans {
            if start <= covered {
                covered = covered.max(end);
            }
        }
        covered >= to && covered > from
    }

    /// Starts and ends of a flow in order, without overlap; [`Time::MAX`] for a flow that never stops.
    pub fn spans(&self, flow: usize) -> &[(Time, Time)] {
        &self.flows[flow].spans
    }

    /// A flow's rate per unit of weight, which is equal for all flows in a fair allocation.
    pub fn per_weight(&self, flow: usize, rate: f64) -> f64 {
        rate / self.flows[flow].weight
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Switch {
    On,
    Off,
}

fn initial(flow: &FlowSpec) -> impl Iterator<Item = (Time, Switch)> {
    let stop = flow.stop.map(|stop| (stop, Switch::Off));
    std::iter::once((flow.start, Switch::On)).chain(stop)
}

/// The intersection of two lists of spans, both in order and without overlap.
fn common(one: &[(Time, Time)], other: &[(Time, Time)]) -> Vec<(Time, Time)> {
    let pairs = one.iter().flat_map(|&(from, to)| other.iter().map(move |&span| ((from, to), span)));
    let both = pairs.map(|((from, to), (begin, end))| (from.max(begin), to.min(end)));
    both.filter(|(begin, end)| begin < end).collect()
}

fn push(switches: &mut [Vec<(Time, Switch)>], flow: FlowId, at: Time, switch: Switch) {
    if let Some(list) = switches.get_mut(flow.index()) {
        list.push((at, switch));
    }
}

fn spans(mut switches: Vec<(Time, Switch)>) -> Vec<(Time, Time)> {
    switches.sort_by_key(|&(at, _)| at);
    let mut spans = Vec::new();
    let mut since = None;
    for (at, switch) in switches {
        match switch {
            Switch::On => since = since.or(Some(at)),
            Switch::Off => spans.extend(since.take().filter(|&start| start < at).map(|start| (start, at))),
        }
    }
    spans.extend(since.map(|start| (start, Time::MAX)));
    spans
}

fn competes(flow: &FlowSpec) -> bool {
    matches!(flow.traffic, Traffic::Backlogged) && flow.reaction == Reaction::Controlled
}

#[cfg(test)]
mod tests {
    use super::*;
    use Switch::{Off, On};

    fn at(picos: u64) -> Time {
        Time::from_picos(picos)
    }

    #[test]
    fn switches_become_spans() {
        assert_eq!(spans(vec![(at(5), On)]), [(at(5), Time::MAX)]);
        assert_eq!(spans(vec![(at(5), On), (at(9), Off)]), [(at(5), at(9))]);
        let again = vec![(at(0), On), (at(9), Off), (at(20), On), (at(12), On), (at(30), Off)];
        assert_eq!(spans(again), [(at(0), at(9)), (at(12), at(30))]);
        assert_eq!(spans(vec![(at(3), On), (at(3), Off)]), []);
        assert_eq!(spans(vec![(at(1), On), (at(3), Off), (at(3), On)]), [(at(1), at(3)), (at(3), Time::MAX)]);
    }

    #[test]
    fn a_stretch_is_covered_or_not() {
        let spans = vec![(at(10), at(20)), (at(30), at(40))];
        let activity = Activity::from_spans(vec![spans]);
        assert!(activity.covers(0, at(10), at(20)) && activity.covers(0, at(32), at(35)));
        assert!(!activity.covers(0, at(15), at(35)) && !activity.covers(0, at(20), at(30)));
    }

    #[test]
    fn several_flows_cover_a_stretch_together() {
        let activity = Activity::from_spans(vec![
            vec![(at(10), at(20)), (at(30), at(40))],
            vec![(at(18), at(30))],
            vec![(at(45), at(50))],
        ]);
        assert!(activity.any_on(0..2, at(10), at(40)) && activity.any_on(1..2, at(18), at(30)));
        assert!(!activity.any_on(0..1, at(10), at(40)) && !activity.any_on(0..3, at(10), at(50)));
        assert!(!activity.any_on(0..3, at(0), at(20)) && !activity.any_on(0..0, at(0), at(20)));
    }
}
