//! The fan-in of figures 2 and 5: four flows to one output, joined by a fifth flow during the middle third of the
//! run.

use super::choices::{INTERVAL, TIMER};
use super::{FABRIC, PART_OF_THE_FABRIC, STANDARD, TABLE_1};
use crate::prelude::*;

pub(super) const LINE: f64 = 10e9;

/// The phases with four, five and four flows, each without its first `settling` seconds.
pub(super) const fn phases(settling: f64) -> [Window; 3] {
    [
        START.plus(settling).until(starts("f5")),
        starts("f5").plus(settling).until(stops("f5")),
        stops("f5").plus(settling).until(END),
    ]
}

/// An experiment with the assumptions and choices that both figures share.
pub(super) fn experiment(id: &'static str, title: &'static str) -> Experiment {
    Experiment::new(id, title)
        .assumptions([PART_OF_THE_FABRIC, TABLE_1, STANDARD, FABRIC])
        .choices([&INTERVAL, &TIMER])
        .quick(0.2)
}
