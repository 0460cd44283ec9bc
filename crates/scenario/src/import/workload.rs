//! Traffic that was read from a file.

use std::sync::Arc;

use setpoint_units::{Bytes, TimeDelta};

use super::network::{Failure, Network};
use crate::diagnostics::{Diagnostics, Place, Problem, Problems};

/// Number of problems after which the check stops.
const SHOWN: usize = 3;

/// The messages of a file.
#[derive(Debug, Default)]
pub(super) struct Workload {
    pub(super) messages: Vec<Message>,
    /// The number of hosts: those that the file declares, or one more than the largest number.
    pub(super) hosts: u64,
    /// The place where the number of hosts is written, if it is.
    pub(super) declared: Option<Place>,
    /// Links that have failed.
    pub(super) failures: Vec<Failure>,
    /// The payload of a full frame and its headers on the wire, if the program has fixed ones.
    pub(super) frames: Option<(Bytes, Bytes)>,
    pub(super) notes: Vec<String>,
}

/// A message between two hosts.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) source: u64,
    pub(super) destination: u64,
    /// None for a source that always has data to send.
    pub(super) size: Option<Bytes>,
    /// The time before which it does not begin.
    pub(super) start: TimeDelta,
    /// The events after which it begins, all of them.
    pub(super) after: Vec<Dependency>,
    pub(super) priority: Option<u8>,
    pub(super) class: Option<Arc<str>>,
    pub(super) place: Place,
}

/// A message begins some time after an event of another message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dependency {
    /// The other message, as an index.
    pub(super) message: usize,
    pub(super) event: Event,
    pub(super) gap: TimeDelta,
}

/// The event of a message on which another message depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Event {
    /// Its source has sent all of it.
    Sent,
    /// Its destination has received all of it.
    Received,
}

impl Workload {
    /// Checks the messages against the network.
    pub(super) fn check(&self, network: &Network) -> Result<(), Diagnostics> {
        let mut problems = Problems::default();
        let stations = network.stations.len() as u64;
        if let Some(place) = self.declared.as_ref().filter(|_| self.hosts > stations) {
            let message = format!("the traffic has {} hosts, but the network has {stations}", self.hosts);
            return Err(Problem::at(place, message, "too many")
                .help("give the topology that belongs to the traffic")
                .into());
        }
        for message in &self.messages {
            problems.take(message.check(network));
            problems.take(message.check_order(self));
            if problems.count() >= SHOWN {
                break;
            }
        }
        problems.check()
    }
}

impl Message {
    fn check(&self, network: &Network) -> Result<(), Problem> {
        let unknown =
            [self.source, self.destination].into_iter().find(|host| network.position(*host).is_none());
        if let Some(host) = unknown {
            let message = format!("there is no host {host} in the network");
            let numbers = network.stations.iter().map(|station| station.number);
            let range = numbers.clone().min().zip(numbers.max());
            return Err(Problem::at(&self.place, message, "").help_if(
                range.map(|(first, last)| format!("the hosts have numbers from {first} to {last}")),
            ));
        }
        if self.source == self.destination {
            let message = format!("host {} would send to itself", self.source);
            return Err(Problem::at(&self.place, message, "")
                .help("remove the line: such a message does not cross the network"));
        }
        Ok(())
    }

    /// Refuses a message that begins after others.
    fn check_order(&self, workload: &Workload) -> Result<(), Problem> {
        let Some(first) = self.after.first() else { return Ok(()) };
        let other = &workload.messages[first.message];
        let event = match first.event {
            Event::Sent => "has been sent",
            Event::Received => "has been received",
        };
        let message = format!(
            "this message begins after another one {event}, but the messages of a table begin at given times"
        );
        Err(Problem::at(&self.place, message, "depends on another message")
            .context(&other.place, "the other message")
            .help("give the message a start time, and remove the dependency"))
    }
}
