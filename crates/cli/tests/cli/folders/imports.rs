//! The modules that the source files of a crate import from.

use std::collections::BTreeMap;

/// The path of a module from the root of its crate.
pub(super) type Module = Vec<String>;

/// The source files of a crate by module, without their tests.
pub(super) struct Sources(pub(super) BTreeMap<Module, String>);

/// Maximum length of a chain of re-exports.
const LONGEST_CHAIN: usize = 16;

impl Sources {
    /// Pairs of a module and another module whose items it uses.
    pub(super) fn imports(&self) -> Vec<(Module, Module)> {
        let used: BTreeMap<&Module, Vec<Module>> =
            self.0.iter().map(|(module, text)| (module, self.used(module, text))).collect();
        let mut imports = Vec::new();
        for (module, paths) in &used {
            for path in paths {
                let target = Self::defining(&used, path, LONGEST_CHAIN);
                if target != **module {
                    imports.push(((*module).clone(), target));
                }
            }
        }
        imports
    }

    /// The absolute paths within the crate that a module mentions.
    fn used(&self, module: &Module, text: &str) -> Vec<Module> {
        let mut body = without_tests(&code(text));
        let mut paths = Vec::new();
        while let Some((at, end)) = use_item(&body) {
            expand(&body[at + "use ".len()..end], &mut paths);
            body.replace_range(at..=end, "");
        }
        let is_path = |character: char| character.is_alphanumeric() || "_:".contains(character);
        let words = body.split(|character| !is_path(character));
        paths.extend(words.filter(|word| word.contains("::")).map(str::to_owned));
        paths.iter().filter_map(|path| self.absolute(module, path)).collect()
    }

    /// A path from the root of the crate; none if it leads to another crate.
    fn absolute(&self, module: &Module, path: &str) -> Option<Module> {
        let mut parts = path.split("::").filter(|part| !part.is_empty()).map(str::to_owned).peekable();
        let mut absolute = module.clone();
        match parts.peek()?.as_str() {
            "crate" => absolute.clear(),
            "self" | "super" => {}
            first => {
                let child = [&module[..], &[first.to_owned()]].concat();
                return self
                    .0
                    .contains_key(&child)
                    .then(|| [&module[..], &parts.collect::<Vec<_>>()].concat());
            }
        }
        for part in parts {
            match part.as_str() {
                "crate" | "self" | "*" => {}
                "super" => drop(absolute.pop()?),
                _ => absolute.push(part),
            }
        }
        Some(absolute)
    }

    /// The module that defines the item at a path, which other modules may re-export.
    fn defining(used: &BTreeMap<&Module, Vec<Module>>, path: &[String], chain: usize) -> Module {
        let known =
            (0..=path.len()).rev().find(|length| used.contains_key(&path[..*length].to_vec())).unwrap_or(0);
        let module = path[..known].to_vec();
        let Some(name) = path.get(known).filter(|_| chain > 0) else { return module };
        let origin = used.get(&module).into_iter().flatten();
        let origin =
            origin.filter(|origin| **origin != path[..=known]).find(|origin| origin.last() == Some(name));
        match origin {
            Some(origin) => Self::defining(used, &[&origin[..], &path[known + 1..]].concat(), chain - 1),
            None => module,
        }
    }
}

/// The text without comments and literals.
fn code(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let hashes = rest[1..].bytes().take_while(|byte| *byte == b'#').count();
        let is_raw = first == 'r' && rest.get(hashes + 1..).is_some_and(|rest| rest.starts_with('"'));
        let skipped = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            'r' if is_raw && !code.ends_with(char::is_alphanumeric) => {
                let end = format!("\"{}", "#".repeat(hashes));
                rest[hashes + 2..].find(&end).map_or(rest.len(), |at| at + hashes + 2 + end.len())
            }
            '"' => literal(rest, '"'),
            '\'' if rest.starts_with("'\\") || rest.chars().nth(2) == Some('\'') => literal(rest, '\''),
            _ => 0,
        };
        if skipped == 0 {
            code.push(first);
        }
        rest = &rest[skipped.max(first.len_utf8())..];
    }
    code
}

/// The length of a literal between quotes at the beginning of a text.
fn literal(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Removes items that are compiled for tests only.
fn without_tests(code: &str) -> String {
    let mut code = code.to_owned();
    while let Some(at) = code.find("#[cfg(test)]") {
        let end = code[at..].find(['{', ';']).map_or(code.len(), |end| at + end);
        let end =
            if code[end..].starts_with('{') { end + block(&code[end..]) } else { code.len().min(end + 1) };
        code.replace_range(at..end, "");
    }
    code
}

/// The length of the block in braces at the beginning of a text.
fn block(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 1 => return at + 1,
            '}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// The begin and the semicolon of the first use declaration.
fn use_item(code: &str) -> Option<(usize, usize)> {
    let is_item = |at: &usize| {
        !code[..*at].ends_with(|character: char| character.is_alphanumeric() || character == '_')
    };
    let at = code.match_indices("use ").map(|(at, _)| at).find(is_item)?;
    Some((at, at + code[at..].find(';')?))
}

/// The paths of a tree of imports.
fn expand(tree: &str, paths: &mut Vec<String>) {
    let tree = tree.trim();
    let Some(at) = tree.find('{') else {
        let path = tree.split(" as ").next().unwrap_or_default();
        paths.push(path.split_whitespace().collect());
        return;
    };
    let inner = &tree[at + 1..at + block(&tree[at..]) - 1];
    let mut depth = 0_usize;
    let branches = inner.split(|character| {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        character == ',' && depth == 0
    });
    for branch in branches.map(str::trim).filter(|branch| !branch.is_empty()) {
        expand(&format!("{}{branch}", &tree[..at]), paths);
    }
}
