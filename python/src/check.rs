//! `check`: validates a scenario and describes what it would run.

use pyo3::prelude::*;
use pyo3::types::PyMapping;
use serde::{Deserialize, Serialize};
use setpoint_lab::memory::Estimate;
use setpoint_scenario::{Colour, ParameterRow};
use setpoint_units::quantity::Unit;

use crate::error::failed;
use crate::html;
use crate::options::{Settings, axes as read_axes, checked};
use crate::pickle::{Pickled, Reduced, reduce};
use crate::plain::plain;

/// The description of a valid scenario.
#[pyclass(frozen, get_all, module = "setpoint")]
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Check {
    /// The name of the scenario.
    name: String,
    /// A description of the scenario, in one or two sentences.
    description: String,
    /// The text, merged with the files that it extends.
    text: String,
    /// The seed.
    seed: u64,
    /// Simulated time, in seconds.
    duration_s: f64,
    /// Number of stations, bridges and spines.
    nodes: usize,
    /// Number of links.
    links: usize,
    /// Number of flows.
    flows: usize,
    /// The algorithm.
    algorithm: String,
    /// The keys of the sweep; empty if there is no sweep.
    axes: Vec<String>,
    /// Number of variants of the sweep; 1 if there is no sweep.
    variants: usize,
    /// The maximum memory that a run needs, in bytes.
    memory_bytes: u64,
    /// The parameters in effect: key, value, default and origin of each.
    parameters: Parameters,
    /// The warnings, each as the text that the command line prints.
    warnings: Vec<String>,
}

/// Check a scenario and describe what it would run.
///
/// A scenario that cannot run raises `ScenarioError`. One that can run but is implausible has warnings. The
/// arguments are those of `sweep`.
#[pyfunction]
#[pyo3(signature = (scenario = None, *, set = None, seed = None, axes = None))]
pub(crate) fn check(
    py: Python<'_>,
    scenario: Option<&Bound<'_, PyAny>>,
    set: Option<&Bound<'_, PyMapping>>,
    seed: Option<u64>,
    axes: Option<&Bound<'_, PyMapping>>,
) -> PyResult<Check> {
    let scenario = Settings { scenario, set, seed }.load(py)?;
    let scenario = checked(py, scenario.with_axes(&read_axes(py, axes)?))?;
    let prepared = checked(py, scenario.prepare(seed.unwrap_or(scenario.seed())))?;
    let variants = checked(py, scenario.variants())?;
    let spec = &prepared.spec;
    let estimate = Estimate::of(spec).map_err(failed)?;
    Ok(Check {
        name: prepared.name.clone(),
        description: prepared.description.clone(),
        text: prepared.text.clone(),
        seed: spec.seed,
        duration_s: spec.duration.as_secs_f64(),
        nodes: spec.topology.nodes().len(),
        links: spec.topology.links().len(),
        flows: spec.flows.len(),
        algorithm: prepared.algorithm().name().to_owned(),
        axes: scenario.axes().map(str::to_owned).collect(),
        variants: variants.len(),
        memory_bytes: estimate.total().get(),
        parameters: Parameters(prepared.parameters.clone()),
        warnings: prepared.warnings().iter().map(|warning| warning.render(Colour::Off)).collect(),
    })
}

/// Parameters, which appear in Python as a list of dictionaries.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Parameters(Vec<ParameterRow>);

impl<'py> IntoPyObject<'py> for Parameters {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        Ok(plain(py, &self.0)?.into_bound(py))
    }
}

impl Pickled for Check {
    type Content<'a> = &'a Self;
    type Restored = Self;

    fn content(&self) -> &Self {
        self
    }

    fn restore(content: Self) -> PyResult<Self> {
        Ok(content)
    }
}

#[pymethods]
impl Check {
    fn _repr_html_(&self) -> String {
        let variants = if self.axes.is_empty() { "no sweep".to_owned() } else { self.variants.to_string() };
        let facts = [
            ("flows", self.flows.to_string()),
            ("nodes", self.nodes.to_string()),
            ("links", self.links.to_string()),
            ("algorithm", self.algorithm.clone()),
            ("duration", Unit::Seconds.text(self.duration_s)),
            ("seed", self.seed.to_string()),
            ("variants", variants),
            ("memory", format!("at most {}", Unit::Bytes.text(self.memory_bytes as f64))),
        ];
        let warnings: String =
            self.warnings.iter().map(|warning| format!("<pre>{}</pre>", html::escaped(warning))).collect();
        html::heading(&self.name, &self.description) + &html::facts(&facts) + &warnings
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        reduce(py, self)
    }

    fn __repr__(&self) -> String {
        format!(
            "<Check {:?}: {} flows, {}, {} s, {} variants, {} warnings>",
            self.name,
            self.flows,
            self.algorithm,
            self.duration_s,
            self.variants,
            self.warnings.len()
        )
    }
}
