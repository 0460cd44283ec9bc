//! `setpoint site`: a folder of static web pages.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use setpoint_lab::store::{open_site, write_site};
use setpoint_papers::{ClaimRecord, Depth, papers, stored_verdicts};
use setpoint_serve::{Engine, static_page};
use setpoint_site::{Extras, Site};

use super::league;
use crate::browser;
use crate::failure::Failure;
use crate::terminal::{self, Facts, Screen, Unit, quantity, things};

/// The page of an atlas.
const ATLAS: &str = "atlas.html";
/// The records of reproduced experiments.
const VERDICTS: &str = "verdicts.jsonl";

/// Write the documentation and the verdicts on papers as a static web site
///
/// Writes a folder of web pages: the documentation as a book, the verdicts on all reproduced experiments, and a search that needs
/// no server. The pages load nothing from elsewhere and contain only relative links, so the folder works at any address of any file
/// server, or opened as files. An older site in the folder is replaced, unless a file in it has been edited. docs/site.md
/// describes the site.
#[derive(Debug, Args)]
pub(crate) struct WriteSite {
    /// Folder for the site
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Add the pages that `reproduce`, `league` or `atlas` wrote into this folder; may be given several times
    #[arg(long, value_name = "RESULTS")]
    include: Vec<PathBuf>,

    /// Add the laboratory, which runs scenarios in the browser; the folder contains the engine that `./site` builds
    #[arg(long, value_name = "ENGINE")]
    engine: Option<PathBuf>,

    /// Open the first page in a browser
    #[arg(long)]
    open: bool,
}

impl WriteSite {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let mut extras = Extras::default();
        self.include.iter().try_for_each(|folder| include(folder, &mut extras))?;
        if let Some(folder) = &self.engine {
            extras.laboratory = static_page(engine(folder)?, &extras.beside_laboratory());
        }
        let place = open_site(&self.folder)?;
        let site = Site::new(&extras).map_err(|error| Failure::Run(error.to_string()))?;
        let (files, bytes) =
            site.files().fold((0, 0), |(files, bytes), (_, content)| (files + 1, bytes + content.len()));
        write_site(site.files(), place)?;
        let first = self.folder.join("index.html");
        let screen = Screen::of_stdout();
        let mut facts = Facts::new();
        facts.add("site", [screen.paint.link(&first.display().to_string())]);
        facts.add_text("size", format!("{}, {}", things(files, "file"), quantity(Unit::Bytes, bytes as f64)));
        terminal::print(&facts.render(screen))?;
        if self.open {
            browser::open_file(&first);
        }
        Ok(())
    }
}

/// The engine for browsers in a folder.
fn engine(folder: &Path) -> Result<Engine, Failure> {
    let read = |name: &str| {
        let path = folder.join(name);
        let message = |error| {
            format!("cannot read {}: {error}; `./site` in the repository builds the engine", path.display())
        };
        fs::read(&path).map_err(|error| Failure::Usage(message(error)))
    };
    Ok(Engine { wasm: read("engine.wasm")?, script: read("engine.js")? })
}

/// Reads the pages in a folder that another command wrote.
fn include(folder: &Path, extras: &mut Extras) -> Result<(), Failure> {
    let found = [league::PAGE, ATLAS, VERDICTS].map(|name| folder.join(name));
    let [league, atlas, verdicts] = found.map(|path| path.is_file().then(|| read(&path)).transpose());
    let (league, atlas, verdicts) = (league?, atlas?, verdicts?);
    if league.is_none() && atlas.is_none() && verdicts.is_none() {
        let message = format!("{} contains no pages of `reproduce`, `league` or `atlas`", folder.display());
        return Err(Failure::Usage(message));
    }
    extras.league = league.or(extras.league.take());
    extras.atlas = atlas.or(extras.atlas.take());
    if let Some(lines) = verdicts {
        extras.experiments.extend(experiments(folder, &lines)?);
    }
    Ok(())
}

/// The pages of reproduced experiments. Their runs must be the ones from which the stored verdicts come, since the other pages of
/// the site show those.
fn experiments(folder: &Path, lines: &str) -> Result<Vec<(String, String)>, Failure> {
    let stored: Vec<ClaimRecord> = stored_verdicts().collect();
    let records: Vec<ClaimRecord> =
        lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let papers = papers();
    let mut pages = Vec::new();
    for experiment in papers.iter().flat_map(|paper| &paper.experiments) {
        let path = folder.join(format!("{}.html", experiment.id));
        if !path.is_file() {
            continue;
        }
        let is_stored = |record: &ClaimRecord| {
            let same = |one: &ClaimRecord| {
                (&one.experiment, &one.claim, &one.inputs)
                    == (&record.experiment, &record.claim, &record.inputs)
            };
            record.depth == Depth::Full.name() && stored.iter().any(same)
        };
        let mut own = records.iter().filter(|record| record.experiment == experiment.id).peekable();
        if own.peek().is_none() || !own.all(is_stored) {
            let message = format!(
                "the page of {id} in {} comes from a quick run or another version; run `setpoint reproduce {id}` again",
                folder.display(),
                id = experiment.id
            );
            return Err(Failure::Usage(message));
        }
        pages.push((experiment.id.to_owned(), read(&path)?));
    }
    Ok(pages)
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| Failure::Run(format!("cannot read {}: {error}", path.display())))
}
