//! Properties of solutions of random systems.

use proptest::prelude::*;
use setpoint_fluid::dde::{Bounds, Initial, Moment, Options, Solution, System, Tolerance, solve};

const DIMENSION: usize = 3;

/// `x' = -D x + A x + B x(t - d1) + C x(t - d2)` where `D` dominates the rows of the other matrices: no state
/// ever exceeds the largest earlier one (in the maximum norm), regardless of the delays.
#[derive(Clone, Debug)]
struct Dominated {
    now: [[f64; DIMENSION]; DIMENSION],
    delayed: [[[f64; DIMENSION]; DIMENSION]; 2],
    delays: [f64; 2],
    surplus: f64,
    bounds: Bounds,
}

impl Dominated {
    fn weight(&self, row: usize) -> f64 {
        let rows = [&self.now[row], &self.delayed[0][row], &self.delayed[1][row]];
        self.surplus + rows.into_iter().flatten().map(|entry| entry.abs()).sum::<f64>()
    }
}

impl System for Dominated {
    fn dimension(&self) -> usize {
        DIMENSION
    }

    fn delays(&self) -> &[f64] {
        &self.delays
    }

    fn slope(&self, moment: &Moment<'_>, slope: &mut [f64]) {
        for (row, slope) in slope.iter_mut().enumerate() {
            *slope = -self.weight(row) * moment.state[row];
            for column in 0..DIMENSION {
                *slope += self.now[row][column] * moment.state[column];
                for delay in 0..2 {
                    *slope += self.delayed[delay][row][column] * moment.delayed(delay, column);
                }
            }
        }
    }

    fn bounds(&self, component: usize) -> Bounds {
        if component == 0 { self.bounds } else { Bounds::NONE }
    }
}

fn matrix() -> impl Strategy<Value = [[f64; DIMENSION]; DIMENSION]> {
    prop::array::uniform3(prop::array::uniform3(-2.0..2.0))
}

fn dominated() -> impl Strategy<Value = Dominated> {
    let delays = prop::array::uniform2(0.05..1.0);
    (matrix(), prop::array::uniform2(matrix()), delays, 0.1..1.0).prop_map(
        |(now, delayed, delays, surplus)| Dominated { now, delayed, delays, surplus, bounds: Bounds::NONE },
    )
}

fn states() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-1.0..1.0, DIMENSION)
}

fn solved(system: &Dominated, state: &[f64], tolerance: f64) -> Solution {
    let options = Options::new(3.0, Tolerance::new(tolerance, tolerance));
    solve(system, &Initial::constant(state.to_vec()), &options).expect("it is solvable")
}

fn fine_times() -> impl Iterator<Item = f64> {
    (0..=1500).map(|index| f64::from(index) * 0.002)
}

fn worst(one: &Solution, other: &Solution) -> f64 {
    let pairs = fine_times().flat_map(|time| (0..DIMENSION).map(move |component| (time, component)));
    pairs
        .map(|(time, component)| (one.at(time, component) - other.at(time, component)).abs())
        .fold(0.0, f64::max)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn a_dominated_system_never_outgrows_its_start(system in dominated(), state in states()) {
        let largest = state.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
        let solution = solved(&system, &state, 1e-7);
        for time in fine_times() {
            for component in 0..DIMENSION {
                prop_assert!(solution.at(time, component).abs() <= largest + 1e-6);
            }
        }
    }

    #[test]
    fn ends_of_steps_are_on_the_dense_solution_and_times_rise(system in dominated(), state in states()) {
        let solution = solved(&system, &state, 1e-6);
        prop_assert!(solution.times().windows(2).all(|pair| pair[0] < pair[1]));
        prop_assert_eq!(solution.end(), 3.0);
        for (step, time) in solution.times().iter().enumerate() {
            for component in 0..DIMENSION {
                prop_assert_eq!(solution.at(*time, component), solution.state(step)[component]);
            }
        }
    }

    #[test]
    fn the_error_follows_the_tolerance(system in dominated(), state in states()) {
        let exact = solved(&system, &state, 1e-12);
        let [coarse, fine] = [1e-5, 5e-6].map(|tolerance| worst(&solved(&system, &state, tolerance), &exact));
        prop_assert!(coarse <= 1e-3, "an error of {coarse:e}");
        prop_assert!(fine <= 3.0 * coarse + 1e-9, "half the tolerance reduces {coarse:e} to {fine:e}");
        prop_assert!(worst(&solved(&system, &state, 1e-9), &exact) <= 1e-6);
    }

    #[test]
    fn a_bounded_component_stays_within_its_bounds(
        system in dominated(),
        state in states(),
        least in -0.9..-0.01,
        most in 0.01..0.9,
    ) {
        let mut state = state;
        state[0] = state[0].clamp(least, most);
        let system = Dominated { bounds: Bounds { least, most }, ..system };
        let solution = solved(&system, &state, 1e-7);
        for step in 0..=solution.steps() {
            prop_assert!((least..=most).contains(&solution.state(step)[0]));
        }
        for time in fine_times() {
            let value = solution.at(time, 0);
            prop_assert!(value >= least - 1e-12 && value <= most + 1e-12, "{value} at {time}");
        }
    }

    #[test]
    fn the_same_system_gives_the_same_bits(system in dominated(), state in states()) {
        let [one, other] = [0, 1].map(|_| solved(&system, &state, 1e-6));
        prop_assert_eq!(one.times(), other.times());
        prop_assert_eq!(one.state(one.steps()), other.state(other.steps()));
    }
}
