//! Every algorithm has a chapter in `docs/algorithms` with a table of parameters generated from the code. The
//! chapters on occupancy sampling and multicast have the same sections and name the rules by their ids.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use setpoint_control::parameter::{Parameter, Range, Unit};
use setpoint_control::{Algorithm, GroupParams, GroupRule, Params, Preset};

const BEGIN: &str = "<!-- parameters: begin -->\n";
const END: &str = "<!-- parameters: end -->\n";

const PRESETS_BEGIN: &str = "<!-- presets: begin -->\n";
const PRESETS_END: &str = "<!-- presets: end -->\n";

const PROFILES_BEGIN: &str = "<!-- profiles: begin -->\n";
const PROFILES_END: &str = "<!-- profiles: end -->\n";

/// Chapters that do not describe a single algorithm: the placement of congestion points, and the reaction of groups.
const AROUND: [&str; 2] = ["occupancy", "multicast"];

fn chapter(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/algorithms");
    folder.join(format!("{name}.md"))
}

fn text_of(name: &str) -> String {
    std::fs::read_to_string(chapter(name))
        .unwrap_or_else(|_| panic!("there is no chapter docs/algorithms/{name}.md"))
}

/// Set `UPDATE_DOCS=1` to regenerate the tables.
#[test]
fn the_tables_of_parameters_and_presets_are_up_to_date() {
    for algorithm in Algorithm::ALL {
        check_part(algorithm.name(), (BEGIN, END), &parameters(algorithm));
    }
    check_part("qcn", (PRESETS_BEGIN, PRESETS_END), &presets());
    for algorithm in Algorithm::ALL.into_iter().filter(|algorithm| !algorithm.profiles().is_empty()) {
        check_part(algorithm.name(), (PROFILES_BEGIN, PROFILES_END), &profiles(algorithm));
    }
}

/// Compares the part of a chapter between two markers with its generated text, or rewrites it.
fn check_part(name: &str, (begin, end): (&str, &str), expected: &str) {
    let text = text_of(name);
    let parts = text.split_once(begin).and_then(|(before, rest)| Some((before, rest.split_once(end)?)));
    let (before, (found, after)) = parts.unwrap_or_else(|| panic!("{name}.md has no {begin:?}"));
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(chapter(name), format!("{before}{begin}{expected}{end}{after}")).unwrap();
    } else {
        assert!(
            found == expected,
            "docs/algorithms/{name}.md is out of date; run UPDATE_DOCS=1 cargo test -p setpoint-control"
        );
    }
}

/// A row per preset, with the QCN parameters that a preset changes.
fn presets() -> String {
    let parameters = Algorithm::Qcn.parameters();
    let differs =
        |key: &str| Preset::ALL.into_iter().any(|preset| preset.changes().any(|change| change.key == key));
    let columns: Vec<_> = parameters.filter(|parameter| differs(parameter.key)).collect();
    let keys: Vec<String> = columns.iter().map(|column| format!("`{}`", column.key)).collect();
    let mut page =
        format!("\n| preset | {} | origin |\n|---{}|---|\n", keys.join(" | "), "|---".repeat(keys.len()));
    for preset in Preset::ALL {
        let params = Params::preset(preset);
        let values: Vec<String> = columns.iter().map(|column| column.read(&params).to_string()).collect();
        let mut origins: Vec<&str> = preset
            .changes()
            .filter(|change| change.key.starts_with("qcn."))
            .map(|change| change.origin)
            .collect();
        origins.dedup();
        let origin = if origins.is_empty() { "the defaults".to_owned() } else { origins.join("; ") };
        let _ = writeln!(page, "| `{}` | {} | {origin} |", preset.name(), values.join(" | "));
    }
    page + "\n"
}

/// A row per profile, with the parameters that it changes at 100 Gb/s.
fn profiles(algorithm: Algorithm) -> String {
    let mut page = String::from("\n| profile | parameters | origin |\n|---|---|---|\n");
    for profile in algorithm.profiles() {
        let params = Params::of(Preset::HundredG, Some(profile));
        let changed = algorithm.parameters().filter(|one| one.read(&params) != one.default_value());
        let changed: Vec<String> =
            changed.map(|one| format!("`{}` {}", one.name(), one.read(&params))).collect();
        let (name, described) = (profile.name, profile.description);
        let changed = if changed.is_empty() { "the defaults".to_owned() } else { changed.join(", ") };
        let _ = writeln!(page, "| `{name}`: {described} | {changed} | {} |", profile.origin);
    }
    page + "\n"
}

#[test]
fn every_chapter_has_the_same_parts() {
    for name in Algorithm::ALL.into_iter().map(Algorithm::name).chain(AROUND) {
        let text = text_of(name);
        let headings: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        for part in ["Model", "Parameters", "Departures from the source", "Validation"] {
            assert!(headings.contains(&part), "{name} has no part {part:?}: {headings:?}");
        }
    }
}

#[test]
fn the_rules_of_groups_are_in_their_chapter() {
    let text = text_of("multicast");
    for rule in GroupRule::CHOICES {
        let row = format!("`{}`: {}", rule.name, rule.description);
        assert!(text.contains(&row), "docs/algorithms/multicast.md does not have {row:?}");
    }
    let memory = format!("| `group_memory` | `{}` |", GroupParams::default().memory);
    assert!(text.contains(&memory), "docs/algorithms/multicast.md does not have {memory:?}");
    let default = format!("| `group_rule` | `{}` |", GroupRule::default().name());
    assert!(text.contains(&default), "docs/algorithms/multicast.md does not have {default:?}");
}

/// A table of the algorithm's own parameters, and the names of the algorithms whose parameters it also uses.
fn parameters(algorithm: Algorithm) -> String {
    let (own, borrowed): (Vec<&'static Parameter>, Vec<&'static Parameter>) =
        algorithm.parameters().partition(|parameter| owner(parameter) == algorithm.name());
    let mut page = String::from("\n");
    if !own.is_empty() {
        page += "| key | default | range or choices | what it does | origin |\n|---|---|---|---|---|\n";
        for parameter in &own {
            let _ = writeln!(page, "| {} |", row(parameter).map(|cell| cell.replace('|', "\\|")).join(" | "));
        }
        page += "\n";
    }
    let others: Vec<String> = lenders(&borrowed).into_iter().map(|lender| lent(lender, &borrowed)).collect();
    match (own.is_empty(), others.is_empty()) {
        (true, true) => page += "There are none.\n\n",
        (false, true) => {}
        (true, false) => page += &format!("It uses those of {}.\n\n", others.join(", and those of ")),
        (false, false) => page += &format!("It also uses those of {}.\n\n", others.join(", and those of ")),
    }
    page
}

fn row(parameter: &Parameter) -> [String; 5] {
    let object = parameter.managed_object.map_or(String::new(), |object| format!(" ({object})"));
    let range = match (parameter.unit, parameter.range) {
        (Unit::Choice(choices), _) => {
            let named = choices.iter().map(|choice| format!("`{}`: {}", choice.name, choice.description));
            named.collect::<Vec<_>>().join("<br>")
        }
        (Unit::Switch, _) => String::from("`on`, `off`"),
        (Unit::RateOrLine, range) => format!("{range}, or `line rate`"),
        (_, range @ Range::Between(..)) => range.to_string(),
        (unit, Range::Any) => unit.to_string(),
    };
    [
        format!("`{}`{object}", parameter.key),
        format!("`{}`", parameter.default_value()),
        range,
        parameter.description.to_owned(),
        parameter.origin.to_owned(),
    ]
}

/// The algorithm that declares a parameter: the first part of its key.
fn owner(parameter: &Parameter) -> &'static str {
    parameter.key.split('.').next().unwrap_or_default()
}

fn lenders(borrowed: &[&'static Parameter]) -> Vec<Algorithm> {
    let lends = |algorithm: &Algorithm| borrowed.iter().any(|parameter| owner(parameter) == algorithm.name());
    let lenders: Vec<Algorithm> = Algorithm::ALL.into_iter().filter(lends).collect();
    let known = |parameter: &Parameter| lenders.iter().any(|lender| owner(parameter) == lender.name());
    assert!(
        borrowed.iter().all(|parameter| known(parameter)),
        "no algorithm owns a parameter in {borrowed:?}"
    );
    lenders
}

/// The part of another algorithm whose parameters are used: the whole algorithm, or one of its points.
fn lent(lender: Algorithm, borrowed: &[&'static Parameter]) -> String {
    let title = format!("[{}]({}.md)", lender.name().to_uppercase(), lender.name());
    let taken = |point: &str| {
        let prefix = format!("{}.{point}.", lender.name());
        borrowed.iter().any(|parameter| parameter.key.starts_with(&prefix))
    };
    match (taken("cp"), taken("rp")) {
        (true, false) => format!("the congestion point of {title}"),
        (false, true) => format!("the reaction point of {title}"),
        _ => title,
    }
}
