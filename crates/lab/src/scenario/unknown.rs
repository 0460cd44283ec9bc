//! What to say of a key that does not exist.

use super::diagnostics::{Place, Problem};
use super::format::{self, Field};
use super::tree::Entry;
use setpoint_suggest as suggest;

/// The problem of a key that is not among the fields of its owner.
pub(crate) fn key(owner: &Field, fields: &[Field], entry: &Entry) -> Problem {
    let place = if owner.name.is_empty() { String::from("a scenario") } else { format!("`{}`", owner.name) };
    let message = format!("{place} has no key `{}`", entry.key);
    let problem = Problem::at(&entry.key_place, message, "unknown key");
    if let Some(near) = suggest::did_you_mean(&entry.key, fields.iter().map(|field| field.name)) {
        return problem.help(near);
    }
    if let Some(elsewhere) = elsewhere(&entry.key) {
        return problem.help(format!("did you mean `{elsewhere}`?"));
    }
    match fields.len() {
        0 => problem.help(format!("{place} takes no keys")),
        1..=30 => problem.help(format!("{place} has {}", names(fields))),
        _ => problem,
    }
}

/// The problem of a kind that does not exist.
pub(crate) fn kind(owner: &str, kinds: &[Field], given: &str, place: &Place) -> Problem {
    let problem = Problem::at(place, format!("there is no {owner} `{given}`"), "unknown kind");
    match suggest::did_you_mean(given, kinds.iter().map(|kind| kind.name)) {
        Some(near) => problem.help(near),
        None => problem.help(format!("one of {}", names(kinds))),
    }
}

/// The problem of a dotted key, as in `--set` or a sweep, that leads nowhere.
pub(crate) fn path(key: &str, problem: Problem) -> Problem {
    let keys: Vec<String> = format::keys().into_iter().map(|key| key.key).collect();
    let plain: String =
        key.split('.').filter(|part| part.parse::<usize>().is_err()).collect::<Vec<_>>().join(".");
    let near = suggest::nearest(&plain, keys.iter().map(String::as_str));
    match near.map(str::to_string).or_else(|| elsewhere(plain.rsplit('.').next().unwrap_or(&plain))) {
        Some(near) => problem.help(format!("did you mean `{near}`?")),
        None => problem.help("`setpoint list keys` shows every key"),
    }
}

/// The full key that ends in this name, if there is exactly one, or the first of the nearest.
fn elsewhere(name: &str) -> Option<String> {
    let keys = format::keys();
    let last = |key: &str| key.rsplit('.').next().unwrap_or_default().to_string();
    if let Some(key) = keys.iter().find(|key| last(&key.key) == name) {
        return Some(key.key.clone());
    }
    let names: Vec<String> = keys.iter().map(|key| last(&key.key)).collect();
    let near = suggest::nearest(name, names.iter().map(String::as_str))?;
    keys.iter().find(|key| last(&key.key) == near).map(|key| key.key.clone())
}

fn names(fields: &[Field]) -> String {
    fields.iter().map(|field| field.name).collect::<Vec<_>>().join(", ")
}
