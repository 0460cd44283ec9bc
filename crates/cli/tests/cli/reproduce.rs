//! `reproduce`.

use crate::support::{Place, names};

#[test]
fn the_experiments_are_listed() {
    let place = Place::new();
    let printed = place.setpoint_at_width(100, &["reproduce", "--list"]);
    assert!(printed.printed().contains("smcc/fig05"), "{}", printed.stdout);
    let one = place.setpoint_at_width(100, &["reproduce", "--list", "smcc/fig05"]);
    insta::assert_snapshot!("list_of_one", one.printed());
    assert!(names(place.folder()).is_empty(), "nothing is run");
}

#[test]
fn an_unknown_experiment_gets_a_suggestion() {
    let place = Place::new();
    let ended = place.setpoint(&["reproduce", "smcc/fig50"]);
    insta::assert_snapshot!(ended.complained(2), @r#"error: there is no experiment or paper "smcc/fig50"; did you mean `smcc/fig05` or `smcc/fig20`?"#);
    assert!(names(place.folder()).is_empty());
}

#[test]
fn a_short_version_leaves_pages_and_lines() {
    let place = Place::new();
    let ended = place.setpoint(&["reproduce", "smcc/fig05", "--quick", "--json", "--out", "pages"]);
    let lines: Vec<serde_json::Value> =
        ended.printed().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 9);
    assert!(lines.iter().all(|line| line["experiment"] == "smcc/fig05" && line["seeds"] == 8));
    assert!(lines.iter().all(|line| line["verdict"] == "quick run"), "{}", ended.stdout);
    assert_eq!(names(&place.path("pages")), ["files.json", "index.html", "smcc", "verdicts.jsonl"]);
    assert_eq!(std::fs::read_to_string(place.path("pages/verdicts.jsonl")).unwrap(), ended.stdout);
    let page = std::fs::read_to_string(place.path("pages/smcc/fig05.html")).unwrap();
    assert!(page.contains("setpoint reproduce smcc/fig05 --quick"));
    assert!(page.len() < 1_000_000, "{}", page.len());
}

#[test]
fn claims_are_shown_with_their_statements_and_seeds() {
    let place = Place::new();
    let arguments = ["reproduce", "smcc/fig05", "--quick", "--threads", "2"];
    let ended = place.setpoint(&arguments);
    let text = ended.printed();
    assert!(text.starts_with("smcc/fig05 "), "{text}");
    assert_eq!(text.matches("  holds for ").count(), 9, "{text}");
    assert_eq!(text.matches(" of 8 seeds: ").count(), 9, "{text}");
    assert_eq!(text.matches("    expected ").count(), 9, "{text}");
    assert!(text.contains("results/reproduce/index.html"), "{text}");
    assert!(place.path("results/reproduce/smcc/fig05.html").exists());
}
