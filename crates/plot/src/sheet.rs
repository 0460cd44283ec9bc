//! The sheet on which a drawing is placed: its size, and its title if it is a standalone file.

use super::svg::{Anchor, Label, Svg, Weight, escape, short};
use super::text::fitted_strong;
use super::{Colour, Length, Paper, Size, Style, Surface, Words};

/// Fonts of standalone figures; a page sets its own.
const FONTS: &str = "Inter, 'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

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

impl Style {
    /// The opening tag of a file with a drawing of this width and height, and its background. A drawing that does not
    /// fit the size on paper is scaled down as a whole.
    pub fn open(&self, svg: &mut Svg, drawing: (f64, f64), (title, description): (&str, &str)) {
        let margin = self.margin();
        let needed = (drawing.0 + 2.0 * margin, drawing.1 + 2.0 * margin);
        let (size, measures) = self.sheet(needed);
        let corner = (-margin - (size.0 - needed.0) / 2.0, -margin);
        let [x, y, width, height] = [corner.0, corner.1, size.0, size.1].map(short);
        let (title, description) = (escape(title), escape(description));
        svg.raw(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{x} {y} {width} {height}\" {measures} \
             font-family=\"{FONTS}\" role=\"img\"><title>{title}</title><desc>{description}</desc>"
        ));
        svg.rectangle(corner, size, Colour::Paper, "");
    }

    /// The size of the sheet in units of the layout, which is at least `needed`, and the attributes with its physical
    /// size.
    fn sheet(&self, needed: (f64, f64)) -> ((f64, f64), String) {
        let Some(Paper { extent, .. }) = self.paper else {
            return (needed, format!("width=\"{}\" height=\"{}\"", short(needed.0), short(needed.1)));
        };
        let across = extent.width.millimetres();
        let down = extent.height.map_or(needed.1 * across / needed.0, Length::millimetres);
        let size = (needed.0.max(needed.1 * across / down), needed.1.max(needed.0 * down / across));
        (size, format!("width=\"{}mm\" height=\"{}mm\"", thousandths(across), thousandths(down)))
    }
}

fn thousandths(value: f64) -> String {
    format!("{}", (value * 1e3).round() / 1e3)
}
