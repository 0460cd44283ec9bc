//! Several values where one belongs: whoever writes them wants a sweep.

use super::diagnostics::Problem;
use super::tree::{Item, Value};

/// What to do instead.
pub(crate) const REMEDY: &str = "to try several values, list them in `[sweep]` under the full key, as in \
    `\"topology.dumbbell.senders\" = [1, 10]`, and run `setpoint sweep`";

/// Adds the remedy to the problem of a value if each part of it would be right by itself.
pub(crate) fn hint(problem: Problem, item: &Item, is_right: impl Fn(&Item) -> bool) -> Problem {
    let parts = parts(item);
    if parts.len() > 1 && parts.iter().all(is_right) { problem.help(REMEDY) } else { problem }
}

/// The values of a list, or of a text with commas.
pub(crate) fn parts(item: &Item) -> Vec<Item> {
    match &item.value {
        Value::List(items) => items.clone(),
        Value::Text(text) if text.contains(',') => {
            let part = |part: &str| Item { place: item.place.clone(), value: value(part.trim()) };
            text.split(',').map(part).collect()
        }
        _ => Vec::new(),
    }
}

fn value(text: &str) -> Value {
    match (text.parse(), text.parse(), text.parse()) {
        (Ok(number), ..) => Value::Integer(number),
        (_, Ok(number), _) => Value::Float(number),
        (.., Ok(flag)) => Value::Flag(flag),
        _ => Value::Text(text.to_string()),
    }
}
