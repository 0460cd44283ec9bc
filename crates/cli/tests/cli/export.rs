//! `export`.

use crate::support::{Place, SHORT, names};

#[test]
fn tables_go_beside_the_result_and_leave_it_replaceable() {
    let place = Place::new();
    place.setpoint(&[&["run", "--no-report", "--quiet", "-o", "here"], &SHORT[..]].concat()).printed();
    let ended = place.setpoint(&["export", "here/"]);
    assert!(ended.printed().contains("here-tables"), "{}", ended.stdout);
    let rates = std::fs::read_to_string(place.path("here-tables/flows.rate_bps.csv")).unwrap();
    let samples = std::fs::read_to_string(place.path("here/samples.csv")).unwrap();
    assert_eq!(rates.lines().count(), samples.lines().count());
    let columns = (1..=10).map(|flow| format!(",f{flow}")).collect::<String>();
    assert_eq!(rates.lines().next(), Some(&*format!("time_s{columns}")));
    assert_eq!(names(&place.path("here-tables")).len(), 8);

    let again = place.setpoint(&["export", "here"]);
    assert_eq!(again.code, Some(1));
    assert!(again.stderr.contains("is not empty"), "{}", again.stderr);
    place.setpoint(&["export", "here", "--out", "other", "--quiet"]).printed();
    place.setpoint(&[&["run", "--no-report", "--quiet", "-o", "here"], &SHORT[..]].concat()).printed();
}

#[test]
fn parquet_with_a_run_and_of_a_stored_one() {
    let place = Place::new();
    let run = ["run", "--no-report", "--format", "parquet", "-o", "here"];
    let ended = place.setpoint(&[&run[..], &SHORT[..]].concat());
    assert!(ended.printed().contains("here/tables"), "{}", ended.stdout);
    place.setpoint(&["export", "here", "--format", "parquet", "--quiet"]).printed();
    assert_eq!(names(&place.path("here/tables")), names(&place.path("here-tables")));
    assert!(names(&place.path("here-tables")).contains(&"flow_series.parquet".to_owned()));
    for name in names(&place.path("here-tables")) {
        let [one, other] = ["here/tables", "here-tables"].map(|folder| place.path(folder).join(&name));
        let bytes = std::fs::read(one).unwrap();
        assert_eq!(bytes, std::fs::read(other).unwrap(), "{name}");
        assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"), "{name}");
    }
    // A run without the option removes the tables, which would be outdated.
    place.setpoint(&[&["run", "--no-report", "--quiet", "-o", "here"], &SHORT[..]].concat()).printed();
    assert!(!place.path("here/tables").exists());
}

#[test]
fn a_sweep_has_a_table_of_runs_and_one_of_variants() {
    let place = Place::new();
    let axes = ["--axis", "network.buffer=100kB,200kB", "--axis", "topology.dumbbell.senders=2,3"];
    let sweep = |more: &[&str]| {
        place.setpoint(
            &[&["sweep", "default", "--seeds", "2", "-o", "s", "--quiet"], &axes[..], &SHORT, more].concat(),
        )
    };
    sweep(&["--format", "parquet"]).printed();
    assert_eq!(names(&place.path("s/tables")), ["runs.parquet", "variants.parquet"]);
    place.setpoint(&["export", "s", "--quiet"]).printed();
    let table = |name: &str| std::fs::read_to_string(place.path("s-tables").join(name)).unwrap();
    let (runs, variants) = (table("runs.csv"), table("variants.csv"));
    assert_eq!((runs.lines().count(), variants.lines().count()), (9, 5));
    let header = "variant,network.buffer,network.buffer_bytes,topology.dumbbell.senders,topology.dumbbell.senders_number,seed";
    assert!(runs.starts_with(header), "{runs}");
    assert!(runs.lines().nth(1).unwrap().starts_with("0,100kB,100000,2,2,1,"), "{runs}");
    sweep(&[]).printed();
    assert!(!place.path("s/tables").exists());
}

#[test]
fn edited_figures_and_damaged_runs_are_not_exported() {
    let place = Place::new();
    let run = ["run", "--seeds", "2", "-o", "s", "--quiet", "--no-report"];
    place.setpoint(&[&run[..], &SHORT].concat()).printed();
    place.setpoint(&["export", "s", "--quiet"]).printed();
    let edit = |file: &str, from: &str, to: &str| {
        let text = std::fs::read_to_string(place.path(file)).unwrap();
        place.write(file, &text.replacen(from, to, 1));
        let said = place.setpoint(&["export", "s", "--out", "t"]).complained(1).to_owned();
        place.write(file, &text);
        assert!(!place.path("t").exists());
        said
    };
    let said = edit("s/sweep.json", "\"mean\": ", "\"mean\": 1");
    assert_eq!(said, "error: the result is damaged: s/sweep.json does not match its hash in files.json\n");
    let said = edit("s/seed=2/queues.csv", "0", "1");
    assert!(said.contains("s/seed=2/queues.csv does not match its hash"), "{said}");
    // Another run replaces one of the runs of the sweep.
    let other = ["run", "--seed", "3", "-o", "s/seed=2", "--quiet", "--no-report"];
    place.setpoint(&[&other[..], &SHORT].concat()).printed();
    let said = place.setpoint(&["export", "s", "--out", "t"]).complained(1).to_owned();
    assert_eq!(said, "error: the result is damaged: s/seed=2 is not the run that sweep.json describes\n");
}

/// A limit on the size of files ends the program while it writes, like a kill or a full disk.
#[cfg(unix)]
#[test]
fn tables_and_vectors_are_written_completely_or_not_at_all() {
    let place = Place::new();
    let limited = |arguments: &str| {
        let program = env!("CARGO_BIN_EXE_setpoint");
        let command = format!("ulimit -f 2; exec '{program}' {arguments}");
        let ended =
            std::process::Command::new("sh").args(["-c", &command]).current_dir(place.folder()).output();
        assert!(!ended.unwrap().status.success(), "{arguments}");
    };
    place.setpoint(&[&["run", "--no-report", "--quiet", "-o", "here"], &SHORT[..]].concat()).printed();
    limited("export here");
    assert!(!place.path("here-tables").exists());
    place.setpoint(&["export", "here", "--quiet"]).printed();
    place.write("golden.jsonl", "old");
    limited("vectors qcn --out golden.jsonl");
    assert_eq!(std::fs::read_to_string(place.path("golden.jsonl")).unwrap(), "old");
    place.setpoint(&["vectors", "qcn", "--out", "golden.jsonl"]).printed();
    assert!(std::fs::read_to_string(place.path("golden.jsonl")).unwrap().starts_with('{'));
    assert_eq!(names(place.folder()), ["golden.jsonl", "here", "here-tables"]);
}

#[test]
fn the_files_of_hpcc() {
    let place = Place::new();
    place.write("topology.txt", "4 1 3\n3\n0 3 10Gbps 1us 0\n1 3 10Gbps 1us 0\n2 3 10Gbps 1us 0\n");
    place.write(
        "flow.txt",
        "4\n0 1 3 100 1000 2.0\n0 2 3 300 5000 2.001\n0 1 3 200 500000 2.002\n2 1 3 200 500000 2.002\n",
    );
    place.setpoint(&["import", "topology.txt", "flow.txt", "--quiet", "--out", "imported"]).printed();
    let run = ["run", "imported/flow.toml", "--no-report", "--quiet", "-o", "here"];
    place.setpoint(&[&run[..], &["--set", "sample_interval=1us"]].concat()).printed();
    let said = place.setpoint(&["export", "here", "--format", "hpcc"]);
    assert!(said.printed().contains("here-hpcc"), "{}", said.stdout);
    assert_eq!(names(&place.path("here-hpcc")), ["fct.txt", "nodes.txt", "pfc.txt"]);
    let text = |name: &str| std::fs::read_to_string(place.path("here-hpcc").join(name)).unwrap();
    assert_eq!(text("nodes.txt"), "0 h0\n1 h1\n2 h2\n3 s3\n");

    let rows: Vec<Vec<String>> =
        text("fct.txt").lines().map(|line| line.split(' ').map(str::to_owned).collect()).collect();
    let number = |row: &[String], column: usize| row[column].parse::<u64>().unwrap();
    let named: Vec<[&str; 5]> =
        rows.iter().map(|row| [0, 1, 2, 3, 4].map(|column| row[column].as_str())).collect();
    let one = ["0b000001", "0b000101", "10000", "100", "1000"];
    assert_eq!(named[..2], [one, ["0b000001", "0b000201", "10000", "300", "5000"]]);
    assert_eq!(named[2..].iter().filter(|row| row[3] == "200" && row[4] == "500000").count(), 2);
    // Two links of 1 µs, and 1000 B and 1048 B at 10 Gb/s.
    assert_eq!(number(&rows[0], 7), 4_000 + 2 * 800 + 838);
    // An unhindered message takes as long as HPCC's formula says, except that every link carries its headers, and that
    // it starts within the time of a frame.
    let (start, fct) = (number(&rows[0], 5), number(&rows[0], 6));
    assert!((2_000_000_000..2_000_000_839).contains(&start), "{start}");
    assert_eq!(fct, 4_000 + 2 * 838 + 1);
    // Two messages share the link to their receiver, so the last one takes about twice as long.
    let slowdown = number(&rows[3], 6) as f64 / number(&rows[3], 7) as f64;
    assert!((1.9..2.1).contains(&slowdown), "{slowdown}");

    // The senders are paused: time, node, host, interface, pause or resume.
    let pauses = text("pfc.txt");
    assert!(!pauses.is_empty());
    for line in pauses.lines() {
        let values: Vec<u64> = line.split(' ').map(|value| value.parse().unwrap()).collect();
        assert!(
            values[0] >= 2_002_000_000 && [0, 2].contains(&values[1]) && values[2..4] == [0, 1],
            "{line}"
        );
    }
    assert_eq!(pauses.lines().filter(|line| line.ends_with('1')).count(), pauses.lines().count() / 2);
}

/// The lines of pfc.txt are those of pauses.csv, and belong to as many pauses as the run has. Everything else is the same as in a run
/// that does not record them.
#[test]
fn recorded_pauses_are_exact() {
    let place = Place::new();
    place.write("topology.txt", "4 1 3\n3\n0 3 10Gbps 1us 0\n1 3 10Gbps 1us 0\n2 3 10Gbps 1us 0\n");
    place.write("flow.txt", "2\n0 1 3 200 500000 2.002\n2 1 3 200 500000 2.002\n");
    place.setpoint(&["import", "topology.txt", "flow.txt", "--quiet", "--out", "imported"]).printed();
    for (folder, more) in [("plain", &[][..]), ("exact", &["--set", "record_pauses=true"])] {
        let run = ["run", "imported/flow.toml", "--no-report", "--quiet", "--set", "sample_interval=1ms"];
        place.setpoint(&[&run[..], &["-o", folder], more].concat()).printed();
    }
    let json = |folder: &str, file: &str| -> serde_json::Value {
        serde_json::from_str(&std::fs::read_to_string(place.path(folder).join(file)).unwrap()).unwrap()
    };
    assert_eq!(json("plain", "manifest.json")["digest"], json("exact", "manifest.json")["digest"]);
    assert!(!place.path("plain/pauses.csv").exists());

    let plain = place.setpoint(&["export", "plain", "--format", "hpcc"]).printed().to_owned();
    assert!(plain.contains("record_pauses=true"), "{plain}");
    let exact = place.setpoint(&["export", "exact", "--format", "hpcc"]).printed().to_owned();
    assert!(!exact.contains("note"), "{exact}");
    let pfc = std::fs::read_to_string(place.path("exact-hpcc/pfc.txt")).unwrap();
    let log = std::fs::read_to_string(place.path("exact/pauses.csv")).unwrap();
    let expected: Vec<String> = log
        .lines()
        .skip(1)
        .map(|line| {
            let values: Vec<&str> = line.split(',').collect();
            let time = (values[0].parse::<f64>().unwrap() * 1e9).round() as u64 + 2_000_000_000;
            let host = values[1].strip_prefix('h').unwrap().split("->").next().unwrap();
            format!("{time} {host} 0 1 {}", u8::from(values[2] == "3"))
        })
        .collect();
    assert_eq!(pfc.lines().collect::<Vec<_>>(), expected);
    let ports = json("exact", "summary.json")["ports"].as_array().unwrap().clone();
    let pauses: u64 = ports.iter().map(|port| port["pauses"].as_u64().unwrap()).sum();
    assert!(pauses > 2, "{pauses}");
    assert_eq!(pfc.lines().filter(|line| line.ends_with(" 1")).count() as u64, pauses);
}

#[test]
fn runs_without_messages_have_no_completion_times() {
    let place = Place::new();
    place.setpoint(&[&["run", "--no-report", "--quiet", "-o", "here"], &SHORT[..]].concat()).printed();
    let said = place.setpoint(&["export", "here", "--format", "hpcc"]).complained(2).to_owned();
    assert!(
        said.starts_with("error: qcn-dumbbell completed no messages, and HPCC's fct.txt lists messages"),
        "{said}"
    );
    assert!(!place.path("here-hpcc").exists());
}
