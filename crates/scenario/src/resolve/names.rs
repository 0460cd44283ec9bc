//! Names that appear in tables.

use crate::diagnostics::{Place, Problem};

/// A spreadsheet evaluates a cell that begins with one of these, even if it comes from a CSV file.
const FORMULA: [char; 4] = ['=', '+', '-', '@'];

/// Refuses a name that a spreadsheet would evaluate as a formula. Names appear in the cells and column headings of a
/// result's tables; escaping them there would make them differ from those in its other files.
pub(super) fn check_no_formula(name: &str, place: &Place) -> Result<(), Problem> {
    let visible = name.trim_start_matches(|c: char| c.is_whitespace() || c.is_control());
    if !visible.starts_with(FORMULA) {
        return Ok(());
    }
    let message = format!("the name {name:?} begins like a spreadsheet formula");
    let help = "names appear in CSV tables; begin with a character other than = + - @";
    Err(Problem::at(place, message, "").help(help))
}
