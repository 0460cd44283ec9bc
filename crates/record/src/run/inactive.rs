//! Warnings about a finished run: mechanisms that the scenario configures but that did nothing, flow control that
//! acted before congestion control, and losses on links that failed.

use setpoint_control::Answers;
use setpoint_scenario::{Check, Prepared};
use setpoint_sim::{FlowControl, Spec};
use setpoint_units::quantity::Unit;
use setpoint_units::spelling::arrows;

use crate::results::{Series, Summary, WarningRecord};

/// The warnings about a run, without those that the scenario allows.
pub(super) fn warnings(prepared: &Prepared, summary: &Summary, series: &Series) -> Vec<WarningRecord> {
    let spec = &prepared.spec;
    let inactive =
        inactive(spec, summary, series).into_iter().map(|message| (Check::INACTIVE_MECHANISM, message));
    let early =
        pauses_before_feedback(spec, summary, series).map(|message| (Check::PAUSES_BEFORE_FEEDBACK, message));
    let lost = lost_on_links(summary).map(|message| (Check::LOST_ON_FAILED_LINKS, message));
    let found = inactive.chain(early).chain(lost).filter(|(check, _)| !prepared.allows(check));
    let warning = |(check, message): (&Check, String)| WarningRecord {
        check: check.code.to_owned(),
        message,
        remedies: Vec::new(),
    };
    found.map(warning).collect()
}

fn inactive(spec: &Spec, summary: &Summary, series: &Series) -> Vec<String> {
    let algorithm = spec.control.congestion_point.algorithm();
    let (total, flows) = (&summary.total, &summary.flows);
    let received: u64 = flows.iter().map(|flow| flow.notifications).sum();
    let acknowledges = spec.control.notification_point.answers() == Answers::EveryFrame;
    let mut found = Vec::new();
    match total.marked_frames {
        Some(0) => found.push(format!("{} did nothing: no frame was marked", algorithm.name())),
        Some(marks) if received == 0 && !acknowledges => {
            found.push(format!("no source was notified, although bridges marked {marks} frames"));
        }
        None if algorithm.notifies() && total.notifications == 0 => {
            found.push(format!("{} did nothing: no notification was sent", algorithm.name()));
        }
        None if algorithm.notifies() && received == 0 => {
            found.push("no notification reached a source before the end of the run".to_owned());
        }
        _ => {}
    }
    let limited = series.flows.iter().any(|flow| flow.limit_bps.iter().any(Option::is_some));
    if received > 0 && !limited {
        found.push(
            "no limiter was seen at the end of a sample interval, although sources were notified".to_owned(),
        );
    }
    if spec.flow_control != FlowControl::None && summary.pauses() == 0 {
        found.push("flow control did nothing: no port was paused".to_owned());
    }
    found
}

/// Compares the time of the first sample interval that contains a pause with the time of the first
/// notification to reach a source.
fn pauses_before_feedback(spec: &Spec, summary: &Summary, series: &Series) -> Option<String> {
    if !spec.control.congestion_point.algorithm().notifies() {
        return None;
    }
    let paused = |place: &usize| series.ports.iter().any(|port| port.paused_share[*place] > 0.0);
    let first_pause = series.time_s[(0..series.time_s.len()).find(paused)?];
    let notified = summary.flows.iter().filter_map(|flow| flow.first_notified_s).min_by(f64::total_cmp)?;
    let time = |seconds| Unit::Seconds.text(seconds);
    let message = format!(
        "flow control acted before congestion control: a port was paused before {}, and the first notification reached a \
         source at {}",
        time(first_pause),
        time(notified)
    );
    (first_pause < notified).then_some(message)
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
