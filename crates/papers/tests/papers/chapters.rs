//! The scenarios in the chapters on algorithms can be run as printed.

use std::path::Path;

use setpoint_scenario::{Scenario, Source};

/// The TOML blocks on a page.
fn scenarios(page: &str) -> Vec<&str> {
    page.split("```toml\n").skip(1).filter_map(|rest| rest.split_once("```")).map(|(text, _)| text).collect()
}

#[test]
fn scenarios_of_chapters_can_be_prepared() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/algorithms");
    let mut found = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let page = std::fs::read_to_string(&path).unwrap();
        for text in scenarios(&page) {
            let loaded = Scenario::load(&Source::new("chapter", text), &[]);
            let prepared = loaded.and_then(|scenario| scenario.prepare(1));
            assert!(prepared.is_ok(), "{}:\n{}", path.display(), prepared.unwrap_err());
            found += 1;
        }
    }
    assert!(found > 0, "the chapter on occupancy sampling has one");
}
