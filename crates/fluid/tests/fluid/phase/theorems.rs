//! Theorems 1 to 3 of the SMCC paper compared with trajectories.

use core::f64::consts::PI;

use super::bench::{Bench, close, smcc_plane};
use proptest::prelude::*;
use setpoint_fluid::phase::{Plane, PlaneOptions, RecoveryTarget, Settling, Start, Switching};

#[test]
fn the_sliding_segment_of_qcn_is_that_of_theorem_2() {
    let plane = Bench::default().qcn(&PlaneOptions::default());
    let target = 2e6;
    let (least, most) = plane.sliding_offsets(target).unwrap();
    let segments = plane.sliding_segments(Some(target));
    assert_eq!(segments.len(), 1);
    assert!(least.abs() < 1e-9 && segments[0].ends[0].0.abs() < 1e-6, "{segments:?}");
    close(segments[0].ends[1].0, most, 1e-9);
    assert_eq!(plane.sliding_offsets(-1.0), None);
    assert!(plane.sliding_segments(Some(-1.0)).is_empty());
}

#[test]
fn all_of_the_line_slides_in_smcc() {
    let segments = smcc_plane(256, 64).sliding_segments(None);
    let ends: Vec<f64> = segments.iter().flat_map(|segment| segment.ends).map(|end| end.0).collect();
    assert_eq!((ends.first(), ends.last()), (Some(&-64_000.0), Some(&64_000.0)));
    // The whole line except the origin, where there is no motion.
    let covered: f64 = segments.iter().map(|segment| segment.ends[1].0 - segment.ends[0].0).sum();
    close(covered, 128_000.0, 1e-6);
    assert!(segments.iter().all(|segment| segment.line == 1));
}

#[test]
fn deal_breakers_match_the_closed_form() {
    for (a, b) in [(64, 640), (256, 640), (64, 16), (627, 2000), (1000, 500)] {
        let plane = smcc_plane(a, b);
        let coefficients = plane.coefficients().unwrap();
        let omega = coefficients.a1.sqrt();
        for part in [0.1, 0.9, 0.999, 1.001, 1.1] {
            let delay = part * coefficients.border_delay();
            let until = 3.0 / omega + delay + 20.0 / coefficients.b2;
            // The excess is small enough that neither the queue nor a rate reaches a bound.
            let course = plane.trajectory(Start::at(0.0, 1e5), Switching::Delayed(delay), until);
            let turn = course.crossings.iter().find(|(_, line)| *line == 1).unwrap().0;
            let passes = course.crossings.iter().any(|(time, line)| *line == 0 && *time > turn);
            match coefficients.settling(delay) {
                Settling::Passes => assert!(passes, "R_a {a}, R_b {b}, {part} of the border"),
                Settling::OffSetPoint(landing) => {
                    assert!(!passes, "R_a {a}, R_b {b}, {part} of the border");
                    let x1 = 1e5 / omega;
                    assert!((course.end().0 - landing * x1).abs() < 1e-5 * x1, "{:?}", course.end());
                }
            }
        }
    }
}

#[test]
fn the_border_has_two_closed_forms() {
    let coefficients = smcc_plane(256, 640).coefficients().unwrap();
    let delay = coefficients.border_delay();
    close(coefficients.border_b2(delay).unwrap(), coefficients.b2, 1e-12);
    assert!(coefficients.landing(delay).abs() < 1e-12);
    assert_eq!(coefficients.border_b2(PI / coefficients.a1.sqrt()), None);
    // For a short delay, a1 d = b2.
    close(coefficients.border_b2(1e-6).unwrap(), coefficients.a1 * 1e-6, 1e-6);
}

#[test]
fn scaled_coefficients_match_the_papers_figures() {
    let plane = smcc_plane(256, 64);
    let (a, b) = plane.coefficients().unwrap().scaled(plane.samples_per_s());
    // 256 Mb/s divided by 64 kB, times the 100 kB of a sample, divided by 1 Gb/s.
    close(a, 0.256 * 100.0 / 64.0, 1e-12);
    close(b, 0.064 * 100.0 / 64.0, 1e-12);
}

#[test]
fn remark_2_leads_to_the_line_as_well() {
    let plane = smcc_plane(256, 64);
    let mut coefficients = plane.coefficients().unwrap();
    coefficients.a2 = 100.0;
    coefficients.b1 = -coefficients.a1 / 4.0;
    assert!(coefficients.inequality_30());
    let spiral = plane.with_coefficients(coefficients).unwrap();
    let course = spiral.trajectory(Start::at(0.0, 1e7), Switching::Immediate, 1.0);
    assert!(course.end().1.abs() < 1.0);
    coefficients.b1 = coefficients.a1;
    assert!(!coefficients.inequality_30());
    assert!(Bench::default().bcn().with_coefficients(coefficients).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Theorem 2: from a point on the line, the motion slides if and only if the theorem holds.
    #[test]
    fn theorem_2_predicts_trajectories(
        cycle in 15_000u64..300_000,
        background in 0u64..900,
        sources in 1u32..20,
        weight in -1i8..4,
        offset in 0.01f64..0.99,
        reach in 0.2f64..3.0,
    ) {
        let bench = Bench { cycle, background, sources, weight };
        let plane = bench.qcn(&PlaneOptions::default());
        let x0 = offset * 64_000.0;
        let y0 = plane.lines()[0].excess_at(x0).unwrap();
        prop_assume!(y0 > plane.window().excess.0 && (reach - 1.0).abs() > 1e-6);
        // Targets on both sides of the value at which (24) holds with equality.
        let border = plane.theorem2(x0, 0.0).unwrap().left / plane.theorem2(x0, 1.0).unwrap().right;
        let target = border * reach;
        let says = plane.theorem2(x0, target).unwrap();
        let time = 0.1 / plane.samples_per_s();
        let course = plane.trajectory(Start::at(x0, y0).with_target(target), Switching::Immediate, time);
        // The motion may reach the sliding part of the line later.
        let slides = course.sliding.first().is_some_and(|(from, _)| *from == 0.0);
        prop_assert_eq!(says.inequality_24(), slides);
        match plane.sliding_offsets(target) {
            Some((least, most)) => prop_assert_eq!(says.inequality_24(), (least..=most).contains(&x0)),
            None => prop_assert!(!says.inequality_24()),
        }
        let longest = plane.longest_cycle(x0, target).unwrap();
        prop_assert_eq!(says.inequality_24(), plane.cycle().unwrap() <= longest);
    }

    /// Part 3: below the set point the line is crossed, never followed.
    #[test]
    fn nothing_slides_below_the_set_point(offset in 0.01f64..0.99, target in -1e7f64..1e8) {
        let plane = Bench::default().qcn(&PlaneOptions::default());
        let x0 = -offset * 64_000.0;
        let y0 = plane.lines()[0].excess_at(x0).unwrap();
        let course = plane.trajectory(Start::at(x0, y0).with_target(target), Switching::Immediate, 1e-5);
        prop_assert!(course.sliding.is_empty());
        prop_assert!(!plane.theorem2(x0, target).unwrap().above_set_point());
    }

    /// Theorem 3: every start reaches y = 0 and stays there.
    #[test]
    fn theorem_3_holds_from_everywhere(
        a in 16u64..2_000,
        b in 4u64..2_000,
        offset in -1.0f64..1.0,
        excess in 0.0f64..1.0,
    ) {
        let plane = smcc_plane(a, b);
        let coefficients = plane.coefficients().unwrap();
        prop_assert!(coefficients.inequality_30());
        let window = plane.window();
        let y0 = window.excess.0 + excess * (window.excess.1 - window.excess.0);
        // The time for the rise from the minimum rate at an empty queue, a quarter turn, and the approach in state B.
        let up = -window.excess.0 / (coefficients.a1 * 64_000.0);
        let until = 2.0 * up + 4.0 / coefficients.a1.sqrt() + 40.0 / coefficients.b2;
        let course = plane.trajectory(Start::at(offset * 64_000.0, y0), Switching::Immediate, until);
        prop_assert!(course.end().1.abs() < 1e-4 * window.excess.1, "{:?} after {until} s", course.end());
    }

    /// For any start and delay, the walk ends and stays in the window.
    #[test]
    fn walks_end(
        which in 0usize..4,
        offset in -1.2f64..1.2,
        excess in -1.2f64..1.2,
        delay in prop_oneof![Just(0.0), 1e-7f64..2e-3],
    ) {
        let latest = PlaneOptions { target: RecoveryTarget::LatestMessage, ..PlaneOptions::default() };
        let plane: Plane = match which {
            0 => Bench::default().qcn(&PlaneOptions::default()),
            1 => Bench { background: 875, ..Bench::default() }.qcn(&latest),
            2 => Bench::default().two_stage(),
            _ => Bench::default().bcn(),
        };
        let window = plane.window();
        let start = Start::at(offset * 64_000.0, excess * window.excess.1);
        let course = plane.trajectory(start, Switching::Delayed(delay), 0.1);
        prop_assert_eq!(course.time_s.last().copied(), Some(0.1));
        prop_assert!(course.time_s.windows(2).all(|pair| pair[0] < pair[1]));
        prop_assert!(course.offset.iter().zip(&course.excess).all(|(x, y)| window.contains((*x, *y))));
    }
}

/// Clause 32 halves cycles of hyper-active increase, which the plane does not have.
#[test]
fn by_clause_32_cycles_of_active_increase_are_not_halved() {
    use setpoint_control::parameter::Switch;
    use setpoint_control::qcn::Rules;
    use setpoint_fluid::Scheme;

    let plane = |rules, period_halving| {
        let mut params = Bench::default().qcn_params();
        (params.rp.rules, params.rp.period_halving) = (rules, period_halving);
        Plane::new(&Bench::default().bottleneck(), &Scheme::Qcn(params)).unwrap()
    };
    assert_eq!(plane(Rules::Clause32, Switch::On), plane(Rules::Clause32, Switch::Off));
    assert_ne!(plane(Rules::PseudoCode, Switch::On), plane(Rules::PseudoCode, Switch::Off));
}
