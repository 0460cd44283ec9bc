//! The figures for a class of messages.
//!
//! A message that was not completed took at least the time from its offer to the end of the run. If a class has such
//! messages, its mean is a lower bound, which uses that time for each of them. A quantile lies between two values: the
//! lower one again uses that time, the upper one counts such a message as slower than all completed ones. If they
//! differ by no more than [`TOLERANCE`], the quantile is known, and the upper value is reported; otherwise the lower
//! value is reported, as a lower bound. A message that lost a frame will never be complete, so both values count it as
//! slower than the others.

use setpoint_sim::{Fate, IncompleteMessage, MessageOutcome, Outcome};
use setpoint_units::{Bytes, Time, TimeDelta};

use super::Sizes;
use crate::results::MessageClass;
use crate::statistics::moments::{Moments, share};
use crate::statistics::quantile::{PROBABILITIES, quantile};

/// The largest relative error of a quantile that counts as known.
const TOLERANCE: f64 = 0.01;

/// A retained message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) flow: usize,
    pub(super) offered: Time,
    /// The completion time, or the time until the end of the run.
    pub(super) elapsed: TimeDelta,
    pub(super) size: Bytes,
    fate: Fate,
    ideal: TimeDelta,
    /// The time for which it waited for earlier messages of its flow.
    waited: TimeDelta,
}

impl Known {
    pub(super) fn is_completed(&self) -> bool {
        self.fate == Fate::Completed
    }

    /// The slowdown, which is at least 1: even a message offered a moment before the end takes at least its ideal time.
    fn slowdown(&self) -> f64 {
        let elapsed = self.elapsed.as_picos() as f64;
        if self.ideal.is_zero() { 1.0 } else { (elapsed / self.ideal.as_picos() as f64).max(1.0) }
    }
}

/// The retained messages of a run.
pub(super) fn known(outcome: &Outcome) -> impl Iterator<Item = Known> {
    let completed = outcome.messages.iter().map(|message| {
        let &MessageOutcome { flow, size, offered, completed, waited, ideal } = message;
        let (elapsed, fate) = (completed.saturating_since(offered), Fate::Completed);
        Known { flow: flow.index(), offered, elapsed, size, fate, ideal, waited }
    });
    let incomplete = outcome.messages_incomplete.iter().map(|message| {
        let &IncompleteMessage { flow, size, offered, fate, waited, ideal } = message;
        let elapsed = outcome.end.saturating_since(offered);
        Known { flow: flow.index(), offered, elapsed, size, fate, ideal, waited }
    });
    completed.chain(incomplete)
}

/// Whether a size is in a range.
pub(super) fn contains((from, to): Sizes, size: Bytes) -> bool {
    from.is_none_or(|from| size >= from) && to.is_none_or(|to| size < to)
}

/// The figures for the messages in a size range.
pub(super) fn class((from, to): Sizes, messages: &[Known]) -> MessageClass {
    let messages: Vec<&Known> =
        messages.iter().filter(|message| contains((from, to), message.size)).collect();
    let count = |fate| messages.iter().filter(|message| message.fate == fate).count() as u64;
    let mean = Moments::of(messages.iter().map(|message| message.elapsed.as_secs_f64())).mean;
    let all_completed = messages.iter().all(|message| message.is_completed());
    let sum =
        |of: fn(&Known) -> TimeDelta| messages.iter().map(|message| of(message).as_secs_f64()).sum::<f64>();
    let waited = messages.iter().filter(|message| !message.waited.is_zero()).count() as u64;
    let times = quantiles(&messages, |message| message.elapsed.as_secs_f64());
    let slowdowns = quantiles(&messages, Known::slowdown);
    MessageClass {
        from_bytes: from.map(Bytes::get),
        to_bytes: to.map(Bytes::get),
        completed: count(Fate::Completed),
        unfinished: count(Fate::Unfinished),
        damaged: count(Fate::Damaged),
        waited,
        waited_share: share(sum(|message| message.waited), sum(|message| message.elapsed)),
        fct_mean_s: (all_completed && !messages.is_empty()).then_some(mean),
        fct_mean_at_least_s: (!all_completed).then_some(mean),
        fct_quantiles: times.known,
        fct_at_least_quantiles: times.at_least,
        slowdown_quantiles: slowdowns.known,
        slowdown_at_least_quantiles: slowdowns.at_least,
    }
}

/// Quantiles as (probability, value): known ones, and lower bounds on the others.
pub(super) struct Quantiles {
    pub(super) known: Vec<(f64, f64)>,
    pub(super) at_least: Vec<(f64, f64)>,
}

pub(super) fn quantiles(messages: &[&Known], value: impl Fn(&Known) -> f64) -> Quantiles {
    let completed = || messages.iter().filter(|message| message.is_completed()).map(|message| value(message));
    let longest = completed().fold(0.0, f64::max);
    let at_least = |message: &&Known| match message.fate {
        Fate::Completed | Fate::Unfinished => value(message),
        Fate::Damaged => value(message).max(longest),
    };
    let lower = sorted(messages.iter().map(at_least));
    let missing = messages.len() - completed().count();
    let upper = sorted(completed().chain(std::iter::repeat_n(f64::INFINITY, missing)));
    let mut quantiles = Quantiles { known: Vec::new(), at_least: Vec::new() };
    for probability in PROBABILITIES {
        let at = |values: &[f64]| quantile(values, probability);
        let (Some(lower), Some(upper)) = (at(&lower), at(&upper)) else { break };
        match upper.is_finite() && upper - lower <= TOLERANCE * upper {
            true => quantiles.known.push((probability, upper)),
            false => quantiles.at_least.push((probability, lower)),
        }
    }
    quantiles
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    values
}
