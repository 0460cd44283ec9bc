//! Text in HTML.

use askama::filters::{Escaper, Html};

/// Text with the characters replaced that have a meaning in HTML.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    Html.write_escaped_str(&mut escaped, text).expect("text can be written into a string");
    escaped
}
