//! Groups of stations that receive the same frames.

use crate::ids::{GroupId, NodeId};

/// Who receives the frames of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// One station.
    Station(NodeId),
    /// The members of a multicast group: the station sends each frame once, and bridges copy it where paths part.
    Group(GroupId),
}

impl From<NodeId> for Destination {
    fn from(station: NodeId) -> Self {
        Self::Station(station)
    }
}

impl From<GroupId> for Destination {
    fn from(group: GroupId) -> Self {
        Self::Group(group)
    }
}

/// A multicast group. Others can come and members can go while the run goes on: [`Change::Join`] and
/// [`Change::Leave`](crate::Change).
///
/// [`Change::Join`]: crate::Change::Join
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupSpec {
    /// A name for people.
    pub name: String,
    /// The stations that are members from the start.
    pub members: Vec<NodeId>,
}
