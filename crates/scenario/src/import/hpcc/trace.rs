//! trace.txt: the number of traced nodes, and their numbers.

use std::sync::Arc;

use crate::diagnostics::Diagnostics;
use crate::import::network::Network;
use crate::import::words::Words;
use crate::limits::MAX_NODES;
use crate::source::Source;

/// The names of the traced nodes. As in HPCC, numbers that belong to no node are ignored.
pub(in crate::import) fn trace(source: &Arc<Source>, network: &Network) -> Result<Vec<String>, Diagnostics> {
    let mut words = Words::of(source);
    let count = words.number("the number of traced nodes", MAX_NODES)?;
    let mut names: Vec<String> = Vec::new();
    for _ in 0..count {
        let number = words.number("the number of a traced node", u64::from(u32::MAX))?;
        let station = network.position(number).map(|position| network.stations[position].name.clone());
        let bridge = || network.bridges.iter().find(|name| **name == format!("s{number}")).cloned();
        names.extend(station.or_else(bridge).filter(|name| !names.contains(name)));
    }
    Ok(names)
}
