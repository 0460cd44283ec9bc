//! Writing drawings as PDF: vector graphics with text that can be searched and copied.
//!
//! The input is the SVG that this crate writes, which consists of a few kinds of elements and attributes. An element or
//! a path command that none of its drawings contains is an error, so that nothing is omitted silently.
//!
//! * `read` splits the SVG into elements;
//! * `paint` turns elements into the operators of a page;
//! * `path` translates path data;
//! * `font` holds encodings and widths. Text is in Helvetica and Symbol, which every PDF reader provides (PDF 32000-1,
//!   9.6.2.2), so that the file is the same on every machine. The fonts are not embedded.

mod font;
mod paint;
mod path;
mod read;

use std::fmt::Write as _;

/// The reason why a drawing cannot be written as PDF.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PdfError {
    /// The text is not SVG.
    Svg(String),
    /// The drawing contains a part that cannot be translated.
    Unknown(String),
}

impl std::fmt::Display for PdfError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Svg(problem) => write!(f, "the drawing is not valid SVG: {problem}"),
            Self::Unknown(part) => write!(f, "the drawing has {part}, which cannot be written as PDF"),
        }
    }
}

impl std::error::Error for PdfError {}

/// Converts a drawing from this crate to a PDF with one page of the drawing's size.
///
/// # Errors
/// If the text is not SVG, or not the SVG of a drawing.
pub fn pdf(svg: &str) -> Result<Vec<u8>, PdfError> {
    let page = paint::page(&read::elements(svg)?)?;
    Ok(file(&objects(&page)))
}

/// The objects of the file, numbered from 1: catalogue, pages, page, content, information, fonts and opacities.
fn objects(page: &paint::Page) -> Vec<Vec<u8>> {
    let first_opacity = 6 + font::FACES.len();
    let fonts: String = (0..font::FACES.len()).map(|index| format!("/F{index} {} 0 R ", 6 + index)).collect();
    let mut states = String::new();
    for index in 0..page.opacities.len() {
        write!(states, "/G{index} {} 0 R ", first_opacity + index).expect("writing to a string cannot fail");
    }
    let (width, height) = (number(page.size.0), number(page.size.1));
    let mut objects: Vec<Vec<u8>> = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] /Contents 4 0 R /Resources << /Font << \
             {fonts}>> /ExtGState << {states}>> >> >>"
        ),
    ]
    .map(String::into_bytes)
    .into();
    let length = page.content.len();
    objects.push(
        [format!("<< /Length {length} >>\nstream\n").as_bytes(), &page.content, b"\nendstream"].concat(),
    );
    objects.push([&b"<< /Title "[..], &font::unicode(&page.title), b" /Producer (Setpoint) >>"].concat());
    objects.extend(font::FACES.iter().map(|face| face.object().into_bytes()));
    let state = |(fill, stroke): &(String, String)| format!("<< /Type /ExtGState /ca {fill} /CA {stroke} >>");
    objects.extend(page.opacities.iter().map(|pair| state(pair).into_bytes()));
    objects
}

/// Header, objects, cross-reference table and trailer.
fn file(objects: &[Vec<u8>]) -> Vec<u8> {
    // The second line marks the file as binary.
    let mut out = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n".to_vec();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (index, object) in objects.iter().enumerate() {
        writeln!(table, "{:010} 00000 n ", out.len()).expect("writing to a string cannot fail");
        out.extend(format!("{} 0 obj\n", index + 1).into_bytes());
        out.extend(object);
        out.extend(b"\nendobj\n");
    }
    let start = out.len();
    let size = objects.len() + 1;
    out.extend(table.into_bytes());
    out.extend(
        format!("trailer\n<< /Size {size} /Root 1 0 R /Info 5 0 R >>\nstartxref\n{start}\n%%EOF\n")
            .into_bytes(),
    );
    out
}

/// A number with at most three decimals, without an exponent.
fn number(value: f64) -> String {
    let rounded = if value.is_finite() { (value * 1e3).round() / 1e3 } else { 0.0 };
    format!("{}", rounded + 0.0)
}
