//! The messages and computations of a schedule, and what each of them waits for.
//!
//! A recv ends when its message has arrived and it has begun, so an operation that requires it waits for the message and for everything
//! that the recv requires.

use std::collections::{BTreeSet, HashMap};

use setpoint_units::{Bytes, TimeDelta};

use super::parser::{Action, Operation, Relation, Schedule};
use crate::diagnostics::Problem;
use crate::import::workload::{Message, Workload};
use crate::precedence::sorted;

/// Maximum number of dependencies of all operations.
const MAX_DEPENDENCIES: usize = 10_000_000;

/// The messages and computations of a schedule; `received` contains the send of each recv.
pub(super) fn workload(schedule: &Schedule, received: &HashMap<usize, usize>) -> Result<Workload, Problem> {
    let mut order =
        Order { schedule, received, numbers: numbers(schedule), begins: HashMap::new(), total: 0 };
    for index in order.sorted()? {
        let begin = order.begin(index)?;
        order.begins.insert(index, begin);
    }
    let mut workload = Workload::default();
    let mut counts: HashMap<u64, usize> = HashMap::new();
    let mut has_idle = false;
    for (index, operation) in schedule.operations.iter().enumerate() {
        let position = counts.entry(operation.rank).or_default();
        *position += 1;
        if order.numbers.contains_key(&index) {
            let after = order.begins.remove(&index).unwrap_or_default();
            workload.messages.push(message(operation, *position, after));
        } else if matches!(operation.action, Action::Calc { .. }) {
            has_idle = true;
        }
    }
    if has_idle {
        workload
            .notes
            .push(String::from("The calculations of ranks that neither send nor receive are left out."));
    }
    Ok(workload)
}

/// The row of a send or a calculation, which is the `position`-th operation of its rank.
fn message(operation: &Operation, position: usize, after: Vec<usize>) -> Message {
    let (destination, size, gap) = match operation.action {
        Action::Send { size, to, .. } => (to, size, TimeDelta::ZERO),
        Action::Calc { time } => (operation.rank, Bytes::ZERO, time),
        Action::Recv { .. } => (operation.rank, Bytes::ZERO, TimeDelta::ZERO),
    };
    let rank = operation.rank;
    Message {
        source: rank,
        destination,
        size: Some(size),
        start: TimeDelta::ZERO,
        after,
        gap,
        // No label begins with a digit.
        id: operation
            .label
            .as_ref()
            .map_or_else(|| format!("r{rank}.{position}"), |label| format!("r{rank}.{label}")),
        priority: None,
        class: None,
        place: operation.place.clone(),
    }
}

/// The number of each send and each calculation among the rows. Ranks that neither send nor receive are left out.
fn numbers(schedule: &Schedule) -> HashMap<usize, usize> {
    let mut taking_part = BTreeSet::new();
    for operation in &schedule.operations {
        if let Action::Send { to, .. } = operation.action {
            taking_part.extend([operation.rank, to]);
        }
    }
    let becomes_row = |(_, operation): &(usize, &Operation)| match operation.action {
        Action::Send { .. } => true,
        Action::Calc { .. } => taking_part.contains(&operation.rank),
        Action::Recv { .. } => false,
    };
    let rows = (0..).zip(&schedule.operations).filter(becomes_row);
    rows.map(|(index, _)| index).zip(0..).collect()
}

struct Order<'a> {
    schedule: &'a Schedule,
    received: &'a HashMap<usize, usize>,
    /// The row of each send and each calculation.
    numbers: HashMap<usize, usize>,
    /// For each operation, the rows that must have ended before it begins.
    begins: HashMap<usize, Vec<usize>>,
    /// The number of entries in `begins`.
    total: usize,
}

impl Order<'_> {
    /// The operations in an order in which each comes after those that it depends on.
    fn sorted(&self) -> Result<Vec<usize>, Problem> {
        let operations = &self.schedule.operations;
        let earlier = |operation: &Operation| operation.after.iter().map(|(earlier, _)| *earlier).collect();
        let after: Vec<Vec<usize>> = operations.iter().map(earlier).collect();
        sorted(&after).map_err(|stuck| {
            let message = "the order of operations is a cycle, so that they never begin";
            Problem::at(&operations[stuck].place, message, "part of the cycle")
                .help("remove one of the `requires` statements")
        })
    }

    /// The rows that must have ended before an operation begins; those of the operations before it are known.
    fn begin(&mut self, index: usize) -> Result<Vec<usize>, Problem> {
        let operation = &self.schedule.operations[index];
        let mut rows = Vec::new();
        for &(earlier, relation) in &operation.after {
            match relation {
                Relation::Requires => self.end(earlier, &mut rows)?,
                Relation::IRequires => rows.extend_from_slice(&self.begins[&earlier]),
            }
        }
        rows.sort_unstable();
        rows.dedup();
        self.total += rows.len();
        if self.total > MAX_DEPENDENCIES {
            return Err(Problem::at(&operation.place, "too many operations come before this one", "")
                .help("use a shorter schedule"));
        }
        Ok(rows)
    }

    /// Adds the rows that must have ended before an operation has ended.
    fn end(&self, index: usize, rows: &mut Vec<usize>) -> Result<(), Problem> {
        let operation = &self.schedule.operations[index];
        if let Some(row) = self.numbers.get(&index) {
            rows.push(*row);
            return Ok(());
        }
        rows.extend_from_slice(&self.begins[&index]);
        let (Action::Recv { .. }, send) = (operation.action, self.received.get(&index)) else {
            return Ok(());
        };
        let Some(send) = send else {
            return Err(Problem::at(
                &operation.place,
                "other operations wait for this recv, which accepts any source or any tag",
                "",
            )
            .help("give its source and its tag: the message that it receives must not depend on the run"));
        };
        rows.push(self.numbers[send]);
        Ok(())
    }
}
