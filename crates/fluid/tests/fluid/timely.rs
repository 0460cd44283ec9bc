//! TIMELY and patched TIMELY: fixed points, margins and trajectories.

use setpoint_fluid::fixed_point::timely::fixed_point;
use setpoint_fluid::linear::{Loop, NoLoop, linearise};
use setpoint_fluid::model::{Course, Horizon, ModelError, Start, solve, solve_from};
use setpoint_fluid::timely::{Params, Variant};
use setpoint_fluid::{Bottleneck, Class, ModelOptions, Pi, Scheme};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

/// N sources on a 10 Gb/s link with frames of 1000 bytes, as in the CoNEXT paper.
fn bottleneck(sources: u32, micros: u64) -> Bottleneck {
    let mut bottleneck = crate::support::bottleneck(sources, TimeDelta::from_micros(micros));
    bottleneck.frame = Bytes::new(1_000);
    bottleneck.buffer = Bytes::new(10_000_000);
    bottleneck.classes[0].line_rate = Rate::from_gbps(10);
    bottleneck
}

/// Two single sources.
fn pair() -> Bottleneck {
    let mut pair = bottleneck(1, 4);
    pair.classes.push(Class { name: "other".to_owned(), ..pair.classes[0].clone() });
    pair
}

fn of(sources: u32, micros: u64) -> Loop {
    let scheme = Scheme::Timely(Params::patched());
    linearise(&bottleneck(sources, micros), &scheme, &ModelOptions::default()).unwrap()
}

fn horizon(millis: u64, start: Start) -> Horizon {
    Horizon { until: TimeDelta::from_millis(millis), sample: TimeDelta::from_micros(50), start }
}

fn from(bottleneck: &Bottleneck, params: Params, millis: u64, mbps: &[u64]) -> Course {
    let rates: Vec<Rate> = mbps.iter().map(|rate| Rate::from_mbps(*rate)).collect();
    let horizon = horizon(millis, Start::LineRates);
    solve_from(bottleneck, &Scheme::Timely(params), &ModelOptions::default(), &horizon, &rates).unwrap()
}

fn near_equilibrium(sources: u32, micros: u64, millis: u64) -> Course {
    let horizon = horizon(millis, Start::NearEquilibrium);
    let scheme = Scheme::Timely(Params::patched());
    solve(&bottleneck(sources, micros), &scheme, &ModelOptions::default(), &horizon).unwrap()
}

fn last(values: &[f64]) -> f64 {
    *values.last().unwrap()
}

/// The largest distance of the queue from a value between two points of a solution, given as shares of its
/// duration.
fn swing(course: &Course, about: f64, from: f64, to: f64) -> f64 {
    let count = course.queue_bytes.len() as f64;
    let part = &course.queue_bytes[(from * count) as usize..(to * count) as usize];
    part.iter().map(|queue| (queue - about).abs()).fold(0.0, f64::max)
}

/// q* = q′ + N δ q′/(β C) with q′ = 62.5 kB: for N = 2, 62.5 kB (1 + 2 · 10/(0.008 · 10 000)) = 78.125 kB. Then
/// τ′ = 62.5 µs + 0.8 µs, and τ* = 16 kB at 5 Gb/s = 25.6 µs.
#[test]
fn the_fixed_point_of_patched_timely_matches_hand_computed_values() {
    let point = fixed_point(&bottleneck(2, 0), &Params::patched()).unwrap();
    assert!((point.queue_bytes - 78_125.0).abs() < 1e-6, "{point:?}");
    assert!((point.feedback_delay_s - 63.3e-6).abs() < 1e-12, "{point:?}");
    assert!((point.update_interval_s - 25.6e-6).abs() < 1e-12, "{point:?}");
    // With 72 flows the queue would be at T_high.
    assert!(fixed_point(&bottleneck(71, 0), &Params::patched()).is_ok());
    let error = fixed_point(&bottleneck(73, 0), &Params::patched()).unwrap_err();
    assert!(matches!(error, NoLoop::Thresholds { .. }), "{error}");
}

/// 40 µs of the idle path are part of the delay at the fixed point, 62.5 µs. The queue is shorter by the 50 kB that the link
/// sends in this time, and τ′ is 22.5 µs + 0.8 µs.
#[test]
fn the_round_trip_time_of_the_idle_path_shortens_the_queue() {
    let with = |micros| Params { idle_rtt: TimeDelta::from_micros(micros), ..Params::patched() };
    let point = fixed_point(&bottleneck(2, 0), &with(40)).unwrap();
    assert!((point.queue_bytes - 28_125.0).abs() < 1e-6, "{point:?}");
    assert!((point.feedback_delay_s - 23.3e-6).abs() < 1e-12, "{point:?}");
    let course = from(&bottleneck(2, 4), with(40), 60, &[5_000]);
    assert!((last(&course.queue_bytes) / 28_125.0 - 1.0).abs() < 0.01, "{}", last(&course.queue_bytes));
    // Above T_low, the idle path alone prevents increases, but the queue at the fixed point is still positive.
    assert!(fixed_point(&bottleneck(2, 0), &with(62)).is_ok());
    let error = fixed_point(&bottleneck(2, 0), &with(63)).unwrap_err();
    assert!(matches!(error, NoLoop::Thresholds { .. }), "{error}");
}

#[test]
fn the_original_timely_has_no_fixed_point_and_keeps_oscillating() {
    assert_eq!(fixed_point(&bottleneck(2, 4), &Params::default()), Err(NoLoop::NoFixedPoint));
    let course = from(&bottleneck(2, 4), Params::default(), 60, &[5_000]);
    let late = &course.queue_bytes[course.queue_bytes.len() / 2..];
    let (least, most) =
        late.iter().fold((f64::MAX, 0.0_f64), |(least, most), queue| (least.min(*queue), most.max(*queue)));
    assert!(most - least > 1_000.0, "{least} to {most} B");
}

#[test]
fn the_original_timely_keeps_unequal_rates_and_the_patched_one_equalises_them() {
    let original = from(&pair(), Params::default(), 100, &[7_000, 3_000]);
    let patched = from(&pair(), Params::patched(), 100, &[7_000, 3_000]);
    let ratio = |course: &Course| last(&course.rates_bps[0]) / last(&course.rates_bps[1]);
    assert!(ratio(&original) > 1.5, "{}", ratio(&original));
    assert!((ratio(&patched) - 1.0).abs() < 0.05, "{}", ratio(&patched));
    assert!((last(&patched.queue_bytes) / 78_125.0 - 1.0).abs() < 0.02, "{}", last(&patched.queue_bytes));
}

/// R1 - R2 decays as e^(-δ t/(2 Seg)) once the queue is constant: 10 Mb/s over 256 kb is 39 per second.
#[test]
fn two_patched_flows_converge_at_the_rate_of_the_closed_form() {
    let course = from(&pair(), Params::patched(), 60, &[6_000, 4_000]);
    let gap = |index: usize| course.rates_bps[0][index] - course.rates_bps[1][index];
    let (early, late) = (course.time_s.len() / 2, course.time_s.len() - 1);
    let rate = (gap(early) / gap(late)).ln() / (course.time_s[late] - course.time_s[early]);
    assert!((rate / 39.06 - 1.0).abs() < 0.02, "{rate} per s");
}

#[test]
fn roots_cross_the_axis_at_the_margin_of_patched_timely() {
    for sources in [4, 10] {
        let of = of(sources, 0);
        let margin = of.margin().unwrap();
        assert_eq!(of.unstable_roots(0.999 * margin.delay_s), 0, "N = {sources}");
        assert_eq!(of.unstable_roots(1.001 * margin.delay_s), 2, "N = {sources}");
        assert!(of.phase_margin(of.delay_s).unwrap().radians > 0.0, "N = {sources}");
    }
}

/// The growth of small oscillations in the solved equations, whose delays depend on the state, is that of the dominant
/// root of the linear loop, whose delays do not.
#[test]
fn small_oscillations_change_as_the_characteristic_root_predicts() {
    for (sources, micros, millis) in [(10, 0, 8), (10, 500, 16)] {
        let queue = fixed_point(&bottleneck(sources, micros), &Params::patched()).unwrap().queue_bytes;
        let of = of(sources, micros);
        let root = of.dominant(of.delay_s).unwrap();
        let course = near_equilibrium(sources, micros, millis);
        let (early, late) = (swing(&course, queue, 0.2, 0.5), swing(&course, queue, 0.7, 1.0));
        let growth = (late / early).ln() / (0.5e-3 * millis as f64);
        assert!((growth / root.growth_per_s - 1.0).abs() < 0.2, "{micros} us: {growth} per s, not {root:?}");
    }
}

#[test]
fn a_controller_at_the_sources_holds_the_queue_but_not_the_shares() {
    let pi = Pi { reference: Bytes::new(300_000), proportional_per_byte: 4e-6, integral_per_byte_s: 2e-5 };
    let params = Params { variant: Variant::PatchedPi(pi), ..Params::patched() };
    // The sources that start first have a higher p than the one that joins them, and the difference persists.
    let mut apart = pair();
    apart.classes[0].sources = 2;
    apart.classes[1].start = Time::from_picos(100_000_000_000);
    let course = from(&apart, params, 800, &[5_000, 3_000]);
    assert!((last(&course.queue_bytes) / 300_000.0 - 1.0).abs() < 0.05, "{}", last(&course.queue_bytes));
    let ratio = last(&course.rates_bps[0]) / last(&course.rates_bps[1]);
    assert!((ratio - 1.0).abs() > 0.2, "{ratio}");
}

#[test]
fn every_class_needs_an_initial_rate() {
    let scheme = Scheme::Timely(Params::patched());
    let horizon = horizon(1, Start::LineRates);
    let error = solve_from(&pair(), &scheme, &ModelOptions::default(), &horizon, &[Rate::from_gbps(1)]);
    assert_eq!(error, Err(ModelError::Rates { given: 1, classes: 2 }));
}
