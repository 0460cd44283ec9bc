//! Addresses of pages. All of them are relative, so that the site works in any folder.

use std::fmt::Write;

/// The address of one file of the site relative to another; both are given relative to the folder of the site.
pub(crate) fn relative(from: &str, to: &str) -> String {
    format!("{}{to}", root(from))
}

/// The address of the site's folder relative to one of its files: empty, or a path that ends in a slash.
pub(crate) fn root(from: &str) -> String {
    "../".repeat(from.matches('/').count())
}

/// A part of an address in which every other character is encoded.
pub(crate) fn encoded(part: &str) -> String {
    let mut text = String::new();
    for octet in part.bytes() {
        if octet.is_ascii_alphanumeric() || b"-_.".contains(&octet) {
            text.push(char::from(octet));
        } else {
            let _ = write!(text, "%{octet:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lead_through_the_root() {
        assert_eq!(relative("index.html", "book/tutorial.html"), "book/tutorial.html");
        assert_eq!(relative("book/algorithms/qcn.html", "book/papers.html"), "../../book/papers.html");
    }

    #[test]
    fn a_part_of_an_address_has_no_separators() {
        assert_eq!(encoded("allerton/averaging"), "allerton%2Faveraging");
        assert_eq!(encoded("delay=200 µs"), "delay%3D200%20%C2%B5s");
    }
}
