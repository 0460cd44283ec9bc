//! The number of tasks, and the time and memory that each of them requests.

use std::num::{NonZeroU32, NonZeroUsize};

use setpoint_lab::sweep::Cost;

use super::{Slurm, Work};

/// The resources to request from Slurm, in its own notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) tasks: NonZeroU32,
    /// The number of cores per task.
    pub(super) cores: NonZeroUsize,
    pub(super) time: String,
    pub(super) memory: String,
    pub(super) partition: Option<String>,
    /// Options that are passed on to Slurm.
    pub(super) others: Vec<String>,
}

/// The time that a task should take: short enough to fit between other jobs, long enough for its start-up time not to
/// matter.
const TASK_S: f64 = 600.0;
/// The smallest number of tasks by default, unless there are fewer runs.
const FEWEST: usize = 8;
/// The largest number of tasks by default.
const MOST: usize = 256;

/// The factor by which the requested time exceeds the estimate: other machines may be slower, and the beginning of a run
/// may be cheap.
const TIME_MARGIN: f64 = 3.0;
/// The time to store a run, in seconds.
const STORING_S: f64 = 1.0;
/// The time for a task to start, in seconds.
const STARTING_S: f64 = 300.0;

/// Memory in addition to that of the runs, in MiB.
const PROGRAM_MIB: u64 = 200;
/// Memory is requested in multiples of this number of MiB.
const STEP_MIB: u64 = 100;

impl Request {
    pub(super) fn new(options: &Slurm, work: &Work<'_>) -> Self {
        let cores = work.threads.unwrap_or(NonZeroUsize::MIN);
        let runs = work.variants.len() * work.seeds.get() as usize;
        // The estimate can take several seconds.
        let known = options.tasks.is_some() && options.time.is_some() && options.mem.is_some();
        let cost = (!known).then(|| Cost::of(work.variants, work.seeds));
        let given = "the cost is estimated unless everything is given";
        let tasks = options.tasks.unwrap_or_else(|| tasks(cost.expect(given), runs));
        let time = || time(cost.expect(given), runs.div_ceil(tasks.get() as usize).div_ceil(cores.get()));
        Self {
            tasks,
            cores,
            time: options.time.clone().unwrap_or_else(time),
            memory: options.mem.clone().unwrap_or_else(|| memory(cost.expect(given), cores)),
            partition: options.partition.clone(),
            others: options.sbatch.clone(),
        }
    }
}

fn tasks(cost: Cost, runs: usize) -> NonZeroU32 {
    let tasks = ((cost.total_s / TASK_S).ceil() as usize).clamp(FEWEST, MOST).min(runs);
    u32::try_from(tasks).ok().and_then(NonZeroU32::new).unwrap_or(NonZeroU32::MIN)
}

/// The time for the given number of consecutive runs, as hours, minutes and seconds, rounded up to whole minutes.
fn time(cost: Cost, runs: usize) -> String {
    let seconds = STARTING_S + runs as f64 * (TIME_MARGIN * cost.longest_s + STORING_S);
    let minutes = (seconds / 60.0).ceil() as u64;
    format!("{}:{:02}:00", minutes / 60, minutes % 60)
}

/// The memory for concurrent runs and the program, rounded up.
fn memory(cost: Cost, cores: NonZeroUsize) -> String {
    let runs = cost.memory.get().saturating_mul(cores.get() as u64).div_ceil(1 << 20);
    let all = PROGRAM_MIB + runs.saturating_add(runs / 4);
    format!("{}M", all.div_ceil(STEP_MIB).saturating_mul(STEP_MIB))
}

#[cfg(test)]
mod tests {
    use setpoint_units::Bytes;

    use super::*;

    fn cost(longest_s: f64, total_s: f64, mib: u64) -> Cost {
        Cost { longest_s, total_s, memory: Bytes::new(mib << 20) }
    }

    #[test]
    fn tasks_take_about_ten_minutes() {
        let tasks = |total, runs| tasks(cost(1.0, total, 1), runs).get();
        assert_eq!(
            [tasks(1.0, 64), tasks(1.0, 3), tasks(36_000.0, 640), tasks(1e9, 100_000)],
            [8, 3, 60, 256]
        );
    }

    #[test]
    fn time_and_memory_have_margins() {
        assert_eq!(time(cost(0.1, 1.0, 1), 8), "0:06:00");
        // Three times the ten runs of 600 s, 10 s to store them, and 300 s to start.
        assert_eq!(time(cost(600.0, 1.0, 1), 10), "5:06:00");
        let memory = |mib, cores| memory(cost(1.0, 1.0, mib), NonZeroUsize::new(cores).unwrap());
        assert_eq!([memory(10, 1), memory(1_000, 1), memory(1_000, 4)], ["300M", "1500M", "5200M"]);
    }
}
