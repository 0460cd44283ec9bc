//! The parameters of Swift. Most values are guesses, according to comments in their source.

use setpoint_units::{Rate, TimeDelta};

use super::choices::Delay;
use crate::acknowledging::batch_parameters;
use crate::misfit::Misfit;
use crate::parameter::range::{SHARES, counts, percents, times};
use crate::parameter::{Percent, Range};
use crate::scheme::Scheme;

const GUESS: &str = "a guess, according to htsim's code";
const DELAYS: Range = times(TimeDelta::from_nanos(1), TimeDelta::from_secs(1));
const FRAMES: Range = counts(1, 1_000_000);

batch_parameters! {
    /// The parameters of Swift.
    pub struct Params {
        /// The parameters of a Swift notification point.
        np: NpParams = "swift.np", frames: "htsim";
        /// The parameters of a Swift reaction point.
        rp: RpParams = "swift.rp" {
            /// The delay that is compared with the target.
            delay: Delay {
                default: Delay::RoundTrip,
                origin: "htsim",
            }
            /// The part of the target delay that does not depend on the path or the window. It must be longer than the
            /// round-trip time of the idle path, unless only the queueing delay counts.
            base_target: TimeDelta {
                default: TimeDelta::from_micros(20), range: DELAYS,
                origin: GUESS,
            }
            /// The time that every bridge on the path adds to the target delay.
            hop_target: TimeDelta {
                default: TimeDelta::from_nanos(3_053), range: DELAYS,
                origin: "a guess, according to htsim's code: the base target divided by 6.55",
            }
            /// The largest part of the target delay that depends on the window: small windows have a longer target, so
            /// that the shares of many flows become equal.
            scaling_range: TimeDelta {
                default: TimeDelta::from_micros(100), range: DELAYS,
                origin: "a guess, according to htsim's code: five times the base target",
            }
            /// The window in frames up to which the whole scaling range is added to the target.
            scaling_min: Percent {
                default: Percent::new(10), range: percents(Percent::new(1), Percent::WHOLE),
                origin: "a guess, according to htsim's code: 0.1 frames",
            }
            /// The window in frames at and above which the target is not scaled.
            scaling_max: u32 {
                default: 100, range: counts(2, 1_000_000),
                origin: GUESS,
            }
            /// The number of frames that are added to the window per round-trip time while the delay is below its target.
            increase: Percent {
                default: Percent::WHOLE, range: percents(Percent::new(1), Percent::new(500)),
                origin: "a guess, according to htsim's code: 1.0",
            }
            /// β, the factor of a decrease.
            decrease: Percent {
                default: Percent::new(80), range: SHARES,
                origin: GUESS,
            }
            /// The largest part of the window that a decrease removes.
            max_decrease: Percent {
                default: Percent::new(50), range: SHARES,
                origin: GUESS,
            }
            /// The initial window, in frames.
            first_window: u32 {
                default: 12, range: FRAMES,
                origin: GUESS,
            }
            /// The minimum window in frames. Below one frame, the source sends a frame and waits.
            min_window: Percent {
                default: Percent::new(1), range: percents(Percent::from_hundredths(1), Percent::WHOLE),
                origin: "our choice; Swift'20, section 3.4: 0.1 %; htsim: 10 B",
            }
            /// The maximum window in frames.
            max_window: u32 {
                default: 1_000, range: FRAMES,
                origin: GUESS,
            }
        }
    }
}

impl Scheme for Params {
    const EXPLANATION: &'static str = "Congestion control by delay with a window. The receiver acknowledges, and the source \
        compares each round-trip time with a target, which grows with the number of bridges on the path and for small \
        windows. Below the target, the window grows by one frame per round-trip time; above it, the window shrinks in \
        proportion to the excess, at most once per round-trip time. A window below one frame becomes a pause between \
        frames. Bridges take no part. Most values are guesses, according to comments in their source.";

    fn fit(&self, _line_rate: Option<Rate>) -> Result<(), Misfit> {
        let rp = self.rp;
        if rp.first_window > rp.max_window {
            let (first, most) = (rp.first_window, rp.max_window);
            let message = alloc::format!(
                "swift.rp.first_window is {first}, above swift.rp.max_window, which is {most}"
            );
            return Err(Misfit::new("swift.rp.first_window", &message));
        }
        Ok(())
    }
}
