//! The queue on which a sweep compares its runs, and its port: the same in all variants and seeds of a scenario.
//!
//! It is the queue with the largest mean over all runs, among those that every run has. In bridges with input buffers,
//! only queues on which a congestion point acts in some run count, as in
//! [`Summary::watched_queue`](setpoint_record::results::Summary::watched_queue). If the networks differ and no queue exists in
//! all runs, every run is judged by its own queue.

use std::collections::HashMap;

use setpoint_record::keyed;

use super::figures::{Kept, KeptQueue};

keyed! {
    /// The queue on which all variants of a scenario are compared.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct WatchedQueue {
        /// The scenario.
        pub scenario: String,
        /// The queue; `null` if the runs have no queue in common.
        pub queue: Option<String>,
        /// Its port.
        pub port: Option<String>,
    }
}

impl WatchedQueue {
    /// The queue for these runs of a scenario.
    pub(super) fn of(scenario: &str, runs: &[&Kept]) -> Self {
        let chosen = common(runs);
        Self {
            scenario: scenario.to_owned(),
            queue: chosen.map(|queue| queue.name.clone()),
            port: chosen.map(|queue| queue.port.clone()),
        }
    }

    /// Its index among the queues of a run.
    pub(super) fn place(&self, run: &Kept) -> Option<usize> {
        match &self.queue {
            Some(name) => run.queues.iter().position(|queue| queue.name == *name),
            None => run.own,
        }
    }
}

/// The queue with the largest mean among those that all runs have; if several are equal, the first in the first run.
fn common<'a>(runs: &[&'a Kept]) -> Option<&'a KeptQueue> {
    let (first, others) = runs.split_first()?;
    let others: Vec<HashMap<&str, &KeptQueue>> = others.iter().map(|run| by_name(run)).collect();
    let in_all = first.queues.iter().filter_map(|queue| {
        let elsewhere: Option<Vec<&KeptQueue>> =
            others.iter().map(|run| run.get(queue.name.as_str()).copied()).collect();
        let elsewhere = elsewhere?;
        let mean = queue.mean + elsewhere.iter().map(|queue| queue.mean).sum::<f64>();
        let acted_on = queue.acted_on || elsewhere.iter().any(|queue| queue.acted_on);
        Some((queue, acted_on, mean))
    });
    let in_all: Vec<(&KeptQueue, bool, f64)> = in_all.collect();
    // `max_by` returns the last of several equal elements.
    let largest =
        in_all.iter().rev().max_by(|one, other| one.1.cmp(&other.1).then(one.2.total_cmp(&other.2)));
    largest.map(|(queue, ..)| *queue)
}

fn by_name(run: &Kept) -> HashMap<&str, &KeptQueue> {
    run.queues.iter().map(|queue| (queue.name.as_str(), queue)).collect()
}
