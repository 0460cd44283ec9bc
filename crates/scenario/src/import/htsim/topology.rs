//! Topologies (`.topo`): a header with `Nodes`, `Tiers` and `Podsize`, and a section for each tier.

use std::collections::BTreeMap;
use std::sync::Arc;

use setpoint_suggest::did_you_mean;
use setpoint_units::TimeDelta;

use super::fat_tree::{FatTree, Tier};
use super::gigabits;
use crate::diagnostics::{Place, Problem};
use crate::import::network::Network;
use crate::import::words::{Word, Words};
use crate::limits::{MAX_LINKS, MAX_NODES};
use crate::source::Source;

/// Reads a topology.
pub(in crate::import) fn topology(source: &Arc<Source>) -> Result<Network, Problem> {
    let keys = Keys::read(source)?;
    let hosts = keys.header("nodes", 1, MAX_NODES)?;
    let tiers = keys.header("tiers", 2, 3)?;
    let pod = keys.header("podsize", 1, MAX_NODES)?;
    let mut tree = FatTree { hosts, pod, tiers: Vec::new() };
    for tier in 0..tiers {
        tree.tiers.push(keys.tier(tier, tier + 1 == tiers)?);
    }
    keys.check_unused(tiers)?;
    check(&tree, &keys)?;
    let mut network = tree.network();
    if tree.tiers.iter().any(|tier| !tier.switch_delay.is_zero()) {
        network.notes.push(String::from(
            "Half of the latency of each switch is part of the delay of each of its links.",
        ));
    }
    if keys.has_queues() {
        network.notes.push(String::from(
            "The sizes of queues are left out: they only limit queues without flow control, see `network.buffer`.",
        ));
    }
    Ok(network)
}

const HEADER: [&str; 3] = ["nodes", "tiers", "podsize"];
const OF_TIERS: [&str; 9] = [
    "downlink_speed_gbps",
    "radix_down",
    "radix_up",
    "queue_down",
    "queue_up",
    "downlink_latency_ns",
    "switch_latency_ns",
    "oversubscribed",
    "bundle",
];

/// A number and its place.
struct Value {
    number: u64,
    place: Place,
}

/// The keys of a file in lower case, by tier; none for the header.
struct Keys {
    whole: Place,
    values: BTreeMap<(Option<u64>, String), Value>,
}

impl Keys {
    fn read(source: &Arc<Source>) -> Result<Self, Problem> {
        let mut keys = Self { whole: Place::whole(source), values: BTreeMap::new() };
        let mut tier = None;
        for mut words in Words::lines(source) {
            let Some(key) = words.next().filter(|word| !word.text.starts_with('#')) else { continue };
            let name = key.text.to_ascii_lowercase();
            let number = words.number(&format!("the value of {}", key.text), 1_000_000_000)?;
            if let Some(more) = words.next().filter(|word| !word.text.starts_with('#')) {
                return Err(more.problem(format!("{} has a second value", key.text), "").help("remove it"));
            }
            if name == "tier" {
                tier = Some(number);
            } else {
                keys.add(tier, name, &key, number)?;
            }
        }
        Ok(keys)
    }

    fn add(&mut self, tier: Option<u64>, name: String, key: &Word<'_>, number: u64) -> Result<(), Problem> {
        let known = if tier.is_none() { &HEADER[..] } else { &OF_TIERS[..] };
        if !known.contains(&&*name) {
            let problem = key.problem(format!("a topology has no key {:?} here", key.text), "unknown key");
            let near = did_you_mean(&name, known.iter().copied());
            return Err(problem.help(near.unwrap_or_else(|| format!("one of {}", known.join(", ")))));
        }
        let value = Value { number, place: key.place() };
        if let Some(first) = self.values.get(&(tier, name.clone())) {
            return Err(key
                .problem(format!("{} is given twice", key.text), "the second")
                .context(&first.place, "the first")
                .help("remove one of them"));
        }
        self.values.insert((tier, name), value);
        Ok(())
    }

    fn find(&self, tier: Option<u64>, name: &str) -> Option<&Value> {
        self.values.get(&(tier, name.to_owned()))
    }

    /// The place of a key, or the beginning of the file.
    fn place(&self, tier: Option<u64>, name: &str) -> &Place {
        self.find(tier, name).map_or(&self.whole, |value| &value.place)
    }

    fn header(&self, name: &str, least: u64, most: u64) -> Result<u64, Problem> {
        let value = self.find(None, name).ok_or_else(|| {
            Problem::at(&self.whole, format!("the header has no `{name}`"), "")
                .help(format!("add it before the first tier, as in `{name} {least}`"))
        })?;
        in_range(name, value, least, most)
    }

    fn required(&self, tier: u64, name: &str, most: u64) -> Result<u64, Problem> {
        let value = self.find(Some(tier), name).ok_or_else(|| {
            let message = format!("tier {tier} has no `{name}`");
            Problem::at(&self.whole, message, "").help(format!("add it to the section `Tier {tier}`"))
        })?;
        in_range(name, value, 1, most)
    }

    fn optional(&self, tier: u64, name: &str, default: u64, most: u64) -> Result<u64, Problem> {
        match self.find(Some(tier), name) {
            Some(value) => in_range(name, value, default, most),
            None => Ok(default),
        }
    }

    fn tier(&self, tier: u64, is_top: bool) -> Result<Tier, Problem> {
        if let Some(uplinks) = self.find(Some(tier), "radix_up").filter(|_| is_top) {
            let message = "the switches of the last tier have no uplinks";
            return Err(Problem::at(&uplinks.place, message, "").help("remove the key"));
        }
        let speed = self.required(tier, "downlink_speed_gbps", 1_000_000)?;
        let rate = gigabits(speed).ok_or_else(|| {
            Problem::at(self.place(Some(tier), "downlink_speed_gbps"), "this speed is too large", "")
        })?;
        Ok(Tier {
            rate,
            delay: TimeDelta::from_nanos(self.required(tier, "downlink_latency_ns", 1_000_000_000)?),
            switch_delay: TimeDelta::from_nanos(self.optional(
                tier,
                "switch_latency_ns",
                0,
                1_000_000_000,
            )?),
            down: self.required(tier, "radix_down", MAX_LINKS)?,
            up: if is_top { 0 } else { self.required(tier, "radix_up", MAX_LINKS)? },
            bundle: self.optional(tier, "bundle", 1, MAX_LINKS)?,
        })
    }

    /// Refuses sections beyond the number of tiers.
    fn check_unused(&self, tiers: u64) -> Result<(), Problem> {
        match self.values.iter().find(|((tier, _), _)| tier.is_some_and(|tier| tier >= tiers)) {
            None => Ok(()),
            Some(((_, name), value)) => {
                let message =
                    format!("`{name}` belongs to a tier that does not exist: the {tiers} tiers begin with 0");
                Err(Problem::at(&value.place, message, "").help("remove the section, or correct `Tiers`"))
            }
        }
    }

    fn has_queues(&self) -> bool {
        self.values.keys().any(|(_, name)| name.starts_with("queue_"))
    }
}

fn in_range(name: &str, value: &Value, least: u64, most: u64) -> Result<u64, Problem> {
    if (least..=most).contains(&value.number) {
        return Ok(value.number);
    }
    let message = format!("`{name}` is {}, but must be from {least} to {most}", value.number);
    Err(Problem::at(&value.place, message, "out of range").help("correct the value"))
}

/// Checks that the radices fit together.
fn check(tree: &FatTree, keys: &Keys) -> Result<(), Problem> {
    let FatTree { hosts, pod, tiers } = tree;
    divides(keys, (None, "podsize"), *hosts, *pod, "the number of nodes")?;
    divides(keys, (Some(0), "radix_down"), *pod, tiers[0].down, "the size of a pod")?;
    if tiers[0].bundle != 1 {
        let message = "a host has one link, but `bundle` of tier 0 gives it several";
        return Err(Problem::at(keys.place(Some(0), "bundle"), message, "").help("write 1"));
    }
    let pods = hosts / pod;
    let mut below = hosts / tiers[0].down;
    for (index, pair) in (1..).zip(tiers.windows(2)) {
        let [lower, upper] = pair else { continue };
        let uplinks = below.saturating_mul(lower.up);
        divides(
            keys,
            (Some(index), "radix_down"),
            uplinks,
            upper.down,
            "the number of links from the tier below",
        )?;
        let switches = uplinks / upper.down;
        // With three tiers, a TOR switch reaches the AGG switches of its pod, and an AGG switch a share of the CORE switches: one
        // share for each position in a pod.
        let parts = match (index, tiers.len()) {
            (1, 3) => pods,
            (2, _) => below / pods,
            _ => 1,
        };
        if switches * upper.bundle != lower.up.saturating_mul(parts) || !switches.is_multiple_of(parts) {
            return Err(unequal(keys, index, switches / parts, upper.bundle, lower.up));
        }
        check_oversubscription(keys, index - 1, lower, upper)?;
        below = switches;
    }
    if tree.links() > MAX_LINKS {
        let message = format!("this topology has {} links; at most {MAX_LINKS} are supported", tree.links());
        return Err(
            Problem::at(keys.place(None, "nodes"), message, "too large").help("use a smaller topology")
        );
    }
    Ok(())
}

fn divides(keys: &Keys, key: (Option<u64>, &str), total: u64, part: u64, what: &str) -> Result<(), Problem> {
    if total.is_multiple_of(part) {
        return Ok(());
    }
    let message = format!("{what}, {total}, is not a multiple of `{}`, {part}", key.1);
    Err(Problem::at(keys.place(key.0, key.1), message, "does not fit").help("correct one of the two"))
}

fn unequal(keys: &Keys, tier: u64, switches: u64, bundle: u64, uplinks: u64) -> Problem {
    let lower = tier - 1;
    let message = format!(
        "a switch of tier {lower} has {uplinks} uplinks, but must have {bundle} to each of {switches} switches above"
    );
    Problem::at(keys.place(Some(lower), "radix_up"), message, "does not fit")
        .help(format!("correct the radices, or `bundle` of tier {tier}"))
}

/// `Oversubscribed` only repeats the ratio of the capacities.
fn check_oversubscription(keys: &Keys, tier: u64, lower: &Tier, upper: &Tier) -> Result<(), Problem> {
    let Some(given) = keys.find(Some(tier), "oversubscribed") else { return Ok(()) };
    let capacity =
        |rate: setpoint_units::Rate, ports: u64| u128::from(rate.bits_per_second()) * u128::from(ports);
    let (down, up) = (capacity(lower.rate, lower.down), capacity(upper.rate, lower.up));
    if down == up * u128::from(given.number) {
        return Ok(());
    }
    let message = format!(
        "`oversubscribed` is {}, but tier {tier} has {} × {} down and {} × {} up",
        given.number, lower.down, lower.rate, lower.up, upper.rate
    );
    Err(Problem::at(&given.place, message, "does not fit")
        .help("correct the value, the radices or the speeds"))
}
