//! The stored form of a run.
//!
//! A result folder holds `summary.json` ([`Summary`]), `manifest.json` ([`Manifest`]), `topology.json`
//! ([`TopologyView`]), and the curves and messages as CSV; [`RunRecord`] combines all of these. Every key that holds a
//! quantity ends in its unit (`_bytes`, `_bps`, `_s`, or `_share` for a fraction from 0 to 1). Keys are declared once,
//! with unit and meaning ([`Keyed`]).

mod build;
mod curve;
mod digest;
mod entry;
mod fabric;
mod failed_link;
mod flow;
mod flow_control;
mod group;
mod job;
mod keyed;
mod messages;
mod pauses;
mod printed;
mod queue;
mod role;
mod run;
mod series;
mod settling;
mod shared_buffer;
mod slowdown;
mod summary;
mod topology;
mod trees;

pub use build::Build;
pub use curve::{Curve, CurveColumn, Curves, Pairs, column_table};
pub use digest::digest;
pub use entry::EntrySummary;
pub use fabric::FabricSummary;
pub use failed_link::FailedLinkSummary;
pub use flow::{CounterSummary, FlowSummary};
pub use flow_control::{BridgeSummary, FlowControlSummary, HeadroomPartsSummary, LinkGroup, LinkSummary};
pub use group::{GroupSummary, ReceiverSummary};
pub use job::{CriticalMessage, JobSummary, MissingMessage, PortDelay, PortLosses, StepSummary, Unfinished};
pub use keyed::{Form, Key, Keyed, key_table, keys_of, unit_text};
pub use messages::{MessageClass, MessageSize, MessageState, MessageSummary, SizeClass};
pub use pauses::PauseRecord;
pub use queue::{CulpritSummary, QueueSummary, Side, queue_name};
pub use run::{ControllerRecord, Frames, Manifest, RunRecord, WarningRecord};
pub use series::{
    FlowSeries, MessageRecord, PortSeries, QueueMeans, QueueSeries, Series, SourceSeries, load_ratio,
};
pub use setpoint_units::quantity::Bounded;
pub use settling::{Settling, Unsettled};
pub use shared_buffer::SharedBufferSummary;
pub use slowdown::{HpccSlowdown, SlowdownBin};
pub use summary::{EventSummary, PortSummary, Summary, TotalSummary};
pub use topology::{LinkView, NodeView, TopologyView};
pub use trees::{Congestion, DeadlockSummary, PauseSummary, TreesSummary};

pub(crate) use keyed::keyed;
