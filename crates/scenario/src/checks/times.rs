//! Checks for flows and changes that do not take place because the run ends first.

use setpoint_units::TimeDelta;

use super::{Subject, Warning};
use crate::check::AFTER_THE_END;
use crate::diagnostics::{Place, Problem};

pub(super) fn warnings(subject: &Subject<'_>) -> Option<Warning> {
    let (root, duration) = (subject.root, subject.spec.duration);
    let flows = subject.spec.flows.iter().filter(|flow| flow.start.since_start() >= duration).count();
    let changes = root.at.iter().filter(|change| *change.time >= duration).count();
    let count = |number: usize, one: &str| match number {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{number} {one}s")),
    };
    let late: Vec<String> = [count(flows, "flow"), count(changes, "change")].into_iter().flatten().collect();
    if late.is_empty() {
        return None;
    }
    let verb = if flows + changes == 1 { "does" } else { "do" };
    let message = format!("{} {verb} not take place, because the run ends at {duration}", late.join(" and "));
    let problem = Problem::at(place(subject, duration), message, "after the end")
        .context(root.duration.place(), "the end of the run")
        .help("increase `duration`, or remove them");
    Some(Warning::new(AFTER_THE_END, problem))
}

/// The first time that is too late: the start or stagger of flows, or the time of a change.
fn place<'a>(subject: &Subject<'a>, duration: TimeDelta) -> &'a Place {
    let root = subject.root;
    let starts = root.flows.iter().filter(|entry| *entry.start >= duration).map(|entry| entry.start.place());
    let changes = root.at.iter().filter(|change| *change.time >= duration).map(|change| change.time.place());
    let staggered =
        root.flows.iter().filter(|entry| entry.stagger.is_given()).map(|entry| entry.stagger.place());
    starts.chain(changes).chain(staggered).next().unwrap_or(root.flows.place())
}
