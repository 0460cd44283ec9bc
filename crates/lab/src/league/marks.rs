//! Marks for the best and worst algorithms, where the difference exceeds chance.

use setpoint_record::catalogue::{self, Better, Metric};
use setpoint_record::confidence::{Difference, FEWEST_SEEDS};

use super::UNANIMOUS;
use super::row::{Mark, Row, Verdict};
use crate::sweep::{RunSummary, VariantSummary};

/// Marks the best and worst algorithms for a metric, and returns whether the algorithms differ by more than chance.
/// `variants` holds the runs of each row; none for an algorithm that does not take part.
pub(super) fn judge(rows: &mut [Row], variants: &[Option<&VariantSummary>], metric: &Metric) -> Verdict {
    let all = rows.iter().zip(variants).enumerate();
    let entrants: Vec<Entrant<'_>> =
        all.filter_map(|(place, (row, variant))| Entrant::of(place, row, (*variant)?, metric)).collect();
    if entrants.len() < 2 {
        return Verdict::NotCompared;
    }
    if entrants.iter().any(|entrant| entrant.variant.runs.len() < FEWEST_SEEDS) {
        return Verdict::TooFewSeeds;
    }
    let (exact, failing): (Vec<_>, Vec<_>) = entrants.iter().partition(|entrant| entrant.failures == 0);
    let field = Field { metric, comparisons: entrants.len() - 1 };
    let stand_out = |group: &[usize]| 2 * group.len() < entrants.len();
    let (top, mut bottom) = field.ends(&exact);
    let is_clear = !top.is_empty() && top.len() < exact.len();
    if !failing.is_empty() {
        bottom = failing.iter().filter(|one| one.is_unanimous()).map(|one| one.place).collect();
    }
    for (group, other, mark) in [(&top, &bottom, Mark::Best), (&bottom, &top, Mark::Worst)] {
        for place in group.iter().filter(|place| stand_out(group) && !other.contains(place)) {
            if let Some(score) = rows[*place].score_mut(metric) {
                score.mark = Some(mark);
            }
        }
    }
    let fails = !exact.is_empty() && failing.iter().any(|entrant| entrant.is_unanimous());
    if is_clear || fails { Verdict::Clear } else { Verdict::NoClearDifference }
}

/// An algorithm with a figure, or without one because it failed.
#[derive(Clone, Copy, Debug)]
struct Entrant<'a> {
    place: usize,
    variant: &'a VariantSummary,
    /// The mean, with a sign such that smaller is better.
    cost: f64,
    /// Number of runs whose figure is missing or inconclusive.
    failures: usize,
}

impl<'a> Entrant<'a> {
    fn of(place: usize, row: &Row, variant: &'a VariantSummary, metric: &Metric) -> Option<Self> {
        let mean = row.score(metric).map(|score| score.spread.mean);
        let mean = mean.or(row.never_settles(metric).then_some(f64::INFINITY))?;
        let cost = if metric.better == Better::Larger { -mean } else { mean };
        let failures = variant.runs.iter().filter(|run| fails(run, metric)).count();
        Some(Self { place, variant, cost, failures })
    }

    /// Whether every run failed, and there are enough runs to rule out chance.
    fn is_unanimous(&self) -> bool {
        self.failures == self.variant.runs.len() && self.failures >= UNANIMOUS
    }
}

/// Whether the figure of a run is missing or inconclusive: lost frames shorten the completion times of other messages.
fn fails(run: &RunSummary, metric: &Metric) -> bool {
    let Some(value) = run.value(metric) else { return true };
    let lost = run.value(&catalogue::LOSS).is_some_and(|loss| loss.value > 0.0);
    value.is_lower_bound || (metric.can_be_lower_bound() && lost)
}

/// The comparisons for one metric.
struct Field<'a> {
    metric: &'a Metric,
    comparisons: usize,
}

impl Field<'_> {
    /// The positions of the best and of the worst: at either end, the extreme mean and those next to it, up to the
    /// first that clearly differs from it.
    fn ends(&self, exact: &[&Entrant<'_>]) -> (Vec<usize>, Vec<usize>) {
        let mut order: Vec<&Entrant<'_>> = exact.to_vec();
        order.sort_by(|one, other| one.cost.total_cmp(&other.cost));
        let alike = |order: &[&Entrant<'_>]| -> Vec<usize> {
            let group = order.iter().take_while(|one| !self.differ(one, order[0]));
            group.map(|one| one.place).collect()
        };
        let top = alike(&order);
        order.reverse();
        (top, alike(&order))
    }

    /// Whether two algorithms clearly differ, on common seeds.
    fn differ(&self, one: &Entrant<'_>, other: &Entrant<'_>) -> bool {
        let pairs = one.variant.paired(other.variant, self.metric);
        Difference::of(&pairs, self.comparisons).is_some_and(|difference| difference.is_clear)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use setpoint_control::Algorithm;
    use setpoint_record::catalogue::{FCT_P50, JAIN_WINDOWED, LOSS, QUEUE_ERROR, SETTLING};

    /// A run: the values of some metrics, and whether the completion time is a lower bound.
    type Run = (Vec<(&'static Metric, f64)>, bool);
    /// An entrant: a run for each seed.
    type Runs = Vec<Run>;

    /// The verdict, and the mark of each entrant.
    fn judged(metric: &Metric, entrants: &[Runs]) -> (Verdict, Vec<Option<Mark>>) {
        let variants: Vec<VariantSummary> = entrants.iter().map(variant).collect();
        let row = |variant| Row::new(Algorithm::Qcn.into(), Some(variant));
        let mut rows: Vec<Row> = variants.iter().map(row).collect();
        let verdict = judge(&mut rows, &variants.iter().map(Some).collect::<Vec<_>>(), metric);
        (verdict, rows.iter().map(|row| row.score(metric).and_then(|score| score.mark)).collect())
    }

    fn variant(runs: &Runs) -> VariantSummary {
        let run = |(place, (values, is_bound)): (usize, &Run)| RunSummary {
            seed: place as u64,
            figures: values.iter().map(|(metric, value)| (metric.name.to_owned(), *value)).collect(),
            lower_bounds: is_bound.then(|| FCT_P50.name.to_owned()).into_iter().collect(),
            ..RunSummary::default()
        };
        VariantSummary::of_runs(0, Vec::new(), runs.iter().enumerate().map(run).collect())
    }

    fn of(metric: &'static Metric, values: &[f64]) -> Runs {
        values.iter().map(|value| (vec![(metric, *value)], false)).collect()
    }

    const BEST: Option<Mark> = Some(Mark::Best);
    const WORST: Option<Mark> = Some(Mark::Worst);

    #[test]
    fn higher_is_better_for_fairness_and_lower_for_the_queue() {
        for (metric, marks) in [(&JAIN_WINDOWED, [WORST, None, BEST]), (&QUEUE_ERROR, [BEST, None, WORST])] {
            let entrants =
                [[0.50, 0.51, 0.52, 0.51, 0.50], [0.7, 0.71, 0.7, 0.72, 0.71], [0.9, 0.91, 0.92, 0.9, 0.9]];
            assert_eq!(
                judged(metric, &entrants.map(|values| of(metric, &values))),
                (Verdict::Clear, marks.to_vec())
            );
        }
    }

    /// Figures from an example in which marks would be misleading: 99.93 % against 99.96 %.
    #[test]
    fn one_seed_and_differences_within_chance_mark_nothing() {
        let entrants = |seeds: usize| {
            [[0.9993, 0.9997, 0.9991], [0.9996, 0.9992, 0.9994], [0.9995, 0.9994, 0.9996]]
                .map(|values| of(&JAIN_WINDOWED, &values[..seeds]))
        };
        assert_eq!(judged(&JAIN_WINDOWED, &entrants(1)), (Verdict::TooFewSeeds, vec![None; 3]));
        assert_eq!(judged(&JAIN_WINDOWED, &entrants(3)), (Verdict::NoClearDifference, vec![None; 3]));
    }

    /// The best two do not clearly differ from each other, but both differ from the other three.
    #[test]
    fn algorithms_that_do_not_clearly_differ_share_a_mark() {
        let entrants = [
            [1.0, 1.1, 0.9, 1.0],
            [1.1, 1.0, 1.0, 0.9],
            [5.0, 5.1, 5.0, 5.1],
            [6.0, 6.1, 6.1, 6.0],
            [9.0, 9.1, 9.0, 9.0],
        ]
        .map(|values| of(&QUEUE_ERROR, &values));
        assert_eq!(judged(&QUEUE_ERROR, &entrants), (Verdict::Clear, vec![BEST, BEST, None, None, WORST]));
    }

    /// The third does not clearly differ from the best, because its values vary widely, but the second does.
    #[test]
    fn a_mark_does_not_skip_a_better_mean() {
        let entrants =
            [[1.0, 1.0, 1.0], [2.0, 2.1, 2.0], [1.0, 9.0, 4.0], [20.0, 20.0, 20.1], [30.0, 30.1, 30.0]];
        let marks = judged(&QUEUE_ERROR, &entrants.map(|values| of(&QUEUE_ERROR, &values))).1;
        assert_eq!(marks, [BEST, None, None, None, WORST]);
    }

    #[test]
    fn what_half_of_them_share_is_no_distinction() {
        let entrants = [[0.0; 3], [0.0; 3], [0.5, 0.51, 0.5]].map(|values| of(&LOSS, &values));
        assert_eq!(judged(&LOSS, &entrants), (Verdict::Clear, vec![None, None, WORST]));
    }

    /// Three of five runs have no settling time: that may be chance, so the algorithm is marked neither best nor worst.
    #[test]
    fn a_figure_of_some_runs_is_never_the_best() {
        let mut entrants = [[0.9; 5], [0.5; 5], [0.4; 5]].map(|values| of(&JAIN_WINDOWED, &values));
        for run in &mut entrants[0][..3] {
            run.0.clear();
        }
        assert_eq!(judged(&JAIN_WINDOWED, &entrants), (Verdict::Clear, vec![None, BEST, None]));
    }

    #[test]
    fn whoever_never_settles_is_worse_than_the_slowest() {
        let entrants = |never: bool| {
            let mut all = vec![[0.1; 5], [0.2; 5], [0.3; 5]];
            all.extend(never.then_some([f64::NAN; 5]));
            let run = |value: f64| {
                let settled = (!value.is_nan()).then_some((&SETTLING, value));
                (
                    settled.into_iter().chain([(&QUEUE_ERROR, 1.0)]).collect::<Vec<(&'static Metric, f64)>>(),
                    false,
                )
            };
            all.iter().map(|values| values.map(run).to_vec()).collect::<Vec<Runs>>()
        };
        assert_eq!(judged(&SETTLING, &entrants(false)).1, [BEST, None, WORST]);
        assert_eq!(judged(&SETTLING, &entrants(true)).1, [BEST, None, None, None]);
    }

    /// Entrants with five seeds each, given by a median completion time, whether it is a lower bound, and a loss.
    fn completing(entrants: &[(f64, bool, f64)]) -> (Verdict, Vec<Option<Mark>>) {
        let runs = |&(median, is_bound, loss): &(f64, bool, f64)| -> Runs {
            vec![(vec![(&FCT_P50, median), (&LOSS, loss)], is_bound); 5]
        };
        judged(&FCT_P50, &entrants.iter().map(runs).collect::<Vec<_>>())
    }

    #[test]
    fn a_lower_bound_is_never_the_best() {
        let marked = completing(&[(40e-3, false, 0.0), (50e-3, false, 0.0), (1e-3, true, 0.0)]);
        assert_eq!(marked, (Verdict::Clear, vec![BEST, None, WORST]));
        let all = completing(&[(40e-3, true, 0.0), (50e-3, true, 0.0), (1e-3, true, 0.0)]);
        assert_eq!(all, (Verdict::NoClearDifference, vec![None; 3]));
    }

    #[test]
    fn whoever_loses_frames_does_not_win_at_completion() {
        let marked = completing(&[(40e-3, false, 0.0), (50e-3, false, 0.0), (1e-3, false, 0.7)]);
        assert_eq!(marked.1, [BEST, None, WORST]);
    }
}
