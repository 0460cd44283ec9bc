//! Reports of runs: one self-contained HTML file, and every plot as SVG.
//!
//! The file that [`html`] returns needs no network, fonts or other files: it contains its styles, script, drawings
//! and tooltip values. [`plots`] returns the same figures as separate files with a white background. All text in a
//! record is treated as untrusted and escaped, and numbers that are not finite are omitted. A file stays below a
//! megabyte, whatever the size of the network and the length of the run.
//!
//! * [`topology`] draws the network; `setpoint-plot` draws all other figures;
//! * [`theory`] renders the pages on fluid solutions, stability and phase planes;
//! * [`words`] summarises the run in a paragraph;
//! * [`document`] renders all other pages, such as [`sweep`](fn@sweep), [`league`](fn@league),
//!   [`compare`](fn@compare), [`tune`](fn@tune) and [`live`](fn@live).
//!
//! The crate does not run simulations and does not access files; its input is a [`RunRecord`].

mod assets;
mod compare;
mod contents;
pub mod document;
mod figures;
mod league;
mod live;
mod page;
mod percentiles;
mod slowdown;
mod sweep;
pub mod theory;
pub mod topology;
mod tune;
mod warnings;
pub mod words;

use setpoint_plot::{Figure, Size, Style, Surface};
use setpoint_record::results::RunRecord;

pub use compare::{ComparedRun, compare};
pub use league::league;
pub use live::{LiveClaim, LivePart, live};
pub use page::command::shell_word;
pub use sweep::sweep;
pub use theory::{atlas, fluid, phase, stability};
pub use tune::{nothing_compared, tune, verdict as tune_verdict};

/// A standalone drawing.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Plot {
    /// Name of its file, without extension.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The SVG document.
    pub svg: String,
}

/// The report of a run as one HTML file.
pub fn html(record: &RunRecord) -> String {
    page::html(record)
}

/// The plots of the report, except the drawings of the network.
pub fn figures(record: &RunRecord) -> Vec<Figure> {
    figures::all(record).into_iter().map(|(_, figure)| figure).collect()
}

/// Every drawing of the report as a separate SVG file.
pub fn plots(record: &RunRecord, style: Style) -> Vec<Plot> {
    let surface = Surface::File(style);
    let network = topology::svg(record, Size::Wide, surface);
    let network = network.map(|svg| Plot { name: "network".into(), title: topology::TITLE.into(), svg });
    let figures = figures(record).into_iter().map(|figure| {
        let svg = figure.svg(Size::Wide, surface);
        Plot { name: figure.name, title: figure.title, svg }
    });
    let trees = topology::congestion_trees(record, Size::Wide, surface);
    let trees = trees.map(|svg| Plot { name: "congestion-trees".into(), title: topology::TREES.into(), svg });
    network.into_iter().chain(figures).chain(trees).collect()
}
