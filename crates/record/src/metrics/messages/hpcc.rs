//! Slowdowns by HPCC's definition: until the last acknowledgement, divided by HPCC's standalone time.

use std::collections::BTreeMap;

use setpoint_sim::{Destination, Spec};

use super::class::{Known, contains, quantiles};
use super::{ALL_SIZES, SIZE_CLASSES};
use crate::hpcc::standalone::{Paths, Way};
use crate::results::HpccSlowdown;

/// The slowdowns of all messages, and of those of each size class; empty classes are left out. Messages without
/// a path in the topology do not count.
pub(super) fn slowdowns(spec: &Spec, messages: &[Known]) -> Vec<HpccSlowdown> {
    let ways = ways(spec, messages);
    let classes = SIZE_CLASSES.map(|(size, sizes)| (Some(size), sizes));
    let slowdown = |(size, sizes)| {
        let inside = |message: &&Known| contains(sizes, message.size) && ways.contains_key(&message.flow);
        let messages: Vec<&Known> = messages.iter().filter(inside).collect();
        let of = quantiles(&messages, |known| ways[&known.flow].slowdown(known.size.get(), known.elapsed));
        HpccSlowdown {
            size,
            messages: messages.len() as u64,
            quantiles: of.known,
            at_least_quantiles: of.at_least,
        }
    };
    let all = std::iter::once((None, ALL_SIZES)).chain(classes).map(slowdown);
    all.filter(|class| class.messages > 0).collect()
}

/// The path of each flow that has messages. The paths to a station are searched for once.
fn ways(spec: &Spec, messages: &[Known]) -> BTreeMap<usize, Way> {
    let mut to: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut flows: Vec<usize> = messages.iter().map(|message| message.flow).collect();
    flows.sort_unstable();
    flows.dedup();
    for flow in flows {
        if let Destination::Station(station) = spec.flows[flow].destination {
            to.entry(station.index()).or_default().push(flow);
        }
    }
    let paths = Paths::of(&spec.topology);
    let mut ways = BTreeMap::new();
    for (station, flows) in to {
        let from = paths.ways_to(station);
        let way = |flow: usize| Some((flow, from[spec.flows[flow].source.index()]?));
        ways.extend(flows.into_iter().filter_map(way));
    }
    ways
}
