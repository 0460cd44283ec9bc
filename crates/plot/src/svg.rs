//! Writing SVG, with escaped text and short numbers.
//!
//! All elements go through [`Svg`], which writes only finite numbers and escaped text.

use std::fmt::Write as _;

use super::colour::{Colour, Surface};

/// Alignment of text relative to its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The text begins at the position.
    Start,
    /// The text is centred at the position.
    Middle,
    /// The text ends at the position.
    End,
}

/// Text in a drawing.
#[derive(Clone, Copy, Debug)]
pub struct Label<'a> {
    /// The text.
    pub text: &'a str,
    /// Position of its anchor and baseline.
    pub at: (f64, f64),
    /// The part of the text that is at the position.
    pub anchor: Anchor,
    /// Font size.
    pub size: f64,
    /// Its colour.
    pub colour: Colour,
    /// Font weight.
    pub weight: Weight,
}

/// Font weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Regular.
    Regular,
    /// Bold.
    Strong,
    /// Regular, outlined in the background's colour so that it is legible on top of lines.
    Outlined(Colour),
}

/// A drawing under construction.
#[derive(Debug)]
pub struct Svg {
    out: String,
    surface: Surface,
}

impl Svg {
    /// An empty drawing.
    pub fn new(surface: Surface) -> Self {
        Self { out: String::new(), surface }
    }

    /// Where the drawing is shown.
    pub fn surface(&self) -> Surface {
        self.surface
    }

    /// The elements so far.
    pub fn finish(self) -> String {
        self.out
    }

    /// Adds markup that is known to be well-formed, such as an opening tag.
    pub fn raw(&mut self, markup: &str) {
        self.out.push_str(markup);
    }

    /// Draws a straight line; `more` holds further attributes.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: Colour, more: &str) {
        let colour = colour.on(self.surface);
        let (x1, y1, x2, y2) = (short(from.0), short(from.1), short(to.0), short(to.1));
        self.put(format_args!(
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{colour}\"{more}/>"
        ));
    }

    /// Draws a filled rectangle.
    pub fn rectangle(&mut self, at: (f64, f64), size: (f64, f64), fill: Colour, more: &str) {
        let fill = fill.on(self.surface);
        let (x, y, width, height) =
            (short(at.0), short(at.1), short(size.0.max(0.0)), short(size.1.max(0.0)));
        self.put(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"{more}/>"
        ));
    }

    /// Strokes a path.
    pub fn stroke(&mut self, path: &str, colour: Colour, more: &str) {
        let colour = colour.on(self.surface);
        self.put(format_args!("<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\"{more}/>"));
    }

    /// Fills a path.
    pub fn fill(&mut self, path: &str, colour: Colour, more: &str) {
        let colour = colour.on(self.surface);
        self.put(format_args!("<path d=\"{path}\" fill=\"{colour}\" stroke=\"none\"{more}/>"));
    }

    /// Fills a path, with an edge in the background colour.
    pub fn outlined(&mut self, path: &str, colour: Colour, width: f64, more: &str) {
        let (colour, edge, width) = (colour.on(self.surface), Colour::Paper.on(self.surface), short(width));
        self.put(format_args!(
            "<path d=\"{path}\" fill=\"{colour}\" stroke=\"{edge}\" stroke-width=\"{width}\"{more}/>"
        ));
    }

    /// Draws a filled circle.
    pub fn circle(&mut self, centre: (f64, f64), radius: f64, fill: Colour, more: &str) {
        let fill = fill.on(self.surface);
        let (x, y, radius) = (short(centre.0), short(centre.1), short(radius));
        self.put(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\"{more}/>"));
    }

    /// Draws text.
    pub fn label(&mut self, label: &Label<'_>) {
        let anchor = match label.anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let weight = match label.weight {
            Weight::Regular => String::new(),
            Weight::Strong => " font-weight=\"600\"".into(),
            Weight::Outlined(behind) => format!(
                " paint-order=\"stroke\" stroke=\"{}\" stroke-width=\"4\" stroke-linejoin=\"round\"",
                behind.on(self.surface)
            ),
        };
        let (x, y, size) = (short(label.at.0), short(label.at.1), short(label.size));
        let (fill, text) = (label.colour.on(self.surface), escape(label.text));
        self.put(format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{fill}\"{anchor}{weight}>{text}</text>"
        ));
    }

    fn put(&mut self, element: std::fmt::Arguments<'_>) {
        self.out.write_fmt(element).expect("writing to a string cannot fail");
    }
}

/// Escapes text for use between tags and in quoted attributes. Characters that XML does not allow are omitted.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => out.push(c),
        }
    }
    out
}

/// A coordinate with one decimal. A value that is not finite becomes zero, as a last line of defence.
pub fn short(value: f64) -> String {
    let rounded = if value.is_finite() { (value * 10.0).round() / 10.0 } else { 0.0 };
    // Adding zero turns negative zero into positive zero.
    format!("{}", rounded + 0.0)
}

/// The data of a path: a template with a coordinate in place of each `{}`.
pub fn path<const N: usize>(template: &str, coordinates: [f64; N]) -> String {
    debug_assert_eq!(template.matches("{}").count(), N, "{template}");
    let mut pieces = template.split("{}");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.zip(coordinates).fold(first, |path, (piece, coordinate)| path + &short(coordinate) + piece)
}

/// Secondary text: ticks, legend entries and the like.
pub(super) fn muted(text: &str, at: (f64, f64), anchor: Anchor, size: f64) -> Label<'_> {
    Label { text, at, anchor, size, colour: Colour::Muted, weight: Weight::Regular }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_leave_its_element() {
        assert_eq!(
            escape("<script>\"a\" & 'b'\u{0}\u{1b}</script>"),
            "&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;&lt;/script&gt;"
        );
    }

    #[test]
    fn coordinates_are_short_and_finite() {
        assert_eq!(short(12.0), "12");
        assert_eq!(short(-0.01), "0");
        assert_eq!(short(2.345), "2.3");
        assert_eq!(short(f64::NAN), "0");
        assert_eq!(short(f64::INFINITY), "0");
    }
}
