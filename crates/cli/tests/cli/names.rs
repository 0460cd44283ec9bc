//! Misspelt and misplaced names: messages and suggestions.

use crate::support::Place;

#[test]
fn misspelt_names_get_a_suggestion() {
    let place = Place::new();
    for (arguments, suggested) in [
        (&["run", "leafspine"][..], "did you mean `leaf-spine-web-search`?"),
        (&["check", "web_search"], "did you mean `leaf-spine-web-search`?"),
        (&["sweep", "qcn-sender"], "did you mean `qcn-senders`?"),
        (&["new", "mine.toml", "--from", "rackfabric"], "did you mean `rack-fabric`?"),
        (&["league", "incst"], "did you mean `incast`?"),
        (&["reproduce", "af-qcn/fig8"], "did you mean `af-qcn/fig08`?"),
        (&["reproduce", "fig19"], "did you mean `smcc/fig19` or `conext16/fig19`?"),
        (&["bench", "bench-dumbell-10"], "did you mean `bench-dumbbell-10`?"),
        (&["vectors", "qnc"], "unknown algorithm \"qnc\"; did you mean `qcn`?"),
        (&["vectors", "qcn", "--preset", "100g"], "did you mean `100G`?"),
        (&["step", "qcn", "--set", "cp.setpoint=1kB"], "set_point"),
        (&["explain", "congestion-tree"], "did you mean `congestion tree`?"),
        (&["check", "default", "--set", "control=fqn"], "did you mean `fqcn`?"),
        (&["check", "default", "--set", "control.qcn.preset=40g"], "did you mean `40G`?"),
        (
            &["check", "default", "--set", "control.qcn.cp.setpoint=1kB"],
            "did you mean `control.qcn.cp.set_point`?",
        ),
    ] {
        let ended = place.setpoint(arguments);
        assert!(ended.complained(2).contains(suggested), "{arguments:?}: {}", ended.stderr);
    }
}

/// A key of another algorithm does not change the algorithm, whatever the order of the settings.
#[test]
fn a_key_of_another_algorithm_is_refused() {
    let place = Place::new();
    let (choice, key) = ("control=smcc", "control.qcn.cp.set_point=20kB");
    for (first, second) in [(choice, key), (key, choice)] {
        let ended = place.setpoint(&["run", "league-few", "--set", first, "--set", second]);
        let said = ended.complained(2);
        assert!(said.contains("is a key of qcn, but the control of this scenario is smcc"), "{said}");
        assert!(said.contains("`control.smcc.cp.set_point` is the same key of smcc"), "{said}");
    }
    assert!(!place.path("results").exists());
}

#[test]
fn a_sweep_without_axes_is_refused() {
    let place = Place::new();
    place.write("plain.toml", "duration = \"1 ms\"\n[topology.dumbbell]\nsenders = 2\n");
    let ended = place.setpoint(&["sweep", "plain.toml"]);
    let said = ended.complained(2);
    assert!(
        said.contains("plain.toml has nothing to sweep") && said.contains("setpoint run plain.toml"),
        "{said}"
    );
    assert!(!place.path("results").exists());
    let set = ["--set", "topology.dumbbell.senders=4", "--set", "topology.dumbbell.access_rate=10Gb/s"];
    let ended = place.setpoint(&[&["sweep", "qcn-senders"][..], &set].concat());
    assert!(ended.complained(2).contains("nothing to sweep"), "{}", ended.stderr);
    // Several seeds of one variant count as a run.
    let ended = place.setpoint(&["run", "plain.toml", "--seeds", "2", "--no-report"]);
    assert!(ended.printed().contains("throughput"), "{}", ended.stdout);
}

#[test]
fn vectors_of_a_preset_have_its_line_rate() {
    let place = Place::new();
    let rate = |options: &[&str]| {
        let ended =
            place.setpoint(&[&["vectors", "qcn", "--point", "rp", "--steps", "1"][..], options].concat());
        let first: serde_json::Value = serde_json::from_str(ended.printed().lines().next().unwrap()).unwrap();
        first["input"]["start"]["line_rate_bps"].clone()
    };
    assert_eq!(rate(&[]), 10_000_000_000u64);
    assert_eq!(rate(&["--preset", "100G"]), 100_000_000_000u64);
    assert_eq!(rate(&["--preset", "100G", "--line-rate", "25 Gb/s"]), 25_000_000_000u64);
}
