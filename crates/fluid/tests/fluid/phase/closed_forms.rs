//! Trajectories in the phase plane compared with closed forms.

use core::f64::consts::PI;

use super::bench::{Bench, close, smcc_plane};
use setpoint_fluid::phase::{Decrease, Notifications, PlaneOptions, RecoveryTarget, Start, Switching};

#[test]
fn the_linearised_decrease_is_the_spiral_of_equation_8() {
    let options = PlaneOptions { decrease: Decrease::Linearised, ..PlaneOptions::default() };
    let plane = Bench::default().qcn(&options);
    let (x0, y0) = (10_000.0, 1e6);
    let lead = plane.lines()[0].excess_part;
    // The damping of part 2 is k lead^2 / 4.
    let k = plane.theorem2(x0, 0.0).unwrap().damping * 4.0 / (lead * lead);
    let (alpha, beta) = (-k * lead / 2.0, (k - k * k * lead * lead / 4.0).sqrt());
    // The trajectory ends before it reaches the line.
    let until = 0.5 / beta;
    let course = plane.trajectory(Start::at(x0, y0), Switching::Immediate, until);
    assert!(course.crossings.is_empty());
    // u = A e^{at} cos(bt + psi) with u(0) = x0 and u'(0) = y0.
    let (cosine, sine) = (x0, (alpha * x0 - y0) / beta);
    for (index, time) in course.time_s.iter().enumerate() {
        let (turn, decay) = (beta * time, (alpha * time).exp());
        let u = decay * (cosine * turn.cos() - sine * turn.sin());
        let v = alpha * u - beta * decay * (cosine * turn.sin() + sine * turn.cos());
        close(course.offset[index], u, 1e-9);
        assert!((course.excess[index] - v).abs() <= 1e-9 * y0, "{} is not {v}", course.excess[index]);
    }
}

#[test]
fn state_a_keeps_to_an_ellipse() {
    let plane = smcc_plane(256, 64);
    let a1 = plane.coefficients().unwrap().a1;
    let quarter = PI / 2.0 / a1.sqrt();
    let course = plane.trajectory(Start::at(0.0, 1e7), Switching::Immediate, 0.999 * quarter);
    for (x, y) in course.offset.iter().zip(&course.excess) {
        close(a1 * x * x + y * y, 1e14, 1e-9);
    }
    close(course.end().0, 1e7 / a1.sqrt(), 1e-5);
}

#[test]
fn state_b_keeps_to_straight_lines() {
    let plane = smcc_plane(64, 640);
    let b2 = plane.coefficients().unwrap().b2;
    let course = plane.trajectory(Start::at(40_000.0, -1e7), Switching::Immediate, 0.002);
    for (time, (x, y)) in course.time_s.iter().zip(course.offset.iter().zip(&course.excess)) {
        assert!((y + 1e7 + b2 * (x - 40_000.0)).abs() < 1e-3);
        close(*y, -1e7 * (-b2 * time).exp(), 1e-9);
    }
}

#[test]
fn recovery_is_exponential() {
    let plane = Bench::default().qcn(&PlaneOptions::default());
    let cycle = plane.cycle().unwrap();
    let (x0, y0, target) = (-60_000.0, -2e6, -1e6);
    let start = Start::at(x0, y0).with_target(target);
    let course = plane.trajectory(start, Switching::Immediate, 4.0 * cycle);
    for (time, y) in course.time_s.iter().zip(&course.excess) {
        close(*y, target + (y0 - target) * (-time / (2.0 * cycle)).exp(), 1e-9);
    }
}

#[test]
fn active_increase_is_that_of_equation_15() {
    let plane = Bench::default().qcn(&PlaneOptions::default());
    let cycle = plane.cycle().unwrap();
    let (y0, target) = (-4e6, -3e6);
    let start = Start::at(-64_000.0, y0).with_target(target);
    let course = plane.trajectory(start, Switching::Immediate, 7.0 * cycle);
    let begun = target + (y0 - target) * (-2.5_f64).exp();
    // y' = (target + 2 N R_AI t / T - y) / T from five cycles on, with an R_AI of 1 Mb/s for each of the two
    // sources.
    let slope = 2.0 * (2.0 * 1e6 / 8.0 / 1.02) / cycle;
    let t = 2.0 * cycle;
    let expected = target + slope * (t - cycle) + (begun - target + slope * cycle) * (-t / cycle).exp();
    close(course.end().1, expected, 1e-8);
}

#[test]
fn sliding_decays_with_the_samples_over_the_weight() {
    let plane = Bench { cycle: 30_000, ..Bench::default() }.qcn(&PlaneOptions::default());
    let rate = plane.samples_per_s() / 2.0;
    let (x0, y0) = (20_000.0, -20_000.0 * rate);
    let course = plane.trajectory(Start::at(x0, y0).with_target(5e6), Switching::Immediate, 0.02);
    assert_eq!(course.sliding.len(), 1);
    close(course.time_sliding(), 0.02, 1e-12);
    for (time, x) in course.time_s.iter().zip(&course.offset) {
        close(*x, x0 * (-rate * time).exp(), 1e-10);
    }
}

#[test]
fn crossings_are_located_as_exactly_as_steps_are() {
    // Across both lines: the crossing times follow from the closed forms of both states.
    let plane = smcc_plane(627, 64);
    let coefficients = plane.coefficients().unwrap();
    let (omega, b2) = (coefficients.a1.sqrt(), coefficients.b2);
    let delay = 1.2 * coefficients.border_delay();
    let course = plane.trajectory(Start::at(0.0, 1e6), Switching::Delayed(delay), 0.1);
    let turn = course.crossings.iter().find(|(_, line)| *line == 1).unwrap().0;
    close(turn, PI / 2.0 / omega, 1e-8);
    let passes = course.crossings.iter().find(|(time, line)| *line == 0 && *time > turn).unwrap().0;
    let x1 = 1e6 / omega;
    let (x, y) = (x1 * (omega * delay).cos(), -omega * x1 * (omega * delay).sin());
    // From (x, y) to x = 0 along the line of slope -b2.
    let crossing = (y / (y + b2 * x)).ln() / b2;
    close(passes, turn + delay + crossing, 1e-8);
}

#[test]
fn bcn_crosses_its_line_and_never_slides() {
    let plane = Bench::default().bcn();
    assert!(plane.sliding_segments(None).is_empty());
    let course = plane.trajectory(Start::at(60_000.0, 5e7), Switching::Immediate, 0.5);
    assert!(course.sliding.is_empty() && course.crossings.len() > 2, "{:?}", course.crossings);
}

#[test]
fn without_delay_smcc_stays_where_it_first_turns() {
    let plane = smcc_plane(256, 64);
    let omega = plane.coefficients().unwrap().a1.sqrt();
    let course = plane.trajectory(Start::at(0.0, 1e7), Switching::Immediate, 0.1);
    close(course.rest(0.05, 1e-6).unwrap(), 1e7 / omega, 1e-9);
    let turn = PI / 2.0 / omega;
    close(course.time_sliding(), 0.1 - turn, 1e-6);
}

#[test]
fn queues_and_rates_are_held() {
    let plane = Bench::default().qcn(&PlaneOptions::default());
    let window = plane.window();
    let course = plane.trajectory(Start::at(60_000.0, window.excess.1), Switching::Immediate, 0.3);
    assert!(course.offset.iter().zip(&course.excess).all(|(x, y)| window.contains((*x, *y))));
    let full: Vec<usize> =
        (0..course.offset.len()).filter(|at| course.offset[*at] == window.offset.1).collect();
    assert!(full.len() > 10, "the buffer is full for a while");
    // It falls as soon as the rates are below the link rate, and not before.
    assert!(full.iter().all(|at| course.excess[*at] >= -1e-6 * window.excess.1));
    let after = full.last().unwrap() + 1;
    assert!(course.excess[after] < 0.0);
}

#[test]
fn a_full_queue_has_no_difference() {
    // F = x while the queue is held, so the decrease of both sources begins as G x p (A + y)^2 / N.
    let plane = Bench::default().qcn(&PlaneOptions::default());
    let window = plane.window();
    let course = plane.trajectory(Start::at(64_000.0, window.excess.1), Switching::Immediate, 1e-5);
    let rates = plane.available() + window.excess.1;
    let gain = 63.0 / 128.0 / (5.0 * 64_000.0);
    let slope = -gain * 64_000.0 * rates * rates / 100_000.0 / 2.0;
    close((course.end().1 - window.excess.1) / 1e-5, slope, 1e-2);
}

#[test]
fn an_empty_queue_of_smcc_is_left() {
    let plane = smcc_plane(256, 64);
    let start = Start::at(-64_000.0, plane.window().excess.0);
    let course = plane.trajectory(start, Switching::Immediate, 1.0);
    assert!(course.end().1.abs() < 1e-3, "{:?}", course.end());
    // y' = -a1 x with x = -q0 until the rates reach the link rate.
    let up = -plane.window().excess.0 / (plane.coefficients().unwrap().a1 * 64_000.0);
    close(course.excess_at(up / 2.0), plane.window().excess.0 / 2.0, 1e-9);
}

#[test]
fn the_target_of_the_papers_wording_never_slides() {
    let bench = Bench { cycle: 30_000, ..Bench::default() };
    let time_sliding = |target| {
        let plane = bench.qcn(&PlaneOptions { target, ..PlaneOptions::default() });
        let course = plane.trajectory(Start::at(30_000.0, 2e7), Switching::Immediate, 0.5);
        assert!(!course.crossings.is_empty());
        course.time_sliding()
    };
    assert!(time_sliding(RecoveryTarget::LatestMessage) < 1e-6);
    assert!(time_sliding(RecoveryTarget::DescentBegan) > 0.4);
}

#[test]
fn a_delay_chatters_along_the_line() {
    let plane = Bench { cycle: 30_000, ..Bench::default() }.qcn(&PlaneOptions::default());
    let line = plane.lines()[0];
    let (x0, target) = (30_000.0, 5e6);
    let start = Start::at(x0, line.excess_at(x0).unwrap()).with_target(target);
    // The distance from the line, in bytes of feedback, and from the motion without delay, in bytes of queue.
    let strays = |delay: f64| {
        let slides = plane.trajectory(start, Switching::Immediate, 4e-3);
        let course = plane.trajectory(start, Switching::Delayed(delay), 4e-3);
        assert!(course.sliding.is_empty() && slides.sliding.len() == 1);
        let largest = |of: &dyn Fn(usize) -> f64| (0..course.time_s.len()).map(of).fold(0.0, f64::max);
        let from_line = largest(&|at| (course.offset[at] + line.excess_part * course.excess[at]).abs());
        (from_line, largest(&|at| (course.offset[at] - slides.offset_at(course.time_s[at])).abs()))
    };
    let (long, short) = (strays(40e-6), strays(4e-6));
    assert!(short.0 < long.0 / 2.0 && short.1 < long.1 / 2.0, "{short:?} and {long:?}");
    assert!(short.1 < 0.02 * x0, "{short:?}");
}

#[test]
fn both_notification_options_agree_for_a_single_source() {
    let damping = |notifications, sources| {
        let options = PlaneOptions { notifications, ..PlaneOptions::default() };
        Bench { sources, ..Bench::default() }.qcn(&options).theorem2(1.0, 0.0).unwrap().damping
    };
    close(damping(Notifications::PerSource, 1), damping(Notifications::EverySample, 1), 1e-12);
    close(4.0 * damping(Notifications::PerSource, 4), damping(Notifications::EverySample, 4), 1e-12);
}

#[test]
fn trajectories_can_be_queried_and_thinned() {
    let plane = smcc_plane(256, 64);
    let course = plane.trajectory(Start::at(0.0, 1e7), Switching::Delayed(1e-4), 0.2);
    let thin = course.thinned((64_000.0, 1e7));
    assert!(thin.time_s.len() * 5 < course.time_s.len(), "{} of {}", thin.time_s.len(), course.time_s.len());
    assert_eq!((thin.end(), thin.offset[0]), (course.end(), 0.0));
    let time = course.time_s[100];
    assert_eq!((course.offset_at(time), course.excess_at(time)), (course.offset[100], course.excess[100]));
    assert_eq!(course.offset_at(9.0), course.end().0);
    assert!(course.rest(0.0, 1.0).is_none() && course.range_from(9.0).is_none());
    let turn = course.crossings.iter().find(|(_, line)| *line == 1).unwrap().0;
    let reached = course.reaches_balance(1e-3).unwrap();
    assert!((reached - turn).abs() < 1e-9, "{reached} and {turn}");
}

#[test]
fn lines_are_cut_at_the_window() {
    let plane = Bench::default().qcn(&PlaneOptions::default());
    let window = plane.window();
    let [from, to] = plane.lines()[0].across(&window).unwrap();
    assert!(window.contains(from) && window.contains(to));
    close(to.0, 64_000.0, 1e-12);
    close(to.1, -32_000.0 * plane.samples_per_s(), 1e-12);
    let [low, high] = smcc_plane(256, 64).lines()[0].across(&window).unwrap();
    assert_eq!((low, high), ((0.0, window.excess.0), (0.0, window.excess.1)));
    // Two stages with a threshold that no rate reaches.
    let mut far = Bench::default().two_stage().lines()[2];
    far.level = 2.0 * window.excess.1;
    assert_eq!(far.across(&window), None);
}
