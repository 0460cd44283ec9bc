//! Random occupancy marking notifies each flow in proportion to its share of the buffer.
//!
//! Pearson's chi-square test of 20 000 choices, with fixed seeds. If the hypothesis is true, the statistic
//! exceeds the critical value with a probability of 0.1 %: 18.47 with four degrees of freedom (five flows),
//! 10.83 with one (two flows).

use std::fmt::Write;
use std::iter::Flatten;
use std::slice::Iter;

use setpoint_control::culprit::{CulpritArray, CulpritCounters, Owner, Search};
use setpoint_control::{Entropy, FlowKey};

use super::buffer::{CLASS, CULPRIT, Input, VICTIM, chi_square, one_word, owner};
use crate::entropy::Xorshift;

const CHOICES: u64 = 20_000;
const CRITICAL_4: f64 = 18.47;
const CRITICAL_1: f64 = 10.83;

/// The number of frames of each of flows 0 to 4. Each frame is six units long; frames are stored in turn in
/// an array of 586 units.
const FRAMES: [u32; 5] = [2, 5, 9, 16, 28];

fn filled() -> CulpritArray {
    let mut array = CulpritArray::new(586);
    for round in 0..28 {
        for (flow, frames) in FRAMES.iter().enumerate() {
            if round < *frames {
                array.store(owner(flow as u32), 6).expect("60 frames of 97");
            }
        }
    }
    array
}

fn shares() -> [f64; 5] {
    FRAMES.map(|frames| f64::from(frames) / 60.0)
}

/// How often each flow is chosen.
fn choices(mut choose: impl FnMut() -> u32) -> [u64; 5] {
    let mut counts = [0; 5];
    for _ in 0..CHOICES {
        counts[choose() as usize] += 1;
    }
    counts
}

#[test]
fn one_word_a_read_is_exact() {
    for seed in 1..=20 {
        let (mut array, mut random) = (filled(), Xorshift(seed << 32));
        let counts =
            choices(|| array.random(CLASS, &one_word(1_000), &mut random).map_or(0, |FlowKey(flow)| flow));
        assert_eq!(array.counters().fallbacks, 0);
        let statistic = chi_square(&counts, &shares());
        assert!(statistic < CRITICAL_4, "seed {seed}: {statistic} for {counts:?}");
    }
}

/// The power of the test above: it rejects choices in proportion to arrivals, here equal for all flows, and
/// even a mixture in which one choice in forty is made that way.
#[test]
fn the_test_refuses_shares_of_arrivals() {
    for one_in in [1, 40] {
        let (mut array, mut random) = (filled(), Xorshift::default());
        let counts = choices(|| {
            let by_arrival = random.next_u32() % one_in == 0;
            let drawn = array.random(CLASS, &one_word(1_000), &mut random).map_or(0, |FlowKey(flow)| flow);
            if by_arrival { random.next_u32() % 5 } else { drawn }
        });
        let statistic = chi_square(&counts, &shares());
        assert!(statistic > CRITICAL_4, "{statistic} for {counts:?}");
    }
}

/// How often the victim of [`Input`] is chosen in 20 000 samples taken every seven frames, its mean share of
/// the buffer, the probability that a successful random read finds it, and the cost of the searches.
struct Victim {
    chosen: u64,
    share: f64,
    chance: f64,
    costs: CulpritCounters,
}

impl Victim {
    fn with(units: u32, search: Search) -> Self {
        let (mut input, mut random) = (Input::settled(units), Xorshift(7));
        let (mut chosen, mut share, mut chance) = (0, 0.0, 0.0);
        for _ in 0..CHOICES {
            for _ in 0..7 {
                input.arrive();
            }
            share += input.victims_share() / CHOICES as f64;
            chance += chance_of(VICTIM, &input.array, search.words_per_read) / CHOICES as f64;
            let culprit =
                input.array.random(CLASS, &search, &mut random).expect("40 frames are in the buffer");
            chosen += u64::from(culprit == VICTIM);
        }
        Self { chosen, share, chance, costs: input.array.counters() }
    }

    fn statistic(&self, share: f64) -> f64 {
        chi_square(&[self.chosen, CHOICES - self.chosen], &[share, 1.0 - share])
    }
}

/// All rows are equally likely to be read, and all matching units in a row are equally likely to be chosen.
fn chance_of(flow: FlowKey, array: &CulpritArray, words_per_read: u32) -> f64 {
    let rows = array.words().chunks(words_per_read as usize);
    let occupied = rows.map(|row| row.iter().flatten()).filter(|row| row.clone().next().is_some());
    let part = |row: Flatten<Iter<'_, Option<Owner>>>| {
        row.clone().filter(|owner| owner.flow == flow).count() as f64 / row.count() as f64
    };
    let parts: Vec<f64> = occupied.map(part).collect();
    parts.iter().sum::<f64>() / parts.len() as f64
}

/// The paper's case: 70 % of the arriving frames are the victim's, but only a few percent of the frames in the
/// buffer.
#[test]
fn a_victim_that_sends_most_frames_is_rarely_notified() {
    let victim = Victim::with(586, one_word(1_000));
    assert!((0.02..0.04).contains(&victim.share), "{}", victim.share);
    assert!(victim.statistic(victim.share) < CRITICAL_1, "{} of {CHOICES}", victim.chosen);
    assert!(victim.statistic(0.7) > CRITICAL_1);
}

/// The worst case for rows of 16: one unit of the victim alone in its row, and a full row of the culprit's. The
/// victim has 1/17 of the occupied units and is chosen half of the time.
#[test]
fn sixteen_words_a_read_at_worst() {
    let (mut array, mut random) = (CulpritArray::new(32), Xorshift::default());
    array.store(owner(CULPRIT.0), 16).expect("32 are free");
    array.store(owner(VICTIM.0), 1).expect("16 are free");
    let search = Search { words_per_read: 16, random_reads: 16 };
    let counts = choices(|| u32::from(array.random(CLASS, &search, &mut random) == Some(VICTIM)));
    assert!((chance_of(VICTIM, &array, 16) - 0.5).abs() < 1e-9);
    assert!(chi_square(&counts[..2], &[0.5, 0.5]) < CRITICAL_1, "{counts:?}");
}

/// Results of other search settings, in arrays of 586 words (150 kB) and of 12 000, the number that a port in
/// the paper has for all its priorities.
#[test]
fn shares_with_several_words_a_read() {
    let mut table = String::from("units  words   share  chance  chosen   reads  fall-backs\n");
    for (units, words_per_read) in [(586, 1), (586, 4), (586, 16), (12_000, 1), (12_000, 16)] {
        let victim = Victim::with(units, Search { words_per_read, random_reads: 16 });
        let part = |count: u64| count as f64 / CHOICES as f64;
        let _ = writeln!(
            table,
            "{units:5}  {words_per_read:5}  {:4.2} %  {:4.2} %  {:4.2} %  {:6.1}  {:8.1} %",
            100.0 * victim.share,
            100.0 * victim.chance,
            100.0 * part(victim.chosen),
            part(victim.costs.reads),
            100.0 * part(victim.costs.fallbacks),
        );
    }
    insta::assert_snapshot!(table);
}
