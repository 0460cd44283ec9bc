//! Connection matrices (`.cm`): a header with `Nodes`, `Connections`, `Triggers` and `Failures`, and a line for each of these.

use std::collections::HashMap;
use std::sync::Arc;

use setpoint_units::{Bytes, TimeDelta};

use super::triggers::{Links, Trigger, TriggerKind};
use crate::decimal::Decimal;
use crate::diagnostics::{Diagnostics, Place, Problem};
use crate::import::network::Failure;
use crate::import::words::{Word, Words};
use crate::import::workload::{Message, Workload};
use crate::limits::{LONGEST, MAX_FILE_MESSAGES, MAX_FILE_SIZE, MAX_NODES};
use crate::source::Source;

/// Reads a connection matrix.
pub(in crate::import) fn connections(source: &Arc<Source>) -> Result<Workload, Diagnostics> {
    let mut reader = Reader::default();
    for words in Words::lines(source) {
        let line = words.place();
        reader.line(words, &line)?;
    }
    Ok(reader.finish(source)?)
}

/// A number of the header and its place.
type Count = Option<(u64, Place)>;

#[derive(Default)]
struct Reader {
    nodes: Count,
    connections: Count,
    triggers: Count,
    failures: Count,
    links: Links,
    /// The connections by id.
    ids: HashMap<u64, Place>,
    workload: Workload,
}

impl Reader {
    fn line(&mut self, mut words: Words<'_>, line: &Place) -> Result<(), Problem> {
        let Some(first) = words.next().filter(|word| !word.text.starts_with('#')) else { return Ok(()) };
        match first.text {
            "Nodes" => header(&mut self.nodes, &first, words, MAX_NODES),
            "Connections" => header(&mut self.connections, &first, words, MAX_FILE_MESSAGES as u64),
            "Triggers" => header(&mut self.triggers, &first, words, MAX_FILE_MESSAGES as u64),
            "Failures" => header(&mut self.failures, &first, words, MAX_FILE_MESSAGES as u64),
            "trigger" => self.trigger(words, line),
            "failure" => self.failure(words, line),
            text => match text.find("->") {
                Some(arrow) => self.connection(&first, arrow, words, line),
                None => Err(first
                    .problem(format!("no line of a connection matrix begins with {text:?}"), "unknown")
                    .help(
                        "a line is a connection such as `0->15 start 0 size 2000000`, a trigger or a failure",
                    )),
            },
        }
    }

    fn connection(
        &mut self,
        ends: &Word<'_>,
        arrow: usize,
        mut words: Words<'_>,
        line: &Place,
    ) -> Result<(), Problem> {
        let host = |word: Word<'_>| word.number("the number of a host", MAX_NODES);
        let (source, destination) =
            (host(ends.part(0, arrow))?, host(ends.part(arrow + 2, ends.text.len()))?);
        let index = self.workload.messages.len();
        if index >= MAX_FILE_MESSAGES {
            let message = format!("at most {MAX_FILE_MESSAGES} connections are supported");
            return Err(Problem::at(line, message, "one too many").help("split the file"));
        }
        let (mut start, mut size, mut id) = (None, None, None);
        let mut triggered: Option<Place> = None;
        let mut given: Vec<&str> = Vec::new();
        while let Some(key) = words.next() {
            if given.contains(&key.text) {
                return Err(key
                    .problem(format!("this connection has two attributes `{}`", key.text), "the second")
                    .help("keep one of them"));
            }
            given.push(key.text);
            match key.text {
                "start" => start = Some(time(&words.expect("a start time")?)?),
                "size" => size = Some(words.number("a size in bytes", MAX_FILE_SIZE.get())?),
                "id" => id = Some(identifier(&mut words, "a flow")?),
                "msg" => {
                    // The number of the message is optional.
                    let mut ahead = words.clone();
                    if ahead.next().is_some_and(|word| word.text.parse::<u32>().is_ok()) {
                        words = ahead;
                    }
                }
                "trigger" => {
                    self.links.starts(identifier(&mut words, "a trigger")?, index, &key.place());
                    triggered = Some(key.place());
                }
                "send_done_trigger" => {
                    self.links.fires_when_sent(identifier(&mut words, "a trigger")?, index, &key.place());
                }
                "recv_done_trigger" => {
                    self.links.fires_when_received(identifier(&mut words, "a trigger")?, index, &key.place());
                }
                "prio" => {
                    return Err(key.problem("`prio` orders the requests of an NDP receiver, which has no counterpart", "")
                        .help("remove `prio` and its value; `priority` in the imported table is the priority of frames"));
                }
                "addon" => {
                    return Err(key
                        .problem(
                            "`addon` extends a flow when its trigger fires, which has no counterpart",
                            "",
                        )
                        .help("write a connection for each part of the flow"));
                }
                text => {
                    return Err(key.problem(format!("a connection has no attribute {text:?}"), "unknown").help(
                        "the attributes are id, start, size, msg, trigger, send_done_trigger and recv_done_trigger",
                    ));
                }
            }
        }
        match (&triggered, start, id) {
            (None, None, _) => {
                return Err(Problem::at(line, "this connection has neither `start` nor `trigger`", "")
                    .help("add a start time in picoseconds, as in `start 0`"));
            }
            (Some(place), Some(_), _) => {
                return Err(Problem::at(place, "this connection has both `start` and `trigger`", "")
                    .help("keep one of them"));
            }
            (Some(place), None, None) => {
                return Err(Problem::at(place, "this connection has a trigger, but no `id`", "")
                    .help("add a number above 0, as in `id 1`"));
            }
            _ => {}
        }
        let Some(size) = size else {
            return Err(Problem::at(line, "this connection has no `size`", "")
                .help("add a size in bytes; 0 means a flow without end"));
        };
        if let Some(first) = id.and_then(|id| self.ids.insert(id, line.clone())) {
            return Err(Problem::at(line, "two connections have the same id", "the second")
                .context(&first, "the first")
                .help("give them different ids"));
        }
        self.workload.messages.push(Message {
            source,
            destination,
            size: (size > 0).then(|| Bytes::new(size)),
            start: start.unwrap_or_default(),
            after: Vec::new(),
            gap: TimeDelta::ZERO,
            // Ids of the file are numbers.
            id: id.map_or_else(|| format!("c{}", index + 1), |id| id.to_string()),
            priority: None,
            class: None,
            place: line.clone(),
        });
        Ok(())
    }

    fn trigger(&mut self, mut words: Words<'_>, line: &Place) -> Result<(), Problem> {
        let (mut id, mut kind, mut count) = (None, None, None);
        while let Some(key) = words.next() {
            match key.text {
                "id" => id = Some(identifier(&mut words, "a trigger")?),
                "count" => count = Some(words.number("the count of a barrier", MAX_FILE_MESSAGES as u64)?),
                "oneshot" => kind = Some(TriggerKind::OneShot),
                "multishot" => kind = Some(TriggerKind::MultiShot),
                "barrier" => kind = Some(TriggerKind::Barrier),
                text => {
                    return Err(key
                        .problem(format!("a trigger has no attribute {text:?}"), "unknown")
                        .help("the attributes are id, oneshot, multishot, barrier and count"));
                }
            }
        }
        let (Some(id), Some(kind)) = (id, kind) else {
            let missing = if id.is_none() { "`id`" } else { "kind" };
            return Err(Problem::at(line, format!("this trigger has no {missing}"), "")
                .help("write it as in `trigger id 1 oneshot` or `trigger id 2 barrier count 4`"));
        };
        if kind == TriggerKind::Barrier && count.is_none_or(|count| count == 0) {
            return Err(Problem::at(line, "this barrier has no `count`", "")
                .help("add the number of flows that it waits for, as in `count 4`"));
        }
        self.links.declare(id, Trigger { kind, count: count.unwrap_or(1), place: line.clone() })
    }

    fn failure(&mut self, mut words: Words<'_>, line: &Place) -> Result<(), Problem> {
        let (mut switch, mut link, mut tier) = (None, None, None);
        while let Some(key) = words.next() {
            match key.text {
                "switch_type" => tier = Some(words.expect("TOR, AGG or CORE")?),
                "switch_id" => switch = Some(words.number("the number of a switch", MAX_NODES)?),
                "link_id" => link = Some(words.number("the number of a link", MAX_NODES)?),
                text => {
                    return Err(key
                        .problem(format!("a failure has no attribute {text:?}"), "unknown")
                        .help("the attributes are switch_type, switch_id and link_id"));
                }
            }
        }
        let (Some(switch), Some(link), Some(tier)) = (switch, link, tier) else {
            return Err(Problem::at(line, "this failure is incomplete", "")
                .help("write it as in `failure switch_type AGG switch_id 0 link_id 1`"));
        };
        if tier.text != "AGG" {
            let message = format!(
                "a link of {} switches fails, but htsim supports failures of AGG switches only",
                tier.text
            );
            return Err(tier.problem(message, "").help("name the AGG switch and its uplink"));
        }
        self.workload.failures.push(Failure { switch, link, place: line.clone() });
        Ok(())
    }

    fn finish(mut self, source: &Arc<Source>) -> Result<Workload, Problem> {
        let counts = [
            (&self.connections, self.workload.messages.len(), "connections"),
            (&self.triggers, self.links.declared(), "triggers"),
            (&self.failures, self.workload.failures.len(), "failures"),
        ];
        for (declared, actual, what) in counts {
            check_count(declared.as_ref(), actual, what, source)?;
        }
        let Some((nodes, place)) = self.nodes else {
            return Err(Problem::at(&Place::whole(source), "the header has no `Nodes`", "")
                .help("add the number of hosts, as in `Nodes 16`"));
        };
        self.workload.hosts = nodes;
        self.workload.declared = Some(place);
        if self.workload.messages.is_empty() {
            return Err(Problem::at(&Place::whole(source), "this file has no connections", "")
                .help("add a line such as `0->1 start 0 size 2000000`"));
        }
        if !self.workload.failures.is_empty() {
            self.workload.notes.push(String::from(
                "Links that fail are left out of the network: in htsim, they are down from the start.",
            ));
        }
        self.links.resolve(&mut self.workload.messages)?;
        self.workload.is_job = self.links.start_any();
        if self.links.wait_for_senders() {
            self.workload.notes.push(String::from(
                "A connection with `send_done_trigger` starts a connection of its source when its last byte has left the source, and \
                 a connection of its destination when its last byte has arrived. In htsim, both begin when the source has \
                 received the last acknowledgement.",
            ));
        }
        Ok(self.workload)
    }
}

fn header(count: &mut Count, key: &Word<'_>, mut words: Words<'_>, most: u64) -> Result<(), Problem> {
    let number = words.number(&format!("the number of {}", key.text.to_ascii_lowercase()), most)?;
    if let Some((_, first)) = count {
        return Err(key
            .problem(format!("{} is given twice", key.text), "the second")
            .context(first, "the first")
            .help("remove one of them"));
    }
    *count = Some((number, key.place()));
    Ok(())
}

fn check_count(
    declared: Option<&(u64, Place)>,
    actual: usize,
    what: &str,
    source: &Arc<Source>,
) -> Result<(), Problem> {
    let (number, place) = match declared {
        Some((number, place)) => (*number, place.clone()),
        None => (0, Place::whole(source)),
    };
    if number == actual as u64 {
        return Ok(());
    }
    let message = format!("the header gives {number} {what}, but the file has {actual}");
    Err(Problem::at(&place, message, "does not fit")
        .help(format!("correct the number, or add the missing {what}")))
}

fn identifier(words: &mut Words<'_>, what: &str) -> Result<u64, Problem> {
    let word = words.expect(&format!("the number of {what}"))?;
    match word.number(&format!("the number of {what}"), u64::from(u32::MAX))? {
        0 => Err(word.problem(format!("0 is not the number of {what}"), "").help("number them from 1")),
        number => Ok(number),
    }
}

/// A time in picoseconds, perhaps with a fraction.
fn time(word: &Word<'_>) -> Result<TimeDelta, Problem> {
    let time = Decimal::read(word.text).and_then(|time| time.rounded(0)).map(TimeDelta::from_picos);
    time.filter(|time| *time <= LONGEST).ok_or_else(|| {
        let message = format!("{:?} is not a start time", word.text);
        word.problem(message, "").help(format!("write a number of picoseconds, at most {LONGEST}"))
    })
}
