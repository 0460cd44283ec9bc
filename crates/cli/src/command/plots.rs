//! Plots as separate files: `--svg`, `--png` and `--pdf`, in every command that writes a page.

use clap::Args;
use setpoint_lab::results::RunRecord;
use setpoint_lab::store::{Collection, Derived, PLOTS};
use setpoint_report::Plot;

use crate::failure::Failure;

/// File formats for separate plots.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct Plots {
    /// Also write every plot as SVG into the folder `plots` beside the page
    #[arg(long)]
    svg: bool,

    /// Also write every plot as PNG into the folder `plots` beside the page
    // Hidden rather than omitted, so that the error states how to enable it.
    #[arg(long, hide = cfg!(not(feature = "png")))]
    png: bool,

    /// Also write every plot as PDF into the folder `plots` beside the page
    #[arg(long, hide = cfg!(not(feature = "pdf")))]
    pdf: bool,
}

impl Plots {
    /// Checks that this build supports the requested formats, before a long run.
    pub(super) fn check(self) -> Result<(), Failure> {
        if self.png && cfg!(not(feature = "png")) {
            return Err(Failure::Usage(without("PNG", "png")));
        }
        if self.pdf && cfg!(not(feature = "pdf")) {
            return Err(Failure::Usage(without("PDF", "pdf")));
        }
        Ok(())
    }

    /// The options as arguments for another process.
    pub(super) fn arguments(self) -> impl Iterator<Item = String> {
        let formats = [(self.svg, "--svg"), (self.png, "--png"), (self.pdf, "--pdf")];
        formats.into_iter().filter(|(wanted, _)| *wanted).map(|(_, option)| option.to_owned())
    }

    /// Whether any format is requested.
    pub(super) fn wanted(self) -> bool {
        self.svg || self.png || self.pdf
    }

    /// The plots of a result as files.
    pub(super) fn of_run(self, record: &RunRecord) -> Result<Vec<Derived>, Failure> {
        self.files(|| setpoint_report::plots(record))
    }

    /// Plots as files; `draw` is called only if a format is requested.
    pub(super) fn files(self, draw: impl FnOnce() -> Vec<Plot>) -> Result<Vec<Derived>, Failure> {
        let mut files = Vec::new();
        if !self.wanted() {
            return Ok(files);
        }
        for plot in draw() {
            if self.png {
                files.push(png(&plot)?);
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

    /// Writes plots into the folder of a page and removes older ones, which would be outdated.
    pub(super) fn put(self, folder: &Collection, draw: impl FnOnce() -> Vec<Plot>) -> Result<(), Failure> {
        let files = self.files(draw)?;
        folder.clear(&format!("{PLOTS}/"))?;
        Ok(files.iter().try_for_each(|file| folder.put(file.name(), file.content()))?)
    }
}

fn without(format: &str, feature: &str) -> String {
    format!(
        "\
this build of setpoint cannot write {format}, which requires the feature `{feature}`:
  cargo install --path crates/cli --features {feature}
  cargo run --release --features {feature} -- run --{feature}
every build can write plots as SVG with --svg"
    )
}

#[cfg(feature = "png")]
fn png(plot: &Plot) -> Result<Derived, Failure> {
    let picture = setpoint_report::png(&plot.svg).map_err(|error| cannot("PNG", plot, &error))?;
    Ok(Derived::png(&plot.name, picture))
}

#[cfg(not(feature = "png"))]
fn png(_: &Plot) -> Result<Derived, Failure> {
    Err(Failure::Usage(without("PNG", "png")))
}

#[cfg(feature = "pdf")]
fn pdf(plot: &Plot) -> Result<Derived, Failure> {
    let sheet = setpoint_report::pdf(&plot.svg).map_err(|error| cannot("PDF", plot, &error))?;
    Ok(Derived::pdf(&plot.name, sheet))
}

#[cfg(not(feature = "pdf"))]
fn pdf(_: &Plot) -> Result<Derived, Failure> {
    Err(Failure::Usage(without("PDF", "pdf")))
}

#[cfg(any(feature = "png", feature = "pdf"))]
fn cannot(format: &str, plot: &Plot, error: &dyn std::error::Error) -> Failure {
    Failure::Run(format!("cannot convert the plot {} to {format}: {error}", plot.name))
}
