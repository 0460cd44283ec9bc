//! The catalogue as tables for the documentation.

use std::fmt::Write;

use super::{Better, all, of_league};

/// The metrics of a sweep as a Markdown table.
pub fn metric_table() -> String {
    let mut table = String::from("| metric | unit | better | meaning |\n|---|---|---|---|\n");
    for metric in all() {
        let unit = metric.unit_text();
        let (better, meaning) = (metric.better.text(), metric.meaning());
        let _ = writeln!(table, "| `{}` | {unit} | {better} | {meaning} |", metric.name);
    }
    table
}

/// The columns of the league as a Markdown table.
pub fn league_table() -> String {
    let mut table = String::from("| column | metric | better | meaning |\n|---|---|---|---|\n");
    for metric in of_league() {
        let (name, better) = (metric.name, metric.better.text());
        let _ = writeln!(table, "| {} | `{name}` | {better} | {} |", metric.header, metric.meaning());
    }
    table
}

impl Better {
    /// "higher", "lower", or nothing.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Larger => "higher",
            Self::Smaller => "lower",
            Self::Neither => "",
        }
    }
}
