//! Jobs on the terminal, and the examples of docs/collectives.md.

use serde_json::Value;

use crate::support::Place;

const DOCUMENT: &str = include_str!("../../../../docs/collectives.md");

/// The text of the first block of code in a language.
fn block(language: &str) -> &'static str {
    let (_, rest) = DOCUMENT.split_once(&format!("```{language}\n")).expect("the chapter has such a block");
    rest.split_once("```").expect("the block ends").0
}

fn summary(place: &Place, result: &str) -> Value {
    let text = std::fs::read_to_string(place.path(result).join("summary.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Two iterations of 14 messages for each of eight ranks. The other flow shares the port of its own station with the job.
#[test]
fn the_job_of_the_documentation_ends_late() {
    let place = Place::new();
    place.write("two-tenants.toml", block("toml"));
    let shown = place.setpoint(&["run", "two-tenants.toml", "--no-report", "-o", "r"]).printed().to_owned();
    let summary = summary(&place, "r");
    let job = &summary["jobs"][0];
    assert_eq!((&job["name"], &job["completed"]), (&"train".into(), &(2 * 14 * 8).into()), "{job}");
    assert_eq!(summary["total"]["dropped_frames"], 0);
    let (time, ideal) = (job["time_s"].as_f64().unwrap(), job["ideal_s"].as_f64().unwrap());
    assert!(time > 1.1 * ideal, "{time} and {ideal}");
    let delays = job["delays"].as_array().unwrap();
    let other = |delay: &Value| delay["shared_with"].as_array().unwrap().contains(&"other".into());
    assert!(other(&delays[0]) && delays[0]["port"] == "h2->bridge", "{}", delays[0]);
    assert!(shown.contains("ring-all-reduce of 8 ranks") && shown.contains("slowest rank"), "{shown}");
}

/// The end of the run is the cause, and the messages that were not released are counted.
#[test]
fn an_unfinished_job_names_its_cause() {
    let place = Place::new();
    place.write("two-tenants.toml", block("toml"));
    let shown = place
        .setpoint(&["run", "two-tenants.toml", "--set", "duration=300us", "-o", "r"])
        .printed()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let summary = summary(&place, "r");
    let why = &summary["jobs"][0]["unfinished"];
    let waiting = why["waiting"].as_u64().unwrap();
    assert!(waiting > 0 && shown.contains(&format!("{waiting} not released")), "{shown}");
    assert!(shown.contains("cause the run ended at 300 µs, before the message of train:"), "{shown}");
    assert!(shown.contains("remedy increase `duration` beyond"), "{shown}");
    let report = std::fs::read_to_string(place.path("r/report.html")).unwrap();
    assert!(report.contains("The job did not end. The run ended at"), "the report names it");
    assert!(report.contains(&format!("{waiting} messages were not released, because the jobs did not end.")));
}
