//! Reports of runs: one self-contained HTML file, and every plot as SVG.
//!
//! [`html`] needs no network, no font and no file besides: styles, script, drawings and the values
//! under the pointer are all inside. [`plots`] gives the same figures as files of their own, on white.
//! Whatever a record holds, all text in it is taken for untrusted and escaped, numbers that are not
//! finite are left out, and a file stays within a megabyte however large the network and however long the run was.
//!
//! * [`topology`] draws the network; all other figures are drawn by `setpoint-plot`;
//! * [`theory`] makes the pages of fluid solutions, of stability and of phase planes;
//! * [`words`] tells the run in a paragraph;
//! * [`document`] makes pages that are not the report of one run; [`sweep`](fn@sweep) and [`league`](fn@league) are such.
//!
//! Nothing here runs, reads or writes anything; the input is a [`RunRecord`].

pub mod document;
mod figures;
mod league;
mod page;
mod sweep;
pub mod theory;
pub mod topology;
pub mod words;

use setpoint_lab::results::RunRecord;
use setpoint_plot::{Size, Surface};

pub use league::league;
pub use sweep::sweep;
pub use theory::{fluid, phase, stability};

/// A drawing that stands alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plot {
    /// Name of its file, without extension.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The SVG document.
    pub svg: String,
}

/// The report of a run as one HTML file.
#[must_use]
pub fn html(record: &RunRecord) -> String {
    page::html(record)
}

/// Every drawing of the report as an SVG file of its own.
#[must_use]
pub fn plots(record: &RunRecord) -> Vec<Plot> {
    let network = topology::svg(record, Size::Wide, Surface::File);
    let network = network.map(|svg| Plot { name: "network".into(), title: topology::TITLE.into(), svg });
    let figures = figures::all(record).into_iter().map(|(_, figure)| {
        let svg = figure.svg(Size::Wide, Surface::File);
        Plot { name: figure.name, title: figure.title, svg }
    });
    let trees = topology::congestion_trees(record, Size::Wide, Surface::File);
    let trees = trees.map(|svg| Plot { name: "congestion-trees".into(), title: topology::TREES.into(), svg });
    network.into_iter().chain(figures).chain(trees).collect()
}
