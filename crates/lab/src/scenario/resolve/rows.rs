//! Every parameter that was in force, for the manifest and the report.

use setpoint_control::qcn;

use super::run::Schedule;
use crate::results::ParameterRow;
use crate::scenario::format::{Fallback, Shape};
use crate::scenario::view::View;

/// The parameters of a run, in the order of the reference; flows and changes are in the scenario's text.
pub(super) fn rows(
    root: &View<'_>,
    seed: u64,
    schedule: &Schedule,
    params: Option<&qcn::Params>,
) -> Vec<ParameterRow> {
    let mut rows = Vec::new();
    for (name, value) in [
        ("duration", schedule.duration.to_string()),
        ("measure_from", schedule.measure_from.to_string()),
        ("sample_interval", schedule.sample_interval.to_string()),
        ("seed", seed.to_string()),
    ] {
        rows.push(row(&root.key(name), name, value));
    }
    for section in ["topology", "control", "flow_control"] {
        if let Some(kind) = root.key(section).kind() {
            collect(&kind, &format!("{section}.{}", kind.name()), params, &mut rows);
        }
    }
    collect(&root.key("network"), "network", params, &mut rows);
    rows
}

fn collect(table: &View<'_>, prefix: &str, params: Option<&qcn::Params>, rows: &mut Vec<ParameterRow>) {
    for field in table.field().fields() {
        let key = table.key(field.name);
        let name = format!("{prefix}.{}", field.name);
        match &field.shape {
            Shape::Table(_) => collect(&key, &name, params, rows),
            Shape::Entries(_) | Shape::List(..) if !key.is_given() => {}
            Shape::Entries(_) => {
                let count = key.items().len();
                rows.push(row(&key, &name, format!("{count} {}", field.name)));
            }
            Shape::Parameter(parameter) => {
                rows.extend(params.map(|params| parameter_row(name, parameter, params)));
            }
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
    let default = match &field.fallback {
        Fallback::Required => String::from("none"),
        Fallback::Value(text) => text.to_string(),
        Fallback::Derived(words) => (*words).to_string(),
    };
    let origin = if field.origin.is_empty() { "Setpoint" } else { field.origin };
    ParameterRow {
        key: name.to_string(),
        managed_object: None,
        changed: key.is_given() && value != default,
        value,
        default,
        origin: origin.to_string(),
    }
}

fn parameter_row(
    key: String,
    parameter: &setpoint_control::parameter::Parameter<qcn::Params>,
    params: &qcn::Params,
) -> ParameterRow {
    let (value, default) = (parameter.read(params), parameter.default_value());
    ParameterRow {
        key,
        managed_object: parameter.managed_object.map(str::to_string),
        value: value.to_string(),
        default: default.to_string(),
        origin: parameter.origin.to_string(),
        changed: value != default,
    }
}
