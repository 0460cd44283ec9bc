//! `setpoint nic`: the QCN parameters of a network card.

mod json;
mod set;
mod show;
mod table;

use clap::{Args, Subcommand};
use setpoint_live::nic::NicError;
use setpoint_wire::{Priority, PrioritySet};

use crate::failure::Failure;
use crate::terminal::plain;

/// Show or set the QCN parameters of a network card (Linux)
///
/// The parameters are those of the card's reaction points, one set per priority. They have the same names and managed
/// objects as in scenarios: `setpoint explain rpgGd` explains them. The kernel must support DCB, and the card's driver
/// must support QCN. docs/nic.md describes units, requirements and uncertainties.
#[derive(Debug, Args)]
pub(crate) struct Nic {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Show(show::Show),
    Set(set::Set),
}

impl Nic {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        match self.action {
            Action::Show(show) => show.execute(),
            Action::Set(set) => set.execute(),
        }
    }
}

impl From<NicError> for Failure {
    fn from(error: NicError) -> Self {
        // Linux allows control characters in the names of interfaces.
        let message = plain(&error.to_string());
        match error {
            NicError::NoInterface { .. } => Self::Usage(message),
            _ => Self::Run(message),
        }
    }
}

/// "priority 3", or "priorities 3, 4 and 5".
fn enumerated(priorities: PrioritySet) -> String {
    let numbers: Vec<String> = priorities.iter().map(|priority| priority.to_string()).collect();
    match &numbers[..] {
        [others @ .., last] if !others.is_empty() => format!("priorities {} and {last}", others.join(", ")),
        numbers => format!("priority {}", numbers.concat()),
    }
}

/// Reads a list of priorities, as in "3,4", or "all".
fn read_priorities(text: &str) -> Result<PrioritySet, String> {
    if text.trim() == "all" {
        return Ok(Priority::ALL.into_iter().collect());
    }
    let priority = |part: &str| {
        let number = part.trim().parse().ok().and_then(|number| Priority::new(number).ok());
        number.ok_or_else(|| {
            format!("{part:?} is not a priority; write numbers from 0 to 7, as in 3,4, or all")
        })
    };
    text.split(',').map(priority).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priorities_are_a_list_or_all() {
        assert_eq!(read_priorities("3, 4"), Ok(PrioritySet(0b0001_1000)));
        assert_eq!(read_priorities("all"), Ok(PrioritySet(0xff)));
        for wrong in ["", "8", "3,", "-1", "3-4"] {
            assert!(read_priorities(wrong).unwrap_err().contains("is not a priority"), "{wrong}");
        }
        assert_eq!(enumerated(PrioritySet(0b1000)), "priority 3");
        assert_eq!(enumerated(PrioritySet(0b1011)), "priorities 0, 1 and 3");
    }
}
