//! The weighted max-min fair allocation for a network, computed by water-filling.
//!
//! The rates of all flows rise together in proportion to their weights. A flow stops at its bound, or when a
//! link on its path is full; the others continue. The result is the only allocation in which no flow can get
//! more unless a flow with an equal or lower rate per weight gets less.

/// A backlogged flow.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Demand {
    pub(crate) weight: f64,
    /// Its bound; infinite if there is none.
    pub(crate) most: f64,
    /// The links that it crosses, as indices.
    pub(crate) links: Vec<usize>,
}

/// The max-min fair rates of flows, in the same unit as the link capacities. A flow without a link must have a
/// bound.
pub(crate) fn max_min(capacities: &[f64], flows: &[Demand]) -> Vec<f64> {
    let mut rates = vec![0.0; flows.len()];
    let mut rising: Vec<usize> = (0..flows.len()).collect();
    let mut level = 0.0;
    while !rising.is_empty() {
        // A level is a rate per weight; the next level is the lowest one at which a flow stops.
        let full = |link: usize| {
            let crosses = |flow: &&usize| flows[**flow].links.contains(&link);
            let weight: f64 = rising.iter().filter(crosses).map(|&flow| flows[flow].weight).sum();
            let used: f64 = (0..flows.len())
                .filter(|flow| flows[*flow].links.contains(&link))
                .map(|flow| rates[flow])
                .sum();
            if weight > 0.0 { level + (capacities[link] - used) / weight } else { f64::INFINITY }
        };
        let fullness: Vec<f64> = (0..capacities.len()).map(full).collect();
        let stop = |flow: usize| {
            let bound = flows[flow].most / flows[flow].weight;
            flows[flow].links.iter().map(|&link| fullness[link]).fold(bound, f64::min)
        };
        let next = rising.iter().map(|&flow| stop(flow)).fold(f64::INFINITY, f64::min);
        let stopped: Vec<usize> =
            rising.iter().copied().filter(|&flow| stop(flow) <= next * (1.0 + 1e-12)).collect();
        level = next;
        rising.iter().for_each(|&flow| rates[flow] = level * flows[flow].weight);
        rising.retain(|flow| !stopped.contains(flow));
    }
    rates
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn flow(weight: f64, most: f64, links: &[usize]) -> Demand {
        Demand { weight, most, links: links.to_vec() }
    }

    const NONE: f64 = f64::INFINITY;

    #[test]
    fn one_link_is_divided_by_weight() {
        let flows = [4.0, 3.0, 2.0, 1.0].map(|weight| flow(weight, NONE, &[0]));
        assert_eq!(max_min(&[10.0], &flows), [4.0, 3.0, 2.0, 1.0]);
    }

    #[test]
    fn the_others_share_the_rest_beside_a_bound() {
        let flows =
            [flow(4.0, 1.0, &[0]), flow(3.0, NONE, &[0]), flow(2.0, NONE, &[0]), flow(1.0, NONE, &[0])];
        assert_eq!(max_min(&[10.0], &flows), [1.0, 4.5, 3.0, 1.5]);
        let unequal = [1.0, 2.0, 4.0, 8.0].map(|most| flow(1.0, most, &[0]));
        assert_eq!(max_min(&[10.0], &unequal), [1.0, 2.0, 3.5, 3.5]);
    }

    #[test]
    fn a_parking_lot_by_hand() {
        let routes: [&[usize]; 6] = [&[0, 1, 2], &[0], &[1], &[2], &[0, 1], &[1, 2]];
        let flows = routes.map(|links| flow(1.0, NONE, links));
        assert_eq!(max_min(&[10.0; 3], &flows), [2.5, 5.0, 2.5, 5.0, 2.5, 2.5]);
        let mut bounded = flows.clone();
        bounded[0].most = 1.0;
        assert_eq!(max_min(&[10.0; 3], &bounded), [1.0, 6.0, 3.0, 6.0, 3.0, 3.0]);
        assert_eq!(max_min(&[10.0; 3], &flows[..1]), [10.0]);
        assert!(max_min(&[10.0; 3], &[]).is_empty());
    }

    fn network() -> impl Strategy<Value = (Vec<f64>, Vec<Demand>)> {
        let bound = prop_oneof![Just(NONE), 0.1..20.0f64];
        let demand = (0.5..8.0f64, bound, proptest::collection::btree_set(0..4usize, 1..4));
        let demand = demand.prop_map(|(weight, most, links)| Demand {
            weight,
            most,
            links: links.into_iter().collect(),
        });
        (proptest::collection::vec(1.0..40.0f64, 4), proptest::collection::vec(demand, 1..12))
    }

    proptest! {
        /// The definition: no link is overfull, and every flow is at its bound or crosses a full link on which no
        /// other flow has a higher rate per weight.
        #[test]
        fn the_allocation_is_max_min_fair((capacities, flows) in network()) {
            let rates = max_min(&capacities, &flows);
            let used = |link: usize| -> f64 {
                flows.iter().zip(&rates).filter(|(flow, _)| flow.links.contains(&link)).map(|(_, rate)| rate).sum()
            };
            for (link, capacity) in capacities.iter().enumerate() {
                prop_assert!(used(link) <= capacity * (1.0 + 1e-9), "link {link} has {} of {capacity}", used(link));
            }
            for (index, flow) in flows.iter().enumerate() {
                let level = |other: usize| rates[other] / flows[other].weight;
                let holds_back = |link: usize| {
                    let highest = (0..flows.len())
                        .filter(|&other| flows[other].links.contains(&link))
                        .map(level)
                        .fold(0.0, f64::max);
                    used(link) >= capacities[link] * (1.0 - 1e-9) && level(index) >= highest * (1.0 - 1e-9)
                };
                let bounded = rates[index] >= flow.most * (1.0 - 1e-9);
                prop_assert!(bounded || flow.links.iter().any(|&link| holds_back(link)), "flow {index} of {rates:?}");
            }
        }
    }
}
