//! Delay margins compared with an independently computed table, and with each other.

use crate::support::{bottleneck, qcn};
use setpoint_fluid::linear::{Loop, linearise};
use setpoint_fluid::{Increase, ModelOptions};
use setpoint_units::TimeDelta;

/// N, and in microseconds: exact margin, sufficient bound, bound without averaging, exact margin as printed.
const TABLE: [(u32, f64, f64, f64, f64); 6] = [
    (1, 159.0, 147.0, 132.0, 144.0),
    (2, 211.0, 201.0, 176.0, 208.0),
    (4, 250.0, 244.0, 206.0, 254.0),
    (10, 284.0, 281.0, 226.0, 289.0),
    (20, 299.0, 297.0, 233.0, 302.0),
    (50, 309.0, 308.0, 237.0, 310.0),
];

fn of(sources: u32, increase: Increase) -> Loop {
    let options = ModelOptions { increase, ..ModelOptions::default() };
    linearise(&bottleneck(sources, TimeDelta::ZERO), &qcn(), &options).unwrap()
}

#[test]
fn margins_match_the_table_to_a_microsecond() {
    for (sources, exact, bound, without, printed) in TABLE {
        let at_source = of(sources, Increase::AtSource);
        let bounds = at_source.bound().unwrap();
        let found = [
            at_source.margin().unwrap().delay_s,
            bounds.delay_s,
            bounds.without_averaging_s,
            of(sources, Increase::AsPrinted).margin().unwrap().delay_s,
        ];
        for (found, expected) in found.iter().zip([exact, bound, without, printed]) {
            assert!(
                (found * 1e6 - expected).abs() <= 1.0,
                "N = {sources}: {found} s, expected {expected} us"
            );
        }
    }
}

#[test]
fn the_bound_is_below_the_margin() {
    for sources in 1..=200 {
        let of = of(sources, Increase::AtSource);
        let (margin, bound) = (of.margin().unwrap().delay_s, of.bound().unwrap());
        assert!(bound.delay_s < margin && bound.without_averaging_s < bound.delay_s, "N = {sources}");
    }
}

#[test]
fn roots_cross_the_axis_at_the_margin() {
    for increase in [Increase::AtSource, Increase::AsPrinted] {
        for sources in [1, 3, 10, 50] {
            let of = of(sources, increase);
            let margin = of.margin().unwrap();
            assert_eq!(of.unstable_roots(0.999 * margin.delay_s), 0);
            assert_eq!(of.unstable_roots(1.001 * margin.delay_s), 2);
            let root = of.dominant(margin.delay_s).unwrap();
            assert!(root.growth_per_s.abs() < 1e-6 * margin.crossover_rad_per_s, "{root:?}");
            assert!((root.frequency_rad_per_s / margin.crossover_rad_per_s - 1.0).abs() < 1e-6, "{root:?}");
        }
    }
}

#[test]
fn the_slowest_mode_agrees_with_the_count_of_unstable_roots() {
    for sources in [1, 2, 5, 20] {
        let of = of(sources, Increase::AtSource);
        for micros in [0.0, 50.0, 140.0, 180.0, 260.0, 320.0, 500.0, 1_000.0] {
            let (root, count) = (of.dominant(micros * 1e-6).unwrap(), of.unstable_roots(micros * 1e-6));
            assert_eq!(root.growth_per_s > 0.0, count > 0, "N = {sources}, {micros} us: {root:?}, {count}");
        }
    }
}
