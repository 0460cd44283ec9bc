//! `import`.

use crate::support::{Place, names, words};

const TOPOLOGY: &str = "4 1 3\n3\n0 3 10Gbps 1us 0\n1 3 10Gbps 1us 0\n2 3 10Gbps 1us 0\n";
const FLOWS: &str = "2\n0 1 3 100 20000 2.0\n2 1 3 200 30000 2.00001\n";

#[test]
fn an_imported_scenario_runs() {
    let place = Place::new();
    place.write("topology.txt", TOPOLOGY);
    place.write("flow.txt", FLOWS);
    insta::assert_snapshot!(place.setpoint(&["import", "topology.txt", "flow.txt"]).printed());
    assert_eq!(names(&place.path("flow")), ["flow.toml", "flows.csv"]);
    place.setpoint(&["run", "flow/flow.toml", "--quiet", "--no-report", "-o", "here"]).printed();
    let messages = std::fs::read_to_string(place.path("here/messages.csv")).unwrap();
    assert_eq!(messages.lines().count(), 3, "{messages}");

    // A file in which anything has changed is another input.
    let table = std::fs::read_to_string(place.path("flow/flows.csv")).unwrap();
    place.write("flow/flows.csv", &table.replace("30000", "60000"));
    place.setpoint(&["run", "flow/flow.toml", "--quiet", "--no-report", "-o", "there"]).printed();
    let manifest = |run: &str| std::fs::read_to_string(place.path(run).join("manifest.json")).unwrap();
    let hash = |run: &str| manifest(run).split("SHA-256 ").nth(1).unwrap()[..64].to_owned();
    assert_ne!(hash("here"), hash("there"));
}

#[test]
fn refused_files_leave_nothing_behind() {
    let place = Place::new();
    place.write("topology.txt", &TOPOLOGY.replace("10Gbps", "fast"));
    insta::assert_snapshot!(place.setpoint(&["import", "topology.txt"]).complained(2));
    assert_eq!(
        place.setpoint(&["import", "nowhere.txt"]).complained(2),
        "error: cannot read the file: there is no such file\n--> nowhere.txt\n"
    );
    place.write("topology.txt", TOPOLOGY);
    std::fs::create_dir(place.path("full")).unwrap();
    place.write("full/file", "");
    let said = place.setpoint(&["import", "topology.txt", "--out", "full"]).complained(1).to_owned();
    assert!(said.contains("is not empty"), "{said}");
    assert_eq!(names(&place.path("full")), ["file"]);
}

/// The files and the commands in docs/import.md.
#[test]
fn the_example_of_the_documentation_runs() {
    let text = include_str!("../../../../docs/import.md");
    let place = Place::new();
    for name in ["topology.txt", "flow.txt"] {
        let (_, rest) =
            text.split_once(&format!("`{name}`:\n\n```text\n")).expect("the chapter shows the file");
        place.write(name, rest.split_once("```").expect("the file ends").0);
    }
    let (_, rest) = text.split_once("```sh\n").expect("the chapter shows commands");
    let (commands, _) = rest.split_once("```").expect("the commands end");
    for line in commands.lines() {
        let command = line.split('#').next().unwrap().trim().strip_prefix("setpoint ").expect("a command");
        place.setpoint(&words(command)).printed();
    }
    assert_eq!(names(&place.path("hpcc")), ["fct.txt", "nodes.txt", "pfc.txt"]);
    let fct = std::fs::read_to_string(place.path("hpcc/fct.txt")).unwrap();
    assert_eq!(fct.lines().count(), 3, "{fct}");
}
