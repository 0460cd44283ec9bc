//! Tests of the program from outside: its output, its files and its exit codes.

mod bench;
mod capture;
mod collectives;
mod compare;
mod concurrency;
mod explain;
mod export;
mod files;
mod folders;
mod help;
mod import;
mod interrupt;
mod league;
mod live;
mod memory;
mod names;
mod nic;
mod plots;
mod prose;
mod reproduce;
mod run;
mod scenarios;
mod shards;
mod site;
#[path = "../../../live/tests/support/skip.rs"]
mod skip;
#[cfg(target_os = "linux")]
mod slurm;
mod support;
mod sweep;
mod theory;
mod tune;
mod vectors;
mod version;
