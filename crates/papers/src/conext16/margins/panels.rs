//! Figures and tables of margins.

use super::{Compared, File, Follows};
use crate::prelude::*;

/// A group of files that the paper shows in one figure: name, title, and a test for the files.
pub(in super::super) type Part = (&'static str, &'static str, fn(&File) -> bool);

/// For each group, a figure; then a summary of all files, and the margins of each.
pub(in super::super) fn panels(files: &[File], groups: &[Part]) -> Vec<Block> {
    let figures = groups.iter().map(|(name, title, is_in)| {
        let files: Vec<&File> = files.iter().filter(|file| is_in(file)).collect();
        figure((name, title), &files)
    });
    vec![
        Block::Figures(figures.collect()),
        Block::Table(summary(files)),
        Block::Note(SUMMARY.to_owned()),
        Block::More {
            summary: "All published margins with both recomputations".to_owned(),
            blocks: files.iter().flat_map(margins).collect(),
        },
    ]
}

const SUMMARY: &str = "A published margin agrees with a recomputation if they differ by at most 0.5°. The equations are \
    the printed ones with exact derivatives at their exact fixed point; the program is the one that the authors \
    published. Where marking would have to exceed Pmax, the equations have no fixed point and no margin.";

/// Published margins are dashed, those of the equations solid, and those of the program dotted.
fn figure((name, title): (&str, &str), files: &[&File]) -> Figure {
    let values = files.iter().flat_map(|file| &file.margins);
    let all: Vec<f64> = values
        .flat_map(|one| [Some(one.published), one.exact])
        .flatten()
        .filter(|value| *value > -120.0)
        .collect();
    let (low, high) = (smallest(&all).unwrap_or(0.0), largest(&all).unwrap_or(1.0));
    let most = files.iter().flat_map(|file| &file.margins).map(|one| one.flows).max().unwrap_or(1);
    let x = Axis::linear("Flows", Unit::Count, (0.0, f64::from(most)));
    let y = Axis::linear("Phase margin", Unit::Degrees, (low - 5.0, high + 5.0));
    let mut figure = Figure::new(name, title, x, y);
    for (index, file) in files.iter().enumerate() {
        let points = |of: fn(&Compared) -> Option<f64>| -> Vec<(f64, f64)> {
            file.margins.iter().filter_map(|one| Some((f64::from(one.flows), of(one)?))).collect()
        };
        let (colour, delay) = (Colour::Series(index), Unit::Seconds.text(file.micros * 1e-6));
        figure.marks.push(line(
            &format!("{delay}: equations"),
            colour,
            Shape::Straight,
            points(|one| one.exact),
        ));
        figure.marks.push(line(
            &format!("{delay}: published"),
            colour,
            Shape::Dashed,
            points(|one| Some(one.published)),
        ));
    }
    figure.references.push(across(0.0, "unstable below"));
    figure.alternative = format!("{title}: phase margins by number of flows.");
    figure.room = Room::Half;
    figure
}

fn summary(files: &[File]) -> Table {
    let headings = [
        "Margins",
        "agree with the equations",
        "agree only with the program",
        "agree with neither",
        "Largest difference from the equations",
        "from the program",
    ];
    let mut table = table::with_headings("File", headings);
    for file in files {
        let count = |wanted: &[Follows]| {
            let of = file.margins.iter().filter(|one| wanted.contains(&one.follows()));
            Cell::words(of.count().to_string())
        };
        let farthest = |of: fn(&Compared) -> Option<f64>| {
            let distances: Vec<f64> =
                file.margins.iter().filter_map(|one| Some((of(one)? - one.published).abs())).collect();
            table::value_cell(Unit::Degrees, largest(&distances))
        };
        table.row([
            Cell::words(file.name.clone()),
            Cell::words(file.margins.len().to_string()),
            count(&[Follows::Both, Follows::Equations]),
            count(&[Follows::Program]),
            count(&[Follows::Neither]),
            farthest(|one| one.exact),
            farthest(|one| one.program),
        ]);
    }
    table
}

fn margins(file: &File) -> [Block; 2] {
    let mut table = table::with_headings("Flows", ["Published", "Equations", "Program"]);
    for one in &file.margins {
        let cell = |value: Option<f64>| table::value_cell(Unit::Degrees, value);
        let flows = Cell::words(one.flows.to_string());
        table.row([flows, cell(Some(one.published)), cell(one.exact), cell(one.program)]);
    }
    [Block::Prose(format!("{}, with both recomputations:", file.name)), Block::Table(table)]
}
