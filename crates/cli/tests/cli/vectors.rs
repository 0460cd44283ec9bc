//! `step` and `vectors`, and the document about them.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Deserializer, Value};
use setpoint_control::Algorithm;

use crate::support::{Place, complaints, words};

const DOCUMENT: &str = include_str!("../../../../docs/vectors.md");

fn program() -> std::path::PathBuf {
    assert_cmd::cargo::cargo_bin("setpoint")
}

fn start(arguments: &[&str]) -> Child {
    let mut command = Command::new(program());
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Writes all input at once; returns standard output, standard error and the exit code.
fn fed(arguments: &[&str], input: &str) -> (String, String, Option<i32>) {
    let mut child = start(arguments);
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // Written in a separate thread, since answers arrive while there is more to write; the program may stop
    // reading on purpose.
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code())
}

#[test]
fn every_line_is_answered_before_the_next_is_written() {
    let mut child = start(&["step", "qcn"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    let mut due = 0;
    for step in 1..=20 {
        let line = match step {
            1 => r#"{"notification": {"feedback": 63}}"#.to_owned(),
            _ => format!(r#"{{"timer": {{"time_ps": {due}}}}}"#),
        };
        writeln!(stdin, "{line}").unwrap();
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!((&answer["step"], &answer["update"]), (&step.into(), &"changed".into()), "{answer}");
        due = answer["timer_ps"].as_u64().unwrap();
    }
    drop(stdin);
    let mut rest = String::new();
    answers.read_to_string(&mut rest).unwrap();
    assert_eq!((rest.as_str(), child.wait().unwrap().code()), ("", Some(0)));
}

#[test]
fn replaying_the_inputs_of_vectors_reproduces_them() {
    let place = Place::new();
    for algorithm in Algorithm::ALL {
        let name = algorithm.name();
        let options = words("--steps 20 --seed 7 --line-rate 40Gb/s");
        let printed = place.setpoint(&[&["vectors", name], &options[..]].concat());
        let inputs: String = printed
            .printed()
            .lines()
            .map(|line| format!("{}\n", serde_json::from_str::<Value>(line).unwrap()["input"]))
            .collect();
        let (answers, complaints, code) = fed(&["step", name], &inputs);
        assert_eq!((complaints.as_str(), code), ("", Some(0)));
        assert!(answers == printed.stdout, "{name}");
        let stored = [&["vectors", name, "--out", "file"], &options[..]].concat();
        place.setpoint(&stored).printed();
        assert!(std::fs::read_to_string(place.path("file")).unwrap() == printed.stdout, "{name}");
    }
}

#[test]
fn a_wrong_line_ends_the_session() {
    let input = "{\"sent\": {\"frame_bytes\": 64}}\n\n{\"sent\": {\"frame_byte\": 64}}\n{\"sent\": {\"frame_bytes\": 64}}\n";
    let (answers, complaint, code) = fed(&["step", "qcn"], input);
    assert_eq!((answers.lines().count(), code), (1, Some(2)));
    insta::assert_snapshot!(complaint, @r#"error: line 3: unknown key "frame_byte" in "sent"; did you mean "frame_bytes"?"#);
}

#[test]
fn wrong_options_have_a_remedy() {
    let place = Place::new();
    let lines = [
        "step qnc",
        "step qcn --set cp.set_pint=3kB",
        "step qcn --set cp.set_point",
        "step qcn --set cp.set_point=3",
        "step qcn --line-rate '1 Mb/s'",
        "vectors qcn --steps 0",
    ];
    insta::assert_snapshot!(complaints(&place, &lines));
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut child = start(&["step", "qcn"]);
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    let _ = writeln!(stdin, r#"{{"timer": {{}}}}"#);
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_waiting_session() {
    let mut child = start(&["step", "qcn"]);
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, r#"{{"timer": {{}}}}"#).unwrap();
    // Once there is an answer, the program has reached its loop.
    let mut answer = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut answer).unwrap();
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// The commands of a document and their output: lines after `$ ` and `> `, and the rest of the block.
fn sessions() -> Vec<(String, String)> {
    let blocks = DOCUMENT.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let session = |block: &str| {
        let (mut command, mut printed) = (String::new(), String::new());
        for line in block.lines() {
            match line.strip_prefix("$ ").or_else(|| line.strip_prefix("> ")) {
                Some(part) => command += &format!("{part}\n"),
                None => printed += &format!("{line}\n"),
            }
        }
        (command, printed)
    };
    blocks.map(session).collect()
}

fn values(text: &str) -> Vec<Value> {
    Deserializer::from_str(text).into_iter::<Value>().map(Result::unwrap).collect()
}

#[cfg(unix)]
#[test]
fn the_sessions_of_the_document_run() {
    let sessions = sessions();
    assert_eq!(sessions.len(), 2);
    let folders =
        [program().parent().unwrap().to_owned(), Path::new("/usr/bin").into(), Path::new("/bin").into()];
    for (command, printed) in sessions {
        let mut shell = Command::new("sh");
        shell.args(["-c", &command]).env("PATH", std::env::join_paths(&folders).unwrap());
        let output = shell.output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{command}");
        let answered = String::from_utf8(output.stdout).unwrap();
        assert_eq!(values(&printed), values(&answered), "{command}{answered}");
    }
}

/// The keys of an object, including nested ones.
fn keys(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    // The keys inside these depend on the algorithm.
    let named = ["counters", "state", "parameters.*"].contains(&path);
    match value {
        Value::Object(object) if !named || path == "parameters.*" => {
            for (key, inner) in object {
                let key = if path == "parameters" { "*" } else { key };
                let dot = if path.is_empty() { "" } else { "." };
                keys(inner, &format!("{path}{dot}{key}"), found);
            }
        }
        Value::Array(items) if items.first().is_some_and(Value::is_object) => {
            items.iter().for_each(|item| keys(item, &format!("{path}[]"), found));
            found.insert(path.to_owned());
        }
        _ => drop(found.insert(path.to_owned())),
    }
}

/// The first column of the tables from one heading to the next.
fn documented(heading: &str) -> BTreeSet<String> {
    let section = DOCUMENT
        .split("\n## ")
        .flat_map(|section| section.split("\n### "))
        .find(|section| section.lines().next().is_some_and(|title| title.contains(heading)));
    let rows = section.unwrap_or_else(|| panic!("no section {heading:?}")).lines();
    rows.filter_map(|row| Some(row.strip_prefix("| `")?.split_once('`')?.0.to_owned())).collect()
}

#[test]
fn every_key_is_documented() {
    let place = Place::new();
    let answers = documented("Answers");
    let inputs = documented("Inputs");
    for algorithm in Algorithm::ALL {
        let printed = place.setpoint(&["vectors", algorithm.name(), "--steps", "100"]);
        for line in printed.printed().lines() {
            let mut line: Value = serde_json::from_str(line).unwrap();
            for (name, event) in line["input"].as_object().unwrap() {
                assert!(inputs.contains(name), "{name}");
                let known = documented(&format!("`{name}`"));
                event
                    .as_object()
                    .unwrap()
                    .keys()
                    .for_each(|key| assert!(known.contains(key), "{name}.{key}"));
            }
            line["input"] = Value::Null;
            // An acknowledgement in a reply has the keys of the input with this name.
            if let Some(content) = line["reply"].get("acknowledgement").and_then(Value::as_object) {
                let known = documented("`acknowledgement`");
                content.keys().for_each(|key| assert!(known.contains(key), "reply.acknowledgement.{key}"));
                line["reply"] = Value::Null;
            }
            let mut found = BTreeSet::new();
            keys(&line, "", &mut found);
            found.iter().for_each(|key| assert!(answers.contains(key), "{key}: {answers:?}"));
        }
    }
}
