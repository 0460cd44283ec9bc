//! DCQCN's fluid model for the parameters of a scenario.
//!
//! The paper's rules have the equations of the CoNEXT paper, by default with means over the time between cuts; the vendor's
//! rules have our own. Options without a term in these equations are refused, or listed as simplifications.

use setpoint_control::dcqcn::{
    AlphaOrder, CpParams, Marking as At, NpParams, Phases, Reports, RpParams, Rules, TargetUpdate,
};
use setpoint_control::parameter::{Fraction, Percent};
use setpoint_control::{NotificationPointParams, ReactionPointParams, Window};
use setpoint_fluid::Scheme;
use setpoint_fluid::dcqcn::{Cycles, FirstIncrease, MarkedAt, Marking, Params, Red, Vendor};
use setpoint_sim::Spec;
use setpoint_units::{Bytes, TimeDelta};

use super::refusal::NoFluidForm;

/// More bytes than a source sends between two cuts, so that a disabled byte counter never completes a cycle.
const NEVER: Bytes = Bytes::new(1 << 50);

/// The scheme of a scenario under DCQCN.
pub(super) fn scheme(
    (cp, np, rp): (CpParams, NpParams, RpParams),
    leaves_out: &mut Vec<String>,
) -> Result<Scheme, NoFluidForm> {
    let scheme = match rp.rules {
        Rules::Paper => paper(cp, np, rp, leaves_out)?,
        Rules::Vendor => vendor(cp, np, rp, leaves_out)?,
    };
    if rp.window != Window::None {
        return refuse(
            "rp.window",
            rp.window.name(),
            "\"none\": the equations have rates, but no bytes in flight",
        );
    }
    if cp.marking == At::Enqueue {
        return refuse("cp.marking", "enqueue", "\"dequeue\": the delay would depend on the queue");
    }
    let mut note = |condition: bool, sentence: &str| {
        if condition {
            leaves_out.push(sentence.to_owned());
        }
    };
    note(true, "Marks are averages over frames and sources.");
    note(rp.initial_alpha != Fraction::ONE, "α starts at one.");
    note(rp.first_rate != Percent::WHOLE, "The first notification keeps the whole rate.");
    Ok(scheme)
}

fn refuse<T>(key: &'static str, value: &str, instead: &'static str) -> Result<T, NoFluidForm> {
    Err(NoFluidForm::Parameter { key, value: value.to_owned(), model: "dcqcn", instead })
}

fn red(cp: CpParams) -> Red {
    Red { kmin: cp.k_min, kmax: cp.k_max, largest: cp.p_max }
}

fn paper(
    cp: CpParams,
    np: NpParams,
    rp: RpParams,
    leaves_out: &mut Vec<String>,
) -> Result<Scheme, NoFluidForm> {
    if rp.target != TargetUpdate::EveryCut {
        return refuse(
            "rp.target",
            name_of_target(rp.target),
            "\"every-cut\": the equations have no term for targets that several cuts share",
        );
    }
    let cycles = match (np.reports, rp.phases) {
        // A poll that finds a mark cuts the rate, which gives exactly the printed a/τ.
        (Reports::Polled, _) => Cycles::AsPrinted,
        (Reports::Paced, Phases::Paper) => Cycles::Renewal(FirstIncrease::AtThreshold),
        (Reports::Paced, _) => Cycles::Renewal(FirstIncrease::AfterThreshold),
        (Reports::Deferred, _) => return refuse("np.reports", "deferred", "\"paced\" or \"polled\""),
        (Reports::Acknowledged, _) => {
            return refuse("np.reports", "acknowledged", "\"paced\", or use the vendor's rules");
        }
    };
    let mut note = |condition: bool, sentence: &str| {
        if condition {
            leaves_out.push(sentence.to_owned());
        }
    };
    note(true, "There is no hyper increase.");
    note(
        rp.phases == Phases::Ns3Rdma || rp.target_reduction.is_on(),
        "Cycles are never halved, and targets are not reduced.",
    );
    note(rp.alpha_order == AlphaOrder::BeforeCut, "A cut uses the value of α before the notification.");
    Ok(Scheme::Dcqcn(Params {
        marking: Marking::Red(red(cp)),
        marked_at: MarkedAt::Egress,
        notification_interval: np.interval,
        alpha_interval: rp.alpha_interval,
        increase_timer: rp.time_reset,
        byte_counter: if rp.byte_counter.is_on() { rp.byte_reset } else { NEVER },
        recovery_stages: rp.threshold,
        gain: rp.gain,
        active_increase: rp.active_increase,
        min_rate: rp.min_rate,
        cycles,
    }))
}

fn vendor(
    cp: CpParams,
    np: NpParams,
    rp: RpParams,
    leaves_out: &mut Vec<String>,
) -> Result<Scheme, NoFluidForm> {
    if rp.target != TargetUpdate::AfterCycle {
        return refuse(
            "rp.target",
            name_of_target(rp.target),
            "\"after-cycle\": the equations for the vendor's rules assume it",
        );
    }
    let notification_interval = match np.reports {
        Reports::Acknowledged => TimeDelta::ZERO,
        Reports::Paced => np.interval,
        Reports::Deferred => return refuse("np.reports", "deferred", "\"paced\" or \"acknowledged\""),
        Reports::Polled => return refuse("np.reports", "polled", "\"paced\" or \"acknowledged\""),
    };
    leaves_out.push(
        "Every check takes place half of `decrease_interval`, the mean delay, after a mark.".to_owned(),
    );
    Ok(Scheme::DcqcnVendor(Vendor {
        marking: red(cp),
        notification_interval,
        alpha_interval: rp.alpha_interval,
        decrease_interval: rp.decrease_interval,
        increase_timer: rp.time_reset,
        recovery_stages: rp.threshold,
        gain: rp.gain,
        active_increase: rp.active_increase,
        hyper_increase: rp.hyper_increase,
        min_rate: rp.min_rate,
    }))
}

fn name_of_target(target: TargetUpdate) -> &'static str {
    match target {
        TargetUpdate::EveryCut => "every-cut",
        TargetUpdate::AfterByteCycle => "after-byte-cycle",
        TargetUpdate::AfterCycle => "after-cycle",
    }
}

/// The mean time between a mark's arrival and the reaction to it, if sources or receivers look for marks periodically.
pub(super) fn waiting(spec: &Spec) -> TimeDelta {
    match (spec.control.notification_point, spec.control.reaction_point) {
        (NotificationPointParams::Dcqcn(np), ReactionPointParams::Dcqcn(rp)) => {
            match (rp.rules, np.reports) {
                (Rules::Vendor, _) => rp.decrease_interval / 2,
                (Rules::Paper, Reports::Polled) => np.interval / 2,
                (Rules::Paper, _) => TimeDelta::ZERO,
            }
        }
        _ => TimeDelta::ZERO,
    }
}
