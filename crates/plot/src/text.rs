//! Estimating the width of text, and making text fit.
//!
//! The font is not known when a file is written: it is Inter if the reader has it, otherwise a system font. Widths
//! are therefore those of the widest common font, DejaVu Sans, or of Inter or Arial if those are wider, so that
//! labels that do not overlap by this estimate do not overlap in any of these fonts.

/// Maximum ratio of the width of bold text to the width of the same text in regular weight.
const STRONG: f64 = 1.12;

/// The width of text in the widest of the common sans-serif fonts.
pub fn text_width(text: &str, size: f64) -> f64 {
    let ems: f64 = text.chars().map(character_width).sum();
    ems * size
}

/// The width of bold text.
pub fn strong_width(text: &str, size: f64) -> f64 {
    text_width(text, size) * STRONG
}

/// Widths in ems, from the tables of DejaVu Sans, Inter (with tabular figures) and Liberation Sans, which has the
/// metrics of Arial.
fn character_width(c: char) -> f64 {
    match c {
        '\u{202f}' => 0.2,
        'i' | 'j' | 'l' | '\'' | 'I' => 0.3,
        ' ' | '\u{a0}' | '.' | ',' | '·' | '’' | ':' | ';' | '|' => 0.34,
        'f' | 't' | 'r' | '/' | '\\' | '(' | ')' | '[' | ']' | '!' | '²' => 0.42,
        's' | 'z' | 'J' | '-' | '*' | '"' | '“' | '”' | '°' | '`' => 0.55,
        'w' | '+' | '<' | '=' | '>' | '^' | '~' | '×' | '±' | '−' | '≤' | '≥' | '#' => 0.84,
        'm' | 'W' | '%' => 0.99,
        'M' => 0.89,
        '…' | '→' | '←' | '@' => 1.02,
        'A' | 'B' | 'E' | 'F' | 'K' | 'L' | 'P' | 'S' | 'T' | 'V' | 'X' | 'Y' | 'Z' => 0.69,
        'A'..='Z' | '&' => 0.79,
        c if (c as u32) > 0x2e80 => 1.0,
        _ => 0.64,
    }
}

/// Bold text truncated to a width; an ellipsis marks the end.
pub fn fitted_strong(text: &str, size: f64, width: f64) -> String {
    fitted(text, size * STRONG, width)
}

/// Text truncated to a width; an ellipsis marks the end.
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

/// Text broken into lines no wider than `width`.
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

/// A title as written within a sentence: in lower case, except that an abbreviation keeps its capitals.
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
        assert!(strong_width("two", 10.0) > text_width("two", 10.0));
        assert_eq!(wrapped("", 10.0, 50.0), [""]);
    }

    /// Widths in ems as summed by fontTools: DejaVu Sans, Liberation Sans, Inter.
    #[test]
    fn no_common_font_is_wider_and_none_much_narrower() {
        let known = [
            ("Queue length (kB)", [9.154, 8.116, 8.538]),
            ("0123456789", [6.362, 5.562, 6.016]),
            ("2^-1", [2.471, 1.915, 1.999]),
            ("10 Gb/s, 99.8 %", [7.988, 7.171, 7.408]),
            ("slowest, background4872", [12.874, 11.341, 12.286]),
            ("leaf1.1…leaf4.32", [8.533, 7.561, 7.673]),
            ("set point 26 kB", [7.57, 6.615, 7.128]),
            ("← better", [4.216, 3.835, 4.121]),
        ];
        for (text, widths) in known {
            let (taken, widest) = (text_width(text, 1.0), widths.into_iter().fold(0.0, f64::max));
            assert!((widest..1.12 * widest).contains(&taken), "{text}: {taken} for {widest}");
        }
    }

    #[test]
    fn a_title_is_no_proper_name() {
        assert_eq!(in_sentence("Set point"), "set point");
        assert_eq!(in_sentence("RTT"), "RTT");
        assert_eq!(in_sentence(""), "");
    }
}
