//! The cells of a map; adjacent cells of the same colour are drawn as one block.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::FieldMap;
use super::layout::Layout;
use super::strokes::hatch;
use crate::Colour;
use crate::hatch::STROKE;
use crate::svg::{Svg, short};

/// A rectangle of cells that share a colour or have no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The first column and the column after the last.
    columns: (usize, usize),
    rows: (usize, usize),
    /// The step of the ramp; `None` for cells without a value.
    step: Option<usize>,
}

/// Draws all cells: one path per colour, and hatches for cells without a value.
pub(super) fn draw(svg: &mut Svg, map: &FieldMap, layout: &Layout) {
    let blocks = blocks(&layout.steps(map));
    let mut paths: BTreeMap<usize, String> = BTreeMap::new();
    let mut missing = String::new();
    for block in &blocks {
        let path = block.step.map_or(&mut missing, |step| paths.entry(step).or_default());
        let [left, top, width, height] = bounds(block, layout).map(short);
        write!(path, "M{left} {top}h{width}v{height}h-{width}z").expect("writing to a string cannot fail");
    }
    svg.raw("<g class=\"cells\" shape-rendering=\"crispEdges\">");
    for (step, path) in paths {
        svg.fill(&path, map.step_colour(step), "");
    }
    svg.raw("</g>");
    if !missing.is_empty() {
        svg.fill(&missing, Colour::Shade, " class=\"missing\" shape-rendering=\"crispEdges\"");
        let without = blocks.iter().filter(|block| block.step.is_none());
        let lines: String = without.map(|block| hatch(bounds(block, layout))).collect();
        svg.stroke(&lines, Colour::Muted, STROKE);
    }
}

/// Left, top, width and height of a block.
fn bounds(block: &Block, layout: &Layout) -> [f64; 4] {
    let (left, right) = (layout.x_edges[block.columns.0], layout.x_edges[block.columns.1]);
    // Rows are numbered from the bottom.
    let (bottom, top) = (layout.y_edges[block.rows.0], layout.y_edges[block.rows.1]);
    [left, top, right - left, bottom - top]
}

/// Rectangles of one colour: runs along each row, joined to an equal run in the row below.
pub(super) fn blocks(steps: &[Vec<Option<usize>>]) -> Vec<Block> {
    let mut done = Vec::new();
    let mut open: Vec<Block> = Vec::new();
    for (row, steps) in steps.iter().enumerate() {
        let mut current = Vec::new();
        for (columns, step) in runs(steps) {
            let below = open.iter().position(|block| block.columns == columns && block.step == step);
            let block =
                below.map_or(Block { columns, rows: (row, row), step }, |index| open.swap_remove(index));
            current.push(Block { rows: (block.rows.0, row + 1), ..block });
        }
        done.append(&mut open);
        open = current;
    }
    done.append(&mut open);
    done
}

/// Runs of equal steps, as the first column and the column after the last.
fn runs(steps: &[Option<usize>]) -> Vec<((usize, usize), Option<usize>)> {
    let mut start = 0;
    let groups = steps.chunk_by(|one, other| one == other);
    let run = |group: &[Option<usize>]| {
        let columns = (start, start + group.len());
        start = columns.1;
        (columns, group[0])
    };
    groups.map(run).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_one_colour_are_drawn_as_one() {
        let steps =
            vec![vec![Some(1), Some(1), Some(2)], vec![Some(1), Some(1), None], vec![Some(1), Some(3), None]];
        let blocks = blocks(&steps);
        assert_eq!(blocks.len(), 5);
        let whole = Block { columns: (0, 2), rows: (0, 2), step: Some(1) };
        assert!(
            blocks.contains(&whole) && blocks.contains(&Block { columns: (2, 3), rows: (1, 3), step: None })
        );
        // Every cell is covered once, by its own colour.
        for (row, steps) in steps.iter().enumerate() {
            for (column, step) in steps.iter().enumerate() {
                let over = |block: &&Block| {
                    (block.columns.0..block.columns.1).contains(&column)
                        && (block.rows.0..block.rows.1).contains(&row)
                };
                let covering: Vec<&Block> = blocks.iter().filter(over).collect();
                assert!(covering.len() == 1 && covering[0].step == *step, "{row} {column} {covering:?}");
            }
        }
    }

    #[test]
    fn hatches_of_adjacent_blocks_are_continuous() {
        let whole = hatch([0.0, 0.0, 24.0, 12.0]).matches('M').count();
        assert_eq!(whole, 6);
        assert!(hatch([12.0, 0.0, 12.0, 12.0]).starts_with("M12 0"));
    }
}
