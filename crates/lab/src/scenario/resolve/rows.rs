//! Every parameter that was in force, for the manifest and the report.

use setpoint_control::parameter::Tunable;

use super::bridge;
use super::control::Control;
use super::run::Schedule;
use crate::results::ParameterRow;
use crate::scenario::format::{Fallback, Shape};
use crate::scenario::view::{View, printed_time};

/// The parameters of a run, in the order of the reference; flows and changes are in the scenario's text.
pub(super) fn rows(root: &View<'_>, seed: u64, schedule: &Schedule, control: &Control) -> Vec<ParameterRow> {
    let mut rows = Vec::new();
    for (name, value) in [
        ("duration", printed_time(schedule.duration)),
        ("measure_from", printed_time(schedule.measure_from.since_start())),
        ("sample_interval", printed_time(schedule.sample_interval)),
        ("seed", seed.to_string()),
    ] {
        rows.push(row(&root.key(name), name, value));
    }
    let kinds = [
        ("topology", root.key("topology").kind()),
        ("bridge", Some(bridge::kind(root))),
        ("control", root.key("control").kind()),
        ("flow_control", root.key("flow_control").kind()),
    ];
    for (section, kind) in kinds {
        if let Some(kind) = kind {
            collect(&kind, &format!("{section}.{}", kind.name()), control, &mut rows);
        }
    }
    collect(&root.key("network"), "network", control, &mut rows);
    rows
}

fn collect(table: &View<'_>, prefix: &str, control: &Control, rows: &mut Vec<ParameterRow>) {
    for field in table.field().fields() {
        let key = table.key(field.name);
        let name = format!("{prefix}.{}", field.name);
        match &field.shape {
            Shape::Table(_) => collect(&key, &name, control, rows),
            Shape::Entries(_) | Shape::List(..) if !key.is_given() => {}
            Shape::Entries(_) => {
                let count = key.items().len();
                rows.push(row(&key, &name, format!("{count} {}", field.name)));
            }
            Shape::Parameter(parameter) => rows.push(parameter_row(name, *parameter, control)),
            _ => {
                // A default that depends on other keys shows at those keys.
                if let Some(value) = key.printed() {
                    rows.push(row(&key, &name, value));
                }
            }
        }
    }
}

fn row(key: &View<'_>, name: &str, value: String) -> ParameterRow {
    let field = key.field();
    let (default, changed) = match &field.fallback {
        // What must be given differs from nothing.
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

/// The default is that of the preset, where the preset has one of its own.
fn parameter_row(key: String, parameter: &dyn Tunable, control: &Control) -> ParameterRow {
    let value = parameter.read(&control.params);
    let preset = control.preset.changes().find(|change| change.key == parameter.key());
    let (default, origin) = match preset {
        Some(change) => (change.value, change.origin),
        None => (parameter.default_value(), parameter.origin()),
    };
    ParameterRow {
        key,
        managed_object: parameter.managed_object().map(str::to_string),
        value: value.to_string(),
        default: default.to_string(),
        origin: origin.to_string(),
        changed: value != default,
    }
}
