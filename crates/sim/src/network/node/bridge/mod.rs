//! Bridges: ports, queues, congestion points and inputs.
//!
//! All bridges of a run buffer frames in the same way, which the spec determines: an arriving frame enters either the queue of
//! its output port ([`output_queued`]), whose buffer may be shared by all ports ([`shared`]), or a buffer of its input
//! ([`cioq`]). [`Buffering`] lists the operations that depend on this. Everything else is the same for all bridges, and works on
//! their [`Core`] wherever it does not depend on the buffers: a port sends the frames of its queues ([`set`], [`output`]), a
//! queue's congestion point observes frames ([`point`]), and flow control counts frames at their inputs ([`pausing`]). A
//! partition handles all events of a window with the code for its kind of bridges, so that the kind need not be
//! determined for each event and frame.

mod ahead;
mod build;
mod cioq;
mod commit;
mod core;
mod failures;
mod input;
mod numbers;
mod output;
mod output_queued;
mod pausing;
mod point;
mod queue;
mod set;
mod shared;
mod view;

pub(in crate::network) use build::port;
pub(in crate::network) use cioq::{Cioq, SLOT_BYTES, fixed_bytes, keeps_culprits};
pub(in crate::network) use core::Core;
pub(in crate::network) use input::Input;
pub(in crate::network) use numbers::{Numbers, QueueNumbers, place_of_point, point_of};
pub(in crate::network) use output_queued::OutputQueued;
pub(in crate::network) use queue::{Committed, Queue};
pub(in crate::network) use set::{BridgeSet, Buffering};
pub(in crate::network) use shared::{SharedBuffers, shared_bytes};
pub(in crate::network) use view::{QueuePlace, most};

/// The bridges of a partition, by how they buffer frames.
pub(in crate::network) enum Bridges {
    OutputQueued(Box<BridgeSet<OutputQueued>>),
    SharedBuffer(Box<BridgeSet<SharedBuffers>>),
    Cioq(Box<BridgeSet<Cioq>>),
}

impl Bridges {
    /// The state that all kinds of bridges have.
    pub(in crate::network) fn core(&self) -> &Core {
        match self {
            Self::OutputQueued(bridges) => &bridges.core,
            Self::SharedBuffer(bridges) => &bridges.core,
            Self::Cioq(bridges) => &bridges.core,
        }
    }

    /// The state that all kinds of bridges have.
    pub(in crate::network) fn core_mut(&mut self) -> &mut Core {
        match self {
            Self::OutputQueued(bridges) => &mut bridges.core,
            Self::SharedBuffer(bridges) => &mut bridges.core,
            Self::Cioq(bridges) => &mut bridges.core,
        }
    }

    /// The bridges, if they have input buffers.
    pub(in crate::network) fn cioq(&self) -> Option<&BridgeSet<Cioq>> {
        match self {
            Self::OutputQueued(_) | Self::SharedBuffer(_) => None,
            Self::Cioq(bridges) => Some(bridges),
        }
    }

    /// The bridges, if they have input buffers.
    pub(in crate::network) fn cioq_mut(&mut self) -> Option<&mut BridgeSet<Cioq>> {
        match self {
            Self::OutputQueued(_) | Self::SharedBuffer(_) => None,
            Self::Cioq(bridges) => Some(bridges),
        }
    }

    /// The bridges, if their ports share a buffer.
    pub(in crate::network) fn shared(&self) -> Option<&BridgeSet<SharedBuffers>> {
        match self {
            Self::SharedBuffer(bridges) => Some(bridges),
            Self::OutputQueued(_) | Self::Cioq(_) => None,
        }
    }
}
