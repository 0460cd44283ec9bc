//! The Python package of Setpoint: scenarios, results and algorithms as Python objects.
//!
//! Every function does what the command of the same name does, and takes its options. Simulations run on separate
//! threads, while the calling thread waits without the interpreter lock (`wait`). Tables leave the module in the Arrow
//! format (`arrow`), everything else as plain Python objects (`plain`).

mod arrow;
mod check;
mod compare;
mod controller;
mod error;
mod explain;
mod html;
mod league;
mod load;
mod options;
mod phase;
mod pickle;
mod plain;
mod plot;
mod points;
mod progress;
mod reproduce;
mod run;
mod scenario;
mod sweep;
mod table;
mod theory;
mod toml;
mod tune;
mod wait;

/// Simulations of congestion control in lossless data-centre Ethernet.
#[pyo3::pymodule]
mod _setpoint {
    use pyo3::prelude::*;

    use crate::error;

    #[pymodule_export]
    use crate::check::{Check, check};
    #[pymodule_export]
    use crate::compare::{Comparison, compare};
    #[pymodule_export]
    use crate::controller::{Arrival, Random};
    #[pymodule_export]
    use crate::error::Problem;
    #[pymodule_export]
    use crate::explain::{Explanation, explain};
    #[pymodule_export]
    use crate::league::{League, league};
    #[pymodule_export]
    use crate::load::load;
    #[pymodule_export]
    use crate::phase::{Phase, phase};
    #[pymodule_export]
    use crate::pickle::restore;
    #[pymodule_export]
    use crate::plot::Plot;
    #[pymodule_export]
    use crate::points::{CongestionPoint, Notification, ReactionPoint, algorithms};
    #[pymodule_export]
    use crate::reproduce::{Reproduction, reproduce};
    #[pymodule_export]
    use crate::run::{Run, run};
    #[pymodule_export]
    use crate::scenario::{Scenario, scenarios};
    #[pymodule_export]
    use crate::sweep::{Sweep, sweep};
    #[pymodule_export]
    use crate::table::Table;
    #[pymodule_export]
    use crate::theory::{Fluid, Stability, fluid, stability};
    #[pymodule_export]
    use crate::tune::{Tuning, tune};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        setpoint_lab::build::set_commit(option_env!("SETPOINT_COMMIT"));
        module.add("__version__", setpoint_record::VERSION)?;
        error::add_to(module)
    }
}
