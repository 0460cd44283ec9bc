//! Multicast: a bridge copies a frame addressed to a group for every port that leads to a member.
//!
//! The route table stores a flow's tree as the whole path to each of its receivers, one after
//! another ([`tree`]). A copy travels on one of the paths to its receivers, so in transit it is a
//! frame like any other: everything a bridge needs, including the return path for notifications, is
//! in the entry at its `hop` and the entries before it. The difference matters only when a copy is forwarded,
//! dropped or delivered, which this module handles.
//!
//! * In an output-queued bridge, each copy is queued, sampled, dropped and counted at its input separately; the
//!   input has headroom for all copies of arriving frames.
//! * A bridge with input buffers stores a frame once, with its copies in the virtual output queues of their
//!   outputs. The frame leaves the input with the last copy. Over spines, each copy is sent in its own cells.
//! * Joins and leaves take effect at bridges without delay. A bridge with no member behind any of its ports
//!   discards the frame, which counts as unwanted.
//!
//! The byte balance of a flow to a group: sent + created = delivered + dropped + unwanted + in transit.

mod tree;

use setpoint_units::{Bytes, TimeDelta};

use crate::frame::Frame;
use crate::ids::{FlowId, GroupId, NodeId};
use crate::index::HopNo;
use crate::network::node::books::{Books, LossCause};
use crate::outcome::{Copies, ReceiverOutcome};
use crate::spec::Side;

use tree::Edge;

/// The trees of all flows addressed to groups.
#[derive(Clone, Debug, Default)]
pub(in crate::network) struct Groups {
    /// The first entry of the first group's route; routes to groups come last.
    first: HopNo,
    /// One edge for each entry in the route table, starting with `first`.
    edges: Vec<Edge>,
    /// The entries to which frames are forwarded, grouped by edge.
    branches: Vec<HopNo>,
    /// In flow order.
    trees: Vec<Tree>,
    /// The receivers of all trees, in route-table order.
    receivers: Vec<Receiver>,
    /// The copies of a frame while it is forwarded.
    pub(in crate::network) copies: Vec<Frame>,
}

/// The tree of a flow.
#[derive(Clone, Debug)]
struct Tree {
    flow: FlowId,
    group: GroupId,
    /// The range of its receivers, end exclusive.
    receivers: (u32, u32),
    copies: Copies,
}

/// A station that is a member at some time during the run, at the end of a path.
#[derive(Clone, Debug)]
pub(in crate::network) struct Receiver {
    station: NodeId,
    /// The range of its path in the route table, end exclusive.
    path: (HopNo, HopNo),
    membership: Membership,
    books: Books,
    /// Bytes received while it was a member.
    pub(in crate::network) timely: u64,
    /// The part of these bytes received before measurement began.
    timely_unmeasured: u64,
}

impl Receiver {
    /// A station at the end of a path, initially not a member.
    fn new(station: NodeId, path: (HopNo, HopNo)) -> Self {
        let (membership, books) = (Membership::NonMember, Books::default());
        Self { station, path, membership, books, timely: 0, timely_unmeasured: 0 }
    }

    /// Resets the measured statistics.
    pub(in crate::network) fn restart(&mut self) {
        self.books.restart();
        self.timely_unmeasured = self.timely;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::network) enum Membership {
    Member,
    NonMember,
}

impl Groups {
    /// Whether a frame is addressed to a group.
    #[inline]
    pub(in crate::network) fn include(&self, frame: Frame) -> bool {
        frame.hop() >= self.first
    }

    /// The receivers of all trees.
    pub(in crate::network) fn receivers(&self) -> &[Receiver] {
        &self.receivers
    }

    /// The receivers of all trees, mutably.
    pub(in crate::network) fn receivers_mut(&mut self) -> &mut [Receiver] {
        &mut self.receivers
    }

    /// The copies of a flow's frames that bridges created.
    pub(in crate::network) fn copies_of(&self, flow: FlowId) -> Copies {
        self.tree_of(flow).map(|tree| tree.copies).unwrap_or_default()
    }

    /// The range of a group flow's receivers.
    pub(in crate::network) fn receivers_of(&self, flow: FlowId) -> std::ops::Range<usize> {
        self.tree_of(flow).map_or(0..0, |tree| tree.receivers.0 as usize..tree.receivers.1 as usize)
    }

    fn tree_of(&self, flow: FlowId) -> Option<&Tree> {
        let index = self.trees.binary_search_by_key(&flow, |tree| tree.flow);
        index.ok().map(|index| &self.trees[index])
    }

    /// The copies of a frame that has arrived at a bridge: one for each branch with members.
    pub(in crate::network) fn copy(&self, frame: Frame, copies: &mut Vec<Frame>) {
        let (begin, end) = self.edge(frame.hop()).branches;
        let branches = &self.branches[begin as usize..end as usize];
        let wanted = branches.iter().filter(|&&hop| self.edge(hop).members > 0);
        copies.clear();
        copies.extend(wanted.map(|hop| frame.at(*hop)));
    }

    /// The copy counts of a frame's tree.
    fn books(&mut self, frame: Frame) -> &mut Copies {
        let tree = self.edge(frame.hop()).tree;
        &mut self.trees[tree as usize].copies
    }

    /// Counts the additional copies of a frame that a bridge created.
    pub(in crate::network) fn count_created(&mut self, frame: Frame, added: u64) {
        let books = self.books(frame);
        books.created_frames += added;
        books.created += frame.size() * added;
    }

    pub(in crate::network) fn count_unwanted(&mut self, frame: Frame) {
        let books = self.books(frame);
        books.unwanted_frames += 1;
        books.unwanted += frame.size();
    }
}

impl Groups {
    /// Records the arrival of a copy at its station; returns the number of the receiver.
    pub(in crate::network) fn deliver(&mut self, frame: Frame, delay: TimeDelta) -> usize {
        let number = self.edge(frame.hop()).receivers.0 as usize;
        let receiver = &mut self.receivers[number];
        receiver.books.deliver(frame.bytes(), delay);
        if receiver.membership == Membership::Member {
            receiver.timely += u64::from(frame.bytes());
        }
        number
    }

    /// Records the loss of a frame: a copy at an output, or the original at an input before it is
    /// copied. All members behind that point miss it.
    pub(in crate::network) fn lose(&mut self, side: Side, frame: Frame, cause: LossCause) {
        let lost_at = match side {
            Side::Output => frame.hop(),
            Side::Input => frame.hop().before(),
        };
        let (begin, end) = self.edge(lost_at).receivers;
        let behind = &mut self.receivers[begin as usize..end as usize];
        for receiver in behind.iter_mut().filter(|receiver| receiver.membership == Membership::Member) {
            receiver.books.lose(frame.bytes(), cause);
        }
    }

    /// The results of a flow for each of its receivers, in station order, with their series.
    pub(in crate::network) fn receiver_outcomes(
        &self,
        flow: FlowId,
        mut series_of: impl FnMut(usize) -> Vec<u64>,
    ) -> Vec<ReceiverOutcome> {
        let outcome = |index: usize| {
            let Receiver { station, books, timely, timely_unmeasured, .. } = &self.receivers[index];
            let rare = books.rare();
            ReceiverOutcome {
                station: *station,
                delivered_frames: books.delivered_frames,
                delivered: Bytes::new(books.delivered),
                delivered_measured: Bytes::new(timely - timely_unmeasured),
                lost_frames: rare.dropped_frames,
                lost: Bytes::new(rare.dropped),
                delay_sum: books.delay_sum(),
                delay_max: books.delay_max,
                delay_frames: books.delivered_frames - rare.unmeasured_frames,
                delivered_series: series_of(index),
            }
        };
        let mut outcomes: Vec<ReceiverOutcome> = self.receivers_of(flow).map(outcome).collect();
        outcomes.sort_by_key(|receiver| receiver.station);
        outcomes
    }
}
