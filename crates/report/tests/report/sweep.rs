//! The page of a sweep.

use std::collections::BTreeMap;

use setpoint_lab::sweep::{RunSummary, SweepSummary, SweptWarning, VariantSummary};
use setpoint_plot::{Colour, HEAT_STEPS, Style, Surface};
use setpoint_record::confidence::Spread;
use setpoint_record::results::WarningRecord;

fn sweep(summary: &SweepSummary) -> String {
    setpoint_report::sweep(summary).html()
}

/// A sweep over all combinations of the given values and seeds; figures are computed from the positions of the values.
pub(crate) fn swept(axes: &[(&str, &[&str])], seeds: u64) -> SweepSummary {
    let count: usize = axes.iter().map(|(_, values)| values.len()).product();
    let variant = |index: usize| {
        let (mut rest, mut values, mut weight) = (index, Vec::new(), 0.0);
        for (_, of_axis) in axes.iter().rev() {
            values.insert(0, of_axis[rest % of_axis.len()].to_owned());
            weight = weight * 3.0 + (rest % of_axis.len()) as f64;
            rest /= of_axis.len();
        }
        let runs: Vec<RunSummary> = (1..=seeds).map(|seed| run(index, seed, weight)).collect();
        let figures = spreads(&runs);
        VariantSummary { figures, ..VariantSummary::of_runs(index, values, runs) }
    };
    SweepSummary {
        version: "0.1.0".into(),
        scenario: "made-up".into(),
        axes: axes.iter().map(|(key, _)| (*key).to_owned()).collect(),
        variants: (0..count).map(variant).collect(),
        ..SweepSummary::default()
    }
}

fn run(index: usize, seed: u64, weight: f64) -> RunSummary {
    let queue = 10e3 + 4e3 * weight + 100.0 * seed as f64;
    let figures = [
        ("queue_mean_bytes", queue),
        ("utilisation_share", 1.0 - 0.01 * weight),
        ("loss_share", if weight > 3.0 { 0.01 * weight } else { 0.0 }),
        ("paused_s", 0.0),
        ("feedback_overhead", 0.001 * (weight + 1.0)),
        ("a_figure_that_is_not_compared", weight),
    ];
    RunSummary {
        seed,
        folder: format!("{index}_seed={seed}"),
        digest: Some("d".into()),
        figures: figures.map(|(name, value)| (name.to_owned(), value)).into(),
        ..RunSummary::default()
    }
}

fn spreads(runs: &[RunSummary]) -> BTreeMap<String, Spread> {
    let names = runs.iter().flat_map(|run| run.figures.keys());
    let spread = |name: &String| {
        let values: Vec<f64> = runs.iter().filter_map(|run| run.figures.get(name).copied()).collect();
        Some((name.clone(), Spread::of(&values)?))
    };
    names.filter_map(spread).collect()
}

pub(crate) const SENDERS: (&str, &[&str]) = ("topology.dumbbell.senders", &["40", "4", "10"]);
pub(crate) const SET_POINT: (&str, &[&str]) = ("control.qcn.cp.set_point", &["26 kB", "100 kB"]);
pub(crate) const RULE: (&str, &[&str]) =
    ("control.qcn.group_rule", &["worst-point", "every-notification", "slowest-path"]);
const SEEDED: (&str, &[&str]) = ("network.buffer", &["150 kB"]);

/// An outline of the page from the top: headings, figures and the text about them.
fn outline(page: &str) -> String {
    let body = page.split_once("<main").expect("a main part").1;
    let mut lines = Vec::new();
    for piece in body.split('<') {
        let Some((tag, text)) = piece.split_once('>') else { continue };
        let name = tag.split(' ').next().unwrap_or_default();
        let attribute = |name: &str| {
            tag.split(&format!("{name}=\""))
                .nth(1)
                .and_then(|rest| rest.split('"').next())
                .unwrap_or_default()
        };
        match name {
            "h1" | "h2" | "h3" => lines.push(format!("{name} {text}")),
            "p" if !text.trim().is_empty() => lines.push(format!("  {text}")),
            "div" if tag.contains("aria-label=") && tag.contains("drawing") => {
                lines.push(format!("  [{}]", attribute("aria-label")));
            }
            "span"
                if lines.last().is_some_and(|line| line.starts_with("  (") || line.contains("made-up"))
                    && !tag.contains("class") =>
            {
                lines.push(format!("  ({text})"));
            }
            "li" => lines.push(format!("  - {text}")),
            _ => {}
        }
    }
    lines.join("\n").replace('\u{a0}', " ").replace("&#39;", "'")
}

#[test]
fn one_axis_makes_lines() {
    let page = sweep(&swept(&[SENDERS], 3));
    insta::assert_snapshot!(outline(&page));
    assert!(page.contains("class=\"drawing plot\"") && !page.contains("class=\"drawing heat\""));
    // A dot for each number of senders, on the wide drawing and on the narrow one.
    let first = page.split("<figure").nth(1).expect("a figure");
    assert_eq!(first.matches("<circle").count(), 6);
}

#[test]
fn texts_make_bars_in_their_own_order() {
    let page = sweep(&swept(&[RULE], 2));
    let first = page.split("<figure").nth(1).expect("a figure");
    let order: Vec<usize> =
        RULE.1.iter().map(|name| first.find(&format!(">{name}<")).expect("a name")).collect();
    assert!(order.is_sorted() && !first.contains("<circle"));
    assert!(!page.contains("Every scale spans"), "bars start at zero");
}

#[test]
fn a_bar_without_a_value_shows_the_reason() {
    let mut summary = swept(&[RULE], 1);
    for variant in &mut summary.variants {
        let value = (variant.index > 0).then(|| ("queue_error_bytes".to_owned(), 1e3 * variant.index as f64));
        variant.runs[0].figures = value.into_iter().collect();
        variant.figures = spreads(&variant.runs);
    }
    let drawn = figure(&sweep(&summary), "queue_error_bytes");
    assert!(drawn.contains(">no set point<") || drawn.contains(">point<"), "{drawn}");
}

#[test]
fn two_axes_make_heat_maps_with_numbers_in_ascending_order() {
    let page = sweep(&swept(&[SENDERS, SET_POINT, SEEDED], 2));
    insta::assert_snapshot!(outline(&page));
    assert_eq!(page.matches("class=\"drawing heat\"").count(), 4);
    let map = page.split("id=\"figure-queue_mean_bytes\"").nth(1).expect("a map");
    let data = part(map, "application/json\">", "</script>");
    let data: serde_json::Value = serde_json::from_str(data).expect("valid JSON");
    assert_eq!(data["x"], serde_json::json!({ "l": "Senders", "n": ["4", "10", "40"] }));
    assert_eq!(data["y"], serde_json::json!({ "l": "Set point", "n": ["26\u{a0}kB", "100\u{a0}kB"] }));
    // The variant with 40 senders comes first in the sweep and last on the axis.
    let texts = data["v"][0].to_string().replace('\u{a0}', " ").replace(" ± 70.7 B", "");
    assert_eq!(texts, r#"["14.2 kB","18.1 kB","10.2 kB","26.1 kB","30.1 kB","22.1 kB"]"#);
}

#[test]
fn with_three_axes_the_one_with_texts_forms_the_panels() {
    let page = sweep(&swept(&[RULE, SET_POINT, SENDERS], 1));
    let map = page.split("id=\"figure-queue_mean_bytes\"").nth(1).expect("a map");
    for rule in RULE.1 {
        assert!(map.contains(&format!(">Group rule: {rule}<")), "{rule}");
    }
    // Without text values, it is the axis with the fewest values.
    let page = sweep(&swept(
        &[SET_POINT, SENDERS, ("topology.dumbbell.rtt", &["20 us", "50 us", "2 ms", "1 ms"])],
        1,
    ));
    let map = page.split("id=\"figure-queue_mean_bytes\"").nth(1).expect("a map");
    let panels = [map.find(">Set point 26\u{a0}kB<"), map.find(">Set point 100\u{a0}kB<")];
    assert!(panels[0].is_some() && panels[0] < panels[1], "{panels:?}");
    assert!(map.contains("over RTT from 20\u{a0}µs to 2\u{a0}ms and senders from 4 to 40"));
}

#[test]
fn without_a_grid_there_is_only_the_table() {
    let mut missing = swept(&[SENDERS, SET_POINT], 1);
    missing.variants.pop();
    let mut twice = swept(&[SENDERS], 1);
    twice.variants[2].values = twice.variants[1].values.clone();
    let many = swept(&[SENDERS, SET_POINT, RULE, ("network.seed", &["1", "2"])], 1);
    for summary in [missing, twice, many] {
        let page = sweep(&summary);
        assert!(!page.contains("<figure") && page.contains("see the table below"));
        let rows = part(&page, "id=\"variants\"", "</table>");
        assert_eq!(rows.matches("<tr>").count(), summary.variants.len() + 1);
    }
}

#[test]
fn figures_that_are_the_same_everywhere_are_listed_in_a_sentence() {
    let page = sweep(&swept(&[SENDERS], 1));
    assert!(page.contains("The same in all variants: loss 0\u{a0}%, time paused, sum over ports 0\u{a0}s."));
    assert!(!page.contains("id=\"figure-paused_s\"") && !page.contains("not_compared"));
}

#[test]
fn failed_runs_have_no_value_and_are_listed() {
    let mut summary = swept(&[SENDERS, SET_POINT], 2);
    for run in &mut summary.variants[1].runs {
        (run.error, run.digest) = (Some("the buffer is too small".into()), None);
        run.figures.clear();
    }
    summary.variants[1].figures.clear();
    let page = sweep(&summary);
    assert!(page.contains("<span>2 failed</span>") && page.contains("1_seed=1: the buffer is too small"));
    assert!(page.contains("no value: failed") && page.contains("class=\"missing\""));
    // A figure counts as the same in all variants if all variants with a result agree on it.
    assert!(page.contains("The same in all variants: time paused"));
}

#[test]
fn a_run_with_several_seeds_has_a_page_too() {
    let page = sweep(&swept(&[], 3));
    insta::assert_snapshot!(outline(&page));
    assert!(page.contains("<h1>Seeds of made-up</h1>") && page.contains("Seed by seed"));
}

#[test]
fn the_page_is_self_contained_and_escapes_all_text() {
    let hostile = "</script><script>alert(1)</script>\"'><img src=x>";
    let mut summary = swept(&[SENDERS, SET_POINT, RULE], 2);
    summary.scenario = hostile.into();
    summary.axes[0] = hostile.into();
    summary.variants.iter_mut().for_each(|variant| variant.values[2] += hostile);
    summary.variants[0].runs[0].error = Some(hostile.into());
    let page = sweep(&summary).replace("http://www.w3.org/2000/svg", "").replace(crate::page::CLIP, "");
    assert!(!page.contains("<img") && !page.contains("<script>alert"));
    for forbidden in ["http://", "https://", "@import", "url("] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
    let mut ids: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all);
}

#[test]
fn a_large_sweep_makes_a_page_of_limited_size() {
    let values: Vec<String> = (1..=44).map(|number| number.to_string()).collect();
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    let page = sweep(&swept(&[("a.x", &values), ("a.y", &values)], 1));
    assert!(page.contains("class=\"drawing heat\"") && page.len() < 1_000_000, "{} bytes", page.len());
    assert!(page.contains("1636 further variants are in sweep.csv"));
}

/// A sweep over two axes with the given values of some figures for each variant.
fn with_figures(figures: &[(&str, [f64; 4])]) -> SweepSummary {
    let mut summary = swept(&[("a.x", &["1", "2"]), ("a.y", &["1", "2"])], 1);
    for (index, variant) in summary.variants.iter_mut().enumerate() {
        variant.runs[0].figures =
            figures.iter().map(|(name, values)| ((*name).to_owned(), values[index])).collect();
        variant.figures = spreads(&variant.runs);
    }
    summary
}

/// Names of the figures that are shown at first, and of the collapsed ones.
fn seen_and_folded(page: &str) -> (Vec<&str>, Vec<&str>) {
    let names = |part: &'static str, text: &str| {
        text.split(part)
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
            .map(|name| page.find(name).map(|at| &page[at..at + name.len()]).expect("a name"))
            .collect()
    };
    let (seen, folded) = page.split_once("<details class=\"more\">").unwrap_or((page, ""));
    (names("id=\"figure-", seen), names("id=\"figure-", folded))
}

#[test]
fn the_figures_that_matter_lead_and_the_others_are_folded() {
    let rising = [1.0, 2.0, 3.0, 4.0];
    let flows = [
        ("jain_index", [0.1, 0.2, 0.3, 0.4]),
        ("utilisation_share", [0.1, 0.2, 0.3, 0.4]),
        ("throughput_bps", rising),
        ("queue_mean_bytes", rising),
        ("queue_error_bytes", rising),
        ("loss_share", [0.1, 0.2, 0.3, 0.4]),
        ("notifications", rising),
    ];
    let page = sweep(&with_figures(&flows));
    let (seen, folded) = seen_and_folded(&page);
    assert_eq!(seen, ["utilisation_share", "queue_error_bytes", "jain_index", "loss_share"]);
    assert_eq!(folded, ["throughput_bps", "queue_mean_bytes", "notifications"]);
    let messages =
        [&flows[..], &[("fct_p99_s", rising), ("fct_mean_s", rising), ("queue_p99_bytes", rising)]].concat();
    let page = sweep(&with_figures(&messages));
    let (seen, _) = seen_and_folded(&page);
    assert_eq!(seen, ["fct_p99_s", "loss_share", "throughput_bps", "queue_p99_bytes"]);
    // Lower bounds do not show which variant is better.
    let mut bounds = with_figures(&messages);
    for variant in &mut bounds.variants {
        variant.figures.get_mut("fct_p99_s").expect("a figure").is_lower_bound = true;
    }
    let page = sweep(&bounds);
    let (seen, folded) = seen_and_folded(&page);
    assert!(seen[0] == "fct_mean_s" && folded.contains(&"fct_p99_s"), "{seen:?}");
    // If nothing is lost, pauses replace losses.
    let lossless =
        [("utilisation_share", [0.1, 0.2, 0.3, 0.4]), ("loss_share", [0.0; 4]), ("paused_s", rising)];
    let page = sweep(&with_figures(&lossless));
    assert_eq!(seen_and_folded(&page).0, ["utilisation_share", "paused_s"]);
}

/// The colour of each cell of a map, row by row; hatched cells have no colour from the scale.
fn fills(summary: &SweepSummary, figure: &str) -> Vec<usize> {
    let plots = setpoint_report::sweep(summary).plots(Style::SCREEN);
    let svg = &plots.iter().find(|plot| plot.name == figure).expect("a map").svg;
    let cells = part(svg, "<g class=\"cells\">", "</g></g>");
    let step = |cell: &str| {
        let fill = part(cell, "fill=\"", "\"");
        (0..HEAT_STEPS).find(|&step| Colour::Heat(step).on(Surface::File(Style::SCREEN)) == fill)
    };
    cells.split("<g>").skip(1).filter_map(step).collect()
}

#[test]
fn stronger_colours_mean_worse_values_in_every_map() {
    let summary = with_figures(&[("jain_index", [1.0, 0.0, 1.0, 0.0]), ("loss_share", [0.0, 0.5, 0.0, 0.5])]);
    assert_eq!(fills(&summary, "jain_index"), fills(&summary, "loss_share"));
    assert_eq!(fills(&summary, "jain_index"), [0, 0, HEAT_STEPS - 1, HEAT_STEPS - 1]);
    let page = sweep(&summary);
    assert!(figure(&page, "jain_index").contains(">better →<"));
    assert!(figure(&page, "loss_share").contains(">← better<"));
}

#[test]
fn negligible_differences_look_alike() {
    let summary = with_figures(&[
        ("utilisation_share", [0.998, 1.0, 0.999, 1.0]),
        ("loss_share", [0.0, 0.1, 0.2, 0.3]),
    ]);
    assert_eq!(fills(&summary, "utilisation_share"), [0; 4], "99.8 % and 100 % have different colours");
    // Differences that are smaller than the spread over seeds have the same colour, too.
    let mut noisy = with_figures(&[("paused_s", [1.0, 1.3, 0.9, 1.2]), ("loss_share", [0.0, 0.1, 0.2, 0.3])]);
    for variant in &mut noisy.variants {
        let spread = variant.figures.get_mut("paused_s").expect("a figure");
        spread.deviation = Some(0.5);
    }
    let steps = fills(&noisy, "paused_s");
    let (least, most) = (steps.iter().min().expect("steps"), steps.iter().max().expect("steps"));
    assert!(most - least <= 3, "{steps:?}");
}

#[test]
fn a_cell_without_a_value_shows_the_reason() {
    let mut summary =
        with_figures(&[("settling_s", [0.1, 0.2, 0.3, 0.4]), ("loss_share", [0.0, 0.1, 0.2, 0.3])]);
    summary.variants[3].figures.remove("settling_s");
    summary.variants[3].runs[0].figures.remove("settling_s");
    let page = sweep(&summary);
    let map = figure(&page, "settling_s");
    assert!(map.contains(">not settled<") && map.contains("no value: not settled"));
    assert_eq!(map.matches("class=\"missing\"").count(), 4, "a cell and a sample, wide and narrow");
}

#[test]
fn a_sweep_of_many_figures_and_seeds_makes_a_page_below_a_megabyte() {
    let names = "\
        jain_index jain_index_windowed_mean utilisation_share throughput_bps queue_mean_bytes \
        queue_deviation_bytes queue_error_bytes queue_p99_bytes loss_share notifications \
        notifications_per_frame feedback_overhead notifications_per_source_peak \
        group_notifications_per_source_mean group_rate_mean_bps group_jain_index group_feedback_overhead \
        group_loss_share paused_s settling_s fct_mean_s fct_p99_s slowdown_p99";
    let names: Vec<&str> = names.split_whitespace().collect();
    let numbers = ["1", "2", "3", "4", "5", "6", "7", "8"];
    let mut summary = swept(&[("a.x", &numbers), ("a.y", &numbers), RULE], 5);
    for variant in &mut summary.variants {
        for run in &mut variant.runs {
            let value = |place: usize| {
                0.137 * (1.0 + (variant.index * 7 + place * 3) as f64 + run.seed as f64 * 0.01) / 200.0
            };
            run.figures =
                names.iter().enumerate().map(|(place, name)| ((*name).to_owned(), value(place))).collect();
        }
        variant.figures = spreads(&variant.runs);
    }
    let page = sweep(&summary);
    let drawn = page.matches("class=\"drawing heat\"").count();
    assert!((10..23).contains(&drawn), "{drawn}");
    assert!(page.contains("Not drawn, to keep the page small") && page.contains("sweep.csv contains them"));
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
}

/// A sweep over the given axes that measures the median completion time; the value of the last variant is a lower bound.
fn bounded(axes: &[(&str, &[&str])]) -> SweepSummary {
    let mut summary = swept(axes, 1);
    for variant in &mut summary.variants {
        let value = 20e-3 + 1.757e-3 * variant.index as f64;
        variant.runs[0].figures = [("fct_p50_s".to_owned(), value)].into();
        variant.figures = spreads(&variant.runs);
    }
    let last = summary.variants.last_mut().expect("a variant");
    last.figures.get_mut("fct_p50_s").expect("a figure").is_lower_bound = true;
    summary
}

#[test]
fn a_map_marks_the_cells_that_are_lower_bounds() {
    let map = figure(&sweep(&bounded(&[("a.x", &["1", "2"]), ("a.y", &["1", "2"])])), "fct_p50_s");
    let texts: Vec<&str> = map.split("</text>").filter_map(|part| part.rsplit('>').next()).collect();
    assert_eq!(map.matches("&gt;\u{a0}25.27</text>").count(), 2, "one cell, wide and narrow: {texts:?}");
    assert_eq!(map.matches(">lower bound</text>").count(), 2, "{texts:?}");
    assert!(map.contains("\">\u{a0}25.3\u{a0}ms\""), "the tooltip shows it too");
    assert!(map.contains("the largest &#62;\u{a0}25.3\u{a0}ms"), "so does the text alternative");
    let exact = figure(&sweep(&with_figures(&[("fct_p50_s", [0.1, 0.2, 0.3, 0.4])])), "fct_p50_s");
    assert!(!exact.contains("lower bound"));
}

#[test]
fn lines_and_bars_mark_lower_bounds() {
    for values in [&["1", "2", "3"][..], &["one", "two", "three"]] {
        let drawn = figure(&sweep(&bounded(&[("a.x", values)])), "fct_p50_s");
        assert_eq!(drawn.matches("&gt; lower bound</text>").count(), 2, "{values:?}");
    }
}

/// The part of a page after a text and before another one.
fn part<'a>(page: &'a str, after: &str, before: &str) -> &'a str {
    let rest = page.split_once(after).unwrap_or_else(|| panic!("no {after:?}")).1;
    rest.split_once(before).unwrap_or_else(|| panic!("no {before:?}")).0
}

fn figure(page: &str, name: &str) -> String {
    part(page, &format!("id=\"figure-{name}\""), "</figure>").to_owned()
}

#[test]
fn the_best_value_of_a_narrow_map_has_the_best_colour() {
    let summary = with_figures(&[
        ("throughput_bps", [9.9e9, 10e9, 9.8e9, 9.95e9]),
        ("loss_share", [0.0, 0.1, 0.2, 0.3]),
    ]);
    assert!(fills(&summary, "throughput_bps").contains(&0));
    assert!(!figure(&sweep(&summary), "throughput_bps").contains(">10.2</text>"));
}

#[test]
fn the_table_of_swept_axes_names_its_columns() {
    let page = sweep(&swept(&[SENDERS, SET_POINT], 1));
    let table = page.split("Axes</h2>").nth(1).expect("a section");
    let headings: Vec<&str> =
        table.split("</th>").take(3).filter_map(|part| part.rsplit('>').next()).collect();
    assert_eq!(headings, ["Key", "Number", "Values"]);
}

/// The headings of the tables in the section on variants, and whether the reader can sort the tables.
fn headings(page: &str) -> Vec<(Vec<&str>, bool)> {
    let tables = part(page, "id=\"variants\"", "</section>").split("<table class=\"").skip(1);
    let heading = |table: &'_ str| table.split_once("</thead>").expect("headings").0.len();
    tables
        .map(|table| {
            let head = &table[..heading(table)];
            let names = head.split("</th>").filter_map(|part| part.rsplit_once('>')).map(|(_, name)| name);
            (names.filter(|name| !name.is_empty()).collect(), head.contains("sortable\""))
        })
        .collect()
}

/// A sweep in which variants differ in every metric on the page, and the number of these metrics.
fn with_all_metrics(mut summary: SweepSummary) -> (SweepSummary, usize) {
    let metrics: Vec<_> = setpoint_record::catalogue::all().filter(|metric| metric.on_page).collect();
    for (place, variant) in summary.variants.iter_mut().enumerate() {
        for metric in &metrics {
            variant.figures.insert(metric.name.to_owned(), Spread::of(&[place as f64 + 1.0]).unwrap());
        }
    }
    (summary, metrics.len())
}

#[test]
fn few_variants_with_many_metrics_are_columns() {
    let (summary, metrics) = with_all_metrics(swept(&[SENDERS], 1));
    let page = sweep(&summary);
    assert_eq!(headings(&page), [(vec!["Senders", "40", "4", "10"], false)]);
    let rows = part(&page, "id=\"variants\"", "</table>");
    assert_eq!(rows.matches("<tr>").count(), metrics + 1);
}

#[test]
fn many_variants_are_rows_with_the_metrics_that_decide_first() {
    let (summary, metrics) = with_all_metrics(swept(&[SENDERS, SET_POINT, RULE], 1));
    let page = sweep(&summary);
    let tables = headings(&page);
    assert_eq!(tables[0].0[..4], ["Senders", "Set point", "Group rule", "Rate to a group"]);
    assert!(
        tables.len() > 2 && tables.iter().all(|(names, sortable)| names.len() <= 9 && *sortable),
        "{tables:?}"
    );
    let shown: usize = tables.iter().map(|(names, _)| names.len() - 3).sum();
    assert_eq!(shown, metrics, "every metric has a column");
    assert!(page.contains(&format!("{} more metrics", metrics - 6)));
}

#[test]
fn a_sweep_without_differences_still_lists_its_variants() {
    let mut summary = swept(&[SENDERS], 1);
    summary.variants.iter_mut().for_each(|variant| variant.figures.clear());
    assert_eq!(headings(&sweep(&summary)), [(vec!["Senders"], true)]);
}

#[test]
fn warnings_come_first_with_the_number_of_variants() {
    let mut summary = swept(&[("topology.star.delay", &["1 us", "2 us", "3 us"])], 1);
    assert!(!sweep(&summary).contains("warnings-title"));
    let first = WarningRecord {
        check: "preset-mismatch".into(),
        message: "the preset is for 10 Gb/s".into(),
        remedies: vec!["write `preset = \"100G\"`".into()],
    };
    summary.warnings = vec![SweptWarning { first, variants: 2 }];
    let page = sweep(&summary);
    let sentence = "2 of 3 variants: the preset is for 10\u{a0}Gb/s.";
    assert!(page.contains("Warnings") && page.contains(sentence), "{page}");
    assert!(page.contains("See setpoint explain preset-mismatch."));
}
