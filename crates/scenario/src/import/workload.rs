//! Traffic that was read from a file.

use std::sync::Arc;

use setpoint_units::{Bytes, TimeDelta};

use super::network::{Failure, Network};
use crate::diagnostics::{Diagnostics, Place, Problem, Problems};
use crate::limits::MAX_LISTED;

/// Number of problems after which the check stops.
const SHOWN: usize = 3;

/// The messages of a file.
#[derive(Debug, Default)]
pub(super) struct Workload {
    /// The messages and computations.
    pub(super) messages: Vec<Message>,
    /// Whether they form a job, in which messages wait for others.
    pub(super) is_job: bool,
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

/// A message between two hosts, or a computation.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) source: u64,
    /// The source itself for a computation.
    pub(super) destination: u64,
    /// None for a source that always has data to send; zero for a computation.
    pub(super) size: Option<Bytes>,
    /// The time before which it does not begin.
    pub(super) start: TimeDelta,
    /// The messages and computations that it waits for, as indices. It waits for a message that its source sends until it
    /// has been sent, and otherwise until it has been received.
    pub(super) after: Vec<usize>,
    /// The time after all of them before it begins or, for a computation, ends.
    pub(super) gap: TimeDelta,
    /// Its name among messages that wait for each other.
    pub(super) id: String,
    pub(super) priority: Option<u8>,
    pub(super) class: Option<Arc<str>>,
    pub(super) place: Place,
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
            if problems.count() >= SHOWN {
                break;
            }
        }
        if let Some(beyond) = self.messages.get(MAX_LISTED as usize).filter(|_| self.is_job) {
            let message = format!("at most {MAX_LISTED} operations that wait for each other are supported");
            problems.push(Problem::at(&beyond.place, message, "one too many").help("use a smaller job"));
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
        if self.source == self.destination && !self.is_computation() {
            let message = format!("host {} would send to itself", self.source);
            return Err(Problem::at(&self.place, message, "")
                .help("remove the line: such a message does not cross the network"));
        }
        Ok(())
    }

    pub(super) fn is_computation(&self) -> bool {
        self.size.is_some_and(Bytes::is_zero)
    }
}
