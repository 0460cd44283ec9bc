//! All metrics together, on a synthetic run.

use crate::support::Synthetic;
use setpoint_control::CulpritCounters;
use setpoint_record::metrics::{Context, measure};
use setpoint_record::results::{self, MessageClass, MessageState, Settling, Unsettled};
use setpoint_record::statistics::quantile;
use setpoint_sim::traffic::Traffic;
use setpoint_sim::{FlowSpec, Placement, Side};
use setpoint_units::Rate;

#[test]
fn figures_of_a_dumbbell() {
    let run = Synthetic::default();
    let summary = run.measured().summary;
    assert_eq!(summary.duration_s, 0.4);
    assert_eq!(summary.measure_from_s, 0.04);
    assert_eq!(summary.flows.len(), 4);
    assert_eq!((summary.flows[0].source.as_str(), summary.flows[0].destination.as_str()), ("s1", "r1"));
    assert_eq!(summary.flows[0].delay_mean_s, Some(40e-6));
    // The port runs at 10 Gb/s for 160 of the 360 measured ms and at 5 Gb/s for the rest, less preamble and gap.
    let expected = (160.0 * 10e9 + 200.0 * 5e9) / 360.0 * 1000.0 / 1020.0;
    assert!((summary.total.throughput_bps / expected - 1.0).abs() < 0.01, "{}", summary.total.throughput_bps);
    assert_eq!((summary.total.dropped_frames, summary.total.loss_share), (0, 0.0));
    let heard: u64 = summary.flows.iter().map(|flow| flow.notifications).sum();
    assert_eq!(summary.total.notifications, heard);
    assert!(!summary.total.lossless);
    assert!(summary.messages.is_none());
}

#[test]
fn the_busiest_queue_comes_first_and_curves_follow_the_figures() {
    let measured = Synthetic::default().measured();
    let (summary, series) = (&measured.summary, &measured.series);
    assert_eq!(summary.queues[0].name, "left->right/3");
    assert_eq!(summary.queues[0].set_point_bytes, Some(26_000));
    assert!((summary.queues[0].mean_bytes - 26e3).abs() < 3e3);
    let median = quantile::at(&summary.queues[0].quantiles, 0.5).unwrap();
    assert!((median - 26e3).abs() < 1.5e3, "{median}");
    assert_eq!(summary.queues[1].empty_share, 1.0);
    assert_eq!(series.time_s.len(), 400);
    assert_eq!((series.time_s[0], series.time_s[399]), (0.001, 0.4));
    assert!(series.flows.iter().zip(&summary.flows).all(|(curve, flow)| curve.name == flow.name));
    assert!(series.queues.iter().zip(&summary.queues).all(|(curve, queue)| curve.name == queue.name));
    assert!(series.ports.iter().zip(&summary.ports).all(|(curve, port)| curve.name == port.name));
}

#[test]
fn utilisation_follows_the_rate_of_the_port() {
    let series = Synthetic::default().measured().series;
    let bottleneck = &series.ports[0];
    assert_eq!(bottleneck.name, "left->right");
    // The port is fully used before and after its rate is halved; the port behind it is fully used, then half used.
    assert!(bottleneck.utilisation_share.iter().all(|&share| share > 0.98 && share <= 1.0));
    assert!(series.ports[1].utilisation_share[300] < 0.51);
    assert_eq!(bottleneck.paused_share[..3], [0.0, 0.01, 0.0]);
}

#[test]
fn flows_grow_fair_and_windows_show_it() {
    let total = Synthetic::default().measured().summary.total;
    assert_eq!(total.jain_window_s, 0.01);
    let (mean, min) = (total.jain_index_windowed_mean.unwrap(), total.jain_index_windowed_min.unwrap());
    // In the first measured window the rates are still fair (1 ± 0.3 exp(-45/40)).
    let unfair = 0.3 * (-45.0f64 / 40.0).exp();
    assert!((min - 1.0 / (1.0 + unfair * unfair)).abs() < 2e-3, "{min}");
    assert!(mean > min && mean > 0.99 && total.jain_index.unwrap() > 0.99);
}

#[test]
fn only_flows_that_compete_are_compared() {
    let run = Synthetic::default();
    let index = |change: &dyn Fn(&mut Vec<FlowSpec>)| {
        let (mut spec, outcome) = (run.spec(), run.outcome());
        change(&mut spec.flows);
        let context =
            Context { spec: &spec, set_point: None, events: &[], groups: &[], entries: &[], jobs: &[] };
        measure(&context, outcome).summary.total.jain_index
    };
    let all = index(&|_| {}).unwrap();
    assert!(all > 0.99);
    // With weights 2 and 1 equal rates are unfair: (0.5 + 1 + 1 + 1)² / (4 · (0.25 + 3)).
    let weighted = index(&|flows| flows[0].weight = 2).unwrap();
    assert!((weighted - 3.5 * 3.5 / 13.0).abs() < 0.01, "{weighted}");
    // A flow that stops, or that sends at a constant rate, is not compared; a single flow has no index.
    let stop = |flow: &mut FlowSpec| flow.stop = Some(run.change_at());
    let constant = |flow: &mut FlowSpec| flow.traffic = Traffic::Constant { rate: Rate::from_gbps(1) };
    assert_eq!(index(&|flows| flows[1..].iter_mut().for_each(stop)), None);
    assert_eq!(index(&|flows| flows[1..].iter_mut().for_each(constant)), None);
}

#[test]
fn the_queue_settles_after_both_events() {
    let events = Synthetic::default().measured().summary.events_at;
    assert_eq!(events.len(), 2);
    assert_eq!((events[1].at_s, events[1].label.as_str()), (0.2, "left->right at 5 Gb/s"));
    // The ringing of 100 kB, averaged over 10 ms of a period of 25 ms, falls below 2.6 kB after some 40 ms.
    for event in &events {
        let settling = event.settling.seconds().unwrap();
        assert!((0.02..0.07).contains(&settling), "{event:?}");
    }
}

#[test]
fn without_a_set_point_nothing_settles() {
    let run = Synthetic::default();
    let (spec, events) = (run.spec(), run.events());
    let context =
        Context { spec: &spec, set_point: None, events: &events, groups: &[], entries: &[], jobs: &[] };
    let summary = measure(&context, run.outcome()).summary;
    let no_set_point = Settling::NotSettled(Unsettled::NoSetPoint);
    assert_eq!(summary.events_at.iter().map(|event| event.settling).collect::<Vec<_>>(), [no_set_point; 2]);
    assert!(summary.queues.iter().all(|queue| queue.settling.is_none()));
}

#[test]
fn every_queue_with_a_set_point_has_a_settling_time_after_the_last_event() {
    let summary = Synthetic::default().measured().summary;
    assert_eq!(summary.queues[0].settling, Some(summary.events_at[1].settling));
    // The queue in front of the receiver is always empty, and its port is busy half the time.
    assert_eq!(summary.queues[1].settling, Some(Settling::NotSettled(Unsettled::PortNotLoaded)));
}

#[test]
fn input_buffers_are_named_after_the_port_that_feeds_them() {
    let run = Synthetic::default();
    let (mut spec, mut outcome) = (run.spec(), run.outcome());
    spec.control.placement = Placement::Inputs;
    let sender = spec.topology.find_port("s1->left").unwrap();
    let mut input = outcome.queues[0].clone();
    (input.port, input.side) = (sender, Side::Input);
    input.culprits = CulpritCounters { searches: 10, reads: 24, fallbacks: 1, fallback_reads: 2 };
    input.length.mean *= 2.0;
    outcome.queues.push(input);
    let context = Context {
        spec: &spec,
        set_point: Some(Synthetic::SET_POINT),
        events: &[],
        groups: &[],
        entries: &[],
        jobs: &[],
    };
    let measured = measure(&context, outcome);
    let [input, output, ..] = &measured.summary.queues[..] else { panic!("too few queues") };
    assert_eq!((input.name.as_str(), input.port.as_str()), ("s1->left/3 (input)", "s1->left"));
    assert_eq!((output.name.as_str(), output.side), ("left->right/3", results::Side::Output));
    assert_eq!(measured.series.queues[0].name, input.name);
    assert_eq!(input.culprits.unwrap().reads_per_search, 2.4);
    assert_eq!(output.culprits, None);
    // Only queues with a congestion point have a set point.
    assert_eq!((input.set_point_bytes, output.set_point_bytes), (Some(26_000), None));
    // Results of output queues are the same as before input buffers were added.
    let json = |queue| serde_json::to_value(queue).unwrap();
    assert_eq!(json(input)["side"], "input");
    assert!(json(output).get("side").is_none() && json(output).get("culprits").is_none());
}

#[test]
fn spines_are_parts_of_a_bridge() {
    let run = Synthetic::default();
    let (mut spec, outcome) = (run.spec(), run.outcome());
    let before = spec.topology.nodes().len();
    spec.topology.spine("spine1", 2);
    let context = Context { spec: &spec, set_point: None, events: &[], groups: &[], entries: &[], jobs: &[] };
    let nodes = measure(&context, outcome).topology.nodes;
    assert!(nodes[before].bridge && nodes[before].spine);
    assert!(nodes[..before].iter().all(|node| !node.spine));
}

#[test]
fn links_show_the_load_of_their_busier_port() {
    let measured = Synthetic::default().measured();
    let busy: Vec<f64> = measured.topology.links.iter().filter_map(|link| link.utilisation_share).collect();
    assert_eq!(busy[..4], [0.0; 4], "ports of senders are not in the outcome");
    assert_eq!(busy[4], measured.summary.ports[0].utilisation_share);
    assert_eq!(measured.topology.links[4].rate, "10 Gb/s");
    assert!(measured.topology.nodes[4].bridge && !measured.topology.nodes[0].bridge);
}

#[test]
fn messages_are_kept_and_summarised() {
    let measured = Synthetic { messages: 50, ..Synthetic::default() }.measured();
    let summary = measured.summary.messages.unwrap();
    assert_eq!((summary.completed, summary.unfinished, summary.damaged), (200, 1, 0));
    assert_eq!(measured.messages.len(), 201);
    let (completed, others) = measured.messages.split_at(200);
    assert!(completed.windows(2).all(|pair| pair[0].completed_s <= pair[1].completed_s));
    assert_eq!(
        (others[0].state, others[0].completed_s, others[0].fct_s),
        (MessageState::Unfinished, None, None)
    );
    let classes: u64 = summary.classes[1..].iter().map(MessageClass::count).sum();
    assert_eq!(summary.classes[0].count(), classes);
    let before = summary.offered_before.as_ref().map_or(0, MessageClass::count);
    assert_eq!(classes + before, 201);
    let worst = quantile::at(&summary.classes[0].slowdown_quantiles, 1.0).unwrap();
    assert!((5.0..=10.0).contains(&worst), "{worst}");
}
