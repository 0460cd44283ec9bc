//! A list of labels and what there is to say about each.

use console::measure_text_width;

use super::text::wrapped;
use super::{Paint, Screen};

/// Lines are not longer than this, however wide the terminal is: nobody reads those.
const LONGEST_LINE: usize = 110;

/// Labels in one column, and beside them phrases that wrap within theirs. A phrase is only broken if
/// it is longer than a line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts(Vec<Fact>);

#[derive(Clone, Debug)]
struct Fact {
    label: &'static str,
    phrases: Vec<String>,
}

impl Facts {
    /// Adds a line, of phrases that are separated by commas.
    pub(crate) fn add(&mut self, label: &'static str, phrases: impl IntoIterator<Item = String>) {
        let phrases: Vec<String> = phrases.into_iter().filter(|phrase| !phrase.is_empty()).collect();
        if !phrases.is_empty() {
            self.0.push(Fact { label, phrases });
        }
    }

    /// All of them as text.
    pub(crate) fn render(&self, screen: Screen) -> String {
        let label = self.0.iter().map(|fact| fact.label.len()).max().unwrap_or(0);
        let width = screen.width.min(LONGEST_LINE).saturating_sub(label + 2);
        self.0.iter().map(|fact| fact.render(label, width, screen.paint)).collect()
    }
}

impl Fact {
    fn render(&self, label: usize, width: usize, paint: Paint) -> String {
        let mut text = String::new();
        for (index, line) in lines(&self.phrases, width).iter().enumerate() {
            let shown = if index == 0 { self.label } else { "" };
            text += &format!("{}  {line}\n", paint.faint(&format!("{shown:label$}")));
        }
        text
    }
}

/// Phrases in lines, broken between phrases where that is possible.
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
    use setpoint_lab::scenario::Colour;

    #[test]
    fn lines_break_between_phrases() {
        let mut facts = Facts::default();
        facts.add("queue", ["26 kB mean".to_owned(), "48 kB at most".to_owned()]);
        facts.add("nothing", [String::new()]);
        facts.add("flows", ["10".to_owned()]);
        let at = |width| facts.render(Screen { width, paint: Paint::new(Colour::Off) });
        assert_eq!(at(80), "queue  26 kB mean, 48 kB at most\nflows  10\n");
        assert_eq!(at(25), "queue  26 kB mean,\n       48 kB at most\nflows  10\n");
    }
}
