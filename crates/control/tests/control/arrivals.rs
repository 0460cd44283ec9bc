//! The table of arrivals: estimates worked out by hand, removal of idle accounts, the bound of the table, and
//! a comparison with a model.

use std::collections::BTreeMap;

use proptest::prelude::*;
use setpoint_control::Tenant;
use setpoint_control::arrivals::{Account, Amount, Arrivals};
use setpoint_control::parameter::Power;
use setpoint_units::{Bytes, Rate, TimeDelta};

const EIGHTH: Power = Power::of_two(-3);

fn tenant(id: u32) -> Tenant {
    Tenant { id, ..Tenant::ANYONE }
}

fn estimate(table: &Arrivals, id: u32) -> Option<u64> {
    table.account(id).map(|account| account.estimate().get())
}

/// Equation (5), in 256ths of a byte.
#[test]
fn estimates_by_hand() {
    let mut table = Arrivals::new(8);
    table.count(tenant(1), Bytes::new(600));
    table.count(tenant(1), Bytes::new(400));
    assert_eq!(table.account(1).map(Account::arrived), Some(Bytes::new(1_000)));
    table.end_intervals(EIGHTH, 1);
    // 0 + 256000/8.
    assert_eq!(estimate(&table, 1), Some(32_000));
    assert_eq!(table.account(1).map(Account::arrived), Some(Bytes::ZERO));
    table.count(tenant(1), Bytes::new(2_000));
    table.end_intervals(EIGHTH, 1);
    // 7/8 of 32000 + 512000/8.
    assert_eq!(estimate(&table, 1), Some(92_000));
    // Three intervals, with 1 byte in the first: exactly 80532, then twice multiplied by 7/8: 70465.5 and
    // 61656.875, rounded down each time.
    table.count(tenant(1), Bytes::new(1));
    table.end_intervals(EIGHTH, 3);
    assert_eq!(estimate(&table, 1), Some(61_656));
}

#[test]
fn a_whole_interval_at_a_time_is_the_last_interval() {
    let mut table = Arrivals::new(8);
    for bytes in [5_000, 7, 123_456] {
        table.count(tenant(3), Bytes::new(bytes));
        table.end_intervals(Power::of_two(0), 1);
        assert_eq!(estimate(&table, 3), Some(256 * bytes));
    }
}

/// From below, the estimate stops within 1/beta - 1 parts of the value; from above, it reaches the value.
#[test]
fn estimates_converge_within_the_stated_rounding() {
    for exponent in 0..=8 {
        let beta = Power::of_two(-exponent);
        let mut table = Arrivals::new(2);
        let mut settle = |bytes: u64| {
            for _ in 0..8_000 {
                table.count(tenant(1), Bytes::new(bytes));
                table.end_intervals(beta, 1);
            }
            256 * bytes - estimate(&table, 1).expect("the account is not idle")
        };
        assert!(settle(125_000) < 1 << exponent, "2^-{exponent} from below");
        assert_eq!(settle(12_500), 0, "2^-{exponent} from above");
    }
}

#[test]
fn idle_accounts_decay_and_are_forgotten() {
    let mut table = Arrivals::new(4);
    table.count(tenant(1), Bytes::new(125_000));
    table.end_intervals(EIGHTH, 1);
    let mut intervals = 0;
    while let Some(before) = estimate(&table, 1) {
        table.end_intervals(EIGHTH, 1);
        assert!(estimate(&table, 1).unwrap_or(0) < before);
        intervals += 1;
    }
    // 15625 (7/8)^n first falls below one at n = 73.
    assert_eq!(intervals, 73);
    assert!(table.accounts().is_empty());
    // Ending all intervals at once gives the same result.
    table.count(tenant(1), Bytes::new(125_000));
    table.end_intervals(EIGHTH, 73);
    assert_eq!(table.accounts().len(), 1);
    table.end_intervals(EIGHTH, 1);
    assert!(table.accounts().is_empty());
    table.count(tenant(1), Bytes::new(u64::MAX));
    table.end_intervals(Power::of_two(-8), u64::MAX);
    assert!(table.accounts().is_empty());
}

/// An account with one byte per interval has an estimate below one byte, but it stays in the table.
#[test]
fn slow_accounts_are_not_forgotten() {
    let mut table = Arrivals::new(4);
    for _ in 0..100 {
        table.count(tenant(1), Bytes::new(1));
        table.end_intervals(EIGHTH, 1);
    }
    assert_eq!(estimate(&table, 1), Some(249));
}

#[test]
fn a_full_table_adds_no_account_and_counts_untracked_frames() {
    let mut table = Arrivals::new(3);
    for id in [10, 20, 30, 40, 50, 40, 10] {
        table.count(tenant(id), Bytes::new(1_000));
    }
    assert_eq!(table.accounts().iter().map(Account::id).collect::<Vec<_>>(), [10, 20, 30]);
    assert_eq!((table.untracked(), table.account(40)), (3, None));
    // Ten and thirty stay, twenty is removed, and forty takes its place.
    table.end_intervals(Power::of_two(0), 1);
    table.count(tenant(10), Bytes::new(1_000));
    table.count(tenant(30), Bytes::new(1_000));
    table.end_intervals(Power::of_two(0), 1);
    table.count(tenant(40), Bytes::new(500));
    assert_eq!(table.accounts().iter().map(Account::id).collect::<Vec<_>>(), [10, 30, 40]);
    assert_eq!(table.untracked(), 3);
}

#[test]
fn bounds_of_the_bound() {
    for (bound, places) in [(0, 1), (1, 1), (65_536, 65_536), (u32::MAX, 65_536)] {
        let mut table = Arrivals::new(bound);
        for id in 0..65_540 {
            table.count(tenant(id), Bytes::new(1));
        }
        assert_eq!(table.accounts().len(), places);
        assert_eq!(table.untracked(), 65_540 - places as u64);
    }
}

#[test]
fn weights_and_caps_come_from_the_last_frame() {
    let mut table = Arrivals::new(3);
    let cap = |max, interval| {
        let mut table = Arrivals::new(1);
        table.count(Tenant { max, ..tenant(1) }, Bytes::new(1));
        table.account(1).and_then(|account| account.cap(interval)).map(Amount::get)
    };
    table.count(Tenant { weight: 0, ..tenant(1) }, Bytes::new(1));
    assert_eq!(table.account(1).map(Account::weight), Some(1));
    table.count(Tenant { weight: 7, ..tenant(1) }, Bytes::new(1));
    assert_eq!(table.account(1).map(Account::weight), Some(7));
    let millisecond = TimeDelta::from_millis(1);
    assert_eq!(cap(None, millisecond), None);
    assert_eq!(cap(Some(Rate::from_gbps(1)), millisecond), Some(256 * 125_000));
    // 40 Gb/s: the product needs more than 64 bits. 31249 b/s: just under 1/256 byte in 1 us.
    assert_eq!(cap(Some(Rate::from_gbps(40)), millisecond), Some(256 * 5_000_000));
    let microsecond = TimeDelta::from_micros(1);
    assert_eq!(cap(Some(Rate::from_bits_per_second(31_249)), microsecond), Some(0));
    assert_eq!(cap(Some(Rate::from_bits_per_second(31_250)), microsecond), Some(1));
    assert_eq!(cap(Some(Rate::from_bits_per_second(u64::MAX)), TimeDelta::MAX), Some(1 << 56));
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Count(u32, u64),
    End(u64),
}

/// Ids that collide: a small set, some close together and some far apart.
fn id() -> impl Strategy<Value = u32> {
    prop_oneof![0..12u32, (0..8u32).prop_map(|index| index << 28), any::<u32>()]
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let bytes = prop_oneof![1..3_000u64, Just(0), any::<u64>()];
    let step = prop_oneof![
        8 => (id(), bytes).prop_map(|(id, bytes)| Step::Count(id, bytes)),
        1 => (1..200u64).prop_map(Step::End),
    ];
    prop::collection::vec(step, 1..300)
}

proptest! {
    /// Compares with an ordered map and equation (5) in 128-bit arithmetic.
    #[test]
    fn follows_a_map(steps in steps(), bound in 1..10u32, exponent in 0..=8i8) {
        let mut table = Arrivals::new(bound);
        let mut model: BTreeMap<u32, (i128, i128)> = BTreeMap::new();
        let (mut came, mut untracked) = (Vec::new(), 0);
        for step in steps {
            match step {
                Step::Count(id, bytes) => {
                    table.count(tenant(id), Bytes::new(bytes));
                    if model.contains_key(&id) || model.len() < bound as usize {
                        if !model.contains_key(&id) {
                            came.push(id);
                        }
                        let entry = model.entry(id).or_default();
                        entry.0 = (entry.0 + i128::from(bytes)).min(u64::MAX.into());
                    } else {
                        untracked += 1;
                    }
                }
                Step::End(intervals) => {
                    table.end_intervals(Power::of_two(-exponent), intervals);
                    model.retain(|_, (arrived, estimate)| {
                        let idle = *arrived == 0 || intervals > 1;
                        for interval in 0..intervals {
                            let fresh = if interval == 0 { (*arrived * 256).min(1 << 56) } else { 0 };
                            *estimate += (fresh - *estimate).div_euclid(1 << exponent);
                        }
                        *arrived = 0;
                        !(idle && *estimate < 256)
                    });
                    came.retain(|id| model.contains_key(id));
                }
            }
            let held: BTreeMap<u32, (i128, i128)> = table.accounts().iter()
                .map(|account| (account.id(), (account.arrived().get().into(), account.estimate().get().into())))
                .collect();
            prop_assert_eq!(table.accounts().len(), held.len());
            prop_assert_eq!(table.accounts().iter().map(Account::id).collect::<Vec<_>>(), came.clone());
            prop_assert_eq!(&held, &model);
            prop_assert_eq!(table.untracked(), untracked);
            for (id, (_, estimate)) in &model {
                prop_assert_eq!(table.account(*id).map(|account| account.estimate().get().into()), Some(*estimate));
            }
        }
    }
}
