//! Tests of the fluid models and their solver: closed forms, independent tables, properties.

mod border;
mod conext;
mod courses;
mod dcqcn;
mod dcqcn_rules;
mod dde;
mod dde_bounds;
mod dde_errors;
mod dde_oscillator;
mod dde_properties;
mod dde_switches;
mod equations;
mod equilibrium;
mod margins;
mod options;
mod phase;
mod support;
mod timely;
