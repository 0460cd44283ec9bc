//! The sheet on which a drawing is placed: its size, and its title if it is a standalone file.

use super::svg::{Anchor, Label, Svg, Weight, short};
use super::text::fitted_strong;
use super::{Colour, Size, Style, Surface, Words};

/// Fonts of standalone figures; a page sets its own.
pub(super) const FONTS: &str = "Inter, 'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

/// Margin around a standalone drawing.
pub(super) const MARGIN: f64 = 16.0;

/// The header of a drawing.
#[derive(Clone, Debug)]
pub(super) struct Sheet<'a> {
    pub(super) title: &'a str,
    /// Text alternative for the picture.
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
            Surface::File(style) => self.open_file(svg, style),
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

    fn open_file(&self, svg: &mut Svg, style: Style) {
        style.open(svg, (self.width, self.height), (self.title, self.description));
        if style.title == Words::Shown {
            let size = self.font + 3.0;
            svg.label(&Label {
                text: &fitted_strong(self.title, size, self.width - 4.0),
                at: (2.0, 20.0),
                anchor: Anchor::Start,
                size,
                colour: Colour::Ink,
                weight: Weight::Strong,
            });
        }
    }
}
