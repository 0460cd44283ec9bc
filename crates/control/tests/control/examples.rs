//! Every public type of `units` and `control` has an example in its documentation.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder exists") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The name of the public type that a line declares, by itself or inside `choice!` or `parameters!`. `before` is the last
/// line before its attributes.
fn declared(line: &str, before: &str) -> Option<String> {
    let words: Vec<&str> = line.split([' ', '(', '<', ':', '{']).filter(|word| !word.is_empty()).collect();
    let name = match words[..] {
        ["pub", "struct" | "enum" | "trait", name, ..] => name,
        [_, name, "=", prefix, ..] if prefix.starts_with('"') && line.trim_end().ends_with(['{', '(']) => {
            name
        }
        [name] if before == "choice! {" => name,
        _ => return None,
    };
    name.starts_with(char::is_uppercase).then(|| name.to_owned())
}

fn is_attribute(line: &str) -> bool {
    ["///", "#[", "// "].iter().any(|start| line.trim_start().starts_with(start))
}

fn without_example(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut missing = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let begin =
            lines[..index].iter().rposition(|line| !is_attribute(line)).map_or(0, |before| before + 1);
        let before = begin.checked_sub(1).map_or("", |before| lines[before]);
        let example = lines[begin..index].iter().any(|line| line.contains("```"));
        missing.extend(declared(line, before).filter(|_| !example));
    }
    missing
}

#[test]
fn every_public_type_has_an_example() {
    let mut missing = Vec::new();
    for folder in ["src", "../units/src"] {
        let mut files = Vec::new();
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut files);
        files.sort();
        for file in files {
            let text = fs::read_to_string(&file).expect("a readable file");
            missing.extend(without_example(&text).into_iter().map(|name| (file.display().to_string(), name)));
        }
    }
    assert!(missing.is_empty(), "types without an example: {missing:#?}");
}

#[test]
fn types_without_an_example_are_found() {
    assert_eq!(without_example("/// A point.\n#[derive(Debug)]\npub struct Point(u32);\n"), ["Point"]);
    assert_eq!(without_example("/// ```\n/// ```\npub enum Shape {\n"), [""; 0]);
    assert_eq!(without_example("choice! {\n    /// How.\n    Way {\n"), ["Way"]);
    assert_eq!(without_example("choice! {\n    /// How.\n    Way in qcn {\n"), [""; 0]);
    assert_eq!(
        without_example("        /// Of a point.\n        cp: CpParams = \"qcn.cp\" {\n"),
        ["CpParams"]
    );
    assert_eq!(without_example("    /// Of all.\n    pub struct Params = \"afd.cp\" {\n"), ["Params"]);
}
