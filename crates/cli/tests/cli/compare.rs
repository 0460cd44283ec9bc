//! `compare`.

use crate::support::{Place, SHORT, words};

#[test]
fn a_page_compares_two_results() {
    let place = Place::new();
    for (folder, control) in [("one", "qcn"), ("other", "smcc")] {
        let set = format!("control={control}");
        let arguments = [&["run", "-q", "-o", folder, "--set", &set][..], &SHORT].concat();
        place.setpoint(&arguments).printed();
    }
    let ended = place.setpoint(&["compare", "one", "other", "-o", "page"]);
    let printed = &ended.stdout;
    assert!(printed.contains("26 kB") && printed.contains("64 kB"), "the set points: {printed}");
    assert!(
        printed.contains("with one seed, they may be due to chance") && printed.contains("page/compare.html"),
        "{printed}"
    );
    assert!(ended.stderr.contains("warning: the set points differ (qcn: 26 kB; smcc: 64 kB)"));
    let page = std::fs::read_to_string(place.path("page/compare.html")).unwrap();
    for text in [
        "qcn-dumbbell: qcn",
        "Longest queue",
        "Metrics of queues and ports refer to left→right",
        "Throughput of all flows",
        "What differs",
        "<div>smcc</div>",
    ] {
        assert!(page.contains(text), "{text}");
    }
    place.setpoint(&["compare", "one", "other", "-q", "-o", "page"]).printed();
    let again = std::fs::read_to_string(place.path("page/compare.html")).unwrap();
    assert_eq!(page, again, "the same results give the same page");
    let plot = place.path("page/plots/queues.svg");
    place.setpoint(&["compare", "one", "other", "-q", "-o", "page", "--svg"]).printed();
    place.setpoint(&["compare", "one", "other", "-q", "-o", "page"]).printed();
    assert!(plot.is_file(), "the plots of an unchanged page stay");
    place.setpoint(&["compare", "other", "one", "-q", "-o", "page"]).printed();
    assert!(!plot.exists(), "plots that do not match the page are removed");
}

#[test]
fn what_cannot_be_compared_is_said() {
    let place = Place::new();
    assert!(
        place
            .setpoint(&["compare", "one"])
            .complained(2)
            .contains("give two to four, or a scenario with `--control")
    );
    let two = place.setpoint(&["compare", "one", "other", "--set", "seed=1"]);
    assert!(two.complained(2).contains("need `--control`"), "{}", two.stderr);
    let same = place.setpoint(&["compare", "qcn-dumbbell", "--control", "qcn,qcn"]);
    assert!(same.complained(2).contains("`qcn` is given twice"), "{}", same.stderr);
    let ended = place.setpoint(&["compare", "one", "other"]);
    assert!(ended.complained(1).contains("one"), "{}", ended.stderr);
    assert!(!place.path("results").exists());
}

/// The figures that `compare --json` prints.
fn figures(place: &Place, arguments: &[&str]) -> serde_json::Value {
    let arguments = [&["compare", "--json"][..], arguments].concat();
    serde_json::from_str(place.setpoint(&arguments).printed()).expect("JSON is printed")
}

#[test]
fn algorithms_run_with_a_common_set_point() {
    let place = Place::new();
    let options = words("qcn-dumbbell -o out --svg --control qcn,smcc,none --set-point 30kB --seeds 3");
    let arguments = [&options[..], &SHORT, &["-q"]].concat();
    let found = figures(&place, &arguments);
    let points: Vec<_> = (0..3).map(|result| found["results"][result]["set_points"].clone()).collect();
    assert_eq!(serde_json::json!(points), serde_json::json!([["30 kB"], ["30 kB"], []]));
    assert_eq!(found["warnings"], serde_json::json!([]));
    let utilisation = &found["variants"][0]["figures"]["utilisation_share"];
    assert!(utilisation[0]["difference"].is_null() && utilisation[1]["difference"]["interval"].is_object());
    assert!(place.path("out/plots/queues.svg").is_file(), "the curves of the first seed");
    let page = std::fs::read_to_string(place.path("out/compare.html")).unwrap();
    assert!(page.contains("On common axes, seed 1") && page.contains("95\u{a0}% confidence interval"));
}

#[test]
fn runs_with_seeds_and_sweeps_are_compared_by_matching() {
    let place = Place::new();
    for (folder, control) in [("one", "qcn"), ("other", "bcn")] {
        let set = format!("control={control}");
        let seeds =
            [&["run", "-q", "--no-report", "--seeds", "3", "-o", folder, "--set", &set][..], &SHORT].concat();
        place.setpoint(&seeds).printed();
        let swept = format!("{folder}-sweep");
        let axis = "topology.dumbbell.senders=2,3";
        let axis = if folder == "one" { axis.to_owned() + ",4" } else { axis.to_owned() };
        let sweep =
            ["sweep", "qcn-dumbbell", "-q", "--no-report", "-o", &swept, "--set", &set, "--axis", &axis];
        place.setpoint(&[&sweep[..], &SHORT].concat()).printed();
    }
    let seeds = figures(&place, &["one", "other", "-o", "page", "-q"]);
    assert_eq!(seeds["results"][1]["seeds"], 3);
    assert!(seeds["variants"][0]["figures"]["queue_mean_bytes"][1]["difference"]["interval"].is_object());
    let sweeps = figures(&place, &["one-sweep", "other-sweep", "-o", "page", "-q"]);
    assert_eq!(sweeps["variants"].as_array().map(Vec::len), Some(2), "the variants that both have");
    assert!(sweeps["warnings"].to_string().contains("1 of 3 variants are not in all results"), "{sweeps}");
    let mixed = place.setpoint(&["compare", "one", "one-sweep", "-o", "page"]);
    assert!(
        mixed.complained(1).contains("one sweeps nothing, and one-sweep sweeps topology.dumbbell.senders")
    );
}

#[test]
fn warnings_of_checks_are_stored_and_shown() {
    let place = Place::new();
    let fast = ["--set", "topology.dumbbell.rate=100Gb/s", "--set", "duration=2ms", "--set", "at=[]"];
    let run = |folder: &str, control: &str| {
        let set = format!("control={{ {control} = {{ preset = \"10G\" }} }}");
        let arguments = ["run", "qcn-dumbbell", "-q", "-o", folder, "--set", &set];
        place.setpoint(&[&arguments[..], &fast, &["--set", "measure_from=1ms"]].concat()).printed();
    };
    run("one", "qcn");
    run("other", "fqcn");
    let manifest = crate::support::json(place.path("one/manifest.json"));
    assert_eq!(manifest["warnings"][0]["check"], "preset-mismatch", "{manifest}");
    let page = std::fs::read_to_string(place.path("one/report.html")).unwrap();
    assert!(page.contains("setpoint explain preset-mismatch"));
    let ended = place.setpoint(&["compare", "one", "other", "-o", "page"]);
    assert!(ended.stderr.contains("(preset-mismatch)"), "{}", ended.stderr);
    let found = crate::support::json(place.path("page/compare.json"));
    assert!(found["warnings"].to_string().contains("(preset-mismatch)"), "{found}");
    let page = std::fs::read_to_string(place.path("page/compare.html")).unwrap();
    assert!(page.contains("(preset-mismatch)"));
}

#[test]
fn algorithms_start_from_the_preset_of_the_scenario() {
    let place = Place::new();
    let scenario = "name = \"small\"\nduration = \"1 ms\"\nmeasure_from = \"0 s\"\n\
                    [topology.dumbbell]\nsenders = 2\nrate = \"25 Gb/s\"\n[control.qcn]\npreset = \"25G\"\n";
    place.write("small.toml", scenario);
    let compared = |folder: &str, options: &[&str]| {
        let arguments = ["small.toml", "--control", "qcn,af-qcn,none", "--seeds", "1", "-q", "-o", folder];
        let found = figures(&place, &[&arguments[..], options].concat());
        let presets = (0..3).map(|result| found["results"][result]["presets"].clone());
        serde_json::Value::Array(presets.collect())
    };
    assert_eq!(compared("out", &[]), serde_json::json!([["25G"], ["25G"], []]));
    let page = std::fs::read_to_string(place.path("out/compare.html")).unwrap();
    assert!(page.contains("control preset"), "{page}");
    let chosen = compared("chosen", &["--set", "control.af-qcn.preset=40G"]);
    assert_eq!(chosen, serde_json::json!([["25G"], ["40G"], []]));
    let other = ["compare", "small.toml", "--control", "qcn,af-qcn", "--set", "control.smcc.preset=40G"];
    assert!(place.setpoint(&other).complained(2).contains("`control.smcc.preset` is a key of smcc"));
}

#[test]
fn runs_of_a_sweep_have_the_labels_of_its_values() {
    let place = Place::new();
    let axis = "control=[{ label = \"Fast\", value = { qcn = { preset = \"40G\" } } }, \"none\"]";
    place.write("lab.toml", &format!("extends = \"default\"\n[sweep]\n{axis}\n"));
    place
        .setpoint(&[&["sweep", "lab.toml", "-q", "--no-report", "-o", "out"][..], &SHORT].concat())
        .printed();
    let runs: Vec<String> = crate::support::names(&place.path("out"));
    let runs: Vec<String> =
        runs.into_iter().filter(|name| name.contains("seed=")).map(|name| format!("out/{name}")).collect();
    let found = figures(&place, &[&runs[0], &runs[1], "-o", "page", "-q"]);
    assert_eq!(found["results"][0]["name"], "Fast", "{found}");
}
