//! Reads the text of a CSV file.

use std::collections::HashMap;
use std::sync::Arc;

use setpoint_sim::Priority;
use setpoint_units::{Bytes, TimeDelta};

use super::column::{Column, REQUIRED};
use super::order;
use super::table::{Cell, Draft, FlowTable, Row, Word};
use crate::decimal::Decimal;
use crate::diagnostics::{Diagnostics, Place, Problem, Problems};
use crate::limits::{LONGEST, MAX_FILE_MESSAGES, MAX_FILE_SIZE, MAX_LISTED};
use crate::source::Source;

/// Number of problems after which reading stops: a wrong column usually causes a problem in every line.
const SHOWN: usize = 3;

/// Reads a table, or reports the first problems in it.
pub(super) fn table(source: &Arc<Source>) -> Result<FlowTable, Diagnostics> {
    let mut lines = Lines::of(source);
    let Some(heading) = lines.next() else {
        return Err(Problem::at(&Place::whole(source), "this table is empty", "")
            .help("begin with a line of column names, such as `start_us,source,destination,size_bytes`")
            .into());
    };
    let columns = columns(source, &heading)?;
    let is_ordered = columns.contains(&Column::After);
    let most = if is_ordered { MAX_LISTED as usize } else { MAX_FILE_MESSAGES };
    let mut orders = order::Reader::new(source);
    let (stations, classes) = (Words::default(), Words::default());
    let mut reader = Reader { source, columns, is_ordered, stations, classes };
    let (mut rows, mut problems): (Vec<Row>, _) = (Vec::new(), Problems::default());
    for line in lines {
        if rows.len() >= most {
            problems.push(too_many(&line.place(source), most, is_ordered));
            break;
        }
        if let Some((row, draft)) = problems.take(reader.row(&line)) {
            if is_ordered {
                problems.take(orders.push(draft, &row, &line.place(source)));
            }
            rows.push(row);
        }
        if problems.count() >= SHOWN {
            break;
        }
    }
    let (stations, classes) = (reader.stations.words, reader.classes.words);
    problems.check()?;
    if rows.is_empty() {
        let problem = Problem::at(&heading.place(source), "this table has no messages", "the last line");
        return Err(problem.help("add a line for each message").into());
    }
    let mut table = FlowTable { source: source.clone(), rows, stations, classes, orders: None };
    if is_ordered {
        table.orders = Some(orders.finish(&table)?);
    }
    Ok(table)
}

fn too_many(place: &Place, most: usize, are_ordered: bool) -> Problem {
    let what = if are_ordered { "messages that wait for each other" } else { "messages" };
    let help = if are_ordered { "use a smaller job" } else { "split the table into several files" };
    Problem::at(place, format!("a table can have at most {most} {what}"), "one too many").help(help)
}

/// The lines of a text that are neither empty nor comments.
struct Lines<'a> {
    text: &'a str,
    at: usize,
}

/// A line and its position.
struct Line<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lines<'a> {
    fn of(source: &'a Source) -> Self {
        let at = if source.text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self { text: &source.text, at }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        loop {
            let rest = &self.text[self.at..];
            let line = rest.split_inclusive('\n').next()?;
            let at = self.at;
            self.at += line.len();
            let text = line.trim_end();
            if !text.trim_start().is_empty() && !text.trim_start().starts_with('#') {
                return Some(Line { text, at });
            }
        }
    }
}

impl<'a> Line<'a> {
    fn place(&self, source: &Arc<Source>) -> Place {
        Place::new(source, self.at..self.at + self.text.len())
    }

    fn cells(&self) -> impl Iterator<Item = Cell<'a>> {
        let mut at = self.at;
        self.text.split(',').map(move |field| {
            let start = at + field.len() - field.trim_start().len();
            at += field.len() + 1;
            let text = field.trim();
            // Quotes protect commas, which no value of a table contains.
            let bare = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
            Cell { text: bare.unwrap_or(text), span: start..start + text.len() }
        })
    }
}

fn columns(source: &Arc<Source>, heading: &Line<'_>) -> Result<Vec<Column>, Diagnostics> {
    let mut problems = Problems::default();
    let mut columns: Vec<Column> = Vec::new();
    for cell in heading.cells() {
        match Column::read(cell.text) {
            Ok(column) if columns.iter().any(|known| known.stem() == column.stem()) => {
                let message = format!("there are two columns `{}`", column.stem());
                problems.push(cell.problem(source, message, "the second").help("remove one of them"));
            }
            Ok(column) => columns.push(column),
            Err((message, remedy)) => problems.push(cell.problem(source, message, "").help(remedy)),
        }
    }
    problems.check()?;
    for (stem, example) in REQUIRED {
        if columns.iter().all(|column| column.stem() != stem) {
            let message = format!("this table has no column `{stem}`");
            problems.push(
                Problem::at(&heading.place(source), message, "").help(format!("add a column `{example}`")),
            );
        }
    }
    // A column that is useless or ambiguous without another one.
    for (stem, needed, help) in [
        ("after", "id", "add a column `id` with a name for each message that others wait for"),
        ("gap", "after", "add a column `after` with the ids of the messages that a message waits for"),
    ] {
        let has = |stem: &str| columns.iter().any(|column| column.stem() == stem);
        if has(stem) && !has(needed) {
            let message = format!("this table has a column `{stem}`, but no column `{needed}`");
            problems.push(Problem::at(&heading.place(source), message, "").help(help));
        }
    }
    problems.or_else(columns)
}

/// Names, each stored once.
#[derive(Default)]
struct Words {
    words: Vec<Word>,
    known: HashMap<String, usize>,
}

impl Words {
    fn number(&mut self, cell: &Cell<'_>) -> usize {
        if let Some(&known) = self.known.get(cell.text) {
            return known;
        }
        let number = self.words.len();
        self.known.insert(cell.text.to_owned(), number);
        self.words.push(Word { text: cell.text.to_owned(), span: cell.span.clone() });
        number
    }
}

/// Reads lines.
struct Reader<'a> {
    source: &'a Arc<Source>,
    columns: Vec<Column>,
    /// Whether messages can wait for others.
    is_ordered: bool,
    stations: Words,
    classes: Words,
}

impl<'a> Reader<'a> {
    fn row(&mut self, line: &Line<'a>) -> Result<(Row, Draft<'a>), Problem> {
        let (given, expected) = (line.cells().count(), self.columns.len());
        if given != expected {
            let message = format!("this line has {given} values, but the table has {expected} columns");
            return Err(Problem::at(&line.place(self.source), message, "").help("separate values by commas"));
        }
        let mut draft = Draft::default();
        for (index, cell) in line.cells().enumerate() {
            self.cell(self.columns[index], cell, &mut draft)?;
        }
        let wrong =
            |message: String, help: &str| Err(Problem::at(&line.place(self.source), message, "").help(help));
        match draft.destination {
            Some(_) if draft.size.is_zero() => wrong(
                String::from("a message has at least 1 B"),
                "write its size, or leave `destination` empty if it is a computation",
            ),
            None if !draft.size.is_zero() => wrong(
                String::from("a message needs the names of two stations, and a computation has the size 0"),
                "write the name of the receiver",
            ),
            Some(destination) if draft.source == destination => wrong(
                format!("{:?} would send to itself", self.stations.words[draft.source].text),
                "remove the line: such a message does not cross the network",
            ),
            _ => Ok((Row::new(&draft, line.at), draft)),
        }
    }

    fn cell(&mut self, column: Column, cell: Cell<'a>, draft: &mut Draft<'a>) -> Result<(), Problem> {
        let may_be_empty = match column {
            Column::Start(..) | Column::Destination => self.is_ordered,
            Column::Id | Column::After | Column::Gap(..) => true,
            Column::Source | Column::Size(..) | Column::Priority | Column::Class => false,
        };
        if cell.text.is_empty() && may_be_empty {
            return Ok(());
        }
        match column {
            Column::Start(unit, power) => {
                draft.start = Some(self.time(&cell, unit, power, "a message starts at")?);
            }
            Column::Size(unit, power) => draft.size = self.size(&cell, unit, power)?,
            Column::Source => draft.source = self.station(&cell)?,
            Column::Destination => draft.destination = Some(self.station(&cell)?),
            Column::Priority => draft.priority = self.priority(&cell)?,
            Column::Class => draft.class = self.class(&cell)?,
            Column::Id => draft.id = Some(cell),
            Column::After => draft.after = Some(cell),
            Column::Gap(unit, power) => {
                draft.gap = self.time(&cell, unit, power, "a computation takes")?;
            }
        }
        Ok(())
    }

    fn time(&self, cell: &Cell<'_>, unit: &str, power: i32, what: &str) -> Result<TimeDelta, Problem> {
        let wrong = |message: String| cell.problem(self.source, message, "");
        let Some(number) = Decimal::read(cell.text) else {
            return Err(wrong(format!("{:?} is not a time in {unit}", cell.text))
                .help("write a number that is not negative, without its unit"));
        };
        let time = number.rounded(power).map(TimeDelta::from_picos);
        time.filter(|time| *time <= LONGEST)
            .ok_or_else(|| wrong(format!("{what} {} {unit}, but a time can be at most {LONGEST}", cell.text)))
    }

    fn size(&self, cell: &Cell<'_>, unit: &str, power: i32) -> Result<Bytes, Problem> {
        let wrong = |message: String| cell.problem(self.source, message, "");
        let Some(number) = Decimal::read(cell.text) else {
            return Err(wrong(format!("{:?} is not a size in {unit}", cell.text))
                .help("write a positive number without its unit"));
        };
        if number.is_zero() && !self.is_ordered {
            return Err(wrong(String::from("a message has at least 1 B"))
                .help("remove the line, or write a backlogged flow as `[[flows]]`"));
        }
        let Some(size) = number.whole(power).map(Bytes::new) else {
            return Err(wrong(format!("{} {unit} is not a whole number of bytes", cell.text)));
        };
        let bound = || wrong(format!("a message has {size}, but can have at most {MAX_FILE_SIZE}"));
        if size > MAX_FILE_SIZE { Err(bound()) } else { Ok(size) }
    }

    fn station(&mut self, cell: &Cell<'_>) -> Result<usize, Problem> {
        if cell.text.is_empty() {
            let message = "a message needs the names of two stations";
            return Err(cell.problem(self.source, message, "empty"));
        }
        Ok(self.stations.number(cell))
    }

    fn priority(&self, cell: &Cell<'_>) -> Result<Option<Priority>, Problem> {
        if cell.text.is_empty() {
            return Ok(None);
        }
        let priority = cell.text.parse::<u8>().ok().and_then(Priority::new);
        priority.map(Some).ok_or_else(|| {
            cell.problem(self.source, format!("{:?} is not a priority", cell.text), "")
                .help("a whole number from 0 to 7, or nothing for the priority in the scenario")
        })
    }

    fn class(&mut self, cell: &Cell<'_>) -> Result<Option<usize>, Problem> {
        if cell.text.starts_with(['=', '+', '-', '@']) {
            let message = format!("the name {:?} begins like a spreadsheet formula", cell.text);
            let help = "names appear in CSV tables; begin with a character other than = + - @";
            return Err(cell.problem(self.source, message, "").help(help));
        }
        Ok((!cell.text.is_empty()).then(|| self.classes.number(cell)))
    }
}
