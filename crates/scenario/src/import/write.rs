//! The text of an imported scenario, and its table of messages.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use setpoint_units::{Rate, TimeDelta};

use super::TABLE;
use super::network::{Link, Network};
use super::times::duration;
use super::workload::{Message, Workload};
use crate::flatten::quoted;
use crate::format::printed_time;

/// Maximum length of a line of a list.
const WIDTH: usize = 100;
/// The priority of messages for which a file gives none.
const PRIORITY: u8 = 3;

/// The content of a scenario.
pub(super) struct Content<'a> {
    pub(super) name: &'a str,
    /// The names of the files.
    pub(super) from: &'a [String],
    pub(super) network: &'a Network,
    pub(super) workload: Option<&'a Workload>,
    /// Nodes whose frames are captured.
    pub(super) traced: Option<Vec<String>>,
    pub(super) notes: &'a [String],
}

impl Content<'_> {
    /// The text of the scenario.
    pub(super) fn scenario(&self) -> String {
        let mut text = self.heading();
        text += &self.rules();
        text += &self.topology();
        text += &self.flows();
        if let Some(nodes) = &self.traced {
            let ports: Vec<String> = nodes.iter().map(|node| quoted(&format!("{node}->*"))).collect();
            let _ = write!(text, "\n[capture]\nports = {}\n", list(&ports));
        }
        text
    }

    fn heading(&self) -> String {
        let from = self.from.join(", ");
        let mut text = format!("# Written by `setpoint import` from {from}.\n");
        for note in self.notes {
            let _ = writeln!(text, "#\n{}", commented(note));
        }
        let _ = write!(
            text,
            "\nname = {}\ndescription = {}\nduration = {}\nmeasure_from = \"0 s\"\n",
            quoted(self.name),
            quoted(&format!("Imported from {from}.")),
            quoted(&printed_time(duration(self.network, self.workload)))
        );
        text
    }

    /// Flow control for all priorities in use, and the frames.
    fn rules(&self) -> String {
        let priorities: BTreeSet<u8> = self.messages().iter().map(Message::priority).collect();
        let priorities: Vec<String> = priorities.iter().map(u8::to_string).collect();
        let mut text = match &priorities[..] {
            [] | [_] => String::from("flow_control = \"pfc\"\n"),
            _ => format!("flow_control = {{ pfc = {{ priorities = [{}] }} }}\n", priorities.join(", ")),
        };
        let mut network = String::new();
        if let [only] = &priorities[..] {
            let _ = writeln!(network, "priority = {only}");
        }
        if let Some((payload, headers)) = self.workload.and_then(|workload| workload.frames) {
            let _ = writeln!(network, "frame = \"{payload}\"       # the payload of a frame …");
            let _ = writeln!(network, "overhead = \"{headers}\"    # … and its headers");
        }
        if !network.is_empty() {
            let _ = write!(text, "\n[network]\n{network}");
        }
        text
    }

    fn topology(&self) -> String {
        let Network { stations, bridges, links, .. } = self.network;
        let (rate, delay) = (
            most_frequent(links.iter().map(|link| link.rate)),
            most_frequent(links.iter().map(|link| link.delay)),
        );
        let stations: Vec<String> = stations.iter().map(|station| quoted(&station.name)).collect();
        let bridges: Vec<String> = bridges.iter().map(|bridge| quoted(bridge)).collect();
        let mut text = String::from("\n[topology.graph]\n");
        let _ = writeln!(text, "stations = {}\nbridges = {}", list(&stations), list(&bridges));
        if let (Some(rate), Some(delay)) = (rate, delay) {
            let _ = writeln!(text, "rate = \"{rate}\"\ndelay = {}", quoted(&printed_time(delay)));
        }
        text += "links = [\n";
        for link in links {
            let _ = writeln!(text, "    {{ {} }},", keys(link, rate, delay));
        }
        text + "]\n"
    }

    fn flows(&self) -> String {
        let messages = self.messages();
        if messages.is_empty() {
            return String::from(
                "\n# The files contain no traffic: every station sends to another one.\n[[flows]]\nfrom = \"*\"\npattern = \"permutation\"\n",
            );
        }
        let mut text = String::new();
        if messages.iter().any(|message| message.size.is_some()) {
            let _ = write!(text, "\n[[flow_files]]\npath = {}\n", quoted(TABLE));
            if self.is_job() {
                text += "name = \"job\"\n";
            }
        }
        for message in messages.iter().filter(|message| message.size.is_none()) {
            let (from, to) = self.ends(message);
            let _ = write!(text, "\n[[flows]]\nfrom = {}\nto = {}\n", quoted(from), quoted(to));
            if !message.start.is_zero() {
                let _ = writeln!(text, "start = {}", quoted(&printed_time(message.start)));
            }
        }
        text
    }

    /// The messages as a table; none if there are no messages of a given size.
    pub(super) fn table(&self) -> Option<String> {
        let messages = self.messages();
        let several = |of: fn(&Message) -> bool| messages.iter().any(of);
        let (priorities, classes) =
            (several(|message| message.priority.is_some()), several(|message| message.class.is_some()));
        let (is_job, gaps) = (self.is_job(), several(|message| !message.gap.is_zero()));
        let mut text = String::from("start_ns,source,destination,size_bytes");
        let optional = [
            (priorities, "priority"),
            (classes, "class"),
            (is_job, "id"),
            (is_job, "after"),
            (gaps, "gap_ns"),
        ];
        for (_, name) in optional.iter().filter(|(is_there, _)| *is_there) {
            let _ = write!(text, ",{name}");
        }
        text.push('\n');
        for (message, size) in messages.iter().filter_map(|message| Some((message, message.size?))) {
            let (from, to) = self.ends(message);
            let to = if message.is_computation() { "" } else { to };
            if message.after.is_empty() {
                text += &nanoseconds(message.start);
            }
            let _ = write!(text, ",{from},{to},{}", size.get());
            if priorities {
                let _ = write!(text, ",{}", message.priority());
            }
            if classes {
                let _ = write!(text, ",{}", message.class.as_deref().unwrap_or_default());
            }
            if is_job {
                let after: Vec<&str> = message.after.iter().map(|&awaited| &*messages[awaited].id).collect();
                let _ = write!(text, ",{},{}", message.id, after.join(" "));
            }
            if gaps {
                text.push(',');
                if !message.gap.is_zero() {
                    text += &nanoseconds(message.gap);
                }
            }
            text.push('\n');
        }
        several(|message| message.size.is_some()).then_some(text)
    }

    fn is_job(&self) -> bool {
        self.workload.is_some_and(|workload| workload.is_job)
    }

    fn messages(&self) -> &[Message] {
        self.workload.map_or(&[], |workload| &workload.messages)
    }

    fn ends(&self, message: &Message) -> (&str, &str) {
        let name =
            |host| self.network.position(host).map_or("", |position| &*self.network.stations[position].name);
        (name(message.source), name(message.destination))
    }
}

impl Message {
    fn priority(&self) -> u8 {
        self.priority.unwrap_or(PRIORITY)
    }
}

/// The keys of a link: what it shares with most links is left out.
fn keys(link: &Link, rate: Option<Rate>, delay: Option<TimeDelta>) -> String {
    let [one, other] = &link.between;
    let mut text = format!("between = [{}, {}]", quoted(one), quoted(other));
    if Some(link.rate) != rate {
        let _ = write!(text, ", rate = \"{}\"", link.rate);
    }
    if Some(link.delay) != delay {
        let _ = write!(text, ", delay = {}", quoted(&printed_time(link.delay)));
    }
    text
}

fn most_frequent<T: Ord + Copy>(values: impl Iterator<Item = T>) -> Option<T> {
    let mut counts: BTreeMap<T, usize> = BTreeMap::new();
    values.for_each(|value| *counts.entry(value).or_default() += 1);
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(value, _)| value)
}

/// A list, over several lines if it is long.
fn list(entries: &[String]) -> String {
    let short = format!("[{}]", entries.join(", "));
    if short.len() <= WIDTH {
        return short;
    }
    let mut lines: Vec<String> = vec![String::from("   ")];
    for entry in entries {
        if lines.last().is_some_and(|line| line.len() + entry.len() + 2 > WIDTH) {
            lines.push(String::from("   "));
        }
        if let Some(line) = lines.last_mut() {
            let _ = write!(line, " {entry},");
        }
    }
    format!("[\n{}\n]", lines.join("\n"))
}

/// A sentence as a comment.
fn commented(sentence: &str) -> String {
    let mut lines: Vec<String> = vec![String::from("#")];
    for word in sentence.split_whitespace() {
        if lines.last().is_some_and(|line| line.len() + word.len() + 1 > WIDTH) {
            lines.push(String::from("#"));
        }
        if let Some(line) = lines.last_mut() {
            let _ = write!(line, " {word}");
        }
    }
    lines.join("\n")
}

/// A time in nanoseconds, without unnecessary digits.
fn nanoseconds(time: TimeDelta) -> String {
    let (whole, rest) = (time.as_picos() / 1_000, time.as_picos() % 1_000);
    match rest {
        0 => whole.to_string(),
        _ => format!("{whole}.{rest:03}").trim_end_matches('0').to_owned(),
    }
}
