//! Links without ARP.

use std::process::Command;

use setpoint_live::sys::Silence;

use crate::namespace::{create_link, in_namespace, ip};

/// The flags of `end-a` that concern ARP.
fn flags() -> Vec<&'static str> {
    let output = Command::new("ip").args(["link", "show", "end-a"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    ["NOARP", "NOTRAILERS"].into_iter().filter(|flag| text.contains(flag)).collect()
}

#[test]
fn a_link_answers_again_after_a_station_that_was_killed() {
    in_namespace(|| {
        create_link();
        // A killed program restores nothing.
        std::mem::forget(Silence::on("end-a").unwrap());
        assert_eq!(flags(), ["NOARP", "NOTRAILERS"]);
        let next = Silence::on("end-a").unwrap();
        assert_eq!(flags(), ["NOARP", "NOTRAILERS"]);
        drop(next);
        assert!(flags().is_empty(), "{:?}", flags());
    });
}

#[test]
fn a_link_that_its_owner_has_silenced_stays_silent() {
    in_namespace(|| {
        create_link();
        ip("link set end-a arp off");
        drop(Silence::on("end-a").unwrap());
        assert_eq!(flags(), ["NOARP"]);
    });
}
