//! Behaviour of the models: equilibria, fairness, changes, stability boundaries.

use crate::support::{bottleneck, parameters, qcn};
use setpoint_control::aimd::{Averaging, Decrease};
use setpoint_control::{af_qcn, aimd, bcn, smcc};
use setpoint_fluid::linear::{NoLoop, linearise};
use setpoint_fluid::model::{Course, Horizon, ModelError, Start, solve};
use setpoint_fluid::{
    Bottleneck, BottleneckError, Class, Feedback, Increase, ModelOptions, Refused, Sampling, Scheme, Sending,
};
use setpoint_units::{Bytes, Rate, Time, TimeDelta};

fn horizon(millis: u64) -> Horizon {
    Horizon {
        until: TimeDelta::from_millis(millis),
        sample: TimeDelta::from_micros(50),
        start: Start::LineRates,
    }
}

fn course(bottleneck: &Bottleneck, scheme: &Scheme, millis: u64) -> Course {
    solve(bottleneck, scheme, &ModelOptions::default(), &horizon(millis)).unwrap()
}

fn last(values: &[f64]) -> f64 {
    *values.last().unwrap()
}

#[test]
fn qcn_settles_where_its_equations_are_zero() {
    // From (9) and (10): TR - CR = D = (1-p)^500 R_AI / (100 p), and Gd Fb R* = D h / 2.
    let (p, sources) = (0.01_f64, 10.0);
    let share = 10e9 / 12_000.0 / sources;
    let d = (1.0 - p).powi(500) * (5e6 / 12_000.0) / (100.0 * p);
    let h = 1.0 / ((1.0 - p).powi(-100) - 1.0);
    let offset = d * h / 2.0 / (0.5 / (5.0 * 22.0) * share);
    for increase in [Increase::AtSource, Increase::AsPrinted] {
        let options = ModelOptions {
            increase,
            feedback: Feedback::BothSigns,
            sampling: Sampling::Constant,
            ..ModelOptions::default()
        };
        let course =
            solve(&bottleneck(10, TimeDelta::from_micros(40)), &qcn(), &options, &horizon(400)).unwrap();
        let queue = last(&course.queue_bytes) / 1_500.0;
        assert!((queue - (22.0 + offset)).abs() < 1e-4, "{queue}, expected {}", 22.0 + offset);
        assert!((last(&course.rates_bps[0]) / 1e9 - 1.0).abs() < 1e-6);
    }
}

#[test]
fn congestion_only_feedback_also_keeps_the_queue_near_its_set_point() {
    let options = ModelOptions { feedback: Feedback::CongestionOnly, ..ModelOptions::default() };
    let course = solve(&bottleneck(10, TimeDelta::from_micros(40)), &qcn(), &options, &horizon(400)).unwrap();
    assert!((last(&course.queue_bytes) / 33_000.0 - 1.0).abs() < 0.05, "{}", last(&course.queue_bytes));
}

#[test]
fn rates_and_queue_stay_within_their_bounds() {
    for delay in [20, 400, 2_000] {
        let course = course(&bottleneck(4, TimeDelta::from_micros(delay)), &qcn(), 100);
        assert!(course.queue_bytes.iter().all(|queue| (0.0..=1e6).contains(queue)));
        assert!(course.rates_bps[0].iter().all(|rate| (5e6 * 0.999..=40e9 * 1.001).contains(rate)));
    }
}

/// A second class starts later, and the link drops to half its rate at 200 ms.
fn changing() -> Bottleneck {
    let mut changing = bottleneck(2, TimeDelta::from_micros(30));
    changing.capacity.push((Time::from_picos(200_000_000_000), Rate::from_gbps(5)));
    let late = Class {
        name: "late".to_owned(),
        start: Time::from_picos(50_000_000_000),
        stop: Some(Time::from_picos(300_000_000_000)),
        delay: TimeDelta::from_micros(60),
        ..changing.classes[0].clone()
    };
    changing.classes.push(late);
    changing
}

#[test]
fn classes_start_and_stop_and_the_link_changes() {
    let course = course(&changing(), &qcn(), 400);
    let at = |millis: usize| {
        let index = millis * 20 - 1;
        (course.rates_bps[0][index] * 2.0, course.rates_bps[1][index] * 2.0)
    };
    let (early, late) = at(49);
    assert!((early / 10e9 - 1.0).abs() < 0.01 && late == 0.0);
    let (early, late) = at(199);
    assert!(((early + late) / 10e9 - 1.0).abs() < 0.01 && late > 1e9);
    let (early, late) = at(299);
    assert!(((early + late) / 5e9 - 1.0).abs() < 0.01);
    let (early, late) = at(399);
    assert!((early / 5e9 - 1.0).abs() < 0.05 && late == 0.0, "{early}");
}

#[test]
fn af_qcn_divides_the_link_by_weight() {
    let unequal = |scheme: &Scheme, weight: u32| {
        let mut network = changing();
        network.capacity.truncate(1);
        network.classes[1].stop = None;
        network.classes[1].sending = Sending::Controlled { weight };
        let course = course(&network, scheme, 600);
        last(&course.rates_bps[1]) / last(&course.rates_bps[0])
    };
    let af = Scheme::AfQcn(parameters(), af_qcn::Params::default());
    assert!((unequal(&af, 1) - 1.0).abs() < 0.1, "{}", unequal(&af, 1));
    assert!((unequal(&af, 3) / 3.0 - 1.0).abs() < 0.15, "{}", unequal(&af, 3));
    // QCN itself ignores weights, and keeps the initial shares for a long time.
    assert!((unequal(&qcn(), 3) / 3.0 - 1.0).abs() > 0.3, "{}", unequal(&qcn(), 3));
}

#[test]
fn background_traffic_leaves_the_rest() {
    let mut network = bottleneck(3, TimeDelta::from_micros(20));
    let background = Class {
        name: "background".to_owned(),
        sources: 1,
        sending: Sending::Constant(Rate::from_gbps(4)),
        ..network.classes[0].clone()
    };
    network.classes.push(background);
    let course = course(&network, &qcn(), 300);
    assert!((last(&course.rates_bps[0]) / 2e9 - 1.0).abs() < 1e-3);
    assert_eq!(last(&course.rates_bps[1]), 4e9);
    // The loop is linearised around the remaining bandwidth: like three sources on a link of 6 Gb/s, except
    // that all frames count towards samples.
    let of = linearise(&network, &qcn(), &ModelOptions::default()).unwrap();
    assert_eq!(of.sources, 3);
    assert!(of.margin().unwrap().delay_s > 0.0);
}

#[test]
fn bcn_and_smcc_hold_their_set_points() {
    let network = bottleneck(5, TimeDelta::from_micros(20));
    let bcn = course(&network, &Scheme::Bcn(bcn::Params::default()), 300);
    assert!((last(&bcn.queue_bytes) / 24_000.0 - 1.0).abs() < 0.01, "{}", last(&bcn.queue_bytes));
    assert!((last(&bcn.rates_bps[0]) / 2e9 - 1.0).abs() < 0.01);
    // SMCC may settle anywhere on y = 0; it only has to reach the line.
    let smcc = course(&network, &Scheme::Smcc(smcc::Params::default()), 300);
    assert!((last(&smcc.rates_bps[0]) / 2e9 - 1.0).abs() < 0.01, "{}", last(&smcc.rates_bps[0]));
}

fn aimd(averaging: Averaging) -> Scheme {
    let mut params = aimd::Params::default();
    params.rp.averaging = averaging;
    params.rp.decrease = Decrease::Additive;
    Scheme::Aimd(params)
}

/// Energy of a small disturbance in the last fifth of a solution, relative to the fifth before it.
fn growth(sources: u32, delay_s: f64, scheme: &Scheme, period_s: f64) -> f64 {
    let picos = |seconds: f64| TimeDelta::from_picos((seconds * 1e12) as u64);
    let horizon = Horizon {
        // Long compared with the period and with a source's sampling interval.
        until: picos(20.0 * period_s + 8.0 * f64::from(sources) * 120e-6),
        sample: picos(period_s / 50.0),
        start: Start::NearEquilibrium,
    };
    let course =
        solve(&bottleneck(sources, picos(delay_s)), scheme, &ModelOptions::default(), &horizon).unwrap();
    let energy = |samples: &[f64]| samples.iter().map(|sample| (sample - 30_000.0).powi(2)).sum::<f64>();
    let fifth = course.queue_bytes.len() / 5;
    energy(&course.queue_bytes[4 * fifth..5 * fifth]) / energy(&course.queue_bytes[3 * fifth..4 * fifth])
}

#[test]
fn averaging_extends_the_margin_of_few_aimd_sources_as_the_solver_confirms() {
    for sources in [1, 2, 4, 10, 20] {
        let network = bottleneck(sources, TimeDelta::ZERO);
        let margins = [Averaging::Off, Averaging::On].map(|averaging| {
            let scheme = aimd(averaging);
            let margin = linearise(&network, &scheme, &ModelOptions::default()).unwrap().margin().unwrap();
            let period = std::f64::consts::TAU / margin.crossover_rad_per_s;
            let (below, above) = (
                growth(sources, 0.98 * margin.delay_s, &scheme, period),
                growth(sources, 1.02 * margin.delay_s, &scheme, period),
            );
            assert!(below < 1.0 && above > 1.0, "N = {sources}, {averaging:?}: {below}, {above}");
            margin.delay_s
        });
        // With ten sources, each is sampled so rarely that the previous feedback is too old, given the speed
        // of the loop.
        assert_eq!(margins[1] > margins[0], sources < 10, "N = {sources}: {margins:?}");
    }
}

#[test]
fn invalid_inputs_are_refused() {
    let good = bottleneck(2, TimeDelta::from_micros(20));
    let options = ModelOptions::default();
    let refused =
        |network: &Bottleneck, scheme: &Scheme| solve(network, scheme, &options, &horizon(10)).unwrap_err();
    let mut empty = good.clone();
    empty.classes.clear();
    assert_eq!(refused(&empty, &qcn()), ModelError::Bottleneck(BottleneckError::NothingControlled));
    assert!(matches!(
        linearise(&empty, &qcn(), &options),
        Err(NoLoop::Bottleneck(BottleneckError::NothingControlled))
    ));
    let mut frameless = good.clone();
    frameless.frame = Bytes::ZERO;
    assert_eq!(refused(&frameless, &qcn()), ModelError::Bottleneck(BottleneckError::EmptyFrame));
    let mut late = good.clone();
    late.capacity[0].0 = Time::from_picos(1);
    assert_eq!(refused(&late, &qcn()), ModelError::Bottleneck(BottleneckError::Capacity));
    let mut every = parameters();
    every.cp.sampling = setpoint_control::qcn::Sampling::EveryFrame;
    assert_eq!(refused(&good, &Scheme::Qcn(every)), ModelError::Refused(Refused::EveryFrame));
    let mut timer = parameters();
    timer.rp.byte_counter = setpoint_control::parameter::Switch::Off;
    assert_eq!(refused(&good, &Scheme::Qcn(timer)), ModelError::Refused(Refused::NoByteCounter));
    let still = bottleneck(2, TimeDelta::ZERO);
    let smcc = Scheme::Smcc(smcc::Params::default());
    assert!(matches!(refused(&still, &smcc), ModelError::NoDelay(..)));
    assert!(matches!(linearise(&good, &smcc, &options), Err(NoLoop::Switched("SMCC"))));
    let mut apart = good.clone();
    apart.classes.push(Class { delay: TimeDelta::from_micros(21), ..good.classes[0].clone() });
    assert!(matches!(linearise(&apart, &qcn(), &options), Err(NoLoop::Delays(..))));
    let mut full = good.clone();
    full.classes.push(Class { sending: Sending::Constant(Rate::from_gbps(11)), ..good.classes[0].clone() });
    assert_eq!(linearise(&full, &qcn(), &options), Err(NoLoop::NoBandwidth));
}
