//! Multicast: a bridge copies a frame to a group for every port behind which there is a member.
//!
//! The tree of a flow stands in the table of routes as the whole path to each of its receivers, one after the other
//! ([`tree`]). A copy travels on one of the paths that lead where it goes, so under way it is a frame like any other:
//! what a bridge has to know of it, and the way back for notifications, stands before its `step`. Only where it is
//! forwarded, dropped or delivered does it matter that it is a copy; that is what is here.
//!
//! * In an output-queued bridge each copy is queued, sampled and dropped on its own, and also counts with its input on
//!   its own; the input has headroom for as many copies of what arrives.
//! * In a bridge with input buffers a frame is stored once, and its copies stand in the virtual output queues of their
//!   outputs. It leaves the input with the last of them. Over spines each copy is sent in cells of its own.
//! * Members come and go at bridges without delay. A frame with no member behind any port ends there: it is unwanted.
//!
//! The books of a flow to a group: sent + made = delivered + dropped + unwanted + under way.

mod tree;

use setpoint_units::{Bytes, Time};

use super::Network;
use super::flow::Books;
use super::recorder::Counted;
use crate::frame::Frame;
use crate::ids::{GroupId, NodeId};
use crate::outcome::{Copies, ReceiverOutcome};
use crate::spec::Side;

use tree::Edge;

/// The trees of all flows to groups.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    /// Where in the table of routes those of groups begin, after all others.
    first_step: u32,
    /// One for each entry of the table from there on.
    edges: Vec<Edge>,
    /// The entries that frames go on to, those of one edge together.
    branches: Vec<u32>,
    /// In the order of their flows.
    trees: Vec<Tree>,
    /// Of all trees, in the order of the table.
    receivers: Vec<Receiver>,
    /// The copies of a frame while it is forwarded.
    pub(super) copies: Vec<Frame>,
}

/// The tree of a flow.
#[derive(Clone, Debug)]
struct Tree {
    flow: u32,
    group: GroupId,
    /// From the first to before the last.
    receivers: (u32, u32),
    copies: Copies,
}

/// A station that is a member at some time, at the end of a path.
#[derive(Clone, Debug)]
pub(super) struct Receiver {
    station: NodeId,
    /// Where in the table of routes its path begins, and where it has ended.
    path: (u32, u32),
    membership: Membership,
    books: Books,
    /// Bytes that came while it was a member, and what of them before measurement began.
    pub(super) timely: u64,
    timely_unmeasured: u64,
}

impl Receiver {
    /// A station at the end of a path that is no member yet.
    fn new(station: NodeId, path: (u32, u32)) -> Self {
        let (membership, books) = (Membership::Stranger, Books::default());
        Self { station, path, membership, books, timely: 0, timely_unmeasured: 0 }
    }

    /// Forgets what was measured so far.
    pub(super) fn restart(&mut self) {
        self.books.restart();
        self.timely_unmeasured = self.timely;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Membership {
    Member,
    Stranger,
}

impl Groups {
    /// Whether a frame goes to a group.
    #[inline]
    pub(super) fn include(&self, frame: &Frame) -> bool {
        frame.step > self.first_step
    }

    /// Those of all trees.
    pub(super) fn receivers(&self) -> &[Receiver] {
        &self.receivers
    }

    /// Those of all trees.
    pub(super) fn receivers_mut(&mut self) -> &mut [Receiver] {
        &mut self.receivers
    }

    /// What bridges have made of the frames of a flow.
    pub(super) fn copies_of(&self, flow: u32) -> Copies {
        self.tree_of(flow).map(|tree| tree.copies).unwrap_or_default()
    }

    /// The receivers of a flow to a group, by index.
    pub(super) fn receivers_of(&self, flow: u32) -> std::ops::Range<usize> {
        self.tree_of(flow).map_or(0..0, |tree| tree.receivers.0 as usize..tree.receivers.1 as usize)
    }

    fn tree_of(&self, flow: u32) -> Option<&Tree> {
        let index = self.trees.binary_search_by_key(&flow, |tree| tree.flow);
        index.ok().map(|index| &self.trees[index])
    }

    /// The copies of a frame that has come over an edge: one for each branch that has members.
    fn copy(&self, frame: &Frame, copies: &mut Vec<Frame>) {
        let (begin, end) = self.edge(frame.step - 1).branches;
        let branches = &self.branches[begin as usize..end as usize];
        let wanted = branches.iter().filter(|&&step| self.edge(step).members > 0);
        copies.clear();
        copies.extend(wanted.map(|step| frame.at(*step)));
    }

    /// The books of the tree in which a frame is.
    fn books(&mut self, frame: &Frame) -> &mut Copies {
        let tree = self.edge(frame.step - 1).tree;
        &mut self.trees[tree as usize].copies
    }

    /// Books the copies that a bridge has added to a frame.
    fn count_created(&mut self, frame: &Frame, added: u64) {
        let books = self.books(frame);
        books.created_frames += added;
        books.created += frame.size() * added;
    }

    fn count_unwanted(&mut self, frame: &Frame) {
        let books = self.books(frame);
        books.unwanted_frames += 1;
        books.unwanted += frame.size();
    }
}

impl Network {
    /// A frame to a group has arrived at a bridge. Copies that are to be forwarded each on its own are in
    /// [`Groups::copies`]: returns the last of them, and how many are before it.
    #[inline(never)]
    pub(super) fn copy(&mut self, frame: Frame) -> Option<(Frame, usize)> {
        let mut copies = std::mem::take(&mut self.groups.copies);
        self.groups.copy(&frame, &mut copies);
        let stored_once = self.cioq.is_some();
        if copies.is_empty() {
            self.groups.count_unwanted(&frame);
        } else if !stored_once || self.enter_once(&copies) {
            self.groups.count_created(&frame, copies.len() as u64 - 1);
        }
        self.groups.copies = copies;
        let (&last, before) = self.groups.copies.split_last()?;
        (!stored_once).then_some((last, before.len()))
    }

    /// A frame to a group is dropped: at an output a copy, at an input before it is copied. It is lost to all members
    /// behind.
    pub(super) fn lose_copy(&mut self, side: Side, frame: &Frame) {
        let step = if side == Side::Output { frame.step - 1 } else { frame.step - 2 };
        let (begin, end) = self.groups.edge(step).receivers;
        let behind = &mut self.groups.receivers[begin as usize..end as usize];
        for receiver in behind.iter_mut().filter(|receiver| receiver.membership == Membership::Member) {
            receiver.books.dropped_frames += 1;
            receiver.books.dropped += u64::from(frame.bytes);
        }
    }

    /// A copy has arrived at its station.
    pub(super) fn deliver_copy(&mut self, frame: &Frame, at: Time) {
        let (receiver, _) = self.groups.edge(frame.step - 1).receivers;
        #[cfg(debug_assertions)]
        self.recorder.check_order(self.flows.len() + receiver as usize, frame.sent_at());
        let delay = at - frame.sent_at();
        let receiver = &mut self.groups.receivers[receiver as usize];
        receiver.books.deliver(frame.bytes, delay);
        if receiver.membership == Membership::Member {
            receiver.timely += u64::from(frame.bytes);
        }
        self.flows[frame.flow as usize].books.deliver(frame.bytes, delay);
    }

    /// What became of the frames of a flow for each of its receivers, in the order of stations.
    pub(super) fn receiver_outcomes(&self, flow: u32, series: &mut [Counted<u64>]) -> Vec<ReceiverOutcome> {
        let outcome = |index: usize| {
            let Receiver { station, books, timely, timely_unmeasured, .. } = &self.groups.receivers[index];
            ReceiverOutcome {
                station: *station,
                delivered_frames: books.delivered_frames,
                delivered: Bytes::new(books.delivered),
                delivered_measured: Bytes::new(timely - timely_unmeasured),
                lost_frames: books.dropped_frames,
                lost: Bytes::new(books.dropped),
                delay_sum: books.delay_sum,
                delay_max: books.delay_max,
                delay_frames: books.delivered_frames - books.unmeasured_frames,
                delivered_series: std::mem::take(&mut series[index].growth),
            }
        };
        let mut outcomes: Vec<ReceiverOutcome> = self.groups.receivers_of(flow).map(outcome).collect();
        outcomes.sort_by_key(|receiver| receiver.station);
        outcomes
    }
}
