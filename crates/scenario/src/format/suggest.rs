//! Problems reported for unknown keys and kinds, with suggestions.

use setpoint_suggest::{did_you_mean, misspelt, nearest};

use super::{Field, Shape, find, keys};
use crate::diagnostics::{Place, Problem};
use crate::scope;
use crate::tree::{Entry, Item, Value};

/// Words in names of keys, and the words that the format uses instead.
const SYNONYMS: &[(&str, &str)] = &[
    ("host", "station"),
    ("hosts", "stations"),
    ("server", "station"),
    ("servers", "stations"),
    ("nodes", "stations"),
    ("leafs", "leaves"),
    ("switch", "bridge"),
    ("switches", "bridges"),
    ("bandwidth", "rate"),
    ("speed", "rate"),
    ("latency", "delay"),
    ("packet", "frame"),
    ("mtu", "frame"),
    ("period", "every"),
    ("interval", "every"),
    ("src", "from"),
    ("dst", "to"),
    ("qeq", "set_point"),
];

/// The problem reported for a key that its table does not have.
pub(crate) fn unknown_key(table: &Field, entry: &Entry) -> Problem {
    let (owner, fields) = (owner("a scenario", table), table.fields());
    let message = format!("{owner} has no key `{}`", entry.key);
    let problem = Problem::at(&entry.key_place, message, "unknown key");
    if let Some(near) = did_you_mean(&entry.key, fields.iter().map(|field| field.name)) {
        return problem.help(near);
    }
    if let Some(same) = fields.iter().find(|field| field.name == in_our_words(&entry.key)) {
        return problem.help(format!("did you mean `{}`?", same.name));
    }
    if let Some(elsewhere) = elsewhere(&entry.key) {
        return problem.help(in_its_place(entry, &elsewhere));
    }
    match fields.len() {
        0 => problem.help(format!("{owner} takes no keys")),
        1..=30 => problem.help(format!("{owner} has {}", names(fields))),
        _ => problem,
    }
}

/// The remedy for a key that exists in another table. The full name of a key at the top level is not enough, because it
/// does not show the place.
fn in_its_place(entry: &Entry, key: &str) -> String {
    let place = match entry.item.value {
        Value::Table(_) | Value::List(_) => "at the top level",
        _ => "at the top level, before the first table",
    };
    if key.contains('.') {
        format!("did you mean `{key}`?")
    } else if key == entry.key {
        format!("`{key}` belongs {place}")
    } else {
        format!("did you mean `{key}` {place}?")
    }
}

/// The problem reported for a kind that does not exist.
pub(crate) fn unknown_kind(owner: &str, kinds: &[Field], given: &str, place: &Place) -> Problem {
    let problem = Problem::at(place, format!("`{owner}` has no kind `{given}`"), "unknown kind");
    if let Some(subject) = scope::not_modelled(given).filter(|_| owner == "control") {
        return problem
            .help(format!("Setpoint does not model this: {}; instead, {}", subject.title, subject.instead))
            .help(format!("one of {}", names(kinds)));
    }
    let near = did_you_mean(given, kinds.iter().map(|kind| kind.name));
    problem.help(near.unwrap_or_else(|| format!("one of {}", names(kinds))))
}

/// Adds a remedy to the problem reported for an unknown dotted key, as in `--set` or a sweep. The scenario, if known,
/// is used to find the number of an entry that the key refers to by name.
pub(crate) fn unknown_path(key: &str, scenario: Option<&Item>, problem: Problem) -> Problem {
    let path: Vec<&str> = key.split('.').collect();
    let number = path.get(1).and_then(|part| part.parse::<usize>().ok());
    if let (None, [list, name, rest @ ..]) = (number, &path[..])
        && is_list(list)
        && !rest.is_empty()
        && find(&[&[*list], rest].concat()).is_some()
    {
        let number = scenario.and_then(|scenario| position(scenario, list, name)).unwrap_or(1);
        return problem
            .help(format!("did you mean `{list}.{number}.{}`?", rest.join(".")))
            .help("entries are counted from 1; their names are not part of keys");
    }
    let plain: Vec<&str> = path.into_iter().filter(|part| part.parse::<usize>().is_err()).collect();
    match similar_path(&plain.join(".")) {
        Some(near) => problem.help(format!("did you mean `{}`?", numbered(&near, number.unwrap_or(1)))),
        None => problem.help("`setpoint list keys` shows every key"),
    }
}

fn is_list(key: &str) -> bool {
    find(&[key]).is_some_and(|field| matches!(field.shape, Shape::Entries(_)))
}

/// The number, counted from 1, of the entry with this name in a list of the scenario.
fn position(scenario: &Item, list: &str, name: &str) -> Option<usize> {
    let Value::Table(table) = &scenario.value else { return None };
    let Value::List(entries) = &table.find(list)?.item.value else { return None };
    let is_named = |entry: &Item| match &entry.value {
        Value::Table(entry) => {
            let own = entry.find("name").map(|own| &own.item.value);
            matches!(own, Some(Value::Text(own)) if own == name)
        }
        _ => false,
    };
    Some(entries.iter().position(is_named)? + 1)
}

/// A key with the number of the entry, if it is a key of entries.
fn numbered(key: &str, number: usize) -> String {
    match key.split_once('.') {
        Some((list, rest)) if is_list(list) => format!("{list}.{number}.{rest}"),
        _ => key.to_owned(),
    }
}

/// A key of the same table if the table exists, otherwise a key with a similar spelling, otherwise one with this name
/// in another table.
fn similar_path(given: &str) -> Option<String> {
    let all = keys();
    let keys: Vec<&str> = all.iter().map(|key| key.key.as_str()).collect();
    let (table, name) = given.rsplit_once('.').unwrap_or(("", given));
    let in_table = |key: &&&str| key.rsplit_once('.').map_or("", |(table, _)| table) == table;
    let beside: Vec<&str> = keys.iter().filter(in_table).map(|key| last(key)).collect();
    let ours = in_our_words(name);
    let near =
        nearest(name, beside.iter().copied()).or_else(|| beside.iter().copied().find(|key| *key == ours));
    if let Some(near) = near {
        return Some(if table.is_empty() { near.to_owned() } else { format!("{table}.{near}") });
    }
    let spelt = || misspelt(given, keys.iter().copied()).map(str::to_owned);
    let mut values = all.iter().filter(|key| !key.is_table).map(|key| &key.key);
    let below_a_value = values.find(|key| given.starts_with(&format!("{key}."))).cloned();
    below_a_value
        .filter(|_| beside.is_empty())
        .or_else(|| spelt().filter(|_| beside.is_empty()))
        .or_else(|| elsewhere(name))
}

/// The first key in any table with this name, or otherwise one with a similar spelling.
fn elsewhere(name: &str) -> Option<String> {
    let keys = keys();
    let named = |name: &str| keys.iter().find(|key| last(&key.key) == name).map(|key| key.key.clone());
    let spelt = || misspelt(name, keys.iter().map(|key| last(&key.key)));
    named(name).or_else(|| named(&in_our_words(name))).or_else(|| named(spelt()?))
}

fn last(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or_default()
}

/// A name with the format's words in place of their synonyms.
fn in_our_words(name: &str) -> String {
    let word = |word: &str| {
        let known = SYNONYMS.iter().find(|(other, _)| word.eq_ignore_ascii_case(other));
        known.map_or_else(|| word.to_owned(), |(_, ours)| (*ours).to_owned())
    };
    name.split('_').map(word).collect::<Vec<_>>().join("_")
}

/// The name of a table in messages; `whole` is the name of the top-level table.
pub(crate) fn owner(whole: &str, table: &Field) -> String {
    if table.name.is_empty() { whole.to_owned() } else { format!("`{}`", table.name) }
}

/// The names of some keys.
pub(crate) fn names(fields: &[Field]) -> String {
    fields.iter().map(|field| field.name).collect::<Vec<_>>().join(", ")
}

/// The remedy if several values are given where one is expected.
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
