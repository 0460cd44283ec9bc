//! Objects as shown in notebooks: small tables that set no colours, so that they suit light and dark pages.

use std::fmt::Write;

use setpoint_record::table::{Column, Table, Values};
use setpoint_units::quantity::Unit;

/// The maximum number of rows and columns that are shown from a larger table.
const ROWS: usize = 20;
const COLUMNS: usize = 12;

/// Text with markup characters escaped.
pub(crate) fn escaped(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut escaped, c| {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            c => escaped.push(c),
        }
        escaped
    })
}

/// A heading and a paragraph.
pub(crate) fn heading(title: &str, text: &str) -> String {
    let text = if text.is_empty() { String::new() } else { format!("<p>{}</p>", escaped(text)) };
    format!("<p><b>{}</b></p>{text}", escaped(title))
}

/// Pairs of a name and a value.
pub(crate) fn facts(rows: &[(&str, String)]) -> String {
    let mut html = "<table><tbody>".to_owned();
    for (name, value) in rows {
        let (name, value) = (escaped(name), escaped(value));
        let _ = write!(html, "<tr><th style=\"text-align:left\">{name}</th><td>{value}</td></tr>");
    }
    html + "</tbody></table>"
}

/// A table, with its first rows and columns if it is large.
pub(crate) fn table(table: &Table) -> String {
    let (rows, all) = (table.rows(), table.columns.len());
    let columns = &table.columns[..all.min(COLUMNS)];
    let head: String = columns.iter().map(|column| format!("<th>{}</th>", escaped(&column.name))).collect();
    let row = |row: usize| -> String {
        let cells: String = columns.iter().map(|column| cell(column, row)).collect();
        format!("<tr>{cells}</tr>")
    };
    let body: String = (0..rows.min(ROWS)).map(row).collect();
    let mut note = format!("{}: ", escaped(&table.name));
    note += &shown(rows, ROWS, "rows");
    note += &format!(", {}", shown(all, COLUMNS, "columns"));
    format!("<p>{note}</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")
}

fn shown(all: usize, most: usize, things: &str) -> String {
    if all > most { format!("{most} of {all} {things}") } else { format!("{all} {things}") }
}

fn cell(column: &Column, row: usize) -> String {
    let number = |value: f64| column.unit.unwrap_or(Unit::Ratio).text(value);
    let (text, align) = match &column.values {
        Values::Numbers(values) => (values[row].map(number), "right"),
        Values::Counts(values) => (values[row].map(|value| count(column, value)), "right"),
        Values::Flags(values) => (values[row].map(|value| value.to_string()), "left"),
        Values::Texts(values) => (values[row].clone(), "left"),
        Values::Names { names, rows } => (Some(names[rows[row] as usize].clone()), "left"),
    };
    format!("<td style=\"text-align:{align}\">{}</td>", escaped(text.as_deref().unwrap_or("–")))
}

/// Formats a count. Seeds and variant numbers are shown in full.
fn count(column: &Column, value: u64) -> String {
    column.unit.map_or_else(|| value.to_string(), |unit| unit.text(value as f64))
}
