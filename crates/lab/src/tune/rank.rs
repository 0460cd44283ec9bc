//! The order of candidates by several objectives: non-dominated sorting and crowding distance, as in NSGA-II (Deb et al. 2002).

/// The cost of a candidate in each objective: smaller is better, and infinity represents a missing value.
pub(super) type Costs = Vec<f64>;

/// Whether the costs `one` are at least as good as `other` in every objective and better in at least one.
pub(super) fn dominates(one: &Costs, other: &Costs) -> bool {
    one.iter().zip(other).all(|(a, b)| a <= b) && one.iter().zip(other).any(|(a, b)| a < b)
}

/// The positions of candidates that no other dominates.
pub(super) fn front(costs: &[Costs]) -> Vec<usize> {
    let all: Vec<usize> = (0..costs.len()).collect();
    front_among(costs, &all)
}

fn front_among(costs: &[Costs], among: &[usize]) -> Vec<usize> {
    let is_free = |place: &usize| !among.iter().any(|other| dominates(&costs[*other], &costs[*place]));
    among.iter().copied().filter(is_free).collect()
}

/// The positions of all candidates, the best first: by front, and within a front those with the most distant neighbours.
pub(super) fn order(costs: &[Costs]) -> Vec<usize> {
    let mut left: Vec<usize> = (0..costs.len()).collect();
    let mut ordered = Vec::with_capacity(costs.len());
    while !left.is_empty() {
        let mut front = front_among(costs, &left);
        left.retain(|place| !front.contains(place));
        let distance = crowding(costs, &front);
        front.sort_by(|a, b| distance[*b].total_cmp(&distance[*a]).then(a.cmp(b)));
        ordered.extend(front);
    }
    ordered
}

/// The distance between the neighbours of each member of a front, summed over objectives; infinite at the ends. Indexed like
/// `costs`.
fn crowding(costs: &[Costs], front: &[usize]) -> Vec<f64> {
    let mut distance = vec![0.0; costs.len()];
    let objectives = costs.first().map_or(0, Vec::len);
    (0..objectives).for_each(|objective| add_distance(costs, front, objective, &mut distance));
    distance
}

/// Adds the distance between neighbours in one objective.
fn add_distance(costs: &[Costs], front: &[usize], objective: usize, distance: &mut [f64]) {
    let cost = |place: &usize| costs[*place][objective];
    let mut sorted = front.to_vec();
    sorted.sort_by(|a, b| cost(a).total_cmp(&cost(b)).then(a.cmp(b)));
    let (Some(first), Some(last)) = (sorted.first(), sorted.last()) else { return };
    let span = cost(last) - cost(first);
    distance[*first] = f64::INFINITY;
    distance[*last] = f64::INFINITY;
    for around in sorted.windows(3) {
        let gap = cost(&around[2]) - cost(&around[0]);
        if span.is_finite() && span > 0.0 {
            distance[around[1]] += gap / span;
        }
    }
}

/// One-sided probability that a fair coin shows heads at least `wins` times in `tosses`: the sign test.
pub(super) fn sign_test(wins: usize, tosses: usize) -> f64 {
    let mut share = libm::exp2(-(tosses as f64));
    let mut sum = 0.0;
    for heads in 0..=tosses {
        if heads >= wins {
            sum += share;
        }
        share *= (tosses - heads) as f64 / (heads + 1) as f64;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_front_has_no_dominated_member() {
        let costs =
            vec![vec![1.0, 4.0], vec![2.0, 2.0], vec![3.0, 3.0], vec![4.0, 1.0], vec![f64::INFINITY, 0.5]];
        assert_eq!(front(&costs), [0, 1, 3, 4]);
        assert_eq!(order(&costs).last(), Some(&2));
        // The candidate in the middle of a front comes after those at its ends.
        let line = vec![vec![0.0, 3.0], vec![1.0, 2.0], vec![3.0, 0.0]];
        assert_eq!(order(&line), [0, 2, 1]);
    }

    #[test]
    fn one_objective_gives_an_ordinary_order() {
        assert_eq!(order(&[vec![3.0], vec![1.0], vec![2.0]]), [1, 2, 0]);
    }

    #[test]
    fn the_sign_test_of_ten_seeds() {
        assert!((sign_test(10, 10) - 1.0 / 1024.0).abs() < 1e-15);
        assert!((sign_test(9, 10) - 11.0 / 1024.0).abs() < 1e-15);
        assert!((sign_test(8, 10) - 56.0 / 1024.0).abs() < 1e-15);
        assert!((sign_test(0, 10) - 1.0).abs() < 1e-12);
    }
}
