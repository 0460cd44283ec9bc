//! The components of a network: stations, bridges and links, and the partitions into which they are divided.
//!
//! Components own their state and handle events with a [`Context`](context::Context). They have no access to the
//! network as a whole, its threads or its observers. For the observers, they record [`traces`], [tapped
//! frames](tap) and [`milestones`].

pub(in crate::network) mod ahead;
pub(in crate::network) mod books;
pub(in crate::network) mod bridge;
pub(in crate::network) mod bridge_message;
pub(in crate::network) mod context;
pub(in crate::network) mod conversation;
pub(in crate::network) mod expected;
pub(in crate::network) mod followers;
pub(in crate::network) mod link;
pub(in crate::network) mod milestones;
pub(in crate::network) mod multicast;
pub(in crate::network) mod partition;
pub(in crate::network) mod pause;
pub(in crate::network) mod places;
pub(in crate::network) mod port;
pub(in crate::network) mod receive;
pub(in crate::network) mod remote;
pub(in crate::network) mod reports;
pub(in crate::network) mod routes;
pub(in crate::network) mod station;
pub(in crate::network) mod tap;
pub(in crate::network) mod traces;
pub(in crate::network) mod turns;

use setpoint_units::{Time, TimeDelta};

/// The last instant before the given one.
pub(in crate::network) fn just_before(now: Time) -> Time {
    Time::from_picos(now.as_picos().saturating_sub(1))
}

/// The first instant after the given one.
pub(in crate::network) fn after(now: Time) -> Time {
    now + TimeDelta::from_picos(1)
}
