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
