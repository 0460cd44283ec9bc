//! A chapter as HTML.

use std::fmt::Write;

use pulldown_cmark::{Alignment, CodeBlockKind, CowStr, Event, Tag, TagEnd, html};

use super::chapter::Chapter;
use super::entries::Entries;
use super::figure::RunFigure;
use super::links::{Destination, Links};
use super::list::Image;
use super::{Heading, Page};
use crate::SiteError;
use crate::escape::escaped;

/// Inline HTML that chapters may contain.
const INLINE_HTML: [&str; 5] = ["<sub>", "</sub>", "<sup>", "</sup>", "<br>"];
/// Languages whose comments begin with `#`.
const WITH_HASH_COMMENTS: [&str; 4] = ["sh", "toml", "python", "yaml"];

/// The page of a chapter. With a laboratory, its figures can be run.
///
/// # Errors
/// If a link or an image does not exist, or the chapter contains HTML that is not supported.
pub(super) fn page(chapter: &Chapter, links: &Links<'_>, has_laboratory: bool) -> Result<Page, SiteError> {
    let headings = chapter.headings.iter();
    let mut rendering =
        Rendering { chapter, links, has_laboratory, headings, table: Table::default(), out: Vec::new() };
    let mut entries = Entries::new(chapter);
    let mut rest = chapter.events.iter().cloned();
    while let Some(event) = rest.next() {
        entries.read(&event);
        rendering.push(event, &mut rest, &mut entries)?;
    }
    let mut html = String::new();
    html::push_html(&mut html, rendering.out.into_iter());
    Ok(Page {
        address: chapter.address.clone(),
        title: chapter.title.clone(),
        headings: chapter.headings.iter().filter(|heading| heading.level <= 3).cloned().collect(),
        html,
        entries: entries.finish(),
    })
}

/// The events of a page while it is rendered.
struct Rendering<'a> {
    chapter: &'a Chapter,
    links: &'a Links<'a>,
    has_laboratory: bool,
    /// The headings that are still to come.
    headings: std::slice::Iter<'a, Heading>,
    /// The table that has begun.
    table: Table,
    out: Vec<Event<'static>>,
}

/// The position in a table. The parser's own cells would have styles, which the policy of the pages forbids.
#[derive(Default)]
struct Table {
    columns: Vec<Alignment>,
    is_head: bool,
    /// The number of cells in the current row so far.
    cells: usize,
}

impl Table {
    fn cell(&self) -> &'static str {
        if self.is_head { "th" } else { "td" }
    }
}

impl Rendering<'_> {
    /// Adds an event. Links, images and code blocks consume the events of `rest` up to their end.
    fn push(
        &mut self,
        event: Event<'static>,
        rest: &mut impl Iterator<Item = Event<'static>>,
        entries: &mut Entries,
    ) -> Result<(), SiteError> {
        match event {
            Event::Start(Tag::Heading { .. }) => self.heading(&inside(rest, entries)),
            Event::Start(Tag::Link { dest_url, .. }) => self.link(&dest_url, inside(rest, entries))?,
            Event::Start(Tag::Image { dest_url, .. }) => self.image(&dest_url, &inside(rest, entries))?,
            Event::Start(Tag::CodeBlock(kind)) => self.code(&kind, &inside(rest, entries)),
            Event::Start(Tag::Table(columns)) => {
                self.raw(format!(
                    "<div class=\"box\" tabindex=\"0\" role=\"region\" aria-label=\"Table: {}\">",
                    escaped(self.nearest_heading())
                ));
                self.table.columns.clone_from(&columns);
                self.out.push(Event::Start(Tag::Table(columns)));
            }
            Event::Start(row @ (Tag::TableHead | Tag::TableRow)) => {
                (self.table.is_head, self.table.cells) = (row == Tag::TableHead, 0);
                self.out.push(Event::Start(row));
            }
            Event::Start(Tag::TableCell) => {
                let is_number = self.table.columns.get(self.table.cells) == Some(&Alignment::Right);
                self.table.cells += 1;
                let class = if is_number { " class=\"number\"" } else { "" };
                self.raw(format!("<{}{class}>", self.table.cell()));
            }
            Event::End(TagEnd::TableCell) => self.raw(format!("</{}>", self.table.cell())),
            Event::End(TagEnd::Table) => {
                self.out.push(event);
                self.raw("</div>\n".to_owned());
            }
            Event::Start(Tag::HtmlBlock) => self.comment(&inside(rest, entries))?,
            Event::InlineHtml(text) if INLINE_HTML.contains(&&*text) => {
                self.out.push(Event::InlineHtml(text));
            }
            Event::InlineHtml(text) => return Err(self.unsupported(&text)),
            event => self.out.push(event),
        }
        Ok(())
    }

    /// A block of HTML: a comment, or the description of a figure in a comment.
    fn comment(&mut self, content: &[Event<'static>]) -> Result<(), SiteError> {
        let html = |event: &Event<'static>| {
            if let Event::Html(text) = event { text.to_string() } else { String::new() }
        };
        let comment: String = content.iter().map(html).collect();
        if !comment.starts_with("<!--") || !comment.trim_end().ends_with("-->") {
            return Err(self.unsupported(&comment));
        }
        if let Some(figure) = RunFigure::parse(&comment, self.chapter)? {
            self.raw(figure.html(self.chapter, self.has_laboratory)?);
        }
        Ok(())
    }

    fn unsupported(&self, html: &str) -> SiteError {
        SiteError::Html { chapter: self.chapter.path, html: html.trim().to_owned() }
    }

    fn raw(&mut self, html: String) {
        self.out.push(Event::Html(CowStr::from(html)));
    }

    /// The text of the last heading.
    fn nearest_heading(&self) -> &str {
        let read = self.chapter.headings.len() - self.headings.len();
        read.checked_sub(1).map_or(&self.chapter.title, |last| &self.chapter.headings[last].text)
    }

    /// A heading with a link to itself; the title has none.
    fn heading(&mut self, content: &[Event<'static>]) {
        let mut words = String::new();
        html::push_html(&mut words, content.iter().cloned());
        let is_title = self.out.is_empty();
        match self.headings.as_slice().first().filter(|_| !is_title) {
            None => self.raw(format!("<h1>{words}</h1>\n")),
            Some(Heading { level, id, text }) => {
                self.headings.next();
                self.raw(format!(
                    "<h{level} id=\"{id}\">{words}<a class=\"anchor\" href=\"#{id}\" aria-label=\"Link to “{}”\">#</a></h{level}>\n",
                    escaped(text)
                ));
            }
        }
    }

    fn link(&mut self, to: &str, content: Vec<Event<'static>>) -> Result<(), SiteError> {
        let path = to.split('#').next().unwrap_or_default();
        match self.links.follow(self.chapter, to)? {
            Destination::File => self.out.extend(content),
            Destination::Address { address, title } => {
                self.raw(format!("<a href=\"{}\">", escaped(&address)));
                let is_path = matches!(&content[..], [Event::Text(text)] if **text == *path);
                match title.filter(|_| is_path) {
                    Some(title) => self.out.push(Event::Text(CowStr::from(title))),
                    None => self.out.extend(content),
                }
                self.raw("</a>".to_owned());
            }
        }
        Ok(())
    }

    /// An image that is at most as large as the file, and links to it.
    fn image(&mut self, to: &str, content: &[Event<'static>]) -> Result<(), SiteError> {
        let (image, address) = self.links.image(self.chapter, to)?;
        let (width, height) = size(image);
        let words: String = content.iter().filter_map(text).collect();
        self.raw(format!(
            "<a class=\"image\" href=\"{address}\"><img src=\"{address}\" alt=\"{}\" width=\"{width}\" height=\"{height}\" \
             loading=\"lazy\"></a>",
            escaped(&words)
        ));
        Ok(())
    }

    /// A code block. Comments are less prominent.
    fn code(&mut self, kind: &CodeBlockKind<'_>, content: &[Event<'static>]) {
        let code: String = content.iter().filter_map(text).collect();
        let has_comments =
            matches!(kind, CodeBlockKind::Fenced(language) if WITH_HASH_COMMENTS.contains(&&**language));
        let mut html = String::from("<pre tabindex=\"0\"><code>");
        for line in code.lines() {
            let start = if has_comments { comment(line) } else { line.len() };
            let (code, comment) = line.split_at(start);
            html.push_str(&escaped(code));
            if !comment.is_empty() {
                let _ = write!(html, "<span class=\"comment\">{}</span>", escaped(comment));
            }
            html.push('\n');
        }
        self.raw(html + "</code></pre>\n");
    }
}

/// The events up to the end of the element that has just started.
fn inside(rest: &mut impl Iterator<Item = Event<'static>>, entries: &mut Entries) -> Vec<Event<'static>> {
    let mut depth = 0;
    let mut events = Vec::new();
    for event in rest {
        entries.read(&event);
        match event {
            Event::End(_) if depth == 0 => break,
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            _ => {}
        }
        events.push(event);
    }
    events
}

fn text<'a>(event: &'a Event<'static>) -> Option<&'a str> {
    match event {
        Event::Text(text) | Event::Code(text) => Some(text),
        Event::SoftBreak | Event::HardBreak => Some(" "),
        _ => None,
    }
}

/// The position at which the comment of a line begins: a `#` at the start or after two spaces, followed by a space.
fn comment(line: &str) -> usize {
    let indent = line.len() - line.trim_start().len();
    match line[indent..].starts_with("# ") {
        true => indent,
        false => line.find("  # ").map_or(line.len(), |at| at + 2),
    }
}

/// Width and height of a PNG file, from its first chunk.
fn size(image: &Image) -> (u32, u32) {
    let bytes = |at: usize| image.content.get(at..at + 4)?.try_into().ok();
    let number = |at: usize| bytes(at).map_or(0, u32::from_be_bytes);
    (number(16), number(20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_begin_with_a_hash_and_a_space() {
        let split = |line: &'static str| line.split_at(comment(line));
        assert_eq!(split("setpoint run   # run it"), ("setpoint run   ", "# run it"));
        assert_eq!(split("  # a note"), ("  ", "# a note"));
        assert_eq!(split("open results#top"), ("open results#top", ""));
    }
}
