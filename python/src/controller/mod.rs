//! Controllers written in Python that run inside the simulator.
//!
//! The simulator calls them on its own thread, which acquires the interpreter lock for each call and caches the values that
//! it needs between calls (rate and timer). After an exception no point is called again, and the run stops at its next
//! sample.

mod congestion;
mod random;
mod reaction;

use setpoint_control::Path;
use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyMapping;
use setpoint_sim::{ControllerNames, Controllers};

pub(crate) use congestion::Arrival;
pub(crate) use random::Random;

use congestion::PythonCongestionPoint;
use reaction::PythonReactionPoint;

use crate::raised::Raised;

/// The factories that were passed to `run`.
#[derive(Debug)]
pub(crate) struct Factories {
    congestion_point: Option<Py<PyAny>>,
    reaction_point: Option<Py<PyAny>>,
    names: ControllerNames,
}

impl Factories {
    /// Creates the factories from the arguments; `None` if neither is given.
    pub(crate) fn new(
        congestion_point: Option<&Bound<'_, PyAny>>,
        reaction_point: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<Self>> {
        if congestion_point.is_none() && reaction_point.is_none() {
            return Ok(None);
        }
        let checked = |name: &str, given: &Bound<'_, PyAny>| {
            if given.is_callable() { Ok(full_name(given)) } else { Err(not_a_factory(name, given)) }
        };
        let names = ControllerNames {
            congestion_point: congestion_point.map(|given| checked("congestion_point", given)).transpose()?,
            reaction_point: reaction_point.map(|given| checked("reaction_point", given)).transpose()?,
        };
        let kept = |given: Option<&Bound<'_, PyAny>>| given.map(|given| given.clone().unbind());
        Ok(Some(Self {
            congestion_point: kept(congestion_point),
            reaction_point: kept(reaction_point),
            names,
        }))
    }

    /// The controllers of a run, which record the first exception.
    pub(crate) fn controllers(self, raised: &Arc<Raised>) -> Controllers {
        let Self { congestion_point, reaction_point, names } = self;
        let of_congestion = congestion_point.map(|factory| {
            let raised = raised.clone();
            let make = move |rate| PythonCongestionPoint::boxed(&factory, rate, &raised);
            Arc::new(make) as setpoint_sim::MakeCongestionPoint
        });
        let of_reaction = reaction_point.map(|factory| {
            let raised = raised.clone();
            let make = move |path: &Path| PythonReactionPoint::boxed(&factory, path.line_rate, &raised);
            Arc::new(make) as setpoint_sim::MakeReactionPoint
        });
        Controllers {
            congestion_point: of_congestion,
            reaction_point: of_reaction,
            names,
            ..Controllers::default()
        }
    }
}

fn not_a_factory(name: &str, given: &Bound<'_, PyAny>) -> PyErr {
    let kind = given.get_type().name().map_or_else(|_| "object".to_owned(), |kind| kind.to_string());
    PyTypeError::new_err(format!(
        "{name} is a {kind}; expected a class, or a function that makes a point from a line rate and a random generator"
    ))
}

/// The name of a class or function, with its module.
fn full_name(given: &Bound<'_, PyAny>) -> String {
    let text = |name: &str| given.getattr(name).and_then(|value| value.extract::<String>()).ok();
    match (text("__module__"), text("__qualname__")) {
        (Some(module), Some(name)) => format!("{module}.{name}"),
        _ => given.repr().map_or_else(|_| "unnamed".to_owned(), |repr| repr.to_string()),
    }
}

/// A method, if the object has it.
fn method(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Option<Py<PyAny>>> {
    let found = object.getattr_opt(name)?;
    Ok(found.filter(PyAnyMethods::is_callable).map(Bound::unbind))
}

/// A method that the object must have.
fn required(object: &Bound<'_, PyAny>, name: &str, kind: &str) -> PyResult<Py<PyAny>> {
    method(object, name)?.ok_or_else(|| {
        let class = object.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!("{class} has no method {name}, which a {kind} needs"))
    })
}

/// The counters of an object, if it has any.
fn counters(object: &Bound<'_, PyAny>) -> PyResult<Vec<(String, u64)>> {
    let Some(given) = object.getattr_opt("counters")? else { return Ok(Vec::new()) };
    given.cast::<PyMapping>()?.items()?.iter().map(|item| item.extract()).collect()
}
