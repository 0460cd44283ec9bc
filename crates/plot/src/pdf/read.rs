//! Splitting SVG into elements. It reads what this crate writes: elements, attributes in double quotes and text, without
//! comments, declarations or CDATA.

use super::PdfError;

/// A piece of a drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// An element begins; if `closed`, it also ends.
    Open { name: &'a str, attributes: Vec<(&'a str, &'a str)>, closed: bool },
    /// An element ends.
    Close(&'a str),
    /// Text between elements.
    Text(String),
}

/// The pieces of a drawing in order.
pub(super) fn elements(svg: &str) -> Result<Vec<Piece<'_>>, PdfError> {
    if !svg.starts_with("<svg ") {
        return Err(PdfError::Svg("it does not begin with <svg".into()));
    }
    let mut pieces = Vec::new();
    let mut rest = svg.trim_end();
    while !rest.is_empty() {
        let (text, tag) = rest.split_at(rest.find('<').unwrap_or(rest.len()));
        if !text.is_empty() {
            pieces.push(Piece::Text(unescaped(text)));
        }
        let Some(tag) = tag.strip_prefix('<') else { break };
        // Text and attributes contain no `>`, because it is escaped.
        let end = tag.find('>').ok_or_else(|| PdfError::Svg("a tag does not end".into()))?;
        pieces.push(piece(&tag[..end])?);
        rest = &tag[end + 1..];
    }
    Ok(pieces)
}

fn piece(tag: &str) -> Result<Piece<'_>, PdfError> {
    if let Some(name) = tag.strip_prefix('/') {
        return Ok(Piece::Close(name));
    }
    let (tag, closed) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    let mut attributes = Vec::new();
    while !rest.trim_start().is_empty() {
        let wrong = || PdfError::Svg(format!("an attribute of <{name}> has no value"));
        let (key, after) = rest.trim_start().split_once("=\"").ok_or_else(wrong)?;
        let (value, after) = after.split_once('"').ok_or_else(wrong)?;
        attributes.push((key, value));
        rest = after;
    }
    Ok(Piece::Open { name, attributes, closed })
}

/// The inverse of [`escape`](crate::svg::escape).
fn unescaped(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
    text.replace("&amp;", "&")
}
