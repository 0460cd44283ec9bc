//! Collective operations as messages that wait for each other.
//!
//! A [`Collective`] describes an operation among ranks, which are numbered from 0. [`Collective::messages`] lists its
//! messages, and [`flows`] groups them into one list of [`DependentMessage`](super::DependentMessage)s for each pair of ranks, in a form in which the
//! dependencies are always between messages of one station.
//!
//! A rank begins the next iteration when it has received and sent all messages of the current one.

mod algorithms;
mod flows;
mod iterations;

use setpoint_units::{Bytes, TimeDelta};

pub use flows::{PairFlow, flows};

/// A collective operation.
///
/// ```
/// use setpoint_sim::traffic::collective::{Collective, Pattern};
/// use setpoint_units::{Bytes, TimeDelta};
///
/// let ring = Collective {
///     pattern: Pattern::RingAllReduce,
///     ranks: 4,
///     size: Bytes::new(1_000_000),
///     parts: 1,
///     iterations: 1,
///     compute: TimeDelta::ZERO,
///     reduce: TimeDelta::ZERO,
/// };
/// // Each rank sends a quarter of the data in each of 2 (4 - 1) steps.
/// let messages = ring.messages();
/// assert_eq!(messages.len(), 4 * 6);
/// assert!(messages.iter().all(|message| message.size == Bytes::new(250_000)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collective {
    /// The messages of an iteration.
    pub pattern: Pattern,
    /// The number of ranks, at least two.
    pub ranks: u32,
    /// The size of the data; see [`Pattern`].
    pub size: Bytes,
    /// The number of parts that a pipeline sends one after another; other patterns do not use it.
    pub parts: u32,
    /// How often the operation is carried out.
    pub iterations: u32,
    /// The time for which a rank computes: in a pipeline before it sends a part, otherwise before each iteration.
    pub compute: TimeDelta,
    /// The time that a rank takes to combine data that it has received with its own.
    pub reduce: TimeDelta,
}

/// The messages of a collective operation among `n` ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// In each of 2 (n − 1) steps, every rank sends 1/n of the data to the next rank: first the ranks reduce, then they
    /// gather.
    RingAllReduce,
    /// In log2 n steps, pairs of ranks exchange and reduce a half, a quarter, … of the data; in the same number of steps,
    /// they gather the results in the reverse order. The number of ranks is a power of two.
    HalvingDoubling,
    /// The second half of a ring all-reduce: n − 1 steps. `size` is the size of the gathered data.
    AllGather,
    /// The first half of a ring all-reduce: n − 1 steps. `size` is the size of the data of each rank.
    ReduceScatter,
    /// Every rank sends 1/n of its data to each of the others at the same time.
    AllToAll,
    /// Like [`Pattern::AllToAll`], in n − 1 steps: in step k, every rank exchanges data with the ranks k places further along
    /// and k places back.
    ShiftedAllToAll,
    /// Rank 0 sends parts to rank 1, which sends each on to rank 2 when it has computed, and so on. `size` is the size of a
    /// part.
    Pipeline,
    /// In ⌈log2 n⌉ rounds, every rank sends a message to the rank 1, 2, 4, … places further along (a dissemination barrier).
    /// `size` is the size of a message.
    Barrier,
}

/// A message from one rank to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankMessage {
    /// The sender.
    pub from: u32,
    /// The receiver.
    pub to: u32,
    /// Its iteration, starting at zero.
    pub iteration: u32,
    /// Its step within the iteration, starting at zero.
    pub step: u32,
    /// Its size; zero for a computation of the sender.
    pub size: Bytes,
    /// The computation time before it is released.
    pub gap: TimeDelta,
    /// The messages that it waits for, as positions in the list of all messages.
    pub after: Vec<usize>,
}

impl Collective {
    /// The reason why the operation is impossible, if it is.
    pub fn fault(&self) -> Option<&'static str> {
        let Self { pattern, ranks, size, parts, iterations, .. } = *self;
        match pattern {
            _ if ranks < 2 => Some("at least two ranks are needed"),
            Pattern::HalvingDoubling if !ranks.is_power_of_two() => {
                Some("the number of ranks must be a power of two")
            }
            _ if size.is_zero() => Some("there is nothing to send"),
            _ if self.has_too_little() => Some("every rank needs at least one byte of the data"),
            _ if parts == 0 || iterations == 0 => Some("there must be at least one part and one iteration"),
            _ => None,
        }
    }
}

impl Collective {
    /// Whether the data is too small for the number of ranks.
    pub fn has_too_little(&self) -> bool {
        let least = if self.pattern.divides() { self.ranks } else { 1 };
        self.size.get() < u64::from(least)
    }

    /// The largest number of messages and computations that it consists of.
    pub fn message_count(&self) -> u64 {
        let [ranks, parts] = [self.ranks, self.parts].map(u64::from);
        let steps = u64::from(self.pattern.steps(self.ranks, self.parts));
        let one = match self.pattern {
            Pattern::AllToAll => ranks * (ranks - 1),
            Pattern::Pipeline => 2 * parts * (ranks - 1),
            _ => steps * ranks + ranks,
        };
        (one + ranks) * u64::from(self.iterations)
    }
}

impl Pattern {
    /// Whether ranks combine data that they receive with their own.
    pub fn reduces(self) -> bool {
        matches!(self, Self::RingAllReduce | Self::HalvingDoubling | Self::ReduceScatter)
    }

    /// Whether every rank sends or receives 1/n of the data at a time.
    pub fn divides(self) -> bool {
        !matches!(self, Self::Pipeline | Self::Barrier)
    }

    /// The number of steps of an iteration.
    pub fn steps(self, ranks: u32, parts: u32) -> u32 {
        let log = u32::BITS - (ranks - 1).leading_zeros();
        match self {
            Self::RingAllReduce => 2 * (ranks - 1),
            Self::HalvingDoubling => 2 * log,
            Self::AllGather | Self::ReduceScatter | Self::ShiftedAllToAll => ranks - 1,
            Self::AllToAll => 1,
            Self::Pipeline => ranks + parts - 2,
            Self::Barrier => log,
        }
    }
}
