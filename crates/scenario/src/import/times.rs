//! The duration of an imported scenario.

use std::collections::{HashMap, VecDeque};

use setpoint_units::{Bytes, TimeDelta};

use super::network::{Link, Network};
use super::workload::{Message, Workload};
use crate::precedence::sorted;

/// Duration without messages.
const USUAL: TimeDelta = TimeDelta::from_millis(10);
/// Time for delays of the network.
const MARGIN: TimeDelta = TimeDelta::from_micros(100);
/// Bits of a frame of 1600 B.
const FULL_FRAME: u128 = 12_800;

/// A duration in which all messages can be delivered if no link between bridges delays them: the last start, or the longest chain
/// of messages that wait for each other, and 1.1 times the time that the busiest station needs to send or receive its
/// messages, rounded up to two digits.
pub(super) fn duration(network: &Network, workload: Option<&Workload>) -> TimeDelta {
    let Some(workload) = workload else { return USUAL };
    let mut bits = vec![[0u128; 2]; network.stations.len()];
    let mut last = 0;
    for message in &workload.messages {
        last = last.max(u128::from(message.start.as_picos()));
        for (end, host) in [message.source, message.destination].into_iter().enumerate() {
            if let Some(position) = network.position(host) {
                bits[position][end] += wire_bits(message, workload);
            }
        }
    }
    let rates = port_rates(network);
    let busiest =
        bits.iter().zip(&rates).map(|(bits, rate)| picos(bits[0].max(bits[1]), *rate)).max().unwrap_or(0);
    let chain = if workload.is_job { longest_chain(network, workload, &rates) } else { 0 };
    let total = last.max(chain) + u128::from(MARGIN.as_picos()) + busiest * 11 / 10;
    let endless = workload.messages.iter().any(|message| message.size.is_none());
    let least = if endless { u128::from(USUAL.as_picos()) } else { 0 };
    rounded_up(total.max(least))
}

/// The bits of a message on the wire.
fn wire_bits(message: &Message, workload: &Workload) -> u128 {
    let (payload, headers) =
        workload.frames.map_or((1, 0), |(payload, headers)| (payload.get(), headers.get()));
    let size = message.size.map_or(0, Bytes::get);
    (u128::from(size) + u128::from(size.div_ceil(payload)) * u128::from(headers)) * 8
}

fn picos(bits: u128, rate: u64) -> u128 {
    bits * 1_000_000_000_000 / u128::from(rate.max(1))
}

/// The time of the longest chain of messages and computations that wait for each other, in picoseconds, if nothing delays the
/// messages.
fn longest_chain(network: &Network, workload: &Workload, rates: &[u64]) -> u128 {
    let messages = &workload.messages;
    let after: Vec<&[usize]> = messages.iter().map(|message| &message.after[..]).collect();
    let on_the_way = longest_way(network);
    let rate = |host: u64| network.position(host).map_or(0, |position| rates[position]);
    let mut ends = vec![0u128; messages.len()];
    for own in sorted(&after).unwrap_or_default() {
        let message = &messages[own];
        let begin = message.after.iter().map(|&awaited| ends[awaited]).max().unwrap_or(0);
        let begin = begin + u128::from(message.start.as_picos()) + u128::from(message.gap.as_picos());
        ends[own] = if message.is_computation() {
            begin
        } else {
            let slower = rate(message.source).min(rate(message.destination));
            begin + picos(wire_bits(message, workload), slower) + on_the_way
        };
    }
    ends.into_iter().max().unwrap_or(0)
}

/// An upper bound on the time that a full frame takes from one station to another if nothing delays it, without its
/// time on the first link: no path has more links than the path from the first station to the farthest node and back.
fn longest_way(network: &Network) -> u128 {
    let mut neighbours: HashMap<&str, Vec<&str>> = HashMap::new();
    for Link { between: [one, other], .. } in &network.links {
        neighbours.entry(one).or_default().push(other);
        neighbours.entry(other).or_default().push(one);
    }
    let Some(first) = network.stations.first() else { return 0 };
    let mut distances: HashMap<&str, u128> = HashMap::from([(&*first.name, 0)]);
    let mut reached: VecDeque<&str> = VecDeque::from([&*first.name]);
    let mut farthest = 0;
    while let Some(node) = reached.pop_front() {
        farthest = distances[node];
        for &neighbour in neighbours.get(node).into_iter().flatten() {
            if !distances.contains_key(neighbour) {
                distances.insert(neighbour, farthest + 1);
                reached.push_back(neighbour);
            }
        }
    }
    let link =
        |link: &Link| u128::from(link.delay.as_picos()) + picos(FULL_FRAME, link.rate.bits_per_second());
    2 * farthest * network.links.iter().map(link).max().unwrap_or(0)
}

/// The rate of every station's link, in bit/s.
fn port_rates(network: &Network) -> Vec<u64> {
    let mut rates = vec![0; network.stations.len()];
    for link in &network.links {
        for name in &link.between {
            let number = name.strip_prefix('h').and_then(|number| number.parse().ok());
            if let Some(position) = number.and_then(|number| network.position(number)) {
                rates[position] = link.rate.bits_per_second();
            }
        }
    }
    rates
}

fn rounded_up(picos: u128) -> TimeDelta {
    let unit = 10u128.pow(picos.checked_ilog10().unwrap_or(0).saturating_sub(1));
    TimeDelta::from_picos(u64::try_from(picos.div_ceil(unit) * unit).unwrap_or(u64::MAX))
}
