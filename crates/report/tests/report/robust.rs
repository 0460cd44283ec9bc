//! Records that no run should produce, and that must not break the report.

use setpoint_plot::Style;
use setpoint_record::results::{RunRecord, Settling, TopologyView};
use setpoint_report::{html, plots};

use crate::synthetic;

/// Replaces every number in the record that may have any value.
fn poisoned(mut record: RunRecord, value: f64) -> RunRecord {
    let summary = &mut record.summary;
    (summary.duration_s, summary.measure_from_s) = (value, value);
    let total = &mut summary.total;
    (total.throughput_bps, total.loss_share, total.paused_s) = (value, value, value);
    (total.notifications_per_frame, total.jain_window_s) = (value, value);
    (total.jain_index, total.jain_index_windowed_mean, total.jain_index_windowed_min) =
        (Some(value), Some(value), Some(value));
    for flow in &mut summary.flows {
        (flow.rate_bps, flow.rate_deviation_bps) = (value, value);
        (flow.delay_mean_s, flow.delay_max_s) = (Some(value), Some(value));
    }
    for queue in &mut summary.queues {
        (queue.mean_bytes, queue.deviation_bytes, queue.empty_share) = (value, value, value);
        queue.quantiles.iter_mut().for_each(|point| *point = (value, value));
    }
    for port in &mut summary.ports {
        (port.utilisation_share, port.paused_share) = (value, value);
    }
    for class in summary.messages.iter_mut().flat_map(|messages| &mut messages.classes) {
        class.fct_mean_s = Some(value);
        class.fct_quantiles.iter_mut().for_each(|point| *point = (value, value));
        class.slowdown_quantiles.iter_mut().for_each(|point| point.1 = value);
    }
    for event in &mut summary.events_at {
        (event.at_s, event.settling) = (value, Settling::AfterS(value));
    }
    let series = &mut record.series;
    series.time_s.iter_mut().step_by(3).for_each(|time| *time = value);
    for flow in &mut series.flows {
        flow.rate_bps.iter_mut().step_by(2).for_each(|rate| *rate = value);
    }
    for queue in &mut series.queues {
        queue.length_bytes.fill(value);
    }
    for port in &mut series.ports {
        port.paused_share.fill(value);
    }
    for link in &mut record.topology.links {
        (link.utilisation_share, link.paused_share) = (Some(value), value);
    }
    record
}

/// Checks that the text does not contain the words that Rust and JavaScript print for values that are not finite.
fn assert_only_numbers(name: &str, text: &str) {
    for (index, _) in text.match_indices("NaN").chain(text.match_indices("inf")) {
        let letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
        let (before, after) = (text[..index].chars().next_back(), text[index + 3..].chars().next());
        assert!(letter(before) || letter(after), "{name}: …{}…", &text[index.saturating_sub(60)..index + 3]);
    }
}

#[test]
fn values_that_are_not_finite_never_reach_the_output() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0, 1e300] {
        for (name, record) in synthetic::all() {
            let record = poisoned(record, value);
            assert_only_numbers(name, &html(&record));
            for plot in plots(&record, Style::SCREEN) {
                assert_only_numbers(&plot.name, &plot.svg);
                roxmltree::Document::parse(&plot.svg)
                    .unwrap_or_else(|error| panic!("{name}/{}: {error}", plot.name));
            }
        }
    }
}

fn assert_complete(record: &RunRecord) {
    assert!(html(record).trim_end().ends_with("</html>"));
    for plot in plots(record, Style::SCREEN) {
        roxmltree::Document::parse(&plot.svg).unwrap_or_else(|error| panic!("{}: {error}", plot.name));
    }
}

#[test]
fn series_may_be_missing_or_short() {
    for (_, mut record) in synthetic::all() {
        record.series.time_s.truncate(1);
        assert_complete(&record);
        for flow in &mut record.series.flows {
            flow.rate_bps.clear();
        }
        record.series.queues.truncate(1);
        assert_complete(&record);
        record.series = setpoint_record::results::Series::default();
        assert_complete(&record);
        record.summary.flows.clear();
        assert_complete(&record);
        record.summary.queues.clear();
        record.summary.ports.clear();
        assert_complete(&record);
    }
}

#[test]
fn a_network_may_be_odd() {
    let mut record = synthetic::dumbbell(2, 60);
    record.topology.links[0].first = 99;
    assert_complete(&record);
    record.topology.nodes.iter_mut().for_each(|node| node.layer = 0);
    assert_complete(&record);
    record.topology.nodes.iter_mut().for_each(|node| node.bridge = false);
    assert_complete(&record);
    record.topology.links.clear();
    assert_complete(&record);
    record.topology = TopologyView::default();
    assert!(!html(&record).contains("id=\"network\""));
}
