//! The program from outside: what it prints, what it leaves behind, and how it ends.

mod bench;
mod concurrency;
mod explain;
mod export;
mod files;
mod help;
mod interrupt;
mod league;
mod memory;
mod names;
mod plots;
mod reproduce;
mod run;
mod scenarios;
mod support;
mod sweep;
mod theory;
mod vectors;
