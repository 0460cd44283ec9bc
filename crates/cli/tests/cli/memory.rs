//! `--memory`, and the memory that `check` reports.

use crate::support::{Place, SHORT};

#[test]
fn a_run_that_may_need_too_much_is_refused_before_it_begins() {
    let place = Place::new();
    let refused = place.setpoint(&[&["run", "--memory", "1MB"], &SHORT[..]].concat());
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("above the limit of 1 MB (`--memory`)"), "{}", refused.stderr);
    assert!(!place.path("results").exists());
    let seeds = place.setpoint(&[&["run", "--seeds", "2", "--memory", "1MB"], &SHORT[..]].concat());
    assert_eq!(seeds.code, Some(1));
    assert_eq!(seeds.stderr.matches("(`--memory`)").count(), 2, "{}", seeds.stderr);
}

#[test]
fn check_shows_what_needs_memory() {
    let place = Place::new();
    let ended = place.setpoint_at_width(200, &["check", "default"]);
    let line = ended.printed().lines().find(|line| line.starts_with("memory")).unwrap().to_owned();
    assert!(line.contains("at most") && line.contains("for series"), "{line}");
}
