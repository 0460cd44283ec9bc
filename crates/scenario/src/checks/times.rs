//! Checks for flows and changes that do not take place because the run ends first.

use setpoint_sim::FlowSpec;
use setpoint_sim::traffic::Traffic;
use setpoint_units::TimeDelta;

use super::{Subject, Warning};
use crate::check::AFTER_THE_END;
use crate::diagnostics::{Place, Problem};

pub(super) fn warnings(subject: &Subject<'_>) -> Option<Warning> {
    let (root, duration) = (subject.root, subject.spec.duration);
    let flows = subject.spec.flows.iter().filter(|flow| flow.start.since_start() >= duration).count();
    let changes = root.at.iter().filter(|change| *change.time >= duration).count();
    let messages: usize = subject.spec.flows.iter().map(|flow| late_messages(flow, duration)).sum();
    let count = |number: usize, one: &str| match number {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{number} {one}s")),
    };
    let late = [count(flows, "flow"), count(messages, "message"), count(changes, "change")];
    let late: Vec<String> = late.into_iter().flatten().collect();
    if late.is_empty() {
        return None;
    }
    let verb = if flows + messages + changes == 1 { "does" } else { "do" };
    let message = format!("{} {verb} not take place, because the run ends at {duration}", listed(&late));
    let problem = Problem::at(place(subject, duration), message, "after the end")
        .context(root.duration.place(), "the end of the run")
        .help("increase `duration`, or remove them");
    Some(Warning::new(AFTER_THE_END, problem))
}

/// Phrases as a list in a sentence.
fn listed(phrases: &[String]) -> String {
    match phrases {
        [first, second, third] => format!("{first}, {second} and {third}"),
        phrases => phrases.join(" and "),
    }
}

/// The number of listed messages that would begin after the end of the run, if their flow begins before it.
fn late_messages(flow: &FlowSpec, duration: TimeDelta) -> usize {
    let start = flow.start.since_start();
    match &flow.traffic {
        Traffic::Schedule(arrivals) if start < duration => {
            arrivals.len() - arrivals.partition_point(|arrival| start + arrival.after < duration)
        }
        _ => 0,
    }
}

/// The first time that is too late: the start or stagger of flows, or the time of a change.
fn place<'a>(subject: &Subject<'a>, duration: TimeDelta) -> &'a Place {
    let root = subject.root;
    let starts = root.flows.iter().filter(|entry| *entry.start >= duration).map(|entry| entry.start.place());
    let changes = root.at.iter().filter(|change| *change.time >= duration).map(|change| change.time.place());
    let staggered =
        root.flows.iter().filter(|entry| entry.stagger.is_given()).map(|entry| entry.stagger.place());
    let files = root.flow_files.iter().map(|entry| entry.path.place());
    starts.chain(changes).chain(staggered).chain(files).next().unwrap_or(root.flows.place())
}
