//! Who is best and worst at what.

use super::standing::{Mark, Row};
use super::{Better, DISCIPLINES, Discipline};

/// Where an entrant stands among others: the smaller, the better.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Rank {
    /// Runs without the figure.
    missing: usize,
    /// Whether its figure proves nothing: such entrants share the last place.
    inconclusive: bool,
    value: f64,
}

impl Rank {
    fn of(row: &Row, place: usize, discipline: &Discipline) -> Option<Self> {
        let spread = row.scores[place]?.spread;
        let inconclusive = spread.is_lower_bound || (discipline.is_completion() && loses_frames(row));
        let value = match discipline.better {
            _ if inconclusive => 0.0,
            Better::Lower => spread.mean,
            Better::Higher => -spread.mean,
        };
        Some(Self { missing: row.runs - spread.count, inconclusive, value })
    }
}

fn loses_frames(row: &Row) -> bool {
    let loss = DISCIPLINES.iter().position(|discipline| discipline.figure == "loss_share");
    loss.and_then(|place| row.scores[place]).is_some_and(|score| score.spread.max > 0.0)
}

/// Marks the best and the worst at a discipline, where they are a minority.
pub(super) fn mark(rows: &mut [Row], place: usize, discipline: &Discipline) {
    let ranks: Vec<Option<Rank>> = rows.iter().map(|row| Rank::of(row, place, discipline)).collect();
    let mut known: Vec<Rank> = ranks.iter().copied().flatten().collect();
    known.sort_by(|first, second| first.partial_cmp(second).expect("figures are finite"));
    let (Some(&best), Some(&worst)) = (known.first(), known.last()) else { return };
    // Whoever never settles is worse than any settling time.
    let beaten = rows.iter().any(|row| row.never_settles(place));
    let stands_out = |rank: Rank| known.iter().filter(|other| **other == rank).count() * 2 < known.len();
    for (row, rank) in rows.iter_mut().zip(ranks) {
        let (Some(score), Some(rank)) = (&mut row.scores[place], rank) else { continue };
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
    use crate::league::Score;
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

    fn marks(rows: &[Row], place: usize) -> Vec<Option<Mark>> {
        rows.iter().map(|row| row.scores[place].and_then(|score| score.mark)).collect()
    }

    #[test]
    fn higher_is_better_for_fairness_and_lower_for_the_queue() {
        let mut rows = [
            row("a", &[(0.9, 5), (100.0, 5)]),
            row("b", &[(0.7, 5), (50.0, 5)]),
            row("c", &[(0.8, 5), (70.0, 5)]),
        ];
        for place in [0, 1] {
            mark(&mut rows, place, &DISCIPLINES[place]);
        }
        assert_eq!(marks(&rows, 0), [Some(Mark::Best), Some(Mark::Worst), None]);
        assert_eq!(marks(&rows, 1), [Some(Mark::Worst), Some(Mark::Best), None]);
    }

    #[test]
    fn what_half_of_them_share_is_no_distinction() {
        let loss = DISCIPLINES.iter().position(|discipline| discipline.figure == "loss_share").unwrap();
        let with = |value: f64| {
            let mut row = row("a", &[]);
            row.scores[loss] =
                Some(Score { spread: Spread { count: 5, ..Spread::of(&[value]).unwrap() }, mark: None });
            row
        };
        let mut rows = [with(0.0), with(0.0), with(0.5)];
        mark(&mut rows, loss, &DISCIPLINES[loss]);
        assert_eq!(marks(&rows, loss), [None, None, Some(Mark::Worst)]);
    }

    #[test]
    fn a_figure_of_some_runs_only_comes_after_all_that_have_it_in_every_run() {
        let mut rows = [row("a", &[(0.99, 3)]), row("b", &[(0.5, 5)]), row("c", &[(0.4, 5)]), row("d", &[])];
        mark(&mut rows, 0, &DISCIPLINES[0]);
        assert_eq!(marks(&rows, 0), [Some(Mark::Worst), Some(Mark::Best), None, None]);
    }

    #[test]
    fn whoever_never_settles_is_worse_than_the_slowest() {
        let (settling, error) = (place("settling_s"), place("queue_error_bytes"));
        let entrant = |settled: Option<f64>| {
            let score = |value: f64| Score { spread: Spread::of(&[value; 5]).unwrap(), mark: None };
            let mut row = row("a", &[]);
            (row.scores[settling], row.scores[error]) = (settled.map(score), Some(score(1.0)));
            row
        };
        let mut all = [entrant(Some(0.1)), entrant(Some(0.2)), entrant(Some(0.3))];
        mark(&mut all, settling, &DISCIPLINES[settling]);
        assert_eq!(marks(&all, settling), [Some(Mark::Best), None, Some(Mark::Worst)]);
        let mut some = [entrant(Some(0.1)), entrant(Some(0.2)), entrant(Some(0.3)), entrant(None)];
        mark(&mut some, settling, &DISCIPLINES[settling]);
        assert_eq!(marks(&some, settling), [Some(Mark::Best), None, None, None]);
        assert!(some[3].never_settles(settling) && !some[3].never_settles(error));
    }

    fn place(figure: &str) -> usize {
        DISCIPLINES.iter().position(|discipline| discipline.figure == figure).unwrap()
    }

    /// Entrants with a median completion time, whether it is a lower bound, and a loss.
    fn completing(entrants: &[(f64, bool, f64)]) -> Vec<Row> {
        let entrant = |&(median, is_lower_bound, loss): &(f64, bool, f64)| {
            let mut row = row("a", &[]);
            let score = |value, is_lower_bound| {
                let spread = Spread { count: 5, is_lower_bound, ..Spread::of(&[value]).unwrap() };
                Some(Score { spread, mark: None })
            };
            row.scores[place("fct_p50_s")] = score(median, is_lower_bound);
            row.scores[place("loss_share")] = score(loss, false);
            row
        };
        let mut rows: Vec<Row> = entrants.iter().map(entrant).collect();
        mark(&mut rows, place("fct_p50_s"), &DISCIPLINES[place("fct_p50_s")]);
        rows
    }

    #[test]
    fn a_lower_bound_is_never_the_best() {
        let rows = completing(&[(40e-3, false, 0.0), (50e-3, false, 0.0), (1e-3, true, 0.0)]);
        assert_eq!(marks(&rows, place("fct_p50_s")), [Some(Mark::Best), None, Some(Mark::Worst)]);
        let all = completing(&[(40e-3, true, 0.0), (50e-3, true, 0.0), (1e-3, true, 0.0)]);
        assert_eq!(marks(&all, place("fct_p50_s")), [None; 3], "nothing tells them apart");
    }

    #[test]
    fn whoever_loses_frames_does_not_win_at_completion() {
        let rows = completing(&[(40e-3, false, 0.0), (50e-3, false, 0.0), (1e-3, false, 0.7)]);
        assert_eq!(marks(&rows, place("fct_p50_s")), [Some(Mark::Best), None, Some(Mark::Worst)]);
    }
}
