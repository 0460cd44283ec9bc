//! IEEE 802.1Qau quantised congestion notification.

use crate::{Arrival, Backlog, CpCounters, Entropy, Notification, RpCounters, Update};
use setpoint_units::{Bytes, Rate, Time};

/// Parameters of the congestion point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpParams;
/// Parameters of the reaction point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RpParams;
/// Congestion point.
#[derive(Clone, Debug)]
pub struct CongestionPoint;
/// Reaction point.
#[derive(Clone, Debug)]
pub struct ReactionPoint;
#[expect(missing_docs, reason = "placeholder")]
impl CongestionPoint {
    pub fn new(_: CpParams) -> Self {
        Self
    }
    pub fn on_enqueue(&mut self, _: Arrival, _: &mut impl Entropy) -> Option<Notification> {
        None
    }
    pub fn counters(&self) -> CpCounters {
        CpCounters::default()
    }
}
#[expect(missing_docs, reason = "placeholder")]
impl ReactionPoint {
    pub fn new(_: RpParams, _: Rate) -> Self {
        Self
    }
    pub fn on_notification(&mut self, _: Time, _: &Notification, _: &mut impl Entropy) -> Update {
        Update::Unchanged
    }
    pub fn on_sent(&mut self, _: Bytes, _: &mut impl Entropy) -> Update {
        Update::Unchanged
    }
    pub fn on_timer(&mut self, _: Time, _: &mut impl Entropy) -> Update {
        Update::Unchanged
    }
    pub fn timer(&self) -> Option<Time> {
        None
    }
    pub fn rate(&self) -> Rate {
        Rate::from_gbps(10)
    }
    pub fn may_release(&self, _: Backlog) -> bool {
        false
    }
    pub fn counters(&self) -> RpCounters {
        RpCounters::default()
    }
}
