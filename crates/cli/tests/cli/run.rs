//! `run` and `report`.

use crate::support::{Place, SHORT, json, names, words};

fn short(rest: &[&'static str]) -> Vec<&'static str> {
    [&["run"], &SHORT[..], rest].concat()
}

#[test]
fn a_run_leaves_a_result_with_a_report() {
    let place = Place::new();
    let ended = place.setpoint(&short(&["--out", "results/here"]));
    assert!(ended.printed().contains("results/here/report.html"), "{}", ended.stdout);
    let files = words(
        "files.json flows.csv manifest.json ports.csv queues.csv report.html samples.csv summary.json topology.json",
    );
    assert_eq!(names(&place.path("results/here")), files);
    assert!(std::fs::read_to_string(place.path("results/here/report.html")).unwrap().contains("</html>"));
    assert_eq!(names(&place.path("results")), ["here"], "nothing half-written is left");
}

#[test]
fn options_determine_what_is_written_where() {
    let place = Place::new();
    place.setpoint(&short(&["--out", "here", "--svg", "--no-report", "--quiet"])).printed();
    assert!(!place.path("here/report.html").exists());
    assert!(names(&place.path("here/plots")).iter().all(|name| name.ends_with(".svg")));
    assert!(names(&place.path("here/plots")).len() > 2);

    // The report can be written later, and a later run replaces the whole folder.
    place.setpoint(&["report", "here", "--quiet"]).printed();
    assert!(place.path("here/report.html").exists());
    assert_eq!(place.setpoint(&short(&["--out", "here", "--quiet"])).printed(), "");
    assert!(!place.path("here/plots").exists());
}

#[test]
fn json_is_the_summary_and_identifies_the_run() {
    let place = Place::new();
    let ended = place.setpoint(&short(&["--json", "--seed", "7"]));
    assert!(
        ended.printed().starts_with("{\n  \"run\": {\n    \"scenario\": \"qcn-dumbbell\""),
        "{}",
        ended.stdout
    );
    let mut printed: serde_json::Value = serde_json::from_str(ended.printed()).unwrap();
    let run = printed.as_object_mut().unwrap().remove("run").unwrap();
    assert_eq!(printed, json(place.result().join("summary.json")));
    assert_eq!(printed["duration_s"], 0.02);
    let manifest = json(place.result().join("manifest.json"));
    for key in ["scenario", "overrides", "seed", "version", "digest"] {
        assert_eq!(run[key], manifest[key], "{key}");
    }
    assert_eq!((&run["seed"], run["digest"].as_str().unwrap().len()), (&serde_json::json!(7), 64));
}

#[test]
fn the_seed_decides() {
    let place = Place::new();
    let digest = |out: &'static str, seed: &'static str| {
        place.setpoint(&short(&["--out", out, "--seed", seed, "--quiet"])).printed();
        json(place.path(out).join("manifest.json"))["digest"].clone()
    };
    assert_eq!(digest("a", "7"), digest("b", "7"));
    assert_ne!(digest("a", "7"), digest("c", "8"));
}

#[test]
fn folders_that_are_not_results_are_left_alone() {
    let place = Place::new();
    std::fs::create_dir(place.path("thesis")).unwrap();
    place.write("thesis/chapter.tex", "years of work");
    let ended = place.setpoint(&short(&["--out", "thesis"]));
    assert!(ended.complained(1).contains("cannot store the result in thesis"), "{}", ended.stderr);
    assert_eq!(names(&place.path("thesis")), ["chapter.tex"]);
    assert!(place.setpoint(&["report", "thesis"]).complained(1).contains("thesis contains no result"));
}

#[test]
fn the_summary_fits_the_terminal() {
    let place = Place::new();
    let arguments =
        ["run", "parking-lot", "--set", "duration=30 ms", "--set", "measure_from=10 ms", "--set", "at=[]"];
    for columns in [40, 80, 200] {
        let ended = place.setpoint_at_width(columns, &arguments);
        // Speeds differ from run to run, and paths are never shortened.
        let lines: Vec<&str> =
            ended.printed().lines().take_while(|line| !line.starts_with("simulated")).collect();
        let widest = lines.iter().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= columns, "{widest} of {columns}:\n{}", ended.stdout);
        insta::assert_snapshot!(format!("summary_at_{columns}"), lines.join("\n"));
    }
}

#[test]
fn the_summary_shows_groups_and_receivers() {
    let place = Place::new();
    let run = |columns: usize, delivery: &str| {
        let delivery = format!("network.delivery={delivery}");
        let starts = [1, 2, 3, 4, 5, 6].map(|flow| format!("--set=flows.{flow}.start=0s"));
        let staggers = [2, 4, 6].map(|flow| format!("--set=flows.{flow}.stagger=0s"));
        let mut arguments = words("run multicast-multi-link --set=duration=200ms --set=measure_from=100ms");
        arguments.extend(starts.iter().chain(&staggers).map(String::as_str));
        arguments.extend(["--set", &delivery]);
        let ended = place.setpoint_at_width(columns, &arguments);
        let lines: Vec<String> = ended
            .printed()
            .lines()
            .skip_while(|line| !line.starts_with("group"))
            .take_while(|line| !line.trim_start().starts_with("at "))
            .map(str::to_owned)
            .collect();
        let widest = lines.iter().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= columns, "{widest} of {columns}:\n{}", ended.stdout);
        lines.join("\n")
    };
    for columns in [40, 80] {
        insta::assert_snapshot!(format!("groups_at_{columns}"), run(columns, "multicast"));
    }
    insta::assert_snapshot!("groups_as_multiple_unicast", run(80, "multiple-unicast"));
}

/// Five bridges in a ring; each station sends to the station two bridges further on, which forms a cycle of buffers.
fn ring() -> String {
    let bridge = |n: usize| n % 5 + 1;
    let mut text = String::from(
        "name = \"ring\"\nduration = \"2 ms\"\nmeasure_from = \"0 s\"\nflow_control = \"pfc\"\n",
    );
    text += "[topology.graph]\nstations = [\"h1\", \"h2\", \"h3\", \"h4\", \"h5\"]\n";
    text += "bridges = [\"b1\", \"b2\", \"b3\", \"b4\", \"b5\"]\n";
    for n in 0..5 {
        let (here, next) = (bridge(n), bridge(n + 1));
        text += &format!("[[topology.graph.links]]\nbetween = [\"b{here}\", \"b{next}\"]\n");
        text += &format!("[[topology.graph.links]]\nbetween = [\"h{here}\", \"b{here}\"]\n");
    }
    for n in 0..5 {
        text += &format!("[[flows]]\nfrom = \"h{}\"\nto = \"h{}\"\n", bridge(n), bridge(n + 2));
    }
    text
}

#[test]
fn threads_do_not_change_the_result() {
    let place = Place::new();
    let summary = |threads: &str| {
        let run = words("run leaf-spine-web-search --set duration=1ms --set measure_from=0s --json");
        let ended = place.setpoint(&[&run[..], &["--threads", threads]].concat());
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        ended.stdout
    };
    assert_eq!(summary("1"), summary("3"));
}

#[test]
fn a_deadlock_is_reported_with_its_cycle() {
    let place = Place::new();
    place.write("ring.toml", &ring());
    let ended = place.setpoint(&["run", "ring.toml"]);
    let told = ["DEADLOCK", "pauses", "congestion", "victims", "loss"];
    assert_eq!(ended.code, Some(0));
    assert!(ended.stderr.starts_with("warning[routes-can-deadlock]"), "{}", ended.stderr);
    let facts = ended.stdout.lines().skip_while(|line| !line.starts_with("DEADLOCK"));
    let facts: Vec<&str> = facts.take_while(|line| !line.is_empty()).collect();
    assert!(told.iter().all(|label| facts.iter().any(|line| line.starts_with(label))), "{}", ended.stdout);
    insta::assert_snapshot!("summary_of_a_deadlock", facts.join("\n"));
    let page = std::fs::read_to_string(place.path("results/ring/report.html")).unwrap();
    assert!(
        page.contains("Deadlock, detected at") && page.contains("b5→b1 → b1→b2 (each waits for the next)")
    );
}

#[test]
fn the_summary_shows_input_buffers() {
    let place = Place::new();
    let arguments = ["run", "rack-fabric", "--set", "duration=30 ms", "--set", "flows.5.start=0 s"];
    let arguments = [&arguments[..], &["--set", "flows.5.stop=30 ms", "--no-report"]].concat();
    let ended = place.setpoint_at_width(80, &arguments);
    let printed = ended.printed();
    for part in [
        "longest input   h",
        "longest output  leaf2.2→h8/3",
        "culprit search  ",
        " reads each, ",
        " (input)  ",
    ] {
        assert!(printed.contains(part), "{part:?}: {printed}");
    }
}

#[test]
fn a_lost_frame_in_a_lossless_network_is_a_failure() {
    let place = Place::new();
    let arguments = ["run", "incast-pfc", "--set", "duration=5 ms", "--set", "measure_from=1 ms"];
    let small = [&arguments[..], &["--set", "flow_control.pfc.headroom=1 kB"]].concat();
    let ended = place.setpoint(&small);
    assert!(ended.complained(1).contains("was lost at"), "{}", ended.stderr);
    assert!(!place.path("results").exists());
}

#[test]
fn a_sweep_is_mentioned() {
    let place = Place::new();
    let ended =
        place.setpoint(&["run", "qcn-senders", "--set", "duration=5 ms", "--set", "measure_from=1 ms"]);
    assert_eq!(ended.code, Some(0));
    assert_eq!(
        ended.stderr,
        "note: this scenario has a sweep; `setpoint sweep qcn-senders` runs all of it\n"
    );
}

/// Messages at the start and during the run: the summary also reports the early messages and the messages that were
/// not completed.
const MESSAGES: &str = r#"
name = "messages"
duration = "10 ms"
measure_from = "5 ms"
flow_control = "pfc"
[topology.star]
stations = 5
rate = "10 Gb/s"
delay = "1 us"
[control.qcn]
[[flows]]
from = "h{1..4}"
to = "h5"
traffic = { message = { size = "50 kB" } }
"#;

#[test]
fn every_message_is_reported() {
    let place = Place::new();
    let facts = |text: &str| {
        place.write("messages.toml", text);
        let ended = place.setpoint(&["run", "messages.toml", "--no-report"]);
        ended.printed().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let early = facts(MESSAGES);
    assert!(early.contains("messages 4 completed, 0 unfinished, 0 damaged, mean 1"), "{early}");
    assert!(early.contains("all offered before measure_from (5 ms)"), "{early}");
    let late = "[[flows]]\nfrom = \"h1\"\nto = \"h5\"\nstart = \"9 ms\"\ntraffic = { message = { size = \"10 MB\" } }\n";
    let both = facts(&format!("{MESSAGES}{late}"));
    assert!(both.contains("0 completed, 1 unfinished, 0 damaged, mean > 1 ms, slowdown > 1 "), "{both}");
    assert!(
        both.contains("4 messages offered before measure_from (5 ms) not included here: 4 completed, 0 unfinished, 0 damaged"),
        "{both}"
    );
}

#[test]
fn a_full_buffer_does_not_count_as_settled() {
    let place = Place::new();
    let ended = place.setpoint(&short(&["--set", "control.qcn.cp.set_point=104 kB", "--no-report"]));
    assert_eq!(ended.code, Some(0));
    assert!(ended.stderr.starts_with("warning[feedback-cannot-saturate]"), "{}", ended.stderr);
    assert!(ended.stdout.contains("not settled: buffer full"), "{}", ended.stdout);
}

#[test]
fn a_seed_is_given_once_and_does_not_wrap() {
    let place = Place::new();
    let twice = place.setpoint(&["run", "--seed", "5", "--set", "seed=7"]);
    assert_eq!(
        twice.complained(2),
        "error: `--seed 5` and `--set seed=7` both give the seed; leave out one of them\n"
    );
    let last = u64::MAX.to_string();
    for command in
        [&["run", "--seeds", "3"][..], &["tune", "default", "--parameter", "network.buffer=1kB,2kB"]]
    {
        let wrapped = place.setpoint(&[command, &["--seed", &last]].concat());
        assert!(wrapped.complained(2).contains("would exceed the largest seed"), "{}", wrapped.stderr);
    }
    assert!(names(place.folder()).is_empty());
}
