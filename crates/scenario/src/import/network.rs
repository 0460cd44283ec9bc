//! A network that was read from a file.

use std::collections::HashMap;

use setpoint_units::{Rate, TimeDelta};

use crate::diagnostics::{Place, Problem};

/// A network of stations and bridges.
#[derive(Debug, Default)]
pub(super) struct Network {
    pub(super) stations: Vec<Station>,
    pub(super) bridges: Vec<String>,
    pub(super) links: Vec<Link>,
    /// The positions of stations by number.
    numbers: HashMap<u64, usize>,
    /// Decisions that the file leaves open.
    pub(super) notes: Vec<String>,
    /// The links that can fail.
    pub(super) uplinks: Uplinks,
}

/// A station and its number in the file.
#[derive(Debug)]
pub(super) struct Station {
    pub(super) number: u64,
    pub(super) name: String,
}

/// A link between two nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) between: [String; 2],
    pub(super) rate: Rate,
    pub(super) delay: TimeDelta,
}

/// The links above the aggregation switches of htsim's three-tier topologies, by switch; each an index into the links.
#[derive(Debug, Default)]
pub(super) struct Uplinks(pub(super) Vec<Vec<usize>>);

/// A link that has failed: the switch and the number of its uplink.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) switch: u64,
    pub(super) link: u64,
    pub(super) place: Place,
}

impl Network {
    /// Rate and delay of links if a file describes traffic only.
    pub(super) const USUAL_RATE: Rate = Rate::from_gbps(100);
    pub(super) const USUAL_DELAY: TimeDelta = TimeDelta::from_micros(1);

    /// Adds a station, and returns its name.
    pub(super) fn station(&mut self, number: u64) -> String {
        let name = format!("h{number}");
        self.numbers.insert(number, self.stations.len());
        self.stations.push(Station { number, name: name.clone() });
        name
    }

    /// Adds a bridge, and returns its name.
    pub(super) fn bridge(&mut self, name: String) -> String {
        self.bridges.push(name.clone());
        name
    }

    pub(super) fn connect(&mut self, one: &str, other: &str, rate: Rate, delay: TimeDelta) {
        self.links.push(Link { between: [one.to_owned(), other.to_owned()], rate, delay });
    }

    /// Stations around one bridge, for a file that describes none.
    pub(super) fn star(hosts: u64) -> Self {
        let mut network = Self::default();
        let bridge = network.bridge(String::from("bridge"));
        for number in 0..hosts {
            let station = network.station(number);
            network.connect(&station, &bridge, Self::USUAL_RATE, Self::USUAL_DELAY);
        }
        network.notes.push(format!(
            "The file describes no network: its {hosts} hosts are connected to one bridge at {}, with delays of {}.",
            Self::USUAL_RATE,
            Self::USUAL_DELAY
        ));
        network
    }

    /// The position of a station with a number.
    pub(super) fn position(&self, number: u64) -> Option<usize> {
        self.numbers.get(&number).copied()
    }

    /// Removes links that have failed.
    pub(super) fn fail(&mut self, failures: &[Failure]) -> Result<(), Problem> {
        let mut failed = Vec::new();
        for failure in failures {
            let position = self.uplink(failure)?;
            if failed.contains(&position) {
                let message = format!("link {} of switch {} fails twice", failure.link, failure.switch);
                return Err(Problem::at(&failure.place, message, "").help("remove the line"));
            }
            failed.push(position);
        }
        failed.sort_unstable();
        for position in failed.into_iter().rev() {
            self.links.remove(position);
        }
        if !failures.is_empty() {
            self.uplinks = Uplinks::default();
        }
        Ok(())
    }

    fn uplink(&self, failure: &Failure) -> Result<usize, Problem> {
        let Failure { switch, link, place } = failure;
        let wrong = |message: String, help: String| Problem::at(place, message, "").help(help);
        let switches = self.uplinks.0.len();
        if switches == 0 {
            let message = "only links between AGG and CORE switches can fail, and this network has none";
            return Err(wrong(
                message.to_owned(),
                "give a topology with three tiers, or remove the line".to_owned(),
            ));
        }
        let uplinks = usize::try_from(*switch).ok().and_then(|switch| self.uplinks.0.get(switch));
        let uplinks = uplinks.ok_or_else(|| {
            wrong(
                format!("there is no AGG switch {switch}"),
                format!("they have the numbers 0 to {}", switches - 1),
            )
        })?;
        let link = usize::try_from(*link).ok().and_then(|link| uplinks.get(link));
        link.copied().ok_or_else(|| {
            let message = format!("AGG switch {switch} has no uplink {}", failure.link);
            wrong(message, format!("they have the numbers 0 to {}", uplinks.len() - 1))
        })
    }
}
