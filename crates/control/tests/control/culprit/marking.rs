//! The flow that each marking chooses.

use setpoint_control::culprit::{CulpritArray, Owner, Search};
use setpoint_control::{FlowKey, Marking};

use super::buffer::{CLASS, owner};
use crate::entropy::{Constant, Forbidden};

/// Flows 4 and 2 have three units each, flow 1 has two, and flow 8 has six units of another class.
fn tied() -> CulpritArray {
    let mut array = CulpritArray::new(32);
    for (flow, count) in [(4, 2), (1, 2), (2, 3), (4, 1)] {
        array.store(owner(flow), count).expect("there is room");
    }
    array.store(Owner { flow: FlowKey(8), class: 0 }, 6).expect("there is room");
    array
}

#[test]
fn arrival_marking_chooses_no_flow_and_reads_nothing() {
    let mut array = tied();
    assert_eq!(Marking::Arrival.culprit(&mut array, CLASS, &mut Forbidden), None);
    assert_eq!(array.counters().searches, 0);
    assert_eq!(Marking::default(), Marking::Arrival);
}

#[test]
fn the_largest_backlog_of_the_class_with_the_lowest_number_of_several() {
    let mut array = tied();
    let largest = Marking::LargestBacklog;
    assert_eq!(largest.culprit(&mut array, CLASS, &mut Forbidden), Some(FlowKey(2)));
    assert_eq!(largest.culprit(&mut array, 0, &mut Forbidden), Some(FlowKey(8)));
    assert_eq!(largest.culprit(&mut array, 1, &mut Forbidden), None);
    // One more unit decides, whatever the flow numbers.
    let more = array.store(owner(4), 1).expect("there is room");
    assert_eq!(largest.culprit(&mut array, CLASS, &mut Forbidden), Some(FlowKey(4)));
    array.release(more);
    assert_eq!(largest.culprit(&mut array, CLASS, &mut Forbidden), Some(FlowKey(2)));
    assert_eq!(array.counters().searches, 0);
}

#[test]
fn random_occupancy_takes_the_owner_of_the_word_read() {
    let mut array = tied();
    let random = Marking::RandomOccupancy(Search { words_per_read: 1, random_reads: 1 });
    // Words 0 to 7 belong to flows 4, 4, 1, 1, 2, 2, 2 and 4; with 32 words, the upper five bits choose.
    for (word, flow) in [4, 4, 1, 1, 2, 2, 2, 4].into_iter().enumerate() {
        let address = Constant((word as u32) << 27);
        assert_eq!(random.culprit(&mut array, CLASS, &mut { address }), Some(FlowKey(flow)));
    }
    assert_eq!((array.counters().searches, array.counters().reads), (8, 8));
    assert_eq!(random.culprit(&mut array, 0, &mut Constant(8 << 27)), Some(FlowKey(8)));
    assert_eq!(random.culprit(&mut array, 1, &mut Constant(0)), None);
}
