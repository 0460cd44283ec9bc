//! Curves on disk: a line only where a curve changes, read back bit for bit.

use std::fs;
use std::path::Path;

use crate::support::Synthetic;
use proptest::prelude::*;
use setpoint_lab::run::run;
use setpoint_lab::store;
use setpoint_record::results::{
    FlowSeries, PortSeries, QueueSeries, RunRecord, Series, SourceSeries, digest,
};
use setpoint_scenario::{Scenario, Source};
use setpoint_sim::Unwatched;

/// One flow, one queue and one port with the given curves.
fn record(series: Series) -> RunRecord {
    let mut record = Synthetic { senders: 1, samples: series.time_s.len(), messages: 0, seed: 1 }.record();
    record.summary.queues.truncate(series.queues.len());
    record.summary.ports.truncate(series.ports.len());
    record.series = series;
    for (flow, summary) in record.series.flows.iter_mut().zip(&record.summary.flows) {
        flow.name.clone_from(&summary.name);
    }
    for (queue, summary) in record.series.queues.iter_mut().zip(&record.summary.queues) {
        queue.name.clone_from(&summary.name);
    }
    for (port, summary) in record.series.ports.iter_mut().zip(&record.summary.ports) {
        port.name.clone_from(&summary.name);
    }
    for (source, summary) in record.series.sources.iter_mut().zip(&mut record.summary.flows) {
        source.name.clone_from(&summary.name);
        summary.acknowledgements = Some(1);
    }
    record.manifest.digest = digest(&record.summary, &record.series, &record.messages);
    record
}

fn small() -> Series {
    Series {
        time_s: vec![0.1, 0.2, 0.3, 0.4, 0.5],
        flows: vec![FlowSeries {
            name: String::new(),
            rate_bps: vec![0.0, -0.0, -0.0, 1.0 / 3.0, 1.0 / 3.0],
            limit_bps: vec![None, None, None, Some(5e9), None],
            notifications: vec![0, 0, 0, 0, 0],
        }],
        sources: vec![SourceSeries {
            name: String::new(),
            round_trip_s: vec![None, None, Some(2e-5), Some(2e-5), None],
            window_bytes: vec![None, None, Some(9e4), Some(9e4), Some(9e4)],
            in_flight_bytes: vec![0.0, 0.0, 5e4, 5e4, 5e4],
            marked_acknowledgements: vec![None, None, Some(2), Some(2), Some(2)],
            load: vec![None, None, Some(0.5), Some(0.5), Some(0.75)],
        }],
        queues: vec![QueueSeries {
            name: String::new(),
            length_bytes: vec![0.0; 5],
            largest_bytes: vec![0.0, 0.0, 1500.0, 1500.0, 1500.0],
            notifications: vec![0; 5],
            marked_frames: vec![None; 5],
        }],
        ports: vec![PortSeries {
            name: String::new(),
            utilisation_share: vec![0.5; 5],
            paused_share: vec![0.0; 5],
        }],
    }
}

#[test]
fn files_have_a_line_only_where_a_curve_changes() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("run");
    let record = record(small());
    store::write(&record, &folder).unwrap();
    let text = |file: &str| fs::read_to_string(folder.join(file)).unwrap();
    assert_eq!(text(store::SAMPLES), "time_s\n0.1\n0.2\n0.3\n0.4\n0.5\n");
    let third = 1.0 / 3.0;
    let flows = format!(
        "time_s,flow,rate_bps,limit_bps,notifications\n\
         0.1,f1,0,,0\n0.2,f1,-0,,0\n0.4,f1,{third},5000000000,0\n0.5,f1,{third},,0\n"
    );
    assert_eq!(text(store::FLOWS), flows);
    let sources = "time_s,source,round_trip_s,window_bytes,in_flight_bytes,marked_acknowledgements,load\n\
                   0.1,f1,,,0,,\n0.3,f1,0.00002,90000,50000,2,0.5\n0.5,f1,,90000,50000,2,0.75\n";
    assert_eq!(text(store::SOURCES), sources);
    assert_eq!(text(store::QUEUES).lines().count(), 3);
    assert_eq!(text(store::PORTS).lines().count(), 2);
    let read = store::read(&folder).unwrap();
    assert_eq!(read, record);
    let bits =
        |record: &RunRecord| record.series.flows[0].rate_bps.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&read), bits(&record));
}

/// Results of earlier versions lack the columns that were added since.
#[test]
fn missing_columns_are_missing_values() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("run");
    let mut series = small();
    series.sources[0].marked_acknowledgements = vec![None; 5];
    series.sources[0].load = vec![None; 5];
    let record = record(series);
    store::write(&record, &folder).unwrap();
    fs::remove_file(folder.join(store::INDEX)).unwrap();
    for (file, added) in [(store::SOURCES, 2), (store::QUEUES, 1)] {
        let path = folder.join(file);
        let text = fs::read_to_string(&path).unwrap();
        let shorter = |line: &str| line.rsplitn(added + 1, ',').last().unwrap().to_owned() + "\n";
        fs::write(&path, text.lines().map(shorter).collect::<String>()).unwrap();
    }
    assert_eq!(store::read(&folder).unwrap(), record);
}

#[test]
fn damaged_curves_are_refused_with_their_line() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("run");
    store::write(&record(small()), &folder).unwrap();
    // The index is removed, because it would reveal any change before the curves are read.
    fs::remove_file(folder.join(store::INDEX)).unwrap();
    let change = |file: &str, from: &str, to: &str| {
        let path = folder.join(file);
        let old = fs::read_to_string(&path).unwrap();
        assert!(old.contains(from), "{old}");
        fs::write(&path, old.replacen(from, to, 1)).unwrap();
        let message = store::read(&folder).unwrap_err().to_string();
        fs::write(&path, old).unwrap();
        message.replace(&place.path().display().to_string(), "")
    };
    let messages = [
        change(store::SAMPLES, "0.2\n", ""),
        change(store::SAMPLES, "0.2\n0.3", "0.3\n0.2"),
        change(store::SAMPLES, "0.3", "then"),
        change(store::SAMPLES, "time_s", "time"),
        change(store::SAMPLES, "0.5\n", ""),
        change(store::FLOWS, "0.1,f1,0,,0\n", ""),
        change(store::FLOWS, "0.2,f1", "0.25,f1"),
        change(store::FLOWS, "0.4,f1", "0.1,f1"),
        change(store::FLOWS, "0.4,f1", "0.2,f1"),
        change(store::QUEUES, "0.1,left->right/3,0,0,0,\n0.3,left->right/3,0,1500,0,\n", ""),
        change(store::PORTS, "0.5,0", "0.5,"),
    ];
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn tables_have_a_line_per_sample_and_a_column_per_curve() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("tables");
    let record = Synthetic { senders: 3, samples: 20, messages: 0, seed: 3 }.record();
    store::export(&record.series, &folder).unwrap();
    let rates = fs::read_to_string(folder.join("flows.rate_bps.csv")).unwrap();
    let mut lines = rates.lines();
    assert_eq!(lines.next(), Some("time_s,f1,f2,f3"));
    for (sample, line) in lines.enumerate() {
        let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        let flows = record.series.flows.iter().map(|flow| flow.rate_bps[sample]);
        let expected: Vec<f64> = [record.series.time_s[sample]].into_iter().chain(flows).collect();
        assert_eq!(cells, expected);
    }
    assert_eq!(rates.lines().count(), 21);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 8);
    let again = store::export(&record.series, &folder).unwrap_err().to_string();
    assert!(again.contains("is not empty"), "{again}");
}

/// Incast over web-search traffic between all 32 stations of a leaf-spine: 1008 flows, most of them idle.
const LEAF_SPINE: &str = r#"
    duration = "50 ms"

    [topology.leaf_spine]
    leaves = 4
    spines = 2
    stations_per_leaf = 8
    rate = "10 Gb/s"
    fabric_rate = "40 Gb/s"
    delay = "1 us"

    [network]
    buffer = "300 kB"

    [flow_control.pfc]
    xoff = "60 kB"
    xon = "40 kB"

    [control.qcn]
    preset = "10G"

    [[flows]]
    name = "incast"
    from = "h{9..24}"
    to = "h1"
    pattern = "incast"
    [flows.traffic.message]
    size = "500 kB"

    [[flows]]
    name = "background"
    from = "h{1..32}"
    pattern = "all-to-all"
    [flows.traffic.poisson]
    rate = "97 Mb/s"
    sizes = "web-search"
"#;

#[test]
fn fifty_milliseconds_of_a_leaf_spine_take_less_than_two_megabytes() {
    let scenario = Scenario::load(&Source::new("test.toml", LEAF_SPINE), &[]).unwrap();
    let record = run(&scenario.prepare(1).unwrap(), &mut Unwatched).unwrap();
    assert_eq!((record.series.flows.len(), record.series.time_s.len()), (1008, 1000));
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("run");
    store::write(&record, &folder).unwrap();
    let files = [store::SAMPLES, store::FLOWS, store::QUEUES, store::PORTS];
    let bytes: u64 = files.iter().map(|file| size(&folder.join(file))).sum();
    assert!(bytes < 2_000_000, "{bytes}");
    assert_eq!(store::read(&folder).unwrap(), record);
}

fn size(path: &Path) -> u64 {
    fs::metadata(path).unwrap().len()
}

/// Curves with few different values, so that many samples repeat the previous value.
fn curves() -> impl Strategy<Value = Series> {
    let value = || {
        prop_oneof![
            Just(0.0),
            Just(-0.0),
            Just(0.1 + 0.2),
            any::<f64>().prop_filter("finite", |x| x.is_finite())
        ]
    };
    let sample = (value(), prop::option::of(value()), 0..2_u32, value());
    prop::collection::vec(sample, 0..60).prop_map(|samples| Series {
        time_s: (1..=samples.len()).map(|sample| sample as f64 / 7.0).collect(),
        flows: vec![FlowSeries {
            name: String::new(),
            rate_bps: samples.iter().map(|sample| sample.0).collect(),
            limit_bps: samples.iter().map(|sample| sample.1).collect(),
            notifications: samples.iter().map(|sample| sample.2).collect(),
        }],
        sources: vec![SourceSeries {
            name: String::new(),
            round_trip_s: samples.iter().map(|sample| sample.1).collect(),
            window_bytes: samples.iter().map(|sample| sample.1.map(|value| -value)).collect(),
            in_flight_bytes: samples.iter().map(|sample| sample.3).collect(),
            marked_acknowledgements: samples.iter().map(|sample| sample.1.map(|_| sample.2)).collect(),
            load: samples.iter().map(|sample| sample.1).collect(),
        }],
        queues: vec![QueueSeries {
            name: String::new(),
            length_bytes: samples.iter().map(|sample| sample.3).collect(),
            largest_bytes: samples.iter().map(|sample| sample.0).collect(),
            notifications: samples.iter().map(|sample| sample.2).collect(),
            marked_frames: samples.iter().map(|sample| sample.1.map(|_| sample.2)).collect(),
        }],
        ports: vec![PortSeries {
            name: String::new(),
            utilisation_share: samples.iter().map(|sample| sample.0).collect(),
            paused_share: samples.iter().map(|sample| sample.3).collect(),
        }],
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_curves_are_read_back_to_the_bit(series in curves()) {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("run");
        let record = record(series);
        store::write(&record, &folder).unwrap();
        let read = store::read(&folder).unwrap();
        // Debug output distinguishes 0 from -0; equality does not.
        prop_assert_eq!(format!("{:?}", read.series), format!("{:?}", record.series));
    }
}
