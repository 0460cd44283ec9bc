//! The order of items that wait for each other.

/// The positions of items, ordered so that each comes after those that it waits for; `after` lists these for each item. If
/// items wait for themselves, directly or through others, the error is the position of one of them.
pub(crate) fn sorted<L: AsRef<[usize]>>(after: &[L]) -> Result<Vec<usize>, usize> {
    let mut waits: Vec<usize> = after.iter().map(|list| list.as_ref().len()).collect();
    let mut followers: Vec<Vec<usize>> = vec![Vec::new(); after.len()];
    for (own, list) in after.iter().enumerate() {
        list.as_ref().iter().for_each(|&awaited| followers[awaited].push(own));
    }
    let mut sorted: Vec<usize> = (0..after.len()).filter(|&own| waits[own] == 0).collect();
    let mut next = 0;
    while let Some(&own) = sorted.get(next) {
        next += 1;
        for &follower in &followers[own] {
            waits[follower] -= 1;
            if waits[follower] == 0 {
                sorted.push(follower);
            }
        }
    }
    match waits.iter().position(|waits| *waits > 0) {
        None => Ok(sorted),
        Some(mut stuck) => {
            // The item found may wait for a cycle without being part of it. Each step leads to an item that can never
            // be sorted either, so after enough steps the search is on the cycle.
            for _ in 0..after.len() {
                let awaited = after[stuck].as_ref().iter().find(|&&awaited| waits[awaited] > 0);
                stuck = awaited.copied().unwrap_or(stuck);
            }
            Err(stuck)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sorted;

    #[test]
    fn nothing_precedes_what_it_waits_for() {
        assert_eq!(sorted(&[vec![2], vec![0, 2], vec![]]), Ok(vec![2, 0, 1]));
        assert_eq!(sorted::<Vec<usize>>(&[]), Ok(vec![]));
    }

    #[test]
    fn the_error_is_part_of_a_cycle() {
        // The first one waits for a cycle, but is not part of it.
        let stuck = sorted(&[vec![1], vec![2], vec![3], vec![1]]).unwrap_err();
        assert!((1..=3).contains(&stuck), "{stuck}");
        assert_eq!(sorted(&[vec![], vec![1]]), Err(1));
    }
}
