//! Dense indices. An id is valid only for the [`crate::Topology`] or [`crate::Spec`] it was created for.

macro_rules! id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The id as an index.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// An end station or a bridge.
    NodeId
);
id!(
    /// A full-duplex cable between two nodes.
    LinkId
);
id!(
    /// A port: one direction of a link, that is, the transmitter at one node that feeds the receiver at the
    /// other. Link `l` has the ports `2l` (from its first node to its second) and `2l + 1`.
    PortId
);
id!(
    /// A flow: a sequence of frames from one station to another or to a group, with its own rate.
    FlowId
);
id!(
    /// A multicast group.
    GroupId
);

/// A message of [`Traffic::Dependent`](crate::traffic::Traffic::Dependent).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageId {
    /// Its flow.
    pub flow: FlowId,
    /// Its position in the list of the flow, starting at zero.
    pub number: u32,
}

impl LinkId {
    /// The port from the link's first node to its second.
    pub const fn forward(self) -> PortId {
        PortId(self.0 * 2)
    }

    /// The port from the link's second node to its first.
    pub const fn backward(self) -> PortId {
        PortId(self.0 * 2 + 1)
    }
}

impl PortId {
    /// The link the port transmits on.
    pub const fn link(self) -> LinkId {
        LinkId(self.0 / 2)
    }

    /// The port at the other end of the same link, which transmits in the opposite direction.
    #[inline]
    pub const fn peer(self) -> PortId {
        PortId(self.0 ^ 1)
    }
}

/// An IEEE 802.1Q priority, from 0 to 7; under strict priority, 7 is served first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Priority(u8);

impl Priority {
    /// The number of priorities.
    pub const COUNT: usize = 8;

    /// A priority from 0 to 7; `None` for larger values.
    pub const fn new(value: u8) -> Option<Self> {
        if value < 8 { Some(Self(value)) } else { None }
    }

    /// The number from 0 to 7.
    #[inline]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The priority as an index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of priorities, one bit each (bit 0 is priority 0).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PrioritySet(pub u8);

impl PrioritySet {
    /// Every priority.
    pub const ALL: Self = Self(0xff);
    /// No priority.
    pub const NONE: Self = Self(0);

    /// The set with a single priority.
    pub const fn only(priority: Priority) -> Self {
        Self(1 << priority.0)
    }

    /// This set with one more priority.
    #[must_use]
    pub const fn with(self, priority: Priority) -> Self {
        Self(self.0 | 1 << priority.0)
    }

    /// Whether the set contains a priority.
    #[inline]
    pub const fn contains(self, priority: Priority) -> bool {
        self.0 & (1 << priority.0) != 0
    }
}
