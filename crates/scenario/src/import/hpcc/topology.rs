//! topology.txt: `nodes switches links`, the switches, and the links, each as `node node rate delay error_rate`.

use std::collections::HashSet;
use std::sync::Arc;

use setpoint_units::{Rate, TimeDelta};

use crate::decimal::Decimal;
use crate::diagnostics::{Diagnostics, Problem, Problems};
use crate::import::network::Network;
use crate::import::words::{Word, Words};
use crate::limits::{MAX_LINKS, MAX_NODES};
use crate::source::Source;

/// Reads a topology.
pub(in crate::import) fn topology(source: &Arc<Source>) -> Result<Network, Diagnostics> {
    let mut words = Words::of(source);
    let first = words.expect("the number of nodes")?;
    let nodes = first.number("the number of nodes", MAX_NODES)?;
    let switch_count = words.number("the number of switches", nodes)?;
    let links = words.number("the number of links", MAX_LINKS)?;
    let mut reader = Reader {
        nodes,
        is_switch: vec![false; nodes as usize],
        pairs: HashSet::new(),
        degrees: vec![0; nodes as usize],
        network: Network::default(),
    };
    for _ in 0..switch_count {
        reader.switch(&mut words)?;
    }
    for number in 0..nodes {
        match reader.is_switch[number as usize] {
            true => reader.network.bridge(name(number, true)),
            false => reader.network.station(number),
        };
    }
    let mut problems = Problems::default();
    for index in 0..links {
        if problems.count() >= SHOWN {
            break;
        }
        // After the end of the file, every further link would be reported.
        let row = Row::read(&mut words, index)?;
        problems.take(reader.link(&row));
    }
    problems.check()?;
    reader.check_hosts(&first)?;
    Ok(reader.network)
}

/// Number of problems after which reading stops.
const SHOWN: usize = 5;

/// The name of a node, which contains its number.
pub(super) fn name(number: u64, is_switch: bool) -> String {
    format!("{}{number}", if is_switch { 's' } else { 'h' })
}

struct Reader {
    nodes: u64,
    is_switch: Vec<bool>,
    /// Pairs of nodes with a link.
    pairs: HashSet<[u64; 2]>,
    /// The number of links of each node.
    degrees: Vec<u32>,
    network: Network,
}

/// The values of a link.
struct Row<'a> {
    ends: [Word<'a>; 2],
    rate: Word<'a>,
    delay: Word<'a>,
    errors: Word<'a>,
}

impl<'a> Row<'a> {
    fn read(words: &mut Words<'a>, index: u64) -> Result<Self, Problem> {
        let mut next = |what: &str| {
            let lines = |problem: Problem| {
                problem.help(format!("add the missing links, or correct their number; {index} are complete"))
            };
            words.expect(what).map_err(lines)
        };
        let ends = [next("a node of a link")?, next("the other node of a link")?];
        Ok(Self {
            ends,
            rate: next("the rate of a link")?,
            delay: next("the delay of a link")?,
            errors: next("the error rate of a link")?,
        })
    }
}

impl Reader {
    fn switch(&mut self, words: &mut Words<'_>) -> Result<(), Problem> {
        let word = words.expect("the number of a switch")?;
        let number = self.node(&word)?;
        if std::mem::replace(&mut self.is_switch[number as usize], true) {
            return Err(word
                .problem(format!("switch {number} is listed twice"), "for the second time")
                .help("remove it, or correct the number of switches"));
        }
        Ok(())
    }

    fn node(&self, word: &Word<'_>) -> Result<u64, Problem> {
        word.number("the number of a node", self.nodes.saturating_sub(1))
    }

    fn link(&mut self, row: &Row<'_>) -> Result<(), Problem> {
        let ends = [self.node(&row.ends[0])?, self.node(&row.ends[1])?];
        let (rate, delay) = (rate(&row.rate)?, delay(&row.delay)?);
        check_errors(&row.errors)?;
        if ends[0] == ends[1] {
            let message = format!("a link connects node {} to itself", ends[0]);
            return Err(row.ends[1].problem(message, "").help("give the number of another node"));
        }
        if !self.pairs.insert([ends[0].min(ends[1]), ends[0].max(ends[1])]) {
            let message = format!("a second link connects nodes {} and {}", ends[0], ends[1]);
            return Err(row.ends[0]
                .problem(message, "the second")
                .help("remove one of them: HPCC uses only the last link between two nodes"));
        }
        for (number, word) in ends.iter().zip(&row.ends) {
            self.count(*number, word)?;
        }
        let [one, other] = ends.map(|number| name(number, self.is_switch[number as usize]));
        self.network.connect(&one, &other, rate, delay);
        Ok(())
    }

    /// Refuses a host without a link.
    fn check_hosts(&self, count: &Word<'_>) -> Result<(), Problem> {
        let is_alone = |number: &usize| self.degrees[*number] == 0 && !self.is_switch[*number];
        match (0..self.degrees.len()).find(is_alone) {
            None => Ok(()),
            Some(number) => {
                let message = format!("host {number} has no link");
                Err(count
                    .problem(message, "the number of nodes")
                    .help("add its link, or correct the number of nodes"))
            }
        }
    }

    /// A station has one port.
    fn count(&mut self, number: u64, word: &Word<'_>) -> Result<(), Problem> {
        let degree = &mut self.degrees[number as usize];
        *degree += 1;
        if *degree > 1 && !self.is_switch[number as usize] {
            let message = format!("host {number} has a second link, but a station has exactly one");
            return Err(word
                .problem(message, "the second link")
                .help("connect the host to one switch only, or add it to the list of switches"));
        }
        Ok(())
    }
}

/// A rate as ns-3 writes it, such as `100Gbps`, `40Gb/s` or `5GB/s`.
fn rate(word: &Word<'_>) -> Result<Rate, Problem> {
    let wrong = || {
        let message = format!("{:?} is not a rate", word.text);
        word.problem(message, "").help("write a rate as in 100Gbps, at least 1000bps")
    };
    let (number, unit) = split(word.text);
    let (prefix, per_byte) = ["bps", "b/s"]
        .iter()
        .find_map(|ending| unit.strip_suffix(ending).map(|prefix| (prefix, 1)))
        .or_else(|| {
            ["Bps", "B/s"].iter().find_map(|ending| unit.strip_suffix(ending).map(|prefix| (prefix, 8)))
        })
        .ok_or_else(wrong)?;
    let power = match prefix {
        "" => 0,
        "k" | "K" => 3,
        "M" => 6,
        "G" => 9,
        _ => return Err(wrong()),
    };
    let bits = Decimal::read(number)
        .and_then(|number| number.whole(power))
        .and_then(|rate| rate.checked_mul(per_byte));
    // The same limits as in a scenario.
    bits.filter(|bits| (1_000..=1_000_000_000_000_000).contains(bits)).and_then(Rate::new).ok_or_else(wrong)
}

/// A time as ns-3 writes it, such as `1000ns` or `0.001ms`.
fn delay(word: &Word<'_>) -> Result<TimeDelta, Problem> {
    let (number, unit) = split(word.text);
    let power = match unit {
        "" | "s" => Some(12),
        "ms" => Some(9),
        "us" => Some(6),
        "ns" => Some(3),
        "ps" => Some(0),
        _ => None,
    };
    let time = power.and_then(|power| Decimal::read(number)?.whole(power)).map(TimeDelta::from_picos);
    time.filter(|time| *time <= TimeDelta::from_secs(1_000)).ok_or_else(|| {
        let message = format!("{:?} is not a delay of a whole number of picoseconds", word.text);
        word.problem(message, "").help("write a time as in 1000ns, at most 1000s")
    })
}

/// The number and the unit of a quantity.
fn split(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len()))
}

fn check_errors(word: &Word<'_>) -> Result<(), Problem> {
    match Decimal::read(word.text) {
        Some(rate) if rate.is_zero() => Ok(()),
        Some(_) => Err(word
            .problem(format!("the link loses frames at a rate of {}", word.text), "has no counterpart")
            .help("write 0: links of Setpoint lose no frames unless they fail, see `[[at]]`")),
        None => Err(word.problem(format!("{:?} is not an error rate", word.text), "").help("write 0")),
    }
}
