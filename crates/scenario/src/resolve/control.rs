//! The congestion control of a scenario.

use setpoint_control::parameter::{Parameter, Profile};
use setpoint_control::{
    Algorithm, Audience, CongestionPointParams, GroupParams, Marking, NotificationPointParams, Params,
    Preset, ReactionPointParams,
};
use setpoint_sim::{Bridges, ControlSpec, Placement, Priority, PrioritySet, SampledFrames, Side};
use setpoint_units::{Bytes, Rate, TimeDelta};

use super::flow_control::is_lossless;
use super::network::{frame, priorities};
use super::placement::{self, Surroundings};
use crate::diagnostics::{Place, Problem, Problems};
use crate::format::{self, Network, Notifications, Root, setting};
use crate::tree::Item;

/// The algorithm, its parameters, and the preset and profile they started from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Control {
    pub(super) algorithm: Algorithm,
    pub(super) preset: Preset,
    pub(super) profile: Option<&'static Profile>,
    pub(super) params: Params,
}

impl Control {
    /// The queue length that the algorithm aims for, if it has one.
    pub(super) fn set_point(&self) -> Option<Bytes> {
        self.algorithm.set_point(&self.params)
    }

    /// The minimum rate of a limiter, if there are limiters.
    pub(super) fn min_rate(&self) -> Option<Rate> {
        self.algorithm.min_rate(&self.params)
    }
}

/// The spec of congestion control, with the algorithm and parameters it is derived from.
pub(super) fn control(
    keys: &format::Control,
    network: &Network,
    problems: &mut Problems,
) -> Option<(ControlSpec, Control)> {
    let algorithm = keys.algorithm;
    let Some(participants) = &keys.participants else {
        return Some((
            uncontrolled()?,
            Control { algorithm, preset: Preset::TenG, profile: None, params: Params::default() },
        ));
    };
    let control = parameters(keys, *participants.preset, problems);
    let (congestion_point, reaction_point) = algorithm.points(&control.params);
    let priorities = priorities(&participants.priorities, network);
    let notification_point = algorithm.notification_point(&control.params);
    let spec =
        ControlSpec { congestion_point, notification_point, reaction_point, priorities, ..uncontrolled()? };
    let spec = match &keys.notifications {
        Some(keys) => notifying(spec, keys, network, problems),
        None => spec,
    };
    Some((spec, control))
}

/// Adds the settings of notifications and of the rate limiters that react to them.
fn notifying(
    spec: ControlSpec,
    keys: &Notifications,
    network: &Network,
    problems: &mut Problems,
) -> ControlSpec {
    let size = &keys.notification_size;
    problems.take(frame(size, **size, *network.buffer));
    ControlSpec {
        placement: *keys.placement,
        marking: placement::marking(keys),
        keep_alive: keys.keep_alive.quantity,
        sampled: *keys.sampled_frames,
        audience: *keys.audience,
        limiters_per_station: *keys.limiters_per_station,
        notification_priority: *keys.notification_priority,
        notification_size: **size,
        reaction_delay: *keys.reaction_delay,
        group: GroupParams { rule: *keys.group_rule, memory: *keys.group_memory },
        ..spec
    }
}

fn uncontrolled() -> Option<ControlSpec> {
    Some(ControlSpec {
        congestion_point: CongestionPointParams::None,
        notification_point: NotificationPointParams::None,
        reaction_point: ReactionPointParams::None,
        placement: Placement::Outputs,
        marking: Marking::Arrival,
        keep_alive: None,
        group: GroupParams::default(),
        priorities: PrioritySet::NONE,
        sampled: SampledFrames::Enqueued,
        audience: Audience::Sampled,
        limiters_per_station: 0,
        notification_priority: Priority::new(6)?,
        notification_size: Bytes::new(64),
        reaction_delay: TimeDelta::ZERO,
    })
}

/// The parameters of a preset and a profile, overridden by those that the scenario sets.
fn parameters(keys: &format::Control, preset: Preset, problems: &mut Problems) -> Control {
    let profile = keys.profile();
    let params = Params::of(preset, profile);
    let mut control = Control { algorithm: keys.algorithm, preset, profile, params };
    for (role, table) in &keys.points {
        for parameter in control.algorithm.parameters_of(*role) {
            if let Some(item) = table.find(parameter.name()) {
                write(parameter, item, &mut control.params, problems);
            }
        }
    }
    check_params(&control, |key| keys.place_of(key), problems);
    control
}

/// Reports parameters that do not fit together, at the place of the key that causes the problem.
pub(super) fn check_params<'a>(
    control: &Control,
    place_of: impl FnOnce(&str) -> &'a Place,
    problems: &mut Problems,
) {
    if let Err(misfit) = control.algorithm.check(&control.params, None) {
        problems.push(Problem::at(place_of(&misfit.key), misfit.message, ""));
    }
}

/// Sets a parameter to the value given in the scenario.
pub(super) fn write(parameter: &Parameter, item: &Item, params: &mut Params, problems: &mut Problems) {
    if let Some(value) = problems.take(setting(parameter, item))
        && let Err(error) = parameter.write(params, value)
    {
        problems.push(Problem::at(&item.place, error.to_string(), ""));
    }
}

/// Refuses congestion points that drop frames under lossless flow control or in bridges with input
/// buffers.
pub(super) fn check_drops(
    root: &Root,
    (spec, control): &(ControlSpec, Control),
    around: &Surroundings<'_>,
) -> Result<(), Problem> {
    if !spec.congestion_point.needs().admission {
        return Ok(());
    }
    let name = control.algorithm.name();
    if matches!(around.bridges, Bridges::Cioq(_)) {
        let message = format!(
            "`{name}` drops frames at outputs, but in bridges with input buffers, frames reach an output only after \
             it has granted them room"
        );
        return Err(Problem::at(root.control.place(), message, "drops frames by design")
            .context(root.bridge.place(), "input buffers")
            .help("set `bridge = \"output-queued\"`, or choose another control"));
    }
    let lossless = (0..8)
        .filter_map(Priority::new)
        .find(|&priority| spec.priorities.contains(priority) && is_lossless(around.flow_control, priority));
    match lossless {
        Some(priority) => {
            let message = format!("`{name}` drops frames of priority {}, which is lossless", priority.get());
            Err(Problem::at(root.control.place(), message, "drops frames by design")
                .context(root.flow_control.place(), "no frame may be lost")
                .help("set `flow_control = \"none\"`, or choose another control"))
        }
        None => Ok(()),
    }
}

/// Refuses a set point that the queue cannot reach within the buffer.
pub(super) fn check_set_point(
    root: &Root,
    (spec, control): &(ControlSpec, Control),
    around: &Surroundings<'_>,
) -> Result<(), Problem> {
    let Some(set_point) = control.set_point() else { return Ok(()) };
    let place = root.control.place_of(&format!("{}.cp.set_point", control.algorithm.name()));
    if let Bridges::Cioq(cioq) = around.bridges
        && spec.placement.includes(Side::Input)
        && set_point > cioq.input_buffer
    {
        let message =
            format!("the set point ({set_point}) is above the input buffer size ({})", cioq.input_buffer);
        return Err(Problem::at(place, message, "no input can hold that much")
            .help("lower `set_point`, or make `bridge.cioq.input_buffer` larger"));
    }
    // Without input buffers, a priority under flow control may exceed the buffer of its output.
    let bounded = |priority: &Priority| {
        matches!(around.bridges, Bridges::Cioq(_)) || !is_lossless(around.flow_control, *priority)
    };
    let controlled = |priority: &Priority| spec.priorities.contains(*priority);
    let priority = (0..8).filter_map(Priority::new).filter(controlled).find(bounded);
    if let Some(priority) = priority
        && spec.placement.includes(Side::Output)
        && set_point > *root.network.buffer
    {
        let buffer = &root.network.buffer;
        let message = format!("the set point ({set_point}) is above the buffer ({})", **buffer);
        let label = format!("the queue of priority {} cannot reach it", priority.get());
        return Err(Problem::at(place, message, label)
            .context(buffer.place(), "the buffer")
            .help("lower `set_point`, or make `network.buffer` larger"));
    }
    Ok(())
}
