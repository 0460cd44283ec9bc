//! Writes the reports and plots of synthetic runs of every shape, and the theory pages, into a
//! folder for inspection:
//! `cargo run -p setpoint-report --example gallery -- FOLDER`.

#[path = "../tests/report/synthetic/mod.rs"]
mod synthetic;

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use synthetic::theory as records;

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::args().nth(1).unwrap_or_else(|| "gallery".into()));
    for (name, record) in synthetic::all().iter().chain(synthetic::large()) {
        let plots = folder.join(name);
        fs::create_dir_all(&plots)?;
        fs::write(folder.join(format!("{name}.html")), setpoint_report::html(record))?;
        for plot in setpoint_report::plots(record, setpoint_plot::Style::SCREEN) {
            fs::write(plots.join(format!("{}.svg", plot.name)), plot.svg)?;
        }
    }
    theory(&folder)
}

fn theory(folder: &Path) -> io::Result<()> {
    let pages = [
        ("fluid-settles", setpoint_report::fluid(&records::fluid_and_packets(300.0))),
        ("fluid-oscillates", setpoint_report::fluid(&records::fluid(0.0))),
        ("stability", setpoint_report::stability(&records::stability(100))),
        ("stability-of-words", setpoint_report::stability(&records::stability(3))),
        ("phase", setpoint_report::phase(&records::phase())),
    ];
    pages.iter().try_for_each(|(name, page)| fs::write(folder.join(format!("{name}.html")), page.html()))
}
