//! The fluid models of TIMELY and patched TIMELY for the parameters of a scenario.
//!
//! The equations are those of the CoNEXT paper. Options without a term in them are refused, or listed as simplifications. In
//! the paper, sources compare the queueing delay with the thresholds. If they compare the round-trip time, the model contains
//! that of the idle path.

use setpoint_control::timely::{Delay, HyperIncrease, NpParams, RpParams, Rule, Steady, Updates};
use setpoint_control::{NotificationPointParams, ReactionPointParams, Window};
use setpoint_fluid::timely::{Params, Variant};
use setpoint_fluid::{Bottleneck, Scheme};
use setpoint_sim::{Spec, idle_paths};
use setpoint_units::{Bytes, Rate, TimeDelta};

use super::refusal::NoFluidForm;
use super::{Network, Passing};

/// The scheme of a scenario under TIMELY, before [`complete`].
pub(super) fn scheme(
    (np, rp): (NpParams, RpParams),
    leaves_out: &mut Vec<String>,
) -> Result<Scheme, NoFluidForm> {
    check(rp)?;
    let mut note = |condition: bool, sentence: &str| {
        if condition {
            leaves_out.push(sentence.to_owned());
        }
    };
    note(
        true,
        "Updates are continuous rather than per segment, and never more frequent than once in `min_rtt`.",
    );
    note(rp.hyper != HyperIncrease::Never, "There is no hyper increase.");
    note(rp.steady == Steady::Keep, "A gradient of zero raises the rate.");
    Ok(Scheme::Timely(Params {
        variant: match rp.rule {
            Rule::Gradient => Variant::Original,
            Rule::Patched => Variant::Patched,
        },
        increase: rp.increase,
        decrease: rp.decrease,
        smoothing: rp.smoothing,
        low: rp.low,
        high: rp.high,
        min_rtt: rp.min_rtt,
        segment: np.bytes,
        min_rate: rp.min_rate,
        idle_rtt: TimeDelta::ZERO,
    }))
}

/// Refuses options for which the equations have no term.
fn check(rp: RpParams) -> Result<(), NoFluidForm> {
    let refuse = |key, value: &str, instead| {
        Err(NoFluidForm::Parameter { key, value: value.to_owned(), model: "timely", instead })
    };
    if rp.updates == Updates::Window {
        let instead = "\"acknowledgement\": the equations have one update per segment";
        return refuse("rp.updates", rp.updates.name(), instead);
    }
    if rp.window != Window::None {
        let instead = "\"none\": the equations have rates, but no bytes in flight";
        return refuse("rp.window", rp.window.name(), instead);
    }
    Ok(())
}

/// Adds what follows from the flows: the segment, and the round-trip time of the idle path if it is part of the delay that
/// sources compare with the thresholds.
pub(super) fn complete(
    scheme: &mut Scheme,
    network: &Network<'_>,
    members: &[Passing],
) -> Result<(), NoFluidForm> {
    let Scheme::Timely(params) = scheme else { return Ok(()) };
    let control = &network.spec.control;
    if let NotificationPointParams::Timely(np) = control.notification_point {
        params.segment = segment(np, network.spec.flows[members[0].flow].frame);
    }
    if let ReactionPointParams::Timely(RpParams { delay: Delay::RoundTrip, .. }) = control.reaction_point {
        params.idle_rtt = idle_rtt(network, members)?;
    }
    Ok(())
}

/// The bytes between two acknowledgements: whole frames.
fn segment(np: NpParams, frame: Bytes) -> Bytes {
    let frames = np.bytes.get().div_ceil(frame.get().max(1)).min(u64::from(np.frames));
    Bytes::new(frames.saturating_mul(frame.get()))
}

/// The round-trip time of the idle path, which must be the same for all controlled flows.
fn idle_rtt(network: &Network<'_>, members: &[Passing]) -> Result<TimeDelta, NoFluidForm> {
    let paths = idle_paths(network.spec).map_err(|error| NoFluidForm::Unreachable(error.to_string()))?;
    let mut known = members
        .iter()
        .filter(|member| network.is_controlled(member.flow))
        .filter_map(|member| Some((&network.spec.flows[member.flow].name, paths[member.flow]?.base_rtt)));
    let Some(first) = known.next() else { return Ok(TimeDelta::ZERO) };
    match known.find(|other| other.1 != first.1) {
        None => Ok(first.1),
        Some(other) => Err(NoFluidForm::RoundTrips {
            flows: [first.0.clone(), other.0.clone()],
            times: [first.1, other.1],
        }),
    }
}

/// The rate at which sources start, if it is not their line rate.
pub(super) fn first_rate(spec: &Spec) -> Option<Rate> {
    match spec.control.reaction_point {
        ReactionPointParams::Timely(rp) => rp.first_rate,
        _ => None,
    }
}

/// The queue at the lower threshold of the delay, at least one frame.
pub(super) fn shortest(bottleneck: &Bottleneck, params: &Params) -> Bytes {
    let bits_per_second = bottleneck.capacity.last().map_or(0, |(_, rate)| rate.bits_per_second());
    let queueing = params.low.saturating_sub(params.idle_rtt).as_secs_f64();
    Bytes::new((bits_per_second as f64 / 8.0 * queueing).round() as u64).max(bottleneck.frame)
}

/// The transmission of a frame on the congested link, which the equations of TIMELY add to the delay of the path.
pub(super) fn counted_twice(network: &Network<'_>, member: &Passing) -> TimeDelta {
    let spec = network.spec;
    let NotificationPointParams::Timely(_) = spec.control.notification_point else { return TimeDelta::ZERO };
    let link = spec.topology.link_at(network.paths[member.flow][member.place].link());
    link.rate.time_to_send(spec.flows[member.flow].frame + spec.overhead)
}
