//! How much memory runs may take: `--memory`.

use std::path::Path;

use clap::Args;
use setpoint_lab::memory::{Estimate, rounded};
use setpoint_sim::Spec;
use setpoint_units::Bytes;

use crate::failure::Failure;

/// How much memory runs may take together.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct MemoryLimit {
    /// Refuse a run that may need more memory than this, as in `8GB`; several runs at once share it
    /// [default: half of the memory that is available, or 4 GB where the system does not tell]
    #[arg(long = "memory", value_name = "SIZE")]
    limit: Option<Bytes>,
}

impl MemoryLimit {
    /// The limit that was given, or the default.
    pub(crate) fn bytes(self) -> Bytes {
        self.limit.unwrap_or_else(default_limit)
    }

    /// Refuses a run that may need more.
    pub(crate) fn admit(self, spec: &Spec) -> Result<(), Failure> {
        match estimate(spec)?.refusal(self.bytes()) {
            Some(refusal) => Err(Failure::Run(refusal)),
            None => Ok(()),
        }
    }
}

/// What a run may need, what takes most of it, and whether it would be refused.
pub(crate) fn describe(spec: &Spec) -> Result<Vec<String>, Failure> {
    let estimate = estimate(spec)?;
    let mut parts = vec![format!("at most {}", rounded(estimate.total()))];
    let large = estimate.parts().iter().filter(|part| part.bytes.get() >= estimate.total().get() / 10);
    parts.extend(large.map(|part| format!("{} for {}", rounded(part.bytes), part.name)));
    let limit = default_limit();
    if estimate.total() > limit {
        let most = estimate.parts().first().map_or("", |part| part.remedy);
        parts.push(format!("more than the {} that a run may take (`--memory`): {most}", rounded(limit)));
    }
    Ok(parts)
}

fn estimate(spec: &Spec) -> Result<Estimate, Failure> {
    Estimate::of(spec).map_err(|error| Failure::Run(error.to_string()))
}

/// Where the system does not say how much memory there is.
const UNKNOWN: Bytes = Bytes::new(4_000_000_000);

/// Half of what is available to this process: of the machine, and of the control groups it is in.
fn default_limit() -> Bytes {
    let available = [machine(), group_v2(), group_v1()].into_iter().flatten().min();
    available.map_or(UNKNOWN, |bytes| Bytes::new(bytes / 2))
}

/// What Linux could give without swapping.
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

/// What a control group may still take; none where it has no limit.
fn left(limit: &Path, used: &Path) -> Option<u64> {
    let number = |path: &Path| std::fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    Some(number(limit)?.saturating_sub(number(used)?))
}
