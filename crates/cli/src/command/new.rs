//! `setpoint new`: writes a scenario to start from.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use setpoint_scenario::{Builtin, builtin};
use setpoint_suggest::did_you_mean;

use crate::failure::Failure;
use crate::terminal;

/// Write a commented scenario to start from
///
/// Without `--from`, the scenario is a copy of the built-in scenario of the same name or, if there is none, of
/// `default`. The text is that of the built-in scenario, with the new name and, at the top, the commands to run, check and
/// explain it.
#[derive(Debug, Args)]
pub(crate) struct New {
    /// The file to write; `.toml` is added to a bare name
    #[arg(value_name = "NAME|FILE", default_value = "scenario.toml")]
    target: PathBuf,

    /// The built-in scenario to copy
    #[arg(long, value_name = "NAME")]
    from: Option<String>,

    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

impl New {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let file =
            if self.target.extension().is_none() { self.target.with_extension("toml") } else { self.target };
        let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let base = match &self.from {
            Some(name) => find(name)?,
            None => builtin().iter().find(|builtin| builtin.name == stem).unwrap_or(&builtin()[0]),
        };
        let mut options = OpenOptions::new();
        if self.force {
            options.create(true).truncate(true)
        } else {
            options.create_new(true)
        };
        let text = starter(base, &stem, &file);
        let written = options.write(true).open(&file).and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(|error| refused(&file, &error))?;
        let file = file.display();
        Ok(terminal::print(&format!(
            "wrote {file}, a copy of the built-in scenario `{}` with the name `{stem}` and, at the top, the commands to use it\n\n\
             run it with `setpoint run {file}`\n",
            base.name
        ))?)
    }
}

fn find(name: &str) -> Result<&'static Builtin, Failure> {
    let names = || builtin().iter().map(|builtin| builtin.name);
    builtin().iter().find(|builtin| builtin.name == name).ok_or_else(|| {
        let all = || format!("the built-in scenarios are {}", names().collect::<Vec<_>>().join(", "));
        let remedy = did_you_mean(name, names()).unwrap_or_else(all);
        Failure::Usage(format!("there is no built-in scenario {name:?}; {remedy}"))
    })
}

fn refused(file: &Path, error: &io::Error) -> Failure {
    let file = file.display();
    match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::Usage(format!(
            "{file} already exists; overwrite it with `--force`, or give another name"
        )),
        _ => Failure::Run(format!("cannot write {file}: {error}")),
    }
}

/// The text of a built-in scenario under another name, with hints in place of its own introduction.
fn starter(base: &Builtin, name: &str, file: &Path) -> String {
    let file = file.display();
    let (_, body) = base.text.split_once("\n#\n").unwrap_or(("", base.text));
    let quoted = serde_json::Value::from(name).to_string();
    // The first name is the scenario's own; flows and nodes may have names too.
    let own = body.lines().find(|line| line.starts_with("name = ")).unwrap_or_default();
    let body = body.replacen(own, &format!("name = {quoted}"), 1);
    format!(
        "# Run it:                        setpoint run {file}\n\
         # Check it:                      setpoint check {file}\n\
         # Explain a key:                 setpoint explain set_point\n\
         # List all keys:                 setpoint list keys\n\
         #\n\
         {body}"
    )
}
