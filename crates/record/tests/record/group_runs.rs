//! Flows to groups, from scenario to figures: invalid scenarios, and properties common to both kinds of delivery.

use std::fmt::Write;

use proptest::prelude::*;
use setpoint_record::metrics::{Measured, measure};
use setpoint_record::results::{FlowSummary, Summary};
use setpoint_scenario::{Override, Prepared, Scenario, Source};
use setpoint_sim::{Unwatched, simulate};

use crate::group_metrics::context;

fn load(text: &str, settings: &[&str]) -> Result<Prepared, String> {
    let settings: Vec<Override> = settings.iter().map(|setting| setting.parse().unwrap()).collect();
    let scenario =
        Scenario::load(&Source::new("groups.toml", text), &settings).map_err(|error| error.to_string())?;
    scenario.prepare(1).map_err(|error| error.to_string())
}

fn run(text: &str, settings: &[&str]) -> Measured {
    let prepared = load(text, settings).unwrap();
    let outcome = simulate(&prepared.spec, &mut Unwatched).unwrap();
    measure(&context(&prepared), outcome)
}

fn with_either_delivery(text: &str) -> [(&'static str, Measured); 2] {
    let run = |delivery| (delivery, run(text, &[&format!("network.delivery={delivery}")]));
    ["multicast", "multiple-unicast"].map(run)
}

const LEAVES: &str = r#"
    duration = "10 ms"
    measure_from = "2500 us"
    sample_interval = "1 ms"
    topology.star = { stations = 3, rate = "1 Gb/s" }
    groups = [{ members = "h2" }]
    flows = [
        { from = "h1", group = "g1", traffic.constant.rate = "1 Gb/s" },
        { from = "h3", to = "h2" },
    ]
    at = [{ time = "5001 us", group = "g1", leave = "h2" }]
"#;

/// Frames that wait in the queue to h2 (up to 150 kB, 1.2 ms) when h2 leaves the group arrive afterwards, and no longer
/// count for h2.
#[test]
fn no_station_receives_more_than_its_link_carries() {
    let measured = run(LEAVES, &[]);
    let most = measured.series.flows[0].rate_bps.iter().copied().fold(0.0, f64::max);
    assert!(most <= 1.001e9, "{most} b/s in an interval");
    assert!(measured.summary.flows[0].rate_bps <= 1.001e9, "{} b/s", measured.summary.flows[0].rate_bps);
    assert!(
        measured.summary.total.throughput_bps <= 1.001e9,
        "{} b/s",
        measured.summary.total.throughput_bps
    );
}

const TWO_CALLED_F1: &str = r#"
    duration = "5 ms"
    topology.star.stations = 5
    groups = [{ members = "h{2..3}" }]
    flows = [
        { from = "h1", group = "g1" },
        { name = "f1", from = "h4", to = "h5" },
    ]
    at = [{ time = "2 ms", flow = "f1", stop = true }]
"#;

/// With multiple unicast `flow = "f1"` in an [[at]] refers to all parts of the session f1, so nothing else may have
/// that name.
#[test]
fn a_name_refers_to_one_flow_with_either_delivery() {
    let refused = |delivery: &str| {
        let setting = format!("network.delivery={delivery}");
        load(TWO_CALLED_F1, &[&setting]).err().is_some_and(|error| error.contains("two flows are called"))
    };
    assert!(refused("multicast"), "multicast");
    assert!(refused("multiple-unicast"), "multiple unicast");
}

const BACK_AT_ONCE: &str = r#"
    duration = "20 ms"
    measure_from = "5 ms"
    sample_interval = "1 ms"
    topology.dumbbell = { senders = 2, receivers = 1 }
    groups = [{ members = "r1" }]
    flows = [{ from = "s{1..2}", group = "g1" }]
    at = [
        { time = "2 ms", group = "g1", leave = "r1" },
        { time = "2 ms", group = "g1", join = "r1" },
    ]
"#;

/// Changes at the same instant take effect in file order, both in the figures and in the simulator.
#[test]
fn a_station_that_leaves_and_joins_at_once_is_still_a_member() {
    for (delivery, measured) in with_either_delivery(BACK_AT_ONCE) {
        assert!(measured.summary.total.throughput_bps > 9e9);
        assert!(measured.summary.groups[0].jain_index.is_some(), "{delivery}: no index of the group");
        assert!(measured.summary.total.jain_index.is_some(), "{delivery}: no index of all flows");
    }
}

const NOBODY_MEASURED: &str = r#"
    duration = "10 ms"
    measure_from = "5 ms"
    sample_interval = "1 ms"
    topology.dumbbell = { senders = 2, receivers = 2 }
    control = "qcn"
    groups = [{ members = "r*" }]
    flows = [{ from = "s*", group = "g1" }]
    at = [{ time = "1 ms", group = "g1", leave = "r*" }]
"#;

#[test]
fn a_group_can_be_empty_in_the_measured_time() {
    for (delivery, measured) in with_either_delivery(NOBODY_MEASURED) {
        let group = &measured.summary.groups[0];
        assert_eq!((group.rate_mean_bps, group.jain_index), (0.0, None), "{delivery}");
        assert_eq!(measured.summary.total.throughput_bps, 0.0, "{delivery}");
        let json = serde_json::to_string(&measured.summary).unwrap();
        assert!(!json.contains("NaN") && !json.contains("inf"), "{delivery}");
    }
}

const IN_TURN: &str = r#"
    duration = "20 ms"
    measure_from = "4 ms"
    sample_interval = "1 ms"
    topology.star = { stations = 3, rate = "1 Gb/s" }
    groups = [
        { members = "h3" },
        {},
    ]
    flows = [
        { from = "h1", group = "g1", traffic.constant.rate = "1 Gb/s" },
        { from = "h2", group = "g2", traffic.constant.rate = "1 Gb/s" },
    ]
    at = [
        { time = "12 ms", group = "g1", leave = "h3" },
        { time = "12 ms", group = "g2", join = "h3" },
    ]
"#;

/// The rate of a multicast flow covers the time in which its group has members, which may be only part of the run.
#[test]
fn throughput_covers_the_measured_time() {
    for (delivery, measured) in with_either_delivery(IN_TURN) {
        let throughput = measured.summary.total.throughput_bps;
        assert!(throughput <= 1.01e9, "{delivery}: {throughput} b/s");
    }
}

/// The definition in docs/results.md, computed from the published figures of flows and groups.
fn defined_throughput(summary: &Summary) -> f64 {
    let share = |flow: &FlowSummary| {
        let group = summary.groups.iter().find(|group| Some(&group.name) == flow.group.as_ref());
        group.filter(|_| !flow.receivers.is_empty()).map_or(1.0, |group| group.occupied_share)
    };
    summary.flows.iter().map(|flow| flow.rate_bps * share(flow)).sum()
}

/// A star in which h3 to h6 join and leave two groups, each at its own time.
fn joins_and_leaves(delivery: &str, moves: &[(u32, bool, u32)]) -> String {
    let mut text = format!(
        "duration = \"2 ms\"\nmeasure_from = \"500 us\"\nsample_interval = \"100 us\"\n\
         network.delivery = {delivery:?}\n\
         [topology.star]\nstations = 6\nrate = \"1 Gb/s\"\n\
         [[groups]]\nmembers = [\"h3\", \"h4\"]\n[[groups]]\nmembers = [\"h5\"]\n\
         [[flows]]\nfrom = \"h1\"\ngroup = \"g1\"\ntraffic.constant.rate = \"1 Gb/s\"\n\
         [[flows]]\nfrom = \"h2\"\ngroup = \"g2\"\ntraffic.constant.rate = \"400 Mb/s\"\n\
         [[flows]]\nfrom = \"h2\"\nto = \"h1\"\ntraffic.constant.rate = \"300 Mb/s\"\n"
    );
    let mut members = [vec![3, 4], vec![5]];
    for (step, &(station, second, gap)) in moves.iter().enumerate() {
        let (group, time) = (usize::from(second), 200 * step as u32 + gap);
        let is_member = members[group].contains(&station);
        let change = if is_member { "leave" } else { "join" };
        if is_member {
            members[group].retain(|&member| member != station);
        } else {
            members[group].push(station);
        }
        let _ = writeln!(
            text,
            "[[at]]\ntime = \"{time} us\"\ngroup = \"g{}\"\n{change} = \"h{station}\"",
            group + 1
        );
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// However members join and leave, the total matches its definition, equals the sum over entries, and is at most
    /// the capacity of the receivers' links.
    #[test]
    fn throughput_is_what_its_definition_says(
        multicast: bool,
        moves in proptest::collection::vec((3u32..=6, any::<bool>(), 1u32..200), 0..9),
    ) {
        let delivery = if multicast { "multicast" } else { "multiple-unicast" };
        let summary = run(&joins_and_leaves(delivery, &moves), &[]).summary;
        let (total, defined) = (summary.total.throughput_bps, defined_throughput(&summary));
        prop_assert!((total - defined).abs() <= 1e-6 * defined.max(1.0), "{} against {}", total, defined);
        let entries: f64 = summary.entries.iter().map(|entry| entry.rate_sum_bps).sum();
        prop_assert!((total - entries).abs() <= 1e-6 * total.max(1.0), "{} against {}", total, entries);
        if multicast {
            // Three flows at no more than the rate of their station, plus the data in the buffers before the
            // measurement.
            prop_assert!(total <= 1.75e9, "{}", total);
        }
        for group in &summary.groups {
            prop_assert!((0.0..=1.0).contains(&group.occupied_share));
        }
    }
}

const EMPTY_GROUP: &str = r#"
    duration = "40 ms"
    measure_from = "10 ms"
    sample_interval = "1 ms"
    topology.star.stations = 6
    groups = [
        { members = "h2" },
        { members = "h6" },
    ]
    flows = [
        { from = "h1", group = "g1" },
        { from = "h3", to = "h4" },
        { from = "h5", group = "g2" },
    ]
    at = [{ time = "5 ms", group = "g2", leave = "h6" }]
"#;

/// A flow to a group without members has no receivers and therefore no rate, with either kind of delivery.
#[test]
fn a_flow_without_receivers_does_not_compete() {
    for (delivery, measured) in with_either_delivery(EMPTY_GROUP) {
        let total = measured.summary.total;
        assert!(total.jain_index.unwrap() > 0.99, "{delivery}: {:?}", total.jain_index);
    }
}
