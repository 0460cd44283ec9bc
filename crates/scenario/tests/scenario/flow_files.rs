//! Flows from CSV files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use setpoint_scenario::{Axis, Diagnostics, Files, Override, Scenario, Source};
use setpoint_sim::traffic::{Arrival, Traffic};
use setpoint_sim::{MessageOrder, Spec};
use setpoint_units::{Bytes, TimeDelta};

/// Files in memory.
struct Memory(BTreeMap<&'static str, &'static str>);

impl Files for Memory {
    fn open(&self, folder: &Path, target: &str) -> Result<Source, String> {
        let path = folder.join(target);
        let text = self.0.get(path.to_str().unwrap()).ok_or("there is no such file")?;
        Ok(Source::of_file(path.display().to_string(), *text, path.parent().unwrap().to_owned()))
    }

    fn canonical(&self, path: PathBuf) -> PathBuf {
        path
    }
}

const STAR: &str = "duration = \"1 ms\"\n[topology.star]\nstations = 4\nrate = \"10 Gb/s\"\n";

const TRACE: &str = "\u{feff}# made by hand
start_us, source, destination, size_kB, priority, class
10,h1,h3,20,5,background\r
0,h1,h3,1.5,,background

0.0000014,h2,h3,1,,incast
0,h1,h3,3,,background
7e-3,h1,h2,\"2\",,
";

fn load(
    entry: &str,
    overrides: &[&str],
    files: &[(&'static str, &'static str)],
) -> Result<Scenario, Diagnostics> {
    let files = Memory(files.iter().copied().chain([("lab/trace.csv", TRACE)]).collect());
    let source = Source::of_file("lab/test.toml", format!("{STAR}[[flow_files]]\n{entry}\n"), "lab".into());
    let overrides: Result<Vec<Override>, _> = overrides.iter().map(|text| text.parse()).collect();
    Scenario::load_with(&source, &overrides?, &files)
}

fn spec(scenario: &Scenario) -> Spec {
    scenario.prepare(1).unwrap_or_else(|errors| panic!("{errors}")).spec
}

/// A line for each message: flow, stations, priority, time and size.
fn messages(spec: &Spec) -> Vec<String> {
    let name = |id| &spec.topology.node_at(id).name;
    let lines = spec.flows.iter().flat_map(|flow| {
        let Traffic::Schedule(arrivals) = &flow.traffic else { panic!("{} has no list", flow.name) };
        let setpoint_sim::Destination::Station(sink) = flow.destination else { panic!("not to a station") };
        let head = format!("{} {}->{} p{}", flow.name, name(flow.source), name(sink), flow.priority.get());
        arrivals
            .iter()
            .map(move |Arrival { after, size }| format!("{head} {after} {size}"))
            .collect::<Vec<_>>()
    });
    lines.collect()
}

#[test]
fn lines_become_messages_of_one_flow_for_each_pair_class_and_priority() {
    let scenario = load("path = \"trace.csv\"", &[], &[]).unwrap_or_else(|errors| panic!("{errors}"));
    let prepared = scenario.prepare(1).unwrap();
    assert_eq!(
        messages(&prepared.spec),
        [
            "f1 h1->h2 p3 7 ns 2 kB",
            "f2 h1->h3 p5 10 µs 20 kB",
            "f3 h1->h3 p3 0 s 1.5 kB",
            "f3 h1->h3 p3 0 s 3 kB",
            "f4 h2->h3 p3 1 ps 1 kB",
        ]
    );
    let entries: Vec<_> =
        prepared.entries.iter().map(|entry| (entry.name.as_str(), entry.flows.clone())).collect();
    assert_eq!(entries, [("flow_files.1", 0..1), ("background", 1..3), ("incast", 3..4)]);
    assert!(prepared.spec.flows.iter().all(|flow| flow.messages == MessageOrder::Independent));
}

/// Line 3 waits for lines that follow it. `h2` computes, but sends nothing.
const JOB: &str = "id,start_us,source,destination,size_B,after,gap_us,class
a,1.5,h1,h2,100,,0.5,x
b,,h1,h3,200,d c,,
c,,h1,,0,d,3,
d,,h3,h1,400,e,1,
e,0,h2,h3,50,,,x
f,,h4,,0,g,2,
g,0,h2,h4,10,,,
";

#[test]
fn messages_that_wait_for_each_other_form_a_job() {
    let entry = "path = \"job.csv\"\nname = \"j\"\nstart = \"10 us\"";
    let prepared = load(entry, &[], &[("lab/job.csv", JOB)]).and_then(|scenario| scenario.prepare(1));
    let prepared = prepared.unwrap_or_else(|errors| panic!("{errors}"));
    let message = |flow: usize, number: usize| {
        let Traffic::Dependent(list) = &prepared.spec.flows[flow].traffic else { panic!("not dependent") };
        let after: Vec<String> =
            list[number].after.iter().map(|id| format!("{}.{}", id.flow.0, id.number)).collect();
        format!("{} {} {}", list[number].size, list[number].gap, after.join(" "))
    };
    let flow = |index: usize| {
        let flow = &prepared.spec.flows[index];
        let Traffic::Dependent(list) = &flow.traffic else { panic!("not dependent") };
        let name = |id| prepared.spec.topology.node_at(id).name.clone();
        let setpoint_sim::Destination::Station(sink) = flow.destination else { panic!("not to a station") };
        assert_eq!(flow.start.since_start(), TimeDelta::from_micros(10));
        (flow.name.clone(), format!("{}->{}", name(flow.source), name(sink)), list.len())
    };
    // Flows without a class come first. The computation c is in the first flow of h1, and f in a flow without messages.
    let flows: Vec<_> = (0..prepared.spec.flows.len()).map(flow).collect();
    let expected = [
        ("j1", "h1->h3", 1),
        ("j2", "h3->h1", 1),
        ("j3", "h2->h4", 1),
        ("j4", "h4->h2", 1),
        ("j5", "h1->h2", 2),
        ("j6", "h2->h3", 1),
    ];
    assert_eq!(flows, expected.map(|(name, ends, count)| (name.to_owned(), ends.to_owned(), count)));
    assert_eq!(message(0, 0), "200 B 0 s 4.1 1.0");
    assert_eq!(message(1, 0), "400 B 1 µs 5.0");
    assert_eq!(message(3, 0), "0 B 2 µs 2.0");
    assert_eq!((message(4, 0), message(4, 1)), ("100 B 2 µs ".to_owned(), "0 B 3 µs 1.0".to_owned()));

    let [job] = &prepared.jobs[..] else { panic!("one job") };
    assert_eq!((job.name.as_str(), job.kind, job.ranks.len(), job.flows.clone()), ("j", "messages", 4, 0..6));
    let steps: Vec<(&str, u32)> =
        job.ids.iter().map(|id| &**id).zip(job.messages.iter().map(|one| one.step)).collect();
    assert_eq!(steps, [("a", 0), ("e", 0), ("g", 0), ("d", 1), ("f", 1), ("c", 2), ("b", 2)]);
    let entries: Vec<_> =
        prepared.entries.iter().map(|entry| (entry.name.as_str(), entry.flows.clone())).collect();
    assert_eq!(entries, [("j", 0..4), ("x", 4..6)]);
}

/// The table in docs/import.md, of which the last message waits for all others.
#[test]
fn the_job_of_the_documentation_can_be_read() {
    let text = include_str!("../../../../docs/import.md");
    let (_, section) = text.split_once("### Messages that wait for others").expect("the section");
    let (_, table) = section.split_once("```text\n").expect("the table");
    let (table, _) = table.split_once("```").expect("its end");
    let table: &'static str = table.to_owned().leak();
    let files = Memory([("lab/job.csv", table)].into());
    let scenario = r#"
        duration = "1 ms"
        flow_files = [{ path = "job.csv" }]
        [topology.graph]
        stations = ["h0", "h1", "h2"]
        bridges = ["b"]
        links = [{ between = ["h0", "b"] }, { between = ["h1", "b"] }, { between = ["h2", "b"] }]
    "#;
    let source = Source::of_file("lab/test.toml", scenario, "lab".into());
    let scenario = Scenario::load_with(&source, &[], &files).unwrap_or_else(|errors| panic!("{errors}"));
    let prepared = scenario.prepare(1).unwrap_or_else(|errors| panic!("{errors}"));
    let last = prepared.jobs[0].messages.last().unwrap();
    assert_eq!(
        (prepared.jobs[0].ids.len(), prepared.jobs[0].ids.last().map(|id| &**id), last.step),
        (4, Some("copy"), 2)
    );
}

#[test]
fn keys_of_the_entry_apply_to_all_messages() {
    let keys = "path = \"trace.csv\"\nname = \"t\"\nstart = \"2 us\"\nframe = \"500 B\"\npriority = 1\nmessages = \"in-order\"";
    let spec = spec(&load(keys, &[], &[]).unwrap_or_else(|errors| panic!("{errors}")));
    let priorities: Vec<u8> = spec.flows.iter().map(|flow| flow.priority.get()).collect();
    assert_eq!(priorities, [1, 5, 1, 1]);
    for (number, flow) in (1..).zip(&spec.flows) {
        assert_eq!(flow.name, format!("t{number}"));
        assert_eq!((flow.frame, flow.messages), (Bytes::new(500), MessageOrder::InOrder));
        assert_eq!(flow.start.since_start(), TimeDelta::from_micros(2));
    }
}

#[test]
fn a_path_is_relative_to_the_file_in_which_it_is_written() {
    let base = "duration = \"1 ms\"\n[topology.star]\nstations = 4\n[[flow_files]]\npath = \"here.csv\"\n";
    let table = "start_s,source,destination,size_B\n0,h4,h1,1\n";
    let files = Memory([("lab/base/base.toml", base), ("lab/base/here.csv", table)].into());
    let source = Source::of_file("lab/test.toml", "extends = \"base/base.toml\"", "lab".into());
    let scenario = Scenario::load_with(&source, &[], &files).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(messages(&spec(&scenario)), ["f1 h4->h1 p3 0 s 1 B"]);
}

#[test]
fn options_and_sweeps_choose_files() {
    let other = ("lab/other.csv", "start_us,source,destination,size_B\n3,h2,h1,7\n");
    let set = load("path = \"trace.csv\"", &["flow_files.1.path=other.csv"], &[other]).unwrap();
    assert_eq!(messages(&spec(&set)), ["f1 h2->h1 p3 3 µs 7 B"]);

    let swept = "path = \"trace.csv\"\n[sweep]\n\"flow_files.1.path\" = [\"trace.csv\", \"other.csv\"]";
    let variants = load(swept, &[], &[other]).unwrap().variants().unwrap_or_else(|errors| panic!("{errors}"));
    let counts: Vec<usize> = variants.iter().map(|variant| spec(&variant.scenario).flows.len()).collect();
    assert_eq!(counts, [4, 1]);

    let added = load("path = \"trace.csv\"", &[], &[other]).unwrap();
    let axis = Axis::read("--axis", "flow_files.1.path=other.csv,trace.csv").unwrap();
    insta::assert_snapshot!(added.with_axes(&[axis]).unwrap().variants().unwrap_err());
}

#[test]
fn the_text_of_a_result_changes_with_the_file() {
    let text = |table: &'static str| {
        let set = ["flow_files.1.path=other.csv"];
        load("path = \"trace.csv\"", &set, &[("lab/other.csv", table)]).unwrap().prepare(1).unwrap().text
    };
    let one = text("start_us,source,destination,size_B\n3,h2,h1,7\n");
    assert!(one.contains("\n# other.csv: 1 messages, SHA-256 "), "{one}");
    assert_ne!(one, text("start_us,source,destination,size_B\n3,h2,h1,8\n"));
}

#[test]
fn messages_after_the_end_cause_a_warning() {
    let scenario = load("path = \"trace.csv\"", &["duration=5us"], &[]).unwrap();
    let warnings = scenario.prepare(1).unwrap().warnings();
    let late = warnings.iter().find(|warning| warning.check().code == "after-the-end").expect("one is late");
    assert_eq!(late.message(), "1 message does not take place, because the run ends at 5 µs");
}

#[test]
fn a_text_from_nowhere_names_no_file() {
    let source = Source::new("pasted", format!("{STAR}[[flow_files]]\npath = \"/etc/passwd\"\n"));
    insta::assert_snapshot!(Scenario::load(&source, &[]).unwrap_err());
}
