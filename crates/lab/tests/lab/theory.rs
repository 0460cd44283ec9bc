//! Fluid solutions, margins, maps and phase planes of scenarios.

use std::num::NonZeroUsize;
use std::path::Path;

use setpoint_fluid::ModelOptions;
use setpoint_lab::store::Destination;
use setpoint_lab::sweep::{self, SweepMonitor};
use setpoint_lab::theory::{
    self, Finding, FluidOptions, FluidRecord, Origin, Packets, PhaseOptions, PhaseRecord, Points,
    StabilityOptions, StabilityRecord, TheoryError,
};
use setpoint_scenario::{Axis, Prepared, Scenario, Source};
use setpoint_sim::{Decision, Unwatched};
use setpoint_units::TimeDelta;

fn scenario(settings: &[&str]) -> Scenario {
    let overrides: Vec<_> = settings.iter().map(|setting| setting.parse().unwrap()).collect();
    let source = Source::builtin("qcn-loop").unwrap();
    Scenario::load(&source, &overrides).unwrap_or_else(|error| panic!("{error}"))
}

fn prepared(settings: &[&str]) -> Prepared {
    let scenario = scenario(settings);
    scenario.prepare(scenario.seed()).unwrap()
}

/// The built-in scenario, shortened.
const SHORT: [&str; 4] =
    ["duration=200 ms", "measure_from=150 ms", "sample_interval=2 ms", "topology.dumbbell.senders=2"];

fn axes(x: &str, y: &str, steps: usize) -> Option<(Axis, Axis)> {
    Some((Axis::read_range("--x", x, steps).unwrap(), Axis::read_range("--y", y, steps).unwrap()))
}

#[test]
fn a_solution_is_sampled_as_packets_are() {
    let options = FluidOptions { packets: Packets::Beside, ..FluidOptions::default() };
    let record = theory::fluid(&prepared(&SHORT), &options, &mut Unwatched).unwrap();
    assert_eq!((record.name.as_str(), record.queue.as_str()), ("qcn-loop", "left->right/3"));
    assert_eq!(record.time_s.len(), 100);
    assert_eq!((record.time_s[0], record.time_s[99], record.measured_from_s), (0.002, 0.2, 0.15));
    let packets = record.packets.as_ref().unwrap();
    let [class] = &record.classes[..] else { panic!("{:?}", record.classes) };
    for curve in [&record.queue_bytes, &class.rate_bps, &packets.queue_bytes, &packets.classes[0].rate_bps] {
        assert_eq!(curve.len(), 100);
        assert!(curve.iter().all(|value| value.is_finite() && *value >= 0.0));
    }
    // In both, two sources fill a link of 10 Gb/s.
    for mean in [class.rate_mean_bps, packets.classes[0].rate_mean_bps] {
        assert!((mean / 5e9 - 1.0).abs() < 0.01, "{mean}");
    }
    assert!(record.queue_bytes.iter().all(|bytes| *bytes <= record.buffer_bytes * (1.0 + 1e-9)));
    let ends = serde_json::to_string(&record).unwrap();
    assert_eq!(serde_json::from_str::<FluidRecord>(&ends).unwrap(), record);
}

#[test]
fn denser_sampling_does_not_change_the_packet_run() {
    let options = FluidOptions { packets: Packets::Beside, ..FluidOptions::default() };
    let prepared = prepared(&SHORT);
    let beside = theory::fluid(&prepared, &options, &mut Unwatched).unwrap().packets.unwrap();
    let run = setpoint_lab::run::run(&prepared, &mut Unwatched).unwrap();
    let queue = run.summary.queues.iter().position(|queue| queue.name == "left->right/3").unwrap();
    assert_eq!(beside.queue_mean_bytes, run.summary.queues[queue].mean_bytes);
    assert_eq!(beside.queue_deviation_bytes, run.summary.queues[queue].deviation_bytes);
    assert_eq!(beside.queue_bytes, run.series.queues[queue].length_bytes);
}

#[test]
fn a_loop_beyond_its_margin_oscillates_in_both() {
    let of = |rtt: &str| {
        let prepared = prepared(&["topology.dumbbell.senders=4", rtt]);
        let here = theory::closed_loop(&prepared, &ModelOptions::default()).unwrap();
        let options = FluidOptions { packets: Packets::Beside, ..FluidOptions::default() };
        (here, theory::fluid(&prepared, &options, &mut Unwatched).unwrap())
    };
    let (here, record) = of("topology.dumbbell.rtt=400 us");
    assert!(here.unstable_roots > 0 && here.growth_per_s > 0.0, "{here:?}");
    let period = record.period_s.expect("the fluid oscillates");
    assert!((3e-3..6e-3).contains(&period), "{period}");
    let least = 0.3 * record.set_point_bytes;
    assert!(record.queue_deviation_bytes > least);
    assert!(record.packets.unwrap().queue_deviation_bytes > least);

    let (here, record) = of("topology.dumbbell.rtt=100 us");
    assert!(here.unstable_roots == 0 && here.growth_per_s < 0.0, "{here:?}");
    assert_eq!((record.period_s, record.queue_mean_bytes.round()), (None, 33_003.0));
    assert!(record.packets.unwrap().queue_deviation_bytes < 0.1 * record.set_point_bytes);
}

#[test]
fn margins_match_the_table() {
    // `algorithms.md` 5.4 lists the margins for G = 0.5/((2w+1) Qeq); six bits and a gain of 2^-7 give 63/128 of that.
    for (senders, margin_us) in [(1, 159.0), (2, 211.0), (10, 284.0), (50, 309.0)] {
        let setting = format!("topology.dumbbell.senders={senders}");
        let record = theory::closed_loop(&prepared(&[&setting]), &ModelOptions::default()).unwrap();
        let margin = record.margin_s.unwrap() * 1e6;
        assert!((margin / margin_us - 1.0).abs() < 0.02, "{senders}: {margin}");
        assert!(record.bound_s.unwrap() <= record.margin_s.unwrap());
        assert_eq!((record.sources, record.unstable_roots), (senders, 0));
        assert!(record.growth_per_s < 0.0 && record.response.len() > 100);
    }
}

#[test]
fn a_map_agrees_with_separate_cells() {
    let scenario = scenario(&[]);
    let axes = axes("topology.dumbbell.rtt=50us..400us", "topology.dumbbell.senders=1,4,16", 4);
    let options = StabilityOptions { axes, ..StabilityOptions::default() };
    let record = theory::stability(&scenario, &options, &sweep::Unwatched).unwrap();
    let map = record.map.as_ref().unwrap();
    assert_eq!(map.x.values, ["50us", "166.7 µs", "283.3 µs", "400us"]);
    assert_eq!(map.y.numbers, [1.0, 4.0, 16.0]);
    assert_eq!((map.stability.len(), map.stability[0].len()), (3, 4));
    let alone = prepared(&["topology.dumbbell.rtt=283.3 us", "topology.dumbbell.senders=16"]);
    let alone = theory::closed_loop(&alone, &ModelOptions::default()).unwrap();
    assert_eq!(map.stability[2][2], Some(alone.margin_s.unwrap() / alone.delay_s));
    let stable: Vec<Vec<bool>> =
        map.stability.iter().map(|row| row.iter().map(|cell| cell.unwrap() > 1.0).collect()).collect();
    assert_eq!(
        stable,
        [[true, false, false, false], [true, true, false, false], [true, true, true, false]],
        "the stability limit in the table"
    );
    assert!(map.reasons.is_empty() && map.packets.is_empty());
    let text = serde_json::to_string(&record).unwrap();
    assert_eq!(serde_json::from_str::<StabilityRecord>(&text).unwrap(), record);
}

#[test]
fn cells_without_a_loop_have_reasons() {
    // With ports as fast as the link, one sender cannot overload it, and a frame must fit into the buffer.
    let scenario = scenario(&["topology.dumbbell.access_rate=10 Gb/s"]);
    let axes = axes("topology.dumbbell.senders=1..3", "network.frame=1500 B,9000 B", 3);
    let options = StabilityOptions { axes, ..StabilityOptions::default() };
    let small = Scenario::prepare_with(&scenario, &[], 1).unwrap();
    assert_eq!(small.spec.flows.len(), 10);
    let map = theory::stability(&scenario, &options, &sweep::Unwatched).unwrap().map.unwrap();
    assert!(map.stability.iter().all(|row| row[0].is_none() && row[1].is_some() && row[2].is_some()));
    assert_eq!(map.reasons.len(), 1, "{:?}", map.reasons);
    assert!(map.reasons[0].starts_with("no port can be overloaded"), "{:?}", map.reasons);
}

#[test]
fn threads_make_no_difference() {
    let scenario = scenario(&["duration=20 ms", "measure_from=10 ms"]);
    let draw = |threads: usize| {
        let axes = axes("topology.dumbbell.rtt=50us..500us", "topology.dumbbell.senders=1..9", 4);
        let threads = NonZeroUsize::new(threads);
        let packets = Points::Grid(2, 2);
        let options = StabilityOptions { axes, packets, threads, ..StabilityOptions::default() };
        serde_json::to_string(&theory::stability(&scenario, &options, &sweep::Unwatched).unwrap()).unwrap()
    };
    let alone = draw(1);
    assert_eq!(alone, draw(2));
    let record: StabilityRecord = serde_json::from_str(&alone).unwrap();
    let map = record.map.unwrap();
    let places: Vec<(usize, usize)> = map.packets.iter().map(|point| (point.x, point.y)).collect();
    assert_eq!(places, [(0, 0), (3, 0), (0, 3), (3, 3)]);
    assert!(map.packets.iter().all(|point| point.swing >= 0.0 && (0.0..=1.0).contains(&point.empty_share)));
    assert!(map.packets.iter().any(|point| point.swing > 0.0));
}

#[test]
fn maps_that_are_too_large_are_refused() {
    let scenario = scenario(&[]);
    let refuse = |steps: usize, packets| {
        let axes = axes("topology.dumbbell.rtt=1us..400us", "network.buffer=100kB..200kB", steps);
        let options = StabilityOptions { axes, packets, ..StabilityOptions::default() };
        theory::stability(&scenario, &options, &sweep::Unwatched).unwrap_err().to_string()
    };
    assert_eq!(
        refuse(1_001, Points::None),
        "a map of 1001 x 1001 has 1002001 cells; at most 1000000 are allowed"
    );
    assert_eq!(refuse(3, Points::Grid(4, 2)), "4 x 2 packet runs exceed the 3 x 3 cells of the map");
}

/// A monitor that stops at once.
struct Stop;

impl SweepMonitor for Stop {
    fn verdict(&self) -> Decision {
        Decision::Stop
    }
}

#[test]
fn a_map_can_be_stopped() {
    let axes = axes("topology.dumbbell.rtt=1us..400us", "topology.dumbbell.senders=1,2", 3);
    let options = StabilityOptions { axes, ..StabilityOptions::default() };
    let error = theory::stability(&scenario(&[]), &options, &Stop).unwrap_err();
    assert!(error.is_stopped(), "{error}");
    assert_eq!(error.to_string(), "stopped after 0 of 2 rows");
}

#[test]
fn errors_of_axes_show_the_place_and_the_remedy() {
    let mut told = String::new();
    for text in [
        "topology.dumbbell.rtt",
        "topology.dumbbell.rttt=1us..2us",
        "rtt=1us..2us",
        "topology.dumbbell.rtt=400us..1us",
        "topology.dumbbell.rtt=-1us..4us",
        "topology.dumbbell.rtt=1..4",
        "topology.dumbbell.rtt=0s..4us:log",
        "topology.dumbbell.rtt=1us..4us:lin",
        "topology.dumbbell.senders=0..4",
        "topology.dumbbell.senders=1.5..4",
        "control.qcn.rp.timer=on..off",
        "control.qcn.cp.weight=3..4",
        "control.qcn.rp.gain=2^-30,2^-7",
        "name=a,b",
    ] {
        told += &format!("{}\n\n", Axis::read_range("--x", text, 3).expect_err(text));
    }
    insta::assert_snapshot!("axes", told);
}

#[test]
fn a_plane_has_lines_trajectories_and_findings() {
    let record = theory::phase(&prepared(&[]), &PhaseOptions::default()).unwrap();
    assert_eq!((record.lines.len(), record.trajectories.len()), (1, 3));
    assert!(record.findings.iter().any(|finding| finding.starts_with("Theorem 2")), "{:?}", record.findings);
    assert!((record.delay_s - 100e-6).abs() < 1e-6);
    for trajectory in &record.trajectories {
        let points = trajectory.time_s.len();
        assert!(
            points > 10 && trajectory.offset_bytes.len() == points && trajectory.excess_bps.len() == points
        );
        assert!(!trajectory.end.is_empty());
    }
    assert_eq!(record.trajectories[1].offset_bytes[0], 33_000.0);
    let text = serde_json::to_string(&record).unwrap();
    assert_eq!(serde_json::from_str::<PhaseRecord>(&text).unwrap(), record);
}

#[test]
fn starts_delays_and_ends_can_be_given() {
    let options = PhaseOptions {
        starts: vec![(-10_000.0, 1e9)],
        delay: Some(TimeDelta::ZERO),
        until: Some(TimeDelta::from_millis(2)),
    };
    let smcc = prepared(&["control=smcc", "network.buffer=128 kB"]);
    let record = theory::phase(&smcc, &options).unwrap();
    let [trajectory] = &record.trajectories[..] else { panic!("{:?}", record.trajectories) };
    assert_eq!((trajectory.offset_bytes[0], record.delay_s), (-10_000.0, 0.0));
    assert!((trajectory.excess_bps[0] / 1e9 - 1.0).abs() < 1e-9);
    assert!(*trajectory.time_s.last().unwrap() <= 2.1e-3);
    assert!(record.findings.iter().any(|finding| finding.starts_with("Theorem 3")), "{:?}", record.findings);
    let error = theory::phase(&prepared(&["control=af-qcn"]), &options).unwrap_err();
    assert!(matches!(error, TheoryError::NoPlane(_)), "{error}");
    let error = theory::closed_loop(&smcc, &ModelOptions::default()).unwrap_err();
    assert_eq!(error.remedy().as_deref(), Some("`setpoint phase` shows its phase plane"));
}

fn place_for(folder: &Path) -> Destination {
    theory::open(folder).unwrap()
}

#[test]
fn folders_are_complete_and_foreign_folders_are_kept() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("theory");
    let prepared = prepared(&SHORT);
    let record = theory::fluid(&prepared, &FluidOptions::default(), &mut Unwatched).unwrap();
    let origin = Origin::of(&prepared, vec![("increase".to_owned(), "at-source".to_owned())]);
    let names = || {
        let mut names: Vec<_> = std::fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    theory::write(&Finding::Fluid(&record), &origin, Some("<html></html>"), &[], place_for(&folder)).unwrap();
    assert_eq!(names(), ["files.json", "fluid.csv", "fluid.html", "fluid.json", "origin.json"]);
    let stored: FluidRecord =
        serde_json::from_str(&std::fs::read_to_string(folder.join("fluid.json")).unwrap()).unwrap();
    assert_eq!(stored, record);
    let csv = std::fs::read_to_string(folder.join("fluid.csv")).unwrap();
    assert_eq!(csv.lines().next(), Some("time_s,queue_bytes,f1 to f2 rate_bps"));
    assert_eq!(csv.lines().count(), 101);

    let stable = theory::stability(&scenario(&[]), &StabilityOptions::default(), &sweep::Unwatched).unwrap();
    theory::write(&Finding::Stability(&stable), &origin, None, &[], place_for(&folder)).unwrap();
    let files = ["files.json", "origin.json", "response.csv", "stability.json"];
    assert_eq!(names(), files, "an older finding is replaced");
    let run = setpoint_lab::store::check_replaceable(&folder).unwrap_err().to_string();
    assert!(run.contains("it contains a fluid solution, stability map or phase plane"), "{run}");
    let opened = place_for(&folder);
    std::fs::write(folder.join("thesis.tex"), "years of work").unwrap();
    for error in [
        theory::open(&folder).unwrap_err().to_string(),
        theory::write(&Finding::Stability(&stable), &origin, None, &[], opened).unwrap_err().to_string(),
    ] {
        assert!(error.contains("contains thesis.tex, which this program did not write"), "{error}");
    }
}

#[test]
fn trajectories_without_end_are_refused() {
    let long = PhaseOptions { until: Some(TimeDelta::from_millis(1_000_000)), ..PhaseOptions::default() };
    let hasty = PhaseOptions { delay: Some(TimeDelta::from_picos(1)), ..PhaseOptions::default() };
    for options in [long, hasty] {
        let error = theory::phase(&prepared(&[]), &options).unwrap_err();
        assert!(matches!(error, TheoryError::TooManySteps { .. }), "{error}");
        assert!(error.remedy().is_some_and(|remedy| remedy.contains("--until")));
    }
}

#[test]
fn one_key_is_not_on_both_axes() {
    let senders = "topology.dumbbell.senders=1..4";
    let options = StabilityOptions { axes: axes(senders, senders, 4), ..StabilityOptions::default() };
    let error = theory::stability(&scenario(&[]), &options, &sweep::Unwatched).unwrap_err();
    assert!(matches!(error, TheoryError::SameKey(_)), "{error}");
}
