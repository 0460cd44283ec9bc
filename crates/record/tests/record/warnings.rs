//! Runs of scenarios about which plausibility checks warn.

use setpoint_record::results::{Build, FlowControlSummary};
use setpoint_record::run::run;
use setpoint_scenario::{Scenario, Source};
use setpoint_sim::Unwatched;

fn load(text: &str) -> Scenario {
    Scenario::load(&Source::new("test.toml", text), &[]).unwrap_or_else(|problems| panic!("{problems}"))
}

#[test]
fn small_headroom_is_named_after_a_loss() {
    let scenario = load(
        "duration = \"1 ms\"\n[topology.star]\nstations = 4\nrate = \"10 Gb/s\"\n\
         [flow_control.pfc]\nheadroom = \"1 kB\"\n[[flows]]\nfrom = \"h{1..3}\"\nto = \"h4\"\n",
    );
    let prepared = scenario.prepare(1).unwrap();
    let error = run(&prepared, Build::default(), &mut Unwatched).unwrap_err().to_string();
    assert!(error.contains("`headroom` is 1 kB, but \"auto\" would give this link "), "{error}");
}

/// A bridge with 100 Gb/s ports and cables of 100 m, with the largest delays of IEEE 802.3.
const SIZED: &str = include_str!("../../../scenario/tests/cases/sized-buffer.toml");

/// Computed by hand: 1 522 of 1 542 B on the link are data. In 500 ns, 6 250 B are sent; IEEE 802.3 allows an interface 394
/// quanta of 64 B. The sender's response is within the delay of its interface.
#[test]
fn the_headroom_of_a_link_is_itemised() {
    let prepared = load(SIZED).prepare(1).unwrap();
    let planned = FlowControlSummary::planned(&prepared.spec).unwrap();
    let parts = planned.links[0].headroom_parts;
    assert_eq!((parts.crossing_bytes, parts.begun_bytes), (1_522, 1_522));
    assert_eq!((parts.waiting_bytes, parts.pause_frame_bytes), (83, 83));
    assert_eq!((parts.propagation_bytes, parts.interface_bytes, parts.response_bytes), (12_338, 49_778, 0));
    let needed = 1_522 * 2 + 83 * 2 + 12_338 + 49_778;
    assert_eq!(planned.links[0].headroom_needed_bytes, needed);
    // h1 sends two priorities.
    let sum = 4 * (110_000 + needed);
    assert_eq!((planned.bridges[0].links, planned.bridges[0].buffer_bytes), (3, sum));
    assert_eq!(planned.left_out_text(), None);
    let without = SIZED.replace(", response_time = \"802.3\"", "");
    let planned = FlowControlSummary::planned(&load(&without).prepare(1).unwrap().spec).unwrap();
    let left_out = "the response time of senders (flow_control.pfc.response_time)";
    assert_eq!(planned.left_out_text().as_deref(), Some(left_out));
}

/// The reverse link of h1 carries frames that take longer than the longest pause.
#[test]
fn pauses_that_lapse_lose_nothing() {
    let prepared = load(include_str!("../../../scenario/tests/cases/auto-headroom.toml")).prepare(1).unwrap();
    let record = run(&prepared, Build::default(), &mut Unwatched).unwrap();
    let most = record.summary.flow_control.as_ref().unwrap().most_used().unwrap();
    assert!(most.lapses_bytes > 0 && most.used_share() > 0.5 && most.used_share() <= 1.0, "{most:?}");
}

#[test]
fn the_cycle_of_a_deadlock_is_named() {
    let scenario = Scenario::load(&Source::builtin("pfc-deadlock").unwrap(), &[]).unwrap();
    let record = run(&scenario.prepare(1).unwrap(), Build::default(), &mut Unwatched).unwrap();
    let deadlock = record.summary.deadlock.unwrap();
    let message = scenario.prepare(1).unwrap().warnings()[0].message().to_owned();
    assert!(message.contains(&deadlock.cycle.join(" waits for ").replace("->", "→")), "{message}");
}
