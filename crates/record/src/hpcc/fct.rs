//! fct.txt: a line for each completed message, in order of completion.

use std::collections::HashMap;
use std::fmt::Write;

use super::network::Network;
use super::standalone::Way;
use super::{BASE_NS, HpccError, nanoseconds};
use crate::results::{MessageRecord, RunRecord};

/// The first source port of each pair of hosts.
const FIRST_PORT: u64 = 10_000;
/// The destination ports that HPCC's scripts distinguish.
const BACKGROUND: u64 = 100;
const INCAST: u64 = 200;

pub(super) fn text(record: &RunRecord, network: &Network) -> Result<String, HpccError> {
    let ports = source_ports(record);
    let mut ways: HashMap<usize, Vec<Option<Way>>> = HashMap::new();
    let classes = destination_ports(record);
    let mut text = String::new();
    for (index, message) in record.messages.iter().enumerate() {
        let Some(fct_s) = message.fct_s else { continue };
        let flow = &record.summary.flows[message.flow];
        if flow.group.is_some() {
            return Err(HpccError::Group(flow.name.clone()));
        }
        let ends = network.index(&flow.source).zip(network.index(&flow.destination));
        let (source, sink) = ends.ok_or_else(|| HpccError::NoPath(flow.name.clone()))?;
        let way = ways.entry(sink).or_insert_with(|| network.ways_to(sink))[source];
        let way = way.ok_or_else(|| HpccError::NoPath(flow.name.clone()))?;
        let _ = writeln!(
            text,
            "{:08x} {:08x} {} {} {} {} {} {}",
            network.address(source),
            network.address(sink),
            ports[index],
            classes[message.flow],
            message.size_bytes,
            BASE_NS + nanoseconds(message.offered_s),
            nanoseconds(fct_s) + way.delay_ns,
            way.standalone_ns(message.size_bytes),
        );
    }
    if text.is_empty() { Err(HpccError::NoMessages(record.manifest.scenario.clone())) } else { Ok(text) }
}

/// The source port of each message: the messages between two hosts are numbered in the order in which they were offered.
fn source_ports(record: &RunRecord) -> Vec<u64> {
    let messages = &record.messages;
    let mut order: Vec<usize> = (0..messages.len()).collect();
    let time = |message: &MessageRecord| message.offered_s;
    order.sort_by(|a, b| time(&messages[*a]).total_cmp(&time(&messages[*b])));
    let mut next: HashMap<(&str, &str), u64> = HashMap::new();
    let mut ports = vec![0; messages.len()];
    for index in order {
        let flow = &record.summary.flows[messages[index].flow];
        let port = next.entry((&flow.source, &flow.destination)).or_insert(FIRST_PORT);
        // HPCC stores ports in 16 bits.
        ports[index] = *port % 65_536;
        *port += 1;
    }
    ports
}

/// The destination port of each flow, which HPCC's scripts use to tell incasts from other traffic: 200 if the name of its entry
/// contains "incast", the number in a name such as `port300`, and otherwise 100.
fn destination_ports(record: &RunRecord) -> Vec<u64> {
    let mut ports = vec![BACKGROUND; record.summary.flows.len()];
    let mut first = 0;
    for entry in &record.summary.entries {
        let own = entry.name.strip_prefix("port").and_then(|number| number.parse::<u16>().ok());
        let port = match own {
            Some(port) => port.into(),
            None if entry.name.contains("incast") => INCAST,
            None => BACKGROUND,
        };
        ports.iter_mut().skip(first).take(entry.flows).for_each(|of_flow| *of_flow = port);
        first += entry.flows;
    }
    ports
}
