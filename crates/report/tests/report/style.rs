//! The style sheet against the classes of the page.

use std::collections::BTreeSet;

use crate::{sweep, synthetic};

const CSS: &str = include_str!("../../assets/report.css");

/// The classes of all elements of a kind on a page.
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
