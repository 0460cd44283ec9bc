//! The command that repeats a run.

use setpoint_record::results::Manifest;

/// A file name for a scenario that needs no quoting.
pub(super) fn file_name(scenario: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c.to_ascii_lowercase() } else { '-' }
    };
    let name: String = scenario.chars().take(60).map(plain).collect();
    let name = name.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
    if name.is_empty() { "scenario.toml".into() } else { format!("{name}.toml") }
}

/// The command, with the overrides. A seed among the overrides is the seed of the first of several runs, so it is
/// omitted.
pub(super) fn repeat(manifest: &Manifest, file: &str) -> String {
    let mut command = format!("setpoint run {file} --seed {}", manifest.seed);
    for (key, value) in manifest.overrides.iter().filter(|(key, _)| key != "seed") {
        command += &format!(" --set {}", shell_word(&format!("{key}={value}")));
    }
    command
}

/// A word of a shell command, quoted if necessary.
pub fn shell_word(word: &str) -> String {
    let plain =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '=' | '/' | ':' | ',' | '+');
    if !word.is_empty() && word.chars().all(plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(shell_word("qcn.cp.weight=2"), "qcn.cp.weight=2");
        assert_eq!(shell_word("set_point=26 kB"), "'set_point=26 kB'");
        assert_eq!(shell_word("name=it's; rm -rf /"), r"'name=it'\''s; rm -rf /'");
    }

    #[test]
    fn a_file_is_named_after_its_scenario() {
        assert_eq!(file_name("Dumbbell, 10 senders"), "dumbbell-10-senders.toml");
        assert_eq!(file_name("../../<script>"), "script.toml");
        assert_eq!(file_name("…"), "scenario.toml");
    }
}
