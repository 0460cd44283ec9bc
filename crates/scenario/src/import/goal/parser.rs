//! The grammar of a schedule.

use std::collections::HashMap;
use std::sync::Arc;

use setpoint_units::{Bytes, TimeDelta};

use super::lexer::{Token, TokenKind, tokens};
use crate::diagnostics::{Place, Problem};
use crate::limits::{LONGEST, MAX_FILE_MESSAGES, MAX_FILE_SIZE, MAX_NODES};
use crate::source::Source;

/// A schedule.
#[derive(Debug)]
pub(super) struct Schedule {
    pub(super) ranks: u64,
    /// The place where the number of ranks is written.
    pub(super) declared: Place,
    pub(super) operations: Vec<Operation>,
}

/// An operation of a rank.
#[derive(Debug)]
pub(super) struct Operation {
    pub(super) rank: u64,
    pub(super) label: Option<Box<str>>,
    pub(super) action: Action,
    /// The operations that come before it, as indices.
    pub(super) after: Vec<(usize, Relation)>,
    pub(super) place: Place,
}

/// The action of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Send {
        size: Bytes,
        to: u64,
        tag: u64,
    },
    /// Receives from a rank, or from any; with a tag, or with any.
    Recv {
        from: Option<u64>,
        tag: Option<u64>,
    },
    Calc {
        time: TimeDelta,
    },
}

/// How an operation depends on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// It begins when the other has ended.
    Requires,
    /// It begins when the other has begun.
    IRequires,
}

/// Reads a schedule.
pub(super) fn schedule(source: &Arc<Source>) -> Result<Schedule, Problem> {
    let mut parser = Parser { source, tokens: tokens(source)?, next: 0, operations: Vec::new() };
    parser.skip_lines();
    let (ranks, declared) = parser.ranks()?;
    let mut places: HashMap<u64, Place> = HashMap::new();
    loop {
        parser.skip_lines();
        let Some(token) = parser.take() else { break };
        parser.keyword(&token, "rank")?;
        let (rank, place) = parser.number("the number of a rank", ranks.saturating_sub(1))?;
        if let Some(first) = places.insert(rank, place.clone()) {
            return Err(Problem::at(&place, format!("rank {rank} appears twice"), "the second")
                .context(&first, "the first")
                .help("put all operations of a rank into one block"));
        }
        parser.rank(rank)?;
    }
    Ok(Schedule { ranks, declared, operations: parser.operations })
}

struct Parser<'a> {
    source: &'a Arc<Source>,
    tokens: Vec<Token<'a>>,
    next: usize,
    operations: Vec<Operation>,
}

impl<'a> Parser<'a> {
    fn take(&mut self) -> Option<Token<'a>> {
        let token = self.tokens.get(self.next).copied();
        self.next += 1;
        token
    }

    fn peek(&self) -> Option<TokenKind<'a>> {
        self.tokens.get(self.next).map(|token| token.kind)
    }

    fn skip_lines(&mut self) {
        while self.peek() == Some(TokenKind::End) {
            self.next += 1;
        }
    }

    fn place(&self, token: &Token<'_>) -> Place {
        Place::new(self.source, token.at..token.end)
    }

    /// The next token, or a problem if the file has ended.
    fn expect(&mut self, what: &str) -> Result<Token<'a>, Problem> {
        self.take().ok_or_else(|| {
            let end = self.source.text.trim_end().len();
            let place = Place::new(self.source, end.saturating_sub(1)..end);
            Problem::at(&place, format!("the file ends, but {what} is expected"), "the end")
                .help("does a block lack its closing brace?")
        })
    }

    fn unexpected(&self, token: &Token<'_>, what: &str) -> Problem {
        let found = match token.kind {
            TokenKind::End => "the end of the line".to_owned(),
            _ => format!("{:?}", &self.source.text[token.at..token.end]),
        };
        let place = match token.kind {
            TokenKind::End => Place::new(self.source, token.at..token.at),
            _ => self.place(token),
        };
        Problem::at(&place, format!("{found} appears where {what} is expected"), "")
    }

    fn keyword(&self, token: &Token<'_>, word: &str) -> Result<(), Problem> {
        if token.kind == TokenKind::Word(word) {
            return Ok(());
        }
        Err(self.unexpected(token, &format!("`{word}`")).help(match word {
            "rank" => "operations belong to a rank, as in `rank 0 { … }`",
            "b" => "a size ends in `b`, as in `4096b`",
            "to" => "a send names its destination, as in `send 4096b to 1 tag 0`",
            "from" => "a recv names its source, as in `recv 4096b from 0 tag 0`",
            _ => "a schedule begins with the number of ranks, as in `num_ranks 4`",
        }))
    }

    fn number(&mut self, what: &str, most: u64) -> Result<(u64, Place), Problem> {
        let token = self.expect(what)?;
        let TokenKind::Number(number) = token.kind else {
            return Err(self.unexpected(&token, what).help(format!("write a whole number from 0 to {most}")));
        };
        if number > most {
            let message = format!("{number} is too large for {what}");
            return Err(Problem::at(&self.place(&token), message, "").help(format!("at most {most}")));
        }
        Ok((number, self.place(&token)))
    }

    /// A number, or `-1` for any.
    fn number_or_any(&mut self, what: &str, most: u64) -> Result<Option<u64>, Problem> {
        if self.peek() == Some(TokenKind::Any) {
            self.next += 1;
            return Ok(None);
        }
        self.number(what, most).map(|(number, _)| Some(number))
    }

    fn ranks(&mut self) -> Result<(u64, Place), Problem> {
        let token = self.expect("`num_ranks`")?;
        self.keyword(&token, "num_ranks")?;
        self.number("the number of ranks", MAX_NODES)
    }

    fn rank(&mut self, rank: u64) -> Result<(), Problem> {
        let open = self.expect("`{`")?;
        if open.kind != TokenKind::Open {
            return Err(self.unexpected(&open, "`{`").help("write the operations of a rank in braces"));
        }
        let mut labels: HashMap<&'a str, usize> = HashMap::new();
        loop {
            let token = self.expect("`}`")?;
            match token.kind {
                TokenKind::End => {}
                TokenKind::Close => return Ok(()),
                TokenKind::Word(word) => self.statement(rank, word, token, &mut labels)?,
                _ => return Err(self.unexpected(&token, "an operation or a label").help(OPERATIONS)),
            }
        }
    }

    /// An operation, with or without a label, or the order of two operations.
    fn statement(
        &mut self,
        rank: u64,
        word: &'a str,
        token: Token<'a>,
        labels: &mut HashMap<&'a str, usize>,
    ) -> Result<(), Problem> {
        if let "send" | "recv" | "calc" = word {
            return self.operation(rank, None, &token);
        }
        let second = self.expect("`:`, `requires` or `irequires`")?;
        match second.kind {
            TokenKind::Colon => {
                let action = self.expect("an operation")?;
                if labels.insert(word, self.operations.len()).is_some() {
                    let message = format!("rank {rank} has two operations with the label {word:?}");
                    return Err(Problem::at(&self.place(&token), message, "the second")
                        .help("give them different labels"));
                }
                self.operation(rank, Some(word), &action)
            }
            TokenKind::Word("requires") => self.order(&token, Relation::Requires, labels),
            TokenKind::Word("irequires") => self.order(&token, Relation::IRequires, labels),
            _ => Err(self.unexpected(&second, "`:`, `requires` or `irequires`").help(OPERATIONS)),
        }
    }

    fn order(
        &mut self,
        later: &Token<'a>,
        relation: Relation,
        labels: &HashMap<&'a str, usize>,
    ) -> Result<(), Problem> {
        let earlier = self.expect("a label")?;
        let find = |token: &Token<'a>| {
            let TokenKind::Word(label) = token.kind else {
                return Err(self.unexpected(token, "a label").help("name an operation of the same rank"));
            };
            labels.get(label).copied().ok_or_else(|| {
                Problem::at(&self.place(token), format!("no operation has the label {label:?}"), "not known")
                    .help("define the operation in the same rank, before its order")
            })
        };
        let (later, earlier) = (find(later)?, find(&earlier)?);
        self.operations[later].after.push((earlier, relation));
        self.end_of_line()
    }

    fn operation(&mut self, rank: u64, label: Option<&str>, token: &Token<'a>) -> Result<(), Problem> {
        if self.operations.len() >= MAX_FILE_MESSAGES {
            let message = format!("at most {MAX_FILE_MESSAGES} operations are supported");
            return Err(
                Problem::at(&self.place(token), message, "one too many").help("use a shorter schedule")
            );
        }
        let action = match token.kind {
            TokenKind::Word("send") => self.send()?,
            TokenKind::Word("recv") => self.recv()?,
            TokenKind::Word("calc") => self.calc()?,
            _ => return Err(self.unexpected(token, "an operation").help(OPERATIONS)),
        };
        let (label, place) = (label.map(Box::from), self.place(token));
        self.operations.push(Operation { rank, label, action, after: Vec::new(), place });
        self.end_of_line()
    }

    fn send(&mut self) -> Result<Action, Problem> {
        let (size, place) = self.size()?;
        if size.is_zero() {
            return Err(Problem::at(&place, "a message has at least 1 B", "").help("write `1b`"));
        }
        let token = self.expect("`to`")?;
        self.keyword(&token, "to")?;
        let (to, _) = self.number("the number of a rank", MAX_NODES)?;
        Ok(Action::Send { size, to, tag: self.options()?.flatten().unwrap_or(0) })
    }

    fn recv(&mut self) -> Result<Action, Problem> {
        self.size()?;
        let token = self.expect("`from`")?;
        self.keyword(&token, "from")?;
        let from = self.number_or_any("the number of a rank", MAX_NODES)?;
        Ok(Action::Recv { from, tag: self.options()?.unwrap_or(Some(0)) })
    }

    fn calc(&mut self) -> Result<Action, Problem> {
        let (nanoseconds, _) = self.number("a time in nanoseconds", LONGEST.as_picos() / 1_000)?;
        self.options()?;
        Ok(Action::Calc { time: TimeDelta::from_nanos(nanoseconds) })
    }

    fn size(&mut self) -> Result<(Bytes, Place), Problem> {
        let (size, place) = self.number("a size", MAX_FILE_SIZE.get())?;
        let unit = self.expect("`b`")?;
        self.keyword(&unit, "b")?;
        Ok((Bytes::new(size), place))
    }

    /// `tag`, `cpu` and `nic`, of which only the tag has a meaning here. Returns the tag, if it is given.
    fn options(&mut self) -> Result<Option<Option<u64>>, Problem> {
        let mut tag = None;
        while let Some(TokenKind::Word(word)) = self.peek() {
            let token = self.expect("an option")?;
            match word {
                "tag" => tag = Some(self.number_or_any("a tag", u64::from(u32::MAX))?),
                "cpu" | "nic" => {
                    self.number("a number", 255)?;
                }
                _ => return Err(self.unexpected(&token, "`tag`, `cpu` or `nic`").help(OPERATIONS)),
            }
        }
        Ok(tag)
    }

    fn end_of_line(&mut self) -> Result<(), Problem> {
        match self.peek() {
            None | Some(TokenKind::Close) => Ok(()),
            _ => {
                let token = self.expect("the end of the line")?;
                match token.kind {
                    TokenKind::End => Ok(()),
                    _ => Err(self
                        .unexpected(&token, "the end of the line")
                        .help("begin a new line for each statement")),
                }
            }
        }
    }
}

const OPERATIONS: &str = "the statements are `l1: send 4096b to 1 tag 0`, `l2: recv 4096b from 1 tag 0`, `l3: calc 100`, `l2 requires l1` and `l3 irequires l2`";
