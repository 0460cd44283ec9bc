//! The array allocates and releases units, in any order, exactly as a map of frames does.

use std::collections::BTreeMap;

use proptest::prelude::*;
use setpoint_control::FlowKey;
use setpoint_control::culprit::{CulpritArray, Owner, Units};

#[derive(Clone, Copy, Debug)]
enum Step {
    Store(Owner, u32),
    /// Releases the stored frame at this index, modulo the number of stored frames.
    Release(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let owner = (0..5u32, 0..3u8).prop_map(|(flow, class)| Owner { flow: FlowKey(flow), class });
    let step = prop_oneof![
        (owner, 0..9u32).prop_map(|(owner, count)| Step::Store(owner, count)),
        any::<usize>().prop_map(Step::Release),
    ];
    prop::collection::vec(step, 1..200)
}

/// Number of words for each owner.
fn owned(array: &CulpritArray) -> BTreeMap<(u32, u8), u32> {
    let mut units = BTreeMap::new();
    for owner in array.words().iter().flatten() {
        *units.entry((owner.flow.0, owner.class)).or_default() += 1;
    }
    units
}

fn expected(frames: &[(Owner, u32, Units)]) -> BTreeMap<(u32, u8), u32> {
    let mut units = BTreeMap::new();
    for (owner, count, _) in frames.iter().filter(|(_, count, _)| *count > 0) {
        *units.entry((owner.flow.0, owner.class)).or_default() += count;
    }
    units
}

/// The flow with the most units of a class according to the model; on a tie, the one with the lowest number.
fn largest(units: &BTreeMap<(u32, u8), u32>, class: u8) -> Option<FlowKey> {
    let of_class = units.iter().filter(|((_, found), _)| *found == class);
    let best = of_class.reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.map(|((flow, _), _)| FlowKey(*flow))
}

proptest! {
    #[test]
    fn follows_a_list_of_frames(units in 0..120u32, steps in steps()) {
        let mut array = CulpritArray::new(units);
        let mut frames: Vec<(Owner, u32, Units)> = Vec::new();
        for step in steps {
            let used: u32 = frames.iter().map(|(_, count, _)| count).sum();
            match step {
                Step::Store(owner, count) => {
                    let stored = array.store(owner, count);
                    prop_assert_eq!(stored.is_some(), used + count <= units);
                    frames.extend(stored.map(|stored| (owner, count, stored)));
                }
                Step::Release(index) if !frames.is_empty() => {
                    let (.., stored) = frames.swap_remove(index % frames.len());
                    array.release(stored);
                }
                Step::Release(_) => {}
            }
            let model = expected(&frames);
            prop_assert_eq!(&owned(&array), &model);
            prop_assert_eq!(array.free() + model.values().sum::<u32>(), units);
            for class in 0..3 {
                prop_assert_eq!(array.largest(class), largest(&model, class));
            }
        }
        for (.., stored) in frames {
            array.release(stored);
        }
        // Every unit can be allocated again, exactly once.
        let all = Owner { flow: FlowKey(9), class: 0 };
        let stored = array.store(all, units);
        prop_assert!(stored.is_some() && array.words().iter().all(|word| *word == Some(all)));
        prop_assert_eq!((array.free(), array.store(all, 1)), (0, None));
    }

    /// Frames may leave in any order; each releases its own units.
    #[test]
    fn frames_leave_in_any_order(
        counts in prop::collection::vec(1..7u32, 1..30), order in prop::collection::vec(any::<prop::sample::Index>(), 30),
    ) {
        let mut array = CulpritArray::new(counts.iter().sum());
        let stored = |(flow, count): (usize, &u32)| {
            let flow = FlowKey(flow as u32);
            (flow, array.store(Owner { flow, class: 0 }, *count).expect("the array is as large as all of them together"))
        };
        let mut frames: Vec<(FlowKey, Units)> = counts.iter().enumerate().map(stored).collect();
        for next in &order[..counts.len()] {
            let (flow, units) = frames.swap_remove(next.index(frames.len()));
            let others = array.words().iter().flatten().filter(|owner| owner.flow != flow).count();
            array.release(units);
            let left: Vec<FlowKey> = array.words().iter().flatten().map(|owner| owner.flow).collect();
            prop_assert!(left.len() == others && !left.contains(&flow));
        }
    }
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "unit 0 is free already")]
fn units_are_taken_back_once() {
    let mut array = CulpritArray::new(4);
    let stored = array.store(Owner { flow: FlowKey(1), class: 0 }, 2).expect("all units are free");
    array.release(stored);
    array.release(stored);
}
