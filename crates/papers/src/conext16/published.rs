//! The paper's margins and convergence times, from the files behind its figures.

use std::sync::OnceLock;

/// A column of a file: its name, and the values by number of flows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Published {
    pub(super) name: &'static str,
    pub(super) values: Vec<(u32, f64)>,
}

const DCQCN: &str = include_str!("../../data/conext16/dcqcn-margins.txt");
const TIMELY: &str = include_str!("../../data/conext16/timely-margins.txt");
const CONVERGENCE: &str = include_str!("../../data/conext16/convergence.txt");

/// The phase margins of DCQCN in degrees.
pub(super) fn dcqcn() -> &'static [Published] {
    static COLUMNS: OnceLock<Vec<Published>> = OnceLock::new();
    COLUMNS.get_or_init(|| columns(DCQCN))
}

/// The phase margins of patched TIMELY in degrees.
pub(super) fn timely() -> &'static [Published] {
    static COLUMNS: OnceLock<Vec<Published>> = OnceLock::new();
    COLUMNS.get_or_init(|| columns(TIMELY))
}

/// The convergence times of DCQCN in seconds.
pub(super) fn convergence() -> &'static [Published] {
    static COLUMNS: OnceLock<Vec<Published>> = OnceLock::new();
    COLUMNS.get_or_init(|| columns(CONVERGENCE))
}

/// The columns of a table separated by tabs; lines that begin with `#` are comments.
fn columns(text: &'static str) -> Vec<Published> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let names = lines.next().unwrap_or_default().split('\t').skip(1);
    let mut columns: Vec<Published> = names.map(|name| Published { name, values: Vec::new() }).collect();
    for line in lines {
        let mut cells = line.split('\t');
        let flows =
            cells.next().and_then(|cell| cell.parse().ok()).expect("a row begins with a number of flows");
        for (column, cell) in columns.iter_mut().zip(cells).filter(|(_, cell)| !cell.is_empty()) {
            column.values.push((flows, cell.parse().expect("a cell is a number")));
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_are_complete() {
        let sizes = |columns: &[Published]| -> Vec<usize> {
            columns.iter().map(|column| column.values.len()).collect()
        };
        assert_eq!(sizes(dcqcn()), [50; 19]);
        assert_eq!(sizes(timely()), [25; 3]);
        assert_eq!(sizes(convergence()), [50; 4]);
        assert_eq!(dcqcn()[0].values[..2], [(2, 26.624), (4, 13.407)]);
        assert_eq!((timely()[2].name, timely()[2].values[24]), ("delay100", (50, -31.489)));
    }
}
