//! Slowdowns by HPCC's definition: the metrics agree with fct.txt.

use setpoint_record::catalogue::{
    HPCC_SLOWDOWN_LARGE_P50, HPCC_SLOWDOWN_MEDIUM_P95, HPCC_SLOWDOWN_P50, HPCC_SLOWDOWN_P99,
    HPCC_SLOWDOWN_P999, HPCC_SLOWDOWN_SHORT_P99, Metric,
};
use setpoint_record::hpcc;
use setpoint_record::results::{Build, MessageSize, RunRecord};
use setpoint_record::run::run;
use setpoint_scenario::{Scenario, Source};
use setpoint_sim::Unwatched;

/// Messages of several sizes on a fabric of links with different rates.
const FABRIC: &str = r#"
    duration = "2 ms"
    measure_from = "0 s"
    topology.leaf_spine = { leaves = 2, spines = 2, stations_per_leaf = 4, rate = "25 Gb/s", fabric_rate = "100 Gb/s" }
    network = { frame = "1048 B", overhead = "48 B", buffer = "10 MB" }
    flow_control.pfc = { xoff = "500 kB", xon = "400 kB" }
    [[flows]]
    from = ["h1", "h2", "h3", "h5", "h6", "h7"]
    to = "h8"
    traffic.periodic = { size = "30 kB", every = "100 us" }
    [[flows]]
    from = "h1"
    to = "h4"
    traffic.message = { size = "200 kB" }
"#;

fn record(text: &str) -> RunRecord {
    let loaded = Scenario::load(&Source::new("hpcc.toml", text), &[]);
    let prepared = loaded.unwrap_or_else(|problems| panic!("{problems}")).prepare(1).unwrap();
    run(&prepared, Build::default(), &mut Unwatched).unwrap()
}

/// The slowdowns in fct.txt of the messages of a range of sizes, in ascending order, as HPCC's script computes them.
fn of_file(record: &RunRecord, sizes: std::ops::Range<u64>) -> Vec<f64> {
    let text = hpcc::files(record).unwrap().fct;
    let rows = text
        .lines()
        .map(|line| -> Vec<u64> { line.split(' ').skip(4).map(|word| word.parse().unwrap()).collect() });
    let inside = rows.filter(|row| sizes.contains(&row[0]));
    let mut slowdowns: Vec<f64> = inside.map(|row| (row[2] as f64 / row[3] as f64).max(1.0)).collect();
    slowdowns.sort_by(f64::total_cmp);
    slowdowns
}

/// A percentile with linear interpolation (type 7).
fn percentile(sorted: &[f64], probability: f64) -> f64 {
    let place = probability * (sorted.len() - 1) as f64;
    let (below, above) = (place.floor() as usize, place.ceil() as usize);
    sorted[below] + (sorted[above] - sorted[below]) * place.fract()
}

#[test]
fn metrics_agree_with_the_file() {
    let record = record(FABRIC);
    let (all, short, medium) =
        (of_file(&record, 0..u64::MAX), of_file(&record, 0..100_000), of_file(&record, 100_000..10_000_000));
    assert!(short.len() > 100 && medium.len() == 1, "{} {}", short.len(), medium.len());
    let agrees = |metric: &Metric, expected: f64| {
        let value = metric.of_summary(&record.summary).unwrap();
        assert!(!value.is_lower_bound, "{}", metric.name);
        // Times in the file are rounded to nanoseconds.
        assert!((value.value / expected - 1.0).abs() < 1e-4, "{}: {} {expected}", metric.name, value.value);
    };
    agrees(&HPCC_SLOWDOWN_P50, percentile(&all, 0.5));
    agrees(&HPCC_SLOWDOWN_P99, percentile(&all, 0.99));
    agrees(&HPCC_SLOWDOWN_SHORT_P99, percentile(&short, 0.99));
    agrees(&HPCC_SLOWDOWN_MEDIUM_P95, medium[0]);
    assert!(percentile(&all, 0.99) > 2.0, "the messages of an incast delay each other");
    assert_eq!(HPCC_SLOWDOWN_LARGE_P50.of_summary(&record.summary), None);
    assert_eq!(HPCC_SLOWDOWN_P999.of_summary(&record.summary), None, "fewer than 1000 messages");
}

/// One message in a network without other traffic: HPCC's formula counts 1000 B on both links and all of the message at the
/// slowest one, with headers, while ours counts what the message takes.
#[test]
fn the_definitions_differ_for_a_single_message() {
    let record = record(
        r#"
        duration = "1 ms"
        topology.star = { stations = 2, rate = "10 Gb/s", delay = "1 us" }
        network = { frame = "1048 B", overhead = "48 B", buffer = "10 MB" }
        [[flows]]
        from = "h1"
        to = "h2"
        traffic.message = { size = "3000 B" }
    "#,
    );
    let class = &record.summary.hpcc_slowdowns[1];
    assert_eq!((class.size, class.messages), (Some(MessageSize::Short), 1));
    // Four delays and 3144 B at 10 Gb/s, in addition 1048 B on the second link; against four delays, 2000 B and 3144 B.
    let expected: f64 = (4_000.0 + 2_515.2 + 838.4) / (4_000.0 + 1_600.0 + 2_515.0);
    assert!(expected < 1.0);
    assert_eq!(HPCC_SLOWDOWN_P50.of_summary(&record.summary).unwrap().value, 1.0);
    let slowdown = record.messages[0].slowdown().unwrap();
    assert!((slowdown - 1.0).abs() < 1e-9, "{slowdown}");
}

/// A message that the run cuts off has taken at least the time until the end.
#[test]
fn unfinished_messages_give_lower_bounds() {
    let record = record(
        r#"
        duration = "1 ms"
        topology.star = { stations = 2, rate = "10 Gb/s", delay = "1 us" }
        [[flows]]
        from = "h1"
        to = "h2"
        traffic.message = { size = "10 MB" }
    "#,
    );
    let median = HPCC_SLOWDOWN_P50.of_summary(&record.summary).unwrap();
    // 1 ms of the 8.4 ms that the message would take.
    assert!(median.is_lower_bound && (median.value - 1.0).abs() < 1e-12, "{median:?}");
    assert_eq!(record.summary.hpcc_slowdowns[0].messages, 1);
}
