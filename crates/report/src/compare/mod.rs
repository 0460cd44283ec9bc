//! The page that compares results: metrics with their differences and, for runs, common axes and overlaid distributions.

mod seeds;

use setpoint_lab::compare::Comparison;
use setpoint_plot::{Axis, Colour, Figure, Line, Mark, Room, Shape};
use setpoint_record::catalogue::{self, Metric, UNKNOWN_DIFFERENCE};
use setpoint_record::results::{Bounded, RunRecord};
use setpoint_units::quantity::{Unit, change_text};

use crate::document::{Block, Cell, Column, Document, Link, Section, Table};
use crate::figures::messages::distribution;
use crate::figures::{self, Subject, port_text};
use crate::slowdown::{self, Curve};
use crate::sweep::{POINTS, why_no_interval};
use crate::words::{capital, listed};

/// Maximum number of pairs of slowdown figures.
const MOST_PAIRS: usize = 8;

/// A run in a comparison.
#[derive(Clone, Debug)]
pub struct ComparedRun<'a> {
    /// Its name in legends and tables.
    pub name: String,
    /// The run.
    pub record: &'a RunRecord,
    /// The address of its report, if there is one.
    pub report: Option<String>,
}

/// The page that compares results. `runs` are the compared runs or, if the results have several seeds, one run of each with
/// the same seed; `runs` is empty for sweeps.
pub fn compare(comparison: &Comparison, runs: &[ComparedRun<'_>]) -> Document {
    let names: Vec<String> = comparison.results.iter().map(|result| result.name.clone()).collect();
    let names = listed(&names);
    let scenario = &comparison.results[0].scenario;
    let mut page =
        Document::new(match comparison.results.iter().all(|result| result.scenario == *scenario) {
            true => format!("{scenario}: {names}"),
            false => format!("Comparison of {names}"),
        });
    page.description = same(runs, |record| &record.manifest.description).cloned().unwrap_or_default();
    page.facts = facts(comparison, runs);
    page = page.section(overview(comparison, runs));
    page.sections.extend(slowdowns(comparison));
    if runs.is_empty() {
        return page;
    }
    let seed = same(runs, |record| &record.manifest.seed).filter(|_| comparison.seeds() > 1);
    let of_seed = seed.map_or_else(String::new, |seed| format!(", seed {seed}"));
    let common = Section::new("together", format!("On common axes{of_seed}"));
    page = page.section(common.with(Block::Figures(together(runs))));
    let rates = Section::new("rates", format!("Rates, side by side{of_seed}"));
    page = page.section(rates.with(Block::Figures(beside(runs))));
    page.section(settings(runs))
}

fn facts(comparison: &Comparison, runs: &[ComparedRun<'_>]) -> Vec<String> {
    let (results, seeds) = (comparison.results.len(), comparison.seeds());
    if seeds == 1 && !runs.is_empty() {
        let seed = same(runs, |record| &record.manifest.seed).map(|seed| format!("seed {seed}"));
        return [format!("{results} runs")].into_iter().chain(seed).collect();
    }
    let several = (comparison.variants.len() > 1).then(|| format!("{} variants", comparison.variants.len()));
    let seeds = if seeds == 1 { "1 seed".to_owned() } else { format!("{seeds} seeds") };
    [format!("{results} results")].into_iter().chain(several).chain([seeds]).collect()
}

/// The metrics of all results, with warnings about differences that may be misleading.
fn overview(comparison: &Comparison, runs: &[ComparedRun<'_>]) -> Section {
    let mut section = Section::new("metrics", "Metrics");
    if !comparison.warnings.is_empty() {
        let sentence = |text: &String| format!("{}.", capital(text));
        section = section.with(Block::Points(comparison.warnings.iter().map(sentence).collect()));
    }
    let seeds = comparison.seeds();
    if seeds == 1 && !runs.is_empty() {
        return section.with(Block::Table(metrics(comparison, runs))).with(Block::Note(format!(
            "Differences are from the first run; those of percentages are in percentage points (pp), the others relative. > marks \
             a lower bound. {}Metrics that no run has are left out. {}",
            queues(comparison),
            why_no_interval(1)
        )));
    }
    section.blocks.extend(seeds::blocks(comparison));
    let why = match why_no_interval(seeds) {
        "" => {
            "Mean ± 95 % confidence interval over seeds; below, the difference from the first result on common seeds, with an \
             interval that is widened for the number of comparisons by the same metric. If this interval contains zero, \
             there is no clear difference. > marks a lower bound."
        }
        why => why,
    };
    section.with(Block::Note(format!("{}{why} {POINTS}", queues(comparison))))
}

/// Names the queues to which metrics of queues and ports refer; empty if no result has one.
fn queues(comparison: &Comparison) -> String {
    let queues = comparison.results.iter().map(|result| (result.name.as_str(), result.queue.as_deref()));
    match named_queues(&queues.collect::<Vec<_>>()) {
        Some(named) => format!("Metrics of queues and ports refer to {named}. "),
        None => String::new(),
    }
}

/// The queue of each result, or of all of them; none if no result has one.
fn named_queues(queues: &[(&str, Option<&str>)]) -> Option<String> {
    let text = |queue: Option<&str>| queue.map_or_else(|| "no common queue".to_owned(), port_text);
    queues.iter().find(|(_, queue)| queue.is_some())?;
    if queues.iter().all(|(_, queue)| *queue == queues[0].1) {
        return Some(text(queues[0].1));
    }
    Some(listed(&queues.iter().map(|(name, queue)| format!("{} ({name})", text(*queue))).collect::<Vec<_>>()))
}

/// Slowdown by message size, with a pair of figures for each variant of a sweep; none without messages.
fn slowdowns(comparison: &Comparison) -> Option<Section> {
    let several = comparison.variants.len() > 1;
    let drawn = comparison.variants.iter().take(MOST_PAIRS).enumerate().map(|(index, variant)| {
        let slowdowns = variant.slowdown_by_size.iter();
        let curves: Vec<Curve<'_>> =
            slowdowns.map(|one| Curve { name: &one.name, sizes: &one.sizes }).collect();
        let values: Vec<&str> = variant.values.iter().map(|(_, value)| value.as_str()).collect();
        slowdown::figures(&curves, several.then_some((index + 1, &values.join(", "))))
    });
    let drawn: Vec<Figure> = drawn.flatten().collect();
    let tables = seeds::percentiles(comparison);
    if drawn.is_empty() && tables.is_empty() {
        return None;
    }
    let mut section = Section::new("slowdown", slowdown::TITLE);
    if !drawn.is_empty() {
        section =
            section.with(Block::Figures(drawn)).with(Block::Note(slowdown::reading(comparison.seeds())));
    }
    section.blocks.extend(tables);
    Some(section)
}

/// The value of a part of the record if it is the same in all runs.
fn same<'a, T: PartialEq>(runs: &[ComparedRun<'a>], part: impl Fn(&'a RunRecord) -> &'a T) -> Option<&'a T> {
    let mut parts = runs.iter().map(|run| part(run.record));
    let first = parts.next()?;
    parts.all(|other| other == first).then_some(first)
}

fn metrics(comparison: &Comparison, runs: &[ComparedRun<'_>]) -> Table {
    let columns = runs.iter().map(|run| Column::figures(run.name.as_str()));
    let mut table = Table::new([Column::words("Metric")].into_iter().chain(columns)).in_order();
    let reports = runs.iter().map(|run| {
        let link = run.report.as_ref().map(|report| Link::new(report.clone(), "report"));
        Cell { link, ..Cell::words("") }
    });
    table.row([Cell::words("")].into_iter().chain(reports));
    table.row(seeds::set_points(comparison));
    for metric in catalogue::all() {
        let values: Vec<Option<Bounded>> =
            runs.iter().map(|run| metric.of_busiest(&run.record.summary)).collect();
        if values.iter().any(Option::is_some) {
            let cells = values.iter().enumerate().map(|(index, value)| {
                let first = if index == 0 { None } else { values[0] };
                figure(metric, first, *value)
            });
            table.row([Cell::words(metric.title)].into_iter().chain(cells));
        }
    }
    table
}

/// A value with its difference from the first value.
fn figure(metric: &Metric, first: Option<Bounded>, value: Option<Bounded>) -> Cell {
    let Some(value) = value else { return Cell::words("–") };
    let text = metric.unit.bounded_text(value);
    let Some(first) = first else { return Cell::words(text) };
    if first.is_lower_bound || value.is_lower_bound {
        return Cell::words(text).note(format!("difference {UNKNOWN_DIFFERENCE}"));
    }
    match difference(metric.unit, first.value, value.value) {
        Some(difference) => Cell::words(format!("{text} ({difference})")),
        None => Cell::words(text),
    }
}

/// A difference as text, such as `+12 %`, `×3.4` for a large change or, for a share, `+1.9 pp`.
fn difference(unit: Unit, first: f64, value: f64) -> Option<String> {
    let ratio = value / first;
    match () {
        () if first == value => None,
        () if unit == Unit::Share => Some(unit.difference_text(value - first, None)),
        () if !ratio.is_finite() => None,
        () if ratio >= 10.0 => Some(format!("×{ratio:.0}")),
        () if ratio >= 3.0 => Some(format!("×{ratio:.1}")),
        () => Some(change_text(ratio - 1.0)),
    }
}

/// Longest queues, throughput and completion times of all runs.
fn together(runs: &[ComparedRun<'_>]) -> Vec<Figure> {
    let mut all = Vec::new();
    let queues = curves(runs, |record| {
        let queue = record.series.queues.first()?;
        Some(queue.largest_bytes.clone())
            .filter(|lengths| !lengths.is_empty())
            .or(Some(queue.length_bytes.clone()))
    });
    let longest = runs.iter().map(|run| {
        let queue = run.record.series.queues.first();
        (run.name.as_str(), queue.map(|queue| queue.name.as_str()))
    });
    let named = named_queues(&longest.collect::<Vec<_>>());
    let figure =
        over_time(runs, queues, "queues", "Longest queue, maximum in each interval", "Queue", Unit::Bytes);
    let note = named.map_or_else(String::new, |named| format!("The longest queue of each run: {named}."));
    all.extend(figure.map(|figure| Figure { note, ..figure }));
    let totals = curves(runs, |record| {
        let mut total = vec![0.0; record.series.time_s.len()];
        for flow in &record.series.flows {
            total.iter_mut().zip(&flow.rate_bps).for_each(|(total, rate)| *total += rate);
        }
        Some(total)
    });
    all.extend(over_time(
        runs,
        totals,
        "throughput",
        "Throughput of all flows",
        "Throughput",
        Unit::BitsPerSecond,
    ));
    all.extend(completion(runs));
    all
}

type Points = Vec<(f64, f64)>;

fn curves(runs: &[ComparedRun<'_>], of: impl Fn(&RunRecord) -> Option<Vec<f64>>) -> Vec<(usize, Points)> {
    let curve = |(index, run): (usize, &ComparedRun<'_>)| {
        let values = of(run.record)?;
        Some((index, run.record.series.time_s.iter().copied().zip(values).collect()))
    };
    runs.iter().enumerate().filter_map(curve).collect()
}

fn line(name: &str, index: usize, shape: Shape, points: Points) -> Mark {
    Mark::Line(Line { name: name.to_owned(), colour: Colour::Series(index), shape, points })
}

fn largest(curves: &[(usize, Points)], part: impl Fn(&(f64, f64)) -> f64) -> f64 {
    curves.iter().flat_map(|(_, points)| points).map(part).fold(0.0, f64::max)
}

fn over_time(
    runs: &[ComparedRun<'_>],
    curves: Vec<(usize, Points)>,
    name: &str,
    title: &str,
    axis: &str,
    unit: Unit,
) -> Option<Figure> {
    let end = runs.iter().map(|run| run.record.summary.duration_s).fold(0.0, f64::max);
    let top = largest(&curves, |point| point.1);
    if curves.is_empty() || end <= 0.0 {
        return None;
    }
    let mut figure = Figure::new(
        name,
        title,
        Axis::linear("Time", Unit::Seconds, (0.0, end)),
        Axis::from_zero(axis, unit, top),
    );
    if runs.iter().all(|run| run.record.summary.events_at == runs[0].record.summary.events_at) {
        figure.events = figures::events(runs[0].record);
    }
    let names: Vec<&str> = curves.iter().map(|(index, _)| runs[*index].name.as_str()).collect();
    figure.alternative = format!("{title} over time of {}.", names.join(", "));
    figure.marks = curves
        .into_iter()
        .map(|(index, points)| line(&runs[index].name, index, Shape::Straight, points))
        .collect();
    Some(figure)
}

fn completion(runs: &[ComparedRun<'_>]) -> Option<Figure> {
    let drawn = |(index, run): (usize, &ComparedRun<'_>)| {
        let class = run.record.summary.messages.as_ref()?.judged()?;
        (class.fct_quantiles.len() > 1).then(|| {
            let (shape, points) = distribution(run.record, class);
            (index, shape, points)
        })
    };
    let curves: Vec<(usize, Shape, Points)> = runs.iter().enumerate().filter_map(drawn).collect();
    let times =
        || curves.iter().flat_map(|(_, _, points)| points).map(|point| point.0).filter(|time| *time > 0.0);
    let range = (times().fold(f64::INFINITY, f64::min), times().fold(0.0, f64::max));
    if range.0 >= range.1 {
        return None;
    }
    let x = Axis::logarithmic("Completion time", Unit::Seconds, range);
    let y = Axis::linear("Share of messages", Unit::Share, (0.0, 1.0));
    let mut figure = Figure::new("completion-times", "Completion times of messages", x, y);
    figure.alternative = "Share of messages completed within a given time, one curve per run.".to_owned();
    figure.note = "Curves end where messages that were not completed could change them.".to_owned();
    figure.marks = curves
        .into_iter()
        .map(|(index, shape, points)| line(&runs[index].name, index, shape, points))
        .collect();
    Some(figure)
}

/// The first rate figure of each run, all on the same scale.
fn beside(runs: &[ComparedRun<'_>]) -> Vec<Figure> {
    let rate = |(index, run): (usize, &ComparedRun<'_>)| {
        let all = figures::all(run.record);
        let (_, figure) = all.into_iter().find(|(subject, _)| *subject == Subject::Rates)?;
        Some(Figure {
            name: format!("{}-{index}", figure.name),
            title: format!("{}: {}", figure.title, run.name),
            room: Room::Half,
            ..figure
        })
    };
    let mut figures: Vec<Figure> = runs.iter().enumerate().filter_map(rate).collect();
    let same_unit = figures.iter().all(|figure| figure.y.unit == figures[0].y.unit);
    let top = figures.iter().map(|figure| figure.y.range.1).fold(0.0, f64::max);
    for figure in figures.iter_mut().filter(|_| same_unit) {
        figure.y.range.1 = top;
    }
    figures
}

/// Settings that differ between runs: parameters, and kinds with their own parameters, such as algorithms.
fn settings(runs: &[ComparedRun<'_>]) -> Section {
    let mut keys: Vec<&str> = Vec::new();
    for row in runs.iter().flat_map(|run| &run.record.manifest.parameters) {
        if !keys.contains(&row.key.as_str()) {
            keys.push(&row.key);
        }
    }
    let value = |run: &ComparedRun<'_>, key: &str| -> Option<String> {
        let row = run.record.manifest.parameters.iter().find(|row| row.key == key)?;
        Some(row.value.clone())
    };
    let mut rows: Vec<(String, Vec<String>)> = Vec::new();
    let mut has_kinds = false;
    for key in keys {
        let values: Vec<Option<String>> = runs.iter().map(|run| value(run, key)).collect();
        match values.iter().cloned().collect::<Option<Vec<String>>>() {
            Some(values) if values.iter().all(|value| *value == values[0]) => {}
            Some(values) => rows.push((port_text(key), values)),
            None => {
                let (place, kind) = kind_of(key);
                let of =
                    |value: &Option<String>| value.as_ref().map(|value| kind.unwrap_or(value).to_owned());
                has_kinds |= kind.is_some();
                add_kinds(&mut rows, place, values.iter().map(of));
            }
        }
    }
    rows.extend(has_kinds.then(|| presets(runs)).flatten());
    let section = Section::new("settings", "What differs");
    if rows.is_empty() {
        return section.with(Block::Prose("All parameters are the same.".to_owned()));
    }
    let columns = runs.iter().map(|run| Column::words(run.name.as_str()));
    let mut table = Table::new([Column::words("Parameter")].into_iter().chain(columns));
    for (name, values) in rows {
        table.row([name].into_iter().chain(values).map(Cell::words));
    }
    let section = section.with(Block::Table(table));
    match has_kinds {
        true => section.with(Block::Note(
            "Different kinds have different parameters; each report lists them.".to_owned(),
        )),
        false => section,
    }
}

/// The presets on which the parameters of different algorithms are based; none if no run has one.
fn presets(runs: &[ComparedRun<'_>]) -> Option<(String, Vec<String>)> {
    let preset = |run: &ComparedRun<'_>| {
        let is_preset = |key: &str| key.starts_with("control.") && key.ends_with(".preset");
        let row = run.record.manifest.parameters.iter().find(|row| is_preset(&row.key))?;
        Some(row.value.clone())
    };
    let found: Vec<Option<String>> = runs.iter().map(preset).collect();
    let has_any = found.iter().any(Option::is_some);
    let cells = found.into_iter().map(|preset| preset.unwrap_or_else(|| NONE.to_owned()));
    has_any.then(|| ("control preset".to_owned(), cells.collect()))
}

/// Placeholder for a value that a run does not have.
const NONE: &str = "–";

/// The place and the kind to which a parameter belongs, such as `control` and `qcn` for `control.qcn.cp.set_point`.
/// For any other parameter, the place is the whole key.
fn kind_of(key: &str) -> (&str, Option<&str>) {
    let kind = key.split_once('.').and_then(|(place, rest)| Some((place, rest.split_once('.')?.0)));
    kind.map_or((key, None), |(place, kind)| (place, Some(kind)))
}

/// Adds the kinds of all runs to the row of a place.
fn add_kinds(
    rows: &mut Vec<(String, Vec<String>)>,
    place: &str,
    kinds: impl ExactSizeIterator<Item = Option<String>>,
) {
    let at = rows.iter().position(|(name, _)| name == place).unwrap_or_else(|| {
        rows.push((place.to_owned(), vec![NONE.to_owned(); kinds.len()]));
        rows.len() - 1
    });
    for (cell, kind) in rows[at].1.iter_mut().zip(kinds) {
        match kind {
            Some(kind) if cell == NONE => *cell = kind,
            Some(kind) if !cell.split(", ").any(|known| known == kind) => {
                cell.push_str(", ");
                cell.push_str(&kind);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_short() {
        let of = |first, value| difference(Unit::Bytes, first, value);
        assert_eq!(of(10.0, 11.0).unwrap(), "+10\u{a0}%");
        assert_eq!(of(10.0, 9.95).unwrap(), "−0.5\u{a0}%");
        assert_eq!(of(10.0, 34.0).unwrap(), "×3.4");
        assert_eq!(of(1.0, 250.0).unwrap(), "×250");
        assert_eq!((of(0.0, 1.0), of(2.0, 2.0)), (None, None));
        let points = difference(Unit::Share, 0.94, 0.959).unwrap();
        assert_eq!(points, "+1.9\u{a0}pp", "not relative");
    }

    #[test]
    fn kinds_take_one_row() {
        let mut rows = Vec::new();
        for key in ["control.qcn.cp.set_point", "control.qcn.rp.gain"] {
            let (place, kind) = kind_of(key);
            add_kinds(&mut rows, place, [kind.map(str::to_owned), None].into_iter());
        }
        add_kinds(&mut rows, "control", [None, Some("smcc".to_owned())].into_iter());
        assert_eq!(rows, [("control".to_owned(), vec!["qcn".to_owned(), "smcc".to_owned()])]);
        assert_eq!(kind_of("network.buffer"), ("network.buffer", None));
    }
}
