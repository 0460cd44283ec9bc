//! Slowdown by message size: one line per value of an axis, a pair of figures per combination of the others, and tables of
//! percentiles.

use setpoint_lab::sweep::{SweepSummary, VariantSummary};
use setpoint_plot::text::in_sentence;
use setpoint_record::catalogue::SLOWDOWN_PERCENTILES;

use super::axes::{SweptAxis, bare};
use super::table::{mean, most_rows};
use crate::document::{Block, Section};
use crate::slowdown::{Curve, MOST_LINES, TITLE, figures, reading};

/// Maximum numbers of pairs of figures that are shown expanded, and in total.
const OPEN: usize = 2;
const MOST: usize = 12;

/// The section; none without messages of several sizes.
pub(super) fn section(summary: &SweepSummary, axes: &[SweptAxis]) -> Option<Section> {
    let axes: Vec<&SweptAxis> = axes.iter().filter(|axis| axis.values.len() > 1).collect();
    let along = along(&axes);
    let panels = panels(summary, &axes, along);
    let several = panels.len() > 1;
    let drawn = panels.iter().take(MOST).enumerate().map(|(index, (title, variants))| {
        let curves = curves(&drawn(variants), along);
        let curves: Vec<Curve<'_>> =
            curves.iter().map(|(name, variant)| Curve { name, sizes: &variant.slowdown_by_size }).collect();
        figures(&curves, several.then_some((index + 1, title.as_str())))
    });
    let mut drawn: Vec<_> = drawn.filter(|pair| !pair.is_empty()).collect();
    let folded = drawn.split_off(drawn.len().min(OPEN));
    let first = drawn.into_iter().flatten().collect::<Vec<_>>();
    let tables = percentiles(summary);
    if first.is_empty() && tables.is_empty() {
        return None;
    }
    let seeds = summary.variants.iter().map(|variant| variant.runs.len()).max().unwrap_or(0);
    let mut section = Section::new("slowdown", TITLE);
    if !first.is_empty() {
        section = section.with(Block::Figures(first)).with(Block::Note(reading(seeds) + &left_out(&panels)));
    }
    if !folded.is_empty() {
        let folded: Vec<_> = folded.into_iter().flatten().collect();
        let summary = format!("{} more figures", folded.len());
        section = section.with(Block::More { summary, blocks: vec![Block::Figures(folded)] });
    }
    section.blocks.extend(tables);
    Some(section)
}

/// The percentiles of all variants.
fn percentiles(summary: &SweepSummary) -> Vec<Block> {
    let name = |variant: &VariantSummary| match &variant.values[..] {
        [] => "All seeds".to_owned(),
        values => values.iter().map(|value| bare(value)).collect::<Vec<_>>().join(", "),
    };
    let shown = summary.variants.iter().take(most_rows(SLOWDOWN_PERCENTILES.len()));
    let rows: Vec<(String, &VariantSummary)> = shown.map(|variant| (name(variant), variant)).collect();
    crate::percentiles::tables("Variant", &rows, |variant, metric| {
        variant.spread(metric).map(|_| mean(variant, metric))
    })
}

/// The axis whose values are lines: the first one with text values, such as algorithms, or else the first one.
fn along<'a>(axes: &[&'a SweptAxis]) -> Option<&'a SweptAxis> {
    axes.iter().find(|axis| axis.numbers.is_none()).or_else(|| axes.first()).copied()
}

/// A pair of figures: the values that its variants share, and the variants.
type Panel<'a> = (String, Vec<&'a VariantSummary>);

fn panels<'a>(summary: &'a SweepSummary, axes: &[&SweptAxis], along: Option<&SweptAxis>) -> Vec<Panel<'a>> {
    let others: Vec<&&SweptAxis> = axes.iter().filter(|axis| Some(axis.index) != index(along)).collect();
    let mut panels: Vec<Panel<'a>> = Vec::new();
    for variant in &summary.variants {
        let value = |axis: &&&SweptAxis| {
            Some(format!("{} {}", in_sentence(&axis.label), bare(variant.values.get(axis.index)?)))
        };
        let title = others.iter().filter_map(value).collect::<Vec<_>>().join(", ");
        match panels.iter_mut().find(|(known, _)| *known == title) {
            Some((_, variants)) => variants.push(variant),
            None => panels.push((title, vec![variant])),
        }
    }
    panels
}

fn index(axis: Option<&SweptAxis>) -> Option<usize> {
    axis.map(|axis| axis.index)
}

/// The variants that are drawn: all of them, or an evenly spaced selection that includes the first and the last.
fn drawn<'a>(variants: &[&'a VariantSummary]) -> Vec<&'a VariantSummary> {
    let count = variants.len();
    match count {
        ..=MOST_LINES => variants.to_vec(),
        _ => (0..MOST_LINES).map(|place| variants[place * (count - 1) / (MOST_LINES - 1)]).collect(),
    }
}

/// The variants with their names in the legend, in the order of the axis.
fn curves<'a>(
    variants: &[&'a VariantSummary],
    along: Option<&SweptAxis>,
) -> Vec<(String, &'a VariantSummary)> {
    let Some(axis) = along else { return variants.iter().map(|one| ("mean".to_owned(), *one)).collect() };
    let value =
        |variant: &&VariantSummary| variant.values.get(axis.index).map(|value| bare(value).to_owned());
    let place = |variant: &&VariantSummary| {
        let value = value(variant);
        axis.values.iter().position(|other| Some(other) == value.as_ref())
    };
    let mut sorted = variants.to_vec();
    sorted.sort_by_key(place);
    // A text value is usually self-explanatory; a number is not.
    let name = |variant: &VariantSummary| {
        let value = value(&variant).unwrap_or_default();
        match axis.numbers {
            Some(_) => format!("{} {value}", in_sentence(&axis.label)),
            None => value,
        }
    };
    sorted.into_iter().map(|variant| (name(variant), variant)).collect()
}

/// States what is not drawn.
fn left_out(panels: &[Panel<'_>]) -> String {
    let most = panels.iter().map(|(_, variants)| variants.len()).max().unwrap_or(0);
    let mut text = String::new();
    if most > MOST_LINES {
        text += &format!(" {MOST_LINES} of {most} lines are drawn; sweep.json contains all of them.");
    }
    if panels.len() > MOST {
        text += &format!(" The first {MOST} of {} pairs of figures are drawn.", panels.len());
    }
    text
}
