//! Triggers: connections that start others.

use std::collections::BTreeMap;

use setpoint_units::TimeDelta;

use crate::diagnostics::{Place, Problem};
use crate::import::workload::{Dependency, Event, Message};

/// When a trigger starts its connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TriggerKind {
    /// When it is activated for the first time.
    OneShot,
    /// Each time it is activated.
    MultiShot,
    /// When it has been activated a number of times.
    Barrier,
}

/// A trigger that is declared.
#[derive(Debug)]
pub(super) struct Trigger {
    pub(super) kind: TriggerKind,
    /// The activations that a barrier waits for.
    pub(super) count: u64,
    pub(super) place: Place,
}

/// The triggers of a file, and the connections that they link.
#[derive(Debug, Default)]
pub(super) struct Links {
    triggers: BTreeMap<u64, Trigger>,
    /// The events that activate each trigger.
    causes: BTreeMap<u64, Vec<(usize, Event)>>,
    /// The connections that each trigger starts.
    effects: BTreeMap<u64, Vec<usize>>,
    /// Where each trigger is first used.
    uses: BTreeMap<u64, Place>,
}

impl Links {
    /// A connection is started by a trigger.
    pub(super) fn starts(&mut self, trigger: u64, message: usize, place: &Place) {
        self.effects.entry(trigger).or_default().push(message);
        self.uses.entry(trigger).or_insert_with(|| place.clone());
    }

    /// A connection activates a trigger when all of it has been sent.
    pub(super) fn fires_when_sent(&mut self, trigger: u64, message: usize, place: &Place) {
        self.fires(trigger, (message, Event::Sent), place);
    }

    /// A connection activates a trigger when all of it has been received.
    pub(super) fn fires_when_received(&mut self, trigger: u64, message: usize, place: &Place) {
        self.fires(trigger, (message, Event::Received), place);
    }

    fn fires(&mut self, trigger: u64, cause: (usize, Event), place: &Place) {
        self.causes.entry(trigger).or_default().push(cause);
        self.uses.entry(trigger).or_insert_with(|| place.clone());
    }

    pub(super) fn declare(&mut self, id: u64, trigger: Trigger) -> Result<(), Problem> {
        if let Some(first) = self.triggers.get(&id) {
            return Err(Problem::at(&trigger.place, format!("trigger {id} is declared twice"), "the second")
                .context(&first.place, "the first")
                .help("give the triggers different numbers"));
        }
        self.triggers.insert(id, trigger);
        Ok(())
    }

    /// The number of declared triggers.
    pub(super) fn declared(&self) -> usize {
        self.triggers.len()
    }

    /// Adds the dependencies to the messages.
    pub(super) fn resolve(&self, messages: &mut [Message]) -> Result<(), Problem> {
        for (id, place) in &self.uses {
            let trigger = self.triggers.get(id).ok_or_else(|| {
                Problem::at(place, format!("trigger {id} is not declared"), "used here")
                    .help(format!("add a line such as `trigger id {id} oneshot`"))
            })?;
            let causes = self.causes.get(id).map_or(&[][..], Vec::as_slice);
            let effects = self.effects.get(id).map_or(&[][..], Vec::as_slice);
            if effects.is_empty() {
                continue;
            }
            trigger.check(*id, causes.len() as u64)?;
            for effect in effects {
                let dependency =
                    |&(message, event): &(usize, Event)| Dependency { message, event, gap: TimeDelta::ZERO };
                messages[*effect].after.extend(causes.iter().map(dependency));
            }
        }
        Ok(())
    }
}

impl Trigger {
    /// Refuses a trigger whose connections do not all begin when all its causes have occurred.
    fn check(&self, id: u64, causes: u64) -> Result<(), Problem> {
        let wrong = |message: String, help: &str| Err(Problem::at(&self.place, message, "").help(help));
        match self.kind {
            _ if causes == 0 => wrong(
                format!(
                    "no connection activates trigger {id}, so the connections that it starts never begin"
                ),
                "add `send_done_trigger` or `recv_done_trigger` to a connection",
            ),
            TriggerKind::Barrier if causes != self.count => wrong(
                format!("barrier {id} waits for {} activations, but gets {causes}", self.count),
                "a barrier must wait for all of them: correct its count",
            ),
            TriggerKind::OneShot | TriggerKind::MultiShot if causes > 1 => wrong(
                format!(
                    "{causes} connections activate trigger {id}, and the first of them starts its connections"
                ),
                "use a barrier, which waits for all of them, or a trigger for each",
            ),
            _ => Ok(()),
        }
    }
}
