//! `setpoint site`.

use std::fs;

use super::support::{Place, names};

#[test]
fn a_site_is_written_replaced_and_never_overwrites_foreign_files() {
    let place = Place::new();
    let printed = place.setpoint(&["site", "public"]).printed().to_owned();
    assert!(printed.contains("public/index.html"), "{printed}");
    let files = names(&place.path("public"));
    assert_eq!(files, ["assets", "book", "files.json", "index.html", "papers", "worker.js"]);
    fs::write(place.path("public/index.html"), "edited").unwrap();
    let refused = place.setpoint(&["site", "public"]);
    assert!(
        refused.complained(1).contains("contains index.html, which has been edited"),
        "{}",
        refused.stderr
    );
    assert_eq!(fs::read_to_string(place.path("public/index.html")).unwrap(), "edited");
}

#[test]
fn only_pages_of_other_commands_are_included() {
    let place = Place::new();
    fs::create_dir_all(place.path("other/smcc")).unwrap();
    let refused = place.setpoint(&["site", "public", "--include", "other"]);
    let message = refused.complained(2);
    assert!(message.contains("other contains no pages of `reproduce`, `league` or `atlas`"), "{message}");
    place.write("other/verdicts.jsonl", "");
    place.write("other/smcc/fig05.html", "<main></main>");
    let refused = place.setpoint(&["site", "public", "--include", "other"]);
    let message = refused.complained(2);
    assert!(message.contains("run `setpoint reproduce smcc/fig05` again"), "{message}");
    assert!(!place.path("public").exists());
}
