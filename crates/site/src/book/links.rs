//! Links between chapters: from paths in the repository to addresses of pages.

use super::chapter::Chapter;
use super::image_address;
use super::list::{IMAGES, Image, WITHOUT_PAGE};
use crate::SiteError;
use crate::address::relative;

/// The destinations of links.
#[derive(Debug)]
pub(super) struct Links<'a> {
    chapters: &'a [Chapter],
}

/// The destination of a link.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Destination {
    /// An address. A link whose text is the path of a chapter shows the title instead.
    Address { address: String, title: Option<String> },
    /// A file of the repository without a page.
    File,
}

impl<'a> Links<'a> {
    pub(super) fn new(chapters: &'a [Chapter]) -> Self {
        Self { chapters }
    }

    /// The destination of a link in a chapter.
    ///
    /// # Errors
    /// If there is no such chapter, heading or file.
    pub(super) fn follow(&self, from: &Chapter, link: &str) -> Result<Destination, SiteError> {
        if link.starts_with("https://") {
            return Ok(Destination::Address { address: link.to_owned(), title: None });
        }
        let broken = || SiteError::BrokenLink { chapter: from.path, link: link.to_owned() };
        let (file, heading) =
            link.split_once('#').map_or((link, None), |(file, heading)| (file, Some(heading)));
        let path = if file.is_empty() { from.path.to_owned() } else { join(from.path, file) };
        if WITHOUT_PAGE.contains(&path.as_str()) {
            return Ok(Destination::File);
        }
        // A link to a folder leads to its first chapter.
        let below = format!("{path}/");
        let chapter = self.chapters.iter().find(|chapter| chapter.path == path);
        let chapter =
            chapter.or_else(|| self.chapters.iter().find(|chapter| chapter.path.starts_with(&below)));
        let chapter = chapter.ok_or_else(broken)?;
        let page = if file.is_empty() { String::new() } else { relative(&from.address, &chapter.address) };
        let address = match heading {
            None => page,
            Some(id) if chapter.headings.iter().any(|heading| heading.id == id) => format!("{page}#{id}"),
            Some(_) => return Err(broken()),
        };
        Ok(Destination::Address { address, title: (chapter.path == path).then(|| chapter.title.clone()) })
    }

    /// An image that a chapter shows, and its address.
    ///
    /// # Errors
    /// If there is no such image.
    pub(super) fn image(&self, from: &Chapter, link: &str) -> Result<(&'static Image, String), SiteError> {
        let path = join(from.path, link);
        let image = IMAGES.iter().find(|image| image.path == path);
        let image =
            image.ok_or_else(|| SiteError::BrokenLink { chapter: from.path, link: link.to_owned() })?;
        Ok((image, relative(&from.address, &image_address(image))))
    }
}

/// The path in the repository of a link in a file.
fn join(from: &str, link: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in link.trim_end_matches('/').split('/') {
        match part {
            "." => {}
            ".." if !parts.is_empty() => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::super::list::File;
    use super::*;

    #[test]
    fn links_are_relative_to_their_file() {
        assert_eq!(join("docs/algorithms/qcn.md", "../papers.md"), "docs/papers.md");
        assert_eq!(join("README.md", "docs/algorithms/"), "docs/algorithms");
        assert_eq!(join("docs/python.md", "../../x.md"), "../x.md");
    }

    #[test]
    fn a_link_leads_to_a_chapter_a_heading_or_a_file() {
        let file = |path, text| Chapter::parse(&File { path, text }).unwrap();
        let chapters = [file("README.md", "# One\n## Part `a`\n"), file("docs/two.md", "# Two\n")];
        let links = Links::new(&chapters);
        let to = |address: &str, title: Option<&str>| {
            Ok(Destination::Address { address: address.to_owned(), title: title.map(str::to_owned) })
        };
        let two = &chapters[1];
        assert_eq!(links.follow(two, "../README.md#part-a"), to("../index.html#part-a", Some("One")));
        assert_eq!(links.follow(&chapters[0], "docs/"), to("book/two.html", None));
        assert_eq!(links.follow(two, "https://example.org/a#b"), to("https://example.org/a#b", None));
        assert_eq!(links.follow(two, "../python/notebooks"), Ok(Destination::File));
        for broken in ["three.md", "../README.md#part-b", "#part-a", "http://example.org", "../docs/two.md#"]
        {
            let error = links.follow(two, broken).unwrap_err().to_string();
            assert_eq!(
                error,
                format!("docs/two.md: the link to `{broken}` leads to no chapter, heading or image")
            );
        }
    }
}
