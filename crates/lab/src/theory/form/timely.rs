//! The fluid models of TIMELY and patched TIMELY for the parameters of a scenario.
//!
//! The equations are those of the CoNEXT paper. Options without a term in them are refused, or listed as simplifications. In
//! the paper, sources compare the queueing delay with the thresholds. If they compare the round-trip time, the model contains
//! that of the idle path ([`measure`]).

use setpoint_control::Window;
use setpoint_control::timely::{Delay, HyperIncrease, NpParams, RpParams, Rule, Steady, Updates};
use setpoint_fluid::timely::{Params, Variant};
use setpoint_fluid::{Bottleneck, Scheme};
use setpoint_sim::{Spec, idle_paths};
use setpoint_units::{Bytes, TimeDelta};

use super::refusal::NoFluidForm;
use super::{Network, Passing};

/// The scheme of a scenario under TIMELY, without the round-trip time of the idle path.
pub(super) fn scheme(
    spec: &Spec,
    (np, rp): (NpParams, RpParams),
    leaves_out: &mut Vec<String>,
) -> Result<Scheme, NoFluidForm> {
    check(spec, np, rp)?;
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
    note(rp.first_rate.is_some(), "Sources start at line rate.");
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
fn check(spec: &Spec, np: NpParams, rp: RpParams) -> Result<(), NoFluidForm> {
    let refuse =
        |key, value: String, instead| Err(NoFluidForm::Parameter { key, value, model: "timely", instead });
    if rp.updates == Updates::Window {
        let instead = "\"acknowledgement\": the equations have one update per segment";
        return refuse("rp.updates", rp.updates.name().to_owned(), instead);
    }
    if rp.window != Window::None {
        let instead = "\"none\": the equations have rates, but no bytes in flight";
        return refuse("rp.window", rp.window.name().to_owned(), instead);
    }
    let shortest = spec.flows.iter().map(|flow| flow.frame.get()).min().unwrap_or_default();
    if u64::from(np.frames).saturating_mul(shortest) < np.bytes.get() {
        let instead =
            "a number of frames that hold `np.bytes`: the equations have segments of a number of bytes";
        return refuse("np.frames", np.frames.to_string(), instead);
    }
    Ok(())
}

/// Adds the round-trip time of the idle path to the delays that sources measure, if they compare round-trip times.
pub(super) fn measure(
    scheme: &mut Scheme,
    network: &Network<'_>,
    members: &[Passing],
) -> Result<(), NoFluidForm> {
    use setpoint_control::ReactionPointParams::Timely;

    let (Scheme::Timely(params), Timely(rp)) = (scheme, network.spec.control.reaction_point) else {
        return Ok(());
    };
    if rp.delay == Delay::Queueing {
        return Ok(());
    }
    let paths = idle_paths(network.spec).map_err(|error| NoFluidForm::Unreachable(error.to_string()))?;
    let mut known = members
        .iter()
        .filter(|member| network.is_controlled(member.flow))
        .filter_map(|member| Some((&network.spec.flows[member.flow].name, paths[member.flow]?.base_rtt)));
    let Some(first) = known.next() else { return Ok(()) };
    if let Some(other) = known.find(|other| other.1 != first.1) {
        let flows = [first, other].map(|one| one.0.clone());
        return Err(NoFluidForm::RoundTrips { flows, times: [first.1, other.1] });
    }
    params.idle_rtt = first.1;
    Ok(())
}

/// The queue at the lower threshold of the delay, at least one frame.
pub(super) fn shortest(bottleneck: &Bottleneck, params: &Params) -> Bytes {
    let bits_per_second = bottleneck.capacity.last().map_or(0, |(_, rate)| rate.bits_per_second());
    let queueing = params.low.saturating_sub(params.idle_rtt).as_secs_f64();
    Bytes::new((bits_per_second as f64 / 8.0 * queueing).round() as u64).max(bottleneck.frame)
}

/// The transmission of a frame on the congested link, which the equations of TIMELY add to the delay of the path.
pub(super) fn counted_twice(network: &Network<'_>, member: &Passing) -> TimeDelta {
    use setpoint_control::NotificationPointParams::Timely;

    let spec = network.spec;
    let Timely(_) = spec.control.notification_point else { return TimeDelta::ZERO };
    let link = spec.topology.link_at(network.paths[member.flow][member.place].link());
    link.rate.time_to_send(spec.flows[member.flow].frame + spec.overhead)
}
