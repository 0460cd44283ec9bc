//! `setpoint serve`: the laboratory in a browser.

use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};

use clap::Args;
use setpoint_serve::{Lecture, Limits, ServeError, Server, Settings};
use setpoint_units::Bytes;

use crate::browser;
use crate::failure::{Failure, print_line};
use crate::interrupt;
use crate::terminal::{self, Facts, Screen};

/// Open the laboratory in a browser
///
/// Serves a page with the built-in scenarios, the experiments from the papers and earlier results; an editor that shows
/// problems while you type; and runs that you can watch, pause, step and compare. Nothing is installed, and no network
/// is needed: only browsers on this machine can reach the page, unless --listen is given. Ends on Ctrl-C.
/// docs/serve.md describes the page, its limits and its security.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// The port [default: 8642, or the next free one]
    #[arg(long, value_name = "N")]
    port: Option<u16>,

    /// Listen on this address instead of 127.0.0.1. Browsers on other machines then need the token that is printed
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), hide_default_value = true)]
    listen: IpAddr,

    /// Open the page in a browser
    #[arg(long)]
    open: bool,

    /// The folder with earlier results
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,

    /// Show a lecture: a file, or the name of a built-in lecture [default: qcn]. Arrow keys turn to the next and the
    /// previous step; docs/lectures.md describes the format
    #[arg(long, value_name = "FILE|NAME", num_args = 0..=1, default_missing_value = "qcn")]
    lecture: Option<PathBuf>,

    /// The memory that all runs together may need; further runs wait, and a run that needs more than this on its own is
    /// refused
    #[arg(long, value_name = "SIZE", default_value = "450MB")]
    memory: Bytes,

    /// Number of concurrent runs; further runs wait
    #[arg(long, value_name = "N", default_value = "24", value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
}

impl Serve {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let limits = Limits { memory: self.memory, runs: self.runs as usize, ..Limits::default() };
        let (lecture, fragment) = match &self.lecture {
            Some(name) => opened(name)?,
            None => (None, String::new()),
        };
        let settings =
            Settings { address: self.listen, port: self.port, results: self.results, lecture, limits };
        let server = Server::bind(settings).map_err(failure)?;
        interrupt::serve();
        let url = server.url() + &fragment;
        let screen = Screen::of_stdout();
        let mut facts = Facts::new();
        facts.add("page", [screen.paint.link(&url)]);
        if server.asks_for_token() {
            facts.add_text(
                "note",
                "other machines can open this address; anyone who knows its token can run scenarios on this \
                 machine, and links to single views ask for the token once"
                    .to_owned(),
            );
        }
        terminal::print(&facts.render(screen))?;
        print_line("Ctrl-C stops it");
        if self.open {
            browser::open(&url);
        }
        server.run(interrupt::requested).map_err(failure)
    }
}

/// The lecture in a file, and the fragment of its address. If there is no such file, the name is that of a built-in
/// lecture.
fn opened(name: &Path) -> Result<(Option<Lecture>, String), Failure> {
    let is_built_in = !name.exists() && name.to_str() == Some(Lecture::built_in().id());
    let lecture = match is_built_in {
        true => None,
        false => Some(Lecture::read(name).map_err(|error| Failure::Usage(error.to_string()))?),
    };
    let id = lecture.as_ref().unwrap_or(Lecture::built_in()).id();
    let fragment = format!("#/lecture/{id}");
    Ok((lecture, fragment))
}

fn failure(error: ServeError) -> Failure {
    match error {
        ServeError::Listen { .. } => Failure::Usage(error.to_string()),
        error => Failure::Run(error.to_string()),
    }
}
