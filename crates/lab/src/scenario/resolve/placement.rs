//! Where congestion points are, whom they tell, and whether the rest of the scenario lets them.

use setpoint_control::culprit::Search;
use setpoint_control::{Algorithm, Marking, Params};
use setpoint_sim::{Bridges, ControlSpec, FlowControl, Placement, Priority, Side};
use setpoint_units::Bytes;

use super::flow_control::is_lossless;
use crate::scenario::diagnostics::{Problem, Problems};
use crate::scenario::view::View;

/// What congestion points at inputs are checked against.
pub(super) struct Surroundings<'a> {
    pub(super) bridges: &'a Bridges,
    pub(super) flow_control: &'a FlowControl,
}

/// Reads where congestion points are and whom they tell.
pub(super) fn read(kind: &View<'_>, spec: ControlSpec) -> Option<ControlSpec> {
    let count = |name: &str| u32::try_from(kind.key(name).integer()?).ok();
    let search = Search { words_per_read: count("words_per_read")?, random_reads: count("random_reads")? };
    Some(ControlSpec {
        placement: match kind.key("placement").text()? {
            "inputs" => Placement::Inputs,
            "both" => Placement::Both,
            _ => Placement::Outputs,
        },
        marking: match kind.key("marking").text()? {
            "largest-backlog" => Marking::LargestBacklog,
            "random-occupancy" => Marking::RandomOccupancy(search),
            _ => Marking::Arrival,
        },
        keep_alive: kind.key("keep_alive").size(),
        ..spec
    })
}

/// Checks it against the bridges and flow control of the scenario.
pub(super) fn check(kind: &View<'_>, spec: &ControlSpec, around: &Surroundings<'_>, problems: &mut Problems) {
    if kind.field().find("placement").is_none() {
        return;
    }
    problems.take(check_placement(&kind.key("placement"), spec, around.bridges));
    problems.take(check_marking(&kind.key("marking"), spec));
    if let Some(clock) = spec.keep_alive {
        problems.take(check_keep_alive(&kind.key("keep_alive"), clock, spec, around.flow_control));
    }
}

fn check_placement(key: &View<'_>, spec: &ControlSpec, bridges: &Bridges) -> Result<(), Problem> {
    if !spec.placement.includes(Side::Input) || matches!(bridges, Bridges::Cioq(_)) {
        return Ok(());
    }
    let given = key.text().unwrap_or_default();
    let message =
        format!("`placement` is {given:?}, and output-queued bridges have no buffers at their inputs");
    Err(Problem::at(key.place(), message, "nothing to watch there").help("add `bridge = \"cioq\"`"))
}

fn check_marking(key: &View<'_>, spec: &ControlSpec) -> Result<(), Problem> {
    if spec.marking == Marking::Arrival || spec.placement.includes(Side::Input) {
        return Ok(());
    }
    let given = key.text().unwrap_or_default();
    let message = format!("`marking` is {given:?}, and there are no congestion points at inputs");
    Err(Problem::at(key.place(), message, "would be ignored")
        .help("set `placement = \"inputs\"` (or \"both\"), or leave `marking` at \"arrival\""))
}

fn check_keep_alive(
    key: &View<'_>,
    clock: Bytes,
    spec: &ControlSpec,
    flow_control: &FlowControl,
) -> Result<(), Problem> {
    if clock.is_zero() {
        return Err(Problem::at(
            key.place(),
            "`keep_alive` is 0 B, and must be larger",
            "would sample for ever",
        )
        .help("write a size such as \"150 kB\", or \"off\""));
    }
    if !spec.placement.includes(Side::Input) {
        let message = format!("`keep_alive` is {clock}, and there are no congestion points at inputs");
        return Err(Problem::at(key.place(), message, "would be ignored")
            .help("set `placement = \"inputs\"` (or \"both\"), or `keep_alive = \"off\"`"));
    }
    if spec.marking == Marking::Arrival {
        let message = format!("`keep_alive` is {clock}, and `marking` is \"arrival\"");
        return Err(Problem::at(key.place(), message, "nothing arrives during a pause").help(
            "set `marking = \"random-occupancy\"` (or \"largest-backlog\"), or `keep_alive = \"off\"`",
        ));
    }
    if !spec.congestion_point.samples_by_clock() {
        let name = spec.congestion_point.algorithm().name();
        let message = format!("congestion points of `{name}` cannot be sampled by a clock");
        return Err(Problem::at(key.place(), message, "needs frames that arrive")
            .help(format!("set `keep_alive = \"off\"`, or take one of {}", sampled_by_clock().join(", "))));
    }
    let paused =
        |priority: &Priority| spec.priorities.contains(*priority) && is_lossless(flow_control, *priority);
    if !(0..8).filter_map(Priority::new).any(|priority| paused(&priority)) {
        let message = format!("`keep_alive` is {clock}, and flow control never pauses a controlled priority");
        return Err(Problem::at(key.place(), message, "would be ignored")
            .help("add `flow_control = \"pause\"` or \"pfc\", or set `keep_alive = \"off\"`"));
    }
    Ok(())
}

/// The algorithms whose congestion points can be sampled by a clock.
fn sampled_by_clock() -> Vec<String> {
    let clocked = |algorithm: &Algorithm| algorithm.points(&Params::default()).0.samples_by_clock();
    Algorithm::ALL.into_iter().filter(clocked).map(|algorithm| format!("`{}`", algorithm.name())).collect()
}
