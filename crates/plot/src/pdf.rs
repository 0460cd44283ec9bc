//! Converting SVG to PDF with svg2pdf and the system's fonts: vector graphics, with text that can be searched and
//! copied.

use svg2pdf::{ConversionOptions, PageOptions, to_pdf, usvg};

use crate::fonts::fonts;

/// Why a drawing cannot be converted to PDF.
#[derive(Debug)]
pub enum PdfError {
    /// The text is not SVG.
    Svg(String),
    /// The drawing uses a feature that has no equivalent in PDF.
    Convert(String),
}

impl std::fmt::Display for PdfError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Svg(problem) => write!(f, "the drawing is not valid SVG: {problem}"),
            Self::Convert(problem) => write!(f, "the drawing cannot be written as PDF: {problem}"),
        }
    }
}

impl std::error::Error for PdfError {}

/// Converts a drawing to a PDF with one page of the drawing's size.
///
/// # Errors
/// If the text is not SVG, or uses a feature that has no equivalent in PDF.
pub fn pdf(svg: &str) -> Result<Vec<u8>, PdfError> {
    let options =
        usvg::Options { fontdb: fonts(), font_family: "sans-serif".into(), ..usvg::Options::default() };
    let tree = usvg::Tree::from_str(svg, &options).map_err(|error| PdfError::Svg(error.to_string()))?;
    to_pdf(&tree, ConversionOptions::default(), PageOptions::default())
        .map_err(|error| PdfError::Convert(error.to_string()))
}
