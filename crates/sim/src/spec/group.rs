//! Multicast groups and destinations of flows.

use crate::ids::{GroupId, NodeId};

/// The destination of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// One station.
    Station(NodeId),
    /// The members of a multicast group: the station sends each frame once, and bridges copy it where paths
    /// diverge.
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

/// A multicast group. Stations can join and leave during the run, through [`Change::Join`] and
/// [`Change::Leave`].
///
/// [`Change::Join`]: crate::Change::Join
/// [`Change::Leave`]: crate::Change::Leave
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupSpec {
    /// The name shown to users.
    pub name: String,
    /// The initial members.
    pub members: Vec<NodeId>,
}
