//! The generated documentation of the format: schema, keys and reference page.

use std::path::Path;

use serde_json::Value;
use setpoint_scenario::{builtin, keys, reference, schema};

/// Every key of a TOML document with the path to it; for lists of tables, the keys of their entries.
fn paths(value: &toml::Value, prefix: &str, found: &mut Vec<String>) {
    match value {
        toml::Value::Table(table) => {
            for (key, value) in table {
                let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
                found.push(path.clone());
                if path != "sweep" {
                    paths(value, &path, found);
                }
            }
        }
        toml::Value::Array(items) => items.iter().for_each(|item| paths(item, prefix, found)),
        _ => {}
    }
}

/// The entry of a path in the schema.
fn in_schema<'a>(schema: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(schema, |schema, key| properties(schema)?.get(key))
}

fn properties(schema: &Value) -> Option<&Value> {
    let alternatives = || schema.get("anyOf")?.as_array()?.iter().find_map(properties);
    schema.get("properties").or_else(|| schema.get("items").and_then(properties)).or_else(alternatives)
}

#[test]
fn the_schema_knows_every_key_of_the_builtins() {
    let schema = schema();
    let mut count = 0;
    for builtin in builtin() {
        let document: toml::Value = toml::from_str(builtin.text).unwrap();
        let mut found = Vec::new();
        paths(&document, "", &mut found);
        for path in found {
            let entry = in_schema(&schema, &path);
            assert!(
                entry.is_some_and(|entry| entry.get("description").is_some()),
                "{}: {path}",
                builtin.name
            );
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn the_schema_and_the_list_of_keys_agree() {
    let schema = schema();
    for key in keys() {
        let entry = in_schema(&schema, &key.key).unwrap_or_else(|| panic!("{}", key.key));
        assert_eq!(entry["description"], key.doc.as_str());
    }
}

#[test]
fn every_key_is_documented() {
    for key in keys() {
        assert!(key.doc.ends_with('.'), "{}: {:?}", key.key, key.doc);
        assert!(!key.expected.is_empty(), "{}", key.key);
    }
}

#[test]
fn quantities_have_a_pattern_with_units() {
    let schema = schema();
    for (path, unit) in [
        ("duration", "ms"),
        ("topology.dumbbell.rate", "b/s"),
        ("network.buffer", "B"),
        ("control.qcn.cp.set_point", "B"),
    ] {
        let pattern = in_schema(&schema, path).unwrap()["pattern"].as_str().unwrap();
        assert!(pattern.contains(unit), "{path}: {pattern}");
    }
}

/// Set `UPDATE_DOCS=1` to regenerate the page.
#[test]
fn the_reference_page_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenario.md");
    let expected = reference();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &expected).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == expected,
        "docs/scenario.md is out of date; run UPDATE_DOCS=1 cargo test -p setpoint-scenario"
    );
}
