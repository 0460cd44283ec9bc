//! The sheet a drawing is on: its size, and its title if it is a standalone file.

use super::svg::{Anchor, Label, Svg, Weight, escape, short};
use super::{Colour, Size, Surface};

/// Fonts of standalone figures; a page sets its own.
pub const FONTS: &str = "Inter, 'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

/// Margin around a standalone drawing.
pub const MARGIN: f64 = 16.0;

/// The header of a drawing.
#[derive(Clone, Debug)]
pub(super) struct Sheet<'a> {
    pub(super) title: &'a str,
    /// Text alternative of the picture.
    pub(super) description: &'a str,
    pub(super) width: f64,
    pub(super) height: f64,
    /// Font size.
    pub(super) font: f64,
    /// Attributes from which the page's script converts positions to values.
    pub(super) attributes: String,
}

impl Sheet<'_> {
    /// Writes the opening tag; in a file also title, description, background and heading.
    pub(super) fn open(&self, svg: &mut Svg, size: Size) {
        match svg.surface() {
            Surface::Page => self.open_in_page(svg, size),
            Surface::File => self.open_file(svg),
        }
    }

    fn open_in_page(&self, svg: &mut Svg, size: Size) {
        let class = if size == Size::Wide { "wide" } else { "narrow" };
        let (width, height) = (short(self.width), short(self.height));
        let attributes = &self.attributes;
        svg.raw(&format!(
            "<svg class=\"{class}\" viewBox=\"0 0 {width} {height}\"{attributes} aria-hidden=\"true\">"
        ));
    }

    fn open_file(&self, svg: &mut Svg) {
        let size = (self.width + 2.0 * MARGIN, self.height + 2.0 * MARGIN);
        let (width, height) = (short(size.0), short(size.1));
        let edge = short(-MARGIN);
        let (title, description) = (escape(self.title), escape(self.description));
        svg.raw(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{edge} {edge} {width} {height}\" width=\"{width}\" \
             height=\"{height}\" font-family=\"{FONTS}\" role=\"img\"><title>{title}</title>\
             <desc>{description}</desc>"
        ));
        svg.rectangle((-MARGIN, -MARGIN), size, Colour::Paper, "");
        svg.label(&Label {
            text: self.title,
            at: (2.0, 20.0),
            anchor: Anchor::Start,
            size: self.font + 3.0,
            colour: Colour::Ink,
            weight: Weight::Strong,
        });
    }
}
