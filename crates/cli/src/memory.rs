//! The memory limit of runs: `--memory`.

use std::path::Path;

use clap::Args;
use setpoint_lab::memory::{Estimate, rounded};
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

    /// Refuses a run that may exceed the limit.
    pub(crate) fn admit(self, spec: &Spec) -> Result<(), Failure> {
        match estimate(spec)?.refusal(self.bytes()) {
            Some(refusal) => Err(Failure::Run(refusal)),
            None => Ok(()),
        }
    }
}

/// The memory that a run may need, its largest parts, and whether the run would be refused.
pub(crate) fn describe(spec: &Spec) -> Result<Vec<String>, Failure> {
    let estimate = estimate(spec)?;
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

fn estimate(spec: &Spec) -> Result<Estimate, Failure> {
    Estimate::of(spec).map_err(|error| Failure::Run(error.to_string()))
}

/// The default if the system does not report its memory.
const UNKNOWN: Bytes = Bytes::new(4_000_000_000);

/// Half of the memory available to this process, considering the limits of the machine and of its control groups.
fn default_limit() -> Bytes {
    let available = [machine(), group_v2(), group_v1()].into_iter().flatten().min();
    available.map_or(UNKNOWN, |bytes| Bytes::new(bytes / 2))
}

/// Memory that Linux can provide without swapping.
fn machine() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

fn group_v2() -> Option<u64> {
    left(Path::new("/sys/fs/cgroup/memory.max"), Path::new("/sys/fs/cgroup/memory.current"))
}

fn group_v1() -> Option<u64> {
    let folder = Path::new("/sys/fs/cgroup/memory");
    left(&folder.join("memory.limit_in_bytes"), &folder.join("memory.usage_in_bytes"))
}

/// The remaining memory of a control group; `None` if it has no limit.
fn left(limit: &Path, used: &Path) -> Option<u64> {
    let number = |path: &Path| std::fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    Some(number(limit)?.saturating_sub(number(used)?))
}
