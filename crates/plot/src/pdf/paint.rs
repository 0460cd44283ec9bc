//! Elements of a drawing as operators of a page.

use std::fmt::Write as _;

use super::font::{Glyph, glyphs};
use super::path::operators;
use super::read::Piece;
use super::{PdfError, number};

/// The content of a page.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// Width and height in points.
    pub(super) size: (f64, f64),
    pub(super) title: String,
    pub(super) content: Vec<u8>,
    /// Pairs of fill and stroke opacity that occur in the drawing.
    pub(super) opacities: Vec<(String, String)>,
}

/// Points per CSS pixel and per millimetre.
const PIXEL: f64 = 72.0 / 96.0;
const MILLIMETRE: f64 = 72.0 / 25.4;
/// Distance of the control points of a quarter circle from its ends, as a share of the radius.
const ROUND: f64 = 0.5523;

/// Attributes of an element, followed by those of the groups around it.
type Attributes<'a> = Vec<(&'a str, &'a str)>;

/// Draws a page.
pub(super) fn page(pieces: &[Piece<'_>]) -> Result<Page, PdfError> {
    let mut page = Page::default();
    let mut open: Vec<(&str, Attributes<'_>)> = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Open { name, attributes, closed } => {
                let groups = open.iter().rev().flat_map(|(_, attributes)| attributes);
                let all: Attributes<'_> = attributes.iter().chain(groups).copied().collect();
                page.element(name, &all)?;
                if !closed {
                    open.push((*name, attributes.clone()));
                }
            }
            Piece::Close(_) => {
                open.pop();
            }
            Piece::Text(text) => {
                let Some((name, _)) = open.last() else { continue };
                let all: Attributes<'_> =
                    open.iter().rev().flat_map(|(_, attributes)| attributes).copied().collect();
                match (*name, open.len()) {
                    ("text", _) => page.text(text, &all)?,
                    ("title", 2) => page.title.clone_from(text),
                    _ => {}
                }
            }
        }
    }
    Ok(page)
}

impl Page {
    fn element(&mut self, name: &str, all: &Attributes<'_>) -> Result<(), PdfError> {
        let value = |key: &str| length(all, key);
        let shape = match name {
            "svg" => return self.begin(all),
            "g" | "title" | "desc" | "text" => return Ok(()),
            "path" => operators(find(all, "d").unwrap_or_default())?,
            "line" => {
                let [x1, y1, x2, y2] = [value("x1")?, value("y1")?, value("x2")?, value("y2")?].map(number);
                format!("{x1} {y1} m {x2} {y2} l ")
            }
            "rect" => {
                rectangle((value("x")?, value("y")?), (value("width")?, value("height")?), value("rx")?)
            }
            "circle" => {
                let (radius, x, y) = (value("r")?, value("cx")?, value("cy")?);
                rectangle((x - radius, y - radius), (2.0 * radius, 2.0 * radius), radius)
            }
            other => return Err(PdfError::Unknown(format!("the element <{other}>"))),
        };
        self.shape(&shape, all)
    }

    /// Sets the size of the page and the transformation from the units of the drawing, whose vertical axis points down.
    fn begin(&mut self, all: &Attributes<'_>) -> Result<(), PdfError> {
        let side = |key: &str| {
            let text = find(all, key).unwrap_or_default();
            let (text, points) = text.strip_suffix("mm").map_or((text, PIXEL), |text| (text, MILLIMETRE));
            Ok(parsed(text)? * points)
        };
        self.size = (side("width")?, side("height")?);
        let view = find(all, "viewBox").unwrap_or_default();
        let view: Vec<f64> = view.split(' ').map(parsed).collect::<Result<_, _>>()?;
        let [left, top, width, height] = view[..] else {
            return Err(PdfError::Svg("it has no viewBox".into()));
        };
        let (across, down) = (self.size.0 / width, self.size.1 / height);
        let [x, y] = [-left * across, self.size.1 + top * down].map(number);
        self.put(&format!("{across:.6} 0 0 {:.6} {x} {y} cm\n", -down));
        Ok(())
    }

    /// Fills and strokes a path.
    fn shape(&mut self, shape: &str, all: &Attributes<'_>) -> Result<(), PdfError> {
        let fill = colour(find(all, "fill").unwrap_or("#000000"))?;
        let stroke = colour(find(all, "stroke").unwrap_or("none"))?;
        if shape.is_empty() {
            return Ok(());
        }
        self.put("q ");
        self.moved(all)?;
        self.opacity(all);
        if let Some(fill) = &fill {
            self.put(&format!("{fill} rg "));
        }
        if let Some(stroke) = &stroke {
            self.put(&format!("{stroke} RG {} w ", number(length(all, "stroke-width")?)));
            self.pen(all);
        }
        self.put(shape);
        // With `paint-order`, the stroke is below the fill.
        self.put(match (fill.is_some(), stroke.is_some()) {
            (true, true) if find(all, "paint-order").is_some() => "S ",
            (true, true) => "B ",
            (true, false) => "f ",
            (false, true) => "S ",
            (false, false) => "n ",
        });
        if fill.is_some() && stroke.is_some() && find(all, "paint-order").is_some() {
            self.put(&format!("{shape}f "));
        }
        self.put("Q\n");
        Ok(())
    }

    /// Sets the dashes, ends and corners of lines.
    fn pen(&mut self, all: &Attributes<'_>) {
        if let Some(dashes) = find(all, "stroke-dasharray") {
            self.put(&format!("[{dashes}] 0 d "));
        }
        match find(all, "stroke-linecap") {
            Some("round") => self.put("1 J "),
            Some("square") => self.put("2 J "),
            _ => {}
        }
        if find(all, "stroke-linejoin") == Some("round") {
            self.put("1 j ");
        }
    }

    /// Applies the only transformation in drawings: a translation.
    fn moved(&mut self, all: &Attributes<'_>) -> Result<(), PdfError> {
        let Some(transform) = find(all, "transform") else { return Ok(()) };
        let inner = transform.strip_prefix("translate(").and_then(|rest| rest.strip_suffix(')'));
        let unknown = || PdfError::Unknown(format!("the transformation {transform}"));
        let (x, y) = inner.and_then(|inner| inner.split_once(' ')).ok_or_else(unknown)?;
        self.put(&format!("1 0 0 1 {} {} cm ", number(parsed(x)?), number(parsed(y)?)));
        Ok(())
    }

    fn opacity(&mut self, all: &Attributes<'_>) {
        let share = |key: &str| find(all, key).and_then(|text| text.parse().ok()).map_or("1".into(), number);
        let pair = (share("fill-opacity"), share("stroke-opacity"));
        if pair == ("1".into(), "1".into()) {
            return;
        }
        let known = self.opacities.iter().position(|other| *other == pair);
        let index = known.unwrap_or_else(|| {
            self.opacities.push(pair);
            self.opacities.len() - 1
        });
        self.put(&format!("/G{index} gs "));
    }

    /// Writes text; an outline is drawn below it, marked so that it is not read twice.
    fn text(&mut self, text: &str, all: &Attributes<'_>) -> Result<(), PdfError> {
        let size = length(all, "font-size")?;
        let glyphs = glyphs(text, find(all, "font-weight").is_some());
        let width = glyphs.iter().map(|glyph| f64::from(glyph.width)).sum::<f64>() / 1e3 * size;
        let before = match find(all, "text-anchor") {
            Some("middle") => width / 2.0,
            Some("end") => width,
            _ => 0.0,
        };
        let [x, y, size] = [length(all, "x")? - before, length(all, "y")?, size].map(number);
        let fill = colour(find(all, "fill").unwrap_or("#000000"))?.unwrap_or_default();
        if let Some(stroke) = colour(find(all, "stroke").unwrap_or("none"))? {
            let wide = number(length(all, "stroke-width")?);
            self.put(&format!("/Artifact BMC q {stroke} RG {wide} w 1 j BT 1 Tr 1 0 0 -1 {x} {y} Tm "));
            self.show(&glyphs, &size);
            self.put("ET Q EMC\n");
        }
        self.put(&format!("q {fill} rg BT 1 0 0 -1 {x} {y} Tm "));
        self.show(&glyphs, &size);
        self.put("ET Q\n");
        Ok(())
    }

    /// Writes glyphs, one run of the same font at a time.
    fn show(&mut self, glyphs: &[Glyph], size: &str) {
        for run in glyphs.chunk_by(|one, other| one.face == other.face) {
            self.put(&format!("/F{} {size} Tf (", run[0].face));
            for glyph in run {
                if matches!(glyph.byte, b'(' | b')' | b'\\') {
                    self.content.push(b'\\');
                }
                self.content.push(glyph.byte);
            }
            self.put(") Tj ");
        }
    }

    fn put(&mut self, operators: &str) {
        self.content.extend(operators.as_bytes());
    }
}

/// A rectangle with round corners.
fn rectangle((x, y): (f64, f64), (width, height): (f64, f64), radius: f64) -> String {
    let radius = radius.min(width / 2.0).min(height / 2.0);
    let mut out = String::new();
    if radius <= 0.0 {
        let [x, y, width, height] = [x, y, width, height].map(number);
        write!(out, "{x} {y} {width} {height} re ").expect("writing to a string cannot fail");
        return out;
    }
    let (right, bottom) = (x + width, y + height);
    write!(out, "{} {} m ", number(x + radius), number(y)).expect("writing to a string cannot fail");
    // Each corner with the directions in which its curve begins and ends.
    let corners = [
        ((right, y), (1.0, 0.0), (0.0, 1.0)),
        ((right, bottom), (0.0, 1.0), (-1.0, 0.0)),
        ((x, bottom), (-1.0, 0.0), (0.0, -1.0)),
        ((x, y), (0.0, -1.0), (1.0, 0.0)),
    ];
    for (corner, from, to) in corners {
        let before = |share: f64| (corner.0 - from.0 * radius * share, corner.1 - from.1 * radius * share);
        let after = |share: f64| (corner.0 + to.0 * radius * share, corner.1 + to.1 * radius * share);
        let (start, end) = (before(1.0), after(1.0));
        let curve = [before(1.0 - ROUND), after(1.0 - ROUND), end];
        let curve = curve.map(|(x, y)| format!("{} {} ", number(x), number(y))).concat();
        write!(out, "{} {} l {curve}c ", number(start.0), number(start.1))
            .expect("writing to a string cannot fail");
    }
    out.push_str("h ");
    out
}

/// The value of an attribute; that of the innermost element takes precedence.
fn find<'a>(all: &Attributes<'a>, key: &str) -> Option<&'a str> {
    all.iter().find(|(name, _)| *name == key).map(|(_, value)| *value)
}

/// A number, or 0 if the attribute is absent.
fn length(all: &Attributes<'_>, key: &str) -> Result<f64, PdfError> {
    find(all, key).map_or(Ok(if key == "stroke-width" { 1.0 } else { 0.0 }), parsed)
}

fn parsed(text: &str) -> Result<f64, PdfError> {
    text.parse().map_err(|_| PdfError::Svg(format!("`{text}` is not a number")))
}

/// The components of a colour; `None` for the value `none`.
fn colour(text: &str) -> Result<Option<String>, PdfError> {
    if text == "none" {
        return Ok(None);
    }
    let part = |from: usize| {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?.get(from..from + 2)?;
        Some(f64::from(u8::from_str_radix(digits, 16).ok()?) / 255.0)
    };
    match (part(0), part(2), part(4)) {
        (Some(red), Some(green), Some(blue)) => Ok(Some([red, green, blue].map(number).join(" "))),
        _ => Err(PdfError::Unknown(format!("the colour {text}"))),
    }
}
