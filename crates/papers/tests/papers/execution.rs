//! Tests of running experiments and judging claims.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use setpoint_lab::sweep::{RunEnd, RunId, SweepMonitor, Unwatched};
use setpoint_papers::{
    Case, Claim, ClaimRecord, Depth, Experiment, Finished, Needs, OURS, RUN_FAILED, Reproduction, Rule,
    START, Seed, Verdict, VerdictKind,
};
use setpoint_report::document::Block;
use setpoint_sim::Decision;
use setpoint_units::quantity::Unit;

use super::small;

/// The records of all experiments, in their original order.
fn lines(experiments: &[&Experiment], threads: usize, depth: Depth) -> Vec<ClaimRecord> {
    let collected = Mutex::new(Vec::new());
    let finished = |finished: Finished<'_>| {
        collected.lock().unwrap().push((finished.experiment.id, ClaimRecord::all(&finished)));
    };
    let reproduction = Reproduction::new(experiments, depth);
    reproduction.run(NonZeroUsize::new(threads), &Unwatched, &finished).unwrap();
    let mut collected = collected.into_inner().unwrap();
    collected.sort_by_key(|(id, _)| experiments.iter().position(|experiment| experiment.id == *id));
    collected.into_iter().flat_map(|(_, lines)| lines).collect()
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let paper = small::paper();
    let experiments: Vec<&Experiment> = paper.experiments.iter().collect();
    let alone = lines(&experiments, 1, Depth::Full);
    assert_eq!(alone.len(), 8);
    assert_eq!(alone, lines(&experiments, 3, Depth::Full));
    assert_eq!(alone, lines(&experiments, 64, Depth::Full));
}

#[test]
fn verdicts_follow_the_measurement() {
    let paper = small::paper();
    let lines = lines(&[&paper.experiments[0]], 2, Depth::Full);
    let expected = [
        ("busy", "holds (robust)", ""),
        ("double", "differs", "a link carries at most its rate"),
        ("nowhere", "cannot be judged", "there was nothing to measure with seed 1"),
        ("hardware", "cannot be judged", "there is no hardware here"),
    ];
    assert_eq!(verdicts(&lines), expected);
    assert_eq!((lines[0].seeds, lines[0].seeds_following, lines[1].seeds_following), (5, 5, 0));
    let spread = lines[0].spread.unwrap();
    let mean = lines[0].measured.unwrap();
    assert!(spread.min <= mean && mean <= spread.max && spread.deviation.unwrap() >= 0.0);
    assert!(lines.iter().all(|line| line.depth == "full"));
}

/// Claim, verdict and reason.
fn verdicts(lines: &[ClaimRecord]) -> Vec<(&str, &str, &str)> {
    lines.iter().map(|line| (line.claim.as_str(), line.verdict.as_str(), line.why.as_str())).collect()
}

/// An experiment with claims about the seed numbers.
fn computed() -> Experiment {
    let odd = |seed: &Seed<'_>| Some((seed.number() % 2) as f64);
    let claim = |name, bound| {
        Claim::new(OURS, name, "Seeds are odd.").measure(Unit::Share, Rule::AtLeast(bound), odd)
    };
    let needs = |lasts| Needs {
        part: "each phase",
        window: START.until(START.plus(lasts)),
        least: 0.01,
        process: "recovery",
    };
    Experiment {
        panels: Box::new(|runs| {
            vec![
                runs.finding("Three seeds of five are odd."),
                Block::Note(format!("{} seeds", runs.seeds().count())),
            ]
        }),
        claims: vec![
            claim("all-odd", 0.0),
            claim("most-odd", 0.5).cause("three of five are"),
            claim("none-even", 0.9).cause("two of five are"),
            claim("odder-than-odd", 1.2).cause("no number is"),
            claim("in-time", 0.0).needs(needs(0.02)),
            claim("too-short", 0.0).needs(needs(0.019)),
        ],
        ..small::experiment("small/computed")
    }
}

/// If the rule holds for the mean but for too few seeds, the record gives this as the reason.
#[test]
fn what_one_more_run_could_show_is_the_reason() {
    let experiment = computed();
    let lines = lines(&[&experiment], 1, Depth::Full);
    let could = "the rule holds for some seeds, and for values in the 95 % prediction interval of one more run. Likely \
                 cause:";
    let expected = [
        ("all-odd", "holds (robust)", ""),
        ("most-odd", "within spread", &*format!("{could} three of five are")),
        ("none-even", "within spread", &*format!("{could} two of five are")),
        // The prediction interval, 0.6 ± 1.67, contains the bound, but no seed has such a value.
        ("odder-than-odd", "differs", "no number is"),
        ("in-time", "holds (robust)", ""),
        ("too-short", "holds (robust)", ""),
    ];
    assert_eq!(verdicts(&lines), expected);
}

/// A quick run gives no verdict. It explains why its result differs, and does not judge claims for which it is too
/// short.
#[test]
fn a_quick_run_gives_no_verdicts() {
    let experiment = computed();
    let lines = lines(&[&experiment], 1, Depth::Quick);
    let few =
        "the rule holds for the mean, but for too few seeds; if the full run differs: three of five are";
    let expected = [
        ("all-odd", "quick run", ""),
        ("most-odd", "quick run", few),
        (
            "none-even",
            "quick run",
            "the rule does not hold for the mean; if the full run differs: two of five are",
        ),
        (
            "odder-than-odd",
            "quick run",
            "the rule does not hold for the mean; if the full run differs: no number is",
        ),
        ("in-time", "quick run", ""),
        (
            "too-short",
            "too short to judge",
            "each phase lasts 9.5 ms in a quick run, but recovery takes 10 ms",
        ),
    ];
    assert_eq!(verdicts(&lines), expected);
}

#[test]
fn a_line_has_the_keys_that_programs_ask_for() {
    let paper = small::paper();
    let lines = lines(&[&paper.experiments[0]], 1, Depth::Full);
    let value: serde_json::Value = serde_json::from_str(&lines[1].json()).unwrap();
    let keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    insta::assert_snapshot!(keys.join(" "), @"experiment claim origin place inputs probe commit verdict measured published expected spread interval values seeds seeds_following samples_following unit why beside depth");
    assert_eq!(value["expected"], "at least 200 %");
    assert_eq!(serde_json::from_str::<ClaimRecord>(&lines[1].json()).unwrap(), lines[1]);
}

#[test]
fn a_run_that_fails_leaves_its_experiment_without_a_judgement() {
    let mut experiment = small::experiment("small/wrong");
    experiment.cases.push(Case::new("wrong", "wrong", "duration = 2"));
    let right = small::experiment("small/right");
    let collected = Mutex::new(Vec::new());
    let finished = |finished: Finished<'_>| {
        collected.lock().unwrap().push((finished.experiment.id, finished.judgements, finished.panels));
    };
    let reproduction = Reproduction::new(&[&experiment, &right], Depth::Quick);
    reproduction.run(None, &Unwatched, &finished).unwrap();
    let collected = collected.into_inner().unwrap();
    let of = |id| collected.iter().find(|(found, ..)| *found == id).unwrap();
    let Verdict::CannotBeJudged { why } = &of("small/wrong").1[0].verdict else { panic!("{collected:?}") };
    assert!(why.starts_with(RUN_FAILED) && why.contains("small/wrong wrong, seed 1"), "{why}");
    assert!(of("small/wrong").2.is_empty());
    assert_eq!(of("small/right").1[0].verdict.kind(), VerdictKind::Quick);
}

/// Stops after a given number of runs.
struct StopAfter(usize, AtomicUsize);

impl SweepMonitor for StopAfter {
    fn finished(&self, _: &RunId, _: &RunEnd) {
        self.1.fetch_add(1, Ordering::Relaxed);
    }

    fn verdict(&self) -> Decision {
        if self.1.load(Ordering::Relaxed) >= self.0 { Decision::Stop } else { Decision::Continue }
    }
}

#[test]
fn experiments_finished_before_a_stop_are_handed_over() {
    let paper = small::paper();
    let experiments: Vec<&Experiment> = paper.experiments.iter().collect();
    let handed = Mutex::new(Vec::new());
    let finished = |finished: Finished<'_>| handed.lock().unwrap().push(finished.experiment.id);
    let monitor = StopAfter(12, AtomicUsize::new(0));
    let reproduction = Reproduction::new(&experiments, Depth::Quick);
    let stopped = reproduction.run(NonZeroUsize::new(1), &monitor, &finished).unwrap_err();
    assert_eq!(stopped.to_string(), "stopped after 1 of 2 experiments");
    assert_eq!(handed.into_inner().unwrap(), ["small/sharing"]);
}

#[test]
fn an_experiment_without_cases_is_judged_by_its_seeds_alone() {
    let computed = Experiment {
        cases: Vec::new(),
        panels: Box::new(|runs| vec![Block::Note(format!("{} seeds", runs.seeds().count()))]),
        claims: vec![Claim::new(OURS, "odd", "Seeds are odd.").measure(
            Unit::Share,
            Rule::AtLeast(0.5),
            |seed| Some((seed.number() % 2) as f64),
        )],
        ..small::experiment("small/computed")
    };
    let paper = small::paper();
    let lines = lines(&[&paper.experiments[0], &computed], 2, Depth::Quick);
    let [.., odd] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!(
        (odd.experiment.as_str(), odd.values.as_slice()),
        ("small/computed", &[1.0, 0.0, 1.0, 0.0, 1.0][..])
    );
    assert_eq!((lines.len(), odd.verdict.as_str()), (5, "quick run"));
}
