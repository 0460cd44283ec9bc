//! Observers of a run: time series, conservation, the consequences of flow control, messages, and frames that pass a port.
//! They read the network's [`Components`], which do not depend on them.

pub(in crate::network) mod books;
pub(in crate::network) mod deadlock;
pub(in crate::network) mod holds;
pub(in crate::network) mod messages;
pub(in crate::network) mod passing;
pub(in crate::network) mod recorder;
pub(in crate::network) mod trees;
pub(in crate::network) mod victims;
pub(in crate::network) mod watch;

use setpoint_units::Time;

use crate::error::SimError;
use crate::ids::PortId;
use crate::network::components::Components;
use crate::network::node::receive::Ended;
use crate::network::node::traces::{Content, Trace};

use books::Audit;
use deadlock::DeadlockWatch;
use holds::Holds;
use messages::Messages;
use recorder::{Recorder, catch_up};
use trees::{Trees, learn_outputs};
use victims::Victims;

/// The observers of a run.
pub(in crate::network) struct Observers {
    /// Congestion trees.
    pub(in crate::network) trees: Trees,
    /// Flows delayed by congestion that they did not cause.
    pub(in crate::network) victims: Victims,
    /// Deadlock detection.
    pub(in crate::network) deadlocks: DeadlockWatch,
    pub(in crate::network) messages: Messages,
    pub(in crate::network) recorder: Recorder,
    /// The pauses of ports, if messages wait for other messages.
    pub(in crate::network) holds: Holds,
    audit: Audit,
    /// Memory for the traces that are being read.
    traces: Vec<Trace>,
}

impl Observers {
    /// Observers that have seen nothing.
    pub(in crate::network) fn new(recorder: Recorder, messages: Messages, records_holds: bool) -> Self {
        Self {
            trees: Trees::default(),
            victims: Victims::default(),
            deadlocks: DeadlockWatch::default(),
            messages,
            recorder,
            holds: Holds::new(records_holds),
            audit: Audit::default(),
            traces: Vec::new(),
        }
    }

    /// Prepares the observation of flow control. Called before the first frame.
    pub(in crate::network) fn learn(&mut self, net: &mut Components) {
        learn_outputs(net);
        self.trees = Trees::new(net);
        self.victims = Victims::new(net);
    }

    /// Ends a sample interval: checks the conservation of bytes, then records all observations.
    pub(in crate::network) fn sample(&mut self, net: &mut Components) -> Result<(), SimError> {
        catch_up(net);
        self.audit.check_in_proportion(net)?;
        self.collect_messages(net);
        self.deadlocks.search(net, &self.trees);
        self.victims.check_all(net);
        self.recorder.record(net);
        Ok(())
    }

    /// Records the messages whose fate has become known, in an order that does not depend on when the simulator determined
    /// it.
    pub(in crate::network) fn collect_messages(&mut self, net: &mut Components) {
        let mut ended: Vec<Ended> =
            net.parts.iter_mut().flat_map(|part| part.cx.receivers.ended.drain(..)).collect();
        ended.sort_unstable();
        ended.into_iter().for_each(|message| self.messages.push(message));
    }

    /// Reads the traces that components have recorded.
    pub(in crate::network) fn read_traces(&mut self, net: &mut Components) {
        let mut traces = std::mem::take(&mut self.traces);
        net.parts.iter_mut().for_each(|part| traces.append(&mut part.cx.traces));
        traces.sort_by_key(Trace::order);
        for Trace { at, content } in traces.drain(..) {
            match content {
                Content::FlowStops(flow) => self.victims.check(net, flow, at),
                Content::PauseBegins { paused, counter, cause } => {
                    let root = self.trees.pause_begins(net, at, (paused, counter), cause);
                    self.victims.begin(net, at, (paused, counter), root);
                }
                Content::PauseEnds { paused, counter } => self.pause_ends(net, at, (paused, counter)),
                Content::Held { port, classes } => {
                    self.trees.hold(port, classes);
                    self.holds.hold(at, port, classes);
                }
            }
        }
        self.traces = traces;
    }

    fn pause_ends(&mut self, net: &mut Components, at: Time, pause: (PortId, usize)) {
        if let Some(root) = self.trees.pause_ends(net, at, pause) {
            self.victims.end(net, at, pause, root);
        }
    }

    /// Ends the pauses that are still in effect, so that the totals include them.
    pub(in crate::network) fn close_trees(&mut self, net: &mut Components) {
        for pause in self.trees.pauses_now(net) {
            self.pause_ends(net, net.now, pause);
        }
    }
}
