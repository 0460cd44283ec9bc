//! The times at which operations begin: after a time, and after events of other messages.

use std::collections::{BTreeMap, HashMap};

use setpoint_units::TimeDelta;

use super::parser::{Action, Relation, Schedule};
use crate::diagnostics::Problem;
use crate::import::workload::{Dependency, Event, Message, Workload};
use crate::limits::LONGEST;

/// Maximum number of dependencies of all operations.
const MAX_DEPENDENCIES: usize = 10_000_000;

/// The messages of a schedule; `received` names the send of each recv.
pub(super) fn workload(schedule: &Schedule, received: &HashMap<usize, usize>) -> Result<Workload, Problem> {
    let mut order = Order { schedule, received, numbers: HashMap::new(), begins: HashMap::new(), total: 0 };
    let sends = (0..)
        .zip(&schedule.operations)
        .filter(|(_, operation)| matches!(operation.action, Action::Send { .. }));
    order.numbers = sends.map(|(index, _)| index).zip(0..).collect();
    let mut workload = Workload::default();
    for index in sorted(schedule)? {
        let begin = order.begin(index)?;
        order.total += begin.after.len();
        if order.total > MAX_DEPENDENCIES || begin.time > LONGEST {
            let message = "the operations before this one are too many, or take too long";
            return Err(
                Problem::at(&schedule.operations[index].place, message, "").help("use a shorter schedule")
            );
        }
        order.begins.insert(index, begin);
    }
    for (index, operation) in schedule.operations.iter().enumerate() {
        let Action::Send { size, to, .. } = operation.action else { continue };
        let begin = &order.begins[&index];
        let dependency =
            |(&(message, event), &gap): (&(usize, Event), &TimeDelta)| Dependency { message, event, gap };
        workload.messages.push(Message {
            source: operation.rank,
            destination: to,
            size: Some(size),
            start: begin.time,
            after: begin.after.iter().map(dependency).collect(),
            priority: None,
            class: None,
            place: operation.place.clone(),
        });
    }
    Ok(workload)
}

/// When something takes place: not before a time, and after events, each followed by a time.
#[derive(Clone, Debug, Default)]
struct Begin {
    time: TimeDelta,
    after: BTreeMap<(usize, Event), TimeDelta>,
}

impl Begin {
    /// When both have taken place.
    fn and(mut self, other: Self) -> Self {
        self.time = self.time.max(other.time);
        for (event, gap) in other.after {
            let own = self.after.entry(event).or_default();
            *own = (*own).max(gap);
        }
        self
    }

    /// Some time later.
    fn plus(mut self, time: TimeDelta) -> Self {
        self.time += time;
        self.after.values_mut().for_each(|gap| *gap += time);
        self
    }
}

struct Order<'a> {
    schedule: &'a Schedule,
    received: &'a HashMap<usize, usize>,
    /// The number of each send among the messages.
    numbers: HashMap<usize, usize>,
    begins: HashMap<usize, Begin>,
    total: usize,
}

impl Order<'_> {
    /// When an operation begins; those before it are known.
    fn begin(&self, index: usize) -> Result<Begin, Problem> {
        let operation = &self.schedule.operations[index];
        operation.after.iter().try_fold(Begin::default(), |begin, &(earlier, relation)| {
            let other = match relation {
                Relation::Requires => self.end(earlier)?,
                Relation::IRequires => self.begins[&earlier].clone(),
            };
            Ok(begin.and(other))
        })
    }

    /// When an operation ends.
    fn end(&self, index: usize) -> Result<Begin, Problem> {
        let operation = &self.schedule.operations[index];
        let begin = self.begins[&index].clone();
        let after = |send: usize, event| Begin {
            time: TimeDelta::ZERO,
            after: [((self.numbers[&send], event), TimeDelta::ZERO)].into(),
        };
        match operation.action {
            Action::Calc { time } => Ok(begin.plus(time)),
            // The message cannot be sent before the operation begins.
            Action::Send { .. } => Ok(after(index, Event::Sent)),
            Action::Recv { .. } => match self.received.get(&index) {
                Some(send) => Ok(begin.and(after(*send, Event::Received))),
                None => Err(Problem::at(
                    &operation.place,
                    "other operations require a recv from any source or with any tag",
                    "",
                )
                .help("name its source and its tag: which message it receives must not depend on the run")),
            },
        }
    }
}

/// The operations in an order in which each comes after those that it depends on.
fn sorted(schedule: &Schedule) -> Result<Vec<usize>, Problem> {
    let operations = &schedule.operations;
    let mut waits: Vec<usize> = operations.iter().map(|operation| operation.after.len()).collect();
    let mut followers: Vec<Vec<usize>> = vec![Vec::new(); operations.len()];
    for (index, operation) in operations.iter().enumerate() {
        operation.after.iter().for_each(|(earlier, _)| followers[*earlier].push(index));
    }
    let mut sorted: Vec<usize> = (0..operations.len()).filter(|&index| waits[index] == 0).collect();
    let mut next = 0;
    while let Some(&index) = sorted.get(next) {
        next += 1;
        for &follower in &followers[index] {
            waits[follower] -= 1;
            if waits[follower] == 0 {
                sorted.push(follower);
            }
        }
    }
    match waits.iter().position(|waits| *waits > 0) {
        None => Ok(sorted),
        Some(stuck) => {
            let message = "the order of operations is a cycle, so that they never begin";
            Err(Problem::at(&operations[stuck].place, message, "part of the cycle, or after it")
                .help("remove one of the `requires` statements"))
        }
    }
}
