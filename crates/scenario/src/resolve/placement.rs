//! Checks the placement of congestion points and the choice of sources that they notify.

use setpoint_control::culprit::Search;
use setpoint_control::{Algorithm, Audience, Marking, Params};
use setpoint_sim::{Bridges, ControlSpec, FlowControl, Priority, Side};
use setpoint_units::Bytes;

use super::flow_control::is_lossless;
use crate::diagnostics::{Problem, Problems};
use crate::format::{Choice, MarkedSource, Notifications};

/// The context of congestion points at inputs.
pub(super) struct Surroundings<'a> {
    pub(super) bridges: &'a Bridges,
    pub(super) flow_control: &'a FlowControl,
}

/// The source that congestion points at inputs notify.
pub(super) fn marking(keys: &Notifications) -> Marking {
    match *keys.marking {
        MarkedSource::Arrival => Marking::Arrival,
        MarkedSource::LargestBacklog => Marking::LargestBacklog,
        MarkedSource::RandomOccupancy => Marking::RandomOccupancy(Search {
            words_per_read: *keys.words_per_read,
            random_reads: *keys.random_reads,
        }),
    }
}

/// Checks placement and marking against the bridges and flow control of the scenario.
pub(super) fn check(
    keys: &Notifications,
    spec: &ControlSpec,
    around: &Surroundings<'_>,
    problems: &mut Problems,
) {
    problems.take(check_placement(keys, spec, around.bridges));
    problems.take(check_marking(keys, spec));
    problems.take(check_audience(keys, spec));
    if let Some(clock) = spec.keep_alive {
        problems.take(check_keep_alive(keys, clock, spec, around.flow_control));
    }
}

fn check_placement(keys: &Notifications, spec: &ControlSpec, bridges: &Bridges) -> Result<(), Problem> {
    if !spec.placement.includes(Side::Input) || matches!(bridges, Bridges::Cioq(_)) {
        return Ok(());
    }
    let message = format!(
        "`placement` is {:?}, but output-queued bridges have no buffers at their inputs",
        keys.placement.word()
    );
    Err(Problem::at(keys.placement.place(), message, "nothing to observe there")
        .help("add `bridge = \"cioq\"`"))
}

fn check_marking(keys: &Notifications, spec: &ControlSpec) -> Result<(), Problem> {
    if spec.marking == Marking::Arrival || spec.placement.includes(Side::Input) {
        return Ok(());
    }
    let message =
        format!("`marking` is {:?}, but there are no congestion points at inputs", keys.marking.word());
    Err(Problem::at(keys.marking.place(), message, "would be ignored")
        .help("set `placement = \"inputs\"` (or \"both\"), or leave `marking` at \"arrival\""))
}

fn check_audience(keys: &Notifications, spec: &ControlSpec) -> Result<(), Problem> {
    if spec.audience == Audience::Sampled {
        return Ok(());
    }
    let key = &keys.audience;
    if spec.placement.includes(Side::Input) {
        let message =
            format!("`audience` is {:?}, but `placement` is {:?}", key.word(), keys.placement.word());
        return Err(Problem::at(key.place(), message, "only for congestion points at outputs")
            .help("set `placement = \"outputs\"`, or leave `audience` at \"sampled\""));
    }
    if !spec.congestion_point.needs().clock {
        let name = spec.congestion_point.algorithm().name();
        let message =
            format!("`audience` is {:?}, but the feedback of `{name}` depends on the flow", key.word());
        return Err(Problem::at(key.place(), message, "the notification is not the same for all")
            .help("leave `audience` at \"sampled\""));
    }
    Ok(())
}

fn check_keep_alive(
    keys: &Notifications,
    clock: Bytes,
    spec: &ControlSpec,
    flow_control: &FlowControl,
) -> Result<(), Problem> {
    let key = &keys.keep_alive;
    if clock.is_zero() {
        return Err(Problem::at(
            key.place(),
            "`keep_alive` is 0 B, but must be larger",
            "would sample endlessly",
        )
        .help("write a size such as \"150 kB\", or \"off\""));
    }
    if !spec.placement.includes(Side::Input) {
        let message = format!("`keep_alive` is {clock}, but there are no congestion points at inputs");
        return Err(Problem::at(key.place(), message, "would be ignored")
            .help("set `placement = \"inputs\"` (or \"both\"), or `keep_alive = \"off\"`"));
    }
    if spec.marking == Marking::Arrival {
        let message = format!("`keep_alive` is {clock}, but `marking` is \"arrival\"");
        return Err(Problem::at(key.place(), message, "no frames arrive during a pause").help(
            "set `marking = \"random-occupancy\"` (or \"largest-backlog\"), or `keep_alive = \"off\"`",
        ));
    }
    if !spec.congestion_point.needs().clock {
        let name = spec.congestion_point.algorithm().name();
        let message = format!("congestion points of `{name}` cannot be sampled by a clock");
        return Err(Problem::at(key.place(), message, "needs arriving frames").help(format!(
            "set `keep_alive = \"off\"`, or choose one of {}",
            sampled_by_clock().join(", ")
        )));
    }
    let paused =
        |priority: &Priority| spec.priorities.contains(*priority) && is_lossless(flow_control, *priority);
    if !(0..8).filter_map(Priority::new).any(|priority| paused(&priority)) {
        let message = format!("`keep_alive` is {clock}, but flow control never pauses a controlled priority");
        return Err(Problem::at(key.place(), message, "would be ignored")
            .help("add `flow_control = \"pause\"` or \"pfc\", or set `keep_alive = \"off\"`"));
    }
    Ok(())
}

/// The algorithms whose congestion points can be sampled by a clock.
fn sampled_by_clock() -> Vec<String> {
    let clocked = |algorithm: &Algorithm| algorithm.points(&Params::default()).0.needs().clock;
    Algorithm::ALL.into_iter().filter(clocked).map(|algorithm| format!("`{}`", algorithm.name())).collect()
}
