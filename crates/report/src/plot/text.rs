//! How wide a text will be, and how to make it fit.
//!
//! The font is not known when a file is written; the widths are those of a common sans serif, near enough to
//! keep labels apart.

/// The width of a text in a plain sans serif, near enough to keep labels apart.
#[must_use]
pub fn text_width(text: &str, size: f64) -> f64 {
    let ems: f64 = text.chars().map(character_width).sum();
    ems * size
}

fn character_width(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '|' | '\'' | '!' => 0.25,
        ' ' | '\u{a0}' | '\u{202f}' | 'f' | 't' | 'r' | 'I' | '(' | ')' | '/' | '-' => 0.33,
        'm' | 'w' | 'M' | 'W' | '%' | '…' | '→' => 0.89,
        'A'..='Z' => 0.68,
        c if (c as u32) > 0x2e80 => 1.0,
        _ => 0.56,
    }
}

/// A text cut to a width, with an ellipsis where something was lost.
#[must_use]
pub fn fitted(text: &str, size: f64, width: f64) -> String {
    if text_width(text, size) <= width {
        return text.into();
    }
    let mut kept = String::new();
    let mut used = text_width("…", size);
    for c in text.chars() {
        used += text_width(c.encode_utf8(&mut [0; 4]), size);
        if used > width {
            break;
        }
        kept.push(c);
    }
    format!("{}…", kept.trim_end())
}

/// A text in lines of at most a width.
#[must_use]
pub fn wrapped(words: &str, font: f64, width: f64) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in words.split(' ') {
        let last = lines.last_mut().expect("there is always a line");
        if !last.is_empty() && text_width(last, font) + text_width(word, font) + font * 0.3 > width {
            lines.push(word.into());
        } else {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    lines
}

/// A title as it stands within a sentence; an abbreviation keeps its capitals.
#[must_use]
pub fn in_sentence(title: &str) -> String {
    let mut letters = title.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), second) if !second.is_some_and(char::is_uppercase) => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => title.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut() {
        assert_eq!(fitted("short", 12.0, 100.0), "short");
        let cut = fitted("a text that is far too long for its place", 12.0, 80.0);
        assert!(cut.ends_with('…') && text_width(&cut, 12.0) <= 80.0, "{cut}");
    }

    #[test]
    fn lines_are_as_long_as_they_may_be() {
        assert_eq!(wrapped("one two three", 10.0, 50.0), ["one two", "three"]);
        assert_eq!(wrapped("", 10.0, 50.0), [""]);
    }

    #[test]
    fn a_title_is_no_proper_name() {
        assert_eq!(in_sentence("Set point"), "set point");
        assert_eq!(in_sentence("RTT"), "RTT");
        assert_eq!(in_sentence(""), "");
    }
}
