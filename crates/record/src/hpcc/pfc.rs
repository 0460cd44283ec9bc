//! pfc.txt: a line for the beginning and the end of each pause of a port, in chronological order.

use std::fmt::Write;

use setpoint_sim::port_ends;

use super::network::Network;
use super::{BASE_NS, nanoseconds};
use crate::results::{PauseRecord, RunRecord};

/// The end of a pause is listed before the beginning of another one at the same time.
const RESUME: u8 = 0;
const PAUSE: u8 = 1;

/// A port, by its interface at its node.
struct Port {
    interface: usize,
}

/// A line: the time in nanoseconds, the node, the interface, the kind, and whether the node is a bridge.
type Line = (u64, u64, usize, u8, u8);

pub(super) fn text(record: &RunRecord, network: &Network) -> String {
    let lines = match &record.pauses {
        Some(changes) => exact(changes, record, network),
        None => sampled(record, network),
    };
    lines.iter().fold(String::new(), |mut text, (time, node, interface, kind, is_switch)| {
        let _ = writeln!(text, "{time} {node} {is_switch} {interface} {kind}");
        text
    })
}

/// The pauses that were recorded, in their order. Those that last until the end of the run end with it.
fn exact(changes: &[PauseRecord], record: &RunRecord, network: &Network) -> Vec<Line> {
    let ports: Vec<Option<(Port, Node)>> =
        record.summary.ports.iter().map(|port| Port::read(&port.name, network)).collect();
    let mut paused = vec![false; ports.len()];
    let mut lines = Vec::new();
    let mut line = |port: usize, time_s: f64, kind: u8| {
        lines.extend(ports[port].as_ref().map(|(port, node)| port.line(*node, nanoseconds(time_s), kind)));
    };
    for change in changes {
        let is_paused = !change.priorities.is_empty();
        if std::mem::replace(&mut paused[change.port], is_paused) != is_paused {
            line(change.port, change.time_s, if is_paused { PAUSE } else { RESUME });
        }
    }
    for (port, _) in paused.iter().enumerate().filter(|(_, paused)| **paused) {
        line(port, record.summary.duration_s, RESUME);
    }
    lines
}

/// The pauses that the samples show.
fn sampled(record: &RunRecord, network: &Network) -> Vec<Line> {
    let series = &record.series;
    let mut lines: Vec<Line> = Vec::new();
    for (summary, curves) in record.summary.ports.iter().zip(&series.ports) {
        let Some((port, node)) = Port::read(&summary.name, network) else { continue };
        for (begin, end) in pauses(&series.time_s, &curves.paused_share) {
            for (time, kind) in [(begin, PAUSE), (end, RESUME)] {
                lines.push(port.line(node, time, kind));
            }
        }
    }
    lines.sort_unstable();
    lines
}

/// The number of a node, and whether it is a bridge.
type Node = (u64, u8);

impl Port {
    /// Reads a name such as `s1->s2` or `s1->s2#2`.
    fn read(name: &str, network: &Network) -> Option<(Self, Node)> {
        let (from, to) = port_ends(name)?;
        let (to, nth) = match to.split_once('#') {
            Some((to, number)) => (to, number.parse::<usize>().ok()?.checked_sub(1)?),
            None => (to, 0),
        };
        let node = network.index(from)?;
        let port = Self { interface: network.interface(node, network.index(to)?, nth)? };
        Some((port, (network.number(node), u8::from(network.is_bridge(node)))))
    }

    fn line(&self, (node, is_bridge): Node, time: u64, kind: u8) -> Line {
        (BASE_NS + time, node, self.interface, kind, is_bridge)
    }
}

/// The pauses that the shares of the sample intervals show, in nanoseconds. A pause ends with its interval if it may continue in the
/// next one, and otherwise begins with it.
fn pauses(times_s: &[f64], shares: &[f64]) -> Vec<(u64, u64)> {
    let mut pauses: Vec<(u64, u64)> = Vec::new();
    let mut start = 0;
    for (index, (&time_s, &share)) in times_s.iter().zip(shares).enumerate() {
        let end = nanoseconds(time_s);
        let paused = libm::round((end - start) as f64 * share) as u64;
        if paused > 0 {
            let continues = shares.get(index + 1).is_some_and(|next| *next > 0.0);
            let began_before = pauses.last().is_some_and(|last| last.1 == start);
            let pause =
                if continues && !began_before { (end - paused, end) } else { (start, start + paused) };
            match pauses.last_mut() {
                Some(last) if last.1 == pause.0 => last.1 = pause.1,
                _ => pauses.push(pause),
            }
        }
        start = end;
    }
    pauses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_last_as_long_as_in_the_samples() {
        let times = [1e-6, 2e-6, 3e-6, 4e-6, 5e-6];
        type Case = (&'static [f64], &'static [(u64, u64)]);
        let cases: [Case; 5] = [
            (&[0.0; 5], &[]),
            (&[0.0, 0.25, 0.0, 0.0, 1.0], &[(1_000, 1_250), (4_000, 5_000)]),
            // One pause over three intervals.
            (&[0.5, 1.0, 0.25, 0.0, 0.0], &[(500, 2_250)]),
            (&[1.0; 5], &[(0, 5_000)]),
            // Pauses in neighbouring intervals that cannot be one pause.
            (&[0.5, 0.5, 0.5, 0.0, 0.0], &[(500, 1_500), (2_000, 2_500)]),
        ];
        for (shares, expected) in cases {
            assert_eq!(pauses(&times, shares), expected, "{shares:?}");
            let total: u64 = expected.iter().map(|(begin, end)| end - begin).sum();
            assert_eq!(total, (shares.iter().sum::<f64>() * 1e3) as u64);
        }
    }
}
