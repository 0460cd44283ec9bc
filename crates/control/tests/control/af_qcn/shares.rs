//! The max-min allocation compared with another implementation of water-filling, which pours step by step in exact
//! fractions.

use proptest::prelude::*;
use setpoint_control::af_qcn::{Claim, Level};
use setpoint_control::arrivals::Amount;

/// Pours until the whole amount is allocated: every claim fills in proportion to its weight until the next
/// one is full. Shares are fractions whose integers cannot overflow for the sizes used here.
fn poured(claims: &[Claim], amount: u128) -> Vec<(u128, u128)> {
    let mut full = vec![false; claims.len()];
    loop {
        let held: u128 = (0..claims.len()).filter(|i| full[*i]).map(|i| cap(&claims[i])).sum();
        let weight: u128 =
            (0..claims.len()).filter(|i| !full[*i]).map(|i| u128::from(claims[i].weight)).sum();
        let rest = amount.saturating_sub(held);
        // The claim that is full first, at the level cap/weight.
        let next = (0..claims.len()).filter(|i| !full[*i] && claims[*i].cap.is_some()).min_by(|a, b| {
            let height = |i: usize, by: usize| cap(&claims[i]) * u128::from(claims[by].weight);
            height(*a, *b).cmp(&height(*b, *a)).then(a.cmp(b))
        });
        match next {
            Some(i) if cap(&claims[i]) * weight <= rest * u128::from(claims[i].weight) => full[i] = true,
            _ => {
                let share = |i: usize| match full[i] {
                    true => (cap(&claims[i]), 1),
                    false => (rest * u128::from(claims[i].weight), weight),
                };
                return (0..claims.len()).map(share).collect();
            }
        }
    }
}

fn cap(claim: &Claim) -> u128 {
    claim.cap.map_or(u128::MAX, |cap| cap.get().into())
}

fn claim(weight: u32, cap: Option<u64>) -> Claim {
    Claim { weight, cap: cap.map(Amount::new) }
}

fn claims() -> impl Strategy<Value = Vec<Claim>> {
    let weight = prop_oneof![1..10u32, Just(u32::MAX), 1..=u32::MAX];
    let cap = prop_oneof![0..2_000u64, 0..=1u64 << 56].prop_map(Some);
    let cap = prop_oneof![2 => cap, 1 => Just(None)];
    prop::collection::vec((weight, cap).prop_map(|(weight, cap)| claim(weight, cap)), 1..40)
}

/// All accounts were at their bounds, and one loses its bound before the next interval ends: it does not exceed
/// its share.
#[test]
fn a_bound_that_was_lifted() {
    let full = Level::of(&[claim(1, Some(100)), claim(1, Some(200))], 1_000);
    assert_eq!(full.excess(claim(1, Some(100)), Amount::new(200)), 32);
    assert_eq!(full.excess(claim(1, None), Amount::new(200)), 0);
}

#[test]
fn by_hand() {
    let shares = |claims: &[Claim], amount| -> Vec<u64> {
        let level = Level::of(claims, amount);
        claims.iter().map(|claim| level.share(*claim).get()).collect()
    };
    let open = [claim(1, None), claim(1, None), claim(2, None)];
    assert_eq!(shares(&open, 400), [100, 100, 200]);
    assert_eq!(shares(&open, 401), [100, 100, 200], "down");
    assert_eq!(shares(&open, 0), [0, 0, 0]);
    // One is full, and the remainder fills the next.
    assert_eq!(shares(&[claim(1, Some(50)), claim(1, Some(110)), claim(2, None)], 400), [50, 110, 240]);
    assert_eq!(shares(&[claim(1, Some(50)), claim(1, Some(120)), claim(2, None)], 400), [50, 116, 233]);
    // Exactly full.
    assert_eq!(shares(&[claim(1, Some(100)), claim(3, Some(300))], 400), [100, 300]);
    // The amount is more than all claims together can hold.
    assert_eq!(shares(&[claim(1, Some(100)), claim(3, Some(30))], 400), [100, 30]);
    assert_eq!(shares(&[claim(1, Some(0)), claim(1, None)], 400), [0, 400]);
}

proptest! {
    #[test]
    fn agrees_with_water_filling(claims in claims(), amount in prop_oneof![0..20_000u64, 0..=1u64 << 56]) {
        let level = Level::of(&claims, amount.into());
        for (claim, (part, whole)) in claims.iter().zip(poured(&claims, amount.into())) {
            prop_assert_eq!(u128::from(level.share(*claim).get()), part / whole);
            // (7), exactly.
            let estimate = 3 * amount / 4 + 1;
            let over = (u128::from(estimate) * whole).saturating_sub(part);
            let bits = (64 * over / (u128::from(estimate) * whole)).min(63);
            prop_assert_eq!(u128::from(level.excess(*claim, Amount::new(estimate))), bits);
        }
    }

    /// The definition of max-min: as much as possible is allocated, no account exceeds its bound, and an
    /// account below its bound gets at least as much per unit of weight as any other.
    #[test]
    fn is_max_min(claims in claims(), amount in 0..=1u64 << 56) {
        let level = Level::of(&claims, amount.into());
        let shares: Vec<u128> = claims.iter().map(|claim| level.share(*claim).get().into()).collect();
        let given: u128 = shares.iter().sum();
        let most = claims.iter().map(cap).fold(0u128, u128::saturating_add).min(amount.into());
        prop_assert!(given <= most && most - given <= claims.len() as u128, "{given} of {most}");
        for (mine, claim) in shares.iter().zip(&claims) {
            prop_assert!(*mine <= cap(claim));
            if *mine < cap(claim) {
                for (theirs, other) in shares.iter().zip(&claims) {
                    prop_assert!(theirs * u128::from(claim.weight) <= (mine + 1) * u128::from(other.weight));
                }
            }
        }
    }

    #[test]
    fn does_not_depend_on_the_order(claims in claims(), amount in 0..=1u64 << 56, turn in 0..40usize) {
        let mut turned = claims.clone();
        turned.rotate_left(turn % claims.len());
        prop_assert_eq!(Level::of(&claims, amount.into()), Level::of(&turned, amount.into()));
    }

    #[test]
    fn extremes_do_not_panic(
        claims in prop::collection::vec(
            (prop_oneof![Just(0), any::<u32>()], prop_oneof![Just(Some(0)), any::<Option<u64>>()]),
            0..50,
        ),
        amount: u128,
        estimate: u64,
    ) {
        let claims: Vec<Claim> = claims.into_iter().map(|(weight, cap)| claim(weight, cap)).collect();
        let level = Level::of(&claims, amount);
        for claim in claims {
            prop_assert!(level.share(claim) <= Amount::MAX);
            prop_assert!(level.excess(claim, Amount::new(estimate)) <= 63);
        }
    }
}
