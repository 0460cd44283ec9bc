//! Marks for the best and worst algorithms.

use super::standing::{Mark, Row};
use crate::catalogue::{self, Better, Metric};

/// The rank of an algorithm: the smaller, the better.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Rank {
    /// Number of runs without a value.
    missing: usize,
    /// Whether its value proves nothing; such algorithms rank last.
    inconclusive: bool,
    value: f64,
}

impl Rank {
    fn of(row: &Row, metric: &Metric) -> Option<Self> {
        let spread = row.score(metric)?.spread;
        let inconclusive = spread.is_lower_bound || (metric.can_be_lower_bound() && loses_frames(row));
        let value = match metric.better {
            _ if inconclusive => 0.0,
            Better::Larger => -spread.mean,
            Better::Smaller | Better::Neither => spread.mean,
        };
        Some(Self { missing: row.runs - spread.count, inconclusive, value })
    }
}

fn loses_frames(row: &Row) -> bool {
    row.score(&catalogue::LOSS).is_some_and(|score| score.spread.max > 0.0)
}

/// Marks the best and worst algorithms by a metric, unless at least half of the algorithms share the value.
pub(super) fn mark(rows: &mut [Row], metric: &Metric) {
    let ranks: Vec<Option<Rank>> = rows.iter().map(|row| Rank::of(row, metric)).collect();
    let mut known: Vec<Rank> = ranks.iter().copied().flatten().collect();
    known.sort_by(|first, second| first.partial_cmp(second).expect("figures are finite"));
    let (Some(&best), Some(&worst)) = (known.first(), known.last()) else { return };
    // An algorithm that never settles ranks below any settling time.
    let beaten = rows.iter().any(|row| row.never_settles(metric));
    let stands_out = |rank: Rank| known.iter().filter(|other| **other == rank).count() * 2 < known.len();
    for (row, rank) in rows.iter_mut().zip(ranks) {
        let (Some(score), Some(rank)) = (row.score_mut(metric), rank) else { continue };
        score.mark = if rank == best && !best.inconclusive && stands_out(best) {
            Some(Mark::Best)
        } else if rank == worst && rank != best && stands_out(worst) && !beaten {
            Some(Mark::Worst)
        } else {
            None
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{FCT_P50, JAIN_WINDOWED, LOSS, QUEUE_ERROR, SETTLING};
    use crate::league::{DISCIPLINES, Score};
    use crate::sweep::Spread;

    fn row(name: &str, means: &[(f64, usize)]) -> Row {
        let spread = |&(mean, count): &(f64, usize)| Spread { count, ..Spread::of(&[mean]).unwrap() };
        let score = |place: usize| means.get(place).map(|mean| Score { spread: spread(mean), mark: None });
        Row {
            algorithm: name.to_owned(),
            runs: 5,
            trouble: None,
            scores: (0..DISCIPLINES.len()).map(score).collect(),
        }
    }

    fn marks(rows: &[Row], metric: &Metric) -> Vec<Option<Mark>> {
        rows.iter().map(|row| row.score(metric).and_then(|score| score.mark)).collect()
    }

    fn set(row: &mut Row, metric: &Metric, score: Option<Score>) {
        let place = DISCIPLINES.iter().position(|other| *other == metric).unwrap();
        row.scores[place] = score;
    }

    #[test]
    fn higher_is_better_for_fairness_and_lower_for_the_queue() {
        let mut rows = [
            row("a", &[(0.9, 5), (100.0, 5)]),
            row("b", &[(0.7, 5), (50.0, 5)]),
            row("c", &[(0.8, 5), (70.0, 5)]),
        ];
        for metric in [&JAIN_WINDOWED, &QUEUE_ERROR] {
            mark(&mut rows, metric);
        }
        assert_eq!(marks(&rows, &JAIN_WINDOWED), [Some(Mark::Best), Some(Mark::Worst), None]);
        assert_eq!(marks(&rows, &QUEUE_ERROR), [Some(Mark::Worst), Some(Mark::Best), None]);
    }

    #[test]
    fn what_half_of_them_share_is_no_distinction() {
        let with = |value: f64| {
            let mut row = row("a", &[]);
            let spread = Spread { count: 5, ..Spread::of(&[value]).unwrap() };
            set(&mut row, &LOSS, Some(Score { spread, mark: None }));
            row
        };
        let mut rows = [with(0.0), with(0.0), with(0.5)];
        mark(&mut rows, &LOSS);
        assert_eq!(marks(&rows, &LOSS), [None, None, Some(Mark::Worst)]);
    }

    #[test]
    fn a_figure_of_some_runs_only_comes_after_all_that_have_it_in_every_run() {
        let mut rows = [row("a", &[(0.99, 3)]), row("b", &[(0.5, 5)]), row("c", &[(0.4, 5)]), row("d", &[])];
        mark(&mut rows, &JAIN_WINDOWED);
        assert_eq!(marks(&rows, &JAIN_WINDOWED), [Some(Mark::Worst), Some(Mark::Best), None, None]);
    }

    #[test]
    fn whoever_never_settles_is_worse_than_the_slowest() {
        let entrant = |settled: Option<f64>| {
            let score = |value: f64| Score { spread: Spread::of(&[value; 5]).unwrap(), mark: None };
            let mut row = row("a", &[]);
            set(&mut row, &SETTLING, settled.map(score));
            set(&mut row, &QUEUE_ERROR, Some(score(1.0)));
            row
        };
        let mut all = [entrant(Some(0.1)), entrant(Some(0.2)), entrant(Some(0.3))];
        mark(&mut all, &SETTLING);
        assert_eq!(marks(&all, &SETTLING), [Some(Mark::Best), None, Some(Mark::Worst)]);
        let mut some = [entrant(Some(0.1)), entrant(Some(0.2)), entrant(Some(0.3)), entrant(None)];
        mark(&mut some, &SETTLING);
        assert_eq!(marks(&some, &SETTLING), [Some(Mark::Best), None, None, None]);
        assert!(some[3].never_settles(&SETTLING) && !some[3].never_settles(&QUEUE_ERROR));
    }

    /// Entrants, each with a median completion time, whether it is a lower bound, and a loss.
    fn completing(entrants: &[(f64, bool, f64)]) -> Vec<Row> {
        let entrant = |&(median, is_lower_bound, loss): &(f64, bool, f64)| {
            let mut row = row("a", &[]);
            let score = |value, is_lower_bound| {
                let spread = Spread { count: 5, is_lower_bound, ..Spread::of(&[value]).unwrap() };
                Some(Score { spread, mark: None })
            };
            set(&mut row, &FCT_P50, score(median, is_lower_bound));
            set(&mut row, &LOSS, score(loss, false));
            row
        };
        let mut rows: Vec<Row> = entrants.iter().map(entrant).collect();
        mark(&mut rows, &FCT_P50);
        rows
    }

    #[test]
    fn a_lower_bound_is_never_the_best() {
        let rows = completing(&[(40e-3, false, 0.0), (50e-3, false, 0.0), (1e-3, true, 0.0)]);
        assert_eq!(marks(&rows, &FCT_P50), [Some(Mark::Best), None, Some(Mark::Worst)]);
        let all = completing(&[(40e-3, true, 0.0), (50e-3, true, 0.0), (1e-3, true, 0.0)]);
        assert_eq!(marks(&all, &FCT_P50), [None; 3], "the values do not differ");
    }

    #[test]
    fn whoever_loses_frames_does_not_win_at_completion() {
        let rows = completing(&[(40e-3, false, 0.0), (50e-3, false, 0.0), (1e-3, false, 0.7)]);
        assert_eq!(marks(&rows, &FCT_P50), [Some(Mark::Best), None, Some(Mark::Worst)]);
    }
}
