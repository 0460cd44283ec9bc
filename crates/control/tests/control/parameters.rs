//! The tables of parameters are complete and consistent; `chapters` compares them with the documentation.

use std::collections::BTreeSet;

use setpoint_control::parameter::{
    self, Parameter, ParameterError, Percent, Power, Range, Switch, Unit, Value,
};
use setpoint_control::qcn::{self, PARAMETERS};
use setpoint_control::{Algorithm, Params, Preset, Role, af_qcn, afd, fqcn, parameters};
use setpoint_units::{Bytes, Rate};

fn named(key: &str) -> &'static Parameter {
    parameter::find(PARAMETERS, key).expect("the parameter exists")
}

/// A value in this unit that is within the range and differs from the default.
fn another_value(parameter: &Parameter) -> Value {
    match (parameter.unit, parameter.range) {
        (Unit::Switch, _) => match parameter.default_value() {
            Value::Switch(Switch::On) => Value::Switch(Switch::Off),
            _ => Value::Switch(Switch::On),
        },
        (Unit::Choice(choices), _) => {
            let mut names = choices.iter().map(|choice| Value::Choice(choice.name));
            names.rfind(|name| *name != parameter.default_value()).expect("there are several choices")
        }
        (_, Range::Between(lowest, highest)) => {
            if parameter.default_value() == lowest {
                highest
            } else {
                lowest
            }
        }
        (unit, Range::Any) => panic!("{}: no range of {unit}", parameter.key),
    }
}

#[test]
fn keys_are_unique_and_texts_are_sentences() {
    for algorithm in Algorithm::ALL {
        let mut keys: Vec<&str> = algorithm.parameters().map(|parameter| parameter.key).collect();
        keys.sort_unstable();
        assert!(keys.is_sorted_by(|earlier, later| earlier < later), "{keys:?}");
    }
    for parameter in parameters() {
        let (key, description, origin) = (parameter.key, parameter.description, parameter.origin);
        let parts: Vec<&str> = key.split('.').collect();
        let [name, role, _] = parts[..] else { panic!("{key}") };
        assert!(Algorithm::from_name(name).is_some(), "{key}");
        assert_eq!(Role::from_key(role), Some(parameter.role), "{key}");
        assert!(description.ends_with('.') && !description.contains("  "), "{key}");
        assert!(!origin.is_empty() && !origin.ends_with('.'), "{key}");
    }
}

/// The fields of a struct at the given indentation in its debug output.
fn fields(printed: &str, indent: usize) -> Vec<&str> {
    let is_field = |line: &&str| {
        line.len() > indent
            && line[..indent].trim().is_empty()
            && line[indent..].starts_with(char::is_alphabetic)
    };
    printed.lines().filter(is_field).filter_map(|line| line.split(':').next()).map(str::trim).collect()
}

fn names(table: &[Parameter]) -> Vec<&'static str> {
    table.iter().map(Parameter::name).collect()
}

#[test]
fn every_field_has_an_entry() {
    assert_eq!(fields(&format!("{:#?}", qcn::Params::default()), 8), names(PARAMETERS));
    assert_eq!(fields(&format!("{:#?}", af_qcn::Params::default()), 4), names(af_qcn::PARAMETERS));
    assert_eq!(fields(&format!("{:#?}", afd::Params::default()), 4), names(afd::PARAMETERS));
    assert_eq!(fields(&format!("{:#?}", fqcn::Params::default()), 4), names(fqcn::PARAMETERS));
}

#[test]
fn writing_a_value_back_changes_nothing() {
    for preset in Preset::ALL {
        for parameter in PARAMETERS {
            let mut params = Params::preset(preset);
            let value = parameter.read(&params);
            parameter.write(&mut params, value).expect("a value in use is allowed");
            assert_eq!(params, Params::preset(preset), "{}", parameter.key);
            parameter.write_text(&mut params, &value.to_string()).expect("what is printed can be read");
            assert_eq!(params, Params::preset(preset), "{}", parameter.key);
        }
    }
}

#[test]
fn a_value_that_is_written_is_read_back_and_nothing_else_changes() {
    for parameter in parameters() {
        let mut params = Params::default();
        let (key, value) = (parameter.key, another_value(parameter));
        assert_ne!(value, parameter.default_value(), "{key}");
        assert_eq!(parameter.unit.read(&value.to_string()).as_ref(), Ok(&value), "{key}");
        parameter.write(&mut params, value).expect("the value is allowed");
        assert_eq!(parameter.read(&params), value, "{key}");
        for other in parameters().filter(|other| other.key != key) {
            assert_eq!(other.read(&params), other.default_value(), "{key} changed {}", other.key);
        }
    }
}

#[test]
fn every_choice_can_be_made() {
    for parameter in parameters() {
        let Unit::Choice(choices) = parameter.unit else { continue };
        for choice in choices {
            let mut params = Params::default();
            let value = parameter.unit.read(choice.name).expect("the choice exists");
            parameter.write(&mut params, value).expect("the choice can be made");
            assert_eq!(parameter.read(&params), Value::Choice(choice.name));
        }
    }
}

#[test]
fn defaults_fit_every_algorithm() {
    for preset in Preset::ALL {
        let params = Params::preset(preset);
        for algorithm in Algorithm::ALL {
            assert_eq!(algorithm.check(&params, Some(Rate::from_gbps(10))), Ok(()), "{}", algorithm.name());
            let (congestion_point, reaction_point) = algorithm.points(&params);
            assert_eq!((congestion_point.check(), reaction_point.check()), (Ok(()), Ok(())));
        }
    }
}

#[test]
fn ends_of_ranges_are_included() {
    let set_point = named("qcn.cp.set_point");
    let allowed = |bytes| set_point.check(Value::Size(Bytes::new(bytes))).is_ok();
    assert_eq!([99, 100, 4_294_967_295, 4_294_967_296].map(allowed), [false, true, true, false]);
    let weight = named("qcn.cp.weight");
    let allowed = |exponent| weight.check(Value::Power(Power::of_two(exponent))).is_ok();
    assert_eq!([-11, -10, 10, 11].map(allowed), [false, true, true, false]);
}

#[test]
fn refused_values_leave_the_parameters_alone() {
    let given = [
        ("qcn.cp.set_point", "26000"),
        ("qcn.cp.set_point", "26 ms"),
        ("qcn.cp.set_point", "50 B"),
        ("qcn.cp.weight", "3"),
        ("qcn.cp.weight", "2^11"),
        ("qcn.cp.weight", "2^1000"),
        ("qcn.cp.jitter", "0.15"),
        ("qcn.cp.jitter", "1.234 %"),
        ("qcn.cp.jitter", "-1 %"),
        ("qcn.cp.jitter", "95 %"),
        ("qcn.cp.jitter", "70000 %"),
        ("qcn.cp.sampling", "all"),
        ("qcn.rp.timer", "yes"),
        ("qcn.rp.time_reset", "15"),
        ("qcn.rp.time_reset", "1 ns"),
        ("qcn.rp.threshold", "-5"),
        ("qcn.rp.threshold", "0"),
        ("qcn.rp.threshold", "5.0"),
        ("qcn.rp.gain", "2^1"),
        ("qcn.rp.max_rate", "fast"),
        ("qcn.rp.max_rate", "0 Gb/s"),
        ("qcn.rp.min_rate", "line rate"),
        ("qcn.rp.min_rate", "5 b/s"),
    ];
    let mut messages = String::new();
    for (key, text) in given {
        let mut params = Params::default();
        let error = named(key).write_text(&mut params, text).expect_err("the text is wrong");
        assert_eq!((params, error.key()), (Params::default(), key));
        messages += &format!("{error}\n");
    }
    insta::assert_snapshot!(messages);
}

#[test]
fn values_of_another_kind_are_refused() {
    let mut params = Params::default();
    let timer = named("qcn.rp.time_reset");
    let error = timer.write(&mut params, Value::Rate(Rate::from_mbps(1))).expect_err("a rate is not a time");
    assert_eq!(
        error.to_string(),
        "qcn.rp.time_reset cannot be \"1 Mb/s\"; expected a time such as \"15 ms\""
    );
    let sampling = named("qcn.cp.sampling");
    assert!(sampling.write(&mut params, Value::Choice("standard")).is_err(), "a name of another choice");
    let error =
        parameter::find(PARAMETERS, "qcn.cp.setpoint").expect_err("there is no parameter of that name");
    assert_eq!(error, ParameterError::Unknown("qcn.cp.setpoint".into()));
    assert_eq!(error.to_string(), "there is no parameter \"qcn.cp.setpoint\"");
}

#[test]
fn line_rate_is_the_default_and_can_be_asked_for() {
    let mut params = Params::default();
    let max_rate = named("qcn.rp.max_rate");
    max_rate.write_text(&mut params, "4 Gb/s").expect("a rate is allowed");
    assert_eq!(params.qcn.rp.max_rate, Some(Rate::from_gbps(4)));
    max_rate.write_text(&mut params, "line rate").expect("the value `line rate` is allowed");
    assert_eq!(params.qcn.rp.max_rate, None);
}

#[test]
fn percentages_and_powers_are_read_exactly() {
    let percent = |text: &str| text.parse::<Percent>().map(Percent::hundredths).ok();
    assert_eq!(percent("15 %"), Some(1_500));
    assert_eq!(percent(" 0.5% "), Some(50));
    assert_eq!(percent("1.250 %"), Some(125));
    assert_eq!(percent("1.255 %"), None);
    assert_eq!(["%", ".5 %", "1. %", "1", "+1 %", "1e1 %", "1 %%", "655.36 %"].map(percent), [None; 8]);
    for hundredths in 0..=u16::MAX {
        assert_eq!(percent(&Percent::from_hundredths(hundredths).to_string()), Some(hundredths));
    }
    let power = |text: &str| text.parse::<Power>().map(Power::exponent).ok();
    assert_eq!(
        ["2^-7", "1/128", "4", "1", "2^0"].map(power),
        [Some(-7), Some(-7), Some(2), Some(0), Some(0)]
    );
    assert_eq!(["3", "0", "1/0", "2^", "2^x", "-4", "0.5", ""].map(power), [None; 8]);
}

#[test]
fn presets_differ_from_the_defaults_as_listed() {
    let mut table = String::new();
    for preset in Preset::ALL {
        let params = Params::preset(preset);
        Algorithm::Qcn.check(&params, None).expect("presets are consistent");
        table += &format!("{}\n", preset.name());
        let changes: Vec<_> = preset.changes().filter(|change| change.key.starts_with("qcn.")).collect();
        for change in &changes {
            table += &format!("  {:<24} {:<10} {}\n", change.key, change.value.to_string(), change.origin);
        }
        let differs = |entry: &&Parameter| entry.read(&params) != entry.default_value();
        let differing = setpoint_control::parameters().filter(differs).count();
        assert_eq!(differing, preset.changes().count(), "{}", preset.name());
    }
    assert_eq!(Params::preset(Preset::TenG), Params::default());
    insta::assert_snapshot!(table);
}

/// At 10 Gb/s and above, values are powers of the speed, rounded to two significant figures and to whole Mb/s.
#[test]
fn presets_follow_the_scaling_rule() {
    let two_figures = |value: f64| {
        let unit = 10_f64.powf(value.log10().floor() - 1.0);
        (value / unit).round() * unit
    };
    for preset in Preset::ALL.into_iter().filter(|preset| *preset != Preset::OneG) {
        let rp = Params::preset(preset).qcn.rp;
        let tens = preset.line_rate().bits_per_second() as f64 / 1e10;
        let scaled = |at_10: f64, at_100: f64| two_figures(at_10 * tens.powf((at_100 / at_10).log10()));
        let mbps = |rate: Rate| rate.bits_per_second() as f64 / 1e6;
        assert_eq!(mbps(rp.active_increase), scaled(5.0, 15.0).round(), "{preset:?}");
        assert_eq!(mbps(rp.hyper_increase), scaled(50.0, 250.0).round(), "{preset:?}");
        let micros = rp.time_reset.as_picos() as f64 / 1e6;
        assert!((micros - scaled(15_000.0, 2_000.0)).abs() < 0.01, "{preset:?}: {micros}");
    }
}

/// The rates of AIMD, BCN and SMCC are proportional to the speed.
#[test]
fn presets_of_other_algorithms_are_proportional() {
    let keys = Preset::ALL.into_iter().flat_map(Preset::changes).map(|change| change.key);
    let is_other = |key: &&str| ["aimd.", "bcn.", "smcc."].iter().any(|owner| key.starts_with(owner));
    let others: BTreeSet<&str> = keys.filter(is_other).collect();
    let expected = [
        "aimd.rp.largest_increase",
        "bcn.rp.largest_increase",
        "smcc.cp.sample_base",
        "smcc.rp.state_a",
        "smcc.rp.state_a_small",
        "smcc.rp.state_b",
    ];
    assert_eq!(others, expected.into());
    for preset in Preset::ALL {
        let Params { aimd, bcn, smcc, .. } = Params::preset(preset);
        let scaled = |at_1g| Rate::from_mbps(at_1g * preset.line_rate().bits_per_second() / 1_000_000_000);
        assert_eq!((aimd.rp.largest_increase, bcn.rp.largest_increase), (scaled(100), scaled(100)));
        assert_eq!(
            (smcc.rp.state_a, smcc.rp.state_b, smcc.rp.state_a_small),
            (scaled(256), scaled(64), scaled(128))
        );
        let sample_base = if preset == Preset::OneG { 100_000 } else { 150_000 };
        assert_eq!(smcc.cp.sample_base, Bytes::new(sample_base), "{preset:?}");
    }
}
