//! `setpoint league`.

use setpoint_lab::league;

use crate::support::Place;

/// A few algorithms: without congestion control, with it, with a profile, and one that drops frames.
const FEW: [&str; 5] = ["none", "qcn", "af-qcn", "afd", "timely:patched"];

#[test]
fn a_league_of_one_scenario() {
    let place = Place::new();
    let control = format!("--control={}", FEW.join(","));
    let league = |seeds: &str| {
        place.setpoint(&["league", "incast", &control, "--seeds", seeds, "--out", "out", "--json", "--quiet"])
    };
    let done = league("3");
    let standings: serde_json::Value = serde_json::from_str(done.printed()).expect("JSON is printed");
    let standings = standings.as_array().expect("a standing for each division");
    let divisions: Vec<&str> =
        standings.iter().filter_map(|standing| standing["division"].as_str()).collect();
    assert_eq!(divisions, ["lossless", "without_flow_control"]);
    for standing in standings {
        let rows = standing["rows"].as_array().expect("a row for each algorithm");
        let names: Vec<&str> = rows.iter().filter_map(|row| row["algorithm"].as_str()).collect();
        assert_eq!(names, FEW);
        let marks = rows.iter().flat_map(|row| row["scores"].as_array().unwrap()).map(|score| &score["mark"]);
        assert!(marks.clone().any(|mark| mark == "best") && marks.clone().any(|mark| mark == "worst"));
    }
    let runs = |standing: usize, algorithm: &str| {
        let place = FEW.iter().position(|name| *name == algorithm).unwrap();
        standings[standing]["rows"][place]["runs"].clone()
    };
    assert_eq!([runs(0, "afd"), runs(1, "afd"), runs(0, "qcn")], [0, 3, 3], "afd works by dropping");
    let place_of = |figure: &str| league::DISCIPLINES.iter().position(|one| one.name == figure).unwrap();
    for row in standings[0]["rows"].as_array().unwrap().iter().filter(|row| row["runs"] != 0) {
        let loss = &row["scores"][place_of("loss_share")]["spread"];
        assert_eq!((&loss["count"], &loss["max"]), (&3.into(), &0.0.into()), "nothing is lost: {row}");
    }
    // Without flow control, an algorithm that loses frames of the incast is not marked as the best at completing it.
    let rows = standings[1]["rows"].as_array().unwrap().iter();
    let losing = rows.filter(|row| row["scores"][place_of("loss_share")]["spread"]["max"] != 0.0);
    let losing: Vec<_> = losing.collect();
    assert!(losing.iter().any(|row| row["algorithm"] == "qcn"), "{losing:?}");
    for row in losing {
        assert_ne!(row["scores"][place_of("fct_p50_s")]["mark"], "best", "{row}");
    }
    let csv = std::fs::read_to_string(place.path("out/league.csv")).unwrap();
    let header = "division,scenario,algorithm,figure,mean,mean_is_lower_bound,deviation,low,high,min,max,runs_with_it,runs,mark,\
                  baseline,difference,difference_low,difference_high\n";
    assert!(csv.starts_with(header), "{csv}");
    assert!(csv.contains("lossless,league-incast,qcn,fct_p50_s"));
    assert!(csv.contains("without flow control,league-incast,afd,loss_share"));
    assert!(csv.contains("lossless,league-incast,timely:patched,hpcc_slowdown_p99"));
    let manifest =
        std::fs::read_to_string(place.path(
            "out/3_scenario=league-incast_flow_control=pfc_control=timely-patched_seed=1/manifest.json",
        ));
    let manifest: serde_json::Value = serde_json::from_str(&manifest.unwrap()).unwrap();
    assert_eq!(manifest["overrides"][1], serde_json::json!(["control.timely.profile", "patched"]));
    let page = std::fs::read_to_string(place.path("out/league.html")).unwrap();
    assert!(page.contains("League of congestion control") && page.contains("Without flow control"));
    assert!(page.contains("PFC alone") && page.contains("Percentiles of the slowdown by message size"));
    assert_eq!(place.setpoint(&["report", "out", "--quiet"]).printed(), "");
    assert_eq!(std::fs::read_to_string(place.path("out/league.html")).unwrap(), page, "regenerated");
    assert!(!place.path("out/sweep.html").exists());
    // The same runs with one seed: nothing is marked.
    let one = league("1");
    let one = one.printed();
    assert!(one.contains("\"too_few_seeds\"") && !one.contains("\"best\"") && !one.contains("\"worst\""));
}

#[test]
fn a_profile_that_does_not_exist() {
    let place = Place::new();
    let done = place.setpoint(&["league", "few", "--control", "qcn,timely:pached"]);
    let complaint = done.complained(2);
    assert!(complaint.contains("timely has no profile \"pached\"; did you mean `patched`?"), "{complaint}");
}

#[test]
fn a_scenario_that_is_not_in_the_league() {
    let place = Place::new();
    let done = place.setpoint(&["league", "incats"]);
    let complaint = done.complained(2);
    assert!(
        complaint.contains("the league has no scenario \"incats\"; did you mean `incast`?"),
        "{complaint}"
    );
}
