//! GOAL schedules as text, as LogGOPSim's `txt2bin` reads them: for each rank, operations (send, recv, calc) with labels, and
//! the order in which they take place.
//!
//! A send becomes a message, and a calculation becomes a computation. The ranks of GOAL calculate on processors, which Setpoint
//! does not model: operations that do not depend on each other take place at the same time.

mod lexer;
mod order;
mod pairs;
mod parser;

use std::sync::Arc;

use crate::diagnostics::{Diagnostics, Place, Problem};
use crate::import::workload::Workload;
use crate::source::Source;

/// Reads a schedule.
pub(super) fn workload(source: &Arc<Source>) -> Result<Workload, Diagnostics> {
    let schedule = parser::schedule(source)?;
    let received = pairs::received(&schedule)?;
    let mut workload = order::workload(&schedule, &received)?;
    if workload.messages.is_empty() {
        return Err(Problem::at(&Place::whole(source), "this schedule sends no messages", "")
            .help("add a line such as `send 4096b to 1 tag 0` to a rank")
            .into());
    }
    workload.is_job = true;
    workload.hosts = schedule.ranks;
    workload.declared = Some(schedule.declared.clone());
    if schedule.operations.iter().any(|operation| matches!(operation.action, parser::Action::Calc { .. })) {
        workload.notes.push(String::from(
            "Calculations that do not depend on each other take place at the same time, on any processor.",
        ));
    }
    Ok(workload)
}
