//! `nic`, without a card that supports QCN. Unit tests run it with a simulated card.

use crate::support::Place;

#[test]
fn wrong_values_have_a_remedy() {
    let place = Place::new();
    let values = [
        "time_reset",
        "time_reset=15",
        "time_reset=1.5us",
        "time_rest=15ms",
        "rpgAiRate=2.5Mb/s",
        "min_decrease_factor=120%",
        "gain=1/100",
        "min_rate=5Mb/s",
        "defence_state=inside",
    ];
    let mut messages = String::new();
    for value in values {
        let ended = place.setpoint(&["nic", "set", "lo", "--priority", "3", value]);
        messages += &format!("{value}\n{}\n", ended.complained(2));
    }
    insta::assert_snapshot!(messages);
}

#[test]
fn wrong_priorities_have_a_remedy() {
    let place = Place::new();
    let ended = place.setpoint(&["nic", "set", "lo", "--priority", "3,8", "enable=on"]);
    insta::assert_snapshot!(ended.complained(2));
}

#[cfg(target_os = "linux")]
#[test]
fn an_interface_must_exist() {
    let place = Place::new();
    let ended = place.setpoint(&["nic", "show", "no-such-if"]);
    assert!(ended.complained(2).starts_with("error: there is no network interface \"no-such-if\"; "));
}

#[cfg(not(target_os = "linux"))]
#[test]
fn other_systems_are_told_that_linux_is_needed() {
    let place = Place::new();
    let ended = place.setpoint(&["nic", "show", "eth0"]);
    assert_eq!(ended.complained(1), "error: parameters of network cards can be read and set only on Linux\n");
}
