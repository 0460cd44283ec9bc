//! Pages with comparisons: the league, tuning runs, and sweeps with several seeds.

use setpoint_lab::compare::{Comparison, Side};
use setpoint_lab::league::{DISCIPLINES, Division, Mark, Row, Score, Standing, Verdict};
use setpoint_lab::sweep::{RunSummary, SweptWarning, VariantSummary};
use setpoint_lab::tune::{
    CandidateRecord, CheckRecord, CheckedCandidate, ObjectiveRecord, ParameterRecord, RungRecord, TuneRecord,
};
use setpoint_record::catalogue::{self, FCT_P99, JAIN_WINDOWED, SETTLING};
use setpoint_record::confidence::{Difference, Spread};
use setpoint_record::results::{Bounded, WarningRecord};

use crate::sweep::{SENDERS, swept};

/// A standing in which two algorithms have a fairness index.
fn standing(seeds: usize, verdict: Verdict, mark: Option<Mark>) -> Standing {
    let place = DISCIPLINES.iter().position(|metric| **metric == JAIN_WINDOWED).unwrap();
    let row = |name: &str, value: f64, mark| {
        let spread = Spread::of(&vec![value; seeds]).unwrap();
        let pairs = vec![(Bounded::exact(value), Bounded::exact(0.5)); seeds];
        let difference = Difference::of(&pairs, 1).filter(|_| name != "qcn");
        let mut scores = vec![None; DISCIPLINES.len()];
        scores[place] = Some(Score { spread, difference, mark });
        Row { algorithm: name.to_owned(), runs: seeds, trouble: None, warnings: Vec::new(), scores }
    };
    Standing {
        division: Division::Lossless,
        scenario: "league-few".to_owned(),
        description: "Four senders.".to_owned(),
        baseline: "qcn".to_owned(),
        verdicts: vec![verdict; DISCIPLINES.len()],
        rows: vec![row("qcn", 0.5, None), row("smcc", 0.999_999_998, mark)],
    }
}

#[test]
fn a_league_with_one_seed_marks_nothing_and_says_why() {
    let page = setpoint_report::league(&[standing(1, Verdict::TooFewSeeds, None)]).html();
    assert!(
        page.contains("<span>1 seed</span>")
            && page.contains("Nothing is marked as best or worst. With one seed,")
    );
    assert!(!page.contains("class=\"verdict"), "no mark, and no table of marks");
    assert!(page.contains("1.0000<") && !page.contains("0.99999"), "few digits");
}

#[test]
fn a_league_has_a_chart_contents_and_differences() {
    let first = standing(5, Verdict::Clear, Some(Mark::Best));
    let second =
        Standing { division: Division::WithoutFlowControl, ..standing(5, Verdict::NoClearDifference, None) };
    let page = setpoint_report::league(&[first, second]).html();
    assert!(page.contains("id=\"figure-league-few-jain_index_windowed_mean\""));
    assert!(
        page.contains("href=\"#league-few-without-flow-control\"") && page.contains("<span>5 seeds</span>")
    );
    assert!(page.contains("No clear difference between the algorithms in fairness"));
    assert!(page.contains("Differences from qcn") && page.contains("+0.5"));
}

/// A tuning run with one parameter, whose best candidate may be confirmed, not confirmed or absent.
fn tuning(recommended: Option<usize>, confirmed: Option<bool>) -> TuneRecord {
    let spread = |value: f64| vec![Spread::of(&[value, value + 1.0, value + 2.0])];
    let candidate = |number: usize, values: &[&str]| CandidateRecord {
        number,
        values: values.iter().map(|value| (*value).to_owned()).collect(),
        refused: None,
    };
    let checked = |number: usize, value: f64| CheckedCandidate {
        number,
        figures: spread(value),
        better: vec![6],
        chance: vec![0.377],
    };
    TuneRecord {
        version: "0.1.0".to_owned(),
        scenario: "lab".to_owned(),
        scenario_text: String::new(),
        overrides: Vec::new(),
        seed: 1,
        parameters: vec![ParameterRecord {
            key: "control.qcn.rp.gain".to_owned(),
            own: Some("2^-7".to_owned()),
            values: vec!["2^-8".to_owned(), "2^-7".to_owned()],
        }],
        objectives: vec![ObjectiveRecord { metric: SETTLING.name.to_owned(), smaller: true }],
        candidates: vec![candidate(0, &[]), candidate(1, &["2^-8"])],
        rungs: vec![RungRecord {
            length_share: 1.0,
            seeds: 3,
            candidates: vec![(0, spread(2.0)), (1, spread(1.0))],
        }],
        front: vec![1],
        recommended,
        check: CheckRecord {
            first_seed: 100,
            seeds: 10,
            candidates: vec![checked(0, 2.0), checked(1, 1.0)],
            confirmed,
        },
        warnings: Vec::new(),
    }
}

/// A warning about a finished run.
fn inactive(message: &str) -> WarningRecord {
    let check = "inactive-mechanism".to_owned();
    WarningRecord { check, message: message.to_owned(), remedies: Vec::new() }
}

#[test]
fn warnings_about_runs_name_the_algorithms() {
    let mut standing = standing(3, Verdict::NoClearDifference, None);
    assert!(standing.warnings().is_empty());
    for row in &mut standing.rows {
        row.warnings = vec![inactive("flow control did nothing: no port was paused")];
    }
    standing.rows[0].warnings.push(inactive("qcn did nothing: no notification was sent"));
    let [first, second] = [0, 1].map(|place| standing.rows[place].algorithm.clone());
    let expected = [
        format!("{first}: flow control did nothing: no port was paused; similarly for {second}"),
        format!("{first}: qcn did nothing: no notification was sent"),
    ];
    assert_eq!(standing.warnings(), expected);
    let page = setpoint_report::league(&[standing]).html();
    assert!(page.contains("did nothing: no notification was sent."), "{page}");
}

#[test]
fn warnings_about_runs_name_the_number_of_candidates() {
    let mut record = tuning(Some(1), Some(true));
    assert!(!setpoint_report::tune(&record).html().contains("warnings-title"));
    let first = inactive("qcn did nothing: no notification was sent");
    record.warnings = vec![SweptWarning { first, variants: 1 }];
    let page = setpoint_report::tune(&record).html();
    assert!(page.contains("1 of 2 candidates: qcn did nothing: no notification was sent."), "{page}");
}

#[test]
fn a_tuning_has_three_outcomes_in_words_and_colour() {
    let page = |recommended, confirmed| setpoint_report::tune(&tuning(recommended, confirmed)).html();
    let confirmed = page(Some(1), Some(true));
    assert!(confirmed.contains("verdict good\">confirmed<") && confirmed.contains("Confirmed: gain "));
    let not = page(Some(1), Some(false));
    assert!(not.contains("verdict open\">not confirmed<") && not.contains("Not confirmed: gain "));
    assert!(!not.contains("verdict good"), "nothing is green");
    let none = page(None, None);
    assert!(none.contains("verdict bad\">no better than the start<") && !none.contains("verdict good"));
    for page in [&confirmed, &not, &none] {
        assert!(!page.to_lowercase().contains("recommended"));
    }
    // The decisive column is next to the candidate.
    let table = not.split("id=\"check\"").nth(1).unwrap();
    let headings: Vec<&str> =
        table.split("</th>").take(2).filter_map(|part| part.rsplit('>').next()).collect();
    assert_eq!(headings, ["Candidate", "Settling time: better in"]);
}

#[test]
fn a_sweep_shows_differences_on_common_seeds_or_why_not() {
    let mut summary = swept(&[SENDERS], 3);
    let (first, others) = summary.variants.split_first_mut().unwrap();
    for variant in others {
        for metric in catalogue::all() {
            let difference = Difference::of(&variant.paired(first, metric), 2);
            variant.differences.extend(difference.map(|difference| (metric.name.to_owned(), difference)));
        }
    }
    let page = setpoint_report::sweep(&summary).html();
    assert!(page.contains("Differences from the first variant") && page.contains("the 2 intervals"));
    assert!(page.contains("+4\u{a0}kB ± 0\u{a0}kB"), "the queue grows by 4 kB whatever the seed");
    let one = setpoint_report::sweep(&swept(&[SENDERS], 1)).html();
    assert!(one.contains("With one seed, it is unknown how much of a difference is due to chance"));
    assert!(!one.contains("Differences from the first variant"));
}

/// Runs with several seeds that measure the queue error, as one side of a comparison.
fn side(name: &str, set_point: &str, values: &[f64]) -> Side {
    let run = |(place, value): (usize, &f64)| RunSummary {
        seed: place as u64 + 1,
        figures: [("queue_error_bytes".to_owned(), *value)].into(),
        ..RunSummary::default()
    };
    side_of(name, set_point, values.iter().enumerate().map(run).collect())
}

fn side_of(name: &str, set_point: &str, runs: Vec<RunSummary>) -> Side {
    Side {
        name: name.to_owned(),
        scenario: "lab".to_owned(),
        axes: Vec::new(),
        variants: vec![VariantSummary::of_runs(0, Vec::new(), runs)],
        queue: None,
        set_points: vec![set_point.to_owned()],
        presets: Vec::new(),
        warnings: Vec::new(),
    }
}

#[test]
fn a_comparison_of_seeds_shows_intervals_set_points_and_what_is_unclear() {
    let qcn = side("qcn", "26 kB", &[1_000.0, 1_100.0, 1_050.0, 1_020.0]);
    let smcc = side("smcc", "64 kB", &[3_000.0, 3_100.0, 3_050.0, 3_030.0]);
    let other = side("bcn", "26 kB", &[1_200.0, 900.0, 1_080.0, 1_010.0]);
    let comparison = Comparison::of(&[qcn.clone(), smcc, other.clone()]).unwrap();
    let page = setpoint_report::compare(&comparison, &[]).html();
    assert!(
        page.contains("The set points differ (qcn: 26\u{a0}kB; smcc: 64\u{a0}kB; bcn: 26\u{a0}kB)"),
        "a warning"
    );
    assert!(page.contains("<div>Set point</div>") && page.contains("difference +2.00"));
    assert!(page.contains("no clear difference"));
    let alike = Comparison::of(&[qcn, other]).unwrap();
    assert!(alike.warnings.is_empty(), "{:?}", alike.warnings);
}

/// Runs with a lower bound on a completion time; only the first run settles.
fn bounded_side(name: &str, time: f64) -> Side {
    let run = |seed: u64| RunSummary {
        seed,
        figures: [(FCT_P99.name.to_owned(), time)]
            .into_iter()
            .chain((seed == 1).then(|| (SETTLING.name.to_owned(), time)))
            .collect(),
        lower_bounds: [FCT_P99.name.to_owned()].into(),
        ..RunSummary::default()
    };
    side_of(name, "26 kB", (1..=4).map(run).collect())
}

#[test]
fn a_comparison_counts_runs_and_shows_no_difference_of_lower_bounds() {
    let sides = [bounded_side("qcn", 0.012), bounded_side("bcn", 0.02)];
    let comparison = Comparison::of(&sides).unwrap();
    let page = setpoint_report::compare(&comparison, &[]).html();
    assert!(page.contains("difference not known: lower bound"), "{page}");
    assert_eq!(page.matches("1 of 4 runs").count(), 2, "the settling time of both results");
    assert_eq!(page.matches("1 of 4 seeds").count(), 1, "and its difference");
    let json = serde_json::to_value(&comparison).unwrap();
    assert!(json["variants"][0]["figures"][FCT_P99.name][1]["difference"]["mean"].is_null());
}
