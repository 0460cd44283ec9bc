//! Inputs without a phase plane, and their error messages.

use super::bench::{Bench, smcc_params};
use setpoint_control::parameter::{Percent, Switch};
use setpoint_control::{af_qcn, aimd, qcn};
use setpoint_fluid::phase::Plane;
use setpoint_fluid::{Bottleneck, Scheme, Sending};
use setpoint_units::{Bytes, Rate, Time};

fn refusal(bottleneck: &Bottleneck, scheme: &Scheme) -> String {
    Plane::new(bottleneck, scheme).expect_err("no plane").to_string()
}

fn qcn_refusal(change: impl FnOnce(&mut qcn::Params)) -> String {
    let mut params = Bench::default().qcn_params();
    change(&mut params);
    refusal(&Bench::default().bottleneck(), &Scheme::Qcn(params))
}

#[test]
fn algorithms_with_more_than_two_coordinates() {
    let bottleneck = Bench::default().bottleneck();
    assert_eq!(
        refusal(&bottleneck, &Scheme::AfQcn(qcn::Params::default(), af_qcn::Params::default())),
        "no phase plane for af-qcn: every class has its own feedback, which depends on its arrivals"
    );
    let mut params = aimd::Params::default();
    params.cp.set_point = Bytes::new(64_000);
    assert!(Plane::new(&bottleneck, &Scheme::Aimd(params)).is_ok());
    params.rp.averaging = aimd::Averaging::On;
    assert_eq!(
        refusal(&bottleneck, &Scheme::Aimd(params)),
        "no phase plane for aimd: with averaging, a rate depends on earlier messages"
    );
}

#[test]
fn parameters_without_a_plane() {
    assert_eq!(
        qcn_refusal(|params| params.rp.byte_counter = Switch::Off),
        "no phase plane for qcn: without a byte counter or timer, a rate never rises"
    );
    assert_eq!(
        qcn_refusal(|params| params.rp.enable = Switch::Off),
        "no phase plane for qcn: its reaction points are disabled"
    );
    assert_eq!(
        qcn_refusal(|params| params.rp.byte_reset = Bytes::ZERO),
        "`rp.byte_reset` is zero; it must be positive"
    );
    assert_eq!(
        qcn_refusal(|params| {
            params.cp.sampling = qcn::Sampling::Fixed;
            params.cp.fixed_probability = Percent::ZERO;
        }),
        "`cp.fixed_probability` is zero; it must be positive"
    );
    assert_eq!(
        qcn_refusal(|params| params.cp.set_point = Bytes::new(128_000)),
        "the set point is 128 kB and the buffer 128 kB; the set point must be above zero and below the buffer"
    );
    assert_eq!(
        qcn_refusal(|params| params.cp.set_point = Bytes::ZERO),
        "the set point is 0 B and the buffer 128 kB; the set point must be above zero and below the buffer"
    );
}

#[test]
fn bottlenecks_without_a_plane() {
    let smcc = Scheme::Smcc(smcc_params(256, 64));
    let mut full = Bench { background: 500, ..Bench::default() }.bottleneck();
    full.classes[1].sources = 2;
    assert_eq!(
        refusal(&full, &smcc),
        "constant traffic of 1000000000 b/s takes the whole link of 1000000000 b/s"
    );
    let mut passing = Bench::default().bottleneck();
    passing.classes[0].stop = Some(Time::from_picos(1));
    assert_eq!(
        refusal(&passing, &smcc),
        "every controlled class stops; a phase plane needs one that never does"
    );
    let mut idle = Bench::default().bottleneck();
    idle.classes[0].sending = Sending::Constant(Rate::from_mbps(1));
    assert_eq!(refusal(&idle, &smcc), "no class of sources is under congestion control");
}

#[test]
fn omissions_are_listed() {
    let bench = Bench::default();
    let plane = |params| Plane::new(&bench.bottleneck(), &Scheme::Qcn(params)).unwrap();
    assert_eq!(
        plane(bench.qcn_params()).leaves_out(),
        ["Feedback is not quantised.", "There is no target rate reduction."]
    );
    let complete = plane(qcn::Params::default());
    assert!(complete.leaves_out().contains(&"There is no timer and therefore no hyper-active increase."));
    assert!(complete.leaves_out().contains(&"The sampling probability does not rise under congestion."));
}

#[test]
fn the_window_is_that_of_queue_and_rates() {
    let plane = Bench { background: 500, ..Bench::default() }.bcn();
    let window = plane.window();
    assert_eq!(window.offset, (-64_000.0, 64_000.0));
    // Two sources between 10 Mb/s and 1 Gb/s; 500 Mb/s is available.
    let megabits = |excess: f64| (plane.excess_bps(excess) / 1e6).round();
    assert_eq!((megabits(window.excess.0), megabits(window.excess.1)), (-480.0, 1500.0));
    assert_eq!(megabits(plane.excess_of_rate(250e6)), 0.0);
}
