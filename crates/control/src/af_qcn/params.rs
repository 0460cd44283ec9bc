//! The parameters of AF-QCN.

use setpoint_units::{Bytes, Rate, TimeDelta};

use crate::arrivals::ENTRIES;
use crate::misfit::Misfit;
use crate::parameter::range::{INTERVALS, percents, powers, sizes};
use crate::parameter::{Percent, Power, choice, parameters};
use crate::qcn;
use crate::scheme::Scheme;

parameters! {
    /// The parameters of the AF controller. QCN keeps its own.
    pub struct Params = "af-qcn.cp" {
        /// The AF controller's share of the feedback; QCN contributes the rest. A larger share brings
        /// accounts to their fair shares sooner, but leaves less feedback to control the queue.
        alpha: Percent {
            default: Percent::from_hundredths(1_250), range: percents(Percent::from_hundredths(1), Percent::from_hundredths(9_999)),
            origin: "Kabbani et al. (2010), section III-B, which recommends at most 25 %",
        }
        /// The interval Ts over which the arrivals of an account are counted. It should span several
        /// round-trip times, so that bursts are not mistaken for rates; a longer interval slows convergence to fairness.
        interval: TimeDelta {
            default: TimeDelta::from_millis(1), range: INTERVALS,
            origin: "Kabbani et al. (2010), section III-B: one to a few milliseconds; range: our choice",
        }
        /// The weight of the last interval in an account's estimated arrivals. With a smaller weight, short
        /// flows go unnoticed and the estimate follows changes more slowly.
        smoothing: Power {
            default: Power::of_two(-3), range: powers(-8, -1),
            origin: "Kabbani et al. (2010), section III-B; powers of two only, and the range: our choice",
        }
        /// An account is active while its estimate for an interval exceeds this. Only active accounts have a
        /// fair share and receive feedback for exceeding it; with the default interval, these are accounts
        /// above 160 Mb/s. A bound below that rate is not enforced.
        active_threshold: Bytes {
            default: Bytes::new(20_000), range: sizes(0),
            origin: "Kabbani et al. (2010), section III-B",
        }
        /// The number of accounts that a congestion point can measure at once. An account that finds no
        /// free entry is treated as inactive until another is forgotten. Each entry takes 48 to 64 bytes of
        /// memory, for every queue that sees traffic.
        entries: u32 {
            default: 1_024, range: ENTRIES,
            origin: "our choice",
        }
        /// How the weighted sum of the two feedback values is rounded to a whole number, if at all. Most
        /// feedback from a settled queue is 1, so the rounding decides whether it slows down accounts within
        /// their shares.
        rounding: Rounding {
            default: Rounding::Down,
            origin: "our choice, rounding as in equation (7); the source does not specify it",
        }
        /// QCN's part of the feedback while QCN alone would send nothing. With "zero", accounts above their
        /// shares are slowed down even when the queue is empty; if some accounts use less than their share,
        /// the others cannot use the remainder, and the link idles.
        uncongested: Uncongested {
            default: Uncongested::Signed,
            origin: "Kabbani et al. (2010), section III-A, which can be read either way; \"silent\": our choice",
        }
    }
}

choice! {
    /// How the weighted sum of the two feedback values is rounded.
    Rounding {
        Down = "down", "To the whole number below: an active account within its share is not notified of a QCN feedback of 1.";
        Nearest = "nearest", "To the nearest whole number, halves up.";
        Up = "up", "To the whole number above: any feedback above zero is sent.";
        None = "none", "Not at all, following equation (4) as written: the sum is sent in units of 1/256 of a step, provided it is at least one unit.";
    }
}

choice! {
    /// QCN's part of the feedback when QCN alone would send nothing.
    Uncongested {
        Zero = "zero", "Zero, as in QCN's six-bit field, which cannot be negative: an account above its share \
            is slowed down whatever the queue length.";
        Signed = "signed", "The negative value of equation (1): a short queue counts against the AF controller.";
        Silent = "silent", "Nothing is sent unless QCN alone would send it: the AF controller only strengthens feedback.";
    }
}

/// The parameters of an AF-QCN congestion point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpParams {
    /// The parameters that it shares with QCN.
    pub qcn: qcn::CpParams,
    /// The parameters of the AF controller.
    pub af: Params,
}

impl Scheme for Params {
    const EXPLANATION: &'static str = "AF-QCN (Kabbani et al. 2010): QCN whose congestion point also measures the rate of each flow or tenant. Every \
        millisecond it computes a max-min fair share for each, with weights and upper bounds. At each sample it increases \
        QCN's feedback in proportion to the excess of the sampled flow over its share, so that flows above their share slow \
        down more. The reaction points are those of QCN.";

    fn fit(&self, line_rate: Option<Rate>) -> Result<(), Misfit> {
        let most = line_rate.map(|rate| (rate, rate * self.interval));
        match most {
            Some((rate, most)) if self.active_threshold >= most => Err(Misfit::new(
                "af-qcn.cp.active_threshold",
                &alloc::format!(
                    "af-qcn.cp.active_threshold is {}, at least the {most} that a port of {rate} carries in \
                     af-qcn.cp.interval, so no account would ever be active",
                    self.active_threshold
                ),
            )),
            _ => Ok(()),
        }
    }
}
