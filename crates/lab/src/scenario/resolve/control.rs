//! Congestion control of a scenario.

use setpoint_control::parameter::Tunable;
use setpoint_control::{
    Algorithm, CongestionPointParams, GroupParams, GroupRule, Marking, Params, Preset, ReactionPointParams,
};
use setpoint_sim::{Bridges, ControlSpec, Placement, Priority, PrioritySet, SampledFrames, Side};
use setpoint_units::{Bytes, Rate, TimeDelta};

use super::flow_control::is_lossless;
use super::network::{Network, frame, priorities, priority};
use super::placement::{self, Surroundings};
use crate::scenario::diagnostics::{Problem, Problems};
use crate::scenario::format::Shape;
use crate::scenario::parameters::read;
use crate::scenario::view::View;

/// The algorithm, its parameters, and the preset they started from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Control {
    pub(super) algorithm: Algorithm,
    pub(super) preset: Preset,
    pub(super) params: Params,
}

impl Control {
    /// The queue length that is aimed at, where one is.
    pub(super) fn set_point(&self) -> Option<Bytes> {
        self.algorithm.set_point(&self.params)
    }

    /// The smallest rate of a limiter, where there are limiters.
    pub(super) fn min_rate(&self) -> Option<Rate> {
        self.algorithm.min_rate(&self.params)
    }
}

/// Congestion control: the spec, and what it was made from.
pub(super) fn control(
    root: &View<'_>,
    network: &Network,
    problems: &mut Problems,
) -> Option<(ControlSpec, Control)> {
    let kind = root.key("control").kind()?;
    let algorithm = Algorithm::from_name(kind.name())?;
    if algorithm == Algorithm::None {
        return Some((
            uncontrolled()?,
            Control { algorithm, preset: Preset::TenG, params: Params::default() },
        ));
    }
    let control = parameters(algorithm, &kind, problems)?;
    let (congestion_point, reaction_point) = algorithm.points(&control.params);
    let priorities = priorities(&kind.key("priorities"), network.priority);
    let spec = ControlSpec { congestion_point, reaction_point, priorities, ..uncontrolled()? };
    let spec = if algorithm.notifies() { notifying(spec, &kind, network, problems)? } else { spec };
    Some((spec, control))
}

/// How notifications travel and are obeyed.
fn notifying(
    spec: ControlSpec,
    kind: &View<'_>,
    network: &Network,
    problems: &mut Problems,
) -> Option<ControlSpec> {
    let size = kind.key("notification_size");
    problems.take(frame(&size, network.buffer));
    let spec = placement::read(kind, spec)?;
    Some(ControlSpec {
        sampled: match kind.key("sampled_frames").text()? {
            "arriving" => SampledFrames::Arriving,
            _ => SampledFrames::Enqueued,
        },
        limiters_per_station: u32::try_from(kind.key("limiters_per_station").integer()?).ok()?,
        notification_priority: priority(&kind.key("notification_priority"))?,
        notification_size: size.size()?,
        reaction_delay: kind.key("reaction_delay").time()?,
        group: group(kind)?,
        ..spec
    })
}

/// What limiters of flows to groups do.
fn group(kind: &View<'_>) -> Option<GroupParams> {
    let rule = match kind.key("group_rule").text()? {
        "slowest-path" => GroupRule::SlowestPath,
        "worst-point" => GroupRule::WorstPoint,
        _ => GroupRule::EveryNotification,
    };
    Some(GroupParams { rule, memory: kind.key("group_memory").time()? })
}

fn uncontrolled() -> Option<ControlSpec> {
    Some(ControlSpec {
        congestion_point: CongestionPointParams::None,
        reaction_point: ReactionPointParams::None,
        placement: Placement::Outputs,
        marking: Marking::Arrival,
        keep_alive: None,
        group: GroupParams::default(),
        priorities: PrioritySet::NONE,
        sampled: SampledFrames::Enqueued,
        limiters_per_station: 0,
        notification_priority: Priority::new(6)?,
        notification_size: Bytes::new(64),
        reaction_delay: TimeDelta::ZERO,
    })
}

fn parameters(algorithm: Algorithm, kind: &View<'_>, problems: &mut Problems) -> Option<Control> {
    let preset = Preset::from_name(kind.key("preset").text()?)?;
    let mut params = Params::preset(preset);
    for point in ["cp", "rp"].into_iter().filter(|point| kind.field().find(point).is_some()) {
        for key in kind.key(point).given() {
            if let Shape::Parameter(parameter) = &key.field().shape {
                write(*parameter, &key, &mut params, problems);
            }
        }
    }
    let control = Control { algorithm, preset, params };
    check_params(&control, kind, problems);
    Some(control)
}

/// Reports parameters that do not fit together, at the key to blame if it is written in `table`, which is an
/// algorithm's or one of its points'.
pub(super) fn check_params(control: &Control, table: &View<'_>, problems: &mut Problems) {
    let Err(misfit) = control.algorithm.check(&control.params, None) else { return };
    let mut view = *table;
    for name in misfit.key.split('.').skip(1) {
        if view.field().find(name).is_some() {
            view = view.key(name);
        }
    }
    problems.push(Problem::at(view.place(), misfit.message, ""));
}

/// Writes a parameter that is given.
pub(super) fn write(parameter: &dyn Tunable, key: &View<'_>, params: &mut Params, problems: &mut Problems) {
    if let Some(item) = key.item()
        && let Some(value) = problems.take(read(parameter, item))
        && let Err(error) = parameter.write(params, value)
    {
        problems.push(Problem::at(&item.place, error.to_string(), ""));
    }
}

/// Congestion points that drop have no place where flow control is to keep frames from being lost.
pub(super) fn check_drops(
    root: &View<'_>,
    (spec, control): &(ControlSpec, Control),
    around: &Surroundings<'_>,
) -> Result<(), Problem> {
    if !spec.congestion_point.drops() {
        return Ok(());
    }
    let name = control.algorithm.name();
    if matches!(around.bridges, Bridges::Cioq(_)) {
        let message =
            format!("`{name}` drops frames that come to an output, and these have room granted there");
        return Err(Problem::at(root.key("control").place(), message, "works by dropping")
            .context(root.key("bridge").place(), "input buffers")
            .help("set `bridge = \"output-queued\"`, or choose another control"));
    }
    let lossless = (0..8)
        .filter_map(Priority::new)
        .find(|&priority| spec.priorities.contains(priority) && is_lossless(around.flow_control, priority));
    match lossless {
        Some(priority) => {
            let message = format!("`{name}` drops frames of priority {}, which is lossless", priority.get());
            Err(Problem::at(root.key("control").place(), message, "works by dropping")
                .context(root.key("flow_control").place(), "nothing may be lost")
                .help("set `flow_control = \"none\"`, or choose another control"))
        }
        None => Ok(()),
    }
}

/// A buffer can never be held at a length it cannot have.
pub(super) fn check_set_point(
    root: &View<'_>,
    network: &Network,
    (spec, control): &(ControlSpec, Control),
    around: &Surroundings<'_>,
) -> Result<(), Problem> {
    let Some(set_point) = control.set_point() else { return Ok(()) };
    let cp = root.key("control").key(control.algorithm.name()).key("cp");
    let key = if cp.field().find("set_point").is_some() { cp.key("set_point") } else { cp };
    if let Bridges::Cioq(cioq) = around.bridges
        && spec.placement.includes(Side::Input)
        && set_point > cioq.input_buffer
    {
        let message =
            format!("the set point ({set_point}) is above the room of an input ({})", cioq.input_buffer);
        return Err(Problem::at(key.place(), message, "no input ever holds that much")
            .help("lower `set_point`, or make `bridge.cioq.input_buffer` larger"));
    }
    // Without input buffers, a priority under flow control may go beyond the buffer of its output.
    let bounded = |priority: &Priority| {
        matches!(around.bridges, Bridges::Cioq(_)) || !is_lossless(around.flow_control, *priority)
    };
    let controlled = |priority: &Priority| spec.priorities.contains(*priority);
    let priority = (0..8).filter_map(Priority::new).filter(controlled).find(bounded);
    if let Some(priority) = priority
        && spec.placement.includes(Side::Output)
        && set_point > network.buffer
    {
        let buffer = root.key("network").key("buffer");
        let message = format!("the set point ({set_point}) is above the buffer ({})", network.buffer);
        let label = format!("the queue of priority {} never gets there", priority.get());
        return Err(Problem::at(key.place(), message, label)
            .context(buffer.place(), "the buffer")
            .help("lower `set_point`, or make `network.buffer` larger"));
    }
    Ok(())
}
