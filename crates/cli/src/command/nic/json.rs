//! Parameters and statistics as JSON. Values are the card's raw values; the names of the keys contain the units.

use serde_json::{Map, Value, json};
use setpoint_live::nic::{DEFENCE_STATES, Encoding, Parameter, Qcn, Setting, State, Statistics};
use setpoint_wire::{Priority, PrioritySet};

/// The document for the given priorities.
pub(super) fn document(interface: &str, state: &State, priorities: PrioritySet) -> String {
    let entries: Vec<Value> = priorities.iter().map(|priority| entry(state, priority)).collect();
    format!("{:#}\n", json!({ "interface": interface, "priorities": entries }))
}

fn entry(state: &State, priority: Priority) -> Value {
    let mut entry = parameters(&state.qcn, priority);
    let statistics = state.statistics.as_ref().map(|statistics| counters(statistics, priority));
    entry.insert("statistics".to_owned(), statistics.unwrap_or(Value::Null));
    Value::Object(entry)
}

fn parameters(qcn: &Qcn, priority: Priority) -> Map<String, Value> {
    let number = ("priority".to_owned(), priority.number().into());
    let parameter = |parameter| {
        let setting = qcn.get(priority, parameter);
        (key(parameter), value(setting))
    };
    [number].into_iter().chain(Parameter::ALL.map(parameter)).collect()
}

fn counters(statistics: &Statistics, priority: Priority) -> Value {
    let index = usize::from(priority.number());
    json!({
        "created_reaction_points": statistics.created_reaction_points[index],
        "reaction_point_centiseconds": statistics.reaction_point_centiseconds[index],
    })
}

/// The name of a parameter, and the unit in which the card expresses its value.
fn key(parameter: Parameter) -> String {
    let unit = match parameter.encoding() {
        Encoding::Flag | Encoding::Count | Encoding::State => "",
        Encoding::Microseconds => "_us",
        Encoding::Bytes => "_bytes",
        Encoding::Megabits => "_mbps",
        Encoding::Shifts => "_shifts",
        Encoding::Percent => "_percent",
        Encoding::UncertainRate => "_raw",
    };
    format!("{}{unit}", parameter.name())
}

/// The card's number, or a word for switches and known states.
fn value(setting: Setting) -> Value {
    match setting.parameter().encoding() {
        Encoding::Flag => (setting.raw() != 0).into(),
        Encoding::State if (setting.raw() as usize) < DEFENCE_STATES.len() => setting.to_string().into(),
        _ => setting.raw().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = include_str!("../../../../../docs/nic.md");

    #[test]
    fn the_document_has_every_name() {
        for parameter in Parameter::ALL {
            let row =
                format!("| `{}` | {}", parameter.name(), parameter.managed_object().unwrap_or_default());
            let row = DOCUMENT.lines().find(|line| line.starts_with(row.trim_end())).expect(&row);
            assert!(row.contains(&format!("| `{}` |", parameter.field())), "{row}");
            assert!(row.ends_with(&format!("| `{}` |", key(parameter))), "{row}");
        }
    }
}
