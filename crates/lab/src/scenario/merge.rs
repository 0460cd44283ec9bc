//! Puts one tree over another: `extends`, `--set` and the axes of a sweep.
//!
//! Tables merge key by key and everything else is replaced, with one addition: a table that says a kind
//! (`[control.none]` over `[control.qcn]`) replaces the other kind instead of standing beside it.

use super::diagnostics::{Place, Problem};
use super::format::{Field, Shape};
use super::tree::{Entry, Item, Table, Value};

/// Writes kinds that are given by their name alone (`traffic = "backlogged"`) as tables.
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

/// Puts `over` on `base`; both are in normal form.
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

/// Sets the value at a dotted path. Unknown keys are put in too: the check of the format finds them.
pub(crate) fn set(
    base: &mut Item,
    field: Option<&Field>,
    path: &[&str],
    mut value: Item,
) -> Result<(), Problem> {
    match (path, field) {
        ([], _) => {
            if let Some(field) = field {
                normalise(&mut value, field);
            }
            merge(base, value, field);
            Ok(())
        }
        ([name, rest @ ..], Some(Field { shape: Shape::Entries(_), .. })) => {
            let items = match &mut base.value {
                Value::List(items) => items.as_mut_slice(),
                _ => &mut [],
            };
            let entry = entry_at(items, name, &value.place)?;
            match rest {
                [] => {
                    merge(entry, value, field);
                    Ok(())
                }
                [name, rest @ ..] => set_key(entry, field, (name, rest), value),
            }
        }
        ([name, rest @ ..], _) => set_key(base, field, (name, rest), value),
    }
}

/// Sets a key of a table, or one below it; what is no table becomes one.
fn set_key(
    base: &mut Item,
    field: Option<&Field>,
    (name, rest): (&str, &[&str]),
    value: Item,
) -> Result<(), Problem> {
    if !matches!(base.value, Value::Table(_)) {
        *base = Item { place: value.place.clone(), value: Value::Table(Table::default()) };
    }
    let Value::Table(table) = &mut base.value else { return Ok(()) };
    if is_one_of(field) {
        table.entries.retain(|entry| entry.key == name);
    }
    if table.find(name).is_none() {
        let place = value.place.clone();
        let item = Item { place: place.clone(), value: Value::Table(Table::default()) };
        table.entries.push(Entry { key: name.to_string(), key_place: place, item });
    }
    match table.find_mut(name) {
        Some(entry) => set(&mut entry.item, field.and_then(|field| field.find(name)), rest, value),
        None => Ok(()),
    }
}

/// An entry of a list of tables, counted from 1 as names of stations and flows are.
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
