//! Cells inside a rack fabric.

use setpoint_sim::FabricOutcome;

use super::keyed::keyed;

keyed! {
    /// Cells between leaves and spines, over the whole run.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct FabricSummary {
        /// Cells sent from leaves to spines.
        pub cells: u64,
        /// Cells that waited at a leaf because the spine had no room for them.
        pub waited_at_leaves: u64,
        /// Cells that waited at the input of a spine because its output had no room for them.
        pub waited_at_spines: u64,
        /// Frames that were complete before an older frame from the same input and had to wait for it.
        pub resequenced_frames: u64,
    }
}

impl FabricSummary {
    /// The figures for a run; none if no cell was sent.
    pub(crate) fn of(fabric: &FabricOutcome) -> Option<Self> {
        (fabric.cells > 0).then_some(Self {
            cells: fabric.cells,
            waited_at_leaves: fabric.waited_at_leaves,
            waited_at_spines: fabric.waited_at_spines,
            resequenced_frames: fabric.resequenced,
        })
    }
}
