//! The search for the highest rate without loss.

use setpoint_units::{Rate, TimeDelta};

use super::Step;

const FIRST: Rate = Rate::from_mbps(100);
/// The search ends when the bounds are this close, in per cent.
const CLOSE: u64 = 5;
/// A generator that reaches less of the wanted rate is itself the limit.
const REACHED: f64 = 0.97;
/// Frames that arrive later than this part of the sending time have waited in a growing queue, for which the socket's
/// buffer would not last.
const LATE: u64 = 20;

/// The reason why a higher rate is not possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Frames were lost.
    Loss,
    /// Frames waited longer and longer.
    Lag,
    /// The generator was not faster.
    Generator,
}

/// The highest rate without loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Highest {
    /// The step at the highest rate, unless even the lowest rate lost frames.
    pub best: Option<Step>,
    /// The reason why the next higher rate failed.
    pub bound: Bound,
    /// The steps that lost frames at first and none when repeated.
    pub repeated: u32,
}

/// Doubles the rate until a step fails, and then halves the interval.
pub(super) fn highest<E>(step: &mut impl FnMut(Rate) -> Result<Step, E>) -> Result<Highest, E> {
    let mut found = Highest { best: None, bound: Bound::Loss, repeated: 0 };
    let (mut low, mut high) = (0, None);
    while let Some(rate) = next(low, high) {
        let (tried, again) = repeated(rate, step)?;
        match failure(&tried) {
            None => {
                (low, found.best) = (rate.bits_per_second(), Some(tried));
                found.repeated += u32::from(again == Again::Yes);
            }
            Some(bound) => (high, found.bound) = (Some(rate.bits_per_second()), bound),
        }
    }
    Ok(found)
}

/// Whether a step was repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Again {
    Yes,
    No,
}

/// A step, repeated once if it fails: other programs may have disturbed it.
pub(super) fn repeated<E>(
    rate: Rate,
    step: &mut impl FnMut(Rate) -> Result<Step, E>,
) -> Result<(Step, Again), E> {
    let first = step(rate)?;
    if failure(&first).is_none() { Ok((first, Again::No)) } else { Ok((step(rate)?, Again::Yes)) }
}

/// The rate to try between the highest that passed and the lowest that failed.
fn next(low: u64, high: Option<u64>) -> Option<Rate> {
    match (low, high) {
        (0, None) => Some(FIRST),
        (low, None) => Rate::new(low.checked_mul(2)?),
        (0, Some(_)) => None,
        (low, Some(high)) if high * 100 <= low * (100 + CLOSE) => None,
        (low, Some(high)) => Rate::new(low.midpoint(high)),
    }
}

/// Why a step failed.
fn failure(step: &Step) -> Option<Bound> {
    let late = TimeDelta::from_picos(step.sending.as_picos() / LATE);
    if step.lost() > 0 {
        Some(Bound::Loss)
    } else if step.lag > late {
        Some(Bound::Lag)
    } else if step.offered() < REACHED * step.wanted.bits_per_second() as f64 {
        Some(Bound::Generator)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::super::PAYLOAD;
    use super::*;

    /// A bridge that forwards at most `most` Mb/s.
    fn bridge(most: u64) -> impl FnMut(Rate) -> Result<Step, Infallible> {
        move |wanted| {
            let sent = wanted.bits_per_second() / 8 / PAYLOAD;
            let received = sent.min(most * 1_000_000 / 8 / PAYLOAD);
            Ok(Step { wanted, sent, received, sending: TimeDelta::from_secs(1), ..idle() })
        }
    }

    fn idle() -> Step {
        Step {
            wanted: FIRST,
            sent: 0,
            received: 0,
            sending: TimeDelta::from_secs(1),
            lag: TimeDelta::ZERO,
            bridge_time: TimeDelta::ZERO,
            stations_time: TimeDelta::ZERO,
        }
    }

    #[test]
    fn the_search_comes_close_from_below() {
        for most in [100, 130, 1_000, 4_321] {
            let found = highest(&mut bridge(most)).unwrap();
            let best = found.best.unwrap().wanted.bits_per_second() / 1_000_000;
            assert!(best <= most && best * 105 >= most * 100, "{best} of {most}");
            assert_eq!(found.bound, Bound::Loss);
        }
    }

    #[test]
    fn a_bridge_that_always_loses_has_no_highest_rate() {
        assert_eq!(highest(&mut bridge(50)).unwrap().best, None);
    }

    #[test]
    fn one_disturbed_step_is_repeated() {
        let (mut steady, mut steps) = (bridge(300), 0);
        let found = highest(&mut |rate| {
            steps += 1;
            let step = steady(rate)?;
            Ok::<_, Infallible>(if steps == 1 { Step { received: 0, ..step } } else { step })
        });
        let found = found.unwrap();
        assert_eq!((found.repeated, found.best.is_some()), (1, true));
    }

    #[test]
    fn slow_generators_and_growing_queues_end_the_search() {
        let slow = Step { sent: 4_000, received: 4_000, ..idle() };
        assert_eq!(failure(&slow), Some(Bound::Generator));
        let enough = Step { sent: 8_400, received: 8_400, ..idle() };
        assert_eq!(failure(&enough), None);
        assert_eq!(failure(&Step { lag: TimeDelta::from_millis(51), ..enough }), Some(Bound::Lag));
        assert_eq!(failure(&Step { received: 8_399, ..enough }), Some(Bound::Loss));
    }
}
