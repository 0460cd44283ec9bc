//! Plots as files of their own: `--svg` and `--png`.

use clap::Args;
use setpoint_lab::results::RunRecord;
use setpoint_lab::store::Derived;

use crate::failure::Failure;

/// In which formats plots are wanted as files of their own.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct Plots {
    /// Also write every plot as SVG, into the folder `plots` of the result
    #[arg(long)]
    svg: bool,

    /// Also write every plot as PNG, into the folder `plots` of the result
    // Hidden and not left out, so that who asks for it hears how to get it.
    #[arg(long, hide = cfg!(not(feature = "png")))]
    png: bool,
}

impl Plots {
    /// Whether this build can write what is wanted; worth asking before a long run.
    pub(super) fn check(self) -> Result<(), Failure> {
        if self.png && cfg!(not(feature = "png")) {
            return Err(Failure::Usage(NO_PNG.to_owned()));
        }
        Ok(())
    }

    /// Whether there will be any.
    pub(super) fn wanted(self) -> bool {
        self.svg || self.png
    }

    /// The plots of a result as files.
    pub(super) fn draw(self, record: &RunRecord) -> Result<Vec<Derived>, Failure> {
        let mut files = Vec::new();
        if !self.wanted() {
            return Ok(files);
        }
        for plot in setpoint_report::plots(record) {
            if self.png {
                files.push(picture(&plot)?);
            }
            if self.svg {
                files.push(Derived::svg(&plot.name, plot.svg));
            }
        }
        Ok(files)
    }
}

const NO_PNG: &str = "\
this build of setpoint cannot write PNG, which takes the feature `png`:
  cargo install --path crates/cli --features png
  cargo run --release --features png -- run --png
every build can write the plots as SVG, with --svg";

#[cfg(feature = "png")]
fn picture(plot: &setpoint_report::Plot) -> Result<Derived, Failure> {
    let picture = setpoint_report::png(&plot.svg)
        .map_err(|error| Failure::Run(format!("cannot make a PNG of the plot {}: {error}", plot.name)))?;
    Ok(Derived::png(&plot.name, picture))
}

#[cfg(not(feature = "png"))]
fn picture(_: &setpoint_report::Plot) -> Result<Derived, Failure> {
    Err(Failure::Usage(NO_PNG.to_owned()))
}
