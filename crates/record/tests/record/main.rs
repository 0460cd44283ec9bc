//! Tests of runs, figures and captures through the public interface.

mod counters;
mod group_metrics;
mod group_runs;
mod hpcc_slowdown;
mod imported_jobs;
mod inactive;
mod jobs;
mod metrics;
mod shares;
mod support;
mod warnings;
mod wireshark;
