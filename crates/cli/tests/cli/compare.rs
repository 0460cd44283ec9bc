//! `compare`.

use crate::support::{Place, SHORT};

#[test]
fn a_page_compares_two_results() {
    let place = Place::new();
    for (folder, control) in [("one", "qcn"), ("other", "smcc")] {
        let set = format!("control={control}");
        let arguments = [&["run", "-q", "-o", folder, "--set", &set][..], &SHORT].concat();
        place.setpoint(&arguments).printed();
    }
    let ended = place.setpoint(&["compare", "one", "other", "-o", "page"]);
    assert_eq!(ended.printed(), "page  page/compare.html\n");
    let page = std::fs::read_to_string(place.path("page/compare.html")).unwrap();
    for text in [
        "qcn-dumbbell: control=qcn",
        "Longest queue",
        "Throughput of all flows",
        "What differs",
        "<div>smcc</div>",
    ] {
        assert!(page.contains(text), "{text}");
    }
    place.setpoint(&["compare", "one", "other", "-q", "-o", "page"]).printed();
    let again = std::fs::read_to_string(place.path("page/compare.html")).unwrap();
    assert_eq!(page, again, "the same results give the same page");
}

#[test]
fn what_cannot_be_compared_is_said() {
    let place = Place::new();
    assert!(place.setpoint(&["compare", "one"]).complained(2).contains("2 values required"));
    let ended = place.setpoint(&["compare", "one", "other"]);
    assert!(ended.complained(1).contains("one"), "{}", ended.stderr);
    assert!(!place.path("results").exists());
}
