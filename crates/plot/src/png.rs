//! PNG from SVG, by resvg with the fonts of the system.

use resvg::{tiny_skia, usvg};

use crate::fonts::fonts;

/// Why a drawing cannot be turned into a PNG.
#[derive(Debug)]
pub enum PngError {
    /// The text is not SVG.
    Svg(String),
    /// The drawing has no size, or one beyond any memory.
    Size(f32, f32),
    /// The picture cannot be encoded.
    Encode(String),
}

impl std::fmt::Display for PngError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Svg(problem) => write!(f, "the drawing is not valid SVG: {problem}"),
            Self::Size(width, height) => write!(f, "a picture of {width} by {height} pixels cannot be made"),
            Self::Encode(problem) => write!(f, "the picture cannot be encoded as PNG: {problem}"),
        }
    }
}

impl std::error::Error for PngError {}

/// Pixels per unit of the drawing: sharp on a projector and in print.
const SCALE: f32 = 2.0;

/// A drawing as PNG, two pixels for each of its units.
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
