//! The style sheet and the script of all pages.

/// The style sheet, without the colours, which are [`setpoint_plot::THEMES`].
pub(crate) const STYLE: &str = include_str!("../assets/report.css");

/// Additions to the style sheet for documents.
pub(crate) const DOCUMENT_STYLE: &str = include_str!("../assets/document.css");

/// The script: the page and its maps, the charts, and the tables, in one scope.
pub(crate) const SCRIPT: &str = concat!(
    "(() => {\n\"use strict\";\n",
    include_str!("../assets/report.js"),
    include_str!("../assets/charts.js"),
    include_str!("../assets/tables.js"),
    "})();\n"
);
