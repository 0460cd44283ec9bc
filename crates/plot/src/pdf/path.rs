//! Path data as operators of a page.

use std::fmt::Write as _;

use super::{PdfError, number};

/// Translates path data, whose commands may be absolute or relative.
pub(super) fn operators(data: &str) -> Result<String, PdfError> {
    let mut pen = Pen::default();
    let mut rest = data;
    while let Some(command) = rest.chars().next() {
        let after = &rest[command.len_utf8()..];
        let end = after.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(after.len());
        let numbers = numbers(&after[..end])?;
        pen.draw(command, &numbers)?;
        rest = &after[end..];
    }
    Ok(pen.out)
}

fn numbers(text: &str) -> Result<Vec<f64>, PdfError> {
    let wrong = |word: &str| PdfError::Svg(format!("`{word}` is not a number"));
    // A sign may follow a number directly.
    let spaced = text.replace('-', " -");
    spaced
        .split([' ', ','])
        .filter(|word| !word.is_empty())
        .map(|word| word.parse().map_err(|_| wrong(word)))
        .collect()
}

/// The current point, and the operators so far.
#[derive(Debug, Default)]
struct Pen {
    at: (f64, f64),
    start: (f64, f64),
    out: String,
}

impl Pen {
    fn draw(&mut self, command: char, numbers: &[f64]) -> Result<(), PdfError> {
        let from = if command.is_ascii_lowercase() { self.at } else { (0.0, 0.0) };
        let point = |index: usize| (from.0 + numbers[index], from.1 + numbers[index + 1]);
        match (command.to_ascii_uppercase(), numbers.len()) {
            ('M', 2) => {
                self.start = point(0);
                self.to(&[point(0)], "m");
            }
            ('L', 2) => self.to(&[point(0)], "l"),
            ('H', 1) => self.to(&[(from.0 + numbers[0], self.at.1)], "l"),
            ('V', 1) => self.to(&[(self.at.0, from.1 + numbers[0])], "l"),
            ('C', 6) => self.to(&[point(0), point(2), point(4)], "c"),
            ('Q', 4) => {
                // A quadratic curve as a cubic one.
                let ((x, y), end, at) = (point(0), point(2), self.at);
                let near =
                    |one: (f64, f64)| (one.0 + (x - one.0) * 2.0 / 3.0, one.1 + (y - one.1) * 2.0 / 3.0);
                self.to(&[near(at), near(end), end], "c");
            }
            ('Z', 0) => {
                self.out.push_str("h ");
                self.at = self.start;
            }
            _ => return Err(PdfError::Unknown(format!("the path command {command}{numbers:?}"))),
        }
        Ok(())
    }

    fn to(&mut self, points: &[(f64, f64)], operator: &str) {
        for &(x, y) in points {
            write!(self.out, "{} {} ", number(x), number(y)).expect("writing to a string cannot fail");
            self.at = (x, y);
        }
        self.out.push_str(operator);
        self.out.push(' ');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_commands_become_absolute() {
        assert_eq!(operators("M10 20h5v-5l-5 5Z").as_deref(), Ok("10 20 m 15 20 l 15 15 l 10 20 l h "));
        assert_eq!(operators("M1 2H3V4m-1-1L0 0").as_deref(), Ok("1 2 m 3 2 l 3 4 l 2 3 m 0 0 l "));
        assert_eq!(operators("M0 0Q3 3 6 0").as_deref(), Ok("0 0 m 2 2 4 2 6 0 c "));
        assert!(operators("M1 2A3 3 0 0 1 4 4").is_err() && operators("M1 x").is_err());
    }
}
