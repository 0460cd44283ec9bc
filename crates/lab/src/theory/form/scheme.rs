//! The model of a scenario's algorithm, and its simplifications.

use setpoint_control::parameter::{Percent, Switch};
use setpoint_control::{
    Audience, CongestionPointParams, NotificationPointParams, ReactionPointParams, aimd, bcn, qcn, smcc,
};
use setpoint_fluid::dcqcn::Marking;
use setpoint_fluid::linear::equilibrium;
use setpoint_fluid::{Bottleneck, Class, ModelOptions, Scheme, Sending};
use setpoint_sim::{SampledFrames, Spec};
use setpoint_units::{Bytes, Rate};

use super::Network;
use super::dcqcn;
use super::refusal::NoFluidForm;
use super::timely;

/// The scheme of a spec.
pub(super) fn scheme(spec: &Spec, leaves_out: &mut Vec<String>) -> Result<Scheme, NoFluidForm> {
    let control = &spec.control;
    let scheme = match (control.congestion_point, control.reaction_point) {
        (CongestionPointParams::Qcn(cp), ReactionPointParams::Qcn(rp)) => Scheme::Qcn(qcn::Params { cp, rp }),
        (CongestionPointParams::AfQcn(cp), ReactionPointParams::Qcn(rp)) => {
            Scheme::AfQcn(qcn::Params { cp: cp.qcn, rp }, cp.af)
        }
        (CongestionPointParams::Smcc(cp), ReactionPointParams::Smcc(rp)) => {
            Scheme::Smcc(smcc::Params { cp, rp })
        }
        (CongestionPointParams::Bcn(cp), ReactionPointParams::Bcn(rp)) => Scheme::Bcn(bcn::Params { cp, rp }),
        (CongestionPointParams::Aimd(cp), ReactionPointParams::Aimd(rp)) => {
            Scheme::Aimd(aimd::Params { cp, rp })
        }
        (CongestionPointParams::Dcqcn(cp), ReactionPointParams::Dcqcn(rp)) => {
            let NotificationPointParams::Dcqcn(np) = control.notification_point else {
                return Err(NoFluidForm::NoModel("dcqcn"));
            };
            dcqcn::scheme((cp, np, rp), leaves_out)?
        }
        (_, ReactionPointParams::Timely(rp)) => {
            let NotificationPointParams::Timely(np) = control.notification_point else {
                return Err(NoFluidForm::NoModel("timely"));
            };
            timely::scheme((np, rp), leaves_out)?
        }
        _ => return Err(NoFluidForm::NoModel(control.algorithm().name())),
    };
    match &scheme {
        Scheme::Qcn(params) | Scheme::AfQcn(params, _) => check_qcn(scheme.name(), params)?,
        _ => {}
    }
    leaves_out.extend(left_out(&scheme).into_iter().map(str::to_owned));
    if control.sampled == SampledFrames::Arriving {
        leaves_out.push(
            "Congestion points also sample dropped frames; the model samples only enqueued frames."
                .to_owned(),
        );
    }
    if control.audience == Audience::EveryFlow {
        leaves_out.push("Every flow is notified at each sample; the model notifies one.".to_owned());
    }
    Ok(scheme)
}

/// The queue at the equilibrium of an algorithm without a set point. If there is none, the length above which every frame
/// is marked or, with TIMELY, the queue at the lower threshold.
pub(super) fn balance(bottleneck: &Bottleneck, scheme: &Scheme) -> Bytes {
    let most = match scheme {
        Scheme::Dcqcn(params) => match params.marking {
            Marking::Red(red) => red.kmax,
            Marking::Pi(pi) => pi.reference,
        },
        Scheme::DcqcnVendor(params) => params.marking.kmax,
        Scheme::Timely(params) => timely::shortest(bottleneck, params),
        _ => Bytes::ZERO,
    };
    let found = equilibrium(bottleneck, scheme, &ModelOptions::default());
    found.map_or(most, |found| Bytes::new(found.queue_bytes.round() as u64))
}

/// Refuses parameters for which the QCN equations have no term.
fn check_qcn(model: &'static str, params: &qcn::Params) -> Result<(), NoFluidForm> {
    let refuse = |key, value: &str, instead| {
        Err(NoFluidForm::Parameter { key, value: value.to_owned(), model, instead })
    };
    if params.rp.enable == Switch::Off {
        return Err(NoFluidForm::NotificationsIgnored("rp.enable = \"off\""));
    }
    if params.rp.byte_counter == Switch::Off {
        return refuse(
            "rp.byte_counter",
            "off",
            "\"on\": the equations raise rates according to the number of bytes sent",
        );
    }
    if params.cp.sampling == qcn::Sampling::EveryFrame {
        return refuse("cp.sampling", "every-frame", "\"table\": sources would never recover");
    }
    Ok(())
}

/// Sentences about the simplifications of the equations.
fn left_out(scheme: &Scheme) -> Vec<&'static str> {
    let mut sentences = Vec::new();
    let mut note = |condition: bool, sentence| {
        if condition {
            sentences.push(sentence);
        }
    };
    let jittered = |jitter: Percent| jitter > Percent::ZERO;
    match scheme {
        Scheme::Qcn(params) | Scheme::AfQcn(params, _) => {
            let qcn::Params { cp, rp } = params;
            note(true, "Feedback is not quantised, and sampling is continuous rather than per frame.");
            note(rp.timer.is_on(), "The timer does not raise rates; only the byte counter does.");
            note(rp.hyper_phase.is_on(), "There is no hyper-active increase.");
            note(
                rp.recovery_feedback != qcn::RecoveryFeedback::On,
                "A notification in fast recovery has the same effect as any other.",
            );
            note(rp.target == qcn::Target::AfterCut, "The target is the rate before a cut.");
            note(
                rp.extra_fast_recovery.is_on() || rp.target_reduction.is_on(),
                "There is neither extra fast recovery nor target reduction.",
            );
            note(
                jittered(cp.jitter) || jittered(rp.jitter),
                "Sampling intervals and byte-counter cycles have no jitter.",
            );
            note(
                cp.old_queue == qcn::OldQueue::LastFeedback,
                "The growth of the queue is measured since the last sample, not since the last notification.",
            );
        }
        Scheme::Smcc(params) => {
            note(true, "Sampling is continuous rather than per frame.");
            note(jittered(params.cp.jitter), "Sampling intervals have no jitter.");
        }
        Scheme::Bcn(params) => {
            note(
                true,
                "Sampling is continuous rather than per frame, and all sources receive feedback, tagged or not.",
            );
            note(jittered(params.cp.jitter), "Sampling intervals have no jitter.");
            note(params.cp.severe_stop.is_on(), "There is no severe stop.");
            note(params.rp.drift.is_on(), "There is no drift.");
        }
        Scheme::Aimd(params) => {
            note(true, "Sampling is continuous rather than per frame.");
            note(jittered(params.cp.jitter), "Sampling intervals have no jitter.");
        }
        // Listed with the parameters, in `dcqcn` and `timely`.
        Scheme::Dcqcn(_) | Scheme::DcqcnVendor(_) | Scheme::Timely(_) => {}
    }
    sentences
}

/// The maximum rate of a reaction point, if it differs from the rate of its port.
pub(super) fn max_rate(spec: &Spec, port: Rate) -> Option<Rate> {
    match spec.control.reaction_point {
        ReactionPointParams::Qcn(rp) => rp.max_rate,
        ReactionPointParams::Smcc(rp) => rp.max_rate,
        ReactionPointParams::Bcn(rp) => rp.max_rate,
        ReactionPointParams::Aimd(rp) => rp.max_rate,
        ReactionPointParams::Timely(rp) => {
            Some(Rate::from_bits_per_second(rp.max_share.of(port.bits_per_second())))
        }
        ReactionPointParams::Dcqcn(_)
        | ReactionPointParams::Hpcc(_)
        | ReactionPointParams::Powertcp(_)
        | ReactionPointParams::Swift(_)
        | ReactionPointParams::None => None,
    }
}

/// Refuses accounts that the AF-QCN model does not support, and notes ineffective weights.
pub(super) fn check_classes(
    scheme: &Scheme,
    network: &Network<'_>,
    classes: &[(Class, Vec<usize>)],
    leaves_out: &mut Vec<String>,
) -> Result<(), NoFluidForm> {
    let Scheme::AfQcn(_, af) = scheme else { return Ok(()) };
    let flows = classes.iter().flat_map(|(_, flows)| flows).map(|&flow| &network.spec.flows[flow]);
    if let Some(flow) = flows.clone().find(|flow| flow.max.is_some()) {
        return Err(NoFluidForm::Account { flow: flow.name.clone(), what: "has a bound (`max`)" });
    }
    let mut tenants: Vec<u32> = flows.clone().map(|flow| flow.tenant).collect();
    tenants.sort_unstable();
    if let Some(shared) = tenants.windows(2).find(|pair| pair[0] == pair[1]) {
        let flow = flows.clone().find(|flow| flow.tenant == shared[0]).map(|flow| flow.name.clone());
        return Err(NoFluidForm::Account {
            flow: flow.unwrap_or_default(),
            what: "shares its account with another",
        });
    }
    if af.entries < tenants.len() as u32 {
        leaves_out.push(format!(
            "There are accounts for only {} flows; the model has one for each flow.",
            af.entries
        ));
    }
    let constant = |class: &Class| matches!(class.sending, Sending::Constant(_));
    if classes.iter().any(|(class, _)| constant(class)) {
        leaves_out.push("Background traffic has no account.".to_owned());
    }
    Ok(())
}
