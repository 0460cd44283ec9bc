//! Warnings about scenarios that can run but are implausible.

use setpoint_scenario::{Prepared, Variant, Warning, warnings_of};

use crate::failure::print_line;
use crate::terminal::{stderr_colour, stderr_width, wrapped};

/// The warnings about a scenario, or about all variants of a sweep, with one entry per check.
#[derive(Debug)]
pub(crate) struct Warnings {
    /// The first warning of each check, and the number of variants with it.
    found: Vec<(Warning, usize)>,
    variants: usize,
}

impl Warnings {
    /// The warnings of a prepared scenario.
    pub(crate) fn of(prepared: &Prepared) -> Self {
        Self { found: prepared.warnings().into_iter().map(|found| (found, 1)).collect(), variants: 1 }
    }

    /// The warnings of all variants, each with its own seed or the given one.
    pub(crate) fn of_variants(variants: &[Variant], seed: Option<u64>) -> Self {
        Self { found: warnings_of(variants, seed), variants: variants.len() }
    }

    /// Number of warnings.
    pub(crate) fn count(&self) -> usize {
        self.found.len()
    }

    /// Prints the warnings to standard error.
    pub(crate) fn print(&self) {
        for (warning, count) in &self.found {
            let margin = "warning[]: ".len() + warning.check().code.len();
            print_line(&warning.render_wrapped(stderr_colour(), |text| wrap(text, margin)));
            if self.variants > 1 {
                print_line(&format!("  in {count} of {} variants of the sweep", self.variants));
            }
            print_line("");
        }
    }
}

/// Minimum width of a wrapped message.
const NARROWEST: usize = 20;

/// Wraps a message to fit next to the margin, which shows the level and the code, if standard error is a terminal.
fn wrap(text: &str, margin: usize) -> String {
    match stderr_width() {
        Some(width) => wrapped(text, width.saturating_sub(margin).max(NARROWEST)).join("\n"),
        None => text.to_owned(),
    }
}
