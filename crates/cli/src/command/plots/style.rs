//! Size, font and ink of plots in files, for print.

use clap::Args;
use setpoint_plot::{Extent, Ink, Length, Paper, Style, Words};

use crate::failure::Failure;

const HEADING: &str = "Plots for print";
/// Font size of figures for print, if none is given.
const FONT: &str = "8pt";

/// The style of plots in files.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct StyleOptions {
    /// Draw plots for print: `column` (3.5in), `page` (7.16in) or a width such as 88mm, and a height as in `88mm x 60mm`
    #[arg(long, value_name = "SIZE", help_heading = HEADING)]
    figure_size: Option<Extent>,

    /// Font size of plots for print, such as 9pt [default: 8pt]
    #[arg(long, value_name = "SIZE", value_parser = Length::font, requires = "figure_size", help_heading = HEADING)]
    font_size: Option<Length>,

    /// Draw plots in greyscale, with dashes and symbols that distinguish the series
    #[arg(long, help_heading = HEADING)]
    greyscale: bool,

    /// Leave out the titles of plots
    #[arg(long, help_heading = HEADING)]
    no_title: bool,

    /// Leave out the notes below plots
    #[arg(long, help_heading = HEADING)]
    no_note: bool,
}

impl StyleOptions {
    /// The style, if the size and the font are compatible.
    pub(super) fn style(self) -> Result<Style, Failure> {
        let usage = |error: &dyn std::error::Error| Failure::Usage(error.to_string());
        let font = self.font_size.map_or_else(|| Length::font(FONT), Ok).map_err(|error| usage(&error))?;
        let paper = self.figure_size.map(|size| Paper::new(size, font)).transpose();
        let paper = paper.map_err(|error| usage(&error))?;
        let shown = |hidden: bool| if hidden { Words::Hidden } else { Words::Shown };
        let ink = if self.greyscale { Ink::Grey } else { Ink::Colour };
        Ok(Style { paper, ink, title: shown(self.no_title), note: shown(self.no_note) })
    }

    /// The options as arguments for another process.
    pub(super) fn arguments(self) -> impl Iterator<Item = String> {
        let flags =
            [(self.greyscale, "--greyscale"), (self.no_title, "--no-title"), (self.no_note, "--no-note")];
        let size = self.figure_size.map(|size| format!("--figure-size={size}"));
        let font = self.font_size.map(|font| format!("--font-size={font}"));
        let flags = flags.into_iter().filter(|(wanted, _)| *wanted).map(|(_, option)| option.to_owned());
        size.into_iter().chain(font).chain(flags)
    }

    /// The first option that was given.
    pub(super) fn first(self) -> Option<String> {
        self.arguments().next().map(|option| option.split('=').next().unwrap_or_default().to_owned())
    }
}
