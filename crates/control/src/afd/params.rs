//! The parameters of AFD.

use setpoint_units::{Bytes, Rate, TimeDelta};

use crate::arrivals::ENTRIES;
use crate::misfit::Misfit;
use crate::parameter::range::{INTERVALS, RATES, SIZES, percents, powers};
use crate::parameter::{Percent, Power, Range, parameters};
use crate::scheme::Scheme;

const GAINS: Range = percents(Percent::from_hundredths(1), Percent::new(655));

const SAME_BYTES: &str = "our choice: the link carries 125 kB per interval, as at 10 Gb/s";
const LINK_RATE: &str = "our choice: the rate of the link";

parameters! {
    /// The parameters of AFD.
    pub struct Params = "afd.cp" {
        /// The reference queue length. The fair share rises while the queue is below it and falls
        /// while the queue is above it.
        set_point: Bytes {
            default: Bytes::new(50_000), range: SIZES,
            origin: "our choice: a third of a 150 kB buffer, several times the queue fluctuation \
                caused by random drops",
        }
        /// The interval over which the arrivals of an account are counted and after which the fair share is
        /// adjusted. A longer interval gives the queue more time to run away; a shorter one measures rates
        /// from only a few frames.
        interval: TimeDelta {
            default: TimeDelta::from_micros(100), range: INTERVALS,
            origin: "our choice: 125 kB at 10 Gb/s, so that the queue can be held within a buffer of 150 kB",
            scaled: SAME_BYTES,
        }
        /// The weight of the last interval in an account's estimated arrivals. 2^0 uses the last interval
        /// alone; a smaller weight lets bursts pass and follows changes more slowly.
        smoothing: Power {
            default: Power::of_two(0), range: powers(-8, 0),
            origin: "Kabbani et al. (2010), section II-B: the arrivals in the interval, without smoothing",
        }
        /// The number of bytes per interval by which the fair share falls for each byte that the queue is
        /// above its set point now. With accounts of total weight N above their shares, the loop is stable
        /// while N a2 < 2 and N (a1 + a2) < 4: with the defaults, up to N = 11.
        a1: Percent {
            default: Percent::new(18), range: GAINS,
            origin: "our choice: a tenth of 1.8, which implementations quote from Pan et al. (2003) for other units",
        }
        /// The number of bytes per interval by which the fair share rises for each byte that the queue was
        /// above its set point one interval ago. It must be below a1: the difference draws the queue to its
        /// set point, the rest damps the loop.
        a2: Percent {
            default: Percent::new(17), range: GAINS,
            origin: "our choice: one tenth of 1.7, which implementations take from Pan et al. (2003), where the units differ",
        }
        /// The upper limit of the fair share of an account of weight one: the bytes that this rate carries in
        /// an interval, plus the set point. The share starts there, so that nothing is dropped before the first
        /// congestion, and does not wind up beyond it while the queue is short.
        max_share: Rate {
            default: Rate::from_gbps(10), range: RATES,
            origin: "our choice: the rate of the link, above which a share has no meaning",
            scaled: LINK_RATE,
        }
        /// The number of accounts that can be measured at once. Frames of an account that finds no free
        /// entry are not dropped until another account is forgotten. Each entry takes 48 to 64 bytes of
        /// memory, for every queue that sees traffic.
        entries: u32 {
            default: 1_024, range: ENTRIES,
            origin: "our choice",
        }
    }
}

impl Scheme for Params {
    const EXPLANATION: &'static str = "Approximate fair dropping (Pan et al. 2003), the origin of AF-QCN's fairness. The congestion point measures the \
        arrivals of each flow or tenant in an interval and drops its frames with probability 1 - fair share / arrivals. It \
        adapts the fair share so that the queue stays at its set point. Sources are not notified: AFD is for sources that \
        react to loss.";

    fn fit(&self, _line_rate: Option<Rate>) -> Result<(), Misfit> {
        let (a1, a2) = (self.a1, self.a2);
        if a1 > a2 {
            return Ok(());
        }
        let message = alloc::format!(
            "afd.cp.a1 ({a1}) must be greater than afd.cp.a2 ({a2}), otherwise the queue does not settle at its set \
             point"
        );
        Err(Misfit::new("afd.cp.a1", &message))
    }

    fn set_point(&self) -> Option<Bytes> {
        Some(self.set_point)
    }
}
