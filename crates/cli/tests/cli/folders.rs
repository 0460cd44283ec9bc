//! Imports between the folders of a crate: two folders, or a folder and a file next to it, must not import from each other,
//! directly or through others.

mod imports;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use imports::{Module, Sources};

/// The parts of a folder, and the parts from which each imports.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// Circles of imports among the parts of each folder that include a folder, as the names of these parts.
fn circles(sources: &Sources) -> Vec<String> {
    let imports = sources.imports();
    let folders: BTreeSet<&[String]> =
        sources.0.keys().flat_map(|module| (0..module.len()).map(|length| &module[..length])).collect();
    let circle = |folder: &&[String]| {
        let graph = graph(folder, &imports);
        let circular: BTreeSet<&String> =
            graph.keys().filter(|part| reached(&graph, part).contains(*part)).collect();
        let is_folder = |part: &&&String| folders.contains(&[*folder, &[(**part).clone()]].concat()[..]);
        let begin = circular.iter().find(is_folder)?;
        let among = reached(&graph, begin);
        let among: Vec<&str> =
            circular.iter().filter(|part| among.contains(**part)).map(|part| part.as_str()).collect();
        Some(format!("{}/: {}", folder.join("/"), among.join(", ")))
    };
    folders.iter().filter_map(circle).collect()
}

/// The imports among the parts of a folder.
fn graph(folder: &[String], imports: &[(Module, Module)]) -> Graph {
    let part = |module: &Module| module.strip_prefix(folder).and_then(|rest| rest.first().cloned());
    let mut graph = Graph::new();
    for (from, to) in imports {
        if let (Some(from), Some(to)) = (part(from), part(to))
            && from != to
        {
            graph.entry(from).or_default().insert(to);
        }
    }
    graph
}

/// The parts from which a part imports, directly or through others.
fn reached(graph: &Graph, part: &str) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&String> = graph.get(part).into_iter().flatten().collect();
    while let Some(next) = open.pop() {
        if reached.insert(next.clone()) {
            open.extend(graph.get(next).into_iter().flatten());
        }
    }
    reached
}

/// The source files below a folder; files of tests are left out.
fn read(folder: &Path, module: &Module, sources: &mut Sources) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let is_root = ["mod", "lib", "main"].contains(&&*name);
        let mut inner = module.clone();
        inner.extend((!is_root).then(|| name.clone()));
        if name == "tests" {
        } else if path.is_dir() {
            read(&path, &inner, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.0.insert(inner, fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn folders_do_not_import_from_each_other_in_circles() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let crates = fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let mut found = Vec::new();
    let mut modules = 0;
    for folder in crates.chain(["python", "browser"].map(|name| root.join(name))) {
        let mut sources = Sources(BTreeMap::new());
        read(&folder.join("src"), &Vec::new(), &mut sources);
        modules += sources.0.len();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        found.extend(circles(&sources).into_iter().map(|circle| format!("{name}: {circle}")));
    }
    assert!(modules > 500, "{modules} modules");
    assert!(found.is_empty(), "folders that import from each other:\n{}", found.join("\n"));
}

/// A crate with the given files, as pairs of a path and a text.
fn sources(files: &[(&str, &str)]) -> Sources {
    let module = |path: &str| path.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
    Sources(files.iter().map(|(path, text)| (module(path), (*text).to_owned())).collect())
}

#[test]
fn circles_are_found_through_re_exports() {
    let root = "mod rules;\nmod list;\npub use list::{Entry, other::Name};";
    let list = "//! Uses `crate::rules`.\nuse crate::rules::{self, Rule};";
    let inner = "fn limit() -> &'static str { \"crate::list\" }\nuse crate::{Entry as Row};";
    let files = [("", root), ("list", list), ("rules", "pub struct Rule;"), ("rules/inner", inner)];
    assert_eq!(circles(&sources(&files)), ["/: list, rules"]);
    let harmless = inner.replace("use crate::{Entry as Row};", "");
    let files = [files[0], files[1], files[2], ("rules/inner", harmless.as_str())];
    assert_eq!(circles(&sources(&files)), Vec::<String>::new());
}

#[test]
fn tests_and_circles_of_files_are_ignored() {
    let tests = "#[cfg(test)]\nmod tests {\n    use crate::one::Thing;\n}";
    let files = [("one", "use super::two::inner::Item;"), ("two", tests), ("two/inner", "pub struct Item;")];
    assert_eq!(circles(&sources(&files)), Vec::<String>::new());
    let files = [("one", "use crate::two::Item;"), ("two", "use crate::one::Thing;")];
    assert_eq!(circles(&sources(&files)), Vec::<String>::new());
    let files = [("one/deep", "use super::super::two::Item;"), ("two", "use crate::one::deep::Thing;")];
    assert_eq!(circles(&sources(&files)), ["/: one, two"]);
}
