//! Pairs of sends and recvs: messages with the same ranks and tag are received in the order in which they are sent.

use std::collections::{HashMap, HashSet};

use super::parser::{Action, Operation, Schedule};
use crate::diagnostics::Problem;

/// The operation that sends the message of each recv; none for a recv from any source or with any tag.
pub(super) fn received(schedule: &Schedule) -> Result<HashMap<usize, usize>, Problem> {
    let mut sent: HashMap<(u64, u64, u64), Vec<usize>> = HashMap::new();
    let mut open: HashSet<u64> = HashSet::new();
    for (index, operation) in schedule.operations.iter().enumerate() {
        match operation.action {
            Action::Send { to, tag, .. } => sent.entry((operation.rank, to, tag)).or_default().push(index),
            Action::Recv { from, tag } if from.is_none() || tag.is_none() => {
                open.insert(operation.rank);
            }
            _ => {}
        }
    }
    let mut received = HashMap::new();
    let mut counts: HashMap<(u64, u64, u64), usize> = HashMap::new();
    for (index, operation) in schedule.operations.iter().enumerate() {
        let Action::Recv { from: Some(from), tag: Some(tag) } = operation.action else { continue };
        let key = (from, operation.rank, tag);
        let count = counts.entry(key).or_default();
        let Some(send) = sent.get(&key).and_then(|sends| sends.get(*count)) else {
            return Err(unsent(operation, from, tag));
        };
        received.insert(index, *send);
        *count += 1;
    }
    let unreceived = |(key, sends): (&(u64, u64, u64), &Vec<usize>)| {
        let count = counts.get(key).copied().unwrap_or(0);
        sends.get(count).copied().filter(|_| !open.contains(&key.1))
    };
    match sent.iter().filter_map(unreceived).min() {
        Some(send) => Err(unreceived_problem(&schedule.operations[send])),
        None => Ok(received),
    }
}

fn unsent(operation: &Operation, from: u64, tag: u64) -> Problem {
    let message = format!("rank {from} sends no further message with tag {tag} to rank {}", operation.rank);
    Problem::at(&operation.place, message, "never received")
        .help(format!("add a send to rank {from}, or remove the recv"))
}

fn unreceived_problem(operation: &Operation) -> Problem {
    let Action::Send { to, tag, .. } = operation.action else {
        return Problem::at(&operation.place, "not received", "");
    };
    let message =
        format!("rank {to} does not receive this message with tag {tag} from rank {}", operation.rank);
    Problem::at(&operation.place, message, "never received")
        .help(format!("add a recv to rank {to}, or remove the send"))
}
