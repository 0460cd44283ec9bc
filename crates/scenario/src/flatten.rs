//! Writes a tree as text: a file merged with the files that it extends.
//!
//! Results store this text, so that a run can be reproduced from its manifest and is repeated if
//! any of the files has changed. Reading the text gives the same tree; comments are lost.

use super::tree::{Entry, Item, Table, Value};

/// The text of a scenario: keys before tables, in the order of the tree.
pub(crate) fn flatten(tree: &Item) -> String {
    let mut text = String::new();
    if let Value::Table(table) = &tree.value {
        body(table, "", &mut text);
    }
    text
}

fn body(table: &Table, path: &str, text: &mut String) {
    let (below, keys): (Vec<&Entry>, Vec<&Entry>) =
        table.entries.iter().partition(|entry| needs_header(&entry.item.value));
    for entry in keys {
        *text += &format!("{} = {}\n", key(&entry.key), value(&entry.item.value));
    }
    for entry in below {
        let path = if path.is_empty() { key(&entry.key) } else { format!("{path}.{}", key(&entry.key)) };
        match &entry.item.value {
            Value::Table(inner) => {
                // A table that contains only tables needs no header.
                if inner.entries.is_empty()
                    || inner.entries.iter().any(|entry| !needs_header(&entry.item.value))
                {
                    *text += &format!("\n[{path}]\n");
                }
                body(inner, &path, text);
            }
            Value::List(items) => items.iter().for_each(|item| list_entry(item, &path, text)),
            _ => {}
        }
    }
}

/// Whether a value is written under a header in brackets.
fn needs_header(value: &Value) -> bool {
    match value {
        Value::Table(_) => true,
        Value::List(items) => {
            !items.is_empty() && items.iter().all(|item| matches!(item.value, Value::Table(_)))
        }
        _ => false,
    }
}

/// Tables inside an entry are written in braces.
fn list_entry(item: &Item, path: &str, text: &mut String) {
    *text += &format!("\n[[{path}]]\n");
    if let Value::Table(table) = &item.value {
        for entry in &table.entries {
            *text += &format!("{} = {}\n", key(&entry.key), value(&entry.item.value));
        }
    }
}

fn value(value: &Value) -> String {
    match value {
        Value::Text(text) => quoted(text),
        Value::Float(number) => format!("{number:?}"),
        Value::Integer(_) | Value::Flag(_) | Value::Date => value.to_string(),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(|item| self::value(&item.value)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Table(table) => {
            let show = |entry: &Entry| format!("{} = {}", key(&entry.key), self::value(&entry.item.value));
            let entries: Vec<String> = table.entries.iter().map(show).collect();
            if entries.is_empty() { String::from("{}") } else { format!("{{ {} }}", entries.join(", ")) }
        }
    }
}

fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    if !name.is_empty() && name.chars().all(bare) { name.to_owned() } else { quoted(name) }
}

/// A TOML basic string, with control characters escaped.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted += "\\\"",
            '\\' => quoted += "\\\\",
            c if c.is_control() => quoted += &format!("\\u{:04X}", u32::from(c)),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::diagnostics::Problems;
    use super::super::tree;
    use super::*;
    use crate::builtin::builtin;
    use crate::source::Source;

    fn read(text: &str) -> Item {
        let mut problems = Problems::default();
        let item = tree::read(&Arc::new(Source::new("test.toml", text)), &mut problems);
        problems.check().unwrap_or_else(|errors| panic!("{errors}\n{text}"));
        item
    }

    #[test]
    fn a_flattened_text_reads_back() {
        let odd = "\"a b\" = \"x\\\"y\\\\z\\n\\u007f µ\"\nn = 1e30\nl = [[1, 2.0], []]\ne = [{ x = { y = { } } }]\n[t]\n[u.v]\nw = true\n";
        for text in builtin().iter().map(|builtin| builtin.text).chain([odd]) {
            let flat = flatten(&read(text));
            assert_eq!(flatten(&read(&flat)), flat);
            // Keys come before tables; the order among keys and among tables stays the same.
            assert_eq!(read(&flat).value.to_string().len(), read(text).value.to_string().len(), "{flat}");
        }
    }
}
