//! Identifiers of headings, as code hosts form them, so that links work there and in the book.

use std::collections::BTreeMap;

/// The identifiers of a page.
#[derive(Debug, Default)]
pub(super) struct Slugs(BTreeMap<String, usize>);

impl Slugs {
    /// The identifier of the next heading: lower case, without punctuation, with hyphens for spaces. A repeated heading
    /// gets a number.
    pub(super) fn next(&mut self, text: &str) -> String {
        let kept = text
            .to_lowercase()
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
            .collect::<String>();
        let slug = kept.trim().replace(' ', "-");
        let count = self.0.entry(slug.clone()).or_default();
        *count += 1;
        match *count {
            1 => slug,
            repeated => format!("{slug}-{}", repeated - 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_become_identifiers() {
        let mut slugs = Slugs::default();
        let ids = ["Plots for print", "`[control.qcn]`, part 2", "A & B", "Notes", "Notes"]
            .map(|text| slugs.next(text));
        assert_eq!(ids, ["plots-for-print", "controlqcn-part-2", "a--b", "notes", "notes-1"]);
    }
}
