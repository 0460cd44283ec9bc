//! The outcome of a request to set new values on a card.

use std::fmt;

use setpoint_wire::{Priority, PrioritySet};

use super::{Parameter, Qcn, Setting, State};

/// New values for some priorities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The priorities.
    pub priorities: PrioritySet,
    /// Their new values. All other parameters keep theirs.
    pub settings: Vec<Setting>,
}

/// The outcome of a request to set new values on a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The card after the change.
    pub state: State,
    /// The values that differ from the request.
    pub deviations: Vec<Deviation>,
}

/// A value that differs from the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deviation {
    /// The priority.
    pub priority: Priority,
    /// The value before the change.
    pub before: Setting,
    /// The requested value.
    pub wanted: Setting,
    /// The value after the change.
    pub now: Setting,
}

impl Change {
    /// The parameters after this change.
    pub(super) fn apply(&self, before: &Qcn) -> Qcn {
        let mut wanted = *before;
        for priority in self.priorities.iter() {
            self.settings.iter().for_each(|setting| wanted.set(priority, *setting));
        }
        wanted
    }
}

impl Deviation {
    /// All deviations of a card, in the order of priorities and parameters.
    pub(super) fn all(before: &Qcn, wanted: &Qcn, now: &Qcn) -> Vec<Self> {
        let pairs = Priority::ALL
            .into_iter()
            .flat_map(|priority| Parameter::ALL.map(|parameter| (priority, parameter)));
        let deviation = |(priority, parameter)| Self {
            priority,
            before: before.get(priority, parameter),
            wanted: wanted.get(priority, parameter),
            now: now.get(priority, parameter),
        };
        pairs.map(deviation).filter(|deviation| deviation.now != deviation.wanted).collect()
    }
}

impl fmt::Display for Deviation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { priority, before, wanted, now } = self;
        let name = wanted.parameter().name();
        write!(f, "priority {priority}: ")?;
        if before == wanted {
            write!(f, "{name} changed from {before} to {now} although the command does not change it")
        } else if before == now {
            write!(f, "the card ignored {name} = {wanted}; the value is still {now}")
        } else {
            write!(f, "the card set {name} to {now} instead of {wanted}")
        }
    }
}
