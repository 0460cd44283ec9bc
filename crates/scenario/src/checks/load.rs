//! Checks for traffic that exceeds link capacities.

use setpoint_sim::{Overload, overloads};
use setpoint_units::Rate;

use super::{Subject, Warning};
use crate::check::OFFERED_ABOVE_CAPACITY;
use crate::diagnostics::Problem;
use crate::port_names;

pub(super) fn warnings(subject: &Subject<'_>) -> Option<Warning> {
    let all = overloads(subject.spec).ok()?;
    let share = |load: &Overload| load.offered_bps / load.capacity.bits_per_second() as f64;
    let worst = all.iter().max_by(|a, b| share(a).total_cmp(&share(b)))?;
    let message = format!(
        "from {} on, flows offer {} to {}, which sends at most {}",
        worst.from,
        rounded(worst.offered_bps)?,
        port_names::shown(&subject.spec.topology, worst.port),
        worst.capacity
    );
    let problem = Problem::at(subject.root.flows.place(), message, "exceeds the link capacity")
        .help("lower the flow rates, or use backlogged flows to saturate the link");
    let problem = match all.len() {
        1 => problem,
        _ => {
            let ports = subject.named(all.iter().map(|load| load.port));
            problem.help(format!("overloaded ports: {ports}"))
        }
    };
    Some(Warning::new(OFFERED_ABOVE_CAPACITY, problem))
}

/// A rate rounded to four digits, because mean rates of random traffic are not round numbers.
fn rounded(bps: f64) -> Option<Rate> {
    let bits = bps.round() as u64;
    let unit = 10u64.pow(bits.checked_ilog10()?.saturating_sub(3));
    Rate::new((bits + unit / 2) / unit * unit)
}
