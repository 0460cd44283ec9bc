//! Setups in which one parameter is at an end of its range or set to another of its choices.

use setpoint_control::Role;
use setpoint_control::parameter::{Parameter, Range, Switch, Unit, Value};

use super::super::setup::Setup;

/// All such setups that are valid, with their names.
pub(super) fn setups(base: &Setup, point: Role) -> Vec<(String, Setup)> {
    let mut setups = Vec::new();
    for parameter in base.algorithm.parameters_of(point) {
        for value in values(parameter) {
            let mut setup = base.clone();
            let written = parameter.write(&mut setup.params, value).is_ok();
            // An end of a range may be incompatible with the other parameters.
            if written && setup.params != base.params && setup.check().is_ok() {
                setups.push((format!("{} = {value}", parameter.key), setup));
            }
        }
    }
    setups
}

fn values(parameter: &Parameter) -> Vec<Value> {
    match (parameter.unit, parameter.range) {
        (Unit::Switch, _) => [Switch::On, Switch::Off].map(Value::Switch).to_vec(),
        (Unit::Choice(choices), _) => choices.iter().map(|choice| Value::Choice(choice.name)).collect(),
        (_, Range::Between(lowest, highest)) => vec![lowest, highest],
        (_, Range::Any) => Vec::new(),
    }
}
