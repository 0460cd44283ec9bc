//! The equilibrium around which a loop is linearised: which sources take part, and when there is no equilibrium.

use crate::support::{bottleneck, parameters, qcn};
use setpoint_control::qcn;
use setpoint_fluid::linear::{NoLoop, linearise};
use setpoint_fluid::{Bottleneck, Class, ModelOptions, Scheme, Sending};
use setpoint_units::{Bytes, Rate, TimeDelta};

const DELAY: TimeDelta = TimeDelta::from_micros(50);

/// One source without a limit and others in a modified class.
fn beside(others: u32, change: impl FnOnce(&mut Class)) -> Bottleneck {
    let mut bottleneck = bottleneck(1, DELAY);
    let mut class = Class { name: "others".to_owned(), sources: others, ..bottleneck.classes[0].clone() };
    change(&mut class);
    bottleneck.classes.push(class);
    bottleneck
}

fn margin(bottleneck: &Bottleneck, scheme: &Scheme) -> Result<f64, NoLoop> {
    Ok(linearise(bottleneck, scheme, &ModelOptions::default())?.margin().unwrap().delay_s)
}

#[test]
fn sources_held_at_their_line_rates_take_no_part_in_the_loop() {
    let rate = Rate::from_mbps(100);
    let held = beside(9, |class| class.line_rate = rate);
    let constant = beside(9, |class| class.sending = Sending::Constant(rate));
    let (held, constant) = (margin(&held, &qcn()).unwrap(), margin(&constant, &qcn()).unwrap());
    assert!((held / constant - 1.0).abs() < 1e-9, "{held} s, not {constant} s");
    // The delay of these sources has no effect either.
    let far = beside(9, |class| (class.line_rate, class.delay) = (rate, DELAY + DELAY));
    assert_eq!(margin(&far, &qcn()), Ok(held));
}

#[test]
fn sources_that_the_link_can_carry_have_no_loop() {
    let mut slow = bottleneck(4, DELAY);
    slow.classes[0].line_rate = Rate::from_gbps(2);
    assert!(margin(&slow, &qcn()).is_err());
}

#[test]
fn a_share_below_the_minimum_rate_has_no_loop() {
    assert!(margin(&bottleneck(1_000, DELAY), &qcn()).is_ok());
    // 10 Gb/s divided among 100000 sources is 100 kb/s each, but no source sends below 5 Mb/s.
    assert!(margin(&bottleneck(100_000, DELAY), &qcn()).is_err());
}

#[test]
fn a_queue_that_does_not_fit_into_its_buffer_has_no_loop() {
    let mut shallow = bottleneck(10, DELAY);
    shallow.buffer = Bytes::new(20_000);
    assert!(margin(&shallow, &qcn()).is_err());
}

#[test]
fn a_feedback_beyond_its_range_has_no_loop() {
    // Samples are so rare that, between two of them, the rates of fifty sources rise by more than
    // the largest cut removes.
    let mut params: qcn::Params = parameters();
    params.cp.sample_base = Bytes::new(15_000_000);
    assert!(margin(&bottleneck(50, DELAY), &Scheme::Qcn(params)).is_err());
}

#[test]
fn weights_that_differ_have_no_loop_of_equal_shares() {
    let scheme = Scheme::AfQcn(parameters(), setpoint_control::af_qcn::Params::default());
    assert!(margin(&beside(1, |_| ()), &scheme).is_ok());
    let heavy = beside(1, |class| class.sending = Sending::Controlled { weight: 4 });
    assert!(margin(&heavy, &scheme).is_err());
    // Without the AF controller weights have no effect.
    assert!(margin(&heavy, &qcn()).is_ok());
}
