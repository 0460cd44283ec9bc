//! Reads a file with everything it extends, and applies settings.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use setpoint_suggest::did_you_mean;

use super::builtin::builtin;
use super::diagnostics::{Diagnostics, Problem, Problems};
use super::flatten::{flatten, quoted};
use super::format::{self, Root};
use super::merge;
use super::overrides::{self, Override};
use super::source::{Files, Source};
use super::tree::{self, Item, Table, Value};

/// Maximum depth of `extends`: more than anyone needs, but small enough not to overflow any stack.
const MAX_DEPTH: usize = 16;

/// A scenario whose keys and kinds are valid, before it is resolved.
#[derive(Debug)]
pub(crate) struct ScenarioFile {
    /// The text as it was read, or merged with the files that it extends.
    pub(crate) text: String,
    /// The merged files without settings, `extends` and `sweep`.
    pub(crate) base: Item,
    /// The keys, with settings.
    pub(crate) root: Root,
}

impl ScenarioFile {
    /// Reads a source with all files that it extends, and applies settings.
    pub(crate) fn read(
        source: &Arc<Source>,
        overrides: &[Override],
        files: &dyn Files,
    ) -> Result<Self, Diagnostics> {
        let mut chain = Vec::new();
        let mut base = read_chain(source, files, &mut chain)?;
        let text = match &chain[..] {
            [_] => source.text.clone(),
            chain => put_together(source, chain, &base),
        };
        let mut tree = base.clone();
        overrides::apply(&mut tree, overrides)?;
        let root = Root::of(&tree)?;
        if let Value::Table(table) = &mut base.value {
            table.remove(root.sweep.name());
        }
        Ok(Self { text, base, root })
    }
}

/// The text of a file merged with all files that it extends, so that a result can be reproduced even if the files
/// change.
fn put_together(source: &Source, chain: &[PathBuf], tree: &Item) -> String {
    let names: Vec<String> = chain.iter().map(|file| file_name(file)).collect();
    let intro = format!("# {}, merged with the files that it extends: {}\n", names[0], names[1..].join(", "));
    // A scenario without a name is named after its file, but this text is not a file.
    let named = matches!(&tree.value, Value::Table(table) if table.find("name").is_some());
    let name = if named { String::new() } else { format!("name = {}\n", quoted(&source.stem())) };
    format!("{intro}{name}{}", flatten(tree))
}

fn file_name(file: &Path) -> String {
    file.file_name().unwrap_or(file.as_os_str()).display().to_string().replace(char::is_control, " ")
}

fn read_chain(
    source: &Arc<Source>,
    files: &dyn Files,
    above: &mut Vec<PathBuf>,
) -> Result<Item, Diagnostics> {
    above.push(source.identity(files));
    let mut problems = Problems::default();
    let mut tree = tree::read(source, &mut problems);
    problems.check()?;
    merge::normalise(&mut tree, format::root());
    let Some(base) = extended(&mut tree) else { return Ok(tree) };
    let Value::Text(target) = &base.value else {
        return Err(shape_of_extends(&base).into());
    };
    let next = source.relative(target, files).map_err(|reason| {
        let problem = Problem::at(&base.place, format!("cannot extend {target:?}: {reason}"), "");
        let names = builtin().iter().map(|builtin| builtin.name);
        problem
            .help_if(did_you_mean(target.trim_end_matches(".toml"), names))
            .help("give a path relative to this file, or a built-in name such as \"default\"")
    })?;
    check_chain(&base, target, &next.identity(files), above)?;
    let mut merged = read_chain(&Arc::new(next), files, above)?;
    // A scenario that extends another keeps its own name, or takes the name of its file.
    if let Value::Table(table) = &mut merged.value {
        table.entries.retain(|entry| entry.key != "name" && entry.key != "description");
    }
    merge::merge(&mut merged, tree, Some(format::root()));
    Ok(merged)
}

fn extended(tree: &mut Item) -> Option<Item> {
    match &mut tree.value {
        Value::Table(table) => Table::remove(table, "extends").map(|entry| entry.item),
        _ => None,
    }
}

fn shape_of_extends(base: &Item) -> Problem {
    let message = format!("`extends` is {}, but must be a string", base.value.kind());
    Problem::at(&base.place, message, "expected the name of a scenario")
}

fn check_chain(base: &Item, target: &str, next: &Path, above: &[PathBuf]) -> Result<(), Problem> {
    if let Some(start) = above.iter().position(|file| file == next) {
        let chain: Vec<String> = above[start..].iter().map(|file| file_name(file)).collect();
        let message = match &chain[..] {
            [_] => format!("{target:?} extends itself"),
            _ => format!("{target:?} extends itself: {} -> {}", chain.join(" -> "), chain[0]),
        };
        return Err(Problem::at(&base.place, message, "this closes a cycle")
            .help("move the common part into a file that extends none of them"));
    }
    if above.len() >= MAX_DEPTH {
        return Err(Problem::at(
            &base.place,
            format!("the chain of extended files is longer than {MAX_DEPTH}"),
            "",
        ));
    }
    Ok(())
}
