//! Checks the style sheet against the classes on the page.

use std::collections::BTreeSet;

use crate::{sweep, synthetic};

const CSS: &str = include_str!("../../assets/report.css");

/// The classes of all elements of one kind on a page.
fn classes<'a>(page: &'a str, element: &str) -> BTreeSet<&'a str> {
    let start = format!("<{element} class=\"");
    let tags = page.split(start.as_str()).skip(1);
    tags.flat_map(|tag| tag.split('"').next().unwrap_or_default().split(' ')).collect()
}

/// The selectors of the style sheet, mixed with parts of its declarations.
fn selectors() -> impl Iterator<Item = &'static str> {
    CSS.split(['{', '}']).flat_map(|part| part.split(','))
}

#[test]
fn rules_for_figure_classes_apply_only_to_figures() {
    let sweep = sweep::swept(&[sweep::SENDERS, sweep::SET_POINT], 1);
    let pages = [setpoint_report::html(&synthetic::dumbbell(2, 60)), setpoint_report::sweep(&sweep).html()];
    let figures: BTreeSet<&str> = pages.iter().flat_map(|page| classes(page, "figure")).collect();
    assert!(figures.contains("half") && figures.contains("full"), "{figures:?}");
    for class in &figures {
        let bare = format!(".{class}");
        assert!(!selectors().any(|selector| selector.trim() == bare), "{bare} matches more than figures");
    }
    let icons: BTreeSet<&str> = pages.iter().flat_map(|page| classes(page, "span")).collect();
    assert!(icons.contains("theme-icon") && CSS.contains(".theme-icon{"), "{icons:?}");
    assert!(icons.is_disjoint(&figures), "{icons:?} {figures:?}");
}

/// The parts of charts that the script looks for exist on a page.
#[test]
fn the_script_finds_the_parts_of_charts() {
    const SCRIPT: &str = include_str!("../../assets/charts.js");
    let page = setpoint_report::html(&synthetic::dumbbell(10, 60));
    let (drawings, _) = page.rsplit_once("<script>").expect("a script");
    for class in ["time", "ticks", "caption", "event", "unmeasured", "legend", "marks"] {
        assert!(SCRIPT.contains(&format!("\".{class}")), "{class}");
        let mut found = drawings.split("<g class=\"").skip(1).filter_map(|rest| rest.split('"').next());
        assert!(found.any(|classes| classes.split(' ').any(|one| one == class)), "{class}");
    }
    for name in ["series", "time", "at", "gap", "plot"] {
        assert!(SCRIPT.contains(&format!("dataset.{name}")), "{name}");
        assert!(drawings.contains(&format!(" data-{name}=\"")), "{name}");
    }
}

#[test]
fn every_entry_of_a_legend_switches_a_mark() {
    let page = setpoint_report::html(&synthetic::dumbbell(10, 60));
    let drawings = page.split("<g class=\"marks\">").skip(1).filter_map(|rest| rest.split("</svg>").next());
    let legends: Vec<(&str, &str)> =
        drawings.filter_map(|drawing| drawing.split_once("<g class=\"legend\">")).collect();
    assert!(legends.len() >= 4, "{}", legends.len());
    for (marks, legend) in legends {
        for series in legend.split("data-series=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(marks.contains(&format!("data-series=\"{series}\"")), "{series}");
        }
    }
}
