//! Triggers: connections that start others.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostics::{Place, Problem};
use crate::import::workload::Message;
use crate::precedence::sorted;

/// When a trigger starts its connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TriggerKind {
    /// When it is activated for the first time.
    OneShot,
    /// One connection each time it is activated.
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

    /// Whether any connection is started by a trigger.
    pub(super) fn start_any(&self) -> bool {
        !self.effects.is_empty()
    }

    /// Whether a connection that is started by a trigger waits until another one has been sent.
    pub(super) fn wait_for_senders(&self) -> bool {
        let sent = |causes: &Vec<(usize, Event)>| causes.iter().any(|(_, event)| *event == Event::Sent);
        self.effects.keys().filter_map(|trigger| self.causes.get(trigger)).any(sent)
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
            let pairs = match trigger.kind {
                TriggerKind::MultiShot => trigger.sequence(*id, causes, effects)?,
                TriggerKind::OneShot | TriggerKind::Barrier => {
                    let of = |&effect: &usize| causes.iter().map(move |&cause| (cause, effect));
                    effects.iter().flat_map(of).collect()
                }
            };
            for ((cause, event), effect) in pairs {
                check_hosts(&messages[cause], event, &messages[effect])?;
                messages[effect].after.push(cause);
            }
        }
        for message in &mut *messages {
            message.after.sort_unstable();
            message.after.dedup();
        }
        let after: Vec<&[usize]> = messages.iter().map(|message| &message.after[..]).collect();
        sorted(&after).map(drop).map_err(|stuck| {
            Problem::at(
                &messages[stuck].place,
                "this connection starts itself, directly or through others",
                "",
            )
            .help("give one of the connections a start time instead of a trigger")
        })
    }
}

/// A host can start a connection only when it knows that the other one has been completed.
fn check_hosts(cause: &Message, event: Event, effect: &Message) -> Result<(), Problem> {
    if cause.size.is_none() {
        return Err(Problem::at(&cause.place, "this connection has no end, so it starts no other", "")
            .context(&effect.place, "would be started")
            .help("give it a size above 0"));
    }
    if effect.size.is_none() {
        return Err(Problem::at(
            &effect.place,
            "a connection without end cannot be started by a trigger",
            "",
        )
        .help("give it a size above 0, or a start time"));
    }
    let host = effect.source;
    let (from, to) = (cause.source, cause.destination);
    let problem = |message: String, help: String| {
        Err(Problem::at(&effect.place, message, "").context(&cause.place, "the other connection").help(help))
    };
    match event {
        _ if host == to => Ok(()),
        Event::Sent if host == from => Ok(()),
        Event::Received if host == from => problem(
            format!(
                "host {host} starts this connection when host {to} has received another one, but no frame informs host {host}"
            ),
            String::from("write `send_done_trigger` instead of `recv_done_trigger` in the other connection"),
        ),
        _ => problem(
            format!("host {host} starts this connection after {from}->{to}, but no frame informs it of that"),
            format!(
                "only a frame can carry this information: add a connection from {to} to {host} that \
                 `recv_done_trigger` of {from}->{to} starts, and let its own `recv_done_trigger` start this one"
            ),
        ),
    }
}

/// The completion of a connection, as one of its hosts notices it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    /// Its source has sent all of it.
    Sent,
    /// Its destination has received all of it.
    Received,
}

/// An activation of a trigger, and a connection that it starts.
type Pair = ((usize, Event), usize);

impl Trigger {
    /// Refuses a trigger whose connections do not all begin when all its causes have occurred.
    fn check(&self, id: u64, causes: u64) -> Result<(), Problem> {
        match self.kind {
            _ if causes == 0 => self.wrong(
                format!(
                    "no connection activates trigger {id}, so the connections that it starts never begin"
                ),
                "add `send_done_trigger` or `recv_done_trigger` to a connection",
            ),
            TriggerKind::Barrier if causes != self.count => self.wrong(
                format!("barrier {id} waits for {} activations, but gets {causes}", self.count),
                "a barrier must wait for all of them: correct its count",
            ),
            TriggerKind::OneShot if causes > 1 => self.wrong(
                format!("{causes} connections activate trigger {id}, which can be activated only once"),
                "use a barrier, which waits for all of them, or a trigger for each",
            ),
            _ => Ok(()),
        }
    }

    /// A multishot trigger starts one connection each time it is activated, in the order of the file. The order of the
    /// activations must not depend on the run: one connection starts the first, which starts the second, and so on.
    fn sequence(&self, id: u64, causes: &[(usize, Event)], effects: &[usize]) -> Result<Vec<Pair>, Problem> {
        let started: BTreeSet<usize> = effects.iter().copied().collect();
        let mut first = causes.iter().filter(|(cause, _)| !started.contains(cause));
        let (Some(&first), None) = (first.next(), first.next()) else {
            return self.wrong(
                format!("several connections activate multishot {id}, so the order of its connections would depend on the run"),
                "use a oneshot trigger for each connection",
            );
        };
        let mut by_connection: BTreeMap<usize, Vec<(usize, Event)>> = BTreeMap::new();
        causes.iter().for_each(|cause| by_connection.entry(cause.0).or_default().push(*cause));
        let mut activation = Some(first);
        let mut pairs = Vec::with_capacity(effects.len());
        for &effect in effects {
            let Some(cause) = activation else {
                return self.wrong(
                    format!(
                        "multishot {id} starts {} connections, but there are activations for only {} of them",
                        effects.len(),
                        pairs.len()
                    ),
                    "each connection but the last must activate the trigger again",
                );
            };
            pairs.push((cause, effect));
            let own = by_connection.get(&effect).map_or(&[][..], Vec::as_slice);
            activation = own.first().copied();
            if own.len() > 1 {
                return self.wrong(
                    format!("a connection activates multishot {id} twice"),
                    "keep either `send_done_trigger` or `recv_done_trigger`",
                );
            }
        }
        Ok(pairs)
    }

    fn wrong<T>(&self, message: String, help: &str) -> Result<T, Problem> {
        Err(Problem::at(&self.place, message, "").help(help))
    }
}
