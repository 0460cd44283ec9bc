//! The command that runs a scenario of the page natively.

use setpoint_lab::session::Request;
use setpoint_report::shell_word;
use setpoint_scenario::{Prepared, Source, builtin};
use setpoint_units::Bytes;
use toml::{Table, Value};

use crate::scenario::Scenario;

/// The command with the memory that the run may need. A text that settings of a built-in scenario can express needs no file;
/// any other text is first saved under the name that the page proposes.
pub(crate) fn native(scenario: &Scenario, prepared: &Prepared, memory: Bytes) -> String {
    let found = expressed(scenario, prepared);
    let saved = format!("{}.toml", prepared.name);
    let (advice, target, written) = match &found {
        Some((name, settings)) => ("", *name, &settings[..]),
        None => ("save the scenario with TOML, and ", saved.as_str(), &[][..]),
    };
    let mut command = format!("setpoint run {}", shell_word(target));
    for setting in written.iter().chain(&scenario.settings) {
        command += &format!(" --set {}", shell_word(setting));
    }
    if let Some(seed) = scenario.seed {
        command += &format!(" --seed {seed}");
    }
    let memory = memory.to_string().replace(' ', "");
    format!("{advice}`{command} --memory {memory}` runs it outside the browser")
}

/// The built-in scenario and the settings that give the same text; `None` if there are none.
fn expressed(scenario: &Scenario, prepared: &Prepared) -> Option<(&'static str, Vec<String>)> {
    let after: Table = scenario.text.parse().ok()?;
    builtin().iter().find_map(|builtin| {
        let before: Table = builtin.text.parse().ok()?;
        if before.get("name") != after.get("name") {
            return None;
        }
        let mut settings = Vec::new();
        let is_expressed = changes(&before, &after, "", &mut settings)
            && is_same(builtin.name, settings.iter().chain(&scenario.settings), scenario.seed, prepared);
        is_expressed.then_some((builtin.name, settings))
    })
}

/// The settings that change one table into another; false if a key is missing, which no setting can express.
fn changes(before: &Table, after: &Table, path: &str, settings: &mut Vec<String>) -> bool {
    before.keys().all(|key| after.contains_key(key))
        && after.iter().all(|(key, value)| change(before.get(key), value, &format!("{path}{key}"), settings))
}

fn change(before: Option<&Value>, after: &Value, path: &str, settings: &mut Vec<String>) -> bool {
    match (before, after) {
        (Some(before), after) if before == after => true,
        (Some(Value::Table(before)), Value::Table(after)) => {
            changes(before, after, &format!("{path}."), settings)
        }
        (None, Value::Table(after)) => changes(&Table::new(), after, &format!("{path}."), settings),
        (Some(Value::Array(before)), Value::Array(after))
            if before.len() == after.len() && after.iter().all(Value::is_table) =>
        {
            let mut pairs = before.iter().zip(after).enumerate();
            pairs.all(|(index, (one, other))| {
                change(Some(one), other, &format!("{path}.{}", index + 1), settings)
            })
        }
        (_, value) => {
            settings.push(format!("{path}={}", plain(value)));
            true
        }
    }
}

/// A value without the quotes that a setting does not need.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) if format!("x = {text}").parse::<Table>().is_err() => text.clone(),
        value => value.to_string(),
    }
}

/// Whether the built-in scenario with these settings is the scenario on the page.
fn is_same<'a>(
    name: &str,
    settings: impl Iterator<Item = &'a String>,
    seed: Option<u64>,
    prepared: &Prepared,
) -> bool {
    let found = Source::builtin(name).and_then(|source| Request::new(source, settings, seed)?.prepare());
    found.is_ok_and(|(_, found)| {
        found.parameters == prepared.parameters && found.spec.flows == prepared.spec.flows
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(text: &str, settings: &[&str]) -> String {
        let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
        let request = Request::new(Source::new("scenario.toml", text), &settings, None).unwrap();
        let scenario = Scenario { text: text.to_owned(), settings, seed: None };
        native(&scenario, &request.prepare().unwrap().1, Bytes::new(3_000_000_000))
    }

    fn text_of(name: &str) -> &'static str {
        builtin().iter().find(|builtin| builtin.name == name).unwrap().text
    }

    #[test]
    fn a_built_in_scenario_needs_no_file() {
        let text = text_of("default");
        let right = "`setpoint run default --memory 3GB` runs it outside the browser";
        assert_eq!(command(text, &[]), right);
        let more =
            text.replace("duration = \"4 s\"", "duration = \"40 s\"").replace("senders = 10", "senders = 11");
        let right = "`setpoint run default --set 'duration=40 s' --set topology.dumbbell.senders=11 --set seed=7 \
                     --memory 3GB` runs it outside the browser";
        assert_eq!(command(&more, &["seed=7"]), right);
    }

    #[test]
    fn settings_reach_entries_of_lists_and_replace_tables() {
        let text = text_of("default").replacen("time = \"1500 ms\"", "time = \"1 s\"", 1);
        assert!(
            command(&text, &[]).starts_with("`setpoint run default --set 'at.1.time=1 s' --memory"),
            "{text}"
        );
        let text = text_of("pfc-deadlock").to_owned() + "[control.qcn]\nrp.gain = \"2^-6\"\n";
        let right = "`setpoint run pfc-deadlock --set 'control.qcn.rp.gain=2^-6' --memory";
        assert!(command(&text, &[]).starts_with(right), "{}", command(&text, &[]));
    }

    #[test]
    fn any_other_text_needs_a_file() {
        let text = text_of("league-few").replace("league-few", "my own");
        let right = "save the scenario with TOML, and `setpoint run 'my own.toml' --memory 3GB` runs it outside the browser";
        assert_eq!(command(&text, &[]), right);
        let shorter = text_of("default").replace("measure_from", "# measure_from");
        assert!(command(&shorter, &[]).starts_with("save the scenario"), "{}", command(&shorter, &[]));
    }
}
