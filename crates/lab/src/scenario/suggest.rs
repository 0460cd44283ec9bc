//! Problems reported for unknown keys and kinds, with suggestions.

pub(crate) use setpoint_suggest::{did_you_mean, nearest};

use super::diagnostics::{Place, Problem};
use super::format::{self, Field};
use super::tree::{Entry, Item, Value};

/// The problem reported for a key that its table does not have.
pub(crate) fn unknown_key(table: &Field, entry: &Entry) -> Problem {
    let (owner, fields) = (owner("a scenario", table), table.fields());
    let message = format!("{owner} has no key `{}`", entry.key);
    let problem = Problem::at(&entry.key_place, message, "unknown key");
    if let Some(near) = did_you_mean(&entry.key, fields.iter().map(|field| field.name)) {
        return problem.help(near);
    }
    if let Some(elsewhere) = elsewhere(&entry.key) {
        return problem.help(format!("did you mean `{elsewhere}`?"));
    }
    match fields.len() {
        0 => problem.help(format!("{owner} takes no keys")),
        1..=30 => problem.help(format!("{owner} has {}", names(fields))),
        _ => problem,
    }
}

/// The problem reported for a kind that does not exist.
pub(crate) fn unknown_kind(owner: &str, kinds: &[Field], given: &str, place: &Place) -> Problem {
    let problem = Problem::at(place, format!("there is no {owner} `{given}`"), "unknown kind");
    let near = did_you_mean(given, kinds.iter().map(|kind| kind.name));
    problem.help(near.unwrap_or_else(|| format!("one of {}", names(kinds))))
}

/// Adds a remedy to the problem reported for an unknown dotted key, as in `--set` or a sweep.
pub(crate) fn unknown_path(key: &str, problem: Problem) -> Problem {
    let keys: Vec<String> = format::keys().into_iter().map(|key| key.key).collect();
    let plain: String =
        key.split('.').filter(|part| part.parse::<usize>().is_err()).collect::<Vec<_>>().join(".");
    let near = nearest(&plain, keys.iter().map(String::as_str));
    match near.map(str::to_string).or_else(|| elsewhere(plain.rsplit('.').next().unwrap_or(&plain))) {
        Some(near) => problem.help(format!("did you mean `{near}`?")),
        None => problem.help("`setpoint list keys` shows every key"),
    }
}

/// The first key that ends in this name, or otherwise in the nearest one.
fn elsewhere(name: &str) -> Option<String> {
    let keys = format::keys();
    let last = |key: &str| key.rsplit('.').next().unwrap_or_default().to_string();
    if let Some(key) = keys.iter().find(|key| last(&key.key) == name) {
        return Some(key.key.clone());
    }
    let names: Vec<String> = keys.iter().map(|key| last(&key.key)).collect();
    let near = nearest(name, names.iter().map(String::as_str))?;
    keys.iter().find(|key| last(&key.key) == near).map(|key| key.key.clone())
}

/// The name of a table in messages; `whole` is the name of the top-level table.
pub(crate) fn owner(whole: &str, table: &Field) -> String {
    if table.name.is_empty() { whole.to_owned() } else { format!("`{}`", table.name) }
}

/// The names of some keys.
pub(crate) fn names(fields: &[Field]) -> String {
    fields.iter().map(|field| field.name).collect::<Vec<_>>().join(", ")
}

/// The remedy for several values where one is expected.
pub(crate) const SWEEP: &str = "to try several values, use `setpoint sweep` with `--axis` and the full key, as in \
    `--axis topology.dumbbell.senders=1,10`, or list them in `[sweep]`";

/// Adds that remedy to a problem with a value if each part of the value would be valid on its own.
pub(crate) fn sweep(problem: Problem, item: &Item, is_right: impl Fn(&Item) -> bool) -> Problem {
    let parts = parts(item);
    if parts.len() > 1 && parts.iter().all(is_right) { problem.help(SWEEP) } else { problem }
}

/// The values in a list or in a comma-separated string.
pub(crate) fn parts(item: &Item) -> Vec<Item> {
    match &item.value {
        Value::List(items) => items.clone(),
        Value::Text(text) if text.contains(',') => {
            let part = |part: &str| Item { place: item.place.clone(), value: Value::of_word(part.trim()) };
            text.split(',').map(part).collect()
        }
        _ => Vec::new(),
    }
}
