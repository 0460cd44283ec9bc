//! Slowdown by message size.

use std::collections::BTreeSet;

use crate::sweep::{RULE, SENDERS, swept};
use setpoint_lab::compare::{Comparison, Side};
use setpoint_lab::sweep::{RunSummary, SweepSummary, VariantSummary};
use setpoint_plot::{Ink, Style};
use setpoint_record::catalogue::{SLOWDOWN_PERCENTILES, SLOWDOWNS};
use setpoint_record::results::SlowdownBin;

const SIZES: [u64; 10] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/// A run whose slowdown grows with the size; for the largest sizes, the 99th percentile is a lower bound.
fn with_slowdowns(run: RunSummary, index: usize) -> RunSummary {
    let bin = |(place, size): (usize, u64)| SlowdownBin {
        from_bytes: 1_000 * size,
        to_bytes: 1_000 * if size.to_string().starts_with('2') { size / 2 * 5 } else { 2 * size },
        messages: if place < 8 { 500 } else { 20 },
        p50: 1.5 + place as f64 + 0.1 * run.seed as f64,
        p50_is_lower_bound: false,
        p99: Some((10 * (index + 2) * (place + 1)) as f64 + run.seed as f64),
        p99_is_lower_bound: place == 9,
    };
    RunSummary { slowdown_by_size: SIZES.into_iter().enumerate().map(bin).collect(), ..run }
}

fn slowed(summary: SweepSummary) -> SweepSummary {
    let variant = |variant: VariantSummary| {
        let runs = variant.runs.into_iter().map(|run| with_slowdowns(run, variant.index)).collect();
        VariantSummary::of_runs(variant.index, variant.values, runs)
    };
    SweepSummary { variants: summary.variants.into_iter().map(variant).collect(), ..summary }
}

fn figure<'a>(page: &'a str, name: &str) -> &'a str {
    let (_, rest) = page.split_once(&format!("id=\"figure-{name}\"")).unwrap_or_else(|| panic!("no {name}"));
    rest.split("</figure>").next().unwrap()
}

#[test]
fn a_sweep_has_a_line_per_algorithm_over_sizes_with_bands_and_lower_bounds() {
    let document = setpoint_report::sweep(&slowed(swept(&[RULE], 3)));
    let page = document.html();
    let (median, tail) = (figure(&page, "slowdown-by-size-p50"), figure(&page, "slowdown-by-size-p99"));
    for name in RULE.1 {
        assert!(median.contains(&format!(">{name}<")) && tail.contains(&format!(">{name}<")), "{name}");
    }
    // Ten points and a band for each of three lines, and a key for the bands, on the wide drawing and on the narrow one.
    assert_eq!((median.matches("<circle").count(), median.matches("fill-opacity=\"0.15\"").count()), (60, 8));
    assert!(median.contains(">95\u{a0}% interval<") || median.contains(">95 % interval<"));
    assert!(median.contains(">Slowdown, median (ideal = 1)<"));
    assert!(tail.contains(">Slowdown, 99th percentile (ideal = 1)<"), "figures without titles differ too");
    assert!(!median.contains("lower bound") && tail.contains("&gt; lower bound"));
    assert!(
        tail.contains("An arrow marks a lower bound")
            && tail.contains("fewer than 100 messages per run: 500\u{a0}kB to 2\u{a0}MB; there")
    );
    let names: Vec<String> =
        document.plots(setpoint_plot::Style::SCREEN).into_iter().map(|plot| plot.name).collect();
    assert!(names.iter().any(|name| name == "slowdown-by-size-p99"), "{names:?}");
}

#[test]
fn a_lower_bound_has_a_mark_of_its_own_in_the_colour_of_its_line() {
    let style = Style { ink: Ink::Grey, ..Style::SCREEN };
    let plots = setpoint_report::sweep(&slowed(swept(&[RULE], 3))).plots(style);
    let tail = &plots.iter().find(|plot| plot.name == "slowdown-by-size-p99").expect("a figure").svg;
    // An arrow for each of three lines, and one in the legend.
    let arrows: Vec<&str> =
        tail.split("<path").filter(|path| path.contains("v-12m") || path.contains("v-9.6m")).collect();
    let strokes = |path: &&&str| !path.contains("stroke-width=\"4.5\"");
    let colours: BTreeSet<&str> = arrows
        .iter()
        .filter(strokes)
        .filter_map(|path| path.split("stroke=\"").nth(1)?.split('"').next())
        .collect();
    assert_eq!((arrows.iter().filter(strokes).count(), colours.len()), (4, 4), "{arrows:?}");
}

#[test]
fn a_second_axis_makes_a_pair_of_figures_per_value() {
    let page = setpoint_report::sweep(&slowed(swept(&[SENDERS, RULE], 3))).html();
    let third = figure(&page, "slowdown-by-size-p99-3");
    assert!(
        third.contains("99th percentile of the slowdown, senders 10") && third.contains(">slowest-path<")
    );
    let (_, folded) = page.split_once("2 more figures").unwrap();
    assert!(folded.contains("id=\"figure-slowdown-by-size-p99-3\""));
}

#[test]
fn numbers_are_lines_in_ascending_order_and_without_messages_there_is_no_section() {
    let page = setpoint_report::sweep(&slowed(swept(&[SENDERS], 3))).html();
    let median = figure(&page, "slowdown-by-size-p50");
    let place = |name: &str| median.find(&format!(">senders {name}<")).unwrap();
    assert!(place("4") < place("10") && place("10") < place("40"));
    assert!(!setpoint_report::sweep(&swept(&[SENDERS], 3)).html().contains("slowdown-by-size"));
}

/// Percentiles in the order of the columns, for all messages and for two classes of sizes.
fn with_percentiles(run: RunSummary) -> RunSummary {
    let metrics = SLOWDOWNS[0].classes[..3].iter().flat_map(|class| class.metrics);
    let figures = metrics.enumerate().map(|(place, metric)| (metric.name.to_owned(), 2.0 + place as f64));
    RunSummary { figures: figures.collect(), ..run }
}

#[test]
fn percentiles_have_a_table_for_each_class_of_sizes() {
    let summary = swept(&[RULE], 3);
    let variant = |variant: VariantSummary| {
        let runs = variant.runs.into_iter().map(with_percentiles).collect();
        VariantSummary::of_runs(variant.index, variant.values, runs)
    };
    let variants = summary.variants.into_iter().map(variant).collect();
    let page = setpoint_report::sweep(&SweepSummary { variants, ..summary }).html();
    let (_, tables) = page.split_once("Percentiles of the slowdown by message size").expect("a section");
    let tables: Vec<&str> = tables.split("<table").skip(1).take(3).collect();
    for percentile in SLOWDOWN_PERCENTILES {
        assert!(tables.iter().all(|table| table.contains(&format!(">{percentile}<"))), "{percentile}");
    }
    let titles = ["All messages", "Below 100\u{a0}kB", "100\u{a0}kB to 10\u{a0}MB"];
    for title in titles {
        assert!(page.contains(title), "{title}");
    }
    assert!(tables[1].contains("<div>6<") && tables[2].contains("<div>13<"), "{tables:?}");
    assert!(!page.contains("10\u{a0}MB or more"));
}

#[test]
fn a_comparison_has_a_line_per_result() {
    let side = |name: &str, index: usize| {
        let run = |seed| with_slowdowns(RunSummary { seed, ..RunSummary::default() }, index);
        let variants = vec![VariantSummary::of_runs(0, Vec::new(), (1..=3).map(run).collect())];
        let (name, scenario) = (name.to_owned(), "lab".to_owned());
        Side {
            name,
            scenario,
            axes: Vec::new(),
            variants,
            queue: None,
            set_points: Vec::new(),
            presets: Vec::new(),
            warnings: Vec::new(),
        }
    };
    let comparison = Comparison::of(&[side("qcn", 0), side("smcc", 1)]).unwrap();
    let page = setpoint_report::compare(&comparison, &[]).html();
    let tail = figure(&page, "slowdown-by-size-p99");
    assert!(tail.contains(">qcn<") && tail.contains(">smcc<"));
}
