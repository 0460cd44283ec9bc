//! The cost of a search: worked out by hand, and compared with closed forms.

use setpoint_control::culprit::{CulpritArray, CulpritCounters, Owner, Search};
use setpoint_control::{Entropy, FlowKey};

use super::buffer::{CLASS, chi_square, one_word, owner};
use crate::entropy::{Constant, Forbidden, Xorshift};

const OTHER: u8 = 5;

/// Eight units: three of one class, one of another, four of the first again.
fn mixed() -> CulpritArray {
    let mut array = CulpritArray::new(8);
    for (flow, class, count) in [(1, CLASS, 3), (2, OTHER, 1), (3, CLASS, 4)] {
        array.store(Owner { flow: FlowKey(flow), class }, count).expect("eight in all");
    }
    array
}

fn costs(searches: u64, reads: u64, fallbacks: u64, fallback_reads: u64) -> CulpritCounters {
    CulpritCounters { searches, reads, fallbacks, fallback_reads }
}

#[test]
fn found_at_the_first_read() {
    let mut array = mixed();
    // The largest random number gives the last address.
    assert_eq!(array.random(CLASS, &one_word(16), &mut Constant(u32::MAX)), Some(FlowKey(3)));
    assert_eq!(array.random(CLASS, &one_word(16), &mut Constant(0)), Some(FlowKey(1)));
    assert_eq!(array.counters(), costs(2, 2, 0, 0));
}

/// Two reads of word 0, then words 1, 2 and 3.
#[test]
fn the_fall_back_goes_on_behind_the_last_read() {
    let mut array = mixed();
    assert_eq!(array.random(OTHER, &one_word(2), &mut Constant(0)), Some(FlowKey(2)));
    assert_eq!(array.counters(), costs(1, 5, 1, 3));
    // Two reads of word 7, then words 0 to 3.
    assert_eq!(array.random(OTHER, &one_word(2), &mut Constant(u32::MAX)), Some(FlowKey(2)));
    assert_eq!(array.counters(), costs(2, 5 + 6, 2, 3 + 4));
}

/// Rows of three words: the other class is in the second of three rows.
#[test]
fn several_words_a_read() {
    let search = Search { words_per_read: 3, random_reads: 1 };
    let mut array = mixed();
    assert_eq!(array.random(OTHER, &search, &mut Constant(u32::MAX / 2)), Some(FlowKey(2)));
    assert_eq!(array.counters(), costs(1, 1, 0, 0));
    // Row 2 (words 6 and 7), then rows 0 and 1.
    assert_eq!(array.random(OTHER, &search, &mut Constant(u32::MAX)), Some(FlowKey(2)));
    assert_eq!(array.counters(), costs(2, 4, 1, 2));
    // A read wider than the array: a single row.
    let search = Search { words_per_read: 16, random_reads: 1 };
    assert_eq!(array.random(OTHER, &search, &mut Constant(9)), Some(FlowKey(2)));
    assert_eq!(array.counters(), costs(3, 5, 1, 2));
}

/// Without random reads nothing is drawn; if the class has no unit, the search reads the whole array.
#[test]
fn nothing_of_the_class_is_none() {
    let mut array = mixed();
    assert_eq!(array.random(0, &one_word(0), &mut Forbidden), None);
    assert_eq!(array.counters(), costs(1, 8, 1, 8));
    assert_eq!(array.random(0, &one_word(3), &mut Xorshift::default()), None);
    assert_eq!(array.counters(), costs(2, 8 + 3 + 8, 2, 8 + 8));
    assert_eq!(CulpritArray::new(8).random(CLASS, &one_word(4), &mut Xorshift::default()), None);
    assert_eq!(CulpritArray::new(0).random(CLASS, &Search::default(), &mut Xorshift::default()), None);
}

#[test]
fn the_only_unit_of_a_class_is_found_among_many() {
    let mut array = CulpritArray::new(12_000);
    array.store(owner(1), 7_777).expect("there is room");
    array.store(Owner { flow: FlowKey(2), class: OTHER }, 1).expect("there is room");
    array.store(owner(3), 12_000 - 7_778).expect("there is room");
    let mut random = Xorshift::default();
    for words_per_read in [1, 16] {
        let before = array.counters();
        for _ in 0..1_000 {
            let search = Search { words_per_read, random_reads: 16 };
            assert_eq!(array.random(OTHER, &search, &mut random), Some(FlowKey(2)));
        }
        let (reads, rows) = (array.counters().reads - before.reads, 12_000 / words_per_read);
        // Nearly every search falls back and reads half of the array on average, with a standard deviation of
        // 29 % of the array.
        let mean = reads as f64 / 1_000.0 / f64::from(rows);
        assert!((mean - 0.5).abs() < 0.04, "{mean} of {rows} rows");
    }
}

/// If a fraction p of the units is occupied, the number of reads is geometrically distributed: 1/p on average,
/// with a standard deviation of sqrt(1 - p)/p, and a search falls back with probability (1 - p)^16.
#[test]
fn reads_are_geometric() {
    let mut random = Xorshift::default();
    for occupied in [20, 146, 293, 500] {
        let p = f64::from(occupied) / 586.0;
        let mut array = CulpritArray::new(586);
        array.store(owner(1), occupied).expect("there is room");
        let counts = histogram(&mut array, &mut random);
        let (searches, mean) = (20_000.0, array.counters().reads as f64 / 20_000.0);
        let deviation = (1.0 - p).sqrt() / p / f64::sqrt(searches);
        assert!((mean - 1.0 / p).abs() < 4.0 * deviation, "{mean} reads with {occupied} units");
        let geometric = |reads: i32| (1.0 - p).powi(reads - 1) * p;
        let mut shares: Vec<f64> = (1..5).map(geometric).collect();
        shares.push((1.0 - p).powi(4));
        // Four degrees of freedom: 18.47 is exceeded with a probability of 0.1 %.
        let statistic = chi_square(&counts, &shares);
        assert!(statistic < 18.47, "{statistic} with {occupied} units: {counts:?}");
        falls_back(&mut array, (1.0 - p).powi(16), &mut random);
    }
}

/// Numbers of searches, out of 20 000, that take 1, 2, 3, 4 and more reads.
fn histogram(array: &mut CulpritArray, random: &mut Xorshift) -> [u64; 5] {
    let mut counts = [0; 5];
    for _ in 0..20_000 {
        let before = array.counters().reads;
        assert_eq!(array.random(CLASS, &one_word(u32::MAX), random), Some(FlowKey(1)));
        counts[(array.counters().reads - before).min(5) as usize - 1] += 1;
    }
    assert_eq!(array.counters().fallbacks, 0);
    counts
}

fn falls_back(array: &mut CulpritArray, chance: f64, random: &mut impl Entropy) {
    for _ in 0..20_000 {
        array.random(CLASS, &Search::default(), random);
    }
    let (found, deviation) = (array.counters().fallbacks as f64, (20_000.0 * chance * (1.0 - chance)).sqrt());
    assert!((found - 20_000.0 * chance).abs() <= 4.0 * deviation + 1.0, "{found} times, not {chance}");
}
