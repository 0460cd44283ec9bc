//! Whom to tell: which flow a congestion point holds responsible for a buffer that is too full.
//!
//! IEEE 802.1Qau tells the source of the frame that happened to arrive when a sample was due. That is right where
//! frames leave in the order in which they came: a flow's share of the arrivals is then its share of the queue. In a
//! buffer from which frames leave in another order, such as an input buffer with virtual output queues, it is not: a
//! flow may bring most of the frames and have hardly any in the buffer. *Occupancy sampling* (Chrysos and others,
//! "Unbiased QCN for scalable server-fabrics", IBM RZ 3880, 2014, section III-B) tells a flow by what it has in the
//! buffer:
//!
//! * [`Marking::LargestBacklog`], "deterministic": the flow that has the most;
//! * [`Marking::RandomOccupancy`], "random": the owner of an occupied unit of the buffer, taken at random, so that flow n
//!   is told with probability q_n / q. It needs no account of flows: a [`CulpritArray`] has a word for each unit.
//!
//! The shares are exact with one word a read. With the 16 words that the paper's array gives at a time, they depend on who
//! lies beside whom: a flow can be told at most 16 times as often as its units deserve, and as seldom as a 16th. Where it
//! matters they hardly do. In a buffer of 586 units whose culprit swings between the thresholds of PAUSE, while a victim
//! brings seven frames in ten and has 2.56 % of the units, the victim is told 2.54 % of the time
//! (`crates/control/tests/culprit/shares.rs`), since free units are taken last in, first out, and rows are therefore full
//! or empty.
//!
//! The paper's array is for all priorities of a port and has 12 000 words, of which one backlogged priority takes few: two
//! searches in three then fall back. Arrays here are as large as their buffer, one for each priority or one for several,
//! as the caller likes; the class tells frames apart.

mod array;

pub use array::{CulpritArray, Owner, Units};

use crate::Entropy;
use crate::signal::FlowKey;

/// How a congestion point chooses the flow that it tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Marking {
    /// The flow of the frame that was sampled (IEEE 802.1Qau).
    #[default]
    Arrival,
    /// The flow with the most units in the buffer; of several the one with the lowest number.
    LargestBacklog,
    /// The flow of an occupied unit, at random.
    RandomOccupancy(Search),
}

/// How the culprit array is searched for an occupied unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// Words that one read gives, side by side. The array of the paper is 320 bits wide and gives 16 of 20 bits; the
    /// shares q_n / q are exact with one word a read only (see [`CulpritArray::random`]).
    pub words_per_read: u32,
    /// Reads at random addresses, before the array is searched from the last of them on, read by read.
    pub random_reads: u32,
}

impl Default for Search {
    /// One word a read, and 16 random reads; the paper has "a number of searches".
    fn default() -> Self {
        Self { words_per_read: 1, random_reads: 16 }
    }
}

/// What the searches of a culprit array have cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CulpritCounters {
    /// Searches for a culprit: one for each notification.
    pub searches: u64,
    /// Reads of the array, at random addresses and one after another.
    pub reads: u64,
    /// Searches in which no random read found a culprit.
    pub fallbacks: u64,
    /// The reads of those, after the random ones.
    pub fallback_reads: u64,
}

impl core::ops::AddAssign for CulpritCounters {
    fn add_assign(&mut self, other: Self) {
        self.searches += other.searches;
        self.reads += other.reads;
        self.fallbacks += other.fallbacks;
        self.fallback_reads += other.fallback_reads;
    }
}

impl Marking {
    /// The flow to tell instead of the one that was sampled, in the buffer and class of the sample; none with
    /// [`Marking::Arrival`], or if nothing of that class is there.
    pub fn culprit(
        &self,
        array: &mut CulpritArray,
        class: u8,
        entropy: &mut impl Entropy,
    ) -> Option<FlowKey> {
        match self {
            Self::Arrival => None,
            Self::LargestBacklog => array.largest(class),
            Self::RandomOccupancy(search) => array.random(class, search, entropy),
        }
    }
}
