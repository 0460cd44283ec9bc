//! Warnings about a finished run: mechanisms that the scenario configures but that did nothing, flow control that
//! acted before congestion control, and losses on links that failed.
//!
//! A congestion control algorithm did nothing
//!
//! * if it marks frames and marked none, or no source learned of a mark by a notification or an acknowledgement;
//! * if it notifies sources and sent no notification, or none arrived;
//! * if its sources decide by acknowledgements alone (TIMELY, HPCC, PowerTCP, Swift), and none arrived, or none lowered a rate or
//!   a window.

use setpoint_scenario::{Check, Prepared};
use setpoint_sim::{FlowControl, Outcome, Spec};
use setpoint_units::Time;
use setpoint_units::quantity::Unit;
use setpoint_units::spelling::arrows;

use crate::results::{Series, Summary, WarningRecord};

/// A finished run.
pub(super) struct Finished<'a> {
    pub(super) prepared: &'a Prepared,
    pub(super) summary: &'a Summary,
    pub(super) series: &'a Series,
    /// The time at which an acknowledgement first lowered a rate or a window.
    pub(super) first_lowered: Option<Time>,
}

/// The time at which an acknowledgement first lowered the rate or the window of a flow.
pub(super) fn first_lowered(outcome: &Outcome) -> Option<Time> {
    outcome.flows.iter().filter_map(|flow| flow.round_trips.get().first_lowered).min()
}

impl Finished<'_> {
    /// The warnings about the run, without those that the scenario allows.
    pub(super) fn warnings(&self) -> Vec<WarningRecord> {
        let inactive = self.inactive().into_iter().map(|message| (Check::INACTIVE_MECHANISM, message));
        let early = self.pauses_before_feedback().map(|message| (Check::PAUSES_BEFORE_FEEDBACK, message));
        let lost = lost_on_links(self.summary).map(|message| (Check::LOST_ON_FAILED_LINKS, message));
        let found = inactive.chain(early).chain(lost).filter(|(check, _)| !self.prepared.allows(check));
        let warning = |(check, message): (&Check, String)| WarningRecord {
            check: check.code.to_owned(),
            message,
            remedies: Vec::new(),
        };
        found.map(warning).collect()
    }

    fn inactive(&self) -> Vec<String> {
        let mut found: Vec<String> = self.inactive_control().into_iter().collect();
        if self.feedback() > 0 && !self.was_limited() {
            let message =
                "no limiter was seen at the end of a sample interval, although sources were notified";
            found.push(message.to_owned());
        }
        if self.spec().flow_control != FlowControl::None && self.summary.pauses() == 0 {
            found.push("flow control did nothing: no port was paused".to_owned());
        }
        found
    }

    /// The reason why congestion control had no effect, if it had none.
    fn inactive_control(&self) -> Option<String> {
        let control = &self.spec().control;
        let (total, feedback) = (&self.summary.total, self.feedback());
        let name = control.algorithm().name();
        let notifies = control.congestion_point.algorithm().notifies();
        match total.marked_frames {
            Some(0) => Some(format!("{name} did nothing: no frame was marked")),
            Some(1) if feedback == 0 => {
                Some("no source was notified, although bridges marked 1 frame".to_owned())
            }
            Some(marks) if feedback == 0 => {
                Some(format!("no source was notified, although bridges marked {marks} frames"))
            }
            None if self.decides_by_acknowledgements() => self.no_effect_of_acknowledgements(name),
            None if notifies && total.notifications == 0 => {
                Some(format!("{name} did nothing: no notification was sent"))
            }
            None if notifies && feedback == 0 => {
                Some("no notification reached a source before the end of the run".to_owned())
            }
            _ => None,
        }
    }

    fn no_effect_of_acknowledgements(&self, name: &str) -> Option<String> {
        let mut arrived = self.summary.flows.iter().filter_map(|flow| flow.acknowledgements);
        match self.first_lowered {
            Some(_) => None,
            None if arrived.any(|count| count > 0) => {
                Some(format!("{name} did nothing: no acknowledgement lowered a rate or a window"))
            }
            None => Some(format!("{name} did nothing: no acknowledgement reached a source")),
        }
    }

    /// Compares the time of the first sample interval that contains a pause with the time of the first notification to reach
    /// a source or, if sources are not notified, of the first acknowledgement that lowered a rate or a window.
    fn pauses_before_feedback(&self) -> Option<String> {
        let Series { time_s, ports, .. } = self.series;
        let paused = |place: &usize| ports.iter().any(|port| port.paused_share[*place] > 0.0);
        let first_pause = time_s[(0..time_s.len()).find(paused)?];
        let notified =
            self.summary.flows.iter().filter_map(|flow| flow.first_notified_s).min_by(f64::total_cmp);
        let (first_feedback, event) = match (notified, self.first_lowered) {
            (Some(notified), _) => (notified, "the first notification reached a source"),
            (None, Some(lowered)) => {
                (lowered.as_secs_f64(), "an acknowledgement first lowered a rate or a window")
            }
            (None, None) => return None,
        };
        let time = |seconds| Unit::Seconds.text(seconds);
        let message = format!(
            "flow control acted before congestion control: a port was paused before {}, and {event} at {}",
            time(first_pause),
            time(first_feedback)
        );
        (first_pause < first_feedback).then_some(message)
    }

    fn spec(&self) -> &Spec {
        &self.prepared.spec
    }

    /// Whether sources decide by acknowledgements without marks.
    fn decides_by_acknowledgements(&self) -> bool {
        let control = &self.spec().control;
        control.acknowledges() && !control.marks()
    }

    /// Notifications and acknowledgements of marked frames that reached sources.
    fn feedback(&self) -> u64 {
        let notified: u64 = self.summary.flows.iter().map(|flow| flow.notifications).sum();
        let marked = self.series.sources.iter().flat_map(|source| &source.marked_acknowledgements);
        notified + marked.flatten().map(|&count| u64::from(count)).sum::<u64>()
    }

    /// Whether a flow had a limiter at the end of a sample interval.
    fn was_limited(&self) -> bool {
        self.series.flows.iter().any(|flow| flow.limit_bps.iter().any(Option::is_some))
    }
}

/// The losses on links that failed, and the messages that they damaged.
fn lost_on_links(summary: &Summary) -> Option<String> {
    let lost = summary.total.lost_on_links_frames;
    let damaged = summary.messages.as_ref().map_or(0, |messages| messages.damaged);
    let links = match &summary.failed_links[..] {
        [one] => arrows(&one.link),
        several => format!("{} links", several.len()),
    };
    let messages = match damaged {
        0 => String::new(),
        1 => ", and 1 message never completes, because frames are not retransmitted".to_owned(),
        _ => format!(", and {damaged} messages never complete, because frames are not retransmitted"),
    };
    let frames = if lost == 1 { "1 frame was".to_owned() } else { format!("{lost} frames were") };
    (lost > 0).then(|| format!("{frames} lost because of the failure of {links}{messages}"))
}
