//! Random feedback sequences, determined by a seed.

use setpoint_sim::{Purpose, RandomStream};

/// A feedback message: the offset of the queue from its set point, and its growth, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Message {
    pub(super) offset: i64,
    pub(super) growth: i64,
}

/// How a sequence is generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Every message is drawn independently.
    Independent,
    /// A random walk of the queue: growth is random, and the offset is its sum.
    Walk,
    /// The sign alternates with every message.
    Alternating,
    /// Mostly zero, sometimes the largest possible value of either sign.
    Impulses,
}

impl Kind {
    pub(super) const ALL: [Self; 4] = [Self::Independent, Self::Walk, Self::Alternating, Self::Impulses];

    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Independent => "drawn independently",
            Self::Walk => "random walk of a queue",
            Self::Alternating => "alternating, with random sizes",
            Self::Impulses => "impulses, rare and large",
        }
    }
}

/// The largest offset and growth. A message with both values changes a rate by less than 15 Mb/s,
/// and half of this change is permanent. Therefore 400 such messages cannot move a rate from 7.5 Gb/s to a bound,
/// which matters because the theorem has no bounds.
const FAR: i64 = 2_000;
/// The largest number of messages in a sequence.
const LONGEST: u64 = 400;

/// The sequences of one kind for one seed.
#[derive(Debug)]
pub(super) struct Sequences {
    kind: Kind,
    random: RandomStream,
}

impl Sequences {
    pub(super) fn new(seed: u64, kind: Kind) -> Self {
        Self { kind, random: RandomStream::new(seed, Purpose::Traffic, kind as u32) }
    }

    /// Draws one sequence of 1 to 400 messages.
    pub(super) fn draw(&mut self) -> Vec<Message> {
        let length = 1 + self.random.below(LONGEST);
        self.take(length as usize)
    }

    /// Draws one sequence of a given length.
    pub(super) fn take(&mut self, length: usize) -> Vec<Message> {
        let mut offset = 0;
        (0..length).map(|index| self.message(index, &mut offset)).collect()
    }

    /// A number from -`FAR` to `FAR`.
    fn far(&mut self) -> i64 {
        self.random.below(2 * FAR as u64 + 1) as i64 - FAR
    }

    fn message(&mut self, index: usize, offset: &mut i64) -> Message {
        match self.kind {
            Kind::Independent => Message { offset: self.far(), growth: self.far() },
            Kind::Walk => {
                let before = *offset;
                *offset = (before + self.far() / 4).clamp(-FAR, FAR);
                Message { offset: *offset, growth: *offset - before }
            }
            Kind::Alternating => {
                let (offset, growth) = (self.far().abs(), self.far().abs());
                let sign = if index.is_multiple_of(2) { 1 } else { -1 };
                Message { offset: sign * offset, growth: sign * growth }
            }
            Kind::Impulses => match self.random.below(20) {
                0 => Message { offset: FAR, growth: FAR },
                1 => Message { offset: -FAR, growth: -FAR },
                _ => Message { offset: 0, growth: 0 },
            },
        }
    }
}
