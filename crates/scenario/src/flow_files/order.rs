//! Messages that wait for others: the columns `id`, `after` and `gap`.

use std::collections::HashMap;
use std::sync::Arc;

use setpoint_suggest::did_you_mean;
use setpoint_units::TimeDelta;

use super::table::{Cell, Draft, FlowTable, Row};
use crate::diagnostics::{Diagnostics, Place, Problem, Problems};
use crate::limits::LONGEST;
use crate::precedence::sorted;
use crate::source::Source;

/// Number of problems after which the check stops.
const SHOWN: usize = 3;

/// Number of ids that are considered as corrections of a mistyped one.
const SEARCHED: usize = 10_000;

/// The order of the messages and computations of a table.
#[derive(Debug)]
pub(crate) struct Orders {
    /// One for each row.
    pub(crate) of: Vec<Order>,
    /// The rows, none before one that it waits for.
    pub(crate) sorted: Vec<usize>,
}

/// When a message can be sent, or a computation ends.
#[derive(Debug)]
pub(crate) struct Order {
    /// Its name.
    pub(crate) id: Option<Box<str>>,
    /// The rows that it waits for, without duplicates.
    pub(crate) after: Box<[usize]>,
    /// The computation time after all of them.
    pub(crate) gap: TimeDelta,
}

/// Reads the order of messages; the rows that they wait for may follow later in the file.
pub(super) struct Reader<'a> {
    source: &'a Arc<Source>,
    drafts: Vec<(Option<Cell<'a>>, Option<Cell<'a>>, TimeDelta)>,
    /// The rows by id, each with the place of its id.
    ids: HashMap<&'a str, usize>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(source: &'a Arc<Source>) -> Self {
        Self { source, drafts: Vec::new(), ids: HashMap::new() }
    }

    /// Adds a row.
    pub(super) fn push(&mut self, draft: Draft<'a>, row: &Row, line: &Place) -> Result<(), Problem> {
        let Draft { start, id, after, gap, .. } = draft;
        let what = if row.is_computation() { "computation" } else { "message" };
        let number = self.drafts.len();
        let given = id.clone();
        self.drafts.push((id, after.clone(), gap));
        match (start, after) {
            (None, None) => {
                return Err(Problem::at(
                    line,
                    format!("this {what} has neither a start time nor `after`"),
                    "",
                )
                .help("write its start time, or the ids of the messages that it waits for"));
            }
            (Some(_), Some(after)) => {
                let message = format!("this {what} has both a start time and `after`");
                return Err(after
                    .problem(self.source, message, "")
                    .help("leave one of them empty; a computation with a start time can be one of those that it waits for"));
            }
            _ => {}
        }
        let Some(id) = given else { return Ok(()) };
        if id.text.contains(char::is_whitespace) {
            return Err(id
                .problem(self.source, format!("the id {:?} contains a space", id.text), "")
                .help("spaces separate ids in the column `after`"));
        }
        match self.ids.insert(id.text, number) {
            None => Ok(()),
            Some(first) => {
                let problem =
                    id.problem(self.source, format!("two lines have the id {:?}", id.text), "the second");
                let first = self.drafts[first].0.as_ref().map(|first| first.place(self.source));
                let problem = match &first {
                    Some(first) => problem.context(first, "the first"),
                    None => problem,
                };
                Err(problem.help("give them different ids"))
            }
        }
    }

    /// The order of the rows of a complete table.
    pub(super) fn finish(self, table: &FlowTable) -> Result<Orders, Diagnostics> {
        let mut problems = Problems::default();
        let mut lists: Vec<Box<[usize]>> = Vec::with_capacity(self.drafts.len());
        for (row, (_, after, _)) in table.rows.iter().zip(&self.drafts) {
            lists.extend(problems.take(self.awaited(row, after.as_ref(), table)));
            if problems.count() >= SHOWN {
                break;
            }
        }
        problems.check()?;
        let sorted = sorted(&lists).map_err(|stuck| self.cycle(stuck, table))?;
        self.check_times(&sorted, &lists, table)?;
        let order = |((id, _, gap), after): ((Option<Cell<'_>>, _, _), _)| Order {
            id: id.map(|id| id.text.into()),
            after,
            gap,
        };
        Ok(Orders { of: self.drafts.into_iter().zip(lists).map(order).collect(), sorted })
    }

    /// The rows that a row waits for.
    fn awaited(
        &self,
        row: &Row,
        after: Option<&Cell<'a>>,
        table: &FlowTable,
    ) -> Result<Box<[usize]>, Problem> {
        let Some(after) = after else { return Ok(Box::default()) };
        let mut list = Vec::new();
        for id in after.text.split_whitespace() {
            let Some(&awaited) = self.ids.get(id) else {
                let known = self.drafts.iter().filter_map(|(id, ..)| id.as_ref().map(|id| id.text));
                let near = did_you_mean(id, known.take(SEARCHED));
                let help = near.unwrap_or_else(|| format!("write {id} into the column `id` of a line"));
                return Err(after.problem(self.source, format!("no line has the id {id:?}"), "").help(help));
            };
            self.check_station(row, id, &table.rows[awaited], after, table)?;
            list.push(awaited);
        }
        list.sort_unstable();
        list.dedup();
        Ok(list.into())
    }

    /// The computations that follow each other take no longer than the longest time.
    fn check_times(
        &self,
        sorted: &[usize],
        lists: &[Box<[usize]>],
        table: &FlowTable,
    ) -> Result<(), Problem> {
        let mut ends = vec![TimeDelta::ZERO; lists.len()];
        for &own in sorted {
            let last = lists[own].iter().map(|&awaited| ends[awaited]).max().unwrap_or_default();
            // None of the three exceeds the longest time, so the sum fits.
            let end = last + table.rows[own].start + self.drafts[own].2;
            if end > LONGEST {
                let message = format!(
                    "the computations up to this line take {end}, but a time can be at most {LONGEST}"
                );
                return Err(Problem::at(&table.place_of(&table.rows[own]), message, "")
                    .help("shorten the computations that it waits for"));
            }
            ends[own] = end;
        }
        Ok(())
    }

    /// A station knows only about messages that it sends or receives, and about its own computations.
    fn check_station(
        &self,
        row: &Row,
        id: &str,
        awaited: &Row,
        after: &Cell<'_>,
        table: &FlowTable,
    ) -> Result<(), Problem> {
        if row.source == awaited.source || row.source == awaited.destination {
            return Ok(());
        }
        let name = |station: usize| &table.stations[station].text;
        let (own, first, second) = (name(row.source), name(awaited.source), name(awaited.destination));
        let (message, help) = if awaited.is_computation() {
            let message = format!("{own:?} waits for {id:?}, which is a computation of {first:?}");
            (message, format!("wait for a message from {first:?} to {own:?} that is sent after it"))
        } else {
            let message = format!("{own:?} waits for {id:?}, which it neither sends nor receives");
            (
                message,
                format!("wait for a message from {first:?} or {second:?} to {own:?} that is sent after it"),
            )
        };
        Err(after
            .problem(self.source, message, "of other stations")
            .context(&table.place_of(awaited), "the line that it waits for")
            .help(help))
    }

    fn cycle(&self, stuck: usize, table: &FlowTable) -> Problem {
        let row = &table.rows[stuck];
        let place = self.drafts[stuck].1.as_ref().map(|after| after.place(self.source));
        let place = place.unwrap_or_else(|| table.place_of(row));
        let what = if row.is_computation() { "computation" } else { "message" };
        Problem::at(&place, format!("this {what} waits for itself, directly or through others"), "")
            .help("remove one of the ids on the cycle from the column `after`")
    }
}
