//! Components at their bounds, compared with solutions found by hand.

use setpoint_fluid::dde::{Bound, EventKind, Initial, Options, Tolerance, solve};

use crate::equations::{Equations, assert_close, options, times_of};

/// A queue `q' = r - 1`, where `r'` is -1 and, from time 4 on, +1; `q` is bounded by zero and `most`.
fn queue(most: f64) -> Equations<'static> {
    let equations = Equations::new(2, |moment, slope| {
        slope[0] = moment.state[1] - 1.0;
        slope[1] = if moment.time < 4.0 { -1.0 } else { 1.0 };
    });
    equations.bounded(0, 0.0, most).jumping_at(&[4.0])
}

#[test]
fn a_queue_runs_empty_waits_fills_and_is_full() {
    // r = 2 - t to 4, then -2 + (t - 4). q = 1/2 + t - t^2/2 is empty at 1 + sqrt 2; r = 1 again at 7, and from
    // then on q = (t - 7)^2 / 2, which is 2 at 9.
    let solution = solve(&queue(2.0), &Initial::constant(vec![0.5, 2.0]), &options(10.0)).unwrap();
    let empty = 1.0 + 2.0_f64.sqrt();
    let kinds = [
        (empty, EventKind::Reached { component: 0, bound: Bound::Least }),
        (4.0, EventKind::Jump),
        (7.0, EventKind::Released { component: 0, bound: Bound::Least }),
        (9.0, EventKind::Reached { component: 0, bound: Bound::Most }),
    ];
    assert_eq!(solution.events().len(), kinds.len(), "{:?}", solution.events());
    for (event, (time, kind)) in solution.events().iter().zip(kinds) {
        assert_eq!(event.kind, kind);
        assert_close(event.time, time, 1e-10, "the time of an event");
    }
    for index in 0..=1000 {
        let time = f64::from(index) * 0.01;
        let expected = match time {
            time if time <= empty => 0.5 + time - 0.5 * time * time,
            time if time <= 7.0 => 0.0,
            time if time <= 9.0 => 0.5 * (time - 7.0) * (time - 7.0),
            _ => 2.0,
        };
        assert_close(solution.at(time, 0), expected, 1e-10, "the queue");
    }
    assert_eq!(solution.at(5.5, 0).to_bits(), 0.0_f64.to_bits(), "held exactly at the bound");
    assert_eq!(solution.at(9.5, 0).to_bits(), 2.0_f64.to_bits(), "held exactly at the bound");
}

#[test]
fn a_component_that_starts_on_its_bound_is_held_or_not_by_its_slope() {
    let held = solve(&queue(2.0), &Initial::constant(vec![0.0, 0.5]), &options(3.0)).unwrap();
    assert_eq!(held.at(3.0, 0).to_bits(), 0.0_f64.to_bits());
    assert!(held.events().is_empty(), "{:?}", held.events());
    let free = solve(&queue(2.0), &Initial::constant(vec![0.0, 2.0]), &options(1.5)).unwrap();
    assert_close(free.at(1.0, 0), 0.5, 1e-12, "the queue rises from its bound");
}

/// Components that fall and rise again, `q' = t - turn`, each bounded below by zero and released at its own turn.
fn parallel(turns: &[f64]) -> Equations<'_> {
    let equations = Equations::new(turns.len(), move |moment, slope| {
        for (slope, turn) in slope.iter_mut().zip(turns) {
            *slope = moment.time - turn;
        }
    });
    (0..turns.len()).fold(equations, |system, component| system.bounded(component, 0.0, f64::INFINITY))
}

#[test]
fn several_components_are_held_at_once_and_reach_their_bounds_together() {
    let turns = vec![3.0, 4.0, 4.0];
    let starts = vec![1.0, 2.0, 2.0];
    let system = parallel(&turns);
    let solution = solve(&system, &Initial::constant(starts.clone()), &options(6.0)).unwrap();
    assert_eq!(solution.events().len(), 6, "{:?}", solution.events());
    for (component, (turn, start)) in turns.iter().zip(&starts).enumerate() {
        let empty = turn - (turn * turn - 2.0 * start).sqrt();
        let reached = times_of(&solution, EventKind::Reached { component, bound: Bound::Least });
        let released = times_of(&solution, EventKind::Released { component, bound: Bound::Least });
        assert_close(reached[0], empty, 1e-10, "reached");
        assert_close(released[0], *turn, 1e-10, "released");
        for time in (0..600).map(|index| f64::from(index) * 0.01) {
            let expected = match time {
                time if time < empty => start - turn * time + 0.5 * time * time,
                time if time < *turn => 0.0,
                _ => 0.5 * (time - turn) * (time - turn),
            };
            assert_close(solution.at(time, component), expected, 1e-10, "a component");
        }
    }
}

#[test]
fn a_component_that_dips_below_its_bound_within_a_step_is_caught() {
    // t^2 / 2 - 3 t + 4.4999 is below zero only for 0.03 s around 3 s.
    let (start, turn) = (4.4999, 3.0_f64);
    let loose = Options { first_step: Some(1.0), ..Options::new(6.0, Tolerance::new(1e-2, 1e-2)) };
    let solution = solve(&parallel(&[turn]), &Initial::constant(vec![start]), &loose).unwrap();
    let kinds: Vec<_> = solution.events().iter().map(|event| event.kind).collect();
    let bound = Bound::Least;
    assert_eq!(
        kinds,
        [EventKind::Reached { component: 0, bound }, EventKind::Released { component: 0, bound }]
    );
    assert_close(solution.events()[0].time, turn - (turn * turn - 2.0 * start).sqrt(), 1e-10, "reached");
    // The slack of a release: a thousandth of the tolerance divided by the longest step of 6 s.
    assert_close(solution.events()[1].time, turn, 1e-3 * 1e-2 / 6.0 + 1e-10, "released");
}

/// `y' = -y(t - 1)` with `y` at least -1/4.
fn bounded_equation() -> Equations<'static> {
    Equations::new(1, |moment, slope| slope[0] = -moment.delayed(0, 0)).delayed(1.0).bounded(0, -0.25, 1.0)
}

/// By the method of steps from the history one: `1 - t`, then `(t - 2)^2 / 2 - 1/2` down to the bound at `2 -
/// sqrt(1/2)`; released at 2, a delay after `y` was zero; the effect of the bound recurs a delay later.
fn bounded_retarded(time: f64) -> f64 {
    let reached = 2.0 - 0.5_f64.sqrt();
    let rise = |s: f64| 0.5 * s - ((s - 1.0).powi(3) + 1.0) / 6.0;
    match time {
        t if t <= 1.0 => 1.0 - t,
        t if t <= reached => 0.5 * (t - 2.0) * (t - 2.0) - 0.5,
        t if t <= 2.0 => -0.25,
        t if t <= reached + 1.0 => -0.25 + rise(t - 2.0),
        t if t <= 3.0 => -0.25 + rise(reached - 1.0) + 0.25 * (t - reached - 1.0),
        t => {
            let s = t - 3.0;
            let fall = 0.25 * s * s - (((s - 1.0).powi(4) - 1.0) / 4.0 + s) / 6.0;
            bounded_retarded(3.0) + 0.25 * s - fall
        }
    }
}

#[test]
fn a_bounded_retarded_equation_is_the_one_solved_by_hand() {
    let until = 4.0 - 0.5_f64.sqrt();
    let solution = solve(&bounded_equation(), &Initial::constant(vec![1.0]), &options(until)).unwrap();
    let bound = Bound::Least;
    let reached = times_of(&solution, EventKind::Reached { component: 0, bound });
    let released = times_of(&solution, EventKind::Released { component: 0, bound });
    assert_close(reached[0], 2.0 - 0.5_f64.sqrt(), 1e-10, "reached");
    assert_close(released[0], 2.0, 1e-10, "released");
    for index in 0..=10_000 {
        let time = until * f64::from(index) / 10_000.0;
        assert_close(solution.at(time, 0), bounded_retarded(time), 1e-9, "the solution");
    }
    let back =
        solution.times().iter().map(|time| (time - reached[0] - 1.0).abs()).fold(f64::INFINITY, f64::min);
    assert!(back < 1e-12, "no step ends a delay after the bound was reached; the nearest is {back} off");
}

/// A queue fed by many rates that rise from below to above its service rate, whose sum is subject to rounding.
fn many_rates(count: usize) -> Equations<'static> {
    let equations = Equations::new(count + 1, |moment, slope| {
        slope[0] = moment.state[1..].iter().sum::<f64>() - 833_333.3;
        slope[1..].fill(228_546.123);
    });
    equations.bounded(0, 0.0, 100.0)
}

#[test]
fn a_release_is_not_lost_to_rounding() {
    let count = 50;
    let mut state = vec![16_000.1; count + 1];
    state[0] = 0.0;
    let rate = 50.0 * 228_546.123;
    let expected = (833_333.3 - 50.0 * 16_000.1) / rate;
    let scales: Vec<f64> = std::iter::once(10.0).chain(std::iter::repeat_n(1e5, count)).collect();
    for options in [Options::new(0.005, Tolerance::scaled(1e-8, &scales)), Options::fixed(0.005, 1e-4)] {
        let solution = solve(&many_rates(count), &Initial::constant(state.clone()), &options).unwrap();
        let kinds: Vec<_> = solution.events().iter().map(|event| event.kind).collect();
        assert_eq!(
            kinds,
            [EventKind::Released { component: 0, bound: Bound::Least }],
            "{:?}",
            solution.events()
        );
        assert_close(solution.events()[0].time, expected, 1e-9, "released");
        let late = 0.005 - expected;
        assert_close(solution.at(0.005, 0), 0.5 * rate * late * late, 1e-5, "the queue afterwards");
    }
}

/// A slope that decays while it oscillates around zero: `q' = exp(-t / 4) cos t - 5 q`.
fn dying_out() -> Equations<'static> {
    let equations = Equations::new(1, |moment, slope| {
        slope[0] = (-0.25 * moment.time).exp() * moment.time.cos() - 5.0 * moment.state[0];
    });
    equations.bounded(0, 0.0, 100.0)
}

#[test]
fn a_slope_too_small_to_matter_does_not_release_a_component() {
    // The slack is 1e-3 of 1e-8 in 0.5 s, or 2e-11; exp(-t / 4) has fallen to this value at 98.5 s. Until then
    // there are two events in every period of 2 pi.
    let options = Options { longest_step: Some(0.5), ..Options::new(200.0, Tolerance::scaled(1e-8, &[1.0])) };
    let solution = solve(&dying_out(), &Initial::constant(vec![0.0]), &options).unwrap();
    let last = solution.events().last().expect("it is released at first");
    assert!((85.0..105.0).contains(&last.time), "{last:?}");
    assert!((27..34).contains(&solution.events().len()), "{} events", solution.events().len());
    assert_eq!(solution.at(200.0, 0).to_bits(), 0.0_f64.to_bits());
}
