//! A fluid solution and a packet run on the same axes, and a table of their differences.

use crate::document::{Cell, Column, Table};
use setpoint_plot::{Axis, Colour, Figure, Line, Mark, Shape};
use setpoint_units::quantity::{Unit, change_text};

/// A quantity over time in the fluid model and in a packet run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course<'a> {
    /// Times in seconds.
    pub time_s: &'a [f64],
    /// The values in the fluid model at these times.
    pub fluid: &'a [f64],
    /// The values in the packet run at these times, if there was one.
    pub packets: Option<&'a [f64]>,
}

/// A quantity with its values in the fluid model and the packet run, for a table of differences.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// Name of the quantity.
    pub what: String,
    /// Its unit.
    pub unit: Unit,
    /// Its value in the fluid model; `None` if there is none, such as the period of a queue that does not
    /// oscillate.
    pub fluid: Option<f64>,
    /// Its value in the packet run.
    pub packets: Option<f64>,
}

/// Draws the fluid as a broad line on top of a lighter line for the packets, over time, with a vertical axis from
/// zero.
pub fn overlay(name: &str, title: &str, (label, unit): (&str, Unit), course: Course<'_>) -> Figure {
    let finite =
        |values: &[f64]| values.iter().copied().filter(|value| value.is_finite()).fold(0.0, f64::max);
    let largest = finite(course.fluid).max(course.packets.map_or(0.0, finite));
    let ends = || course.time_s.iter().copied().filter(|time| time.is_finite());
    let range = (ends().fold(f64::INFINITY, f64::min), ends().fold(f64::NEG_INFINITY, f64::max));
    let x = Axis::linear("Time", Unit::Seconds, range);
    let mut figure = Figure::new(name, title, x, Axis::from_zero(label, unit, largest));
    if let Some(packets) = course.packets {
        figure.marks.push(line("packets", Colour::Series(5), Shape::Faint, (course.time_s, packets)));
    }
    if !course.fluid.is_empty() {
        figure.marks.push(line("fluid", Colour::Series(1), Shape::Strong, (course.time_s, course.fluid)));
    }
    figure
}

fn line(name: &str, colour: Colour, shape: Shape, (times, values): (&[f64], &[f64])) -> Mark {
    let points = times.iter().copied().zip(values.iter().copied()).collect();
    Mark::Line(Line { name: name.into(), colour, shape, points })
}

/// A table of both values and their difference, relative to the packets.
pub fn differences(compared: &[Compared]) -> Table {
    let headings = ["Fluid", "Packets", "Difference", "Per cent"];
    let mut table = Table::new([Column::words("Figure")].into_iter().chain(headings.map(Column::figures)));
    for row in compared {
        let known = |value: Option<f64>| value.filter(|value| value.is_finite());
        let (fluid, packets) = (known(row.fluid), known(row.packets));
        let both = fluid.zip(packets);
        let text = |value: Option<f64>| value.map_or_else(|| "none".to_owned(), |value| row.unit.text(value));
        let difference =
            both.map_or_else(String::new, |(fluid, packets)| row.unit.difference_text(fluid - packets, None));
        let share = both.filter(|(_, packets)| *packets != 0.0);
        let share = share.map(|(fluid, packets)| change_text(fluid / packets - 1.0)).unwrap_or_default();
        table.row([row.what.clone(), text(fluid), text(packets), difference, share].map(Cell::words));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_have_a_sign_and_a_share() {
        let row = |fluid, packets| Compared { what: "Mean queue".into(), unit: Unit::Bytes, fluid, packets };
        let rows = [
            row(Some(33e3), Some(30e3)),
            row(Some(27e3), Some(30e3)),
            row(Some(1e3), Some(0.0)),
            row(Some(1.0), Some(1e6)),
            row(Some(30_000.01), Some(30e3)),
            row(None, Some(5e3)),
            row(Some(f64::NAN), None),
        ];
        let table = differences(&rows);
        let text = |row: &Vec<Cell>| {
            row.iter().skip(1).map(|cell| cell.text.replace('\u{a0}', " ")).collect::<Vec<_>>().join(" | ")
        };
        let texts: Vec<String> = table.rows.iter().map(text).collect();
        insta::assert_snapshot!(texts.join("\n"), @r"
        33 kB | 30 kB | +3 kB | +10 %
        27 kB | 30 kB | −3 kB | −10 %
        1 kB | 0 B | +1 kB | 
        1 B | 1 MB | −1 MB | −100 %
        30 kB | 30 kB | +0.01 B | 0 %
        none | 5 kB |  | 
        none | none |  | 
        ");
    }
}
