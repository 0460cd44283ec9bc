//! How ports choose among priorities.

use std::num::NonZeroU16;

use setpoint_sim::{Bridges, Ets, Priority, Scheduling};

use crate::diagnostics::{Problem, Problems};
use crate::format::{self, Placed, Root};

/// The scheduling of a scenario's ports.
pub(super) fn scheduling(root: &Root, bridges: &Bridges, problems: &mut Problems) -> Option<Scheduling> {
    let format::Scheduling::Ets(keys) = &*root.scheduling else { return Some(Scheduling::Strict) };
    problems.take(check(root, keys, bridges))?;
    let numbered = (0_u8..).zip(keys.weights());
    let weighted = numbered.filter_map(|(number, weight)| {
        Some((Priority::new(number)?, NonZeroU16::new(u16::try_from(weight?).ok()?)?))
    });
    Some(Scheduling::Ets(weighted.fold(Ets::default(), |ets, (priority, weight)| ets.with(priority, weight))))
}

fn check(root: &Root, keys: &Placed<format::Ets>, bridges: &Bridges) -> Result<(), Problem> {
    if keys.weights().iter().all(Option::is_none) {
        return Err(Problem::at(keys.place(), "no priority has a weight", "all priorities are strict").help(
            "add weights such as `priority_3 = 60` and `priority_0 = 40`, or write `scheduling = \"strict\"`",
        ));
    }
    if matches!(bridges, Bridges::Cioq(_)) {
        return Err(Problem::at(
            keys.place(),
            "weighted priorities need output-queued bridges",
            "not supported",
        )
        .context(root.bridge.place(), "arbiters and fabrics serve the highest priority first")
        .help("remove this table, or use a topology with output-queued bridges"));
    }
    Ok(())
}
