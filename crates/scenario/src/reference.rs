//! The reference for all keys, as Markdown.

use std::fmt::Write;

use setpoint_control::parameter::Percent;

use super::builtin::builtin;
use super::format::{self, Fallback, Field, Shape};

const INTRODUCTION: &str = "\
# Scenario files

<!-- Generated from the key declarations; `cargo test -p setpoint-scenario` fails if this page is out of date. -->

A scenario is a TOML file. Three rules cover most of it:

- **Every quantity is a string with its unit**: `\"10 Gb/s\"`, `\"150 kB\"`, `\"15 ms\"`, `\"2.4 us\"`. A number
  without a unit is an error. Times: s, ms, us or µs, ns, ps. Rates: Tb/s, Gb/s, Mb/s, kb/s, b/s. Sizes: GB, MB, kB, B (and
  GiB, MiB, KiB). All other multiples are decimal. The delay of a link can also be the length of its cable (km, m, cm, mm):
  `\"100 m\"` is 500 ns.
- **Alternatives are tables named by their kind**: `[topology.dumbbell]`, `[control.qcn]`, `traffic = { constant = { rate =
  \"1 Gb/s\" } }`. A kind with only default values can be given by name: `flow_control = \"pfc\"`.
- **Names can be patterns**: `*` matches any text, `?` any character, `{1..8}` any number from 1 to 8, `{1..8..2}` every
  second number.

`--set KEY=VALUE`, `--axis KEY=VALUES` and the axes of a `[sweep]` use dotted keys: `topology.dumbbell.senders`,
`control.qcn.cp.set_point`. The first entry of `[[flows]]` is `flows.1`. `--set` removes the axis of the same key from the sweep;
`--axis` adds an axis or replaces the axis of the same key. `setpoint check FILE` shows what is wrong with a file.

A scenario has one algorithm, one topology and one kind of flow control. `--set control=smcc`, an axis over `control` and
a `[control.smcc]` table in a file that extends another all replace the previous kind along with all its keys. A key that
belongs to a kind, as in `--set control.qcn.cp.set_point=20kB`, must belong to the kind that the scenario uses; a key of
another kind is an error. The order of the `--set` options does not matter, except that the last of several values for
one key applies. If a scenario does not choose a kind, setting a key of a kind chooses that kind.
";

/// The reference page: every key with its values, default and meaning.
pub fn reference() -> String {
    let mut page = String::from(INTRODUCTION);
    page.push_str("\n## Built-in scenarios\n\n`extends`, `run` and `new` accept these names.\n\n| name | content |\n|---|---|\n");
    for builtin in builtin() {
        let _ = writeln!(page, "| `{}` | {} |", builtin.name, builtin.title);
    }
    page.push_str("\n## Top-level keys\n\n");
    section(format::root(), "", &[], &mut page);
    page
}

/// Minimum number of common keys for which a kind refers to an earlier one instead of repeating them.
const REFERRED: usize = 5;

/// A table of the keys that have no keys below them, followed by a section for each of the others. Keys that an earlier kind of
/// the same choice also has, with the same values, default and meaning, are only listed by name.
fn section(field: &Field, prefix: &str, earlier: &[Field], page: &mut String) {
    let owner = prefix.split('.').nth(1).unwrap_or_default();
    let (borrowed, own): (Vec<&Field>, Vec<&Field>) =
        field.fields().iter().partition(|inner| lender(inner).is_some_and(|lender| lender != owner));
    let here: Vec<&Field> = own.into_iter().filter(|inner| inner.fields().is_empty()).collect();
    let is_choice = matches!(field.shape, Shape::OneOf(_));
    let relative = relative(&here, earlier);
    let (common, here): (Vec<&Field>, Vec<&Field>) = match relative {
        Some(relative) => here.into_iter().partition(|inner| has(relative, inner)),
        None => (Vec::new(), here),
    };
    if !here.is_empty() && !is_choice {
        page.push_str("| key | value | default | meaning |\n|---|---|---|---|\n");
        for inner in here {
            let _ = writeln!(page, "| {} |", row(inner).join(" | "));
        }
        page.push('\n');
    }
    if let Some(relative) = relative.filter(|_| !common.is_empty()) {
        let names: Vec<String> = common.iter().map(|inner| format!("`{}`", inner.name)).collect();
        let choice = prefix.rsplit_once('.').map_or("", |(choice, _)| choice);
        let _ = writeln!(page, "As in `[{choice}.{}]`: {}.\n", relative.name, names.join(", "));
    }
    if let Some(lender) = borrowed.first().and_then(|inner| lender(inner)) {
        let _ = writeln!(page, "The keys of `[control.{lender}.{}]` apply as well.\n", field.name);
    }
    for (place, inner) in field.fields().iter().enumerate() {
        if !is_choice && inner.fields().is_empty() {
            continue;
        }
        let earlier = if is_choice { &field.fields()[..place] } else { &[] };
        let name =
            if prefix.is_empty() { inner.name.to_string() } else { format!("{prefix}.{}", inner.name) };
        let level = if prefix.is_empty() { "##" } else { "###" };
        let title = match inner.shape {
            Shape::Entries(_) => format!("`[[{name}]]`"),
            Shape::OneOf(_) => format!("`{name}`"),
            _ => format!("`[{name}]`"),
        };
        let _ = writeln!(page, "{level} {title}\n\n{}{}\n", inner.doc, default_sentence(inner));
        if name == "at.rp" {
            page.push_str("The keys are those of the `rp` table of the algorithm in use, such as `[control.qcn.rp]`.\n\n");
        } else {
            section(inner, &name, earlier, page);
        }
    }
}

/// The earlier kind that has the most of these keys in common; none if it has too few to be worth a reference.
fn relative<'a>(keys: &[&Field], earlier: &'a [Field]) -> Option<&'a Field> {
    let common = |one: &Field| keys.iter().filter(|key| has(one, key)).count();
    // In case of a tie, the first kind is chosen, because it is the one that lists the keys.
    earlier.iter().rev().max_by_key(|one| common(one)).filter(|one| common(one) >= REFERRED)
}

/// Whether a kind has a key with the same values, default and meaning.
fn has(kind: &Field, key: &Field) -> bool {
    kind.fields().iter().any(|inner| inner.fields().is_empty() && row(inner) == row(key))
}

/// The algorithm to which a parameter belongs.
fn lender(field: &Field) -> Option<&'static str> {
    match &field.shape {
        Shape::Parameter(parameter) => parameter.key.split('.').next(),
        _ => None,
    }
}

fn with_words(kind: &str, words: &[&str]) -> String {
    words.iter().fold(String::from(kind), |text, word| format!("{text} or `{word}`"))
}

fn default_sentence(field: &Field) -> String {
    match (&field.shape, &field.fallback) {
        (Shape::OneOf(_), Fallback::Value(name)) => format!(" Default: `{name}`."),
        (_, Fallback::Derived(words)) if !words.is_empty() => format!(" Default: {words}."),
        _ => String::new(),
    }
}

fn row(field: &Field) -> [String; 4] {
    let default = match &field.fallback {
        Fallback::Required => String::from("**required**"),
        Fallback::Value(text) if text.is_empty() => String::from("empty"),
        Fallback::Value(text) => format!("`{text}`"),
        Fallback::Derived(words) => (*words).to_string(),
    };
    let meaning = match field.origin {
        "" => field.doc.to_string(),
        origin => format!("{} *Origin: {origin}.*", field.doc),
    };
    let expected = match &field.shape {
        Shape::Choice(words) => words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "),
        // Examples of quantities are at the beginning of the page.
        Shape::Time(words) => with_words("a time", words),
        Shape::Delay => String::from("a time or a cable length"),
        Shape::Rate(words) => with_words("a rate", words),
        Shape::Size(words) => with_words("a size", words),
        Shape::Percent(least) => format!("a percentage from {least} % to {}", Percent::MAX),
        shape => shape.expected(),
    };
    [format!("`{}`", field.name), expected.replace('|', "\\|"), default, meaning.replace('|', "\\|")]
}
