//! Paths, links and test commands in the Markdown documents.

use std::fs;
use std::path::{Path, PathBuf};

fn entries(folder: PathBuf) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// The words of each piece of code, inline or in a block. A block begins and ends with three backticks.
fn words_of_code(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.split('`').skip(1).step_by(2).map(|code| code.split_whitespace().collect())
}

/// The path in the repository that a word of code refers to. A part in capital letters, such as `PAPER`, is a placeholder.
fn cited_path(word: &str) -> Option<&str> {
    let is_placeholder = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_path = ["crates/", "docs/", "python/"].iter().any(|folder| word.starts_with(folder));
    (is_path && !word.split('/').any(is_placeholder)).then_some(word)
}

/// The folder or file of the tests that `cargo test -p PACKAGE --test NAME` runs.
fn cited_test(root: &Path, command: &[&str]) -> Option<PathBuf> {
    let after = |option| command.windows(2).find(|pair| pair[0] == option).map(|pair| pair[1]);
    let (package, name) = (after("-p")?, after("--test")?);
    let folder = if package == "setpoint" { "cli" } else { package.strip_prefix("setpoint-")? };
    let tests = root.join(format!("crates/{folder}/tests/{name}"));
    Some(if tests.is_dir() { tests } else { tests.with_extension("rs") })
}

/// The files that links lead to, relative to the document.
fn linked(text: &str) -> impl Iterator<Item = &str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(['#', ')']).next());
    targets.filter(|target| !target.contains("://"))
}

#[test]
fn documents_cite_only_files_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["", "docs", "docs/algorithms", "python"].map(|folder| root.join(folder));
    let folders = folders.into_iter().chain(entries(root.join("crates")));
    let is_document = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    let (mut cited, mut missing) = (0, Vec::new());
    for document in folders.flat_map(entries).filter(is_document) {
        let text = fs::read_to_string(&document).unwrap();
        let paths = words_of_code(&text).flatten().filter_map(cited_path).map(|path| root.join(path));
        let tests = words_of_code(&text).filter_map(|command| cited_test(&root, &command));
        let links = linked(&text).map(|target| document.parent().unwrap().join(target));
        for path in paths.chain(tests).chain(links) {
            cited += 1;
            if !path.exists() {
                missing.push(format!("{}: {}", document.display(), path.display()));
            }
        }
    }
    assert!(cited > 100, "only {cited} paths found");
    assert!(missing.is_empty(), "there are no such files:\n{}", missing.join("\n"));
}
