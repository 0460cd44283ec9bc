//! The wording of documents, comments and messages.
//!
//! The phrases below are grammatical, but readers of technical English stumble over them. Each finding comes with a better
//! wording.

use std::fs;
use std::path::{Path, PathBuf};

/// An odd phrase, and what to write instead.
struct Phrase {
    odd: &'static str,
    place: Place,
    better: &'static str,
}

/// Where a phrase is odd.
#[derive(PartialEq, Eq)]
enum Place {
    /// At the beginning of a comment.
    CommentStart,
    /// At the beginning of a documentation comment.
    DocStart,
    /// Anywhere, as whole words.
    Anywhere,
}

const fn at_start(odd: &'static str, better: &'static str) -> Phrase {
    Phrase { odd, place: Place::CommentStart, better }
}

const fn at_doc_start(odd: &'static str, better: &'static str) -> Phrase {
    Phrase { odd, place: Place::DocStart, better }
}

const fn anywhere(odd: &'static str, better: &'static str) -> Phrase {
    Phrase { odd, place: Place::Anywhere, better }
}

const PHRASES: &[Phrase] = &[
    at_start("What ", "a noun or a verb: \"Messages about cells between leaves and spines.\""),
    at_start("How many ", "\"Number of …\": \"Number of spins before a waiting thread yields.\""),
    at_start("How much ", "\"Amount of …\" or \"Share of …\""),
    at_doc_start("Which ", "the noun: \"The frames that a congestion point samples.\""),
    at_doc_start("At which ", "the noun: \"The delays at which the loop is stable.\""),
    at_doc_start("In which ", "the noun: \"The order in which messages are sent.\""),
    at_doc_start("Why ", "\"The reason why …\""),
    anywhere(
        "stands",
        "\"is\", \"is shown\" or \"remains\": \"The estimated run time is shown next to the controls.\"",
    ),
    anywhere("anew", "\"again\""),
    anywhere("from a time on", "the name of the instant: \"after the last sample\""),
    anywhere("ends at a time", "\"before `end`\""),
    anywhere("is told", "\"receives\", or say who sends what: \"the bridge sends the sender a pause\""),
    anywhere("are told", "\"receive\", or say who sends what"),
    anywhere("tells", "\"sends\", \"shows\" or \"says\""),
    anywhere("hears", "\"receives\""),
    anywhere("goes on", "\"continues\" or \"advances\": \"*Step* advances by one sample interval.\""),
    anywhere("go on", "\"continue\""),
    anywhere("is taken to", "\"is assumed to\""),
    anywhere("are taken to", "\"are assumed to\""),
    anywhere("comes to rest", "\"settles\""),
    anywhere("is no more", "\"no longer exists\" or \"has ended\""),
    anywhere("of which there is", "a sentence of its own: \"There is …\""),
    anywhere("but for what", "\"except\""),
    anywhere("derivatives by", "\"derivatives with respect to\""),
    anywhere("to the bit per second", "\"to a whole bit per second\""),
    anywhere(
        "than there are up to",
        "who provides them: \"more marks than the congestion point sets up to Kmax\"",
    ),
    anywhere("is not that of the", "\"differs from\""),
    anywhere("is noted", "\"is recorded\", or name the note: \"there is a note on the point\""),
    anywhere("are noted", "\"are recorded\", or name the note"),
    anywhere("have noted", "\"have recorded\", or name the note"),
    anywhere("won back", "\"regained\""),
    anywhere("fit together and fit", "\"are consistent with each other and with\""),
];

/// Extensions of the files that contain prose.
const EXTENSIONS: [&str; 11] = ["rs", "md", "js", "mjs", "py", "pyi", "ipynb", "toml", "html", "css", "lua"];
/// Folders that contain no prose of this project.
const OTHERS: [&str; 7] = ["target", "node_modules", ".git", "vendor", "snapshots", "results", "fixtures"];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !OTHERS.contains(&&*name) && !name.starts_with('.') {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| EXTENSIONS.iter().any(|own| extension == *own)) {
            found.push(path);
        }
    }
}

/// The text of a comment that takes up a whole line.
fn comment(line: &str) -> Option<&str> {
    text_after(line, &["///", "//!", "//", "#", "--", "/**", "/*"])
}

/// The text of a documentation comment.
fn doc(line: &str) -> Option<&str> {
    text_after(line, &["///", "//!", "/**"])
}

fn text_after<'a>(line: &'a str, starts: &[&str]) -> Option<&'a str> {
    let line = line.trim_start();
    starts.iter().find_map(|start| line.strip_prefix(start)).map(str::trim_start)
}

fn contains_words(line: &str, words: &str) -> bool {
    let is_word = |character: char| character.is_alphanumeric() || "_-".contains(character);
    line.match_indices(words).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + words.len()..]);
        !before.ends_with(is_word) && !after.starts_with(is_word) && !after.starts_with('(')
    })
}

fn is_odd(line: &str, phrase: &Phrase) -> bool {
    match phrase.place {
        Place::CommentStart => comment(line).is_some_and(|text| text.starts_with(phrase.odd)),
        Place::DocStart => doc(line).is_some_and(|text| text.starts_with(phrase.odd)),
        Place::Anywhere => contains_words(line, phrase.odd),
    }
}

#[test]
fn sentences_are_plain() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    files(&root, &mut found);
    assert!(found.len() > 500, "{} files", found.len());
    let mut findings = Vec::new();
    for path in found.iter().filter(|path| !path.ends_with("cli/tests/cli/prose.rs")) {
        let text = fs::read_to_string(path).unwrap();
        let present: Vec<&Phrase> = PHRASES.iter().filter(|phrase| text.contains(phrase.odd)).collect();
        for (number, line) in text.lines().enumerate() {
            for phrase in present.iter().filter(|phrase| is_odd(line, phrase)) {
                let path = path.strip_prefix(&root).unwrap().display();
                let (odd, better) = (phrase.odd.trim_end(), phrase.better);
                findings.push(format!(
                    "{path}:{}: not {odd:?}, but {better}\n    {}",
                    number + 1,
                    line.trim()
                ));
            }
        }
    }
    assert!(findings.is_empty(), "{} odd phrases:\n{}", findings.len(), findings.join("\n"));
}

#[test]
fn phrases_are_found_as_whole_words_only() {
    let word = anywhere("stands", "");
    assert!(is_odd("/// Beside it stands the rate.", &word) && is_odd("it stands", &word));
    assert!(!is_odd("understands", &word) && !is_odd("it.stands()", &word) && !is_odd("stands_alone", &word));
    let start = at_start("What ", "");
    assert!(is_odd("    /// What it sends.", &start) && is_odd("//! What it sends.", &start));
    assert!(!is_odd("let x = 1; // What it sends.", &start) && !is_odd("/// Whatever.", &start));
    let doc = at_doc_start("Which ", "");
    assert!(is_odd("    /// Which frames are sampled.", &doc) && !is_odd("// Which of the two?", &doc));
}
