//! When a flow competed for bandwidth, as far as the scenario tells.
//!
//! Flows that compete are those that send without end while they are started (backlogged, or at a
//! constant rate). Bursts and messages come at a flow's own pace: its rate then tells what it had to
//! send, and not what it was given. Background traffic that ignores notifications does not share.

use setpoint_sim::traffic::Traffic;
use setpoint_sim::{Change, FlowId, FlowSpec, Reaction, Spec};
use setpoint_units::Time;

/// The times in which each flow was started and not stopped.
#[derive(Clone, Debug)]
pub struct Activity {
    flows: Vec<FlowActivity>,
}

#[derive(Clone, Debug)]
struct FlowActivity {
    /// Starts and ends, in order, without overlap; the end is exclusive. Empty for a flow that does
    /// not compete.
    spans: Vec<(Time, Time)>,
}

impl Activity {
    /// The activity of every flow of a spec.
    #[must_use]
    pub fn of(spec: &Spec) -> Self {
        let mut switches: Vec<Vec<(Time, Switch)>> = spec.flows.iter().map(initial).collect();
        for timed in &spec.changes {
            match timed.change {
                Change::StartFlow(flow) => push(&mut switches, flow, timed.at, Switch::On),
                Change::StopFlow(flow) => push(&mut switches, flow, timed.at, Switch::Off),
                _ => {}
            }
        }
        let flow = |(spec, switches)| FlowActivity {
            spans: if competes(spec) { spans(switches) } else { Vec::new() },
        };
        Self { flows: spec.flows.iter().zip(switches).map(flow).collect() }
    }

    /// The activity of flows that compete in the given spans.
    #[cfg(test)]
    pub(super) fn from_spans(flows: Vec<Vec<(Time, Time)>>) -> Self {
        Self { flows: flows.into_iter().map(|spans| FlowActivity { spans }).collect() }
    }

    /// Whether a flow competed at some time between two instants.
    #[must_use]
    pub fn touches(&self, flow: usize, from: Time, to: Time) -> bool {
        self.flows[flow].spans.iter().any(|&(start, end)| start < to && end > from)
    }

    /// Whether a flow competed all the time between two instants, so that its rate can be held
    /// against that of others.
    #[must_use]
    pub fn covers(&self, flow: usize, from: Time, to: Time) -> bool {
        self.flows[flow].spans.iter().any(|&(start, end)| start <= from && end >= to)
    }
}

/// Starts before stops at the same instant, so that a flow that is stopped when it starts stays off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Switch {
    On,
    Off,
}

fn initial(flow: &FlowSpec) -> Vec<(Time, Switch)> {
    let stop = flow.stop.map(|stop| (stop, Switch::Off));
    std::iter::once((flow.start, Switch::On)).chain(stop).collect()
}

fn push(switches: &mut [Vec<(Time, Switch)>], flow: FlowId, at: Time, switch: Switch) {
    if let Some(list) = switches.get_mut(flow.index()) {
        list.push((at, switch));
    }
}

fn spans(mut switches: Vec<(Time, Switch)>) -> Vec<(Time, Time)> {
    switches.sort_unstable();
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
    let endless = match flow.traffic {
        Traffic::Backlogged | Traffic::Constant { .. } => true,
        Traffic::OnOff { .. } | Traffic::Poisson { .. } | Traffic::Message { .. } => false,
    };
    endless && flow.reaction == Reaction::Controlled
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
        assert_eq!(spans(vec![(at(3), Off), (at(3), On)]), []);
    }

    #[test]
    fn a_stretch_is_touched_or_covered() {
        let spans = vec![(at(10), at(20)), (at(30), at(40))];
        let activity = Activity::from_spans(vec![spans]);
        assert!(activity.covers(0, at(10), at(20)) && activity.covers(0, at(32), at(35)));
        assert!(!activity.covers(0, at(15), at(35)) && activity.touches(0, at(15), at(35)));
        assert!(!activity.touches(0, at(20), at(30)));
    }
}
