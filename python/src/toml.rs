//! A scenario as a dictionary, written as TOML.
//!
//! The values of a table come before its inner tables, as TOML requires; otherwise everything keeps its order, since the
//! order of the axes in `sweep` matters.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

/// A dictionary as a TOML document.
pub(crate) fn document(dict: &Bound<'_, PyDict>) -> PyResult<String> {
    let mut text = String::new();
    write_table(dict, "", &mut text)?;
    Ok(text)
}

/// A value on one line.
pub(crate) fn inline(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(quoted(&text.to_cow()?));
    }
    // A bool is an int in Python.
    if let Ok(value) = value.cast::<PyBool>() {
        return Ok(value.is_true().to_string());
    }
    if value.is_instance_of::<PyInt>() || value.is_instance_of::<PyFloat>() {
        return Ok(value.repr()?.to_string());
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let items: PyResult<Vec<String>> = value.try_iter()?.map(|item| inline(&item?)).collect();
        return Ok(format!("[{}]", items?.join(", ")));
    }
    if let Ok(dict) = value.cast::<PyDict>() {
        let entry = |(name, value)| Ok(format!("{} = {}", key(&name)?, inline(&value)?));
        let entries: PyResult<Vec<String>> = dict.iter().map(entry).collect();
        return Ok(format!("{{ {} }}", entries?.join(", ")));
    }
    let kind = value.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "{} is a {kind}; a scenario holds text, numbers, booleans, lists and dictionaries",
        value.repr()?
    )))
}

fn write_table(dict: &Bound<'_, PyDict>, path: &str, text: &mut String) -> PyResult<()> {
    let (inner, own): (Vec<_>, Vec<_>) = dict.iter().partition(|(_, value)| is_table(value));
    for (name, value) in own {
        *text += &format!("{} = {}\n", key(&name)?, inline(&value)?);
    }
    for (name, value) in inner {
        let name = key(&name)?;
        let path = if path.is_empty() { name } else { format!("{path}.{name}") };
        match value.cast::<PyDict>() {
            Ok(table) => write_headed(table, &path, &format!("[{path}]"), text)?,
            Err(_) => {
                for table in value.try_iter()? {
                    write_headed(table?.cast::<PyDict>()?, &path, &format!("[[{path}]]"), text)?;
                }
            }
        }
    }
    Ok(())
}

fn write_headed(table: &Bound<'_, PyDict>, path: &str, header: &str, text: &mut String) -> PyResult<()> {
    *text += &format!("\n{header}\n");
    write_table(table, path, text)
}

/// Whether a value gets its own header: a dictionary, or a list of dictionaries.
fn is_table(value: &Bound<'_, PyAny>) -> bool {
    let is_dict = |value: &Bound<'_, PyAny>| value.is_instance_of::<PyDict>();
    match value.cast::<PyList>() {
        Ok(list) => !list.is_empty() && list.iter().all(|item| is_dict(&item)),
        Err(_) => is_dict(value),
    }
}

/// A key: bare if TOML allows it, otherwise quoted. A dot is part of the key, as in `tomllib.load`.
fn key(name: &Bound<'_, PyAny>) -> PyResult<String> {
    let name: String = name.extract()?;
    let is_bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
    Ok(if is_bare { name } else { quoted(&name) })
}

/// A basic string.
fn quoted(text: &str) -> String {
    let escaped: String = text
        .chars()
        .map(|c| match c {
            '"' => "\\\"".to_owned(),
            '\\' => "\\\\".to_owned(),
            c if c.is_control() => format!("\\u{:04X}", u32::from(c)),
            c => c.to_string(),
        })
        .collect();
    format!("\"{escaped}\"")
}
