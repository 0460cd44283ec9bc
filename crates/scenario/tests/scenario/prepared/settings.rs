//! Settings on top of a file, and files that extend others.

use setpoint_control::Algorithm;
use setpoint_units::{Bytes, TimeDelta};

use super::{load, overridden, prepare};

#[test]
fn settings_need_no_quotes() {
    let settings = [
        "topology.dumbbell.rtt=100us",
        "topology.dumbbell.senders=3",
        "control.qcn.cp.set_point = 33 kB",
        "description=a text with \"quotes\"",
        "at.1.rate=\"3 Gb/s\"",
        "control.qcn.priorities=[3, 4]",
    ];
    let prepared = overridden("default", &settings);
    assert_eq!(prepared.spec.topology.links()[0].delay, TimeDelta::from_micros(50));
    assert_eq!(prepared.spec.flows.len(), 3);
    assert_eq!(prepared.set_point, Some(Bytes::new(33_000)));
    assert_eq!(prepared.event_labels[0].1, "left->right: 3 Gb/s");
    assert_eq!(prepared.overrides[0], ("topology.dumbbell.rtt".to_string(), "100us".to_string()));
    assert_eq!(prepared.overrides.len(), settings.len());
}

#[test]
fn names_and_units_can_be_spelt_as_they_are_shown() {
    let shown = overridden("default", &["at.1.port=left→right", "topology.dumbbell.rtt=100\u{a0}µs"]);
    let typed = overridden("default", &["at.1.port=left->right", "topology.dumbbell.rtt=100us"]);
    assert_eq!(shown.spec.changes[0].change, typed.spec.changes[0].change);
    assert_eq!(shown.spec.topology.links()[0].delay, typed.spec.topology.links()[0].delay);
}

#[test]
fn another_kind_replaces_the_one_in_the_file() {
    assert_eq!(overridden("default", &["control=none"]).set_point, None);
    assert_eq!(overridden("default", &["control={none={}}"]).set_point, None);
    // Choosing the same kind keeps its keys in the file.
    let prepared = overridden("default", &["control=qcn", "control.qcn.cp.set_point=30kB", "control=qcn"]);
    assert_eq!(prepared.set_point, Some(Bytes::new(30_000)));
}

#[test]
fn an_algorithm_and_its_keys_can_be_set_in_any_order() {
    let (choice, key) = ("control=smcc", "control.smcc.cp.set_point=20kB");
    for settings in [[choice, key], [key, choice]] {
        let prepared = overridden("league-few", &settings);
        assert_eq!(prepared.spec.control.congestion_point.algorithm(), Algorithm::Smcc);
        assert_eq!(prepared.set_point, Some(Bytes::new(20_000)));
        assert_eq!(prepared.overrides.len(), 2, "{:?}", prepared.overrides);
    }
    // Choosing the file's own algorithm keeps its keys.
    let plain = overridden("league-few", &[]);
    assert_eq!(overridden("league-few", &["control=qcn"]).parameters, plain.parameters);
}

#[test]
fn a_key_chooses_its_kind_if_nothing_was_chosen() {
    let prepared =
        load("[topology.dumbbell]\nsenders = 2\n[sweep]\n\"control.smcc.cp.set_point\" = [\"20 kB\"]\n");
    let variants = prepared.variants().unwrap();
    let spec = variants[0].scenario.prepare(1).unwrap().spec;
    assert_eq!(spec.control.congestion_point.algorithm(), Algorithm::Smcc);
}

#[test]
fn a_file_that_extends_another_can_choose_another_algorithm() {
    let prepared = prepare("extends = \"league-few\"\n[control.smcc.cp]\nset_point = \"20 kB\"\n");
    assert_eq!(prepared.spec.control.congestion_point.algorithm(), Algorithm::Smcc);
    assert_eq!(prepared.set_point, Some(Bytes::new(20_000)));
}
