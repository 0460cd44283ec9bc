//! The jobs of a run, in a few lines each.

use setpoint_record::results::{JobSummary, PortDelay, Summary};

use setpoint_units::spelling::arrows;

use crate::terminal::{Unit, count, plain, port as port_name, quantity, things};

/// The largest number of ports that are listed for a job.
const PORTS: usize = 3;

/// The lines of all jobs.
pub(super) fn phrases(summary: &Summary) -> Vec<(String, Vec<String>)> {
    summary.jobs.iter().flat_map(of_job).collect()
}

fn of_job(job: &JobSummary) -> Vec<(String, Vec<String>)> {
    let operation = format!("{} of {} ranks", plain(&job.kind), count(job.ranks as u64));
    let label = format!("job {}", plain(&job.name));
    let (Some(time), Some(slowdown)) = (job.time_s, job.slowdown()) else {
        let unfinished = format!(
            "unfinished: {} of {} arrived",
            count(job.completed as u64),
            things(job.messages as u64, "message")
        );
        let reason = job.unfinished.iter();
        let reason = reason.flat_map(|why| [("  cause", &why.cause), ("  remedy", &why.remedy)]);
        let reason = reason.map(|(label, text)| (label.to_owned(), vec![plain(&arrows(text))]));
        return [(label, vec![operation, unfinished])].into_iter().chain(reason).collect();
    };
    let seconds = |value| quantity(Unit::Seconds, value);
    let alone =
        format!("{} times the {} of an empty network", quantity(Unit::Ratio, slowdown), seconds(job.ideal_s));
    let mut lines = vec![(label, vec![operation, seconds(time), alone]), ("  steps".to_owned(), steps(job))];
    if let (Some(slowest), Some(spread)) = (&job.slowest_rank, job.rank_spread_s) {
        let after = format!("{} after the fastest", seconds(spread));
        lines.push(("  slowest rank".to_owned(), vec![plain(slowest), after]));
    }
    lines.push(("  delayed by".to_owned(), delays(job)));
    lines
}

fn steps(job: &JobSummary) -> Vec<String> {
    let seconds = |value| quantity(Unit::Seconds, value);
    let mean = job.step_mean_s().map(|mean| format!("mean {}", seconds(mean)));
    let longest = job.longest_step().map(|step| {
        let iterations = job.steps.last().map_or(1, |last| last.iteration);
        let place = match iterations {
            1 => format!("step {}", step.step),
            _ => format!("step {} of iteration {}", step.step, step.iteration),
        };
        format!("longest {} ({place})", seconds(step.time_s))
    });
    [count(job.steps.len() as u64)].into_iter().chain(mean).chain(longest).collect()
}

fn delays(job: &JobSummary) -> Vec<String> {
    let delay = |delay: &PortDelay| {
        let time = quantity(Unit::Seconds, delay.delay_s);
        let paused = (delay.paused_s > 0.0)
            .then(|| format!(", {} of it paused", quantity(Unit::Seconds, delay.paused_s)));
        format!("{} {time}{}", port_name(&delay.port), paused.unwrap_or_default())
    };
    let late: Vec<&PortDelay> = job.delays.iter().filter(|delay| delay.delay_s > 0.0).collect();
    if late.is_empty() {
        return vec!["nothing".to_owned()];
    }
    let more = late.len().saturating_sub(PORTS);
    let more = (more > 0).then(|| format!("{} in the report", things(more as u64, "more port")));
    late.into_iter().take(PORTS).map(delay).chain(more).collect()
}
