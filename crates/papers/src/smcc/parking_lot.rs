//! What the experiments on the parking lot (scenario II, figure 14) have in common.

use setpoint_report::document::Block;

use super::compared::Place;
use super::{Phase, both_qcns, panel};
use crate::case::Case;
use crate::runs::Runs;

/// The queues of the two bottlenecks.
pub(super) const FIRST: &str = "c1->c2/3";
pub(super) const SECOND: &str = "c2->c3/3";

/// What is taken for the topology.
pub(super) const TOPOLOGY: &str = "The parking lot of figure 14 is worked out from the text: bridges C1, C2 and C3 in a row; S1, S2 \
    and S3 at C1, S4 and R3 at C2, R1, R2 and R4 at C3. The controlled flows S1→R1 and S2→R2 cross both links of the row, \
    S3→R3 the first, S4→R4 the second. No bridge has more than the four ports of a NetFPGA.";

/// What is taken for whom SMCC's sources obey.
pub(super) const ASSOCIATION: &str = "An SMCC source obeys the bridge that last slowed it down while its queue was above the set \
    point, as in BCN; the paper says no more than “similar to BCN”.";

/// Both QCNs with the cycle of 30 kB that the paper has here.
pub(super) fn qcns(scenario: &'static str) -> [Case; 2] {
    both_qcns(scenario).map(|case| case.set("control.qcn.rp.byte_reset=30 kB"))
}

/// A phase in which the bottleneck is at C1.
pub(super) fn first(case: &'static str, phase: Phase) -> Place {
    Place { case, queue: FIRST, phase }
}

/// A phase in which the bottleneck is at C2.
pub(super) fn second(case: &'static str, phase: Phase) -> Place {
    Place { case, queue: SECOND, phase }
}

/// The queues of both bottlenecks over time, with what happens when.
pub(super) fn shown(runs: &Runs, panels: &[panel::Panel<'_>], events: &[(f64, &str)]) -> Block {
    let figures = panel::of_queues(runs, panels, &[(FIRST, "C1"), (SECOND, "C2")]);
    let case = panels.first().map_or("", |panel| panel.0);
    Block::Figures(panel::with_events(runs, events, figures, case))
}

/// What happens in traffic pattern II.
pub(super) const PATTERN_II: [(f64, &str); 2] = [(1.0, "500 Mb/s at C1"), (3.0, "750 Mb/s at C2")];
