//! Plausibility checks: each detects its case, and built-in scenarios produce only intended warnings.

use std::path::Path;

use setpoint_scenario::{Colour, Scenario, Source, Warning, builtin, checks, checks_reference};
use setpoint_sim::{Unwatched, simulate};

fn load(text: &str) -> Scenario {
    Scenario::load(&Source::new("test.toml", text), &[]).unwrap_or_else(|problems| panic!("{problems}"))
}

fn warnings(scenario: &Scenario) -> Vec<Warning> {
    scenario.prepare(scenario.seed()).unwrap().warnings()
}

fn codes(text: &str) -> Vec<&'static str> {
    warnings(&load(text)).iter().map(|warning| warning.check().code).collect()
}

const STAR: &str = "duration = \"1 ms\"\n[topology.star]\nstations = 4\nrate = \"10 Gb/s\"\n";
const INCAST: &str = "[[flows]]\nfrom = \"h{1..3}\"\nto = \"h4\"\n";

fn star(rest: &str) -> String {
    format!("{STAR}{rest}\n{INCAST}")
}

#[test]
fn a_plain_incast_is_plausible() {
    assert_eq!(codes(&star("")), [""; 0]);
    assert_eq!(codes(&star("[control.qcn]\n[flow_control.pfc]")), [""; 0]);
}

#[test]
fn set_points_above_xoff_are_found() {
    let text = star(
        "[control.qcn.cp]\nset_point = \"70 kB\"\n[flow_control.pfc]\nxoff = \"60 kB\"\nxon = \"40 kB\"",
    );
    assert_eq!(codes(&text), ["set-point-above-xoff"]);
    assert_eq!(codes(&text.replace("70 kB", "60 kB")), [""; 0]);
    // The threshold does not matter for a priority that flow control does not protect.
    assert_eq!(codes(&text.replace("xoff =", "priorities = [5]\nxoff =")), ["pfc-without-flows"]);
}

#[test]
fn targets_within_the_idle_path_are_found() {
    let with = |control: &str, delay: &str| {
        let star = STAR.replace("[topology.star]", &format!("[topology.star]\ndelay = \"{delay}\""));
        format!("{star}{INCAST}[control.{control}]\n[flow_control.pfc]\n")
    };
    // Two links there and two back; four frames or acknowledgements take about 1.8 us.
    for (control, key, target) in [("swift", "base_target", "2"), ("timely", "low", "50")] {
        let found = warnings(&load(&with(control, "20 us")));
        assert_eq!(codes(&with(control, "20 us")), ["target-within-idle-path"], "{control}");
        let text = found[0].render(Colour::Off);
        assert!(text.contains(&format!("round-trip time of {target}")), "{text}");
        assert!(text.contains("take 81.") && text.contains(&format!("raise `{key}`")), "{text}");
        assert_eq!(codes(&with(control, "2 us")), [""; 0]);
        assert_eq!(
            codes(&with(&format!("{control}.rp]\ndelay = \"queueing\"\n[control.{control}.np"), "20 us")),
            [""; 0]
        );
    }
    assert_eq!(codes(&with("qcn", "20 us")), [""; 0]);
}

#[test]
fn priorities_without_flows_are_found() {
    let text = star("[flow_control.pfc]\npriorities = [3, 5, 6]");
    let found = warnings(&load(&text));
    assert_eq!(found[0].check().code, "pfc-without-flows");
    assert_eq!(found[0].message(), "PFC protects priorities 5, 6, which no flow uses; flows use 3");
}

#[test]
fn loads_above_the_capacity_are_found() {
    let constant = |rate: &str| format!("{STAR}{INCAST}traffic = {{ constant = {{ rate = \"{rate}\" }} }}\n");
    let found = warnings(&load(&constant("8 Gb/s")));
    assert_eq!(found[0].check().code, "offered-above-capacity");
    assert_eq!(
        found[0].message(),
        "from 0 s on, flows offer 24 Gb/s to bridge→h4, which sends at most 10 Gb/s"
    );
    assert_eq!(codes(&constant("3 Gb/s")), [""; 0]);
    let on_off = "traffic = { on_off = { burst = \"20 kB\", rate = \"5 Gb/s\" } }\n";
    assert_eq!(codes(&format!("{STAR}{INCAST}{on_off}")), ["offered-above-capacity"]);
    let poisson = "traffic = { poisson = { rate = \"4 Gb/s\", sizes = \"web-search\" } }\n";
    assert_eq!(codes(&format!("{STAR}{INCAST}{poisson}")), ["offered-above-capacity"]);
    // Flows that run one after another do not exceed the link capacity.
    let turn = |start: &str, stop: &str| {
        format!(
            "[[flows]]\nfrom = \"h1\"\nto = \"h4\"\nstart = \"{start}\"\nstop = \"{stop}\"\ntraffic = {{ constant = {{ rate = \"9 Gb/s\" }} }}\n"
        )
    };
    assert_eq!(codes(&format!("{STAR}{}{}", turn("0 us", "300 us"), turn("300 us", "600 us"))), [""; 0]);
    assert_eq!(
        codes(&format!("{STAR}{}{}", turn("0 us", "300 us"), turn("200 us", "600 us"))),
        ["offered-above-capacity"]
    );
}

#[test]
fn presets_for_other_speeds_are_found() {
    assert_eq!(codes(&star("[control.qcn]\npreset = \"100G\"")), ["preset-mismatch"]);
    assert_eq!(codes(&star("[control.qcn]\npreset = \"10G\"")), [""; 0]);
    let fast = star("[control.qcn]").replace("10 Gb/s", "100 Gb/s");
    assert_eq!(codes(&fast), ["preset-mismatch"]);
}

#[test]
fn the_advice_names_the_preset_of_the_speed() {
    for speed in ["25", "50", "200", "400", "800"] {
        let text = star("[control.qcn]").replace("10 Gb/s", &format!("{speed} Gb/s"));
        let found = warnings(&load(&text));
        let shown = found[0].render(Colour::Off);
        assert!(shown.contains(&format!("write `preset = \"{speed}G\"`")), "{shown}");
        let chosen = text.replace("[control.qcn]", &format!("[control.qcn]\npreset = \"{speed}G\""));
        assert_eq!(codes(&chosen), [""; 0]);
    }
}

#[test]
fn times_after_the_end_are_found() {
    let text = format!(
        "{STAR}{INCAST}start = \"900 us\"\nstagger = \"50 us\"\n\
         [[at]]\ntime = \"1 ms\"\nflow = \"f1\"\nweight = 2\n[[at]]\ntime = \"3 ms\"\nflow = \"f2\"\nweight = 2\n"
    );
    let scenario = load(&text);
    let found = warnings(&scenario);
    assert_eq!(found[0].check().code, "after-the-end");
    assert_eq!(found[0].message(), "1 flow and 2 changes do not take place, because the run ends at 1 ms");
    let prepared = scenario.prepare(1).unwrap();
    assert_eq!((prepared.spec.changes.len(), prepared.event_labels.len()), (0, 0));
    let outcome = simulate(&prepared.spec, &mut Unwatched).unwrap();
    assert_eq!(outcome.flows[2].sent_frames, 0);
    assert_eq!(codes(&text.replace("duration = \"1 ms\"", "duration = \"5 ms\"")), [""; 0]);
}

#[test]
fn feedback_that_cannot_saturate_is_found() {
    let text = |set_point: &str| {
        star(&format!("[network]\nbuffer = \"150 kB\"\n[control.qcn.cp]\nset_point = \"{set_point}\""))
    };
    assert_eq!(codes(&text("104 kB")), ["feedback-cannot-saturate"]);
    assert_eq!(codes(&text("75 kB")), [""; 0]);
}

#[test]
fn small_headroom_is_found() {
    let text = star("[flow_control.pfc]\nheadroom = \"1 kB\"");
    let found = warnings(&load(&text));
    assert_eq!(found[0].check().code, "headroom-too-small");
    let message = "a headroom of 1 kB is too small for h{1..3}→bridge: up to ";
    assert!(found[0].message().starts_with(message), "{}", found[0].message());
}

#[test]
fn weights_without_competition_are_found() {
    let text = star("[scheduling.ets]\npriority_0 = 40\npriority_3 = 60");
    let found = warnings(&load(&text));
    assert_eq!(found[0].check().code, "ets-without-effect");
    assert_eq!(found[0].message(), "flows use priority 3, and only 3 has a weight");
    let unused = warnings(&load(&text.replace("priority_3", "priority_2")));
    assert_eq!(unused[0].message(), "flows use priority 3, and none of them has a weight");
    let competing = format!("{text}\n[[flows]]\nfrom = \"h1\"\nto = \"h2\"\npriority = 0\n");
    assert_eq!(codes(&competing), [""; 0]);
}

#[test]
fn a_buffer_that_limits_nothing_is_found() {
    let text = star("[network]\nbuffer = \"10 kB\"\n[flow_control.pfc]");
    let found = warnings(&load(&text));
    assert_eq!(found[0].check().code, "buffer-without-effect");
    assert_eq!(
        found[0].message(),
        "`network.buffer` (10 kB) limits no flow: all flows are under flow control"
    );
    assert_eq!(codes(&text.replace("pfc", "pause")), ["buffer-without-effect"]);
    // The buffer limits frames without flow control, frames of other priorities, and outputs of bridges with input
    // buffers.
    assert_eq!(codes(&text.replace("[flow_control.pfc]", "")), [""; 0]);
    let mixed = format!("{text}[[flows]]\nfrom = \"h1\"\nto = \"h2\"\npriority = 1\n");
    assert_eq!(codes(&mixed), [""; 0]);
    assert_eq!(codes(&format!("bridge = \"cioq\"\n{text}")), [""; 0]);
    // There is no warning about the default, which the user did not choose.
    assert_eq!(codes(&text.replace("buffer = \"10 kB\"", "")), [""; 0]);
}

#[test]
fn a_shared_buffer_replaces_the_buffers_of_outputs() {
    let text = star("[network]\nbuffer = \"10 kB\"\n[bridge.shared_buffer]");
    let found = warnings(&load(&text));
    assert_eq!(found[0].check().code, "buffer-without-effect");
    assert_eq!(
        found[0].message(),
        "`network.buffer` (10 kB) limits no flow: all ports of a bridge share one buffer"
    );
}

#[test]
fn an_oversubscribed_headroom_pool_is_found() {
    let text = star("[flow_control.pfc]\n[bridge.shared_buffer]\nheadroom_pool = \"10 kB\"");
    let found = warnings(&load(&text));
    assert_eq!(found[0].check().code, "headroom-pool-oversubscribed");
    assert!(
        found[0]
            .message()
            .starts_with("the headroom pool of `bridge` (10 kB) is too small for the worst case by "),
        "{}",
        found[0].message()
    );
    assert_eq!(codes(&text.replace("10 kB", "1 MB")), [""; 0]);
    assert_eq!(codes(&text.replace("\"10 kB\"", "\"auto\"")), [""; 0]);
}

/// A bridge with 100 Gb/s ports and cables of 100 m, with the largest delays of IEEE 802.3.
const SIZED: &str = include_str!("../cases/sized-buffer.toml");

#[test]
fn the_sum_over_the_inputs_is_compared_with_the_memory() {
    assert_eq!(codes(SIZED), [""; 0]);
    let found = warnings(&load(&SIZED.replace("2 MB", "600 kB")));
    assert_eq!(found[0].check().code, "reserved-above-buffer");
    assert_eq!(
        found[0].message(),
        "the inputs of `bridge` reserve 702 kB, more than the 600 kB of the bridge: 2 links × (110 kB `xoff` + 65.4 kB \
         headroom) + 1 link × 2 priorities × (110 kB `xoff` + 65.4 kB headroom)"
    );
}

#[test]
fn headroom_for_ideal_networks_is_found() {
    let text = star("[flow_control.pfc]\nheadroom = \"20 kB\"");
    let found = warnings(&load(&text));
    assert_eq!(found[0].check().code, "ideal-headroom");
    assert_eq!(
        found[0].message(),
        "the headroom is that of an ideal network: senders obey a pause at once, MAC and PHY have no delay, frames have no \
         preamble and gap, frames are 1 kB long, the default"
    );
    let without = SIZED.replace(", response_time = \"802.3\"", "");
    assert_eq!(codes(&without), ["ideal-headroom"]);
}

/// The reverse link of h1 carries frames that take longer than the longest pause.
const SLOW_BACK: &str = include_str!("../cases/auto-headroom.toml");

#[test]
fn pauses_that_lapse_are_found() {
    let scenario = load(SLOW_BACK);
    let found = warnings(&scenario);
    assert_eq!(found.iter().map(|found| found.check().code).collect::<Vec<_>>(), ["pause-lapses"]);
    assert!(found[0].render(Colour::Off).contains("a pause cannot be longer"));
}

#[test]
fn the_suggested_quanta_suffice() {
    let text = |quanta: u32| {
        let reverse = "[[flows]]\nfrom = \"h4\"\nto = \"h1\"\n";
        format!("{}{reverse}", star(&format!("[flow_control.pfc]\nquanta = {quanta}")))
    };
    let found = warnings(&load(&text(10)));
    assert_eq!(found[0].check().code, "pause-lapses");
    let shown = found[0].render(Colour::Off);
    let least = shown.split("`quanta = ").nth(1).and_then(|rest| rest.split('`').next()).unwrap();
    let least: u32 = least.parse().unwrap();
    assert_eq!(codes(&text(least)), [""; 0]);
    assert_eq!(codes(&text(least - 1)), ["pause-lapses"]);
    for quanta in [1, 2, 10, least] {
        simulate(&load(&text(quanta)).prepare(1).unwrap().spec, &mut Unwatched).unwrap();
    }
}

#[test]
fn an_input_buffer_that_is_too_small_is_refused_at_its_key() {
    let small = include_str!("../cases/cioq-room.toml").replace("5 us", "50 us");
    let problems = Scenario::load(&Source::new("test.toml", &*small), &[]).unwrap_err().to_string();
    assert!(problems.contains("do not fit into an input buffer of 150 kB"), "{problems}");
    assert!(problems.contains("test.toml:2:"), "{problems}");
    let needed = problems.split("`bridge.cioq.input_buffer` at least ").nth(1).unwrap();
    let needed = needed.split(';').next().unwrap();
    let enough = small.replace("bridge = \"cioq\"", "")
        + &format!("[bridge.cioq]\ninput_buffer = \"{needed}\"\nunit = \"1 B\"\n");
    simulate(&load(&enough).prepare(1).unwrap().spec, &mut Unwatched).unwrap();
}

#[test]
fn warnings_can_be_silenced() {
    let text = star("[flow_control.pfc]\npriorities = [3, 5]");
    assert_eq!(codes(&text), ["pfc-without-flows"]);
    assert_eq!(codes(&format!("allow_warnings = [\"pfc-without-flows\"]\n{text}")), [""; 0]);
    let misspelt = format!("allow_warnings = [\"pfc-without-flow\"]\n{text}");
    let problems = Scenario::load(&Source::new("test.toml", &*misspelt), &[]).unwrap_err().to_string();
    assert!(problems.contains("pfc-without-flows"), "{problems}");
}

/// Checks all variants of their sweeps.
#[test]
fn built_in_scenarios_have_only_intended_warnings() {
    let mut found = Vec::new();
    for builtin in builtin() {
        let scenario = Scenario::load(&Source::builtin(builtin.name).unwrap(), &[]).unwrap();
        for variant in scenario.variants().unwrap() {
            found.extend(warnings(&variant.scenario).iter().map(|found| (builtin.name, found.check().code)));
        }
    }
    found.dedup();
    assert_eq!(found, [("pfc-deadlock", "routes-can-deadlock")]);
}

#[test]
fn codes_are_sorted_and_unique() {
    let codes: Vec<&str> = checks().iter().map(|check| check.code).collect();
    assert!(codes.windows(2).all(|pair| pair[0] < pair[1]), "{codes:?}");
}

/// Set `UPDATE_DOCS=1` to regenerate the page.
#[test]
fn the_page_of_checks_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/checks.md");
    let expected = checks_reference();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == expected,
        "docs/checks.md is out of date; run UPDATE_DOCS=1 cargo test -p setpoint-scenario"
    );
}

#[test]
fn failures_that_cut_flows_off_are_found() {
    let dumbbell = "duration = \"9 ms\"\n[topology.dumbbell]\nsenders = 2\nrate = \"10 Gb/s\"\n[[flows]]\nfrom = \"s*\"\nto = \"r*\"\npattern = \"pairs\"\n";
    let fails = "[[at]]\ntime = \"2 ms\"\nlink = \"left->right\"\nfail = true\n";
    let found = warnings(&load(&format!("{dumbbell}{fails}")));
    assert_eq!(found[0].check().code, "link-failure-cuts-off");
    assert_eq!(found[0].message(), "2 flows have no path without failed links from 3 ms on: f{1..2}");
    // The link recovers before routes change.
    let recovers = "[[at]]\ntime = \"2 ms\"\nlink = \"left->right\"\nrecover = true\n";
    assert_eq!(codes(&format!("{dumbbell}{fails}{recovers}")), [""; 0]);
    let leaf_spine = "duration = \"9 ms\"\n[topology.leaf_spine]\nleaves = 2\nspines = 2\nstations_per_leaf = 1\nrate = \"10 Gb/s\"\n[[flows]]\nfrom = \"h1\"\nto = \"h2\"\n";
    assert_eq!(codes(&format!("{leaf_spine}{}", fails.replace("left->right", "leaf1->spine2"))), [""; 0]);
}
