//! `setpoint step`: single-steps an algorithm over a pipe.

mod options;

use std::io::{self, BufRead};

use clap::Args;
use setpoint_vectors::Stepper;

pub(super) use self::options::Options;
use crate::failure::Failure;
use crate::{interrupt, terminal};

/// Single-step an algorithm: read inputs from standard input, write answers with the complete state
///
/// For co-simulation with a hardware model. Each line is a JSON object with one input, as in `{"notification":
/// {"feedback": 63}}`. The answer repeats it and adds the outcome, the random numbers drawn, the counters and the
/// state. It is written before the next line is read.
///
/// A congestion point accepts the inputs enqueue and admit, a notification point delivery and np_timer, and a reaction
/// point notification, acknowledgement, sent and timer; start resets all. The first invalid line ends the session with exit code 2. docs/vectors.md describes every key,
/// and how to connect a test bench.
#[derive(Debug, Args)]
pub(crate) struct Step {
    #[command(flatten)]
    options: Options,
}

impl Step {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        interrupt::end_at_first_signal();
        let mut stepper = Stepper::new(self.options.setup()?, self.options.point())
            .map_err(|problem| Failure::Usage(problem.to_string()))?;
        for (index, line) in io::stdin().lock().lines().enumerate() {
            let number = index + 1;
            let line = line.map_err(|error| unreadable(number, &error))?;
            if line.trim().is_empty() {
                continue;
            }
            let answer =
                stepper.step(&line).map_err(|problem| Failure::Usage(format!("line {number}: {problem}")))?;
            terminal::print(&format!("{answer}\n"))?;
        }
        Ok(())
    }
}

fn unreadable(number: usize, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::InvalidData => {
            Failure::Usage(format!("line {number}: not UTF-8; write JSON as UTF-8"))
        }
        _ => Failure::Run(format!("cannot read standard input: {error}")),
    }
}
