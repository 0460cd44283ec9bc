//! `setpoint league`: algorithms on standard scenarios.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use clap::Args;
use setpoint_lab::league::{self, Contestant, Mark, Row, Score, Standing, Verdict};
use setpoint_lab::sweep::{Batch, open};
use setpoint_record::catalogue::Metric;
use setpoint_record::confidence::FEWEST_SEEDS;
use setpoint_scenario::Variant;

use super::percentiles::percentiles;
use super::shards::{self, Part, ShardRuns, Shards, Source};
use super::slurm::{Progress, Slurm, Work, text};
use super::stopping::{kept, stopped};
use super::sweep::{seeds, threads};
use crate::failure::{Failure, Kind};
use crate::interrupt;
use crate::progress::{SweepProgress, Visibility};
use crate::terminal::{self, Column, Facts, Screen, Table, Unit, mean, quantity, things};

/// Compare algorithms on the standard scenarios, with the best and worst marked
///
/// The scenarios are built in (`setpoint list scenarios`, names beginning with league-). Each algorithm runs with its defaults or with a profile, first
/// with PFC, so that no frame is lost, and then without flow control, to show how much loss it prevents by itself. The
/// algorithm none takes part as PFC alone. Every run is
/// stored as soon as it is done, and an interrupted league resumes. league.html shows the tables; league.csv and league.json
/// hold the metrics with their confidence intervals over seeds, and the differences from the baseline.
#[derive(Debug, Args)]
pub(crate) struct League {
    /// Run only these scenarios, with or without the leading `league-` [default: all]
    #[arg(value_name = "SCENARIO")]
    scenarios: Vec<String>,

    /// Run only these algorithms, each with its defaults or, as in `--control qcn,timely:patched,none`, with a profile [default:
    /// all with their defaults, and dcqcn:hpcc-window, timely:patched and powertcp:theta-powertcp]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    control: Vec<Contestant>,

    /// Number of consecutive seeds for each algorithm and scenario
    #[arg(long, value_name = "N", default_value = "5", value_parser = seeds)]
    seeds: NonZeroU32,

    /// Number of threads: one for each concurrent run, or several if there are fewer runs [default: one per core]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<NonZeroUsize>,

    /// The algorithm from which differences are computed [default: qcn, or the first of --control if qcn is not among them]
    #[arg(long, value_name = "NAME")]
    baseline: Option<Contestant>,

    #[command(flatten)]
    shards: Shards,

    #[command(flatten)]
    slurm: Slurm,

    /// Folder for the results
    #[arg(long, short, value_name = "DIR", default_value = "results/league")]
    out: PathBuf,

    /// Print only the metrics as JSON on standard output
    #[arg(long)]
    json: bool,

    /// Print only errors, and the JSON with --json
    #[arg(long, short)]
    quiet: bool,
}

/// The metrics as a table.
const TABLE: &str = "league.csv";
/// The metrics with their spread and marks.
pub(super) const FIGURES: &str = "league.json";
pub(super) const PAGE: &str = "league.html";

impl League {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        let league =
            league::League::of(&self.scenarios, &self.control, self.baseline).map_err(Failure::Usage)?;
        let variants = league.variants()?;
        let runs = variants.len() * self.seeds.get() as usize;
        let batch = Batch { seeds: self.seeds, threads: self.threads };
        let source = match self.shards.part() {
            Part::Whole(_) if self.slurm.is_wanted() => {
                match self.slurm.execute(&self.work(&league, &variants)?)? {
                    Progress::Printed => return Ok(()),
                    Progress::Complete => Source::Shards,
                }
            }
            Part::Whole(source) => source,
            Part::Shard(shard) => {
                let (folder, memory, quiet) = (self.out.as_path(), None, self.quiet);
                return ShardRuns { variants: &variants, batch, folder, memory, quiet }.execute(shard);
            }
        };
        let folder = open(&self.out)?;
        folder.check(&[TABLE, FIGURES, PAGE])?;
        interrupt::set_stop_message(kept(&self.out));
        let progress = SweepProgress::new(runs, Visibility::unless_quiet(self.quiet));
        let ended = shards::summary(source, &folder, &variants, batch, &progress);
        let (took, _) = progress.finish();
        let summary = ended.map_err(|error| stopped(error, &self.out))?;
        let standings = league.standings(&variants, &summary);
        let json = serde_json::to_string_pretty(&standings).expect("standings are plain data") + "\n";
        folder.put(TABLE, league::to_csv(&standings).as_bytes())?;
        folder.put(FIGURES, json.as_bytes())?;
        folder.put(PAGE, setpoint_report::league(&standings).html().as_bytes())?;
        if self.json {
            terminal::print(&json)?;
        } else if !self.quiet {
            let screen = Screen::of_stdout();
            let divisions = standings.chunk_by(|one, other| one.division == other.division);
            let tables: Vec<String> = divisions.map(|standings| division(standings, screen)).collect();
            let how = match source {
                Source::Runs => format!("in {}", quantity(Unit::Seconds, took.as_secs_f64())),
                Source::Shards => "collected from all shards".to_owned(),
            };
            let mut facts = Facts::new();
            facts.add_text(
                "runs",
                format!("{runs} {how}, {} each", things(u64::from(self.seeds.get()), "seed")),
            );
            facts.add_text("marks", marks(self.seeds));
            facts.add_text("tables", self.out.join(PAGE).display().to_string());
            terminal::print(&format!("{}\n{}", tables.join("\n"), facts.render(screen)))?;
        }
        if summary.failures().next().is_some() { Err(Failure::Reported(Kind::Run)) } else { Ok(()) }
    }

    /// The league as commands for Slurm jobs.
    fn work<'a>(&'a self, league: &league::League, variants: &'a [Variant]) -> Result<Work<'a>, Failure> {
        let mut arguments = vec!["league".to_owned()];
        arguments.extend(self.scenarios.iter().cloned());
        let control: Vec<String> = league.algorithms.iter().map(ToString::to_string).collect();
        arguments.push(format!("--control={}", control.join(",")));
        arguments.extend([format!("--seeds={}", self.seeds), format!("--baseline={}", league.baseline)]);
        arguments.push(format!("--out={}", text(&self.out)?));
        Ok(Work {
            variants,
            seeds: self.seeds,
            threads: self.threads,
            folder: &self.out,
            arguments,
            page_arguments: Vec::new(),
            quiet: self.quiet,
        })
    }
}

/// The meaning of the marks, or why there are none.
fn marks(seeds: NonZeroU32) -> String {
    match seeds.get() as usize {
        seeds if seeds < FEWEST_SEEDS => {
            let seeds = things(seeds as u64, "seed");
            format!("none: with {seeds}, it is unknown how much of a difference is due to chance; > lower bound")
        }
        _ => "mean ± 95 % confidence interval; * best and ! worst of a column, shared by algorithms that do not clearly \
              differ on common seeds; > lower bound, never the best"
            .to_owned(),
    }
}

/// The tables of a division, under its title.
fn division(standings: &[Standing], screen: Screen) -> String {
    let Some(division) = standings.first().map(|standing| standing.division) else { return String::new() };
    let title = screen.paint.strong(&division.title().to_uppercase());
    let meaning = terminal::indented(division.meaning(), 0, screen.width);
    let tables: Vec<String> = standings.iter().map(|standing| table(standing, screen)).collect();
    format!("{title}\n{meaning}\n{}", tables.join("\n"))
}

/// The metrics of one scenario, except those without a value for any algorithm.
fn table(standing: &Standing, screen: Screen) -> String {
    let metrics: Vec<&Metric> = standing.disciplines().collect();
    let figures = metrics.iter().map(|metric| Column::figures(metric.header, 1));
    let mut table = Table::new([Column::words("", 0)].into_iter().chain(figures).collect());
    for row in standing.rows.iter().filter(|row| row.runs > 0) {
        let cells = metrics.iter().map(|metric| cell(row, metric));
        table.row(std::iter::once(standing.contestant(&row.algorithm).to_owned()).chain(cells));
    }
    let unclear: Vec<&str> =
        standing.with_verdict(Verdict::NoClearDifference).map(|metric| metric.header).collect();
    let unclear = match unclear.is_empty() {
        true => String::new(),
        false => {
            terminal::indented(&format!("no clear difference in {}", unclear.join(", ")), 0, screen.width)
        }
    };
    let absent: Vec<String> = standing
        .rows
        .iter()
        .filter_map(|row| {
            Some(format!("{}: {}\n", standing.contestant(&row.algorithm), row.trouble.as_ref()?))
        })
        .collect();
    let warnings: Vec<String> =
        standing.warnings().iter().map(|text| terminal::indented(text, 0, screen.width)).collect();
    let title = format!("{} ({})", league::title(&standing.scenario), standing.scenario);
    let title = screen.paint.strong(&title);
    let description = terminal::indented(&standing.description, 0, screen.width);
    let slowdowns = slowdowns(standing, screen);
    let notes = format!("{unclear}{}{}", absent.concat(), warnings.concat());
    format!("{title}\n{description}{}{notes}{slowdowns}", table.render_folded(screen))
}

/// The percentiles of the slowdown by message size; empty without messages.
fn slowdowns(standing: &Standing, screen: Screen) -> String {
    let rows: Vec<(Vec<String>, &Row)> = standing
        .rows
        .iter()
        .filter(|row| row.runs > 0)
        .map(|row| (vec![standing.contestant(&row.algorithm).to_owned()], row))
        .collect();
    percentiles(&[String::new()], &rows, screen, |row, metric| row.score(metric).map(|_| cell(row, metric)))
}

fn cell(row: &Row, metric: &Metric) -> String {
    let Some(Score { spread, mark, .. }) = row.score(metric) else {
        return match () {
            () if row.is_worst_at_settling(metric) => "! never",
            () if row.never_settles(metric) => "never",
            () => "-",
        }
        .to_owned();
    };
    let text = mean(metric, &spread, row.runs);
    let mark = match mark {
        Some(Mark::Best) => "* ",
        Some(Mark::Worst) => "! ",
        None => "",
    };
    format!("{mark}{text}")
}
