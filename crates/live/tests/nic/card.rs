//! The whole path of a request, with a simulated card.

use setpoint_live::nic::{
    Behaviour, Change, Nic, NicError, Outcome, Parameter, Qcn, ScriptedCard, Setting, State, Statistics,
};
use setpoint_wire::{Priority, PrioritySet};

fn card(behaviour: Behaviour) -> Nic<ScriptedCard> {
    let mut qcn = Qcn::default();
    for priority in Priority::ALL {
        qcn.set(priority, Setting::new(Parameter::MaxRate, 40_000));
    }
    Nic::new(ScriptedCard { behaviour, qcn, statistics: None }, "eth0").unwrap()
}

/// Sets the maximum rate of priorities 3 and 4 to 10 001 Mb/s.
fn change(behaviour: Behaviour) -> Result<Outcome, NicError> {
    let settings = vec![Setting::new(Parameter::MaxRate, 10_001)];
    card(behaviour).change(&Change { priorities: PrioritySet(0b0001_1000), settings })
}

#[track_caller]
fn max_rates(state: &State) -> [u32; 8] {
    Priority::ALL.map(|priority| state.qcn.get(priority, Parameter::MaxRate).raw())
}

#[test]
fn statistics_are_optional() {
    assert_eq!(card(Behaviour::Obedient).read().unwrap().statistics, None);
    let statistics = Statistics { created_reaction_points: [5; 8], ..Statistics::default() };
    let card = ScriptedCard { statistics: Some(statistics), ..ScriptedCard::default() };
    assert_eq!(Nic::new(card, "eth0").unwrap().read().unwrap().statistics, Some(statistics));
}

#[test]
fn only_the_named_values_change() {
    let outcome = change(Behaviour::Obedient).unwrap();
    assert!(outcome.deviations.is_empty());
    assert_eq!(max_rates(&outcome.state), [40_000, 40_000, 40_000, 10_001, 10_001, 40_000, 40_000, 40_000]);
}

#[test]
fn deviations_are_reported() {
    let reported = |behaviour| {
        let outcome = change(behaviour).unwrap();
        outcome.deviations.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(
        reported(Behaviour::RoundsRates(100)),
        [3, 4].map(|priority| format!(
            "priority {priority}: the card set max_rate to 10 Gb/s instead of 10001 Mb/s"
        ))
    );
    assert_eq!(
        reported(Behaviour::IgnoresChanges),
        [3, 4].map(|priority| format!(
            "priority {priority}: the card ignored max_rate = 10001 Mb/s; the value is still 40 Gb/s"
        ))
    );
    let disturbed = reported(Behaviour::RoundsRates(30_000));
    assert_eq!(
        disturbed[0],
        "priority 0: max_rate changed from 40 Gb/s to 30 Gb/s although the command does not change it"
    );
    assert_eq!(disturbed.len(), 8);
}

#[test]
fn failures_have_a_cause() {
    let problem = |behaviour| change(behaviour).unwrap_err().to_string();
    assert_eq!(
        problem(Behaviour::NotPermitted),
        "eth0 can be changed only with the capability CAP_NET_ADMIN. Grant it to the program with \
         `sudo setcap cap_net_admin+ep $(command -v setpoint)`, on the host and not in a container"
    );
    assert_eq!(
        problem(Behaviour::RefusesChanges),
        "the driver of eth0 refused the new parameters: Invalid argument (os error 22). It may have changed some of \
         them; `setpoint nic show eth0 --all` shows the current values"
    );
    assert_eq!(
        problem(Behaviour::WithoutQcn),
        "eth0 has no QCN parameters: its driver supports DCB, but reports no QCN for this card. In mainline Linux, \
         only the mlx4 driver (ConnectX-3 and ConnectX-3 Pro) supports QCN"
    );
    assert_eq!(
        problem(Behaviour::WithoutDcb),
        "eth0 has no QCN parameters: its driver does not support DCB. In mainline Linux, only the mlx4 driver \
         (ConnectX-3 and ConnectX-3 Pro) supports QCN"
    );
    assert_eq!(
        problem(Behaviour::KernelWithoutDcb),
        "this kernel was built without DCB (CONFIG_DCB), so it cannot show or set the QCN parameters of any card"
    );
}

#[test]
fn an_unknown_interface_has_a_remedy() {
    let problem = |name| Nic::new(ScriptedCard::default(), name).unwrap_err().to_string();
    assert_eq!(problem("eht0"), "there is no network interface \"eht0\"; did you mean `eth0`?");
    assert_eq!(problem("wlan7"), "there is no network interface \"wlan7\"; this system has lo, eth0, eth1");
}
