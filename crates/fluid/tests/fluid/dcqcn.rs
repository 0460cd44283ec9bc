//! DCQCN: its fixed point, its margins, and trajectories on both sides of the critical delay.

use setpoint_control::parameter::Percent;
use setpoint_fluid::dcqcn::{MarkedAt, Marking, Params, Red};
use setpoint_fluid::fixed_point::dcqcn::fixed_point;
use setpoint_fluid::linear::{Loop, NoLoop, linearise, stability_map};
use setpoint_fluid::model::{Course, Horizon, Start, solve};
use setpoint_fluid::{Bottleneck, ModelOptions, Pi, Refused, Scheme};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

/// N sources on a 40 Gb/s link with frames of 1000 bytes, as in the CoNEXT paper.
fn bottleneck(sources: u32, micros: u64) -> Bottleneck {
    let mut bottleneck = crate::support::bottleneck(sources, TimeDelta::from_micros(micros));
    bottleneck.frame = Bytes::new(1_000);
    bottleneck.capacity = vec![(Time::ZERO, Rate::from_gbps(40))];
    bottleneck.buffer = Bytes::new(10_000_000);
    bottleneck
}

fn of(sources: u32, params: &Params) -> Result<Loop, NoLoop> {
    linearise(&bottleneck(sources, 0), &Scheme::Dcqcn(*params), &ModelOptions::default())
}

fn course(bottleneck: &Bottleneck, params: &Params, start: Start, millis: u64) -> Course {
    let horizon =
        Horizon { until: TimeDelta::from_millis(millis), sample: TimeDelta::from_micros(20), start };
    solve(bottleneck, &Scheme::Dcqcn(*params), &ModelOptions::default(), &horizon).unwrap()
}

fn red(kmax: u64, percent: u16) -> Marking {
    Marking::Red(Red { kmin: Bytes::new(5_000), kmax: Bytes::new(kmax), largest: Percent::new(percent) })
}

/// A proportional-integral controller for 200 kB.
fn pi() -> Params {
    let marking = Marking::Pi(Pi {
        reference: Bytes::new(200_000),
        proportional_per_byte: 2e-8,
        integral_per_byte_s: 2e-6,
    });
    Params { marking, ..Params::default() }
}

/// The largest distance of the queue from a value between two points of a solution, given as shares of its
/// duration.
fn swing(course: &Course, about: f64, from: f64, to: f64) -> f64 {
    let count = course.queue_bytes.len() as f64;
    let part = &course.queue_bytes[(from * count) as usize..(to * count) as usize];
    part.iter().map(|queue| (queue - about).abs()).fold(0.0, f64::max)
}

/// p, computed separately by bisection of the printed equation in a different form, and the paper's closed
/// formula. For N = 2: R = 2.5e6 frames per second, 1/B + 1/(T R) = 1e-4 + 1/137.5, R_AI = 5000 frames per second,
/// so p ≈ (5000/(55e-6 · 6.25e12) · 5.4365e-5)^(1/3) = 9.25e-4.
#[test]
fn fixed_points_match_values_computed_by_hand() {
    for (sources, exact, approximate) in
        [(2, 0.000_777, 0.000_925), (4, 0.001_888, 0.002_320), (10, 0.006_032, 0.007_849)]
    {
        let point = fixed_point(&bottleneck(sources, 0), &Params::default()).unwrap();
        assert!((point.probability - exact).abs() < 1e-6, "{point:?}");
        assert!((point.approximation.probability - approximate).abs() < 1e-6, "{point:?}");
        // Kmin + p/Pmax (Kmax - Kmin)
        assert!((point.queue_bytes - (5e3 + point.probability * 100.0 * 195e3)).abs() < 1e-6);
        assert!((point.rate_bps * f64::from(sources) / 40e9 - 1.0).abs() < 1e-12);
        assert!(point.target_bps > point.rate_bps);
    }
}

#[test]
fn more_flows_than_the_marking_can_hold_have_no_fixed_point() {
    let error = fixed_point(&bottleneck(20, 0), &Params::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the equilibrium needs a marking probability of 1.44 %, but it is at most 1.00 % up to Kmax; the queue oscillates \
         around Kmax"
    );
    let wider = Params { marking: red(200_000, 10), ..Params::default() };
    assert!(fixed_point(&bottleneck(20, 0), &wider).is_ok());
    let wrong = Params { marking: red(4_000, 1), ..Params::default() };
    assert!(matches!(of(2, &wrong), Err(NoLoop::Refused(Refused::Thresholds { .. }))));
}

/// Margins from a separate computation: N, critical delay in microseconds, phase margin without delay in degrees.
#[test]
fn margins_match_a_separate_computation() {
    for (sources, delay, degrees) in [(2, 85.566, 20.423), (4, 71.739, 13.744), (10, 62.473, 9.289)] {
        let of = of(sources, &Params::default()).unwrap();
        let margin = of.margin().unwrap();
        assert!((margin.delay_s * 1e6 - delay).abs() < 1e-3, "N = {sources}: {margin:?}");
        let phase = of.phase_margin(0.0).unwrap();
        assert!((phase.radians.to_degrees() - degrees).abs() < 1e-3, "N = {sources}: {phase:?}");
        assert!(of.phase_margin(margin.delay_s).unwrap().radians.abs() < 1e-9);
        assert_eq!(of.unstable_roots(0.999 * margin.delay_s), 0);
        assert_eq!(of.unstable_roots(1.001 * margin.delay_s), 2);
    }
}

#[test]
fn the_queue_settles_below_the_critical_delay_and_oscillates_above() {
    // The critical delay is 85.6 us.
    let queue = fixed_point(&bottleneck(2, 0), &Params::default()).unwrap().queue_bytes;
    let stable = course(&bottleneck(2, 40), &Params::default(), Start::NearEquilibrium, 30);
    let (early, late) = (swing(&stable, queue, 0.0, 0.2), swing(&stable, queue, 0.8, 1.0));
    assert!(late < 0.2 * early, "{late} B after {early} B");
    let unstable = course(&bottleneck(2, 200), &Params::default(), Start::NearEquilibrium, 30);
    let (early, late) = (swing(&unstable, queue, 0.0, 0.2), swing(&unstable, queue, 0.8, 1.0));
    assert!(late > 5.0 * early && late > 0.3 * queue, "{late} B after {early} B");
}

/// The growth of small oscillations in the solved equations is that of the dominant root.
#[test]
fn small_oscillations_grow_as_the_characteristic_root_predicts() {
    let delay = 120;
    let queue = fixed_point(&bottleneck(4, 0), &Params::default()).unwrap().queue_bytes;
    let root = of(4, &Params::default()).unwrap().dominant(delay as f64 * 1e-6).unwrap();
    let course = course(&bottleneck(4, delay), &Params::default(), Start::NearEquilibrium, 20);
    let (early, late) = (swing(&course, queue, 0.3, 0.5), swing(&course, queue, 0.8, 1.0));
    let growth = (late / early).ln() / 10e-3;
    assert!((growth / root.growth_per_s - 1.0).abs() < 0.15, "{growth} per s, expected {root:?}");
}

/// Ten flows with a delay of 60 us are stable with marking at egress. The queue of 123 kB takes 24.5 us to drain, so with
/// marking at ingress the delay exceeds the critical delay of 62.5 us.
#[test]
fn with_marking_at_ingress_the_queue_adds_to_the_delay() {
    let params = Params { marked_at: MarkedAt::Ingress, ..Params::default() };
    let bottleneck = bottleneck(10, 60);
    let queue = fixed_point(&bottleneck, &params).unwrap().queue_bytes;
    let options = ModelOptions::default();
    let egress = linearise(&bottleneck, &Scheme::Dcqcn(Params::default()), &options).unwrap();
    let ingress = linearise(&bottleneck, &Scheme::Dcqcn(params), &options).unwrap();
    assert!((ingress.delay_s - egress.delay_s - queue * 8.0 / 40e9).abs() < 1e-12, "{}", ingress.delay_s);
    assert_eq!((egress.unstable_roots(egress.delay_s), ingress.unstable_roots(ingress.delay_s)), (0, 2));
    let root = ingress.dominant(ingress.delay_s).unwrap();
    let course = course(&bottleneck, &params, Start::NearEquilibrium, 20);
    let (early, late) = (swing(&course, queue, 0.3, 0.5), swing(&course, queue, 0.8, 1.0));
    let growth = (late / early).ln() / 10e-3;
    assert!((growth / root.growth_per_s - 1.0).abs() < 0.15, "{growth} per s, expected {root:?}");
}

#[test]
fn flows_that_start_apart_converge_to_equal_rates() {
    let mut unequal = bottleneck(1, 10);
    let late = setpoint_fluid::Class {
        name: "late".to_owned(),
        start: Time::from_picos(5_000_000_000),
        ..unequal.classes[0].clone()
    };
    unequal.classes.push(late);
    let course = course(&unequal, &Params::default(), Start::LineRates, 100);
    let last = course.time_s.len() - 1;
    let rates = [course.rates_bps[0][last], course.rates_bps[1][last]];
    assert!((rates[0] / rates[1] - 1.0).abs() < 0.02, "{rates:?}");
    assert!((rates[0] + rates[1] - 40e9).abs() < 0.4e9, "{rates:?}");
}

#[test]
fn a_proportional_integral_controller_holds_its_reference_for_any_number_of_flows() {
    for sources in [2, 10] {
        let point = fixed_point(&bottleneck(sources, 0), &pi()).unwrap();
        assert_eq!(point.queue_bytes, 200_000.0);
        let of = of(sources, &pi()).unwrap();
        assert!(of.margin().unwrap().delay_s > 4e-6, "N = {sources}: {:?}", of.margin());
        let course = course(&bottleneck(sources, 4), &pi(), Start::NearEquilibrium, 20);
        assert!(swing(&course, 200_000.0, 0.9, 1.0) < 200.0, "N = {sources}");
    }
}

#[test]
fn the_queue_has_a_limit_cycle_above_the_critical_delay_only() {
    // The critical delay is 85.6 us, with an oscillation at 4166 rad/s.
    let stable = course(&bottleneck(2, 40), &Params::default(), Start::LineRates, 80);
    assert_eq!(stable.cycle(TimeDelta::from_millis(40)), None);
    let unstable = course(&bottleneck(2, 100), &Params::default(), Start::LineRates, 120);
    let cycle = unstable.cycle(TimeDelta::from_millis(80)).expect("a limit cycle");
    let period = std::f64::consts::TAU / 4166.0;
    assert!((cycle.period_s / period - 1.0).abs() < 0.25, "{cycle:?}, expected {period} s");
    assert!(cycle.most_bytes - cycle.least_bytes > 5_000.0, "{cycle:?}");
}

#[test]
fn without_a_fixed_point_the_queue_cycles_around_kmax() {
    let course = course(&bottleneck(20, 4), &Params::default(), Start::NearEquilibrium, 60);
    let late = &course.queue_bytes[course.queue_bytes.len() / 2..];
    let above = late.iter().filter(|queue| **queue > 200_000.0).count();
    assert!(above > 0 && above < late.len(), "{above} of {}", late.len());
}

#[test]
fn the_map_shows_where_the_loop_is_stable() {
    let delays = [0, 70, 100].map(TimeDelta::from_micros);
    let map = stability_map(
        &bottleneck(1, 0),
        &Scheme::Dcqcn(Params::default()),
        &ModelOptions::default(),
        &[2, 10, 20],
        &delays,
    );
    let text = |cell: &Result<setpoint_fluid::linear::Stability, NoLoop>| match cell {
        Ok(stability) => stability.unstable_roots.to_string(),
        Err(_) => "-".to_owned(),
    };
    let rows: Vec<String> = map.iter().map(|row| row.iter().map(text).collect()).collect();
    assert_eq!(rows, ["00-", "02-", "22-"]);
    let margin = map[0][0].as_ref().unwrap().margin.unwrap();
    assert!((margin.delay_s * 1e6 - 85.566).abs() < 1e-3);
}
