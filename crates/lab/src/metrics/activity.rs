//! When a flow had something to send, as far as the scenario tells.

use setpoint_sim::traffic::Traffic;
use setpoint_sim::{Change, FlowId, Reaction, Spec};
use setpoint_units::Time;

/// The times in which each flow was started and not stopped.
#[derive(Clone, Debug)]
pub struct Activity {
    flows: Vec<FlowActivity>,
}

#[derive(Clone, Debug)]
struct FlowActivity {
    /// Starts and ends, in order, without overlap; the end is exclusive.
    spans: Vec<(Time, Time)>,
    demand: Demand,
}

/// What is known of a flow's wish to send while it is active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Demand {
    /// It always has something to send, so that silence is starvation.
    Steady,
    /// It sends now and then, so that silence may be its own choice.
    Intermittent,
    /// Background traffic, which takes no part in sharing.
    Background,
}

/// A stretch of time, and what a flow delivered in it.
#[derive(Clone, Copy, Debug)]
pub struct Observed {
    /// Beginning of the stretch.
    pub from: Time,
    /// End of the stretch, exclusive.
    pub to: Time,
    /// Bytes that arrived in it, or any figure that is zero when nothing did.
    pub delivered: f64,
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
        let flow = |(spec, switches)| FlowActivity { spans: spans(switches), demand: demand(spec) };
        Self { flows: spec.flows.iter().zip(switches).map(flow).collect() }
    }

    /// Whether a flow competed for bandwidth at some time in a stretch.
    #[must_use]
    pub fn touches(&self, flow: usize, seen: &Observed) -> bool {
        let overlaps = |&(start, end): &(Time, Time)| start < seen.to && end > seen.from;
        self.flows[flow].competes(seen) && self.flows[flow].spans.iter().any(overlaps)
    }

    /// Whether a flow competed for bandwidth during a whole stretch, so that its rate in it can be
    /// held against that of others.
    #[must_use]
    pub fn covers(&self, flow: usize, seen: &Observed) -> bool {
        let covers = |&(start, end): &(Time, Time)| start <= seen.from && end >= seen.to;
        self.flows[flow].competes(seen) && self.flows[flow].spans.iter().any(covers)
    }
}

impl FlowActivity {
    fn competes(&self, seen: &Observed) -> bool {
        match self.demand {
            Demand::Steady => true,
            Demand::Intermittent => seen.delivered > 0.0,
            Demand::Background => false,
        }
    }
}

/// Starts before stops at the same instant, so that a flow that is stopped when it starts stays off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Switch {
    On,
    Off,
}

fn initial(flow: &setpoint_sim::FlowSpec) -> Vec<(Time, Switch)> {
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

fn demand(flow: &setpoint_sim::FlowSpec) -> Demand {
    match (flow.reaction, &flow.traffic) {
        (Reaction::Uncontrolled, _) => Demand::Background,
        (_, Traffic::Backlogged | Traffic::Constant { .. }) => Demand::Steady,
        (_, Traffic::OnOff { .. } | Traffic::Poisson { .. } | Traffic::Message { .. }) => {
            Demand::Intermittent
        }
    }
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

    fn one(spans: Vec<(Time, Time)>, demand: Demand) -> Activity {
        Activity { flows: vec![FlowActivity { spans, demand }] }
    }

    #[test]
    fn a_stretch_is_touched_or_covered() {
        let steady = one(vec![(at(10), at(20)), (at(30), at(40))], Demand::Steady);
        let seen = |from, to| Observed { from: at(from), to: at(to), delivered: 0.0 };
        assert!(steady.covers(0, &seen(10, 20)) && steady.covers(0, &seen(32, 35)));
        assert!(!steady.covers(0, &seen(15, 35)) && steady.touches(0, &seen(15, 35)));
        assert!(!steady.touches(0, &seen(20, 30)));
    }

    #[test]
    fn silence_counts_only_for_a_flow_that_always_sends() {
        let silent = Observed { from: at(0), to: at(10), delivered: 0.0 };
        let heard = Observed { delivered: 1.0, ..silent };
        let always = vec![(at(0), Time::MAX)];
        assert!(one(always.clone(), Demand::Steady).covers(0, &silent));
        assert!(!one(always.clone(), Demand::Intermittent).covers(0, &silent));
        assert!(one(always.clone(), Demand::Intermittent).covers(0, &heard));
        assert!(!one(always, Demand::Background).covers(0, &heard));
    }
}
