//! Counters of points in results.

use setpoint_record::results::{CounterSummary, FlowSummary, RunRecord, digest};
use setpoint_record::run::run;
use setpoint_record::table::of_run;
use setpoint_scenario::{Scenario, Source};
use setpoint_sim::Unwatched;

/// For 3 ms, four flows offer more traffic than a link can carry.
fn ran(control: &str) -> RunRecord {
    let text = format!(
        "duration = \"3 ms\"\ncontrol = \"{control}\"\n[network]\nbuffer = \"1 MB\"\n[topology.star]\nstations = 5\n\
         rate = \"10 Gb/s\"\n[[flows]]\nfrom = \"h{{1..4}}\"\nto = \"h5\"\n"
    );
    let scenario = Scenario::load(&Source::new("test.toml", text), &[]);
    let prepared =
        scenario.and_then(|scenario| scenario.prepare(1)).unwrap_or_else(|wrong| panic!("{wrong}"));
    run(&prepared, Default::default(), &mut Unwatched).unwrap()
}

fn count(flow: &FlowSummary, role: &str, counter: &str) -> u64 {
    let found = flow.counters.iter().find(|one| (one.role.key(), &*one.counter) == (role, counter));
    found.map_or(0, |one| one.count)
}

#[test]
fn both_roles_of_dcqcn_are_counted() {
    let record = ran("dcqcn");
    let flows = &record.summary.flows;
    for flow in flows {
        assert_eq!(count(flow, "rp", "decreases"), flow.decreases);
        assert!(flow.decreases > 0 && count(flow, "np", "reports") >= flow.notifications, "{}", flow.name);
        assert!(count(flow, "np", "marked_frames") >= count(flow, "np", "reports"), "{}", flow.name);
    }
    let arrived: u64 = flows.iter().map(|flow| count(flow, "np", "marked_frames")).sum();
    let marked: u64 = record.summary.queues.iter().filter_map(|queue| queue.marked_frames).sum();
    assert!(arrived <= marked && arrived + 100 > marked, "{arrived} of {marked} marked frames arrived");
    let total = FlowSummary::counter_totals(flows);
    assert!(total.iter().any(|one| one.counter == "marked_frames" && one.count == arrived), "{total:?}");
}

#[test]
fn algorithms_without_receivers_count_at_sources_only() {
    let record = ran("qcn");
    let all = || record.summary.flows.iter().flat_map(|flow| &flow.counters);
    assert!(all().next().is_some() && all().all(|one| one.role.key() == "rp" && one.count > 0));
    assert!(ran("none").summary.flows.iter().all(|flow| flow.counters.is_empty()));
}

#[test]
fn the_digest_does_not_cover_counters() {
    let mut record = ran("dcqcn");
    record.summary.flows.iter_mut().for_each(|flow| flow.counters.clear());
    assert_eq!(digest(&record.summary, &record.series, &record.messages), record.manifest.digest);
    record.summary.flows[0].decreases += 1;
    assert_ne!(digest(&record.summary, &record.series, &record.messages), record.manifest.digest);
}

#[test]
fn counters_are_a_table() {
    let record = ran("dcqcn");
    let table = of_run(&record).into_iter().find(|table| table.name == "flows.counters").unwrap();
    let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["flows.name", "role", "counter", "count"]);
    let counters = |flow: &FlowSummary| flow.counters.len();
    assert_eq!(table.rows(), record.summary.flows.iter().map(counters).sum::<usize>());
    let text = serde_json::to_string(&record.summary.flows[0]).unwrap();
    let read: FlowSummary = serde_json::from_str(&text).unwrap();
    assert_eq!(read, record.summary.flows[0]);
    let first: &CounterSummary = &read.counters[0];
    assert_eq!((first.title(), first.role.title()), ("decreases".to_owned(), "reaction point"));
}
