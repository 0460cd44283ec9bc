//! The parameters of the AF controller, and what a congestion point of AF-QCN is made from.

use setpoint_units::{Bytes, Rate, TimeDelta};

use crate::arrivals::ENTRIES;
use crate::misfit::{Misfit, check_ranges};
use crate::parameter::range::{INTERVALS, percents, powers, sizes};
use crate::parameter::{Percent, Power, choice, parameters};
use crate::qcn;

parameters! {
    /// The parameters of the AF controller. Those of QCN are apart.
    pub struct Params = "af-qcn.cp" {
        /// The part of the AF controller in the feedback; QCN has the rest. A larger part brings accounts to
        /// their shares sooner and leaves less to hold the queue.
        alpha: Percent {
            default: Percent::from_hundredths(1_250), range: percents(Percent::from_hundredths(1), Percent::from_hundredths(9_999)),
            origin: "Kabbani and others (2010), section III-B, which recommends at most 25 %",
        }
        /// The interval Ts over which the arrivals of an account are counted. It should be several round-trip
        /// times, so that bursts do not pass for rates; a longer one delays fairness.
        interval: TimeDelta {
            default: TimeDelta::from_millis(1), range: INTERVALS,
            origin: "Kabbani and others (2010), section III-B: 1 ms to a few; range: own choice",
        }
        /// The weight of the last interval in the estimate of what an account brings. A smaller weight lets
        /// short flows pass unnoticed and follows changes more slowly.
        smoothing: Power {
            default: Power::of_two(-3), range: powers(-8, -1),
            origin: "Kabbani and others (2010), section III-B; powers of two only, and the range: own choice",
        }
        /// An account is active while its estimate for an interval is above this. Only active accounts have a
        /// share, and only they hear of it; with the default interval, those of more than 160 Mb/s. A bound
        /// below that rate is not enforced.
        active_threshold: Bytes {
            default: Bytes::new(20_000), range: sizes(0),
            origin: "Kabbani and others (2010), section III-B",
        }
        /// How many accounts a congestion point can measure at a time. One that finds no place is treated as
        /// not active until another is forgotten. Each takes 48 to 64 bytes of memory, for every queue that
        /// sees traffic.
        entries: u32 {
            default: 1_024, range: ENTRIES,
            origin: "own choice",
        }
        /// How the weighted sum of the two feedbacks becomes a whole number. Most feedbacks of a settled
        /// queue are 1, so the rounding decides whether accounts within their shares are slowed by them.
        rounding: Rounding {
            default: Rounding::Down,
            origin: "own choice, as equation (7) rounds; the source does not say",
        }
        /// What QCN's part of the feedback is while QCN alone would send nothing. With "zero" accounts above
        /// their shares are slowed down even at an empty queue, and where some accounts use less than their
        /// share the others cannot take what is left: the link then idles.
        uncongested: Uncongested {
            default: Uncongested::Signed,
            origin: "Kabbani and others (2010), section III-A, which can be read either way; \"silent\": own choice",
        }
    }
}

choice! {
    /// How the weighted sum of two feedbacks becomes a whole number.
    Rounding {
        Down = "down", "To the next smaller: an active account within its share does not hear of a QCN feedback of 1.";
        Nearest = "nearest", "To the nearest, a half up.";
        Up = "up", "To the next larger: whatever is more than nothing is heard.";
    }
}

choice! {
    /// What QCN's part of the feedback is where QCN alone would send nothing.
    Uncongested {
        Zero = "zero", "Zero, as the six bits of QCN: an account above its share is slowed down whatever the queue.";
        Signed = "signed", "What equation (1) gives, below zero: room in the queue weighs against the AF controller.";
        Silent = "silent", "Nothing is sent unless QCN alone would: the AF controller only makes feedback stronger.";
    }
}

/// What a congestion point of AF-QCN is made from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpParams {
    /// Of the congestion point of QCN.
    pub qcn: qcn::CpParams,
    /// Of the AF controller.
    pub af: Params,
}

impl Params {
    /// Whether every parameter is within its range, and some account could be active at a port of
    /// `line_rate` if it is known.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self, line_rate: Option<Rate>) -> Result<(), Misfit> {
        check_ranges(PARAMETERS, self)?;
        let most = line_rate.map(|rate| (rate, rate * self.interval));
        match most {
            Some((rate, most)) if self.active_threshold >= most => Err(Misfit::new(
                "af-qcn.cp.active_threshold",
                &alloc::format!(
                    "af-qcn.cp.active_threshold is {}, no less than the {most} that a port of {rate} carries in \
                     af-qcn.cp.interval, so that no account would ever be active",
                    self.active_threshold
                ),
            )),
            _ => Ok(()),
        }
    }
}
