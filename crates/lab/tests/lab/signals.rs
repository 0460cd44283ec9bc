//! Curves and metrics of marks, windows and loads.

use setpoint_lab::run::run;
use setpoint_record::catalogue::{LOAD_MEAN, MARKS_PER_FRAME, Metric, WINDOW_MEAN};
use setpoint_record::results::{RunRecord, digest};
use setpoint_scenario::{Override, Scenario, Source};
use setpoint_sim::Unwatched;

fn record(scenario: &str, settings: &[&str]) -> RunRecord {
    let settings: Vec<Override> = settings.iter().map(|text| text.parse().unwrap()).collect();
    let source = Source::builtin(scenario).unwrap();
    run(&Scenario::load(&source, &settings).unwrap().prepare(1).unwrap(), &mut Unwatched).unwrap()
}

fn of_few(control: &str) -> RunRecord {
    record(
        "league-few",
        &["duration=10ms", "measure_from=5ms", "sample_interval=100us", &format!("control={control}")],
    )
}

fn value(record: &RunRecord, metric: &Metric) -> Option<f64> {
    metric.of_summary(&record.summary).map(|value| value.value)
}

#[test]
fn a_curve_of_marks_adds_up_to_the_marks_of_the_queue() {
    let record = of_few("dcqcn");
    for (curves, queue) in record.series.queues.iter().zip(&record.summary.queues) {
        let marks: u64 = curves.marked_frames.iter().map(|count| u64::from(count.unwrap())).sum();
        assert_eq!(Some(marks), queue.marked_frames, "{}", queue.name);
    }
    let marked = record.summary.total.marked_frames.unwrap();
    let sent: u64 = record.summary.flows.iter().map(|flow| flow.sent_frames).sum();
    assert!(marked > 0);
    assert_eq!(value(&record, &MARKS_PER_FRAME), Some(marked as f64 / sent as f64));
    // The receivers answer with congestion notification packets, so sources have no curves of acknowledgements.
    assert!(record.series.sources.is_empty());
}

/// With acknowledgements that carry marks, every marked frame that was delivered in time is reported to its source.
#[test]
fn sources_count_acknowledged_marks() {
    let record = record("all-reduce", &[]);
    let count = |counts: &[Option<u32>]| counts.iter().map(|count| u64::from(count.unwrap())).sum::<u64>();
    let reported: u64 =
        record.series.sources.iter().map(|source| count(&source.marked_acknowledgements)).sum();
    assert_eq!(Some(reported), record.summary.total.marked_frames);
    assert!(reported > 0 && value(&record, &LOAD_MEAN).is_none());
}

/// HPCC holds the load at its target, 95 %, apart from its additive increase.
#[test]
fn hpcc_holds_the_load_at_its_target() {
    let record = of_few("hpcc");
    let load = value(&record, &LOAD_MEAN).unwrap();
    assert!((0.93..1.02).contains(&load), "{load}");
    for (source, flow) in record.series.sources.iter().zip(&record.summary.flows) {
        assert_eq!((source.name.as_str(), source.load.len()), (flow.name.as_str(), 100));
        let measured = source.load[50..].iter().map(|load| load.unwrap());
        assert!((measured.sum::<f64>() / 50.0 - flow.load_mean.unwrap()).abs() < 1e-12);
        assert!(source.marked_acknowledgements.iter().all(Option::is_none));
    }
    // Four sources share the bandwidth-delay product of 62.5 kB and the round-trip time of a frame.
    let window = value(&record, &WINDOW_MEAN).unwrap();
    assert!((10e3..25e3).contains(&window), "{window}");
    // The digest covers the curves, and not their means again.
    let mut summary = record.summary.clone();
    (summary.total.window_mean_bytes, summary.total.load_mean) = (None, None);
    for flow in &mut summary.flows {
        (flow.window_mean_bytes, flow.load_mean) = (None, None);
    }
    assert_eq!(digest(&summary, &record.series, &record.messages), record.manifest.digest);
}

#[test]
fn other_runs_have_neither() {
    let record = of_few("qcn");
    assert!(record.series.sources.is_empty());
    assert!(record.series.queues.iter().flat_map(|queue| &queue.marked_frames).all(Option::is_none));
    let text = serde_json::to_string(&record.summary).unwrap();
    for key in ["marked_frames", "marked_acknowledgements", "load"] {
        assert!(!text.contains(&format!("\"{key}")), "{key}");
    }
    assert_eq!([&LOAD_MEAN, &WINDOW_MEAN, &MARKS_PER_FRAME].map(|metric| value(&record, metric)), [None; 3]);
}
