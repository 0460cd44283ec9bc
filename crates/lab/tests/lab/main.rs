//! Tests of scenarios, runs, figures and files through the public interface.

mod checks;
#[cfg(target_os = "linux")]
mod destinations;
mod documented;
mod figures;
mod finite;
mod folders;
mod glossary;
mod group_metrics;
mod group_runs;
mod groups;
mod input_buffers;
mod memory;
mod metrics;
mod readme;
mod run;
mod scenario;
mod scenario_axes;
mod scenario_errors;
mod scenario_format;
mod scenario_names;
mod scenario_robust;
mod series;
mod shares;
mod store;
mod support;
mod sweep;
mod theory;
mod theory_form;
mod threads;
mod wireshark;
