//! No input makes the reader panic, hang or exhaust memory.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use setpoint_scenario::{Colour, Override, Scenario, Source, builtin, keys};

/// Reads scenario text as far as possible and prints its problems.
fn exercise(text: &str) {
    let begun = Instant::now();
    match Scenario::load(&Source::new("fuzz.toml", text), &[]) {
        Ok(scenario) => {
            scenario
                .prepare(3)
                .map(drop)
                .unwrap_or_else(|errors| panic!("loaded but not prepared: {errors}"));
            if let Err(errors) = scenario.variants() {
                assert!(!errors.to_string().is_empty());
            }
        }
        Err(errors) => {
            assert!(!errors.problems().is_empty());
            assert!(!errors.render(Colour::On).is_empty());
            assert!(errors.problems().iter().all(|problem| !problem.message().is_empty()));
        }
    }
    assert!(begun.elapsed() < Duration::from_secs(20), "took {:?}", begun.elapsed());
}

/// A value of any kind, sensible or not.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::from("\"1 ms\"")),
        Just(String::from("\"10 Gb/s\"")),
        Just(String::from("\"150 kB\"")),
        Just(String::from("\"1000000 s\"")),
        Just(String::from("\"1 b/s\"")),
        Just(String::from("\"1000 Tb/s\"")),
        Just(String::from("\"1000 GB\"")),
        Just(String::from("\"none\"")),
        Just(String::from("\"h*\"")),
        Just(String::from("true")),
        Just(String::from("{}")),
        Just(String::from("[]")),
        Just(String::from("nan")),
        Just(String::from("1979-05-27")),
        any::<i64>().prop_map(|number| number.to_string()),
        (0..100i64).prop_map(|number| number.to_string()),
        any::<f64>().prop_map(|number| format!("{number:?}")),
        "\\PC{0,12}".prop_map(|text| format!("{text:?}")),
    ]
}

/// Any key of the format, with a value.
fn setting() -> impl Strategy<Value = (String, String)> {
    let keys: Vec<String> = keys().into_iter().map(|key| key.key).collect();
    (proptest::sample::select(keys), value())
}

/// The text of a scenario that ships with Setpoint.
fn valid() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(builtin().iter().map(|builtin| builtin.text).collect::<Vec<_>>())
}

/// The text with part of it replaced.
fn mutated(text: &str, at: prop::sample::Index, length: usize, insert: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let start = at.index(characters.len());
    let end = (start + length).min(characters.len());
    characters[..start].iter().chain(&insert.chars().collect::<Vec<_>>()).chain(&characters[end..]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn any_text(text in any::<String>()) {
        exercise(&text);
    }

    #[test]
    fn text_like_toml(text in "([a-z_.]{1,9}|\\[{1,2}[a-z_.]{1,20}\\]{1,2}|[=\"{}\\[\\],\n #]|[0-9]{1,20}){0,60}") {
        exercise(&text);
    }

    #[test]
    fn a_typing_error(text in valid(), at in any::<prop::sample::Index>(), length in 0usize..30, insert in "\\PC{0,8}") {
        exercise(&mutated(text, at, length, &insert));
    }

    #[test]
    fn a_line_left_out(text in valid(), at in any::<prop::sample::Index>()) {
        let lines: Vec<&str> = text.lines().collect();
        let left_out = at.index(lines.len());
        let kept = lines.iter().enumerate().filter(|(index, _)| *index != left_out);
        exercise(&kept.map(|(_, line)| *line).collect::<Vec<_>>().join("\n"));
    }

    #[test]
    fn keys_with_any_value(settings in prop::collection::vec(setting(), 1..12)) {
        let lines: Vec<String> = settings.iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
        exercise(&lines.concat());
    }

    #[test]
    fn a_builtin_with_any_setting(name in proptest::sample::select(builtin().to_vec()), (key, value) in setting()) {
        let key = key.replace("flows.", "flows.1.").replace("at.", "at.1.");
        if let Ok(setting) = format!("{key}={value}").parse::<Override>() {
            match Scenario::load(&Source::builtin(name.name).unwrap(), &[setting]) {
                Ok(scenario) => drop(scenario.prepare(1).unwrap()),
                Err(errors) => prop_assert!(!errors.to_string().is_empty()),
            }
        }
    }

    #[test]
    fn any_setting(text in any::<String>()) {
        if let Ok(setting) = text.parse::<Override>() {
            let _ = Scenario::load(&Source::builtin("default").unwrap(), &[setting]);
        }
    }
}

fn words(text: &'static str) -> Vec<&'static str> {
    text.split_whitespace().collect()
}

/// Values at the limits of the valid ranges.
const EDGES: &str = "\
    0s 1ps 1ms 1000000s 1b/s 1kb/s 10Gb/s 0B 1B 65535B 150kB 1000GB 0 1 7 65535 1.0001 true false on off \
    2^-20 2^10 0% 90% 100% fixed linear every-frame clause-32 top-bits first-frame last-feedback \
    at-max-rate pfc pause none 100G [0,3] permutation data-mining backlogged cioq inputs random-occupancy \
    pause hot-spots multiple-unicast slowest-path worst-point";

/// Settings that let all flows of the three groups start at once.
const MULTI_LINK: &str = "\
    flows.1.start=0s flows.2.start=0s flows.2.stagger=0s flows.3.start=0s flows.4.start=0s \
    flows.4.stagger=0s flows.5.start=0s flows.6.start=0s flows.6.stagger=0s";

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, ..ProptestConfig::default() })]

    /// Every scenario that passes the checks can run for a while, or stops because a lossless priority lost a frame.
    #[test]
    fn accepted_scenarios_can_run(
        name in proptest::sample::select(builtin().to_vec()),
        settings in prop::collection::vec((proptest::sample::select(keys()), proptest::sample::select(words(EDGES))), 1..6),
    ) {
        let source = Source::builtin(name.name).unwrap();
        let short = ["at=[]", "duration=50us", "measure_from=0s", "sample_interval=5us"];
        let mut accepted: Vec<Override> = short.iter().map(|setting| setting.parse().unwrap()).collect();
        // No flow may start after the end of such a short run.
        let early = match name.name {
            "mixed" => "flows.4.start=0s",
            "league-many" => "flows.1.stagger=0s",
            "rack-fabric" => "flows.5.start=0s",
            "multicast-dumbbell" => "flows.1.start=0s flows.2.start=0s flows.2.stagger=0s",
            "multicast-multi-link" => MULTI_LINK,
            "rack-fabric-640" => "flows.2.start=0s",
            _ => "",
        };
        accepted.extend(words(early).iter().map(|setting| setting.parse::<Override>().unwrap()));
        for (key, value) in settings.iter().filter(|(key, _)| !short.iter().any(|set| set.starts_with(&key.key))) {
            let key = key.key.replace("flows.", "flows.1.").replace("groups.", "groups.1.");
            accepted.extend(format!("{key}={value}").parse::<Override>());
            if Scenario::load(&source, &accepted).is_err() {
                accepted.pop();
            }
        }
        let prepared = Scenario::load(&source, &accepted).and_then(|scenario| scenario.prepare(1)).unwrap();
        if prepared.spec.flows.len() < 2_000 && prepared.spec.flows.iter().all(|flow| flow.frame.get() >= 64) {
            match setpoint_sim::simulate(&prepared.spec, &mut setpoint_sim::Unwatched) {
                Ok(_) | Err(setpoint_sim::SimError::Lost { .. }) => {}
                Err(error) => prop_assert!(false, "{error}"),
            }
        }
    }
}

#[test]
fn hostile_texts() {
    let deep = format!("x = {}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let dotted = format!("{}x = 1", "a.".repeat(100_000));
    let wide = "[[flows]]\nfrom = \"*\"\nto = \"h1\"\n".repeat(20_000);
    let many_errors = "x\n".repeat(200_000);
    let long_line = format!("name = \"{}\nb", "ä".repeat(400_000));
    let keys: String = (0..60_000).map(|number| format!("k{number} = 1\n")).collect();
    let axes: String = (0..5_000).map(|number| format!("\"flows.1.k{number}\" = [1]\n")).collect();
    for text in [
        deep,
        dotted,
        format!("[topology.star]\nstations = 90000\n{wide}"),
        many_errors,
        long_line,
        keys,
        format!("[topology.dumbbell]\nsenders = 1\n[sweep]\n{axes}"),
        String::from("[topology.dumbbell]\nsenders = 4000000000\n"),
        String::from("[topology.rack_fabric]\nracks = 100000\nleaves_per_rack = 100000\nspines = 100000\n"),
        String::from("[topology.leaf_spine]\nleaves = 100000\nspines = 100000\nstations_per_leaf = 100000\n"),
        String::from(
            "[topology.star]\nstations = 99999\n[[flows]]\nfrom = \"*\"\npattern = \"all-to-all\"\n",
        ),
        String::from("\u{feff}name = \"marked\"\r\n[topology.dumbbell]\r\nsenders = 2\r\n"),
        String::from("name = \"\0\u{202e}\u{1b}[31m\"\nwrong = 1\n"),
    ] {
        exercise(&text);
    }
}
