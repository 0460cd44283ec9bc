//! The memory of a run, estimated before it begins.
//!
//! The simulator estimates its own structures ([`setpoint_sim::memory_of`]); this module adds the results derived
//! from its outcome. The estimate is an upper bound: it assumes that buffers are full.

mod available;

use setpoint_sim::{MemoryPart, Spec, SpecError, memory_of};
use setpoint_units::Bytes;

pub use available::default_limit;

/// The maximum memory of a run, by part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Estimate {
    parts: Vec<Part>,
}

/// A part of the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name.
    pub name: &'static str,
    /// Its size.
    pub bytes: Bytes,
    /// How to make it smaller.
    pub remedy: &'static str,
}

impl Estimate {
    /// Estimates a run including its report.
    ///
    /// # Errors
    /// If a flow of the spec has no path to its destination.
    pub fn of(spec: &Spec) -> Result<Self, SpecError> {
        let simulated = memory_of(spec)?;
        let of = |part: MemoryPart| simulated.of(part).get();
        // A histogram is reduced to about a hundred quantiles.
        let results = result_bytes(spec).saturating_add(of(MemoryPart::Queues) / 4);
        // Curves are converted to floats, and both forms may exist when the last one is converted; messages are
        // converted to records and sorted by class.
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
        parts.push(Part { name: "the program", bytes: PROGRAM, remedy: "this part cannot be reduced" });
        parts.retain(|part| !part.bytes.is_zero());
        parts.sort_by_key(|part| std::cmp::Reverse(part.bytes));
        Ok(Self { parts })
    }

    /// The total.
    pub fn total(&self) -> Bytes {
        Bytes::new(self.parts.iter().fold(0, |sum, part| sum.saturating_add(part.bytes.get())))
    }

    /// The memory that the run needs in a program that also executes other runs.
    pub fn beside_program(&self) -> Bytes {
        Bytes::new(self.total().get().saturating_sub(PROGRAM.get()))
    }

    /// The parts, the largest first.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The reason why a run is refused, if it may exceed a limit.
    pub fn refusal(&self, limit: Bytes) -> Option<String> {
        self.refusal_above(limit, &format!("the limit of {} (`--memory`)", rounded(limit)))
    }

    /// Like [`Estimate::refusal`], with a description of the limit.
    pub fn refusal_above(&self, limit: Bytes, described: &str) -> Option<String> {
        let (total, most) = (self.total(), self.parts.first()?);
        (total > limit).then(|| {
            format!(
                "the run needs up to {} of memory, above {described}; {} of it is for {}: {}",
                rounded(total),
                rounded(most.bytes),
                most.name,
                most.remedy
            )
        })
    }
}

/// The program itself, and its memory for a small report.
const PROGRAM: Bytes = Bytes::new(12_000_000);

/// Bytes for the figures and names of everything in a network.
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

/// Rounded to two digits, for messages.
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
