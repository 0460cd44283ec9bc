//! Tests of files and campaigns through the public interface.

#[cfg(target_os = "linux")]
mod destinations;
mod documented;
mod figures;
mod files;
mod finite;
mod folders;
mod input_buffers;
mod memory;
mod run;
mod series;
mod signals;
mod store;
#[path = "../../../record/tests/record/support/mod.rs"]
mod support;
mod sweep;
mod synthetic;
mod theory;
mod theory_dcqcn;
mod theory_form;
mod theory_timely;
