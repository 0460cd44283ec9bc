//! What a run takes of memory, estimated before it begins.
//!
//! The simulator says what its own structures take ([`setpoint_sim::memory_of`]); what is made of its outcome is added here.
//! The estimate is an upper one: buffers count as full as they can become.

use setpoint_sim::{MemoryPart, Spec, SpecError, memory_of};
use setpoint_units::Bytes;

/// What a run takes of memory at most, the largest part first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Estimate {
    parts: Vec<Part>,
}

/// Something that takes memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is.
    pub name: &'static str,
    /// What it takes.
    pub bytes: Bytes,
    /// What makes it smaller.
    pub remedy: &'static str,
}

impl Estimate {
    /// Of a run with its report.
    ///
    /// # Errors
    /// If a flow of the spec has no way to its destination.
    pub fn of(spec: &Spec) -> Result<Self, SpecError> {
        let simulated = memory_of(spec)?;
        let of = |part: MemoryPart| simulated.of(part).get();
        // Of a histogram, some hundred quantiles are left.
        let results = result_bytes(spec).saturating_add(of(MemoryPart::Queues) / 4);
        // Curves become floats and may all be there twice when the last is converted; messages become records and are
        // sorted by class.
        let converted = |part: MemoryPart| match part {
            MemoryPart::Series => of(part).saturating_mul(3),
            MemoryPart::Messages => of(part).saturating_mul(2),
            _ => of(part),
        };
        let mut parts: Vec<Part> = MemoryPart::ALL
            .into_iter()
            .map(|part| Part { name: part.name(), bytes: Bytes::new(converted(part)), remedy: part.remedy() })
            .collect();
        parts.push(Part { name: "results", bytes: Bytes::new(results), remedy: MemoryPart::Flows.remedy() });
        parts.push(Part { name: "the program", bytes: PROGRAM, remedy: "that cannot be reduced" });
        parts.retain(|part| !part.bytes.is_zero());
        parts.sort_by_key(|part| std::cmp::Reverse(part.bytes));
        Ok(Self { parts })
    }

    /// All together.
    #[must_use]
    pub fn total(&self) -> Bytes {
        Bytes::new(self.parts.iter().fold(0, |sum, part| sum.saturating_add(part.bytes.get())))
    }

    /// What takes it, the largest first.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Why a run is refused, if it may take no more than a limit.
    #[must_use]
    pub fn refusal(&self, limit: Bytes) -> Option<String> {
        let (total, most) = (self.total(), self.parts.first()?);
        (total > limit).then(|| {
            format!(
                "the run needs up to {} of memory, and the limit is {} (`--memory`); {} of it for {}: {}",
                rounded(total),
                rounded(limit),
                rounded(most.bytes),
                most.name,
                most.remedy
            )
        })
    }
}

/// The program itself, and what it takes for a small report.
const PROGRAM: Bytes = Bytes::new(12_000_000);

/// Figures and names of all that is in a network.
fn result_bytes(spec: &Spec) -> u64 {
    let (nodes, links) = (spec.topology.nodes().len(), spec.topology.links().len());
    (spec.flows.len() * FLOW + nodes * NODE + links * LINK) as u64
}

/// Bytes for the figures, names and scenario of a flow.
const FLOW: usize = 1_500;
/// Bytes for the names of a node.
const NODE: usize = 200;
/// Bytes for the figures and names of a link's two ports.
const LINK: usize = 1_000;

/// To two digits, for reading.
#[must_use]
pub fn rounded(bytes: Bytes) -> Bytes {
    let bytes = bytes.get();
    let unit = 10u64.pow(bytes.checked_ilog10().unwrap_or(0).saturating_sub(1));
    Bytes::new(bytes.div_ceil(unit).saturating_mul(unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_two_digits_and_are_rounded_up() {
        let two = |bytes| rounded(Bytes::new(bytes)).get();
        assert_eq!([0, 7, 99, 101, 1_999, 2_000_000].map(two), [0, 7, 99, 110, 2_000, 2_000_000]);
        assert_eq!(two(u64::MAX), u64::MAX);
    }
}
