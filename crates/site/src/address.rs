//! Addresses of pages. All of them are relative, so that the site works in any folder.

/// The address of one file of the site relative to another; both are given relative to the folder of the site.
pub(crate) fn relative(from: &str, to: &str) -> String {
    format!("{}{to}", root(from))
}

/// The address of the site's folder relative to one of its files: empty, or a path that ends in a slash.
pub(crate) fn root(from: &str) -> String {
    "../".repeat(from.matches('/').count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lead_through_the_root() {
        assert_eq!(relative("index.html", "book/tutorial.html"), "book/tutorial.html");
        assert_eq!(relative("book/algorithms/qcn.html", "book/papers.html"), "../../book/papers.html");
    }
}
