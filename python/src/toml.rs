//! A scenario as a dictionary, written as TOML.
//!
//! The values of a table come before its inner tables, as TOML requires; otherwise the order is preserved, since the
//! order of the axes in `sweep` matters.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

/// The maximum nesting depth of lists and dictionaries. The scenario parser accepts slightly more.
const DEEPEST: usize = 64;
/// The length of text, in bytes, above which values are refused: if each list contains the next one twice, the text doubles
/// with every level.
const LONGEST: usize = 64 << 20;

/// A dictionary as a TOML document.
pub(crate) fn document(dict: &Bound<'_, PyDict>) -> PyResult<String> {
    let mut writer = Writer::default();
    writer.inside(dict, |writer| writer.table(dict, ""))?;
    Ok(writer.text)
}

/// A value on one line.
pub(crate) fn inline(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut writer = Writer::default();
    writer.value(value)?;
    Ok(writer.text)
}

/// Text that is being written.
#[derive(Default)]
struct Writer {
    text: String,
    /// The addresses of the lists and dictionaries that are being written, from the outermost to the innermost.
    open: Vec<usize>,
}

impl Writer {
    /// Writes the content of a list or dictionary, which must not contain itself, nor be nested too deeply.
    fn inside(
        &mut self,
        container: &Bound<'_, PyAny>,
        write: impl FnOnce(&mut Self) -> PyResult<()>,
    ) -> PyResult<()> {
        let address = container.as_ptr() as usize;
        let kind = container.get_type().name()?;
        if self.open.contains(&address) {
            return Err(PyValueError::new_err(format!(
                "a {kind} contains itself; a scenario holds a finite number of values"
            )));
        }
        if self.open.len() == DEEPEST {
            return Err(PyValueError::new_err(format!(
                "a {kind} is nested more than {DEEPEST} levels deep; no scenario key needs that"
            )));
        }
        self.open.push(address);
        write(self)?;
        self.open.pop();
        Ok(())
    }

    /// Appends text, up to the limit.
    fn push(&mut self, text: &str) -> PyResult<()> {
        if self.text.len() + text.len() > LONGEST {
            return Err(PyValueError::new_err(format!(
                "the values are more than {} MiB of text; write fewer, or give the scenario as a file",
                LONGEST >> 20
            )));
        }
        self.text += text;
        Ok(())
    }

    /// A value on one line.
    fn value(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Ok(text) = value.cast::<PyString>() {
            return self.push(&quoted(&text.to_cow()?));
        }
        // A bool is an int in Python.
        if let Ok(value) = value.cast::<PyBool>() {
            return self.push(if value.is_true() { "true" } else { "false" });
        }
        if value.is_instance_of::<PyInt>() || value.is_instance_of::<PyFloat>() {
            return self.push(&value.repr()?.to_string());
        }
        if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
            return self.inside(value, |writer| writer.list(value));
        }
        if let Ok(dict) = value.cast::<PyDict>() {
            return self.inside(value, |writer| writer.inline_table(dict));
        }
        let kind = value.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "{} is a {kind}; a scenario holds text, numbers, booleans, lists and dictionaries",
            value.repr()?
        )))
    }

    fn list(&mut self, list: &Bound<'_, PyAny>) -> PyResult<()> {
        self.push("[")?;
        for (index, item) in list.try_iter()?.enumerate() {
            self.push(if index == 0 { "" } else { ", " })?;
            self.value(&item?)?;
        }
        self.push("]")
    }

    fn inline_table(&mut self, dict: &Bound<'_, PyDict>) -> PyResult<()> {
        self.push("{ ")?;
        for (index, (name, value)) in dict.iter().enumerate() {
            self.push(if index == 0 { "" } else { ", " })?;
            self.push(&format!("{} = ", key(&name)?))?;
            self.value(&value)?;
        }
        self.push(" }")
    }

    /// The values of a table, then its inner tables under their headers.
    fn table(&mut self, dict: &Bound<'_, PyDict>, path: &str) -> PyResult<()> {
        let (inner, own): (Vec<_>, Vec<_>) = dict.iter().partition(|(_, value)| is_table(value));
        for (name, value) in own {
            self.push(&format!("{} = ", key(&name)?))?;
            self.value(&value)?;
            self.push("\n")?;
        }
        for (name, value) in inner {
            let name = key(&name)?;
            let path = if path.is_empty() { name } else { format!("{path}.{name}") };
            match value.cast::<PyDict>() {
                Ok(table) => self.headed(table, &path, &format!("[{path}]"))?,
                Err(_) => self.inside(&value, |writer| {
                    for table in value.try_iter()? {
                        writer.headed(table?.cast::<PyDict>()?, &path, &format!("[[{path}]]"))?;
                    }
                    Ok(())
                })?,
            }
        }
        Ok(())
    }

    fn headed(&mut self, table: &Bound<'_, PyDict>, path: &str, header: &str) -> PyResult<()> {
        self.push(&format!("\n{header}\n"))?;
        self.inside(table, |writer| writer.table(table, path))
    }
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
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted += "\\\"",
            '\\' => quoted += "\\\\",
            c if c.is_control() => quoted += &format!("\\u{:04X}", u32::from(c)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
