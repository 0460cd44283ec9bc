//! The `setpoint` program: reads the command line, calls the laboratory, prints what came of it.

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
mod warnings;

use std::panic;
use std::process::ExitCode;

use clap::Parser;

use crate::command::Command;
use crate::failure::{Failure, Kind};

/// A laboratory for congestion control in lossless data-centre Ethernet.
///
/// `setpoint run` without a file runs a first experiment and leaves a report to look at.
#[derive(Debug, Parser)]
#[command(name = "setpoint", version, after_long_help = EXIT_CODES, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0    it worked
  1    a run failed, as by a frame lost where none may be, or a file could not
       be read or written
  2    the command line, the scenario or a line of input is wrong
  130  interrupted by Ctrl-C; nothing half-written is left behind. Other signals
       do the same: 143 after SIGTERM, 129 after SIGHUP

Colours are used on terminals, and never if NO_COLOR is set.";

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    panic::set_hook(Box::new(|panic| failure::complain(&format!("this is a bug in setpoint: {panic}"))));
    interrupt::listen();
    let ended = panic::catch_unwind(|| arguments.command.execute());
    interrupt::end();
    match ended.unwrap_or(Err(Failure::Told(Kind::Run))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
