//! The parking lot (scenario II, figure 14), which several experiments share.

use setpoint_plot::merged;

use super::comparison::Place;
use super::{AMPLITUDES, ARRIVING, BUFFER, DEVIATIONS, GAIN_B, NETWORK, both_qcns};
use crate::prelude::*;
use crate::timeline::Moment;

/// The queues of the two bottlenecks.
const FIRST: &str = "c1->c2/3";
const SECOND: &str = "c2->c3/3";

const TOPOLOGY: &str = "We derived the parking lot of figure 14 from the text. Bridges C1, C2 and C3 form a row, with \
    S1, S2 and S3 attached to C1, S4 and R3 to C2, and R1, R2 and R4 to C3. The controlled flows S1→R1 and S2→R2 cross \
    both links of the row; S3→R3 crosses the first and S4→R4 the second. No bridge needs more than the four ports of a \
    NetFPGA.";

const ASSOCIATION: &str = "An SMCC source reacts to the bridge that last slowed it down while that bridge’s queue was \
    above the set point, as in BCN; the paper says only “similar to BCN”.";

/// An experiment on the parking lot.
pub(super) fn experiment(id: &'static str, title: &'static str) -> Experiment {
    let assumptions = [TOPOLOGY, ASSOCIATION, GAIN_B, ARRIVING, NETWORK, DEVIATIONS, AMPLITUDES];
    Experiment::new(id, title).assumptions(assumptions)
}

/// Both versions of QCN, with the cycle of 30 kB that the paper uses here.
pub(super) fn qcns(scenario: &'static str) -> [Case; 2] {
    both_qcns(scenario).map(|case| case.set("control.qcn.rp.byte_reset=30 kB"))
}

/// A window in which the bottleneck is at C1.
pub(super) fn first(case: &'static str, window: Window) -> [Place; 1] {
    [Place { case, queue: FIRST, window }]
}

/// A window in which the bottleneck is at C2.
pub(super) fn second(case: &'static str, window: Window) -> [Place; 1] {
    [Place { case, queue: SECOND, window }]
}

/// The queues of both bottlenecks over time, with marks where the background traffic changes.
pub(super) fn queue_panels(runs: &Runs, cases: &[(&str, &str)], events: &[(Moment, &str)]) -> Vec<Block> {
    let mut figures = panel::queues_by_case(runs, cases, BUFFER, &[(FIRST, "C1"), (SECOND, "C2")]);
    for (figure, (case, _)) in figures.iter_mut().zip(cases) {
        let timeline = &runs.first().run(case).timeline;
        figure.events = merged(events.iter().map(|(at, label)| (timeline.time(*at), (*label).to_owned())));
    }
    vec![Block::Figures(figures)]
}
