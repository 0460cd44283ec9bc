//! The tokens of a schedule.

use std::sync::Arc;

use crate::diagnostics::{Place, Problem};
use crate::source::Source;

/// A token and its position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: TokenKind<'a>,
    pub(super) at: usize,
    pub(super) end: usize,
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind<'a> {
    /// A keyword, a label or a unit.
    Word(&'a str),
    Number(u64),
    /// `-1`: any source or any tag.
    Any,
    Colon,
    Open,
    Close,
    /// The end of a line, which ends a statement.
    End,
}

/// Splits a text into tokens; comments are left out.
pub(super) fn tokens(source: &Arc<Source>) -> Result<Vec<Token<'_>>, Problem> {
    let text = source.text.as_str();
    let (mut tokens, mut at) = (Vec::new(), 0);
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = |is_part: fn(char) -> bool| rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (kind, length) = match first {
            '\n' => (Some(TokenKind::End), 1),
            c if c.is_whitespace() => (None, c.len_utf8()),
            ':' => (Some(TokenKind::Colon), 1),
            '{' => (Some(TokenKind::Open), 1),
            '}' => (Some(TokenKind::Close), 1),
            '/' if rest.starts_with("//") => (None, rest.find('\n').unwrap_or(rest.len())),
            '/' if rest.starts_with("/*") => (None, comment(source, at)?),
            '-' if rest.starts_with("-1") => (Some(TokenKind::Any), 2),
            c if c.is_ascii_digit() => {
                let length = length(|c| c.is_ascii_digit());
                let number = rest[..length].parse().map_err(|_| {
                    Problem::at(&Place::new(source, at..at + length), "this number is too large", "")
                        .help("a number has at most 64 bits")
                })?;
                (Some(TokenKind::Number(number)), length)
            }
            c if c.is_ascii_alphabetic() => {
                let length = length(|c| c.is_ascii_alphanumeric() || c == '_');
                (Some(TokenKind::Word(&rest[..length])), length)
            }
            c => {
                let place = Place::new(source, at..at + c.len_utf8());
                return Err(
                    Problem::at(&place, format!("{c:?} has no meaning in GOAL"), "").help("remove it")
                );
            }
        };
        tokens.extend(kind.map(|kind| Token { kind, at, end: at + length }));
        at += length;
    }
    Ok(tokens)
}

/// The length of a comment between `/*` and `*/`.
fn comment(source: &Arc<Source>, at: usize) -> Result<usize, Problem> {
    source.text[at..].find("*/").map(|end| end + 2).ok_or_else(|| {
        Problem::at(&Place::new(source, at..at + 2), "this comment does not end", "").help("end it with `*/`")
    })
}
