//! The table of contents of a page: links to its sections.
//!
//! It is derived from the rendered page, so that it lists exactly the sections on the page.

/// Placeholder that is replaced by the contents, or removed on a short page.
const PLACE: &str = "<!--contents-->\n";
/// Minimum number of sections for which a page has a table of contents; pages with fewer are two or three screens long.
const FEWEST: usize = 4;

/// Inserts the table of contents into a page. Text is escaped, so that only the templates' own headings are found.
pub(crate) fn insert(page: &str) -> String {
    let sections: Vec<(&str, &str)> = page.split("<h2 id=\"").skip(1).filter_map(section).collect();
    let contents = if sections.len() < FEWEST { String::new() } else { html(&sections) };
    page.replacen(PLACE, &contents, 1)
}

/// The id and the title of a section, parsed from text that begins with the id of its heading.
fn section(heading: &str) -> Option<(&str, &str)> {
    let (id, rest) = heading.split_once("-title\">")?;
    Some((id, rest.split_once("</h2>")?.0))
}

fn html(sections: &[(&str, &str)]) -> String {
    let link = |(id, title): &(&str, &str)| format!("<a href=\"#{id}\">{title}</a>");
    let links: Vec<String> = sections.iter().map(link).collect();
    format!("<nav class=\"contents\" aria-label=\"Contents\">{}</nav>\n", links.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(sections: usize) -> String {
        let section = |number| {
            format!("<section id=\"s{number}\"><h2 id=\"s{number}-title\">R &amp; {number}</h2></section>\n")
        };
        format!("<main>\n{PLACE}{}</main>", (1..=sections).map(section).collect::<String>())
    }

    #[test]
    fn a_long_page_links_to_its_sections_and_a_short_one_does_not() {
        let long = insert(&page(4));
        assert!(long.contains("<a href=\"#s4\">R &amp; 4</a>") && !long.contains("<!--"), "{long}");
        assert_eq!(insert(&page(3)), page(3).replace(PLACE, ""));
    }
}
