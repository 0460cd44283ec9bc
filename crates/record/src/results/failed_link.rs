//! The losses on links that failed.

use setpoint_scenario::PortNames;
use setpoint_sim::{Change, FailedLink, LinkLosses, Spec};
use setpoint_units::{Time, TimeDelta};

use super::keyed::keyed;

keyed! {
    /// One link that failed.
    #[derive(Clone, Debug, PartialEq)]
    pub struct FailedLinkSummary {
        /// The port at its first end, `from->to`.
        pub link: String,
        /// Time for which it was down; whole run.
        pub down_s: f64 = Seconds,
        /// Frames that were on the link when it failed, in both directions; whole run.
        pub lost_in_flight_frames: u64,
        /// Frames that bridges sent to the link while it was down, in both directions; whole run.
        pub lost_sent_frames: u64,
        /// Bytes of all these frames; whole run.
        pub lost_bytes: u64 = Bytes,
        /// Notifications, replies and pause frames that were lost, in both directions; whole run.
        pub lost_control_frames: u64,
    }
}

impl FailedLinkSummary {
    pub(crate) fn of(spec: &Spec, names: &PortNames, failed: &FailedLink) -> Self {
        let LinkLosses { in_flight_frames, in_flight, sent_frames, sent, control_frames } =
            failed.forward.with(&failed.backward);
        Self {
            link: names.of(failed.link.forward()).to_owned(),
            down_s: downtime(spec, failed).as_secs_f64(),
            lost_in_flight_frames: in_flight_frames,
            lost_sent_frames: sent_frames,
            lost_bytes: (in_flight + sent).get(),
            lost_control_frames: control_frames,
        }
    }
}

/// The total time for which a link is down before the end of the run.
fn downtime(spec: &Spec, failed: &FailedLink) -> TimeDelta {
    let (mut total, mut since, end) = (TimeDelta::ZERO, None, Time::ZERO + spec.duration);
    let mut changes: Vec<_> = spec.changes.iter().filter(|timed| timed.at < end).collect();
    changes.sort_by_key(|timed| timed.at);
    for timed in changes {
        match timed.change {
            Change::LinkDown(link) if link == failed.link => since = Some(timed.at),
            Change::LinkUp(link) if link == failed.link => {
                total += since.take().map_or(TimeDelta::ZERO, |since| timed.at - since);
            }
            _ => {}
        }
    }
    total + since.map_or(TimeDelta::ZERO, |since| end - since)
}
