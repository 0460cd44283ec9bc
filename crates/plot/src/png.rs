//! Converting SVG to PNG with resvg and the system's fonts.

use resvg::{tiny_skia, usvg};

use crate::fonts::fonts;

/// Why a drawing cannot be converted to PNG.
#[derive(Debug)]
pub enum PngError {
    /// The text is not SVG.
    Svg(String),
    /// The drawing is empty, or too large for memory.
    Size(f32, f32),
    /// The image cannot be encoded.
    Encode(String),
}

impl std::fmt::Display for PngError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Svg(problem) => write!(f, "the drawing is not valid SVG: {problem}"),
            Self::Size(width, height) => write!(f, "cannot create an image of {width} by {height} pixels"),
            Self::Encode(problem) => write!(f, "the image cannot be encoded as PNG: {problem}"),
        }
    }
}

impl std::error::Error for PngError {}

/// Pixels per unit of the drawing: sharp on a projector and in print.
const SCALE: f32 = 2.0;

/// Converts a drawing to PNG with two pixels per unit.
///
/// # Errors
/// If the text is not SVG, or its size is zero or beyond memory.
pub fn png(svg: &str) -> Result<Vec<u8>, PngError> {
    let options =
        usvg::Options { fontdb: fonts(), font_family: "sans-serif".into(), ..usvg::Options::default() };
    let tree = usvg::Tree::from_str(svg, &options).map_err(|error| PngError::Svg(error.to_string()))?;
    let (width, height) = ((tree.size().width() * SCALE).ceil(), (tree.size().height() * SCALE).ceil());
    let pixels = tiny_skia::Pixmap::new(width as u32, height as u32);
    let mut pixels = pixels.ok_or(PngError::Size(width, height))?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PngError::Encode(error.to_string()))
}
