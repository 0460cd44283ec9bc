//! The table of an algorithm's parameters: it is consistent, and every key can be written and read. Several
//! algorithms share this file.

use setpoint_control::parameter::{Parameter, Range, Switch, Unit, Value};
use setpoint_control::{Algorithm, Params, Preset};

/// A value in this unit that is within the range and differs from the default.
fn another_value(parameter: &Parameter) -> Value {
    let default = parameter.default_value();
    match (parameter.unit, parameter.range) {
        (Unit::Switch, _) if default == Value::Switch(Switch::On) => Value::Switch(Switch::Off),
        (Unit::Switch, _) => Value::Switch(Switch::On),
        (Unit::Choice(choices), _) => {
            let other = choices.iter().find(|choice| Value::Choice(choice.name) != default);
            Value::Choice(other.expect("a choice has alternatives").name)
        }
        (_, Range::Between(lowest, highest)) => {
            if default == lowest {
                highest
            } else {
                lowest
            }
        }
        (unit, Range::Any) => panic!("{}: no range of {unit}", parameter.key),
    }
}

/// The table as text, for a snapshot; checks keys and text along the way.
pub(crate) fn listing(algorithm: Algorithm) -> String {
    let mut table = String::new();
    for parameter in algorithm.parameters() {
        let (key, default) = (parameter.key, parameter.default_value().to_string());
        assert!(key.starts_with(&format!("{}.", algorithm.name())), "{key}");
        assert!(parameter.description.ends_with('.') && !parameter.description.contains("  "), "{key}");
        assert!(!parameter.origin.is_empty() && !parameter.origin.ends_with('.'), "{key}");
        let range = match parameter.unit {
            Unit::Choice(choices) => choices.iter().map(|choice| choice.name).collect::<Vec<_>>().join(", "),
            Unit::Switch => String::from("on, off"),
            _ => parameter.range.to_string(),
        };
        table += &format!("{key:<26} {default:<12} {range}\n");
    }
    for preset in Preset::ALL {
        let params = Params::preset(preset);
        algorithm.check(&params, None).expect("presets are consistent");
        let changed = |parameter: &&Parameter| parameter.read(&params) != parameter.default_value();
        for parameter in algorithm.parameters().filter(changed) {
            table += &format!("{:<5} {:<26} {}\n", preset.name(), parameter.key, parameter.read(&params));
        }
    }
    table
}

/// Every parameter can change without changing any other.
pub(crate) fn check_independence(algorithm: Algorithm) {
    for parameter in algorithm.parameters() {
        let mut params = Params::default();
        let value = another_value(parameter);
        let text = value.to_string();
        let read = parameter.unit.read(&text).expect("printed values can be parsed");
        parameter.write(&mut params, read).expect("the value is allowed");
        assert_eq!(parameter.read(&params), value, "{}", parameter.key);
        for other in algorithm.parameters().filter(|other| other.key != parameter.key) {
            assert_eq!(other.read(&params), other.default_value(), "{} changed {}", parameter.key, other.key);
        }
    }
}
