//! Words in a shell script.

use std::path::Path;

use crate::failure::Failure;

/// Quotes a word so that the shell, and `sbatch` in its own lines of a script, read it literally.
pub(super) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./=:,@%+-".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// Words separated by spaces.
pub(super) fn line(words: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let words: Vec<String> = words.into_iter().map(|word| quoted(word.as_ref())).collect();
    words.join(" ")
}

/// A path as text for a script.
pub(in crate::command) fn text(path: &Path) -> Result<&str, Failure> {
    path.to_str().ok_or_else(|| {
        Failure::Usage(format!("{} cannot be part of a batch script: its name is not UTF-8", path.display()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_when_necessary() {
        assert_eq!(line(["sweep", "lab.toml", "--set=a.b=1"]), "sweep lab.toml --set=a.b=1");
        assert_eq!(
            line(["my lab.toml", "", "it's", "$HOME", "a\nb"]),
            "'my lab.toml' '' 'it'\\''s' '$HOME' 'a\nb'"
        );
        assert_eq!(quoted("~"), "'~'");
    }

    #[cfg(unix)]
    #[test]
    fn the_shell_reads_what_was_quoted() {
        let hostile = "it's \"a\" `b` $c \\ d* ~ # é\n!";
        let script = format!("printf %s {}", quoted(hostile));
        let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), hostile);
    }
}
