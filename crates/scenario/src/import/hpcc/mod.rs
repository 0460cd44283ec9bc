//! The files of the HPCC simulator, as `simulation/scratch/third.cc` reads them: lists of values separated by white space, in
//! which line breaks have no meaning.

mod flows;
mod topology;
mod trace;

pub(super) use flows::flows;
pub(super) use topology::topology;
pub(super) use trace::trace;

/// The destination ports that HPCC's scripts distinguish, and the names of their classes.
const CLASSES: [(u64, &str); 2] = [(100, "background"), (200, "incast")];
