//! `explain`: the meaning of a name.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::html;

/// The meaning of a name.
#[pyclass(frozen, get_all, module = "setpoint")]
#[derive(Debug)]
pub(crate) struct Explanation {
    /// The full name.
    name: String,
    /// Its meaning, in a few sentences.
    text: String,
    /// Facts, each with its name: unit, default, range, origin.
    facts: Vec<(String, String)>,
    /// Related names and their meanings: the choices of a parameter, the keys below a key, the meanings of a short name.
    related: Vec<(String, String)>,
    /// The parameters of an algorithm and their defaults.
    parameters: Vec<(String, String)>,
}

/// Explain an algorithm, a parameter, a scenario key, a preset, a technical term or a metric.
///
/// Names can be given in full (`"qcn.cp.set_point"`), by their ending (`"set_point"`) or as the managed object of
/// IEEE 802.1Q (`"cpQSp"`). If a name has several meanings, they are in `related`; an unknown name raises
/// `ValueError`.
#[pyfunction]
#[pyo3(signature = (name = "qcn"))]
pub(crate) fn explain(name: &str) -> PyResult<Explanation> {
    let found = setpoint_lab::explain::explain(name).map_err(PyValueError::new_err)?;
    let parameters = found.parameters.iter();
    Ok(Explanation {
        name: found.name,
        text: found.text.join("\n\n"),
        facts: found.facts,
        related: found.related,
        parameters: parameters
            .map(|parameter| (parameter.key.to_owned(), parameter.default_value().to_string()))
            .collect(),
    })
}

impl Explanation {
    fn pairs(&self) -> impl Iterator<Item = &(String, String)> {
        self.facts.iter().chain(&self.related).chain(&self.parameters)
    }
}

#[pymethods]
impl Explanation {
    fn _repr_html_(&self) -> String {
        let rows: Vec<(&str, String)> =
            self.pairs().map(|(name, text)| (name.as_str(), text.clone())).collect();
        html::heading(&self.name, &self.text) + &html::facts(&rows)
    }

    fn __str__(&self) -> String {
        let pairs: String = self.pairs().map(|(name, text)| format!("{name}: {text}\n")).collect();
        let gap = if pairs.is_empty() { "" } else { "\n" };
        format!("{}\n{}\n{gap}{pairs}", self.name, self.text)
    }

    fn __repr__(&self) -> String {
        format!("<Explanation {:?}>", self.name)
    }
}
