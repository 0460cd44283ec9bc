//! Wrapped and sanitised text.

use console::measure_text_width;
use setpoint_units::spelling::arrows;

/// Text without control characters, since names come from files.
pub(crate) fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

/// The name of a port or queue, or the label of an event, with a real arrow.
pub(crate) fn port(name: &str) -> String {
    arrows(&plain(name))
}

/// Text in lines of at most `width` columns; a longer word gets its own line.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        match lines.last_mut() {
            Some(line) if measure_text_width(line) + 1 + measure_text_width(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Wrapped and indented text.
pub(crate) fn indented(text: &str, indent: usize, width: usize) -> String {
    let lines = wrapped(text, width.saturating_sub(indent));
    lines.iter().map(|line| format!("{:indent$}{line}\n", "")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_kept_whole() {
        assert_eq!(wrapped("a bb ccc dddd", 6), ["a bb", "ccc", "dddd"]);
        assert_eq!(wrapped("incomprehensible yes", 5), ["incomprehensible", "yes"]);
        assert!(wrapped("  ", 5).is_empty());
    }

    #[test]
    fn escape_sequences_in_names_are_disarmed() {
        assert_eq!(plain("a\u{1b}[2Jb\n"), "a?[2Jb?");
    }
}
