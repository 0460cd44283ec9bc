//! Tables of jobs and their critical paths.

use setpoint_record::results::{CriticalMessage, JobSummary, PortDelay, RunRecord};
use setpoint_units::quantity::{Unit, grouped};
use setpoint_units::spelling::arrows;

use super::Table;
use crate::words::capital;

/// The largest number of flows that are named next to a port.
const NAMED: usize = 3;

/// A job.
pub(super) struct Job {
    pub(super) name: String,
    pub(super) operation: String,
    /// The reason why it did not end: the cause and a remedy, each beginning with a capital letter.
    pub(super) unfinished: Option<(String, String)>,
    /// Its figures, each with a heading.
    pub(super) figures: Vec<(&'static str, String)>,
    pub(super) delays: Vec<DelayRow>,
    pub(super) path: Table<PathRow>,
}

/// A port that delayed messages of the critical path.
pub(super) struct DelayRow {
    pub(super) port: String,
    pub(super) delay: String,
    pub(super) paused: String,
    pub(super) messages: String,
    pub(super) shared: String,
}

/// A message on the critical path.
pub(super) struct PathRow {
    pub(super) flow: String,
    pub(super) step: String,
    pub(super) size: String,
    pub(super) compute: String,
    pub(super) released: String,
    pub(super) time: String,
    pub(super) delay: String,
    pub(super) ports: String,
}

/// All jobs.
pub(super) fn jobs(record: &RunRecord) -> Vec<Job> {
    record.summary.jobs.iter().map(Job::new).collect()
}

impl Job {
    fn new(job: &JobSummary) -> Self {
        let path = &job.critical_path;
        Self {
            name: job.name.clone(),
            operation: format!("{} of {} ranks", job.kind, grouped(job.ranks as f64)),
            unfinished: job
                .unfinished
                .as_ref()
                .map(|why| (capital(&arrows(&why.cause)), capital(&why.remedy))),
            figures: figures(job),
            delays: job.delays.iter().map(DelayRow::new).collect(),
            path: Table::opened(10, path.len(), path.iter().map(PathRow::new)),
        }
    }
}

fn figures(job: &JobSummary) -> Vec<(&'static str, String)> {
    let seconds =
        |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| Unit::Seconds.text(value));
    let messages = format!("{} of {} arrived", grouped(job.completed as f64), grouped(job.messages as f64));
    let rank = |rank: &Option<String>| rank.clone().unwrap_or_else(|| "–".to_owned());
    vec![
        ("Time", seconds(job.time_s)),
        ("In an empty network", seconds(Some(job.ideal_s))),
        ("Slowdown", Unit::Ratio.text(job.slowdown().unwrap_or(f64::NAN))),
        ("Messages", messages),
        ("Steps", grouped(job.steps.len() as f64)),
        ("Mean step", seconds(job.step_mean_s())),
        ("Longest step", seconds(job.longest_step().map(|step| step.time_s))),
        ("Slowest rank", rank(&job.slowest_rank)),
        ("After the fastest", seconds(job.rank_spread_s)),
    ]
}

impl DelayRow {
    fn new(delay: &PortDelay) -> Self {
        let more = delay.other_flows.saturating_sub(NAMED);
        let named = delay.shared_with.iter().take(NAMED).cloned();
        let more = (more > 0).then(|| format!("{} more", grouped(more as f64)));
        let shared: Vec<String> = named.chain(more).collect();
        Self {
            port: arrows(&delay.port),
            delay: Unit::Seconds.text(delay.delay_s),
            paused: Unit::Seconds.text(delay.paused_s),
            messages: grouped(delay.messages as f64),
            shared: if shared.is_empty() { "–".to_owned() } else { shared.join(", ") },
        }
    }
}

impl PathRow {
    fn new(message: &CriticalMessage) -> Self {
        let ports = message.ports.iter().filter(|port| port.delay_s > 0.0).map(|port| arrows(&port.port));
        Self {
            flow: match &message.id {
                None => message.flow.clone(),
                Some(id) => format!("{id} ({})", message.flow),
            },
            step: format!("{}.{}", message.iteration, message.step),
            size: Unit::Bytes.text(message.size_bytes as f64),
            compute: Unit::Seconds.text(message.compute_s),
            released: Unit::Seconds.text(message.released_s),
            time: Unit::Seconds.text(message.time_s),
            delay: Unit::Seconds.text(message.delay_s),
            ports: ports.collect::<Vec<_>>().join(", "),
        }
    }
}
