//! `fluid`, `stability` and `phase`.

use serde_json::Value;

use crate::support::{Place, complaints, json, names, words};

/// Options that shorten the built-in `qcn-loop`.
const SHORT: [&str; 7] =
    ["qcn-loop", "--set", "duration=40 ms", "--set", "measure_from=20 ms", "--set", "sample_interval=1 ms"];

fn with<'a>(command: &'a str, rest: &[&'a str]) -> Vec<&'a str> {
    [&[command], &SHORT[..], rest].concat()
}

/// The output without elapsed times.
fn untimed(printed: &str) -> String {
    let fixed = printed.lines().filter(|line| !line.starts_with("solved ") && !line.starts_with("found "));
    fixed.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_scenario_is_solved_and_compared() {
    let place = Place::new();
    let ended = place.setpoint(&with("fluid", &["--packets"]));
    insta::assert_snapshot!("fluid", untimed(ended.printed()));
    let set = "_duration=40ms_measure_from=20ms_sample_interval=1ms";
    assert_eq!(
        names(&place.path("results")),
        [format!("qcn-loop-fluid{set}")],
        "no half-written file remains"
    );
    let files = names(&place.result());
    assert_eq!(files, ["files.json", "fluid.csv", "fluid.html", "fluid.json", "origin.json"]);
    let origin = json(place.result().join("origin.json"));
    assert_eq!((&origin["seed"], &origin["scenario"]), (&1.into(), &"qcn-loop".into()));
    let refused = place.setpoint(&["report", place.result().to_str().unwrap()]);
    assert!(refused.complained(1).contains("run that command again"), "{}", refused.stderr);
}

#[test]
fn the_default_scenario_has_a_fluid_form() {
    let place = Place::new();
    let ended = place.setpoint(&["stability"]);
    assert!(ended.printed().contains("stability     stable"), "{}", ended.stdout);
    let ended = place.setpoint(&words("fluid --set 'duration=20 ms' --set 'measure_from=10 ms' --set at=[]"));
    assert!(ended.printed().contains("f1 to f10 (10 sources)"), "{}", ended.stdout);
    let ended = place.setpoint(&["phase"]);
    assert!(ended.printed().contains("Theorem 2"), "{}", ended.stdout);
}

#[test]
fn json_is_the_record_and_nothing_else() {
    let place = Place::new();
    for (command, key) in [("fluid", "queue_mean_bytes"), ("stability", "here"), ("phase", "trajectories")] {
        let ended = place.setpoint(&with(command, &["--json", "--no-report", "--out", command]));
        let printed: serde_json::Value = serde_json::from_str(ended.printed()).unwrap();
        assert_eq!(printed, json(place.path(command).join(format!("{command}.json"))));
        assert!(printed.get(key).is_some(), "{command}");
        assert!(!place.path(command).join(format!("{command}.html")).exists());
    }
    assert_eq!(place.setpoint(&with("fluid", &["--quiet"])).printed(), "");
}

#[test]
fn margins_and_maps_are_printed() {
    let place = Place::new();
    let axes = words("--x topology.dumbbell.rtt=50us..400us --y topology.dumbbell.senders=1,4,16");
    let map = [&axes[..], &words("--size 4x4 --packets 2x1")].concat();
    let ended = place.setpoint(&with("stability", &map));
    insta::assert_snapshot!("stability", untimed(ended.printed()));
    let files = names(&place.result());
    let expected =
        words("files.json map.csv origin.json packets.csv response.csv stability.html stability.json");
    assert_eq!(files, expected);
    let csv = std::fs::read_to_string(place.result().join("map.csv")).unwrap();
    assert!(csv.starts_with("topology.dumbbell.senders \\ topology.dumbbell.rtt,50us,"), "{csv}");
    assert_eq!(csv.lines().count(), 4);
}

#[test]
fn phase_planes_are_printed() {
    let place = Place::new();
    let ended =
        place.setpoint(&with("phase", &["--from", "-33kB,2Gb/s", "--from", "20kB,0", "--delay", "0s"]));
    insta::assert_snapshot!("phase", untimed(ended.printed()));
    assert_eq!(
        names(&place.result()),
        ["files.json", "origin.json", "phase.csv", "phase.html", "phase.json"]
    );
    let smcc = ["phase", "default", "--set", "control=smcc", "--delay", "100us", "--out", "smcc"];
    assert!(place.setpoint(&smcc).printed().contains("Remark 1"));
}

#[test]
fn wrong_questions_have_a_remedy() {
    let place = Place::new();
    let said = complaints(
        &place,
        &[
            "fluid parking-lot",
            "fluid default --set control=none",
            "stability incast-pfc --set control=smcc",
            "phase default --set control=af-qcn",
            "stability qcn-loop --x topology.dumbbell.rt=1us..2us --y topology.dumbbell.senders=1,2",
            "stability qcn-loop --x topology.dumbbell.rtt=2us..1us --y topology.dumbbell.senders=1,2",
            "stability qcn-loop --x topology.dumbbell.rtt=-1us..2us --y topology.dumbbell.senders=1,2",
            "stability qcn-loop --x topology.dumbbell.rtt=1us..2us",
            "stability qcn-loop --size 0x3",
            "stability qcn-loop --x topology.dumbbell.rtt=1us..2us --y network.buffer=100kB..200kB --size 2000x2000",
            "stability qcn-loop --x topology.dumbbell.rtt=1us..2us --y topology.dumbbell.senders=1,2 --packets 3x3",
            "stability qcn-loop --packets 3x3",
            "phase qcn-loop --delay -5us",
            "phase qcn-loop --from 20kB",
            "fluid qcn-loop --increase twice",
            "fluid qcn-loop --set topology.dumbbell.rtt=-5us",
        ],
    );
    insta::assert_snapshot!("wrong_questions", said);
    assert!(names(place.folder()).is_empty());
}

#[test]
fn folders_that_are_not_findings_are_left_alone() {
    let place = Place::new();
    std::fs::create_dir(place.path("thesis")).unwrap();
    place.write("thesis/chapter.tex", "years of work");
    let ended = place.setpoint(&with("fluid", &["--out", "thesis"]));
    assert!(ended.complained(1).contains("cannot store the result in thesis"), "{}", ended.stderr);
    assert_eq!(names(&place.path("thesis")), ["chapter.tex"]);
}

#[test]
fn the_examples_of_the_page_run() {
    let place = Place::new();
    let page = include_str!("../../../../docs/theory.md");
    let examples: Vec<&str> = page.lines().filter(|line| line.starts_with("setpoint ")).collect();
    assert!(examples.len() > 12);
    for example in examples {
        let command = example.split(" # ").next().unwrap_or_default();
        let arguments = command.split_whitespace().skip(1);
        let short = [
            "--set=duration=10ms",
            "--set=measure_from=5ms",
            "--set=sample_interval=1ms",
            "--set=at=[]",
            "--quiet",
        ];
        let is = |words: [&str; 2]| words.iter().all(|word| command.contains(word));
        let short = match () {
            () if is([" atlas", "--packets"]) => {
                &["--algorithms=qcn,paper", "--speeds=40G", "--frames=20000", "--quiet"][..]
            }
            () if is([" atlas", ""]) => &["--quiet"],
            () if is([" stability", "--x"]) && !command.contains("--size") => {
                &[&short[..], &["--size=8x8"]].concat()
            }
            () => &short,
        };
        let arguments: Vec<&str> = arguments.chain(short.iter().copied()).collect();
        assert_eq!(place.setpoint(&arguments).printed(), "", "{example}");
    }
}

#[test]
fn dcqcn_has_an_equilibrium_and_a_margin_but_no_phase_plane() {
    let place = Place::new();
    // With up to 10 % of marks, ten flows at 10 Gb/s have an equilibrium below Kmax.
    let dcqcn = ["--set", "control=dcqcn", "--set", "control.dcqcn.cp.p_max=10 %"];
    let printed = place.setpoint(&with("stability", &dcqcn));
    assert!(printed.printed().contains("of frames marked"), "{}", printed.stdout);
    assert!(printed.stdout.contains("with means over the time"), "{}", printed.stdout);
    let printed = place.setpoint(&with("stability", &[&dcqcn[..], &["--dcqcn", "as-printed"]].concat()));
    assert!(printed.printed().contains("as printed"), "{}", printed.stdout);
    let refused = place.setpoint(&with("phase", &dcqcn));
    assert!(refused.complained(2).contains("a source also has a target and α"), "{}", refused.stderr);
    let profile = ["--set", "control.dcqcn.profile=ns3-rdma"];
    let refused = place.setpoint(&with("fluid", &[&dcqcn[..], &profile].concat()));
    assert!(
        refused.complained(2).contains("`control.dcqcn.rp.target` is after-byte-cycle"),
        "{}",
        refused.stderr
    );
}

/// A small atlas: three algorithms at one speed.
const ATLAS: &str =
    "atlas --algorithms qcn,paper,ns3-rdma --speeds 40G --flows 2,8,20 --packets 8 --frames 20000";

#[test]
fn an_atlas_is_stored_with_its_tables() {
    let place = Place::new();
    let ended = place.setpoint(&words(ATLAS));
    let rows: Vec<&str> = ended.printed().lines().collect();
    assert!(
        rows.iter().any(|row| row.starts_with("dcqcn ns3-rdma") && row.ends_with("no model")),
        "{rows:?}"
    );
    let files = words(
        "atlas.csv atlas.html atlas.json atlas.parquet files.json origin.json packets.csv packets.parquet",
    );
    assert_eq!(names(&place.path("results/atlas")), files);
    assert_eq!(names(&place.path("results")), ["atlas"], "notes about simulations are removed");
    let record = json(place.path("results/atlas/atlas.json"));
    let cells = record["cells"].as_array().unwrap();
    let cell = |scheme: &str, flows: u64| {
        cells.iter().find(|cell| cell["scheme"] == scheme && cell["flows"] == flows).unwrap()
    };
    assert_eq!(cells.len(), 9);
    assert_eq!(cell("dcqcn paper", 2)["stability"], "bounded");
    assert_eq!(cell("dcqcn paper", 20)["limit"], "beyond-kmax");
    assert_eq!(cell("dcqcn ns3-rdma", 2)["limit"], "no-model");
    let runs = record["packets"].as_array().unwrap();
    assert_eq!(runs.len(), 6, "two points for each algorithm");
    let without = runs.iter().filter(|run| run["scheme"] == "dcqcn ns3-rdma");
    let without: Vec<_> = without.map(|run| (&run["delay_s"], &run["model_is_stable"])).collect();
    assert_eq!(
        without,
        [(&serde_json::json!(10e-6), &Value::Null), (&serde_json::json!(100e-6), &Value::Null)]
    );
    assert!(runs.iter().all(|run| run["queue_mean_bytes"].as_f64().unwrap() > 0.0), "{runs:?}");
    assert!(rows.iter().any(|row| row.trim_start().starts_with("dcqcn ns3-rdma  packets: ")), "{rows:?}");
    // The critical delay of the linear loop in units of the printed figure.
    let margin = cell("dcqcn paper", 2)["margin_s"].as_f64().unwrap();
    assert!((50e-6..200e-6).contains(&margin), "{margin}");
    let page = std::fs::read_to_string(place.path("results/atlas/atlas.html")).unwrap();
    for title in ["Marking probability at the equilibrium", "α at the equilibrium", "There is no model."] {
        assert!(page.contains(title), "{title}");
    }
}

#[test]
fn shards_give_the_same_atlas() {
    let place = Place::new();
    place.setpoint(&words(&format!("{ATLAS} --out whole --no-report"))).printed();
    let early = place.setpoint(&words(&format!("{ATLAS} --out parts --no-report --collect")));
    assert!(early.complained(1).contains("6 of 6"), "{}", early.stderr);
    for shard in ["1/2", "2/2"] {
        place.setpoint(&words(&format!("{ATLAS} --out parts --shard {shard}"))).printed();
    }
    place.setpoint(&words(&format!("{ATLAS} --out parts --no-report --collect"))).printed();
    let read = |folder: &str| std::fs::read(place.path(folder).join("atlas.json")).unwrap();
    assert!(read("whole") == read("parts"));
}
