//! How much a port could have sent, with its changes of rate.

use setpoint_sim::{Change, PortId, Spec};
use setpoint_units::{Bytes, Rate, Time};

/// The rate of one port over time.
#[derive(Clone, Debug)]
pub struct Capacity {
    /// Since when which rate is in force; the first entry is at the start of the run.
    steps: Vec<(Time, Rate)>,
}

impl Capacity {
    /// The rate of a port as the spec changes it. Of changes at the same instant the last counts.
    #[must_use]
    pub fn of(spec: &Spec, port: PortId) -> Self {
        let mut steps = vec![(Time::ZERO, spec.topology.link_at(port.link()).rate)];
        let changed = spec.changes.iter().filter_map(|timed| match timed.change {
            Change::PortRate(changed, rate) if changed == port => Some((timed.at, rate)),
            _ => None,
        });
        steps.extend(changed);
        steps.sort_by_key(|(at, _)| *at);
        Self { steps }
    }

    /// Bits that fit between two instants.
    #[must_use]
    pub fn bits(&self, from: Time, to: Time) -> f64 {
        let ends = self.steps.iter().skip(1).map(|(at, _)| *at).chain([Time::MAX]);
        let bits = |(&(since, rate), until): (&(Time, Rate), Time)| {
            let span = until.min(to).saturating_since(since.max(from));
            span.as_secs_f64() * rate.bits_per_second() as f64
        };
        self.steps.iter().zip(ends).map(bits).sum()
    }
}

/// Bytes on the wire for every byte of data a port sent: the preamble and gap of each frame are
/// spread over its bytes, which is exact where all frames have the same length.
#[must_use]
pub fn wire_factor(overhead: Bytes, frames: u64, data: Bytes) -> f64 {
    1.0 + super::moments::ratio(overhead.get() as f64 * frames as f64, data.get() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(picos: u64) -> Time {
        Time::from_picos(picos)
    }

    #[test]
    fn a_rate_counts_from_its_change() {
        let slow = Rate::from_gbps(1);
        let capacity = Capacity { steps: vec![(at(0), Rate::from_gbps(10)), (at(2_000_000), slow)] };
        assert_eq!(capacity.bits(at(0), at(1_000_000)), 10_000.0);
        assert_eq!(capacity.bits(at(1_000_000), at(3_000_000)), 11_000.0);
        assert_eq!(capacity.bits(at(5_000_000), at(6_000_000)), 1_000.0);
        assert_eq!(capacity.bits(at(6_000_000), at(6_000_000)), 0.0);
    }

    #[test]
    fn overhead_is_spread_over_the_data() {
        assert_eq!(wire_factor(Bytes::new(20), 10, Bytes::new(10_000)), 1.02);
        assert_eq!(wire_factor(Bytes::new(20), 0, Bytes::ZERO), 1.0);
    }
}
