//! The parts of the theory that apply to a scenario, for the buttons of the page.

use serde_json::{Value, json};
use setpoint_lab::theory::{TheoryError, form};
use setpoint_scenario::Prepared;

/// For each part, the reason why it does not apply; null if it applies.
pub(crate) fn reasons(prepared: &Prepared) -> Value {
    match form(prepared) {
        Ok(form) => json!({
            "fluid": reason(form.check_fluid()),
            "phase": reason(form.check_plane()),
            "stability": reason(form.check_loop()),
        }),
        Err(error) => {
            let reason = sentence(&error.into());
            json!({ "fluid": reason, "phase": reason, "stability": reason })
        }
    }
}

fn reason(found: Result<(), TheoryError>) -> Option<String> {
    found.err().map(|error| sentence(&error))
}

/// The reason why a theory does not apply to a scenario, and what to change.
pub(crate) fn sentence(error: &TheoryError) -> String {
    let remedy = error.remedy().map(|remedy| format!("; {remedy}")).unwrap_or_default();
    format!("{error}{remedy}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use setpoint_lab::session::Request;
    use setpoint_scenario::Source;

    fn of(scenario: &str, settings: &[&str]) -> Value {
        let request = Request::new(Source::builtin(scenario).unwrap(), settings, None).unwrap();
        reasons(&request.prepare().unwrap().1)
    }

    #[test]
    fn qcn_at_one_queue_has_all_parts() {
        assert_eq!(of("qcn-loop", &[]), json!({ "fluid": null, "phase": null, "stability": null }));
    }

    #[test]
    fn a_switched_law_has_no_linearisation() {
        let found = of("qcn-loop", &["control=smcc"]);
        assert!(found["fluid"].is_null() && found["phase"].is_null(), "{found}");
        assert!(found["stability"].as_str().unwrap().contains("setpoint phase"), "{found}");
    }

    #[test]
    fn several_congested_ports_have_no_theory() {
        let found = of("fat-tree", &[]);
        assert!(found["fluid"].is_string() && found["fluid"] == found["stability"], "{found}");
    }
}
