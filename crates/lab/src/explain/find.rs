//! Looks up names.

use setpoint_control::{Algorithm, Preset, parameters};
use setpoint_record::catalogue;
use setpoint_scenario::{builtin, checks, glossary, keys};
use setpoint_suggest::did_you_mean;

use super::entry::Entry;

/// The result of looking up a name.
#[derive(Debug)]
pub(super) enum Found {
    One(Entry),
    Several(Vec<Entry>),
    /// No match, with a suggestion.
    None(String),
}

/// Everything that can be explained. Parameters are also keys but are explained as parameters, including those
/// below `at.rp`.
pub(super) fn entries() -> Vec<Entry> {
    let algorithms = Algorithm::ALL.into_iter().map(Entry::Algorithm);
    let parameters = parameters().map(Entry::Parameter);
    let presets = Preset::ALL.into_iter().map(Entry::Preset);
    let scenarios = builtin().iter().map(Entry::Scenario);
    let checks = checks().iter().map(|check| Entry::Check(check));
    let terms = glossary::terms().map(Entry::Term);
    let metrics = catalogue::all().map(Entry::Metric);
    let names: Vec<String> = parameters.clone().flat_map(|entry| entry.names().collect::<Vec<_>>()).collect();
    let is_parameter = |key: &str| names.iter().any(|name| name == key) || key.starts_with("at.rp.");
    let keys = keys().into_iter().filter(|key| !is_parameter(&key.key)).map(Entry::Key);
    algorithms
        .chain(parameters)
        .chain(presets)
        .chain(scenarios)
        .chain(keys)
        .chain(checks)
        .chain(terms)
        .chain(metrics)
        .collect()
}

/// Looks up a name: first as a full name, then as a managed object, then as the end of a longer name.
pub(super) fn find(name: &str) -> Found {
    let wanted = name.trim().trim_matches(['[', ']']).to_lowercase();
    let wanted = wanted.strip_prefix("at.rp.").map_or(wanted.clone(), |rest| format!("rp.{rest}"));
    let entries = entries();
    let ways: [fn(&Entry, &str) -> bool; 3] = [
        |entry, wanted| entry.names().any(|name| name.to_lowercase() == wanted),
        |entry, wanted| entry.managed_object().is_some_and(|object| object.to_lowercase() == wanted),
        |entry, wanted| entry.names().any(|name| name.to_lowercase().ends_with(&format!(".{wanted}"))),
    ];
    for way in ways {
        let matching: Vec<Entry> = entries.iter().filter(|entry| way(entry, &wanted)).cloned().collect();
        match matching.len() {
            0 => {}
            1 => return Found::One(matching.into_iter().next().expect("there is one")),
            _ => return Found::Several(matching),
        }
    }
    Found::None(remedy(&wanted, &entries))
}

fn remedy(wanted: &str, entries: &[Entry]) -> String {
    let names: Vec<String> = entries.iter().flat_map(candidates).collect();
    let close = did_you_mean(wanted, names.iter().map(String::as_str));
    close.unwrap_or_else(|| "`setpoint list` shows all names".to_owned())
}

/// All names that an entry can be found by.
fn candidates(entry: &Entry) -> Vec<String> {
    let names: Vec<String> = entry.names().collect();
    let ends = names.iter().filter_map(|name| Some(name.rsplit_once('.')?.1.to_owned()));
    let object = entry.managed_object().map(str::to_owned);
    names.iter().cloned().chain(ends).chain(object).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(name: &str) -> String {
        match find(name) {
            Found::One(entry) => entry.name(),
            other => panic!("{name}: {other:?}"),
        }
    }

    #[test]
    fn a_parameter_has_many_names() {
        for name in ["qcn.cp.set_point", "control.qcn.cp.set_point", "cpqsp", "QCN.CP.Set_Point"] {
            assert_eq!(one(name), "qcn.cp.set_point");
        }
        assert_eq!(one("control.af-qcn.cp.set_point"), "qcn.cp.set_point", "AF-QCN borrows it");
        assert!(
            matches!(find("set_point"), Found::Several(entries) if entries.len() > 1),
            "several have one"
        );
        assert_eq!(one("at.rp.min_decrease_factor"), "qcn.rp.min_decrease_factor");
    }

    #[test]
    fn everything_is_found_by_its_own_name() {
        for entry in entries() {
            match find(&entry.name()) {
                Found::One(found) => assert_eq!(found.name(), entry.name()),
                Found::Several(found) => assert!(found.iter().any(|other| other.name() == entry.name())),
                Found::None(remedy) => panic!("{}: {remedy}", entry.name()),
            }
        }
    }

    #[test]
    fn every_name_of_a_term_leads_to_it() {
        for term in glossary::terms() {
            for name in term.names() {
                let found = match find(name) {
                    Found::One(entry) => vec![entry],
                    Found::Several(entries) => entries,
                    Found::None(remedy) => panic!("{name}: {remedy}"),
                };
                assert!(found.iter().any(|entry| entry.name() == term.name), "{name}: {found:?}");
            }
        }
    }

    #[test]
    fn what_is_near_is_suggested() {
        let remedy = |name: &str| match find(name) {
            Found::None(remedy) => remedy,
            other => panic!("{name}: {other:?}"),
        };
        assert_eq!(remedy("set_pint"), "did you mean `set_point`?");
        assert_eq!(remedy("qnc"), "did you mean `qcn`?");
        assert_eq!(remedy("xyzzy"), "`setpoint list` shows all names");
    }
}
