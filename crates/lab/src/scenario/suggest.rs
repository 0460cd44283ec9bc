//! "Did you mean …?"
//!
//! Names are compared without case and separators: `leafspine` equals `leaf-spine`. Names that differ by a few letters come
//! first, then names of which a part does (`fig8` and `af-qcn/fig08`), then names that contain the other (`leafspine` and
//! `leaf-spine-web-search`).

use super::diagnostics::{Place, Problem};
use super::format::{self, Field};
use super::tree::{Entry, Item, Value};

/// Most suggestions at once.
const MOST: usize = 3;
/// Shorter texts are contained in too many names.
const SHORTEST_PART: usize = 3;

/// The candidate that is nearest to what was written, if one is near enough.
#[must_use]
pub fn nearest<'a>(written: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    similar(written, candidates).first().copied()
}

/// A question with the candidates that are equally near: "did you mean `a` or `b`?".
#[must_use]
pub fn did_you_mean<'a>(written: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let quoted: Vec<String> =
        similar(written, candidates).iter().map(|candidate| format!("`{candidate}`")).collect();
    match &quoted[..] {
        [] => None,
        [one] => Some(format!("did you mean {one}?")),
        [others @ .., last] => Some(format!("did you mean {} or {last}?", others.join(", "))),
    }
}

/// The nearest candidates, each once, in the given order.
#[must_use]
fn similar<'a>(written: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let plain_written = plain(written);
    let mut best: Option<Likeness> = None;
    let mut found: Vec<&str> = Vec::new();
    for candidate in candidates {
        let Some(likeness) = likeness(&plain_written, candidate) else { continue };
        if best.is_none_or(|best| likeness < best) {
            best = Some(likeness);
            found.clear();
        }
        let is_new = || found.iter().all(|other| plain(other) != plain(candidate));
        if best == Some(likeness) && found.len() < MOST && is_new() {
            found.push(candidate);
        }
    }
    found
}

/// How similar two names are, the most similar first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    /// The number of letters by which they differ.
    Whole(usize),
    /// The number of letters by which a part of the candidate differs.
    Part(usize),
    /// The candidate contains what was written.
    Contains,
    /// What was written contains the candidate.
    IsContained,
}

fn likeness(written: &str, candidate: &str) -> Option<Likeness> {
    let whole = plain(candidate);
    if let Some(distance) = near(written, &whole) {
        return Some(Likeness::Whole(distance));
    }
    let part = candidate.split(['/', '.']).filter_map(|part| near(written, &plain(part))).min();
    if let Some(distance) = part {
        return Some(Likeness::Part(distance));
    }
    let length = |text: &str| text.chars().count();
    if length(written) >= SHORTEST_PART && whole.contains(written) {
        return Some(Likeness::Contains);
    }
    (length(&whole) > SHORTEST_PART && written.contains(&whole)).then_some(Likeness::IsContained)
}

/// The number of letters by which two names differ, if it is small.
fn near(written: &str, candidate: &str) -> Option<usize> {
    let length = written.chars().count();
    let allowed = (length / 3).max(1).min(length.saturating_sub(1));
    if candidate.chars().count().abs_diff(length) > allowed {
        return None;
    }
    Some(strsim::osa_distance(written, candidate)).filter(|distance| *distance <= allowed)
}

/// A name in lower case, without separators.
fn plain(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
}

/// The problem of a key that its table does not have.
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

/// The problem of a kind that does not exist.
pub(crate) fn unknown_kind(owner: &str, kinds: &[Field], given: &str, place: &Place) -> Problem {
    let problem = Problem::at(place, format!("there is no {owner} `{given}`"), "unknown kind");
    let near = did_you_mean(given, kinds.iter().map(|kind| kind.name));
    problem.help(near.unwrap_or_else(|| format!("one of {}", names(kinds))))
}

/// Adds a remedy to the problem of a dotted key, as in `--set` or a sweep, that does not exist.
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

/// The first key that ends in this name, or else in the nearest to it.
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

/// The name of a table in messages; `whole` is that of the table without a name.
pub(crate) fn owner(whole: &str, table: &Field) -> String {
    if table.name.is_empty() { whole.to_owned() } else { format!("`{}`", table.name) }
}

/// The names of some keys.
pub(crate) fn names(fields: &[Field]) -> String {
    fields.iter().map(|field| field.name).collect::<Vec<_>>().join(", ")
}

/// The remedy for several values where one belongs.
pub(crate) const SWEEP: &str = "to try several values, use `setpoint sweep` with `--axis` and the full key, as in \
    `--axis topology.dumbbell.senders=1,10`, or list them in `[sweep]`";

/// Adds that to the problem of a value if each part of it would be right by itself.
pub(crate) fn sweep(problem: Problem, item: &Item, is_right: impl Fn(&Item) -> bool) -> Problem {
    let parts = parts(item);
    if parts.len() > 1 && parts.iter().all(is_right) { problem.help(SWEEP) } else { problem }
}

/// The values of a list, or of a text with commas.
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
