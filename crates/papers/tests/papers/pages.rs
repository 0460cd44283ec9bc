//! Tests of the folder with the generated pages.

use std::fs;
use std::path::Path;

use setpoint_lab::sweep::Unwatched;
use setpoint_papers::{Depth, Experiment, Folder, Paper, Reproduction};

use super::small;

fn write(path: &Path, papers: &[Paper], chosen: &[&Experiment], depth: Depth) {
    let folder = Folder::open(path, papers, chosen).unwrap();
    let add = |finished: setpoint_papers::Finished<'_>| drop(folder.add(&finished).unwrap());
    Reproduction::new(chosen, depth).run(None, &Unwatched, &add).unwrap();
}

/// The content of a page, without styles, scripts and drawings.
pub(crate) fn content(path: &Path) -> String {
    let html = fs::read_to_string(path).unwrap();
    let main = html.split_once("<main").unwrap().1.split_once("</main>").unwrap().0;
    format!("<main{main}</main>")
}

#[test]
fn an_experiment_leaves_a_page_an_index_and_lines() {
    let place = tempfile::tempdir().unwrap();
    let papers = [small::paper()];
    let experiment = &papers[0].experiments[0];
    write(place.path(), &papers, &[experiment], Depth::Full);
    insta::assert_snapshot!("experiment", content(&place.path().join("small/sharing.html")));
    insta::assert_snapshot!("index", content(&place.path().join("index.html")));
    assert_eq!(fs::read_to_string(place.path().join("verdicts.jsonl")).unwrap().lines().count(), 4);
    assert!(!place.path().join("small/again.html").exists());
}

#[test]
fn earlier_experiments_are_kept_and_listed_in_order() {
    let place = tempfile::tempdir().unwrap();
    let papers = [small::paper()];
    let [first, second] = &papers[0].experiments[..] else { panic!("two experiments") };
    write(place.path(), &papers, &[second], Depth::Quick);
    write(place.path(), &papers, &[first], Depth::Quick);
    let lines = fs::read_to_string(place.path().join("verdicts.jsonl")).unwrap();
    let of = |id: &str| lines.lines().position(|line| line.contains(id)).unwrap();
    assert_eq!((of("small/sharing"), of("small/again"), lines.lines().count()), (0, 4, 8));
    let index = content(&place.path().join("index.html"));
    assert!(index.contains("href=\"small/sharing.html\"") && index.contains("href=\"small/again.html\""));
    let page = content(&place.path().join("small/sharing.html"));
    assert!(page.contains("rel=\"next\" href=\"again.html\"") && page.contains("--quick"), "{page}");
    assert!(
        page.contains("quick run")
            && page.contains("if the full run differs: a link carries at most its rate"),
        "{page}"
    );
    assert!(!page.contains(">holds<") && !page.contains(">differs<"), "a quick run gives no verdict: {page}");
    assert!(
        fs::read_dir(place.path().join("small")).unwrap().count() == 2,
        "no partly written files are left"
    );
}

#[test]
fn the_full_size_gives_verdicts_and_is_named() {
    let place = tempfile::tempdir().unwrap();
    let mut paper = small::paper();
    paper.experiments[0].full_size = 2.0;
    let papers = [paper];
    write(place.path(), &papers, &[&papers[0].experiments[0]], Depth::FullSize);
    let page = content(&place.path().join("small/sharing.html"));
    assert!(page.contains("setpoint reproduce small/sharing --full-size"), "{page}");
    assert!(page.contains("full size: times are 2") && page.contains(">holds"), "{page}");
    assert!(content(&place.path().join("index.html")).contains("full size"));
    let lines = fs::read_to_string(place.path().join("verdicts.jsonl")).unwrap();
    assert!(lines.lines().all(|line| line.contains("\"depth\":\"full size\"")), "{lines}");
}

#[test]
fn one_process_writes_pages_and_edited_ones_are_kept() {
    let place = tempfile::tempdir().unwrap();
    let papers = [small::paper()];
    write(place.path(), &papers, &[&papers[0].experiments[0]], Depth::Quick);
    let open = |index: usize| Folder::open(place.path(), &papers, &[&papers[0].experiments[index]]);
    let folder = open(0).unwrap();
    assert!(open(1).unwrap_err().to_string().contains("is in use by process"));
    drop(folder);
    fs::write(place.path().join("small/sharing.html"), "edited").unwrap();
    let error = open(0).unwrap_err().to_string();
    assert!(error.contains("small/sharing.html, which has been edited"), "{error}");
    drop(open(1).unwrap());
    assert_eq!(fs::read_to_string(place.path().join("small/sharing.html")).unwrap(), "edited");
}
