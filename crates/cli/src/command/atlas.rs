//! `setpoint atlas`: where QCN and DCQCN are stable, over flows, delay and speed.

use std::fs;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use setpoint_lab::shard::Shard;
use setpoint_lab::store::{Collection, Destination, Kind};
use setpoint_lab::theory::atlas::{
    AtlasCell, AtlasOptions, AtlasRecord, AtlasScheme, Stability, Verdict, atlas, collect_atlas,
    points_of_atlas, run_atlas_points,
};
use setpoint_lab::theory::{self, Finding, Origin, TheoryError, forget_points, join};
use setpoint_units::{Bytes, Rate, TimeDelta};

use super::output::Output;
use super::shards::{COLLECT, Part, ShardFacts, Shards, Source};
use super::stopping::{BY_SHARDS, missing};
use super::sweep::threads;
use super::theory::{failure, page};
use crate::failure::Failure;
use crate::folder::beside;
use crate::interrupt;
use crate::progress::SweepProgress;
use crate::terminal::{self, Column, Facts, Screen, Table, Unit, count, quantity};

/// Map where QCN and every profile of DCQCN are stable
///
/// For every algorithm, speed and number of flows, the atlas shows the longest delay of the network at which the control loop is
/// stable (computed exactly from the fluid model), the rates, the queue and the marking probability at the equilibrium, and the
/// settling time. With --packets, networks on both sides of the boundary are also simulated, and networks without a model at two
/// delays; each simulation is classified as stable, oscillating or unclear. An atlas that was stopped continues when the same command is run again; with --shard,
/// several processes or machines share the simulations.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Atlas {
    /// Algorithms: qcn, and profiles of DCQCN [default: qcn and all profiles]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = scheme)]
    algorithms: Vec<AtlasScheme>,

    /// Speeds of the link and of the senders' ports, as the names of presets
    #[arg(long, value_name = "SPEEDS", value_delimiter = ',', value_parser = speed, default_value = "10G,25G,40G,100G,200G,400G,800G")]
    speeds: Vec<Rate>,

    /// Numbers of flows
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=10_000), default_value = "2,4,8,16,32,64,128,256")]
    flows: Vec<u32>,

    /// Delay of the network at which settling times are computed
    #[arg(long, value_name = "TIME", default_value = "10us")]
    delay: TimeDelta,

    /// Buffer that the queue must fit into
    #[arg(long, value_name = "SIZE", default_value = "64MB")]
    buffer: Bytes,

    /// Also simulate packets with this number of flows, a multiple of four, at a third and at three times the longest stable
    /// delay; without a model, at --delay and at ten times --delay
    #[arg(long, value_name = "FLOWS", num_args = 0..=1, default_missing_value = "16", value_parser = packets)]
    packets: Option<u32>,

    /// Limit each packet simulation to the time in which the link can send this many frames
    #[arg(long, value_name = "N", default_value = "2000000", requires = "packets", value_parser = clap::value_parser!(u64).range(1_000..=1_000_000_000))]
    frames: u64,

    /// Seed of the packet simulations
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// Threads to use [default: one per core]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<NonZeroUsize>,

    #[command(flatten)]
    shards: Shards,

    /// Folder for the result
    #[arg(long, short, value_name = "DIR", default_value = "results/atlas")]
    out: PathBuf,

    #[command(flatten)]
    output: Output,
}

const EXAMPLES: &str = "\
Examples:
  setpoint atlas
  setpoint atlas --algorithms qcn,paper,hpcc --speeds 25G,100G --flows 2,4,8,16,32
  setpoint atlas --packets --svg --out results/atlas-packets";

/// Parses the name of an algorithm.
fn scheme(text: &str) -> Result<AtlasScheme, String> {
    let all = AtlasScheme::all();
    let short = |scheme: &AtlasScheme| match scheme {
        AtlasScheme::Qcn => "qcn",
        AtlasScheme::Dcqcn(profile) => profile,
    };
    let names = || all.iter().map(short).collect::<Vec<_>>().join(", ");
    all.iter()
        .find(|scheme| short(scheme) == text)
        .cloned()
        .ok_or_else(|| format!("expected one of {}", names()))
}

/// Parses the name of a preset.
fn speed(text: &str) -> Result<Rate, String> {
    const NAMES: [u64; 9] = [1, 10, 25, 40, 50, 100, 200, 400, 800];
    let known = NAMES.into_iter().find(|speed| text == format!("{speed}G"));
    known
        .map(Rate::from_gbps)
        .ok_or_else(|| "expected one of 1G, 10G, 25G, 40G, 50G, 100G, 200G, 400G, 800G".to_owned())
}

/// Parses the number of flows in packet simulations.
fn packets(text: &str) -> Result<u32, String> {
    let flows =
        text.parse().ok().filter(|flows: &u32| *flows >= 8 && flows.is_multiple_of(4) && *flows <= 1_000);
    flows.ok_or_else(|| "expected a multiple of four from 8 to 1000: a network with a quarter of the flows is simulated too".to_owned())
}

impl Atlas {
    pub(crate) fn execute(self) -> Result<(), Failure> {
        self.output.plots.check()?;
        let options = self.options();
        match self.shards.part() {
            Part::Whole(source) => self.whole(&options, source),
            Part::Shard(shard) => self.shard(&options, shard),
        }
    }

    fn options(&self) -> AtlasOptions {
        let all = if self.algorithms.is_empty() { AtlasScheme::all() } else { self.algorithms.clone() };
        let (mut speeds, mut flows) = (self.speeds.clone(), self.flows.clone());
        speeds.sort_unstable();
        speeds.dedup();
        flows.sort_unstable();
        flows.dedup();
        AtlasOptions {
            schemes: all,
            speeds,
            flows,
            delay: self.delay,
            buffer: self.buffer,
            packets: self.packets,
            most_frames: self.frames,
            seed: self.seed,
            threads: self.threads,
        }
    }

    /// Computes the atlas, and simulates packets unless shards have already done so.
    fn whole(&self, options: &AtlasOptions, source: Source) -> Result<(), Failure> {
        let began = Instant::now();
        let place = theory::open(&self.out)?;
        if self.packets.is_none() {
            let progress = SweepProgress::new(0, self.output.visibility());
            let found = atlas(options, &progress);
            progress.finish();
            return self.store(&found.map_err(|error| failure(error, "atlas"))?, place, began);
        }
        let folder = notes(&self.out);
        let runs = points_of_atlas(options, everything());
        let progress = SweepProgress::new(runs, self.output.visibility());
        if source == Source::Runs {
            interrupt::set_stop_message("stopped; the simulations that are done are kept".to_owned());
            let noted = join(&folder, everything())?;
            run_atlas_points(options, everything(), &noted, &progress).map_err(resumed)?;
        }
        let noted = Collection::open(&folder, Kind::Theory, &[])?;
        let found = collect_atlas(options, noted.place(), &progress);
        progress.finish();
        let record = found.map_err(|error| match error {
            TheoryError::Missing { missing: names, runs } => {
                let names: Vec<_> = names.into_iter().map(|name| (name, None)).collect();
                Failure::Run(missing("points", &names, runs, &folder) + BY_SHARDS)
            }
            error => failure(error, "atlas"),
        })?;
        self.store(&record, place, began)?;
        forget_points(noted.place());
        drop(noted);
        // Files that this program did not write are kept.
        let _ = fs::remove_dir(&folder);
        Ok(())
    }

    /// Simulates the points of a shard.
    fn shard(&self, options: &AtlasOptions, shard: Shard) -> Result<(), Failure> {
        if self.packets.is_none() {
            let message = "there are no runs to share: shards only simulate packets, which needs `--packets`";
            return Err(Failure::Usage(message.to_owned()));
        }
        self.output.check_shard()?;
        let folder = notes(&self.out);
        let place = join(&folder, shard)?;
        interrupt::set_stop_message("stopped; the points that are done are kept".to_owned());
        let progress = SweepProgress::new(points_of_atlas(options, shard), self.output.visibility());
        let ended = run_atlas_points(options, shard, &place, &progress);
        let (took, found) = progress.finish();
        let end = ended.map_err(resumed)?;
        if self.output.quiet {
            return Ok(());
        }
        let done = (end.runs, points_of_atlas(options, everything()));
        let failed = end.failed;
        ShardFacts { shard, what: "points", done, found, failed, took, folder: &folder, next: COLLECT }
            .print()
    }

    fn store(&self, record: &AtlasRecord, place: Destination, began: Instant) -> Result<(), Failure> {
        let finding = Finding::Atlas(record);
        let (html, plots) = self.output.files(&page(&finding))?;
        let origin = Origin::without_scenario(self.seed, self.settings());
        theory::write(&finding, &origin, html.as_deref(), &plots, place)?;
        if self.output.json {
            return Ok(terminal::print(&finding.json())?);
        }
        if self.output.quiet {
            return Ok(());
        }
        let screen = Screen::of_stdout();
        let mut facts = Facts::new();
        facts.add_text("found", format!("in {}", quantity(Unit::Seconds, began.elapsed().as_secs_f64())));
        for scheme in record.schemes.iter().filter(|scheme| scheme.model.is_none()) {
            if let Some(verdicts) = verdicts(record, &scheme.name) {
                facts.add_text(&scheme.name, verdicts);
            }
        }
        facts.add("result", [screen.paint.link(&self.out.display().to_string())]);
        self.output.add_places(&mut facts, &self.out, &finding.page_file(), screen);
        Ok(terminal::print(&format!("{}\n{}", table(record).render(screen).0, facts.render(screen)))?)
    }

    /// The options that determine the result.
    fn settings(&self) -> Vec<(String, String)> {
        let options = self.options();
        let join = |texts: Vec<String>| texts.join(",");
        let mut settings = vec![
            ("algorithms".to_owned(), join(options.schemes.iter().map(AtlasScheme::name).collect())),
            ("speeds".to_owned(), join(options.speeds.iter().map(ToString::to_string).collect())),
            ("flows".to_owned(), join(options.flows.iter().map(ToString::to_string).collect())),
            ("delay".to_owned(), options.delay.to_string()),
            ("buffer".to_owned(), options.buffer.to_string()),
        ];
        if let Some(flows) = options.packets {
            settings.push(("packets".to_owned(), flows.to_string()));
            settings.push(("frames".to_owned(), options.most_frames.to_string()));
        }
        settings
    }
}

/// A shard that contains the whole batch.
fn everything() -> Shard {
    Shard::taking(0, NonZeroU32::MIN)
}

fn resumed(error: TheoryError) -> Failure {
    match error {
        TheoryError::Stopped { .. } => Failure::Interrupted(format!(
            "{error}; completed ones are kept, and the same command resumes from there"
        )),
        error => failure(error, "atlas"),
    }
}

/// The folder that holds the results of simulations until the atlas is complete.
fn notes(folder: &Path) -> PathBuf {
    beside(folder, "-shards")
}

/// One row for each algorithm: its networks by stability, and its packet simulations by verdict.
fn table(record: &AtlasRecord) -> Table {
    let mut columns = vec![
        Column::words("", 0),
        Column::figures("stable", 0),
        Column::figures("unstable", 0),
        Column::figures("no equilibrium", 0),
        Column::figures("longest stable delay", 1),
    ];
    let simulated = !record.packets.is_empty();
    if simulated {
        columns.extend([
            Column::figures("packets agree", 1),
            Column::figures("differ", 1),
            Column::figures("unclear", 1),
        ]);
    }
    let mut table = Table::new(columns);
    for scheme in &record.schemes {
        let cells: Vec<&AtlasCell> = record.cells.iter().filter(|cell| cell.scheme == scheme.name).collect();
        let of = |is: &dyn Fn(&&&AtlasCell) -> bool| count(cells.iter().filter(is).count() as u64);
        if scheme.model.is_none() {
            let mut row = vec![scheme.name.clone(), "no model".to_owned()];
            row.resize(if simulated { 8 } else { 5 }, String::new());
            table.row(row);
            continue;
        }
        let stable = |cell: &AtlasCell| {
            cell.stability == Stability::Always
                || cell.margin_s.is_some_and(|margin| margin >= record.delay_s)
        };
        let no_loop = |cell: &AtlasCell| cell.stability == Stability::NoLoop;
        let margins = || cells.iter().filter_map(|cell| cell.margin_s);
        let (least, most) = (margins().fold(f64::INFINITY, f64::min), margins().fold(0.0, f64::max));
        let range = match most > 0.0 {
            true => format!("{} to {}", quantity(Unit::Seconds, least), quantity(Unit::Seconds, most)),
            false => "none".to_owned(),
        };
        let mut row = vec![
            scheme.name.clone(),
            of(&|cell| stable(cell)),
            of(&|cell| !stable(cell) && !no_loop(cell)),
            of(&|cell| no_loop(cell)),
            range,
        ];
        if simulated {
            row.extend(agreement(record, &scheme.name));
        }
        table.row(row);
    }
    table
}

/// The numbers of packet simulations that agree with the model, differ from it, and are unclear.
fn agreement(record: &AtlasRecord, scheme: &str) -> [String; 3] {
    let (mut agree, mut differ, mut unclear) = (0, 0, 0);
    for run in record.packets.iter().filter(|run| run.scheme == scheme) {
        match (run.verdict, run.model_is_stable) {
            (Verdict::Unclear, _) => unclear += 1,
            (Verdict::Stable, Some(true)) | (Verdict::Oscillates, Some(false)) => agree += 1,
            _ => differ += 1,
        }
    }
    [agree, differ, unclear].map(count)
}

/// The packet simulations of an algorithm without a model, if there are any.
fn verdicts(record: &AtlasRecord, scheme: &str) -> Option<String> {
    let runs = || record.packets.iter().filter(|run| run.scheme == scheme);
    runs().next()?;
    let of = |verdict: Verdict| count(runs().filter(|run| run.verdict == verdict).count() as u64);
    Some(format!(
        "packets: {} stable, {} oscillate, {} unclear",
        of(Verdict::Stable),
        of(Verdict::Oscillates),
        of(Verdict::Unclear)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_name_what_exists() {
        assert_eq!(scheme("hpcc"), Ok(AtlasScheme::Dcqcn("hpcc")));
        assert!(scheme("bcn").unwrap_err().starts_with("expected one of qcn, paper"));
        assert_eq!(speed("100G"), Ok(Rate::from_gbps(100)));
        assert!(speed("30G").is_err());
        assert_eq!(packets("16"), Ok(16));
        assert!(packets("6").is_err() && packets("0").is_err());
    }
}
