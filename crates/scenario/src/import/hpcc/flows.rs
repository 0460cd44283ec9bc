//! flow.txt: the number of flows, and the flows, each as `source destination group port bytes start`, in order of their start
//! times in seconds.

use std::sync::Arc;

use setpoint_units::{Bytes, TimeDelta};

use super::CLASSES;
use crate::decimal::Decimal;
use crate::diagnostics::{Diagnostics, Problem, Problems};
use crate::import::words::{Word, Words};
use crate::import::workload::{Message, Workload};
use crate::limits::{LONGEST, MAX_FILE_MESSAGES, MAX_FILE_SIZE, MAX_NODES};
use crate::source::Source;

/// The time at which HPCC's generated traffic begins.
pub(in crate::import) const BASE: TimeDelta = TimeDelta::from_secs(2);
/// The payload of a full frame in HPCC's configurations, and the headers of a frame without telemetry.
const FRAMES: (Bytes, Bytes) = (Bytes::new(1_000), Bytes::new(48));
/// Number of problems after which reading stops.
const SHOWN: usize = 5;

/// Reads a list of flows.
pub(in crate::import) fn flows(source: &Arc<Source>) -> Result<Workload, Diagnostics> {
    let mut words = Words::of(source);
    let count = words.number("the number of flows", MAX_FILE_MESSAGES as u64)?;
    let mut workload = Workload { frames: Some(FRAMES), ..Workload::default() };
    let mut problems = Problems::default();
    for index in 0..count {
        // After the end of the file, every further flow would be reported.
        let row = Row::read(&mut words, index)?;
        workload.messages.extend(problems.take(row.message()));
        if problems.count() >= SHOWN {
            break;
        }
    }
    problems.check()?;
    let rest = words.count();
    if rest > 0 {
        workload.notes.push(format!(
            "{} contains {rest} more words after the number of flows that its first line gives, {count}. Like HPCC, the import ignores them.",
            source.stem()
        ));
    }
    if workload.messages.iter().any(|message| message.priority != workload.messages[0].priority) {
        workload.notes.push(String::from(
            "Priority groups become priorities. HPCC serves groups above 0 in turn, and this scenario serves the highest first; \
             see `[scheduling.ets]`.",
        ));
    }
    from_base(&mut workload);
    workload.hosts = workload
        .messages
        .iter()
        .map(|message| message.source.max(message.destination) + 1)
        .max()
        .unwrap_or(0);
    Ok(workload)
}

/// Moves the start of the traffic to time zero.
fn from_base(workload: &mut Workload) {
    if workload.messages.is_empty() || workload.messages.iter().any(|message| message.start < BASE) {
        return;
    }
    workload.messages.iter_mut().for_each(|message| message.start = message.start.saturating_sub(BASE));
    workload
        .notes
        .push(format!("Start times are {BASE} earlier than in HPCC, whose traffic begins at that time."));
}

/// The values of a flow.
struct Row<'a> {
    source: Word<'a>,
    destination: Word<'a>,
    group: Word<'a>,
    port: Word<'a>,
    bytes: Word<'a>,
    start: Word<'a>,
}

impl<'a> Row<'a> {
    fn read(words: &mut Words<'a>, index: u64) -> Result<Self, Problem> {
        let mut next = |what: &str| {
            let lines = |problem: Problem| {
                problem.help(format!("add the missing flows, or correct their number; {index} are complete"))
            };
            words.expect(what).map_err(lines)
        };
        Ok(Self {
            source: next("the source of a flow")?,
            destination: next("the destination of a flow")?,
            group: next("the priority group of a flow")?,
            port: next("the destination port of a flow")?,
            bytes: next("the size of a flow")?,
            start: next("the start time of a flow")?,
        })
    }

    fn message(&self) -> Result<Message, Problem> {
        Ok(Message {
            source: self.source.number("the number of a node", MAX_NODES)?,
            destination: self.destination.number("the number of a node", MAX_NODES)?,
            size: Some(self.size()?),
            start: self.start()?,
            after: Vec::new(),
            gap: TimeDelta::ZERO,
            id: String::new(),
            priority: Some(self.group.number("a priority", 7)? as u8),
            class: Some(class_of_port(self.port.number("a port", 65_535)?)),
            place: self.source.place(),
        })
    }

    fn size(&self) -> Result<Bytes, Problem> {
        match self.bytes.number("a size in bytes", MAX_FILE_SIZE.get())? {
            0 => Err(self
                .bytes
                .problem("a flow has at least 1 B", "")
                .help("remove the flow, or correct its size")),
            bytes => Ok(Bytes::new(bytes)),
        }
    }

    fn start(&self) -> Result<TimeDelta, Problem> {
        let time =
            Decimal::read(self.start.text).and_then(|time| time.rounded(12)).map(TimeDelta::from_picos);
        time.filter(|time| *time <= LONGEST).ok_or_else(|| {
            let message = format!("{:?} is not a start time", self.start.text);
            self.start
                .problem(message, "")
                .help(format!("write a time in seconds, without a unit, of at most {LONGEST}"))
        })
    }
}

/// The class of a message, by the destination port that HPCC's scripts look at.
fn class_of_port(port: u64) -> Arc<str> {
    CLASSES
        .iter()
        .find(|class| class.0 == port)
        .map_or_else(|| format!("port{port}").into(), |class| class.1.into())
}
