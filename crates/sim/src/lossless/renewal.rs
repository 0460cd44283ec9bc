//! The time at which a pause is renewed, and whether it can expire first.
//!
//! A pause lasts for its quanta at the sender's rate on receipt: at least P, its duration at the
//! highest rate. The renewing frame is requested a time r after the previous pause frame began,
//! may wait B for the longest frame in the reverse direction, and may take longer to transmit than
//! its predecessor if the rate in the reverse direction changes. So at most g = r + B + (T_slow −
//! T_fast) passes between the arrivals of two pause frames, and a pause lapses for at most g − P.
//!
//! r is half of P, or less if that is needed to keep g below P. It is never so small that pause frames follow
//! each other without a gap, because they would starve the reverse direction of the link. If a smaller r would be
//! needed, pauses can lapse.

use setpoint_units::{Bytes, Rate, TimeDelta};

use super::RateRange;

/// The length of a PAUSE or PFC frame in bytes: the minimum frame length.
pub(crate) const PAUSE_FRAME: u16 = 64;
/// Bit times in a quantum of pause time.
const QUANTUM_BITS: u64 = 512;
const TICK: TimeDelta = TimeDelta::from_picos(1);

/// The timing of pause renewals on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Renewal {
    /// The shortest duration of a pause (P).
    pub pause: TimeDelta,
    /// The time from the beginning of a pause frame to the request for the next (r).
    pub after: TimeDelta,
    /// The longest time between the arrivals of two pause frames (g).
    pub longest_gap: TimeDelta,
    /// The longest time for which a sender may transmit between two pauses; zero if pauses never lapse.
    pub lapse: TimeDelta,
    /// The minimum number of quanta for which pauses never lapse; `None` if no pause is long enough.
    pub least_quanta: Option<u16>,
}

impl Renewal {
    /// Renewals for a sender whose highest rate is `rate`. In the reverse direction, a pause frame has
    /// `pause_frame` bytes, and the longest frame takes a time of `wait`.
    pub(super) fn new(quanta: u16, rate: Rate, wait: TimeDelta, pause_frame: Bytes, back: RateRange) -> Self {
        let (slow, fast) = (pause_frame / back.slowest, pause_frame / back.fastest);
        let (late, soonest) = (wait + slow.saturating_sub(fast), slow + TICK);
        let pause = pause_time(quanta, rate);
        let in_time = pause.saturating_sub(late + TICK);
        let after = (pause / 2).min(in_time).max(soonest);
        let longest_gap = after + late;
        let lapse =
            if longest_gap < pause { TimeDelta::ZERO } else { longest_gap.saturating_sub(pause).max(TICK) };
        let least_quanta = quanta_for(soonest + late + TICK, rate);
        Self { pause, after, longest_gap, lapse, least_quanta }
    }

    /// Whether a pause can expire before it is renewed.
    pub fn lapses(&self) -> bool {
        !self.lapse.is_zero()
    }
}

/// The minimum number of quanta that cover the given time span.
fn quanta_for(span: TimeDelta, rate: Rate) -> Option<u16> {
    let bits = u128::from(span.as_picos()) * u128::from(rate.bits_per_second());
    let quantum = u128::from(QUANTUM_BITS) * u128::from(Rate::BYTE_PICOS / 8);
    u16::try_from(bits.div_ceil(quantum)).ok()
}

/// The duration of a pause at a port's rate.
pub(crate) fn pause_time(quanta: u16, rate: Rate) -> TimeDelta {
    rate.time_to_send(pause_bytes(quanta))
}

/// The bytes that a port could send during a pause.
pub(crate) fn pause_bytes(quanta: u16) -> Bytes {
    Bytes::new(u64::from(quanta) * QUANTUM_BITS / 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAUSE: Bytes = Bytes::new(84);

    fn range(slowest: u64, fastest: u64) -> RateRange {
        RateRange { slowest: Rate::from_mbps(slowest), fastest: Rate::from_mbps(fastest) }
    }

    fn renewal(quanta: u16, wait: u64, back: RateRange) -> Renewal {
        Renewal::new(quanta, Rate::from_gbps(10), TimeDelta::from_nanos(wait), PAUSE, back)
    }

    #[test]
    fn long_pauses_are_renewed_at_half_their_time() {
        // 65 535 quanta of 51.2 ns.
        let long = renewal(65_535, 1_000, range(10_000, 10_000));
        assert_eq!(long.pause, TimeDelta::from_picos(3_355_392_000));
        assert_eq!((long.after, long.lapse), (long.pause / 2, TimeDelta::ZERO));
    }

    #[test]
    fn pauses_that_wait_long_are_renewed_earlier() {
        // 100 quanta are 5 120 ns; a frame of 4 000 ns may delay the pause frame.
        let early = renewal(100, 4_000, range(10_000, 10_000));
        assert_eq!(early.after, TimeDelta::from_picos(1_119_999));
        assert_eq!((early.longest_gap, early.lapses()), (TimeDelta::from_picos(5_119_999), false));
    }

    #[test]
    fn the_least_quanta_are_the_least() {
        for (wait, back) in
            [(1_000, range(10_000, 10_000)), (4_000, range(1_000, 40_000)), (77_777, range(700, 700))]
        {
            let least = renewal(1, wait, back).least_quanta.unwrap();
            assert!(!renewal(least, wait, back).lapses(), "{least}");
            assert!(renewal(least - 1, wait, back).lapses(), "{least}");
        }
    }

    #[test]
    fn no_pause_outlasts_a_frame_that_takes_longer_than_all_quanta() {
        let never = renewal(65_535, 7_400_000, range(10, 10_000));
        assert_eq!(never.least_quanta, None);
        assert!(never.lapses());
        // A pause frame of 84 B takes 67.2 us at 10 Mb/s and 67.2 ns at 10 Gb/s.
        assert_eq!(never.after, TimeDelta::from_picos(67_200_001));
        assert_eq!(never.longest_gap, TimeDelta::from_picos(67_200_001 + 7_400_000_000 + 67_132_800));
        assert_eq!(never.lapse, never.longest_gap.saturating_sub(never.pause));
    }
}
