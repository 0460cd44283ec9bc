//! `check`, `new`, and messages about invalid scenarios.

use setpoint_scenario::builtin;

use crate::support::{Place, complaints};

#[test]
fn all_built_in_scenarios_are_valid() {
    let place = Place::new();
    let names: Vec<&str> = builtin().iter().map(|builtin| builtin.name).collect();
    let ended = place.setpoint(&[&["check"], &names[..]].concat());
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    for name in &names {
        let verdict = if *name == RING { "ok, 1 warning" } else { "ok" };
        assert!(ended.stdout.contains(&format!("{name}: {verdict}\n")), "{name}: {}", ended.stdout);
    }
    let some = ["check", "qcn-senders", "incast-pfc", "cioq-fan-in", "rack-fabric", "multicast-implosion"];
    insta::assert_snapshot!("check", place.setpoint(&some).printed());
    let plausible: Vec<&str> = names.into_iter().filter(|name| *name != RING).collect();
    assert_eq!(place.setpoint(&[&["check", "--quiet", "--strict"], &plausible[..]].concat()).printed(), "");
}

/// The only built-in scenario with a warning; it demonstrates the problem that the warning describes.
const RING: &str = "pfc-deadlock";

#[test]
fn warnings_are_errors_with_strict() {
    let place = Place::new();
    let ended = place.setpoint(&["check", RING, "--quiet"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), ""));
    insta::assert_snapshot!("warning", ended.stderr);
    assert_eq!(place.setpoint(&["check", RING, "--strict", "--quiet"]).complained(2), ended.stderr);
    let explained = place.setpoint(&["explain", "routes-can-deadlock"]);
    assert!(explained.printed().contains("form a cycle of buffers"), "{}", explained.stdout);
}

#[test]
fn runs_and_sweeps_warn_unless_quiet() {
    let place = Place::new();
    let short = ["--set", "duration=1 ms", "--set", "measure_from=0 s", "--no-report"];
    let sets = ["--set", "control=none", "--set", "flow_control.pfc.priorities=[3, 5]"];
    for command in [&["run", "incast-pfc"][..], &["run", "incast-pfc", "--seeds", "2"]] {
        let arguments = [command, &short, &sets].concat();
        let ended = place.setpoint(&arguments);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        assert!(ended.stderr.starts_with("warning[pfc-without-flows]"), "{}", ended.stderr);
        assert_eq!(place.setpoint(&[&arguments[..], &["--quiet"]].concat()).printed(), "");
    }
}

#[test]
fn wrong_scenarios_are_shown_with_their_line() {
    let place = Place::new();
    place.write(
        "wrong.toml",
        "name = \"wrong\"\nduration = 2\n\n[topology.dumbbell]\nsenders = 3\nrat = \"1 Gb/s\"\n",
    );
    let ended = place.setpoint(&["run", "wrong.toml"]);
    insta::assert_snapshot!(ended.complained(2));
    assert!(!place.path("results").exists());

    // All files are checked, not only those before the first invalid one.
    let ended = place.setpoint(&["check", "wrong.toml", "default"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.stdout.starts_with("default: ok\n"), "{}", ended.stdout);
}

#[test]
fn names_that_do_not_exist_have_a_remedy() {
    let place = Place::new();
    let lines = [
        "run defalt",
        "run xyz",
        "run nothing.toml",
        "run --set topology.dumbbell.sendrs=3",
        "run --set network.buffer",
        "run --seeds 0",
        "sweep default --threads 1000000",
        "new --from incast",
        "bench dumbbell-11",
    ];
    insta::assert_snapshot!(complaints(&place, &lines));
}

#[test]
fn new_writes_valid_scenarios_and_overwrites_nothing() {
    let place = Place::new();
    for builtin in builtin() {
        let file = format!("my-{}.toml", builtin.name);
        place.setpoint(&["new", &file, "--from", builtin.name]).printed();
        let text = std::fs::read_to_string(place.path(&file)).unwrap();
        assert!(text.contains(&format!("\nname = \"my-{}\"\n", builtin.name)), "{text}");
        assert_eq!(place.setpoint(&["check", &file]).code, Some(0));
        let ended = place.setpoint(&["new", &file]);
        assert!(
            ended.complained(2).contains("already exists; overwrite it with `--force`"),
            "{}",
            ended.stderr
        );
        assert_eq!(std::fs::read_to_string(place.path(&file)).unwrap(), text);
    }
    place.setpoint(&["new", "my-mixed", "--force"]).printed();
    assert!(std::fs::read_to_string(place.path("my-mixed.toml")).unwrap().contains("[topology.dumbbell]"));
}

#[test]
fn a_file_comes_before_a_built_in_scenario_of_its_name() {
    let place = Place::new();
    place.write("mixed", "name = \"mine\"\nextends = \"default\"\n");
    assert!(place.setpoint(&["check", "mixed"]).printed().contains("scenario  mine\n"));
}

/// A headroom pool that is smaller than the sum of the headrooms is not reserved for each link.
#[test]
fn a_check_shows_the_division_of_a_shared_buffer() {
    let place = Place::new();
    let scenario = "duration = \"1 ms\"\ntopology.star = { stations = 5, rate = \"10 Gb/s\" }\n\
                    bridge.shared_buffer.size = \"2 MB\"\nflow_control.pfc = {}\n\
                    flows = [{ from = \"h{1..4}\", to = \"h5\" }]\n";
    place.write("shared.toml", scenario);
    let with_pool = |pool: &str| {
        let pool = format!("bridge.shared_buffer.headroom_pool={pool}");
        let ended = place.setpoint(&["check", "shared.toml", "--set", &pool]);
        let (_, tables) = ended.stdout.split_once("flow control of").expect("there is a table of links");
        tables.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let small = with_pool("10kB");
    assert!(small.contains("the buffer of `bridge` is divided into reserves of "), "{small}");
    assert!(small.contains(" a headroom pool of 10 kB and "), "{small}");
    assert!(small.contains("; in the worst case, its inputs need "), "{small}");
    let whole = with_pool("auto");
    assert!(!small.contains("in all") && !whole.contains("in the worst case"), "{whole}");
}

#[test]
fn a_check_rounds_reserved_memory_as_its_warning_does() {
    let place = Place::new();
    let cable = ["--set", "topology.star.delay=100km", "--set", "flow_control.pfc.buffer=2MB"];
    let ended = place.setpoint(&[&["check", "incast-pfc"][..], &cable].concat());
    let reserved = |text: &str| {
        let (_, rest) = text.split_once("the inputs of `bridge` reserve ").expect("a sum");
        rest.split([',', 'i']).next().unwrap().trim().to_owned()
    };
    assert_eq!(reserved(&ended.stdout), reserved(&ended.stderr), "{}{}", ended.stdout, ended.stderr);
}

#[test]
fn periodic_events_are_not_averages() {
    let place = Place::new();
    let checked = place.setpoint(&["check", "fabric-incast"]);
    assert!(checked.stdout.contains("one every 5 ms"), "{}", checked.stdout);
    assert!(!checked.stdout.contains("5 ms on average"), "{}", checked.stdout);
}
