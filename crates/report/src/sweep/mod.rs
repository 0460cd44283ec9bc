//! The page of a sweep, which compares its variants.
//!
//! The three or four most important metrics come first (`lead`); the others are collapsed. With one axis, every metric
//! is drawn as a line (or as bars if the values are text); with two, as a heat map; with three, as a row of heat maps
//! with a common scale. With more axes, or if the variants are not all combinations of the axes' values, the page has
//! only the table of all variants. Axes with a single value do not count.
//!
//! If a sweep has messages of several sizes, its page begins with curves of slowdown by message size (`slowdown`).
//!
//! The page is derived from `sweep.json` alone, so a sweep that was interrupted and resumed has the same page.

mod axes;
mod description;
mod differences;
mod figures;
mod lead;
mod lines;
mod maps;
mod scale;
mod slowdown;
mod table;

use setpoint_lab::sweep::{SweepSummary, VariantSummary};
use setpoint_record::catalogue::Metric;
use setpoint_record::results::Bounded;

pub(crate) use self::axes::{labels as key_headings, unit_of};
pub(crate) use self::differences::{POINTS, compared, why_no_interval};
pub(crate) use self::lines::vertical;
pub(crate) use self::scale::scale;
pub(crate) use self::table::absent;

use self::axes::{Grid, SweptAxis};
use self::maps::Arrangement;
use crate::document::{Block, Document, Section};
use crate::warnings;
use crate::words::listed;
use setpoint_plot::text::in_sentence;
use setpoint_plot::{Figure, HeatMap};

/// Maximum number of failures listed.
const MOST_FAILURES: usize = 50;

/// The page of a sweep, or of a run with several seeds.
pub fn sweep(summary: &SweepSummary) -> Document {
    let mut page = Document::new(match summary.axes.is_empty() {
        true => format!("Seeds of {}", summary.scenario),
        false => format!("Sweep of {}", summary.scenario),
    });
    let axes = axes::axes(summary);
    page.description = description::description(summary, &axes);
    page.facts = description::facts(summary);
    let (differing, same) = figures::sorted(summary);
    let sections: Vec<Section> = match &summary.variants[..] {
        [variant] if summary.axes.is_empty() => {
            let figures = figures::all(summary);
            let mut section =
                Section::new("figures", "Figures").with(Block::Table(table::over_seeds(variant, &figures)));
            let why = why_no_interval(variant.runs.len());
            section.blocks.extend((!why.is_empty()).then(|| Block::Note(why.to_owned())));
            let mut seeds = Section::new("seeds", "Seed by seed");
            seeds.blocks.extend(by_seed(variant, &figures));
            let slowdown = slowdown::section(summary, &axes);
            let seeds = seeds.with(Block::Table(table::seeds(variant, &figures)));
            [section].into_iter().chain(slowdown).chain([seeds]).collect()
        }
        _ => {
            let comparison = [comparison(summary, &differing, &same)];
            let slowdown = slowdown::section(summary, &axes);
            let variants = [variants(summary, &axes, &differing)];
            let differences = differences::section(summary, &axes, &differing);
            // If there are messages, their slowdown matters most.
            slowdown.into_iter().chain(comparison).chain(variants).chain(differences).collect()
        }
    };
    let swept = Section::new("swept", "Axes").with(Block::Table(table::swept(&axes)));
    let warnings = warnings::section(&summary.warnings, summary.variants.len(), "variants");
    let all = warnings.into_iter().chain(sections).chain(failures(summary));
    let all = all.chain([meanings(&figures::all(summary))]).chain((!axes.is_empty()).then_some(swept));
    page.sections = all.collect();
    page
}

/// The leading metrics that differ between the seeds of a single variant, drawn by seed.
fn by_seed(variant: &VariantSummary, figures: &[&'static Metric]) -> Option<Block> {
    let differs = |metric: &&&Metric| {
        variant.spread(metric).and_then(|spread| spread.deviation).is_some_and(|deviation| deviation > 0.0)
    };
    let differing: Vec<&'static Metric> = figures.iter().filter(differs).copied().collect();
    let (leading, _) = lead::split(&differing, std::slice::from_ref(variant));
    let drawn: Vec<Figure> =
        leading.into_iter().filter_map(|(figure, _)| lines::by_seed(variant, figure)).collect();
    (!drawn.is_empty()).then_some(Block::Figures(drawn))
}

/// The metrics in which variants differ, drawn according to the number of axes.
fn comparison(
    summary: &SweepSummary,
    differing: &[&'static Metric],
    same: &[(&'static Metric, f64)],
) -> Section {
    let mut section = Section::new("comparison", "Comparison");
    let drawn = drawings(summary, differing);
    if !drawn.is_empty() {
        section.blocks.extend(drawn);
    } else if !differing.is_empty() {
        section = section.with(Block::Prose(NOT_DRAWN.to_owned()));
    }
    let values: Vec<String> = same
        .iter()
        .map(|&(figure, value)| {
            let mut spreads = summary.variants.iter().filter_map(|variant| variant.spread(figure));
            let is_lower_bound = spreads.any(|spread| spread.is_lower_bound);
            let text = figure.unit.bounded_text(Bounded { value, is_lower_bound });
            format!("{} {text}", in_sentence(figure.title))
        })
        .collect();
    if !values.is_empty() {
        section = section.with(Block::Note(format!("The same in all variants: {}.", values.join(", "))));
    }
    section
}

const NOT_DRAWN: &str = "Plots need one to three axes whose values form a grid of at most 2000 variants; see the table \
                         below.";

/// The leading metrics, the rule for their scales, and the other metrics, collapsed; empty if there is no grid.
fn drawings(summary: &SweepSummary, differing: &[&'static Metric]) -> Vec<Block> {
    let Some(grid) = Grid::of(summary).filter(|_| maps::fits(summary) && !differing.is_empty()) else {
        return Vec::new();
    };
    let Some(shape) = Shape::of(&grid) else { return Vec::new() };
    let (leading, rest) = lead::split(differing, &summary.variants);
    let room = maps::most(summary).saturating_sub(leading.len());
    let (rest, left_out) = rest.split_at(rest.len().min(room));
    let mut blocks = vec![shape.block(&grid, &leading)];
    blocks.extend(shape.rules(&grid));
    if !rest.is_empty() {
        let unexplained: Vec<(&'static Metric, &str)> = rest.iter().map(|figure| (*figure, "")).collect();
        let summary = match rest.len() {
            1 => "One more figure".to_owned(),
            several => format!("{several} more figures"),
        };
        blocks.push(Block::More { summary, blocks: vec![shape.block(&grid, &unexplained)] });
    }
    if !left_out.is_empty() {
        let titles: Vec<String> = left_out.iter().map(|figure| in_sentence(figure.title)).collect();
        blocks.push(Block::Note(format!(
            "Not drawn, to keep the page small: {}; sweep.csv contains them.",
            listed(&titles)
        )));
    }
    blocks
}

/// How a grid is drawn.
enum Shape {
    /// A line or bars over one axis.
    Lines,
    /// A map over two axes, in panels if there is a third.
    Maps(Arrangement),
}

impl Shape {
    fn of(grid: &Grid<'_>) -> Option<Self> {
        match &grid.axes[..] {
            [_] => Some(Self::Lines),
            axes => Arrangement::of(axes).map(Self::Maps),
        }
    }

    /// How to read the plots; nothing for bars, which start at zero.
    fn rules(&self, grid: &Grid<'_>) -> Option<Block> {
        let rules = match self {
            Self::Lines if grid.axes[0].numbers.is_none() => return None,
            Self::Lines => scale::RULE.to_owned(),
            Self::Maps(_) => format!("{} {}", scale::RULE, scale::COLOURS),
        };
        Some(Block::Note(rules))
    }

    /// Some metrics, each with the reason why it is shown.
    fn block(&self, grid: &Grid<'_>, figures: &[(&'static Metric, &str)]) -> Block {
        let joined = |why: &str, note: &str| [why, note].join(" ").trim().to_owned();
        match self {
            Self::Lines => Block::Figures(
                figures
                    .iter()
                    .map(|(figure, why)| {
                        let drawn = lines::figure(grid, &grid.axes[0], figure);
                        Figure { note: joined(why, &drawn.note), ..drawn }
                    })
                    .collect(),
            ),
            Self::Maps(arrangement) => Block::HeatMaps(
                figures
                    .iter()
                    .map(|(figure, why)| {
                        let drawn = maps::map(grid, *arrangement, figure);
                        HeatMap { note: joined(why, &drawn.note), ..drawn }
                    })
                    .collect(),
            ),
        }
    }
}

fn variants(summary: &SweepSummary, axes: &[SweptAxis], differing: &[&'static Metric]) -> Section {
    let mut section = Section::new("variants", "Variants");
    section.blocks = table::variants(summary, axes, differing);
    let seeds = summary.variants.iter().map(|variant| variant.runs.len()).max().unwrap_or(0);
    section = section.with(Block::Note(match why_no_interval(seeds) {
        "" => "Mean ± 95 % confidence interval over seeds.".to_owned(),
        why => why.to_owned(),
    }));
    let most = table::most_rows(axes.len() + differing.len());
    if summary.variants.len() > most {
        let more = summary.variants.len() - most;
        section = section.with(Block::Note(format!("{more} further variants are in sweep.csv.")));
    }
    section
}

fn failures(summary: &SweepSummary) -> Option<Section> {
    let line = |(run, error): (&setpoint_lab::sweep::RunSummary, &str)| format!("{}: {error}", run.folder);
    let mut points: Vec<String> = summary.failures().take(MOST_FAILURES).map(line).collect();
    let more = summary.failures().count() - points.len();
    if more > 0 {
        points.push(format!("… and {more} more in sweep.json."));
    }
    (!points.is_empty()).then(|| Section::new("failures", "Failed runs").with(Block::Points(points)))
}

fn meanings(figures: &[&'static Metric]) -> Section {
    let meaning = |metric: &&Metric| format!("{}: {}", metric.title, metric.meaning());
    Section::new("meanings", "Definitions").with(Block::Points(figures.iter().map(meaning).collect()))
}
