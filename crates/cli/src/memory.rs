//! The memory limit of runs: `--memory`.

use clap::Args;
use setpoint_lab::memory::{Estimate, default_limit, rounded};
use setpoint_sim::Spec;
use setpoint_units::Bytes;

use crate::failure::Failure;

/// The memory limit of all runs together.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct MemoryLimit {
    /// Refuse runs that may need more memory than this, for example `8GB`; concurrent runs share the limit
    /// [default: half of the available memory, or 4 GB if the system does not report it]
    #[arg(long = "memory", value_name = "SIZE")]
    limit: Option<Bytes>,
}

impl MemoryLimit {
    /// The configured limit, or the default.
    pub(crate) fn bytes(self) -> Bytes {
        self.limit.unwrap_or_else(default_limit)
    }

    /// The option as an argument for another process, if it was given.
    pub(crate) fn arguments(self) -> impl Iterator<Item = String> {
        self.limit.map(|limit| format!("--memory={limit}")).into_iter()
    }
}

/// The memory that a run may need, its largest parts, and whether the run would be refused.
pub(crate) fn describe(spec: &Spec) -> Result<Vec<String>, Failure> {
    let estimate = Estimate::of(spec).map_err(|error| Failure::Run(error.to_string()))?;
    let mut parts = vec![format!("at most {}", rounded(estimate.total()))];
    let large = estimate.parts().iter().filter(|part| part.bytes.get() >= estimate.total().get() / 10);
    parts.extend(large.map(|part| format!("{} for {}", rounded(part.bytes), part.name)));
    let limit = default_limit();
    if estimate.total() > limit {
        let most = estimate.parts().first().map_or("", |part| part.remedy);
        parts.push(format!("more than the limit of {} (`--memory`): {most}", rounded(limit)));
    }
    Ok(parts)
}
