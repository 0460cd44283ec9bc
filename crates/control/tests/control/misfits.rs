//! Parameters that are refused: values out of range, and values that do not fit together.

use setpoint_control::parameter::{Percent, Power, Switch};
use setpoint_control::qcn::Sampling;
use setpoint_control::{Algorithm, Params, Window};
use setpoint_units::{Bytes, Rate, TimeDelta};

/// A change that makes the parameters of an algorithm invalid.
type Mistake = (Algorithm, fn(&mut Params));

const REFUSED: &[Mistake] = &[
    (Algorithm::Qcn, |params| params.qcn.rp.time_reset = TimeDelta::ZERO),
    (Algorithm::Qcn, |params| {
        params.qcn.cp.sampling = Sampling::Linear;
        params.qcn.cp.lowest_probability = Percent::new(20);
    }),
    (Algorithm::Qcn, |params| {
        params.qcn.rp.timer = Switch::Off;
        params.qcn.rp.byte_counter = Switch::Off;
    }),
    (Algorithm::AfQcn, |params| params.af_qcn.alpha = Percent::ZERO),
    (Algorithm::AfQcn, |params| params.af_qcn.alpha = Percent::WHOLE),
    (Algorithm::AfQcn, |params| params.af_qcn.interval = TimeDelta::ZERO),
    (Algorithm::AfQcn, |params| params.af_qcn.smoothing = Power::of_two(0)),
    (Algorithm::AfQcn, |params| params.af_qcn.entries = 0),
    (Algorithm::AfQcn, |params| params.af_qcn.entries = 100_000),
    (Algorithm::AfQcn, |params| params.af_qcn.active_threshold = Bytes::new(1_250_000)),
    (Algorithm::Afd, |params| params.afd.set_point = Bytes::ZERO),
    (Algorithm::Afd, |params| params.afd.interval = TimeDelta::ZERO),
    (Algorithm::Afd, |params| params.afd.smoothing = Power::of_two(1)),
    (Algorithm::Afd, |params| params.afd.a1 = Percent::ZERO),
    (Algorithm::Afd, |params| params.afd.a2 = params.afd.a1),
    (Algorithm::Afd, |params| params.afd.entries = 0),
    (Algorithm::Aimd, |params| params.aimd.rp.largest_decrease = Percent::new(101)),
    (Algorithm::Bcn, |params| params.bcn.rp.largest_decrease = Percent::ZERO),
    (Algorithm::Bcn, |params| params.bcn.cp.severe_threshold = Bytes::new(24_000)),
    (Algorithm::Dcqcn, |params| params.dcqcn.rp.window = Window::Rate),
    (Algorithm::Timely, |params| params.timely.rp.window = Window::Fixed),
    (Algorithm::Smcc, |params| params.smcc.cp.sample_base = Bytes::new(10)),
    (Algorithm::Smcc, |params| {
        params.smcc.rp.two_stage = Switch::On;
        params.smcc.rp.state_a_small = Rate::from_gbps(3);
    }),
];

#[test]
fn parameters_that_cannot_be_used_are_refused() {
    let line = Some(Rate::from_gbps(10));
    for algorithm in Algorithm::ALL {
        assert_eq!(algorithm.check(&Params::default(), line), Ok(()), "{algorithm:?}");
    }
    let message = |(algorithm, change): &(Algorithm, fn(&mut Params))| {
        let mut params = Params::default();
        change(&mut params);
        let misfit = algorithm.check(&params, line).expect_err("these parameters cannot be used");
        assert!(misfit.message.contains(&misfit.key));
        format!("{misfit}\n")
    };
    insta::assert_snapshot!(REFUSED.iter().map(message).collect::<String>());
}

/// The minimum and the maximum rate of a reaction point.
type Rates = fn(&mut Params) -> (&mut Rate, &mut Option<Rate>);

/// The rule is common to all reaction points with these rates.
#[test]
fn rates_that_do_not_fit_together_are_refused() {
    let rates: &[(Algorithm, Rates)] = &[
        (Algorithm::Aimd, |params| (&mut params.aimd.rp.min_rate, &mut params.aimd.rp.max_rate)),
        (Algorithm::Bcn, |params| (&mut params.bcn.rp.min_rate, &mut params.bcn.rp.max_rate)),
        (Algorithm::Qcn, |params| (&mut params.qcn.rp.min_rate, &mut params.qcn.rp.max_rate)),
        (Algorithm::Smcc, |params| (&mut params.smcc.rp.min_rate, &mut params.smcc.rp.max_rate)),
    ];
    for (algorithm, rates) in rates {
        let name = algorithm.name();
        let message = |lowest, highest, line| {
            let mut params = Params::default();
            (*rates(&mut params).0, *rates(&mut params).1) = (lowest, highest);
            algorithm.check(&params, Some(line)).expect_err("the rates do not fit together").to_string()
        };
        let (one, two, line) = (Rate::from_gbps(1), Rate::from_gbps(2), Rate::from_gbps(10));
        assert_eq!(
            message(two, Some(one), line),
            format!("{name}.rp.min_rate is 2 Gb/s, above {name}.rp.max_rate, which is 1 Gb/s")
        );
        assert_eq!(
            message(two, None, one),
            format!("{name}.rp.min_rate is 2 Gb/s, above the rate of a port, which is 1 Gb/s")
        );
    }
}
