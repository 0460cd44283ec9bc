//! The places at which the parts of an algorithm run.

/// A place at which a part of an algorithm runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// A congestion point, at a queue of a bridge.
    CongestionPoint,
    /// A notification point, at the receiver of a flow.
    NotificationPoint,
    /// A reaction point, at the rate limiter of a source.
    ReactionPoint,
}

impl Role {
    /// Every role, in the order in which feedback passes through them.
    pub const ALL: [Self; 3] = [Self::CongestionPoint, Self::NotificationPoint, Self::ReactionPoint];

    /// The name of its table in scenario files, as in `control.qcn.cp`.
    pub const fn key(self) -> &'static str {
        match self {
            Self::CongestionPoint => "cp",
            Self::NotificationPoint => "np",
            Self::ReactionPoint => "rp",
        }
    }

    /// Its name in prose.
    pub const fn title(self) -> &'static str {
        match self {
            Self::CongestionPoint => "congestion point",
            Self::NotificationPoint => "notification point",
            Self::ReactionPoint => "reaction point",
        }
    }

    /// The role with the given table.
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.key() == key)
    }

    /// The role to which a table of parameters belongs, such as "qcn.cp".
    ///
    /// # Panics
    /// Panics, at compile time, if the table belongs to no role.
    pub(crate) const fn of_table(table: &str) -> Self {
        match table.as_bytes() {
            [.., b'.', b'c', b'p'] => Self::CongestionPoint,
            [.., b'.', b'n', b'p'] => Self::NotificationPoint,
            [.., b'.', b'r', b'p'] => Self::ReactionPoint,
            _ => panic!("the name of a table of parameters must end in .cp, .np or .rp"),
        }
    }
}
