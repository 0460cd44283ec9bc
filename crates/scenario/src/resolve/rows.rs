//! The effective parameters, for the manifest and the report.

use setpoint_control::Params;
use setpoint_control::parameter::Parameter;
use setpoint_units::TimeDelta;

use super::control::Control;
use super::run::Schedule;
use crate::format::{AnyKey, Fallback, Root, Shape, printed_time};
use crate::parameter_row::ParameterRow;

/// The parameters of a run, in the order of the reference, without flows and changes, which are in the scenario text.
pub(super) fn rows(root: &Root, seed: u64, schedule: &Schedule, control: &Control) -> Vec<ParameterRow> {
    let mut rows = Vec::new();
    let mut times: Vec<(&dyn AnyKey, TimeDelta)> = vec![
        (&root.duration, schedule.duration),
        (&root.measure_from, schedule.measure_from.since_start()),
        (&root.sample_interval, schedule.sample_interval),
    ];
    if let Some(until) = schedule.measure_messages_until {
        times.insert(2, (&root.measure_messages_until, until.since_start()));
    }
    rows.extend(times.into_iter().map(|(key, time)| row(key, key.field().name, printed_time(time))));
    rows.push(row(&root.seed, root.seed.name(), seed.to_string()));
    collect(&root.topology, "", &mut rows);
    collect(&root.bridge, "", &mut rows);
    let kind = root.control.kind();
    let prefix = format!("{}.{}", root.control.name(), kind.name);
    root.control.keys().into_iter().for_each(|key| collect(key, &prefix, &mut rows));
    for point in kind.fields() {
        for field in point.fields() {
            if let Shape::Parameter(parameter) = &field.shape {
                let name = format!("{prefix}.{}.{}", point.name, field.name);
                rows.push(parameter_row(name, parameter, control));
            }
        }
    }
    collect(&root.flow_control, "", &mut rows);
    collect(&root.network, "", &mut rows);
    if root.wire.is_given() || root.capture.is_some() {
        collect(&root.wire, "", &mut rows);
    }
    collect(&root.capture, "", &mut rows);
    rows
}

/// Adds the rows of a key and of all keys below it.
fn collect(key: &dyn AnyKey, prefix: &str, rows: &mut Vec<ParameterRow>) {
    let field = key.field();
    let name = if prefix.is_empty() { field.name.to_owned() } else { format!("{prefix}.{}", field.name) };
    match &field.shape {
        Shape::Table(_) | Shape::OneOf(_) => {
            key.keys().into_iter().for_each(|inner| collect(inner, &name, rows));
        }
        Shape::Entries(_) | Shape::List(..) if !key.is_given() => {}
        // A default that depends on other keys is visible in the rows of those keys.
        shape => {
            if let Some(value) = key.printed() {
                let value = if matches!(shape, Shape::Entries(_)) {
                    format!("{value} {}", field.name)
                } else {
                    value
                };
                rows.push(row(key, &name, value));
            }
        }
    }
}

fn row(key: &dyn AnyKey, name: &str, value: String) -> ParameterRow {
    let field = key.field();
    let (default, changed) = match &field.fallback {
        // A required key has no default to differ from.
        Fallback::Required => (String::from("none"), false),
        // Compared as printed: 1 kB and 1000 B are the same.
        Fallback::Value(text) => {
            let default = key.printed_default().unwrap_or_else(|| text.to_string());
            let changed = value != default;
            (default, changed)
        }
        Fallback::Derived(words) => ((*words).to_string(), key.is_given() && value != *words),
    };
    let origin = if field.origin.is_empty() { "Setpoint" } else { field.origin };
    ParameterRow {
        key: name.to_string(),
        managed_object: None,
        changed,
        value,
        default,
        origin: origin.to_string(),
    }
}

/// The row of an algorithm parameter. The default comes from the profile or the preset, if one of them sets it.
fn parameter_row(key: String, parameter: &Parameter, control: &Control) -> ParameterRow {
    let value = parameter.read(&control.params);
    let preset = control.preset.changes().find(|change| change.key == parameter.key);
    let start = parameter.read(&Params::of(control.preset, control.profile));
    let (default, origin) = match (preset, control.profile) {
        (Some(change), _) if change.value == start => (start, change.origin),
        (_, Some(profile)) if start != parameter.default_value() => (start, profile.origin),
        _ => (start, parameter.origin),
    };
    ParameterRow {
        key,
        managed_object: parameter.managed_object.map(str::to_string),
        value: value.to_string(),
        default: default.to_string(),
        origin: origin.to_string(),
        changed: value != default,
    }
}
