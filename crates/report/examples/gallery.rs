//! Writes the report and the plots of synthetic runs of every shape into a folder, for looking at them:
//! `cargo run -p setpoint-report --example gallery -- FOLDER`.

#[path = "../tests/report/synthetic/mod.rs"]
mod synthetic;

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::args().nth(1).unwrap_or_else(|| "gallery".into()));
    for (name, record) in synthetic::all() {
        let plots = folder.join(name);
        fs::create_dir_all(&plots)?;
        fs::write(folder.join(format!("{name}.html")), setpoint_report::html(&record))?;
        for plot in setpoint_report::plots(&record) {
            #[cfg(feature = "png")]
            if let Ok(picture) = setpoint_report::png(&plot.svg) {
                fs::write(plots.join(format!("{}.png", plot.name)), picture)?;
            }
            fs::write(plots.join(format!("{}.svg", plot.name)), plot.svg)?;
        }
    }
    Ok(())
}
