//! The linearisations of the CoNEXT paper, compared with a few of its published margins.

use setpoint_control::parameter::Percent;
use setpoint_fluid::dcqcn::{self, Marking, Red};
use setpoint_fluid::linear::{Linearisation, Loop, linearise_as};
use setpoint_fluid::{Bottleneck, Scheme, timely};
use setpoint_units::{Bytes, Rate, TimeDelta};

fn bottleneck(sources: u32, gbps: u64) -> Bottleneck {
    let mut bottleneck = crate::support::bottleneck(sources, TimeDelta::ZERO);
    bottleneck.frame = Bytes::new(1_000);
    bottleneck.buffer = Bytes::new(100_000_000);
    bottleneck.capacity[0].1 = Rate::from_gbps(gbps);
    bottleneck.classes[0].line_rate = Rate::from_gbps(gbps);
    bottleneck
}

fn dcqcn(sources: u32, mbps: u64, kmax: u64, linearisation: Linearisation) -> Loop {
    let red = Red { kmin: Bytes::new(5_000), kmax: Bytes::new(kmax), largest: Percent::new(1) };
    let params = dcqcn::Params {
        marking: Marking::Red(red),
        active_increase: Rate::from_mbps(mbps),
        ..dcqcn::Params::default()
    };
    linearise_as(&bottleneck(sources, 40), &Scheme::Dcqcn(params), linearisation).unwrap()
}

fn timely(sources: u32, linearisation: Linearisation) -> Loop {
    let scheme = Scheme::Timely(timely::Params::patched());
    linearise_as(&bottleneck(sources, 10), &scheme, linearisation).unwrap()
}

fn degrees(of: &Loop, micros: f64) -> f64 {
    of.wrapped_phase_margin(micros * 1e-6).unwrap().radians.to_degrees()
}

/// Published values: pm_rai40_delay{0,100}.txt, pm_rai10_delay50_kmax1000.txt.
#[test]
fn the_program_for_dcqcn_gives_published_margins() {
    for (sources, mbps, kmax, micros, published) in [
        (4, 40, 200_000, 0.0, 13.407),
        (80, 40, 200_000, 0.0, 50.302),
        (8, 40, 200_000, 100.0, -18.252),
        (4, 10, 1_000_000, 50.0, 63.793),
        (100, 10, 1_000_000, 50.0, 41.703),
    ] {
        let of = dcqcn(sources, mbps, kmax, Linearisation::PublishedCode);
        let margin = degrees(&of, micros);
        assert!((margin - published).abs() < 2e-3, "N = {sources}: {margin} instead of {published}");
    }
}

/// Published values: pm_timely_delay0_fixed.txt. The printed equations have a fourfold gradient.
#[test]
fn the_program_for_timely_gives_published_margins() {
    for (sources, published) in [(2, -1.9535), (10, 28.529), (40, -1.3105), (50, -22.263)] {
        let of = timely(sources, Linearisation::PublishedCode);
        let margin = degrees(&of, of.delay_s * 1e6);
        assert!((margin - published).abs() < 0.02, "N = {sources}: {margin} instead of {published}");
        let exact = timely(sources, Linearisation::Exact);
        assert!((degrees(&exact, exact.delay_s * 1e6) - published).abs() > 5.0, "N = {sources}");
    }
}

/// With few flows, the exact loop differs clearly from the program's at either point of linearisation.
#[test]
fn the_expansion_at_the_approximation_is_a_third_loop() {
    let [exact, approximate, program] =
        [Linearisation::Exact, Linearisation::AtApproximation, Linearisation::PublishedCode]
            .map(|one| degrees(&dcqcn(10, 40, 200_000, one), 50.0));
    assert!((exact - approximate).abs() > 0.1, "{exact} {approximate}");
    assert!((approximate - program).abs() > 0.1, "{approximate} {program}");
}

/// Without wrapping, both definitions agree while the margin is positive and the loop stable.
#[test]
fn wrapped_and_unwrapped_margins_agree_for_stable_loops() {
    let of = dcqcn(4, 40, 200_000, Linearisation::Exact);
    let (wrapped, plain) = (degrees(&of, 30.0), of.phase_margin(30e-6).unwrap().radians.to_degrees());
    assert!((wrapped - plain).abs() < 1e-9, "{wrapped} {plain}");
}
