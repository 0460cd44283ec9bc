//! Checks for congestion control that does not fit the network or flow control.

use setpoint_control::{Algorithm, Params, Path, Preset};
use setpoint_sim::topology::NodeKind;
use setpoint_sim::{Bridges, Placement, PrioritySet, Reaction, Spec, idle_paths};
use setpoint_units::quantity::Unit;
use setpoint_units::{Bytes, Rate, TimeDelta};

use super::{Subject, Warning};
use crate::check::{
    FEEDBACK_CANNOT_SATURATE, PRESET_MISMATCH, SET_POINT_ABOVE_XOFF, TARGET_WITHIN_IDLE_PATH,
};
use crate::diagnostics::{Place, Problem};

pub(super) fn warnings(subject: &Subject<'_>) -> Vec<Warning> {
    let found =
        [set_point_above_xoff(subject), cannot_saturate(subject), preset(subject), within_idle_path(subject)];
    found.into_iter().flatten().collect()
}

/// The place where the set point is written, or where it would belong.
fn set_point_place<'a>(subject: &Subject<'a>) -> &'a Place {
    subject.root.control.place_of("control.cp.set_point")
}

/// The priorities that are subject to both congestion control and flow control.
fn both(subject: &Subject<'_>) -> PrioritySet {
    PrioritySet(subject.spec.control.priorities.0 & subject.spec.flow_control.protected().0)
}

fn set_point_above_xoff(subject: &Subject<'_>) -> Option<Warning> {
    let (set_point, params) = (subject.set_point?, subject.spec.flow_control.params()?);
    if both(subject) == PrioritySet::NONE || set_point <= params.xoff {
        return None;
    }
    let message = format!("the set point ({set_point}) is above `xoff` ({})", params.xoff);
    let xoff = &subject.root.flow_control.thresholds()?.xoff;
    let problem = Problem::at(
        set_point_place(subject),
        message,
        "flow control pauses senders before the queue reaches it",
    )
    .context(xoff.place(), if xoff.is_given() { "the threshold" } else { "the default threshold applies" })
    .help(format!("lower the set point below {}, or raise `xoff` above {set_point}", params.xoff));
    Some(Warning::new(SET_POINT_ABOVE_XOFF, problem))
}

fn cannot_saturate(subject: &Subject<'_>) -> Option<Warning> {
    let (set_point, spec) = (subject.set_point?, subject.spec);
    let algorithm = spec.control.congestion_point.algorithm();
    if !matches!(algorithm, Algorithm::Qcn | Algorithm::AfQcn | Algorithm::Fqcn) {
        return None;
    }
    let room = room(subject)?;
    if room.get() >= set_point.get().saturating_mul(2) {
        return None;
    }
    let largest =
        u128::from((room.saturating_sub(set_point)).get()) * 100 / u128::from(set_point.get().max(1));
    let message = format!(
        "with a set point of {set_point} and a buffer of {room} the feedback cannot reach its upper range: a full buffer \
         is only {largest} % above the set point"
    );
    let problem = Problem::at(set_point_place(subject), message, "too close to the buffer's size").help(
        format!("lower the set point to {} or less, or make the buffer at least {}", room / 2, set_point * 2),
    );
    Some(Warning::new(FEEDBACK_CANNOT_SATURATE, problem))
}

/// The buffer size of the queues that congestion points observe; none if only flow control limits these queues.
fn room(subject: &Subject<'_>) -> Option<Bytes> {
    let spec = subject.spec;
    let at_outputs = match spec.bridges {
        Bridges::OutputQueued if both(subject) == spec.control.priorities => None,
        // One queue can grow to its share of the pool, which is large compared with any set point.
        Bridges::SharedBuffer(_) => None,
        _ => Some(spec.buffer),
    };
    match (spec.control.placement, spec.bridges) {
        (Placement::Outputs, _) | (_, Bridges::OutputQueued | Bridges::SharedBuffer(_)) => at_outputs,
        (Placement::Inputs, Bridges::Cioq(cioq)) => Some(cioq.input_buffer),
        (Placement::Both, Bridges::Cioq(cioq)) => Some(cioq.input_buffer.min(spec.buffer)),
    }
}

/// Warns about a preset for another speed. A preset fits links between half and twice its speed.
fn preset(subject: &Subject<'_>) -> Option<Warning> {
    let key = &subject.root.control.participants.as_ref()?.preset;
    let chosen = **key;
    let (slowest, fastest) = link_rates(subject.spec)?;
    let bits = chosen.line_rate().bits_per_second();
    let near = |rate: Rate| rate.bits_per_second() <= bits * 2 && bits <= rate.bits_per_second() * 2;
    let between = slowest <= chosen.line_rate() && chosen.line_rate() <= fastest;
    let better = best(slowest);
    let algorithm = subject.spec.control.algorithm();
    let profile = subject.root.control.profile();
    let points = |preset| {
        let params = Params::of(preset, profile);
        (algorithm.points(&params), algorithm.notification_point(&params))
    };
    let differs = points(chosen) != points(better);
    if near(slowest) || near(fastest) || between || better == chosen || !differs {
        return None;
    }
    let links = if slowest == fastest { slowest.to_string() } else { format!("{slowest} to {fastest}") };
    let message = format!(
        "the preset {:?} is for {} links, but the links run at {links}",
        chosen.name(),
        chosen.line_rate()
    );
    let label = if key.is_given() { "for another speed" } else { "the default is for another speed" };
    let problem =
        Problem::at(key.place(), message, label).help(format!("write `preset = {:?}`", better.name()));
    Some(Warning::new(PRESET_MISMATCH, problem))
}

/// The preset for the slowest link; none without links.
pub(crate) fn fitting_preset(spec: &Spec) -> Option<Preset> {
    Some(best(link_rates(spec)?.0))
}

/// The preset whose speed is closest to the link rate, by ratio.
fn best(rate: Rate) -> Preset {
    let distance = |preset: &Preset| {
        let (a, b) = (preset.line_rate().max(rate), preset.line_rate().min(rate));
        u128::from(a.bits_per_second()) * 1_000 / u128::from(b.bits_per_second())
    };
    Preset::ALL.into_iter().min_by_key(distance).unwrap_or(Preset::TenG)
}

/// The rates of the slowest and the fastest link, not counting links inside a distributed bridge.
fn link_rates(spec: &Spec) -> Option<(Rate, Rate)> {
    let topology = &spec.topology;
    let outside = |link: &&setpoint_sim::topology::Link| {
        [link.first, link.second].iter().all(|&node| topology.node_at(node).kind != NodeKind::Spine)
    };
    let rates = || topology.links().iter().filter(outside).map(|link| link.rate);
    Some((rates().min()?, rates().max()?))
}

/// Warns about a target for round-trip times that the path of a flow exceeds without any queue.
fn within_idle_path(subject: &Subject<'_>) -> Option<Warning> {
    let params = &subject.spec.control.reaction_point;
    // Most algorithms have no such target, and computing paths takes a long time.
    params.aim(&Path::at(Rate::MIN))?;
    let controlled = |flow: &usize| subject.spec.flows[*flow].reaction != Reaction::Uncontrolled;
    let paths = idle_paths(subject.spec).ok()?.into_iter().enumerate();
    let (key, target, path) = paths
        .filter(|(flow, _)| controlled(flow))
        .filter_map(|(_, path)| Some((params.aim(path.as_ref()?)?, path?)))
        .map(|((key, target), path)| (key, target, path))
        .filter(|(_, target, path)| *target <= path.base_rtt)
        .max_by_key(|(_, target, path)| path.base_rtt.saturating_sub(*target))?;
    let message = format!(
        "sources aim at a round-trip time of {}, but a frame and its acknowledgement take {} even without any queue",
        rounded(target),
        rounded(path.base_rtt)
    );
    let algorithm = subject.spec.control.algorithm().name();
    let place = subject.root.control.place_of(&format!("{algorithm}.rp.{key}"));
    let problem = Problem::at(place, message, "too short for this network").help(format!(
        "set `control.{algorithm}.rp.delay` to \"queueing\", or raise `{key}` by more than {}",
        rounded(path.base_rtt.saturating_sub(target))
    ));
    Some(Warning::new(TARGET_WITHIN_IDLE_PATH, problem))
}

/// A time in a message.
fn rounded(time: TimeDelta) -> String {
    Unit::Seconds.text(time.as_secs_f64())
}
