//! Random numbers: one stream per component and purpose, all derived from the run's seed.
//!
//! The numbers of a stream depend only on the seed, the purpose and the owner's index, so adding a flow does
//! not change the numbers that another flow draws.

use rand_core::Rng;
use rand_pcg::Pcg32;
use setpoint_control::Entropy;

/// The purpose of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Sampling jitter of a congestion point.
    CongestionPoint = 1,
    /// Jitter of a reaction point.
    ReactionPoint = 2,
    /// Arrival times and sizes of a flow.
    Traffic = 3,
    /// Random traffic matrices.
    Matrix = 4,
    /// The start of a flow within its first frame time.
    Phase = 5,
    /// The choice of the messages to keep if there are more than the limit allows.
    Reservoir = 7,
    /// The position at which a congestion point looks for a flow to notify.
    Culprit = 8,
    /// The link on which a leaf sends a cell.
    Spraying = 9,
    /// The clock offset of a station.
    Clock = 10,
    /// The choice of the seeds in a bootstrap sample.
    Bootstrap = 11,
}

/// A stream of random numbers.
///
/// ```
/// use setpoint_random::{Purpose, RandomStream};
///
/// let mut first = RandomStream::new(1, Purpose::Traffic, 0);
/// let mut again = RandomStream::new(1, Purpose::Traffic, 0);
/// let mut other = RandomStream::new(1, Purpose::Traffic, 1);
/// let number = first.unit();
/// assert_eq!(number, again.unit());
/// assert_ne!(number, other.unit());
/// ```
#[derive(Clone, Debug)]
pub struct RandomStream(Pcg32);

impl RandomStream {
    /// The stream of a component: `owner` is its index among those with the same purpose.
    #[inline]
    pub fn new(seed: u64, purpose: Purpose, owner: u32) -> Self {
        let stream = ((purpose as u64) << 32) | u64::from(owner);
        Self(Pcg32::new(mix(seed ^ mix(stream)), stream))
    }

    /// A number from 0 (inclusive) to 1 (exclusive), with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A whole number below `bound`, which must be positive.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.0.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// An exponentially distributed number with mean 1.
    #[inline]
    pub fn exponential(&mut self) -> f64 {
        -libm::log1p(-self.unit())
    }
}

impl Entropy for RandomStream {
    #[inline]
    fn next_u32(&mut self) -> u32 {
        self.0.next_u32()
    }

    fn fork(&self) -> Option<Box<dyn Entropy + Send>> {
        Some(Box::new(self.clone()))
    }
}

/// Mixes the bits of a number (the finaliser of SplitMix64), so that neighbouring seeds yield
/// unrelated streams.
#[inline]
pub const fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
