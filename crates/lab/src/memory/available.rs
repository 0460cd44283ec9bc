//! The memory that is available to this process.

use std::path::Path;

use setpoint_units::Bytes;

/// The default if the system does not report its memory.
const UNKNOWN: Bytes = Bytes::new(4_000_000_000);

/// Half of the memory available to this process, taking into account the limits of the machine and of its control
/// groups; 4 GB if the system does not report it.
pub fn default_limit() -> Bytes {
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
