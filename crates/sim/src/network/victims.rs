//! Flows that are delayed by congestion that they did not cause.
//!
//! A flow is a victim while
//!
//! * a port on its path is asked to pause, for its priority, in a congestion tree whose root is not on its path, and
//! * it has data to deliver: offered at its station, and not arrived yet.
//!
//! Both are looked at when such pauses begin and end, when a flow stops and at samples, never for a frame. A backlogged flow
//! always has data. For any other the time between two looks counts if, of the data that was there at the first, something
//! had not arrived at the second: then the flow had data all the time. A flow that ran out in between and got new data is
//! not counted for that stretch. Data that is past the paused port still counts until it arrives, which is microseconds.
//! With several ports paused at once the time counts once. A flow that never had anything to send is no victim.

use setpoint_units::{Time, TimeDelta};

use super::Network;
use crate::traffic::source::Supply;

/// What is known of all flows. Empty without flow control.
#[derive(Clone, Debug, Default)]
pub(super) struct Victims {
    /// The flows that pass a port, by port.
    passing: Vec<Vec<u32>>,
    flows: Vec<Suffering>,
}

/// How long a flow was a victim.
#[derive(Clone, Copy, Debug, Default)]
struct Suffering {
    /// Pauses on its path, at this moment, in trees whose root is not on it.
    pauses: u32,
    /// When it was last looked at; only while there are such pauses.
    since: Time,
    /// Bytes of the flow, counted from the start of the run, of which the last had not arrived then; zero if all had.
    awaited: u64,
    time: TimeDelta,
}

impl Network {
    /// Learns which flows pass which port; before the first frame.
    pub(super) fn learn_passing(&mut self) {
        let mut passing = vec![Vec::new(); self.inputs.len()];
        for flow in 0..self.flows.len() as u32 {
            for &port in self.entries(flow) {
                let flows: &mut Vec<u32> = &mut passing[port as usize];
                if flows.last() != Some(&flow) {
                    flows.push(flow);
                }
            }
        }
        self.victims = Victims { passing, flows: vec![Suffering::default(); self.flows.len()] };
    }

    /// A port is asked to pause in a tree with this root.
    pub(super) fn victims_begin(&mut self, port: u32, counter: usize, root: u32) {
        for flow in self.bystanders(port, counter, root) {
            if self.victims.flows[flow as usize].pauses == 0 {
                self.begin_to_wait(flow);
            }
            self.victims.flows[flow as usize].pauses += 1;
        }
    }

    /// A pause of a port in a tree with this root is over.
    pub(super) fn victims_end(&mut self, port: u32, counter: usize, root: u32) {
        for flow in self.bystanders(port, counter, root) {
            self.victims.flows[flow as usize].pauses -= 1;
            if self.victims.flows[flow as usize].pauses == 0 {
                self.count_wait(flow);
            }
        }
    }

    /// Looks at all flows that may be victims now.
    pub(super) fn look_at_victims(&mut self) {
        for flow in 0..self.victims.flows.len() as u32 {
            self.look_at_victim(flow);
        }
    }

    /// Looks at one flow, if it may be a victim now.
    pub(super) fn look_at_victim(&mut self, flow: u32) {
        if self.victims.flows.get(flow as usize).is_some_and(|suffering| suffering.pauses > 0) {
            self.count_wait(flow);
            self.begin_to_wait(flow);
        }
    }

    /// How long a flow was a victim, so far.
    pub(super) fn victim_time(&self, flow: usize) -> TimeDelta {
        self.victims.flows.get(flow).map_or(TimeDelta::ZERO, |suffering| suffering.time)
    }

    /// The flows that pass a port and that a counter of its pauses stops, whose path does not lead to the root.
    fn bystanders(&self, port: u32, counter: usize, root: u32) -> Vec<u32> {
        let stopped = |flow: &u32| self.pause_rules.counter(self.flows[*flow as usize].class) == counter;
        let elsewhere = |flow: &u32| !self.entries(*flow).contains(&root);
        let passing = self.victims.passing[port as usize].iter();
        passing.copied().filter(stopped).filter(elsewhere).collect()
    }

    fn begin_to_wait(&mut self, flow: u32) {
        let source = &mut self.flows[flow as usize].source;
        let has_more = matches!(source.supply(self.now), Supply::Frame(_));
        let never_runs_out = source.is_backlogged();
        let (given, arrived) = (self.given(flow), self.arrived(flow));
        let awaited = if never_runs_out {
            u64::MAX
        } else if has_more {
            given + 1
        } else if arrived < given {
            given
        } else {
            0
        };
        let suffering = &mut self.victims.flows[flow as usize];
        (suffering.since, suffering.awaited) = (self.now, awaited);
    }

    fn count_wait(&mut self, flow: u32) {
        let still_waits = self.arrived(flow) < self.victims.flows[flow as usize].awaited;
        let suffering = &mut self.victims.flows[flow as usize];
        if still_waits {
            suffering.time += self.now - suffering.since;
        }
    }

    /// Bytes that a flow has put into the network, with the copies that bridges made.
    fn given(&self, flow: u32) -> u64 {
        self.flows[flow as usize].books.sent + self.groups.copies_of(flow).created.get()
    }

    /// Bytes of a flow that have left the network, at stations or lost.
    fn arrived(&mut self, flow: u32) -> u64 {
        // Deliveries wait until somebody looks.
        let lasts: Vec<u32> = self.paths(flow).filter_map(|path| path.last().copied()).collect();
        for port in lasts {
            self.deliver_due(port);
        }
        let books = &self.flows[flow as usize].books;
        books.delivered + books.dropped + self.groups.copies_of(flow).unwanted.get()
    }
}
