//! The choice of the flow that a congestion point notifies when a buffer is congested.
//!
//! IEEE 802.1Qau notifies the source of the frame that arrives when a sample is due. This is correct if frames leave
//! in the order of their arrival: a flow's share of the arrivals then equals its share of the queue. In a buffer that
//! frames leave in a different order, such as an input buffer with virtual output queues, it is wrong: a flow may
//! send most of the frames and yet have hardly any in the buffer. *Occupancy sampling* (Chrysos et al., "Unbiased QCN
//! for scalable server-fabrics", IBM RZ 3880, 2014, section III-B) chooses a flow by its occupancy of the buffer:
//!
//! * [`Marking::LargestBacklog`], "deterministic": the flow with the largest backlog;
//! * [`Marking::RandomOccupancy`], "random": the owner of a random occupied unit of the buffer, so that flow n is
//!   notified with probability q_n / q. It needs no state per flow: a [`CulpritArray`] has a word for each unit.
//!
//! The probabilities are exact with one word per read. With 16 words per read, as in the paper's array, they depend on
//! which flows occupy neighbouring units: a flow can be notified up to 16 times as often as its share warrants, or as
//! rarely as a sixteenth of that. In practice the effect is small. In a test, the culprit's backlog in a buffer of 586
//! units oscillates between the PAUSE thresholds, while a victim sends seven of every ten frames but occupies only 2.56
//! % of the units. The victim receives 2.54 % of the notifications (`crates/control/tests/control/culprit/shares.rs`):
//! free units are reused last in, first out, so rows are either full or empty.
//!
//! The paper's array serves all priorities of a port and has 12 000 words, of which a single backlogged priority uses
//! only a few: two searches in three then fall back to sequential reads. Here an array is as large as its buffer. The
//! caller may use one for each priority or one for several; the class distinguishes their frames.

mod array;

pub use array::{CulpritArray, Owner, Units};

use crate::Entropy;
use crate::signal::FlowKey;

/// How a congestion point chooses the flow that it notifies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Marking {
    /// The flow of the sampled frame (IEEE 802.1Qau).
    #[default]
    Arrival,
    /// The flow with the most units in the buffer; on a tie, the one with the lowest number.
    LargestBacklog,
    /// The flow of a random occupied unit.
    RandomOccupancy(Search),
}

/// How the culprit array is searched for an occupied unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// The number of adjacent words per read. The paper's array is 320 bits wide and returns 16 words of 20 bits; the
    /// probabilities q_n / q are exact only with one word per read (see [`CulpritArray::random`]).
    pub words_per_read: u32,
    /// The number of reads at random addresses, after which the array is searched sequentially from the last address.
    pub random_reads: u32,
}

impl Default for Search {
    /// One word per read and 16 random reads; the paper says "a number of searches".
    fn default() -> Self {
        Self { words_per_read: 1, random_reads: 16 }
    }
}

/// The cost of searching a culprit array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CulpritCounters {
    /// Searches for a culprit: one for each notification.
    pub searches: u64,
    /// Reads of the array, random and sequential.
    pub reads: u64,
    /// Searches in which no random read found a culprit.
    pub fallbacks: u64,
    /// The sequential reads of these searches.
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
    /// The flow to notify instead of the sampled frame's flow, in the buffer and class of the sample; `None` with
    /// [`Marking::Arrival`], or if the buffer has no frame of the class.
    pub fn culprit(&self, array: &mut CulpritArray, class: u8, entropy: &mut dyn Entropy) -> Option<FlowKey> {
        match self {
            Self::Arrival => None,
            Self::LargestBacklog => array.largest(class),
            Self::RandomOccupancy(search) => array.random(class, search, entropy),
        }
    }
}
