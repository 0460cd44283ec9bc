//! Checks for buffers that limit nothing, are smaller than the sum of the inputs' reservations, or are sized for ideal
//! delays.

use std::collections::BTreeMap;

use setpoint_sim::{LinkBudget, NodeId, PauseResponse, shared_budgets};
use setpoint_units::{Bytes, TimeDelta};

use super::names::at_most;
use super::{Subject, Warning};
use crate::check::{
    BUFFER_WITHOUT_EFFECT, HEADROOM_POOL_OVERSUBSCRIBED, IDEAL_HEADROOM, RESERVED_ABOVE_BUFFER,
};
use crate::diagnostics::Problem;
use crate::format::Thresholds;

pub(super) fn warnings(subject: &Subject<'_>) -> Vec<Warning> {
    let keys = subject.root.flow_control.thresholds();
    let found = [
        without_effect(subject),
        keys.and_then(|keys| reserved(subject, keys)),
        keys.and_then(|keys| ideal(subject, keys)),
        oversubscribed(subject),
    ];
    found.into_iter().flatten().collect()
}

/// Warns if the inputs of a bridge can need more headroom than its pool has.
fn oversubscribed(subject: &Subject<'_>) -> Option<Warning> {
    let keys = subject.root.shared_buffer()?;
    let budgets = shared_budgets(subject.spec).ok()?;
    let worst = budgets.iter().rev().max_by_key(|budget| budget.oversubscribed())?;
    let at_once = worst.exhausted_by?;
    let users = match worst.counters {
        1 => "its input".to_owned(),
        several => format!("its {several} inputs and priorities together"),
    };
    let message = format!(
        "the headroom pool of `{}` ({}) is too small for the worst case by {}: {users} need up to {}",
        subject.spec.topology.node_at(worst.bridge).name,
        worst.headroom_pool,
        at_most(worst.oversubscribed()),
        at_most(worst.headroom_needed),
    );
    let condition = match at_once {
        1 => "a single input can exhaust it".to_owned(),
        several => format!("{several} of them can exhaust it if they are paused at the same time"),
    };
    let problem = Problem::at(keys.headroom_pool.place(), message, condition).help(format!(
        "write `headroom_pool = \"auto\"`, or at least {}; shorter cables and frames need less",
        at_most(worst.headroom_needed)
    ));
    Some(Warning::new(HEADROOM_POOL_OVERSUBSCRIBED, problem))
}

fn without_effect(subject: &Subject<'_>) -> Option<Warning> {
    let buffer = &subject.root.network.buffer;
    if !buffer.is_given() || subject.spec.buffer_limits_flows() {
        return None;
    }
    if let Some(shared) = subject.root.shared_buffer() {
        let message =
            format!("`network.buffer` ({}) limits no flow: all ports of a bridge share one buffer", **buffer);
        let problem = Problem::at(buffer.place(), message, "has no effect")
            .context(shared.place(), "limits the queues")
            .help("remove it, and set `bridge.shared_buffer.size`");
        return Some(Warning::new(BUFFER_WITHOUT_EFFECT, problem));
    }
    let message = format!("`network.buffer` ({}) limits no flow: all flows are under flow control", **buffer);
    let flow_control = subject.root.flow_control.chosen();
    let problem = Problem::at(buffer.place(), message, "has no effect")
        .context(flow_control.place(), "thresholds and headroom of inputs limit the queues")
        .help(format!(
            "remove it; to check the memory of a bridge, write `buffer` under `flow_control.{}`",
            flow_control.field().name
        ));
    Some(Warning::new(BUFFER_WITHOUT_EFFECT, problem))
}

fn reserved(subject: &Subject<'_>, keys: &Thresholds) -> Option<Warning> {
    let memory = (*keys.buffer)?;
    let mut bridges: BTreeMap<NodeId, Vec<&LinkBudget>> = BTreeMap::new();
    for link in &subject.links {
        bridges.entry(subject.spec.topology.target(link.port)).or_default().push(link);
    }
    let (bridge, links) = bridges.iter().rev().max_by_key(|(_, links)| sum(links))?;
    let sum = sum(links);
    if sum <= memory {
        return None;
    }
    let message = format!(
        "the inputs of `{}` reserve {}, more than the {memory} of the bridge: {}",
        subject.spec.topology.node_at(*bridge).name,
        at_most(sum),
        parts(links)
    );
    let above = bridges.values().filter(|links| self::sum(links) > memory).count();
    let problem = Problem::at(keys.buffer.place(), message, "frames could be lost when all inputs fill up")
        .help(format!(
            "lower `xoff`, protect fewer priorities, use shorter cables or frames, or write `buffer = \"{}\"`",
            at_most(sum)
        ));
    let problem = match above {
        1 => problem,
        _ => problem.help(format!("the same applies to {} other bridges", above - 1)),
    };
    Some(Warning::new(RESERVED_ABOVE_BUFFER, problem))
}

fn sum(links: &[&LinkBudget]) -> Bytes {
    Bytes::new(links.iter().fold(0u64, |sum, link| sum.saturating_add(link.buffer().get())))
}

/// The terms of the sum, with equal links combined; the largest terms first.
fn parts(links: &[&LinkBudget]) -> String {
    let mut groups: BTreeMap<(Bytes, Bytes, u32), u64> = BTreeMap::new();
    for link in links {
        *groups.entry((link.threshold, link.given, link.counters)).or_default() += 1;
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|((threshold, given, counters), count)| {
        std::cmp::Reverse(
            u128::from(threshold.get() + given.get()) * u128::from(*counters) * u128::from(*count),
        )
    });
    let part = |((threshold, given, counters), count): &((Bytes, Bytes, u32), u64)| {
        let links = if *count == 1 { "1 link".to_owned() } else { format!("{count} links") };
        let priorities = if *counters == 1 { String::new() } else { format!(" × {counters} priorities") };
        format!("{links}{priorities} × ({threshold} `xoff` + {} headroom)", at_most(*given))
    };
    let shown: Vec<String> = groups.iter().take(3).map(part).collect();
    let more = if groups.len() > 3 { " + …" } else { "" };
    format!("{}{more}", shown.join(" + "))
}

/// Warns if a buffer is sized by hand for delays and frames that no real network has.
fn ideal(subject: &Subject<'_>, keys: &Thresholds) -> Option<Warning> {
    let place = match (keys.buffer.is_some(), keys.headroom.quantity) {
        (true, _) => keys.buffer.place(),
        (false, Some(_)) => keys.headroom.place(),
        (false, None) => return None,
    };
    let (spec, network) = (subject.spec, &subject.root.network);
    let at_once = spec.flow_control.params()?.response == PauseResponse::IMMEDIATE;
    let no_interface = network.interface_delay.quantity == Some(TimeDelta::ZERO);
    let default_frame =
        !network.frame.is_given() && spec.flows.iter().any(|flow| flow.frame == *network.frame);
    let missing = [
        (at_once, "senders obey a pause at once".to_owned(), "response_time = \"802.3\""),
        (no_interface, "MAC and PHY have no delay".to_owned(), "network.interface_delay = \"802.3\""),
        (
            network.overhead.is_zero(),
            "frames have no preamble and gap".to_owned(),
            "network.overhead = \"20 B\"",
        ),
        (
            default_frame,
            format!("frames are {} long, the default", *network.frame),
            "network.frame = \"1522 B\"",
        ),
    ];
    let missing: Vec<_> = missing.into_iter().filter(|(applies, ..)| *applies).collect();
    if missing.is_empty() {
        return None;
    }
    let causes: Vec<&str> = missing.iter().map(|(_, cause, _)| cause.as_str()).collect();
    let keys: Vec<String> = missing.iter().map(|(_, _, key)| format!("`{key}`")).collect();
    let message = format!("the headroom is that of an ideal network: {}", causes.join(", "));
    let problem = Problem::at(place, message, "a real bridge needs more")
        .help(format!("write {}, or the figures of your equipment", keys.join(", ")));
    Some(Warning::new(IDEAL_HEADROOM, problem))
}
