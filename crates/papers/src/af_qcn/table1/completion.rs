//! Completion times of messages by size class, in runs with QCN and with AF-QCN.

use std::collections::HashMap;

use setpoint_record::results::MessageRecord;
#[cfg(test)]
use setpoint_record::results::MessageState;

use crate::prelude::*;

/// A row of the paper's table.
pub(super) struct SizeClass {
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) name: &'static str,
    pub(super) text: &'static str,
    /// The paper's completion times with QCN and AF-QCN.
    pub(super) paper: [f64; 2],
}

/// The size classes of the paper.
pub(super) const CLASSES: [SizeClass; 4] = [
    class(1_000, 10_000, "fct-1-to-10-kb", "1 to 10 kB", [2.346, 1.586]),
    class(10_000, 100_000, "fct-10-to-100-kb", "10 to 100 kB", [2.610, 1.732]),
    class(100_000, 1_000_000, "fct-100-kb-to-1-mb", "100 kB to 1 MB", [5.037, 2.932]),
    class(1_000_000, u64::MAX, "fct-1-mb-and-more", "1 MB and more", [33.14, 17.14]),
];

const fn class(from: u64, to: u64, name: &'static str, text: &'static str, paper: [f64; 2]) -> SizeClass {
    SizeClass { from, to, name, text, paper }
}

/// The messages of a size class that were delivered in both runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Totals {
    /// Their number.
    pub(super) messages: f64,
    /// The sum of their completion times with QCN.
    pub(super) qcn: f64,
    /// The same with AF-QCN.
    pub(super) af_qcn: f64,
}

impl Totals {
    /// The relative reduction in the mean completion time.
    pub(super) fn reduction(self) -> Option<f64> {
        (self.qcn > 0.0).then(|| 1.0 - self.af_qcn / self.qcn)
    }
}

impl std::iter::Sum for Totals {
    fn sum<I: Iterator<Item = Self>>(totals: I) -> Self {
        totals.fold(Self::default(), |sum, one| Self {
            messages: sum.messages + one.messages,
            qcn: sum.qcn + one.qcn,
            af_qcn: sum.af_qcn + one.af_qcn,
        })
    }
}

/// The totals of each size class in the runs of a seed.
pub(super) fn of_seed(seed: &Seed<'_>) -> [Totals; 4] {
    let [qcn, af_qcn] = ["qcn", "af-qcn"].map(|case| &seed.run(case).messages);
    totals(qcn, af_qcn)
}

/// The totals of each size class. All runs with the same seed have the same messages; only those delivered
/// in both runs count.
fn totals(qcn: &[MessageRecord], af_qcn: &[MessageRecord]) -> [Totals; 4] {
    let others: HashMap<(usize, u64), f64> =
        af_qcn.iter().filter_map(|message| Some((identity(message), message.fct_s?))).collect();
    let mut totals = [Totals::default(); 4];
    for message in qcn {
        let is_inside = |class: &SizeClass| (class.from..class.to).contains(&message.size_bytes);
        let class = CLASSES.iter().position(is_inside);
        let other = others.get(&identity(message));
        if let (Some(class), Some(qcn), Some(&af_qcn)) = (class, message.fct_s, other) {
            let pair = Totals { messages: 1.0, qcn, af_qcn };
            totals[class] = [totals[class], pair].into_iter().sum();
        }
    }
    totals
}

/// The flow and the arrival time identify a message.
fn identity(message: &MessageRecord) -> (usize, u64) {
    (message.flow, message.offered_s.to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(flow: usize, offered_s: f64, size_bytes: u64, fct_s: f64) -> MessageRecord {
        MessageRecord {
            flow,
            size_bytes,
            offered_s,
            completed_s: Some(offered_s + fct_s),
            ideal_s: 0.0,
            fct_s: Some(fct_s),
            waited_s: 0.0,
            state: MessageState::Completed,
        }
    }

    /// Two small messages and a large one are in both runs. The other messages are too small, or are missing from one
    /// of the runs.
    #[test]
    fn messages_that_were_delivered_in_both_runs_are_summed_by_class() {
        let qcn = [
            message(1, 0.1, 1_000, 4.0),
            message(1, 0.2, 9_999, 6.0),
            message(2, 0.1, 1_000_000, 30.0),
            message(2, 0.3, 5_000, 7.0),
            message(1, 0.3, 999, 1.0),
        ];
        let af_qcn = [
            message(2, 0.1, 1_000_000, 15.0),
            message(1, 0.2, 9_999, 5.0),
            message(1, 0.1, 1_000, 2.0),
            message(1, 0.3, 999, 1.0),
            message(3, 0.3, 5_000, 7.0),
        ];
        let [small, medium, large, largest] = totals(&qcn, &af_qcn);
        assert_eq!(small, Totals { messages: 2.0, qcn: 10.0, af_qcn: 7.0 });
        assert_eq!(largest, Totals { messages: 1.0, qcn: 30.0, af_qcn: 15.0 });
        assert_eq!([medium, large], [Totals::default(); 2]);
        assert_eq!((largest.reduction(), medium.reduction()), (Some(0.5), None));
        let both: Totals = [small, largest].into_iter().sum();
        assert_eq!(both, Totals { messages: 3.0, qcn: 40.0, af_qcn: 22.0 });
    }
}
