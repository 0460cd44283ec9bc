//! Merges trees: `extends`, `--set` and the axes of a sweep.
//!
//! Tables merge key by key, and everything else is replaced, with one exception: a table that chooses a kind
//! (`[control.none]` over `[control.qcn]`, or `--set control=none`) replaces the other kind as a whole. A single
//! key (`--set control.qcn.cp.set_point=…`, or an axis of a sweep) does not select a kind: it must belong to
//! the kind that the scenario uses.

use super::diagnostics::{Place, Problem};
use super::format::{self, Field, Shape};
use super::tree::{Entry, Item, Table, Value};

/// Rewrites kinds that are given only by name (`traffic = "backlogged"`) as tables.
pub(crate) fn normalise(item: &mut Item, field: &Field) {
    if let (Shape::OneOf(kinds), Value::Text(name)) = (&field.shape, &item.value)
        && kinds.iter().any(|kind| kind.name == name)
    {
        item.value = single(name, &item.place, Value::Table(Table::default()));
    }
    match (&field.shape, &mut item.value) {
        (Shape::Table(_) | Shape::OneOf(_), Value::Table(table)) => normalise_entries(table, field),
        (Shape::Entries(_), Value::List(items)) => {
            for item in items {
                if let Value::Table(table) = &mut item.value {
                    normalise_entries(table, field);
                }
            }
        }
        _ => {}
    }
}

fn normalise_entries(table: &mut Table, field: &Field) {
    for entry in &mut table.entries {
        if let Some(inner) = field.find(&entry.key) {
            normalise(&mut entry.item, inner);
        }
    }
}

/// Merges `over` into `base`; both are in normal form.
pub(crate) fn merge(base: &mut Item, over: Item, field: Option<&Field>) {
    let (Value::Table(table), Value::Table(_)) = (&mut base.value, &over.value) else {
        *base = over;
        return;
    };
    base.place = over.place;
    let Value::Table(over) = over.value else { return };
    if is_one_of(field) && !over.entries.is_empty() {
        table.entries.retain(|entry| over.find(&entry.key).is_some());
    }
    for entry in over.entries {
        let inner = field.and_then(|field| field.find(&entry.key));
        match table.find_mut(&entry.key) {
            Some(existing) => {
                existing.key_place = entry.key_place;
                merge(&mut existing.item, entry.item, inner);
            }
            None => table.entries.push(entry),
        }
    }
}

fn is_one_of(field: Option<&Field>) -> bool {
    field.is_some_and(|field| matches!(field.shape, Shape::OneOf(_)))
}

/// A value for the key at a dotted path.
pub(crate) struct Assignment<'a> {
    /// The whole path.
    pub(crate) path: &'a [&'a str],
    /// The place of the key.
    pub(crate) key_place: &'a Place,
    pub(crate) item: Item,
}

/// Sets the value of a key. Unknown keys are inserted too; the format check reports them.
pub(crate) fn set(tree: &mut Item, assignment: Assignment<'_>) -> Result<(), Problem> {
    set_below(tree, Some(format::root()), 0, assignment)
}

/// Sets the value at the path, starting from `base`, which is `depth` names along it.
fn set_below(
    base: &mut Item,
    field: Option<&Field>,
    depth: usize,
    mut assignment: Assignment<'_>,
) -> Result<(), Problem> {
    let Some(name) = assignment.path.get(depth) else {
        if let Some(field) = field {
            normalise(&mut assignment.item, field);
        }
        merge(base, assignment.item, field);
        return Ok(());
    };
    match field {
        Some(field @ Field { shape: Shape::Entries(_), .. }) => {
            let items = match &mut base.value {
                Value::List(items) => items.as_mut_slice(),
                _ => &mut [],
            };
            let entry = entry_at(items, name, &assignment.item.place)?;
            if assignment.path.len() > depth + 1 {
                return set_key(entry, Some(field), depth + 1, assignment);
            }
            if let Value::Table(table) = &mut assignment.item.value {
                normalise_entries(table, field);
            }
            merge(entry, assignment.item, Some(field));
            Ok(())
        }
        _ => set_key(base, field, depth, assignment),
    }
}

/// Sets a key of a table, or a key below it; a value that is not a table is replaced by one.
fn set_key(
    base: &mut Item,
    field: Option<&Field>,
    depth: usize,
    assignment: Assignment<'_>,
) -> Result<(), Problem> {
    let name = assignment.path[depth];
    if let Some(field) = field.filter(|field| matches!(field.shape, Shape::OneOf(_))) {
        match &base.value {
            Value::Table(table) => another_kind(table, field, depth, &assignment)?,
            // The name of a kind that does not exist; the format check reports it.
            _ => return Ok(()),
        }
    }
    let place = assignment.item.place.clone();
    let empty = || Item { place: place.clone(), value: Value::Table(Table::default()) };
    if !matches!(base.value, Value::Table(_)) {
        *base = empty();
    }
    let Value::Table(table) = &mut base.value else { return Ok(()) };
    if table.find(name).is_none() {
        table.entries.push(Entry { key: name.to_string(), key_place: place.clone(), item: empty() });
    }
    match table.find_mut(name) {
        Some(entry) => {
            let inner = field.and_then(|field| field.find(name));
            set_below(&mut entry.item, inner, depth + 1, assignment)
        }
        None => Ok(()),
    }
}

/// Refuses a key that belongs to a kind other than the one that the scenario uses.
fn another_kind(
    chosen: &Table,
    field: &Field,
    depth: usize,
    assignment: &Assignment<'_>,
) -> Result<(), Problem> {
    let (path, wanted) = (assignment.path, assignment.path[depth]);
    let Some(other) = chosen.entries.iter().find(|entry| entry.key != wanted) else { return Ok(()) };
    let (kind, owner) = (&other.key, path[..depth].join("."));
    let message = format!(
        "`{}` is a key of {wanted}, but the {} of this scenario is {kind}",
        path.join("."),
        field.name
    );
    let problem = Problem::at(assignment.key_place, message, format!("a key of {wanted}"))
        .context(&other.key_place, format!("{kind} is chosen here"));
    let mut same = path.to_vec();
    same[depth] = kind;
    let counterpart = format::find(&same).map(|_| format!("`{}` is the same key of {kind}", same.join(".")));
    Err(problem
        .help_if(counterpart)
        .help(format!("set `{owner}` to {wanted:?} to use {wanted} instead, or remove this key")))
}

/// An entry of a list of tables, counted from 1 like the names of stations and flows.
fn entry_at<'a>(items: &'a mut [Item], name: &str, place: &Place) -> Result<&'a mut Item, Problem> {
    let count = items.len();
    let index = name.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    index.and_then(|index| items.get_mut(index)).ok_or_else(|| {
        Problem::at(place, format!("there is no entry {name:?}; the scenario has {count}"), "")
            .help("entries are counted from 1, as in flows.1.weight")
    })
}

fn single(name: &str, place: &Place, value: Value) -> Value {
    let item = Item { place: place.clone(), value };
    let entry = Entry { key: name.to_string(), key_place: place.clone(), item };
    Value::Table(Table { entries: vec![entry] })
}
