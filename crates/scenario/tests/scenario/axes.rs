//! Axes: ranges and lists on the command line, and how they combine with the sweep of a file.

use proptest::prelude::*;
use setpoint_scenario::{Axis, Override, Scenario, Source};

fn axis(text: &str) -> Axis {
    Axis::read("--axis", text).unwrap_or_else(|error| panic!("{error}"))
}

fn range(text: &str, steps: usize) -> Axis {
    Axis::read_range("--x", text, steps).unwrap_or_else(|error| panic!("{error}"))
}

fn values(axis: &Axis) -> Vec<String> {
    axis.settings().iter().map(Override::value).collect()
}

#[test]
fn ranges_are_linear_or_logarithmic() {
    let values = |text, steps| values(&range(text, steps));
    assert_eq!(values("topology.dumbbell.rtt=1us..400us", 3), ["1us", "200.5 µs", "400us"]);
    assert_eq!(values("topology.dumbbell.rtt=1us..100us:log", 3), ["1us", "10 µs", "100us"]);
    assert_eq!(values("network.buffer=100kB..200kB", 4), ["100kB", "133.3 kB", "166.7 kB", "200kB"]);
    assert_eq!(values("topology.dumbbell.rate=1Gb/s..10Gb/s", 2), ["1Gb/s", "10Gb/s"]);
    let cables = values("topology.star.delay=10m..1km:log", 3);
    assert_eq!(cables, ["10m", "500 ns", "1km"]);
    assert_eq!(values("control.qcn.cp.jitter=0 %..30 %", 3), ["0 %", "15 %", "30 %"]);
}

#[test]
fn whole_numbers_occur_once_and_powers_double() {
    let values = |text, steps| values(&range(text, steps));
    assert_eq!(values("topology.dumbbell.senders=1..4", 100), ["1", "2", "3", "4"]);
    assert_eq!(values("topology.dumbbell.senders=1..9", 3), ["1", "5", "9"]);
    assert_eq!(values("control.qcn.rp.gain=2^-9..2^-7", 100), ["2^-9", "2^-8", "2^-7"]);
    assert_eq!(values("topology.dumbbell.senders=7..7", 5), ["7"]);
}

#[test]
fn lists_keep_their_order() {
    assert_eq!(values(&range("topology.dumbbell.senders=5,1, 2", 2)), ["5", "1", "2"]);
    assert_eq!(values(&axis("control.qcn.cp.quantizer=standard,top-bits")), ["standard", "top-bits"]);
    assert_eq!(values(&axis("network.buffer=10kB, 1 MB")), ["10kB", "1 MB"]);
}

#[test]
fn numbers_are_in_plain_units() {
    let numbers = |text: &str| range(text, 3).numbers();
    assert_eq!(numbers("topology.dumbbell.rtt=1us..3us"), [1e-6, 2e-6, 3e-6]);
    assert_eq!(numbers("topology.dumbbell.rate=1 Gb/s,10 Gb/s"), [1e9, 1e10]);
    assert_eq!(numbers("control.qcn.cp.jitter=0 %..30 %"), [0.0, 0.15, 0.3]);
    assert_eq!(numbers("control.qcn.rp.gain=2^-2..2^0"), [0.25, 0.5, 1.0]);
    assert_eq!(numbers("control.qcn.cp.quantizer=standard,top-bits"), [0.0, 1.0]);
}

#[test]
fn a_range_of_a_sweep_has_all_whole_numbers() {
    assert_eq!(values(&axis("topology.dumbbell.senders=2..5")), ["2", "3", "4", "5"]);
    assert_eq!(values(&axis("control.qcn.rp.gain=2^-3..2^-1")), ["2^-3", "2^-2", "2^-1"]);
}

proptest! {
    #[test]
    fn every_whole_number_of_a_range_is_there(
        first in prop_oneof![0_u64..100_000, any::<u64>()], count in 1_u64..300
    ) {
        let last = first.saturating_add(count - 1);
        let expected: Vec<String> = (first..=last).map(|number| number.to_string()).collect();
        prop_assert_eq!(values(&axis(&format!("seed={first}..{last}"))), expected);
    }

    /// Values between two ends are in order, and none is beyond an end, however close the ends are.
    #[test]
    fn rounded_values_stay_between_the_ends(low in 1_u64..1_000_000, span in 1_u64..100_000, steps in 2_usize..40) {
        let range = range(&format!("duration={low}ns..{}ns", low + span), steps).numbers();
        prop_assert!(range.is_sorted_by(|one, next| one < next), "{:?}", range);
    }
}

#[test]
fn a_range_keeps_all_digits() {
    assert_eq!(axis("seed=1..100000").settings().len(), 100_000);
    assert_eq!(values(&axis("seed=20001..20005")), ["20001", "20002", "20003", "20004", "20005"]);
    assert_eq!(values(&range("seed=12341..12349", 3)), ["12341", "12345", "12349"]);
    let highest = "seed=18446744073709551614..18446744073709551615";
    assert_eq!(values(&axis(highest)), ["18446744073709551614", "18446744073709551615"]);
    assert_eq!(
        values(&range("duration=100.01us..100.05us", 5))[1..4],
        ["100.02 µs", "100.03 µs", "100.04 µs"]
    );
}

/// The values of a built-in scenario's variants with axes added.
fn assignments(builtin: &str, axes: &[&str]) -> Vec<String> {
    let axes: Vec<Axis> = axes.iter().map(|text| axis(text)).collect();
    let scenario = Scenario::load(&Source::builtin(builtin).unwrap(), &[]).unwrap();
    let variants = scenario.with_axes(&axes).and_then(|scenario| scenario.variants());
    let words = |pairs: &[(String, String)]| {
        pairs.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ")
    };
    variants.unwrap().iter().map(|variant| words(&variant.assignments)).collect()
}

#[test]
fn axes_make_a_sweep_of_a_scenario_without_one() {
    let found = assignments("default", &["seed=1..2", "control=qcn,none"]);
    assert_eq!(
        found,
        ["seed=1 control=qcn", "seed=1 control=none", "seed=2 control=qcn", "seed=2 control=none"]
    );
}

#[test]
fn axes_multiply_with_those_of_the_file_or_replace_them() {
    let file = assignments("qcn-senders", &[]).len();
    assert_eq!(assignments("qcn-senders", &["seed=1,2"]).len(), file * 2);
    let replaced = assignments("qcn-senders", &["topology.dumbbell.senders=3"]);
    assert_eq!(replaced.len(), file / 4);
    assert!(replaced.iter().all(|variant| variant.contains("topology.dumbbell.senders=3")), "{replaced:?}");
}

#[test]
fn axes_that_are_wrong_have_a_remedy() {
    let mut messages = String::new();
    for text in [
        "network.buffer",
        "network.bufer=1kB,2kB",
        "network.buffer=1kB,2",
        "network.buffer=1kB,",
        "network.buffer=1kB..2kB",
        "control=qcn,smc",
        "control=a..b",
        "name=a,b",
        "description=a,b",
        "seed=1..99999999999",
        "seed=0..18446744073709551615",
        "seed=7..3",
        "seed=1..100:log",
    ] {
        messages += &format!("{}\n\n", Axis::read("--axis", text).expect_err(text));
    }
    let set: Override = "network.buffer=200kB".parse().unwrap();
    let load =
        |overrides: &[Override]| Scenario::load(&Source::builtin("default").unwrap(), overrides).unwrap();
    let buffer = axis("network.buffer=100kB,200kB");
    messages += &format!("{}\n\n", load(&[set]).with_axes(std::slice::from_ref(&buffer)).unwrap_err());
    messages += &format!("{}\n\n", load(&[]).with_axes(&[buffer.clone(), buffer]).unwrap_err());
    let many: Vec<Axis> = ["seed=1..1000", "topology.dumbbell.senders=1..1000"].map(axis).to_vec();
    messages += &format!("{}\n\n", load(&[]).with_axes(&many).unwrap_err());
    let wrong = load(&[]).with_axes(&[axis("network.buffer=150kB,20kB")]).unwrap();
    messages += &wrong.variants().unwrap_err().to_string();
    insta::assert_snapshot!("wrong_axes", messages);
}
