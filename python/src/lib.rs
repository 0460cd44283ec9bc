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
mod raised;
mod reproduce;
mod restore;
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
    use crate::{
        check::{Check, check},
        compare::{Comparison, compare},
        controller::{Arrival, Random},
        error::Problem,
        explain::{Explanation, explain},
        league::{League, league},
        load::load,
        phase::{Phase, phase},
        plot::Plot,
        points::{CongestionPoint, Notification, ReactionPoint, algorithms},
        reproduce::{Reproduction, reproduce},
        restore::restore,
        run::{Run, run},
        scenario::{Scenario, scenarios},
        sweep::{Sweep, sweep},
        table::Table,
        theory::{Fluid, Stability, fluid, stability},
        tune::{Tuning, tune},
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        setpoint_lab::build::set_commit(option_env!("SETPOINT_COMMIT"));
        module.add("__version__", setpoint_record::VERSION)?;
        error::add_to(module)
    }
}
