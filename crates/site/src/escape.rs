//! Text in HTML.

use askama::filters::{Escaper, Html};

/// Text in which characters with a special meaning in HTML are escaped.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    Html.write_escaped_str(&mut escaped, text).expect("text can be written into a string");
    escaped
}
