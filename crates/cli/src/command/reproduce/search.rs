//! `setpoint reproduce PAPER --search`: searches for the readings of a paper that explain the most claims.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use setpoint_lab::shard::Shard;
use setpoint_papers::{
    Depth, Experiment, Folder, FolderError, Paper, Phase, ReproduceError, Scores, Search, ShardFolder,
};

use super::Reproduce;
use crate::command::shards::{COLLECT, Part, ShardFacts, Source};
use crate::command::stopping::{RESUMABLE, missing};
use crate::failure::{Failure, print_line};
use crate::interrupt;
use crate::progress::{SweepProgress, Visibility};
use crate::terminal::{self, Column, Facts, Screen, Table, Unit, quantity};

/// Minimum time between two writes of the records while runs finish. They are also written at the end.
const INTERVAL: Duration = Duration::from_secs(2);
/// The message for a search that was stopped.
const RESUMES: &str = "stopped; run the same command again to continue the search";
/// The number of set-ups in the table.
const BEST: usize = 8;

/// Searches over each of the chosen papers, one after another.
pub(super) fn search(command: &Reproduce, papers: &[Paper]) -> Result<(), Failure> {
    let is_no_paper = |name: &&String| papers.iter().all(|paper| paper.id != **name);
    if let Some(name) = command.names.iter().find(is_no_paper) {
        let paper = name.split('/').next().unwrap_or(name);
        let message = format!("a search covers a whole paper: use `setpoint reproduce {paper} --search`");
        return Err(Failure::Usage(message));
    }
    let is_chosen =
        |paper: &&Paper| command.names.is_empty() || command.names.iter().any(|name| name == paper.id);
    let chosen = papers.iter().filter(is_chosen);
    match command.shards.part() {
        Part::Shard(shard) => {
            command.check_shard()?;
            chosen.into_iter().try_for_each(|paper| score_shard(command, papers, paper, shard))
        }
        Part::Whole(source) => chosen.into_iter().try_for_each(|paper| one(command, papers, paper, source)),
    }
}

/// Scores the set-ups of a shard, and stores the records as they come in.
fn score_shard(command: &Reproduce, papers: &[Paper], paper: &Paper, shard: Shard) -> Result<(), Failure> {
    let folder = ShardFolder::join(&command.out, papers, &[], shard)?;
    let experiments: Vec<&Experiment> = paper.experiments.iter().collect();
    // The records of the other shards are read again before each stage.
    let read =
        || Ok::<_, Failure>(Search::new(paper, &experiments, Depth::Full, folder.search_records(paper)?));
    interrupt::set_stop_message(RESUMES.to_owned());
    let (began, mut search) = (Instant::now(), read()?);
    let found = search.records_of(shard).len();
    while let Some(phase) = search.next_of(shard) {
        let before = search.records_of(shard).len();
        let put = || folder.put_search_records(paper, &search.records_of(shard));
        let ended = run(command, &phase, &put);
        put()?;
        ended?;
        if search.records_of(shard).len() == before {
            return Err(not_judged(paper));
        }
        search = read()?;
    }
    if !command.quiet {
        let (own, unscored) = (search.records_of(shard).len(), search.unscored().len());
        let done = (own, search.records().len() + unscored);
        let next = match unscored {
            0 => COLLECT,
            _ => {
                "when all shards have ended, run the same command again: the remaining set-ups need the results of all shards"
            }
        };
        let (folder, took) = (command.out.as_path(), began.elapsed());
        ShardFacts { shard, what: "set-ups", done, found, failed: 0, took, folder, next }.print()?;
    }
    Ok(())
}

/// The error for a search in which runs failed.
fn not_judged(paper: &Paper) -> Failure {
    Failure::Run(format!("not every set-up of {} could be judged", paper.id))
}

fn one(command: &Reproduce, papers: &[Paper], paper: &Paper, source: Source) -> Result<(), Failure> {
    let folder = Folder::open_for_search(&command.out, papers, paper)?;
    let experiments: Vec<&Experiment> = paper.experiments.iter().collect();
    let mut known = folder.search_records(paper)?;
    known.extend(folder.noted_search_records(paper));
    let search = Search::new(paper, &experiments, Depth::Full, known);
    interrupt::set_stop_message(RESUMES.to_owned());
    let started = Instant::now();
    let put = || folder.put_search_records(&search);
    let scored = match source {
        Source::Runs => Ok(()),
        Source::Shards => all_scored(command, &search),
    };
    let ended = scored.and_then(|()| stages(command, &search, &put));
    put()?;
    folder.forget_search(paper);
    ended?;
    let page = search.page(folder.listed());
    let (Some(scores), Some(page), Some(summary)) = (search.scores(), page, search.summary()) else {
        return Err(not_judged(paper));
    };
    folder.put_search(paper, &page, &summary)?;
    print(command, &search, &scores, &folder, started.elapsed())
}

/// Executes the missing runs, stage by stage.
fn stages(
    command: &Reproduce,
    search: &Search<'_>,
    put: &(dyn Fn() -> Result<(), FolderError> + Sync),
) -> Result<(), Failure> {
    while let Some(phase) = search.next() {
        let before = search.records().len();
        if !command.quiet {
            print_line(&format!("{}: {}", search.paper().id, phase.stage().words()));
        }
        run(command, &phase, put)?;
        if search.records().len() == before {
            return Err(not_judged(search.paper()));
        }
    }
    Ok(())
}

/// Checks that shards have scored every set-up.
fn all_scored(command: &Reproduce, search: &Search<'_>) -> Result<(), Failure> {
    let names: Vec<(String, Option<String>)> =
        search.unscored().into_iter().map(|name| (name, None)).collect();
    match names.is_empty() {
        true => Ok(()),
        false => {
            let all = search.records().len() + names.len();
            Err(Failure::Run(missing("set-ups", &names, all, &command.out) + RESUMABLE))
        }
    }
}

/// Executes the missing runs of a phase and stores the records as they come in.
fn run(
    command: &Reproduce,
    phase: &Phase<'_, '_>,
    put: &(dyn Fn() -> Result<(), FolderError> + Sync),
) -> Result<(), Failure> {
    let progress = SweepProgress::new(phase.runs(), Visibility::unless_quiet(command.quiet));
    let written = Mutex::new(Instant::now());
    let added = || {
        let Ok(mut written) = written.try_lock() else { return };
        if written.elapsed() >= INTERVAL {
            // A failure is reported when the records are written at the end.
            drop(put());
            *written = Instant::now();
        }
    };
    let ended = phase.run(command.threads, &progress, &added);
    progress.finish();
    ended.map_err(|error| match error {
        ReproduceError::Threads(error) => Failure::Run(error.to_string()),
        ReproduceError::Stopped { .. } => Failure::Interrupted(RESUMES.to_owned()),
    })
}

fn print(
    command: &Reproduce,
    search: &Search<'_>,
    scores: &Scores<'_>,
    folder: &Folder<'_>,
    took: Duration,
) -> Result<(), Failure> {
    if command.json {
        let line = |(setup, score): (&setpoint_papers::Setup, usize)| {
            let options: serde_json::Map<String, serde_json::Value> = setup
                .options()
                .map(|(choice, option)| (choice.name.to_owned(), option.name.into()))
                .collect();
            let line = serde_json::json!({
                "paper": search.paper().id, "setup": options, "leads": setup.leads(), "holds": score,
                "confirmed": scores.confirmed(setup), "claims": scores.claims().len(),
            });
            line.to_string() + "\n"
        };
        terminal::print(&scores.ranking().into_iter().map(line).collect::<String>())?;
    } else if !command.quiet {
        terminal::print(&render(search, scores, folder, took))?;
    }
    Ok(())
}

fn render(search: &Search<'_>, scores: &Scores<'_>, folder: &Folder<'_>, took: Duration) -> String {
    let screen = Screen::of_stdout();
    let columns = [Column::figures("claims", 0), Column::figures("confirmed", 0), Column::words("set-up", 0)];
    let mut table = Table::new(columns.to_vec());
    let ranking = scores.ranking();
    let leading = ranking.iter().position(|(setup, _)| setup.leads());
    for place in (0..ranking.len()).filter(|place| *place < BEST || Some(*place) == leading) {
        let (setup, score) = ranking[place];
        let confirmed = scores.confirmed(setup).map_or_else(|| "-".to_owned(), |count| count.to_string());
        table.row([score.to_string(), confirmed, setup.words()]);
    }
    let never = scores.by_claim().iter().filter(|claim| claim.holds_in == 0).count();
    let mut facts = Facts::new();
    facts.add_text("claims", format!("{} of the paper; {never} hold in no set-up", scores.claims().len()));
    let possible = (search.possible() > scores.count())
        .then(|| format!("combinations of options that matter, out of {} in total", search.possible()));
    facts.add("set-ups", [Some(scores.count().to_string()), possible].into_iter().flatten());
    facts.add_text("took", quantity(Unit::Seconds, took.as_secs_f64()));
    let page = folder.search_page(search.paper()).display().to_string();
    facts.add_text("page", screen.paint.link(&page));
    format!("{}\n{}", table.render(screen).0, facts.render(screen))
}
