//! Nested figures as flat tables.
//!
//! Every list of objects becomes a table with a row per entry. Keys of objects inside an entry become columns with dotted
//! names, such as `settling.after_s`. Each quantile becomes a column: `quantiles` with 0.99 is `p99_bytes`. An entry of a
//! list inside another has the name of the outer entry in its first column.

use serde::Serialize;
use serde_json::Value;
use setpoint_units::quantity::Unit;

use super::{Column, Table, Values, ending};
use crate::results::{Form, Key, Keyed, keys_of};

/// The tables of a value: the value itself under the given name, with a single row, and its lists that have entries.
pub(super) fn tables<T: Keyed + Serialize>(name: &str, value: &T) -> Vec<Table> {
    let value = serde_json::to_value(value).expect("figures are finite and keys are text");
    let keys = keys_of::<T>();
    // The keys of maps depend on the result, so they have no columns.
    let keys: Vec<&Key> = keys.iter().filter(|key| !key.path.contains(".*")).collect();
    let mut lists: Vec<&str> = Vec::new();
    for list in keys.iter().map(|key| split(&key.path).0) {
        if !lists.contains(&list) {
            lists.push(list);
        }
    }
    let table = |list: &str| {
        let own: Vec<&Key> = keys.iter().copied().filter(|key| split(&key.path).0 == list).collect();
        let called = if list.is_empty() { name.to_owned() } else { list.replace("[]", "") };
        of_list(called, list, &own, &value)
    };
    lists.into_iter().map(table).filter(|table| table.rows() > 0).collect()
}

/// The list that contains a key, such as `flows[]`, and its path inside an entry.
fn split(path: &str) -> (&str, &str) {
    match path.rfind("[]") {
        Some(place) => (&path[..place + 2], path[place + 2..].trim_start_matches('.')),
        None => ("", path),
    }
}

/// An entry of a list, and the names of the entries that enclose it.
struct Row<'v> {
    around: Vec<Option<String>>,
    value: &'v Value,
}

fn of_list(name: String, list: &str, keys: &[&Key], value: &Value) -> Table {
    let rows = rows(list, value);
    let mut columns = outer(list, &rows);
    for key in keys {
        let path = split(&key.path).1;
        let cells: Vec<Option<&Value>> = rows.iter().map(|row| inside(row.value, path)).collect();
        columns.extend(of_key(key, path, &cells));
    }
    Table { name, columns, origin: Vec::new() }
}

/// All entries of a list, such as `flows[].receivers[]`.
fn rows<'v>(list: &str, value: &'v Value) -> Vec<Row<'v>> {
    let mut rows = vec![Row { around: Vec::new(), value }];
    let steps: Vec<&str> = list.split("[]").filter(|step| !step.is_empty()).collect();
    for (depth, step) in steps.iter().enumerate() {
        let entries = |row: Row<'v>| {
            let mut around = row.around;
            if depth > 0 {
                around.push(row.value.get("name").and_then(Value::as_str).map(str::to_owned));
            }
            let list = inside(row.value, step.trim_start_matches('.')).and_then(Value::as_array);
            let entry = move |value| Row { around: around.clone(), value };
            list.into_iter().flatten().map(entry)
        };
        rows = rows.into_iter().flat_map(entries).collect();
    }
    rows
}

/// Columns with the names of the entries that enclose those of a nested list.
fn outer(list: &str, rows: &[Row<'_>]) -> Vec<Column> {
    let steps: Vec<&str> = list.split("[]").filter(|step| !step.is_empty()).collect();
    let around = steps.len().saturating_sub(1);
    let column = |depth: usize| {
        let names = rows.iter().map(|row| row.around[depth].clone()).collect();
        Column::new(format!("{}.name", steps[depth]), None, "The entry it belongs to.", Values::Texts(names))
    };
    (0..around).map(column).collect()
}

/// The value at a dotted path.
fn inside<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').filter(|step| !step.is_empty()).try_fold(value, |value, step| value.get(step))
}

/// The columns of a key: one, none for an object or a list of strings, or one for each quantile.
fn of_key(key: &Key, path: &str, cells: &[Option<&Value>]) -> Vec<Column> {
    let values = match key.form {
        Form::Number => Values::Numbers(each(cells, Value::as_f64)),
        Form::Count => Values::Counts(each(cells, Value::as_u64)),
        Form::Flag => Values::Flags(each(cells, Value::as_bool)),
        Form::Text => Values::Texts(each(cells, |value| value.as_str().map(str::to_owned))),
        Form::Quantiles => return quantiles(key, path, cells),
        Form::Nested => return Vec::new(),
    };
    vec![Column::new(path, key.unit, &key.meaning, values)]
}

fn each<T>(cells: &[Option<&Value>], of: impl Fn(&Value) -> Option<T>) -> Vec<Option<T>> {
    cells.iter().map(|cell| cell.and_then(&of)).collect()
}

/// A column for each probability that occurs, in ascending order.
fn quantiles(key: &Key, path: &str, cells: &[Option<&Value>]) -> Vec<Column> {
    let pairs = |cell: &Value| -> Vec<(f64, f64)> {
        serde_json::from_value(cell.clone()).expect("quantiles are pairs of numbers")
    };
    let lists: Vec<Vec<(f64, f64)>> = cells.iter().map(|cell| cell.map_or_else(Vec::new, pairs)).collect();
    let mut probabilities: Vec<f64> = lists.iter().flatten().map(|pair| pair.0).collect();
    probabilities.sort_by(f64::total_cmp);
    probabilities.dedup();
    let column = |probability: &f64| {
        let of = |list: &Vec<(f64, f64)>| list.iter().find(|pair| pair.0 == *probability).map(|pair| pair.1);
        let name = quantile_name(path, *probability, key.unit);
        let meaning = format!("Quantile {probability}: {}", key.meaning);
        Column::new(name, key.unit, &meaning, Values::Numbers(lists.iter().map(of).collect()))
    };
    probabilities.iter().map(column).collect()
}

/// The name of a quantile: `fct_quantiles` in seconds with 0.99 gives `fct_p99_s`.
fn quantile_name(path: &str, probability: f64, unit: Option<Unit>) -> String {
    // Probabilities have few digits; the product has rounding errors.
    let percent = (probability * 1e8).round() / 1e6;
    let ending = unit.and_then(ending).map_or_else(String::new, |ending| format!("_{ending}"));
    format!("{}p{percent}{ending}", path.trim_end_matches("quantiles"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_named_after_percentages() {
        assert_eq!(quantile_name("fct_quantiles", 0.99, Some(Unit::Seconds)), "fct_p99_s");
        assert_eq!(quantile_name("quantiles", 0.999, Some(Unit::Bytes)), "p99.9_bytes");
        assert_eq!(quantile_name("slowdown_quantiles", 0.5, None), "slowdown_p50");
        assert_eq!(quantile_name("messages.fct_quantiles", 0.07, None), "messages.fct_p7");
    }

    #[test]
    fn lists_inside_lists_have_rows_of_their_own() {
        let value = serde_json::json!({ "flows": [
            { "name": "a", "receivers": [{ "station": "x" }, { "station": "y" }] },
            { "name": "b" },
            { "name": "c", "receivers": [{ "station": "z" }] },
        ] });
        let rows = rows("flows[].receivers[]", &value);
        let found: Vec<(&str, &str)> = rows
            .iter()
            .map(|row| (row.around[0].as_deref().unwrap(), row.value["station"].as_str().unwrap()))
            .collect();
        assert_eq!(found, [("a", "x"), ("a", "y"), ("c", "z")]);
    }
}
