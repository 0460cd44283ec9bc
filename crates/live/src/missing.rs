//! Suggestions for the name of a network interface that does not exist.

use setpoint_suggest::did_you_mean;

/// Similar names, or all existing names if none is similar.
pub(crate) fn remedy(name: &str, existing: &[String]) -> String {
    let all = || match existing {
        [] => "this system has no network interfaces".to_owned(),
        names => format!("this system has {}", names.join(", ")),
    };
    did_you_mean(name, existing.iter().map(String::as_str)).unwrap_or_else(all)
}
