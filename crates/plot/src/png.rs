//! Converting SVG to PNG with resvg and the system's fonts.

use resvg::{tiny_skia, usvg};

use crate::fonts::fonts;

/// The reason why a drawing cannot be converted to PNG.
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

/// Converts a drawing to PNG at the given resolution, which is recorded in the file.
///
/// # Errors
/// If the text is not SVG, or if the size of the image is zero or exceeds the available memory.
pub fn png(svg: &str, dots_per_inch: u16) -> Result<Vec<u8>, PngError> {
    let options =
        usvg::Options { fontdb: fonts(), font_family: "sans-serif".into(), ..usvg::Options::default() };
    let tree = usvg::Tree::from_str(svg, &options).map_err(|error| PngError::Svg(error.to_string()))?;
    // A pixel of a drawing is 1/96 inch.
    let scale = f32::from(dots_per_inch) / 96.0;
    let (width, height) = ((tree.size().width() * scale).round(), (tree.size().height() * scale).round());
    let pixels = tiny_skia::Pixmap::new(width as u32, height as u32);
    let mut pixels = pixels.ok_or(PngError::Size(width, height))?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut pixels.as_mut());
    let image = pixels.encode_png().map_err(|error| PngError::Encode(error.to_string()))?;
    Ok(with_resolution(&image, dots_per_inch))
}

/// Length of the signature and the header chunk, which come first.
const HEADER: usize = 8 + 25;

/// Inserts the chunk `pHYs`, from which programs derive the physical size of the image.
fn with_resolution(image: &[u8], dots_per_inch: u16) -> Vec<u8> {
    let per_metre = ((f64::from(dots_per_inch) / 0.0254).round() as u32).to_be_bytes();
    let chunk = [&b"pHYs"[..], &per_metre, &per_metre, &[1]].concat();
    let (header, rest) = image.split_at(HEADER);
    [header, &9u32.to_be_bytes(), &chunk, &checksum(&chunk).to_be_bytes(), rest].concat()
}

/// CRC-32 as defined in the PNG specification, clause 5.5.
fn checksum(bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc)))
}
