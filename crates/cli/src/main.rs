//! The `setpoint` program: parses the command line, calls the laboratory and prints the results.

#[cfg(target_os = "linux")]
mod allocator;
mod browser;
mod command;
mod failure;
mod folder;
mod interrupt;
mod memory;
mod named;
mod progress;
mod scenario;
mod summary;
mod terminal;
mod version;
mod warnings;

use std::panic;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser};
use setpoint_lab::build::set_commit;

use crate::command::Command;
use crate::failure::{Failure, Kind};

#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: allocator::Allocator = allocator::Allocator;

/// A laboratory for congestion control in lossless data-centre Ethernet.
///
/// `setpoint run` without a file runs a first experiment and writes a report.
#[derive(Debug, Parser)]
#[command(name = "setpoint", version, long_version = version::long(), after_long_help = EXIT_CODES, max_term_width = command::WIDEST)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0    success
  1    a run failed, for example because a lossless network lost a frame, or a
       file could not be read or written
  2    the command line, the scenario or a line of input is invalid
  130  interrupted by Ctrl-C; no half-written files remain. Other signals have
       the same effect: 143 after SIGTERM, 129 after SIGHUP. `live bridge`,
       `live station` and `serve` exit with 0 after Ctrl-C and SIGTERM, and keep
       running after SIGHUP

Output to terminals is coloured unless NO_COLOR is set.";

fn main() -> ExitCode {
    let matches = command::grouped(Arguments::command()).get_matches();
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    panic::set_hook(Box::new(|panic| failure::print_error(&format!("this is a bug in setpoint: {panic}"))));
    interrupt::listen();
    set_commit(version::COMMIT);
    let ended = panic::catch_unwind(|| arguments.command.execute());
    interrupt::end();
    match ended.unwrap_or(Err(Failure::Reported(Kind::Run))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
