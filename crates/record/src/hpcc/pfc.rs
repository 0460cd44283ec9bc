//! pfc.txt: a line for the beginning and the end of each pause of a port, in chronological order.

use std::fmt::Write;

use setpoint_sim::port_ends;

use super::network::Network;
use super::{BASE_NS, nanoseconds};
use crate::results::RunRecord;

/// The end of a pause is before the beginning of another one.
const RESUME: u8 = 0;
const PAUSE: u8 = 1;

/// A paused port: its node and its interface.
struct Port {
    node: usize,
    interface: usize,
}

pub(super) fn text(record: &RunRecord, network: &Network) -> String {
    let series = &record.series;
    let mut lines: Vec<(u64, u64, usize, u8, u8)> = Vec::new();
    for (summary, curves) in record.summary.ports.iter().zip(&series.ports) {
        let Some(port) = Port::read(&summary.name, network) else { continue };
        let node = (network.number(port.node), u8::from(network.is_bridge(port.node)));
        for (begin, end) in pauses(&series.time_s, &curves.paused_share) {
            for (time, kind) in [(begin, PAUSE), (end, RESUME)] {
                lines.push((BASE_NS + time, node.0, port.interface, kind, node.1));
            }
        }
    }
    lines.sort_unstable();
    lines.iter().fold(String::new(), |mut text, (time, node, interface, kind, is_switch)| {
        let _ = writeln!(text, "{time} {node} {is_switch} {interface} {kind}");
        text
    })
}

impl Port {
    /// Reads a name such as `s1->s2` or `s1->s2#2`.
    fn read(name: &str, network: &Network) -> Option<Self> {
        let (from, to) = port_ends(name)?;
        let (to, nth) = match to.split_once('#') {
            Some((to, number)) => (to, number.parse::<usize>().ok()?.checked_sub(1)?),
            None => (to, 0),
        };
        let node = network.index(from)?;
        Some(Self { node, interface: network.interface(node, network.index(to)?, nth)? })
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
