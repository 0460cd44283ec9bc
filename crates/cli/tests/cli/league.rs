//! `setpoint league`.

use crate::support::Place;

#[test]
fn a_league_of_one_scenario() {
    let place = Place::new();
    let done = place.setpoint(&["league", "incast", "--seeds", "2", "--out", "out", "--json", "--quiet"]);
    let standings: serde_json::Value = serde_json::from_str(done.printed()).expect("JSON is printed");
    let rows = standings[0]["rows"].as_array().expect("a row for each algorithm");
    let names: Vec<&str> = rows.iter().filter_map(|row| row["algorithm"].as_str()).collect();
    let expected: Vec<&str> =
        setpoint_control::Algorithm::ALL.into_iter().map(setpoint_control::Algorithm::name).collect();
    assert_eq!(names, expected);
    for row in rows.iter().filter(|row| row["runs"] != 0) {
        assert_eq!(row["runs"], 2, "{row}");
        let loss = &row["scores"][4]["spread"];
        assert_eq!((&loss["count"], &loss["max"]), (&2.into(), &0.0.into()), "nothing is lost: {row}");
    }
    let marks = rows.iter().flat_map(|row| row["scores"].as_array().unwrap()).map(|score| &score["mark"]);
    assert!(marks.clone().any(|mark| mark == "best") && marks.clone().any(|mark| mark == "worst"));
    let csv = std::fs::read_to_string(place.path("out/league.csv")).unwrap();
    assert!(csv.starts_with("scenario,algorithm,figure,mean,deviation,min,max,runs_with_it,runs,mark\n"));
    assert!(csv.contains("league-incast,qcn,fct_mean_s"));
    assert!(
        std::fs::read_to_string(place.path("out/league.html"))
            .unwrap()
            .contains("League of congestion control")
    );
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
