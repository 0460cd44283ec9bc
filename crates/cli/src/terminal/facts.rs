//! A list of labels and facts.

use console::measure_text_width;

use super::text::wrapped;
use super::{Paint, Screen};

/// Maximum length of lines, however wide the terminal is, for legibility.
const LONGEST_LINE: usize = 110;

/// If there is less space than this next to the labels, each label gets its own line.
const LEAST_ROOM: usize = 24;

/// Labels in one column, and phrases wrapped in a column next to them. A phrase is broken only if it is longer
/// than a line.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    facts: Vec<Fact>,
    labels: Labels,
}

/// Style of the labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Labels {
    /// Faint labels next to facts.
    Faint,
    /// Strong labels, for names with descriptions.
    Strong,
}

#[derive(Clone, Debug)]
struct Fact {
    label: String,
    phrases: Vec<String>,
}

impl Facts {
    /// Facts with faint labels.
    pub(crate) fn new() -> Self {
        Self { facts: Vec::new(), labels: Labels::Faint }
    }

    /// Names with descriptions.
    pub(crate) fn of_names() -> Self {
        Self { facts: Vec::new(), labels: Labels::Strong }
    }

    /// Adds a line of comma-separated phrases; adds nothing if there are none.
    pub(crate) fn add(&mut self, label: impl Into<String>, phrases: impl IntoIterator<Item = String>) {
        let phrases: Vec<String> = phrases.into_iter().filter(|phrase| !phrase.is_empty()).collect();
        if !phrases.is_empty() {
            self.facts.push(Fact { label: label.into(), phrases });
        }
    }

    /// Adds a line of prose; adds nothing if it is empty.
    pub(crate) fn add_text(&mut self, label: impl Into<String>, text: impl Into<String>) {
        self.add(label, [text.into()]);
    }

    /// The complete list as text.
    pub(crate) fn render(&self, screen: Screen) -> String {
        let label = self.facts.iter().map(|fact| measure_text_width(&fact.label)).max().unwrap_or(0);
        let width = screen.width.min(LONGEST_LINE);
        let room = width.saturating_sub(label + 2);
        let fact = |fact: &Fact| match room {
            LEAST_ROOM.. => fact.beside(label, room, self.labels, screen.paint),
            _ => fact.below(width, self.labels, screen.paint),
        };
        self.facts.iter().map(fact).collect()
    }
}

impl Fact {
    fn beside(&self, label: usize, room: usize, labels: Labels, paint: Paint) -> String {
        let mut text = String::new();
        for (index, line) in lines(&self.phrases, room).iter().enumerate() {
            let shown = if index == 0 { labels.paint(&self.label, paint) } else { String::new() };
            let space = label - if index == 0 { measure_text_width(&self.label) } else { 0 };
            text += &format!("{shown}{:space$}  {line}\n", "");
        }
        text
    }

    fn below(&self, width: usize, labels: Labels, paint: Paint) -> String {
        let lines = lines(&self.phrases, width.saturating_sub(2));
        let lines: String = lines.iter().map(|line| format!("  {line}\n")).collect();
        format!("{}\n{lines}", labels.paint(&self.label, paint))
    }
}

impl Labels {
    fn paint(self, label: &str, paint: Paint) -> String {
        match self {
            Self::Faint => paint.faint(label),
            Self::Strong => paint.strong(label),
        }
    }
}

/// Breaks phrases into lines, between phrases if possible.
fn lines(phrases: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (index, phrase) in phrases.iter().enumerate() {
        let comma = if index + 1 < phrases.len() { "," } else { "" };
        let phrase = format!("{phrase}{comma}");
        let length = measure_text_width(&phrase);
        match lines.last_mut() {
            Some(line) if measure_text_width(line) + 1 + length <= width => {
                line.push(' ');
                line.push_str(&phrase);
            }
            _ => lines.extend(wrapped(&phrase, width)),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use setpoint_scenario::Colour;

    #[test]
    fn lines_break_between_phrases() {
        let mut facts = Facts::new();
        facts.add("queue", ["26 kB mean".to_owned(), "48 kB at most".to_owned()]);
        facts.add("nothing", [String::new()]);
        facts.add("flows", ["10".to_owned()]);
        let at = |width| facts.render(Screen { width, paint: Paint::new(Colour::Off) });
        assert_eq!(at(80), "queue  26 kB mean, 48 kB at most\nflows  10\n");
        assert_eq!(at(34), "queue  26 kB mean, 48 kB at most\nflows  10\n");
        assert_eq!(at(31), "queue  26 kB mean,\n       48 kB at most\nflows  10\n");
        assert_eq!(at(20), "queue\n  26 kB mean,\n  48 kB at most\nflows\n  10\n");
    }
}
