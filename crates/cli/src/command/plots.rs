//! Plots as separate files: `--svg`, `--png` and `--pdf`, in every command that writes a page.

use clap::Args;
use setpoint_lab::store::{Collection, Derived, PLOTS};
use setpoint_plot::Style;
use setpoint_record::results::RunRecord;
use setpoint_report::Plot;
use setpoint_report::document::Document;

mod style;

use crate::failure::Failure;
use style::StyleOptions;

/// File formats for separate plots.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct Plots {
    /// Also write every plot as SVG into the folder `plots` next to the page
    #[arg(long)]
    svg: bool,

    /// Also write every plot as PNG into the folder `plots` next to the page
    // Hidden rather than omitted, so that the error states how to enable it.
    #[arg(long, hide = cfg!(not(feature = "png")))]
    png: bool,

    /// Also write every plot as PDF into the folder `plots` next to the page
    #[arg(long)]
    pdf: bool,

    #[command(flatten)]
    style: StyleOptions,
}

impl Plots {
    /// Checks that this build supports the requested formats, and that the style has an effect, before a long run.
    pub(super) fn check(self) -> Result<(), Failure> {
        if let Some(option) = self.style.first().filter(|_| !self.wanted()) {
            let message = format!("{option} only affects plots in files: add --svg or --pdf");
            return Err(Failure::Usage(message));
        }
        self.style.style()?;
        if self.png && cfg!(not(feature = "png")) {
            return Err(Failure::Usage(WITHOUT_PNG.to_owned()));
        }
        Ok(())
    }

    /// The options as arguments for another process.
    pub(super) fn arguments(self) -> impl Iterator<Item = String> {
        let formats = [(self.svg, "--svg"), (self.png, "--png"), (self.pdf, "--pdf")];
        let formats = formats.into_iter().filter(|(wanted, _)| *wanted).map(|(_, option)| option.to_owned());
        formats.chain(self.style.arguments())
    }

    /// Whether any format is requested.
    pub(super) fn wanted(self) -> bool {
        self.svg || self.png || self.pdf
    }

    /// The plots of a result, as files.
    pub(super) fn of_run(self, record: &RunRecord) -> Result<Vec<Derived>, Failure> {
        self.files(|style| setpoint_report::plots(record, style))
    }

    /// Refuses a style for plots that have been drawn already.
    pub(super) fn check_drawn(self) -> Result<(), Failure> {
        match self.style.first() {
            Some(option) => Err(Failure::Usage(format!(
                "{option} has no effect on plots that shards have drawn: run the experiment again without --collect"
            ))),
            None => Ok(()),
        }
    }

    /// Plots as files; `draw` is called only if a format is requested.
    pub(super) fn files(self, draw: impl FnOnce(Style) -> Vec<Plot>) -> Result<Vec<Derived>, Failure> {
        let mut files = Vec::new();
        if !self.wanted() {
            return Ok(files);
        }
        let style = self.style.style()?;
        for plot in draw(style) {
            if self.png {
                files.push(png(&plot, style)?);
            }
            if self.pdf {
                files.push(pdf(&plot)?);
            }
            if self.svg {
                files.push(Derived::svg(&plot.name, plot.svg));
            }
        }
        Ok(files)
    }

    /// Writes a page and its plots. Older plots are kept if none are requested and the page has not changed.
    pub(super) fn put_page(self, folder: &Collection, name: &str, page: &Document) -> Result<(), Failure> {
        let html = page.html();
        let is_same = std::fs::read(folder.path().join(name)).is_ok_and(|older| older == html.as_bytes());
        folder.put(name, html.as_bytes())?;
        if is_same && !self.wanted() {
            return Ok(());
        }
        self.put(folder, |style| page.plots(style))
    }

    /// Writes plots into the folder of a page and removes older ones, which would be outdated.
    pub(super) fn put(
        self,
        folder: &Collection,
        draw: impl FnOnce(Style) -> Vec<Plot>,
    ) -> Result<(), Failure> {
        let files = self.files(draw)?;
        folder.clear(&format!("{PLOTS}/"))?;
        Ok(files.iter().try_for_each(|file| folder.put(file.name(), file.content()))?)
    }
}

const WITHOUT_PNG: &str = "\
this build of setpoint cannot write PNG, which requires the feature `png`:
  cargo install --path crates/cli --features png
  cargo run --release --features png -- run --png
every build can write plots as SVG with --svg and as PDF with --pdf";

#[cfg(feature = "png")]
fn png(plot: &Plot, style: Style) -> Result<Derived, Failure> {
    let picture =
        setpoint_plot::png(&plot.svg, style.dots_per_inch()).map_err(|error| cannot("PNG", plot, &error))?;
    Ok(Derived::png(&plot.name, picture))
}

#[cfg(not(feature = "png"))]
fn png(_: &Plot, _: Style) -> Result<Derived, Failure> {
    Err(Failure::Usage(WITHOUT_PNG.to_owned()))
}

fn pdf(plot: &Plot) -> Result<Derived, Failure> {
    let sheet = setpoint_plot::pdf(&plot.svg).map_err(|error| cannot("PDF", plot, &error))?;
    Ok(Derived::pdf(&plot.name, sheet))
}

fn cannot(format: &str, plot: &Plot, error: &dyn std::error::Error) -> Failure {
    Failure::Run(format!("cannot convert the plot {} to {format}: {error}", plot.name))
}
