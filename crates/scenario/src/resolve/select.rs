//! Names and patterns that select stations or flows.

use std::collections::HashMap;

use setpoint_suggest::nearest;

use crate::diagnostics::{Place, Problem};
use crate::format::Placed;

/// Maximum number of comparisons between patterns and names in a scenario: far above any realistic
/// use, and at most a second of work.
const MAX_COMPARISONS: usize = 50_000_000;
const MAX_PATTERN: usize = 200;

/// Named items that can be selected.
pub(super) struct Names<'a> {
    /// The noun for messages: "station" or "flow".
    what: &'static str,
    names: Vec<&'a str>,
    index: HashMap<&'a str, usize>,
    comparisons: usize,
    /// Names that could be confused with these, with a noun for them.
    others: (&'static str, Vec<&'a str>),
}

impl<'a> Names<'a> {
    pub(super) fn new(what: &'static str, names: Vec<&'a str>) -> Self {
        let index = names.iter().enumerate().map(|(index, name)| (*name, index)).collect();
        Self { what, names, index, comparisons: 0, others: ("", Vec::new()) }
    }

    /// Adds names that could be confused with these; `what` is a noun for them.
    pub(super) fn with_others(mut self, what: &'static str, names: Vec<&'a str>) -> Self {
        self.others = (what, names);
        self
    }

    /// A name by its index.
    pub(super) fn name(&self, index: usize) -> &'a str {
        self.names[index]
    }

    /// The index of a name that is written at a place.
    pub(super) fn find(&self, name: &str, place: &Place) -> Result<usize, Problem> {
        self.index.get(name).copied().ok_or_else(|| self.unknown(name, place))
    }

    /// The selected indices: names in the order in which they are written, and the matches of each pattern in ascending
    /// order.
    pub(super) fn select(&mut self, selection: &[Placed<String>]) -> Result<Vec<usize>, Problem> {
        let mut chosen = Vec::new();
        let mut taken = vec![false; self.names.len()];
        for name in selection {
            for index in self.matching(name)? {
                if taken[index] {
                    let message = format!("{} {:?} is selected twice", self.what, self.names[index]);
                    return Err(Problem::at(name.place(), message, "for the second time"));
                }
                taken[index] = true;
                chosen.push(index);
            }
        }
        Ok(chosen)
    }

    fn matching(&mut self, name: &Placed<String>) -> Result<Vec<usize>, Problem> {
        let place = name.place();
        // Pages and the terminal show ports with a real arrow.
        let text = if self.what == "port" { name.replace('→', "->") } else { name.to_string() };
        let text = text.as_str();
        if let Some(&index) = self.index.get(text) {
            return Ok(vec![index]);
        }
        if !text.contains(['*', '?', '{']) {
            return Err(self.unknown(text, place));
        }
        self.comparisons += self.names.len();
        if self.comparisons > MAX_COMPARISONS {
            return Err(Problem::at(place, "too many patterns for this number of names", "")
                .help("use fewer entries, or write names instead of patterns"));
        }
        let pattern = Pattern::read(text).map_err(|reason| {
            Problem::at(place, format!("{text:?} is not a pattern: {reason}"), "").help(
                "`*` matches any text, `?` one character, `{1..8}` any number from 1 to 8, \
                     `{1..8..2}` every second number",
            )
        })?;
        let found: Vec<usize> =
            (0..self.names.len()).filter(|&index| pattern.matches(self.names[index])).collect();
        if found.is_empty() {
            return Err(Problem::at(place, format!("no {} matches {text:?}", self.what), "matches nothing")
                .help(self.those_there_are()));
        }
        Ok(found)
    }

    fn unknown(&self, text: &str, place: &Place) -> Problem {
        let (what, others) = &self.others;
        if others.contains(&text) {
            return Problem::at(place, format!("{text:?} is {what}"), format!("not a {}", self.what));
        }
        let problem = Problem::at(place, format!("there is no {} {text:?}", self.what), "not known");
        // Comparing with a large number of names takes a long time and rarely helps. A different
        // number is not a typo.
        let letters = |name: &str| name.replace(|c: char| c.is_ascii_digit(), "");
        let candidates = self.names.iter().take(1_000).copied();
        let near = nearest(text, candidates.filter(|name| letters(name) != letters(text)));
        problem.help_if(near.map(|near| format!("did you mean {near:?}?"))).help(self.those_there_are())
    }

    fn those_there_are(&self) -> String {
        match &self.names[..] {
            [] => format!("there are no {}s", self.what),
            names if names.len() <= 8 => format!("the {}s are {}", self.what, names.join(", ")),
            [first, second, .., last] => format!("the {}s are {first}, {second}, … {last}", self.what),
            _ => String::new(),
        }
    }
}

/// A string with wildcards.
#[derive(Debug)]
struct Pattern(Vec<Part>);

#[derive(Debug)]
enum Part {
    Any,
    One,
    Exactly(char),
    /// From the first to the second, in steps of the third.
    Number(u64, u64, u64),
}

impl Pattern {
    fn read(text: &str) -> Result<Self, String> {
        if text.len() > MAX_PATTERN {
            return Err(format!("it is longer than {MAX_PATTERN} bytes"));
        }
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            rest = &rest[first.len_utf8()..];
            parts.push(match first {
                '*' => Part::Any,
                '?' => Part::One,
                '{' => {
                    let (range, after) = rest.split_once('}').ok_or("a `{` is not closed")?;
                    rest = after;
                    number_range(range)?
                }
                other => Part::Exactly(other),
            });
        }
        Ok(Self(parts))
    }

    fn matches(&self, name: &str) -> bool {
        matches(&self.0, name, &mut 10_000)
    }
}

/// `1..8`, or `1..8..2` with a step.
fn number_range(text: &str) -> Result<Part, String> {
    let parts: Option<Vec<u64>> = text.splitn(3, "..").map(|part| part.parse().ok()).collect();
    match parts.as_deref() {
        Some([low, high, ..]) if low > high => Err(format!("{{{text}}} is empty")),
        Some([_, _, 0]) => Err(format!("{{{text}}} has a step of 0")),
        Some([low, high]) => Ok(Part::Number(*low, *high, 1)),
        Some([low, high, step]) => Ok(Part::Number(*low, *high, *step)),
        _ => Err(format!("{{{text}}} is not a range of numbers")),
    }
}

/// Matches with backtracking, within a limited number of steps that no sensible pattern needs.
fn matches(parts: &[Part], name: &str, budget: &mut u32) -> bool {
    let Some(left) = budget.checked_sub(1) else { return false };
    *budget = left;
    let Some((first, rest)) = parts.split_first() else { return name.is_empty() };
    let after_first = |name: &str| name.chars().next().map(char::len_utf8);
    match first {
        Part::Exactly(c) => name.strip_prefix(*c).is_some_and(|name| matches(rest, name, budget)),
        Part::One => after_first(name).is_some_and(|length| matches(rest, &name[length..], budget)),
        Part::Any => {
            matches(rest, name, budget)
                || after_first(name).is_some_and(|length| matches(parts, &name[length..], budget))
        }
        Part::Number(low, high, step) => {
            let digits = name.find(|c: char| !c.is_ascii_digit()).unwrap_or(name.len());
            let number = name[..digits].parse::<u64>();
            let counts =
                |number: u64| (*low..=*high).contains(&number) && (number - low).is_multiple_of(*step);
            number.is_ok_and(counts) && matches(rest, &name[digits..], budget)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let cases = [
            ("s*", "s10", true),
            ("s*", "r1", false),
            ("s?", "s1", true),
            ("s?", "s10", false),
            ("h{1..64}", "h64", true),
            ("h{1..64}", "h65", false),
            ("h{1..2}.*", "h2.7", true),
            ("h{2..22..5}", "h2", true),
            ("h{2..22..5}", "h17", true),
            ("h{2..22..5}", "h18", false),
            ("h{2..22..5}", "h27", false),
            ("*.1", "h3.1", true),
            ("*.1", "h3.11", false),
            ("*", "", true),
        ];
        for (pattern, name, expected) in cases {
            assert_eq!(Pattern::read(pattern).unwrap().matches(name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn broken_patterns_are_refused() {
        for text in
            ["h{1..", "h{1-4}", "h{4..1}", "h{1..4..0}", "h{1..4..}", "h{1..4..1..1}", &"*".repeat(201)]
        {
            assert!(Pattern::read(text).is_err(), "{text}");
        }
    }
}
