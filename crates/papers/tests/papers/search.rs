//! Choices, verdicts in several set-ups, and the search over all of them.

use std::num::NonZeroUsize;
use std::sync::Mutex;

use setpoint_lab::sweep::Unwatched;
use setpoint_papers::{
    Case, Choice, Claim, ClaimRecord, Depth, Experiment, Finished, Half, OURS, Paper, Reading, Reproduction,
    Rule, Search, SearchSummary, Seed, Setup, ShardFolder, at,
};
use setpoint_units::quantity::Unit;

use super::small;

/// A choice that changes the runs.
static BUFFER: Choice = Choice {
    name: "buffer",
    question: "How large is the buffer?",
    text: "“a small buffer” (section 2)",
    why: "It is the smallest that the paper mentions.",
    options: &[
        Reading { name: "100-kb", words: "a buffer of 100 kB", settings: &["network.buffer=100kB"] },
        Reading { name: "120-kb", words: "a buffer of 120 kB", settings: &["network.buffer=120kB"] },
    ],
};

/// A choice that changes only what is measured.
static SIGN: Choice = Choice {
    name: "sign",
    question: "Which way is it counted?",
    text: "Not said.",
    why: "It is usual.",
    options: &[
        Reading { name: "up", words: "counting up", settings: &[] },
        Reading { name: "down", words: "counting down", settings: &[] },
    ],
};

fn paper() -> Paper {
    let counted = |rule| {
        move |name: &'static str, place| {
            Claim::new(place, name, "It counts.").measure(Unit::Count, rule, |seed| {
                let number = seed.number() as f64;
                Some(if seed.reads(&SIGN, "up") { number } else { -number })
            })
        }
    };
    let buffer = |rule| {
        Claim::new(
            at("section 2"),
            if rule == Rule::AtMost(110e3) { "small" } else { "large" },
            "The buffer.",
        )
        .measure(Unit::Bytes, rule, |seed| Some(if seed.reads(&BUFFER, "100-kb") { 100e3 } else { 120e3 }))
    };
    let experiment = Experiment::new("small/chosen", "Two choices")
        .cases([Case::new("plain", "QCN", small::SCENARIO)])
        .seeds(5)
        .choices([&BUFFER, &SIGN])
        .claims([
            counted(Rule::AtLeast(0.0))("up", at("figure 1")),
            counted(Rule::AtMost(0.0))("down", at("figure 2")),
            counted(Rule::AtLeast(10.0))("never", at("figure 3")),
            counted(Rule::AtMost(0.0))("ours", OURS),
            buffer(Rule::AtMost(110e3)),
            buffer(Rule::AtLeast(110e3)),
        ]);
    let alone = Experiment::new("small/alone", "One choice").seeds(5).choices([&SIGN]).claims([counted(
        Rule::AtLeast(0.0),
    )(
        "up",
        at("figure 4"),
    )]);
    Paper {
        id: "small",
        title: "A small paper",
        source: "Nobody, nowhere",
        about: "Two choices.",
        experiments: vec![experiment, alone],
    }
}

fn records(experiment: &Experiment) -> Vec<ClaimRecord> {
    let records = Mutex::new(Vec::new());
    let finished = |finished: Finished<'_>| records.lock().unwrap().extend(ClaimRecord::all(&finished));
    Reproduction::new(&[experiment], Depth::Full).run(None, &Unwatched, &finished).unwrap();
    records.into_inner().unwrap()
}

#[test]
fn a_claim_that_holds_with_another_option_says_so() {
    let paper = paper();
    let records = records(&paper.experiments[0]);
    let verdicts: Vec<(&str, &str)> =
        records.iter().map(|record| (record.claim.as_str(), record.verdict.as_str())).collect();
    assert_eq!(
        verdicts,
        [
            ("up", "holds"),
            ("down", "holds if"),
            ("never", "differs"),
            ("ours", "holds if"),
            ("small", "holds"),
            ("large", "holds if"),
        ]
    );
    assert_eq!(records[1].why, "it holds with counting down (5 of 5 seeds)");
    let words: Vec<(&str, bool)> =
        records[1].beside.iter().map(|other| (other.words.as_str(), other.holds)).collect();
    assert_eq!(words, [("a buffer of 120 kB", false), ("counting down", true)]);
    assert_eq!((records[0].origin.as_str(), records[0].place.as_str()), ("paper", "figure 1"));
    assert_eq!((records[3].origin.as_str(), records[3].place.as_str()), ("ours", ""));
}

/// Other set-ups are run with the first five seeds only. If the leading set-up satisfies a claim with these seeds but
/// not with all, the others do not make it hold.
#[test]
fn fewer_seeds_alone_do_not_make_a_claim_hold() {
    let early = |seed: &Seed<'_>| Some(if seed.number() <= 5 { 1.0 } else { 0.0 });
    let experiment = Experiment::new("small/early", "Early seeds")
        .seeds(10)
        .choices([&SIGN])
        .claims([Claim::new(OURS, "early", "It is early.").measure(Unit::Count, Rule::AtLeast(0.9), early)]);
    let [record] = &records(&experiment)[..] else { panic!("one claim") };
    assert_eq!((record.verdict.as_str(), record.seeds_following), ("differs", 5));
    let [other] = &record.beside[..] else { panic!("one other set-up") };
    assert_eq!((other.seeds, other.holds, other.turns), (5, true, false));
}

static WRONG: Choice = Choice {
    name: "wrong",
    question: "Does it run?",
    text: "Not said.",
    why: "It should.",
    options: &[
        Reading { name: "no", words: "as it is", settings: &[] },
        Reading { name: "yes", words: "a setting that fails", settings: &["network.buffer=wrong"] },
    ],
};

/// A claim that differs may hold in a set-up that could not be run, so it is not judged.
#[test]
fn a_failed_run_in_another_set_up_is_reported() {
    let claim = |name, rule| Claim::new(OURS, name, "It counts.").measure(Unit::Count, rule, |_| Some(1.0));
    let experiment = Experiment::new("small/wrong-option", "An option that fails")
        .cases([Case::new("plain", "QCN", small::SCENARIO)])
        .seeds(5)
        .choices([&WRONG])
        .claims([claim("one", Rule::AtLeast(1.0)), claim("two", Rule::AtLeast(2.0))]);
    let records = records(&experiment);
    let verdicts: Vec<&str> = records.iter().map(|record| record.verdict.as_str()).collect();
    assert_eq!(verdicts, ["holds", "cannot be judged"]);
    assert!(records.iter().all(ClaimRecord::has_failed_run));
}

/// Three set-ups, one of which changes only what is measured: five seeds need ten runs. The quick version is
/// run only in the leading set-up.
#[test]
fn set_ups_and_experiments_share_runs() {
    let paper = paper();
    let experiments: Vec<&Experiment> = paper.experiments.iter().collect();
    assert_eq!(Reproduction::new(&experiments, Depth::Full).runs(), 10);
    assert_eq!(Reproduction::new(&experiments, Depth::Quick).runs(), 5);
    let twice = [&paper.experiments[0], &paper.experiments[0]];
    assert_eq!(Reproduction::new(&twice, Depth::Full).runs(), 10);
}

#[test]
fn a_published_value_within_the_range_of_the_seeds_is_within_spread() {
    let claim = |name, rule| {
        Claim::new(at("table 1"), name, "The seed.")
            .measure(Unit::Count, rule, |seed| Some(seed.number() as f64))
    };
    let experiment = Experiment::new("small/published", "Published values").seeds(5).claims([
        claim("inside", Rule::within(4.5, 0.5)).published(4.5),
        claim("outside", Rule::within(5.5, 0.5)).published(5.5),
        claim("most", Rule::AtLeast(3.0)),
    ]);
    let verdicts: Vec<String> = records(&experiment).into_iter().map(|record| record.verdict).collect();
    assert_eq!(verdicts, ["within spread", "differs", "within spread"]);
}

/// The sum over all seeds is 15; a sample of five seeds can have any sum from 5 to 25.
#[test]
fn a_pooled_figure_is_judged_by_bootstrap_samples() {
    let claim = |name, rule| {
        let number = |seed: &Seed<'_>| Some(seed.number() as f64);
        let sum = |numbers: &[&f64]| Some(numbers.iter().copied().sum());
        Claim::new(at("table 1"), name, "The sum.").measure_pooled(Unit::Count, rule, number, sum)
    };
    let experiment = Experiment::new("small/pooled", "Pooled figures").seeds(5).claims([
        claim("at-least-10", Rule::AtLeast(10.0)),
        claim("at-least-15", Rule::AtLeast(15.0)),
        claim("at-least-16", Rule::AtLeast(16.0)),
    ]);
    let records = records(&experiment);
    let verdicts: Vec<&str> = records.iter().map(|record| record.verdict.as_str()).collect();
    assert_eq!(verdicts, ["holds", "within spread", "differs"]);
    assert_eq!(records[0].measured, Some(15.0));
    let [low, high] = records[0].interval.unwrap();
    assert!((5.0..10.0).contains(&low) && (20.0..25.0).contains(&high), "{low} to {high}");
    assert_eq!(records[0].values, [1.0, 2.0, 3.0, 4.0, 5.0]);
}

fn finish(search: &Search<'_>, threads: usize) -> (usize, usize) {
    let threads = NonZeroUsize::new(threads);
    let scoring = search.scoring();
    scoring.run(threads, &Unwatched, &|| {}).unwrap();
    let confirming = search.confirming().unwrap();
    confirming.run(threads, &Unwatched, &|| {}).unwrap();
    (scoring.runs(), confirming.runs())
}

#[test]
fn a_search_ranks_set_ups_and_weighs_choices() {
    let paper = paper();
    let experiments: Vec<&Experiment> = paper.experiments.iter().collect();
    let search = Search::new(&paper, &experiments, Depth::Full, Vec::new());
    // Two buffers with seeds 1, 3 and 5; the leading set-up is also the best, with seeds 2 and 4.
    assert_eq!(finish(&search, 2), (6, 2));
    let scores = search.scores().unwrap();
    let ranking: Vec<(String, usize)> =
        scores.ranking().into_iter().map(|(setup, score)| (setup.to_string(), score)).collect();
    let expected = [
        ("buffer=100-kb,sign=up", 3),
        ("buffer=120-kb,sign=up", 3),
        ("buffer=100-kb,sign=down", 2),
        ("buffer=120-kb,sign=down", 2),
    ];
    assert_eq!(ranking, expected.map(|(setup, score)| (setup.to_owned(), score)));
    assert_eq!((scores.leading(), scores.confirmed(scores.best())), (3, Some(3)));
    let names: Vec<&str> = scores.claims().iter().map(|(_, claim)| claim.name.as_str()).collect();
    assert_eq!(names, ["up", "down", "never", "small", "large", "up"]);
    assert_eq!(scores.by_claim().iter().map(|one| one.holds_in).collect::<Vec<_>>(), [2, 2, 0, 2, 2, 2]);
    let worth = scores.worth(search.choices());
    assert_eq!(
        (worth[0].option.name, &worth[0].gained[..], &worth[0].lost[..]),
        ("120-kb", &[4][..], &[3][..])
    );
    assert_eq!(
        (worth[1].option.name, &worth[1].gained[..], &worth[1].lost[..]),
        ("down", &[1][..], &[0, 5][..])
    );
    assert!((worth[0].mean, worth[1].mean) == (0.0, -1.0), "{worth:?}");
    assert_eq!(scores.exclusive_pairs(), [(0, 1), (1, 5), (3, 4)]);
}

#[test]
fn a_search_continues_where_it_left_off_and_does_not_depend_on_threads() {
    let paper = paper();
    let experiments: Vec<&Experiment> = paper.experiments.iter().collect();
    let first = Search::new(&paper, &experiments, Depth::Full, Vec::new());
    finish(&first, 1);
    let mut known = first.records();
    let again = Search::new(&paper, &experiments, Depth::Full, known.clone());
    assert_eq!(finish(&again, 1), (0, 0));
    let sorted = |search: &Search<'_>| {
        let mut lines: Vec<String> =
            search.records().iter().map(setpoint_papers::SetupRecord::json).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&first), sorted(&again));
    let parallel = Search::new(&paper, &experiments, Depth::Full, Vec::new());
    finish(&parallel, 3);
    assert_eq!(sorted(&first), sorted(&parallel));
    // Without one record, only its runs are repeated; a record of something else is ignored.
    let removed = known.iter().position(|record| record.experiment == "small/chosen").unwrap();
    known[removed].inputs = "other".to_owned();
    let repaired = Search::new(&paper, &experiments, Depth::Full, known);
    assert_eq!(repaired.scoring().runs(), 3);
}

#[test]
fn halves_share_no_seed_unless_there_is_only_one() {
    let paper = paper();
    let experiment = &paper.experiments[0];
    assert_eq!(
        (Half::Scoring.seeds(experiment), Half::Confirming.seeds(experiment)),
        (vec![1, 3, 5], vec![2, 4])
    );
    let once = Experiment::new("small/once", "Once").repeats(setpoint_papers::Repeats::Once);
    assert_eq!((Half::Scoring.seeds(&once), Half::Confirming.seeds(&once)), (vec![1], vec![1]));
}

#[test]
fn the_page_of_a_search_answers_its_questions() {
    let place = tempfile::tempdir().unwrap();
    let papers = [paper()];
    let experiments: Vec<&Experiment> = papers[0].experiments.iter().collect();
    let folder = setpoint_papers::Folder::open_for_search(place.path(), &papers, &papers[0]).unwrap();
    let search =
        Search::new(&papers[0], &experiments, Depth::Full, folder.search_records(&papers[0]).unwrap());
    assert!(search.page(&[]).is_none());
    finish(&search, 2);
    folder.put_search_records(&search).unwrap();
    folder
        .put_search(&papers[0], &search.page(folder.listed()).unwrap(), &search.summary().unwrap())
        .unwrap();
    assert_eq!(folder.search_records(&papers[0]).unwrap(), search.records());
    let summary: SearchSummary =
        serde_json::from_str(&std::fs::read_to_string(place.path().join("small/search.json")).unwrap())
            .unwrap();
    assert_eq!((summary.setups, summary.best.holds, summary.leading.confirmed), (4, 3, Some(3)));
    insta::assert_snapshot!("search", super::pages::content(&place.path().join("small/search.html")));
    assert!(super::pages::content(&place.path().join("index.html")).contains("href=\"small/search.html\""));
}

/// Two shards and the process that collects them leave the records of a single process.
#[test]
fn shards_of_a_search_give_the_same_records() {
    let place = tempfile::tempdir().unwrap();
    let papers = [paper()];
    let experiments: Vec<&Experiment> = papers[0].experiments.iter().collect();
    let alone = Search::new(&papers[0], &experiments, Depth::Full, Vec::new());
    finish(&alone, 2);
    for shard in ["1/2", "2/2"] {
        let shard = shard.parse().unwrap();
        let folder = ShardFolder::join(place.path(), &papers, &[], shard).unwrap();
        let known = folder.search_records(&papers[0]).unwrap();
        let search = Search::new(&papers[0], &experiments, Depth::Full, known);
        assert!(!search.unscored().is_empty());
        search.scoring_of(shard).run(None, &Unwatched, &|| {}).unwrap();
        assert_eq!(search.scoring_of(shard).runs(), 0);
        folder.put_search_records(&papers[0], &search.records_of(shard)).unwrap();
    }
    let folder = setpoint_papers::Folder::open_for_search(place.path(), &papers, &papers[0]).unwrap();
    let known = folder.noted_search_records(&papers[0]);
    let search = Search::new(&papers[0], &experiments, Depth::Full, known);
    assert_eq!(search.unscored(), Vec::<String>::new());
    search.confirming().unwrap().run(None, &Unwatched, &|| {}).unwrap();
    assert_eq!(search.records(), alone.records());
    folder.put_search_records(&search).unwrap();
    folder.forget_search(&papers[0]);
    assert!(folder.noted_search_records(&papers[0]).is_empty());
}

/// A failed run must not count as a claim that does not hold.
#[test]
fn a_search_with_a_failed_run_has_no_scores() {
    let mut paper = paper();
    paper.experiments[0].cases.push(Case::new("wrong", "wrong", "duration = 2"));
    let experiments: Vec<&Experiment> = paper.experiments.iter().collect();
    let search = Search::new(&paper, &experiments, Depth::Full, Vec::new());
    search.scoring().run(None, &Unwatched, &|| {}).unwrap();
    assert!(search.scores().is_none() && search.confirming().is_none() && search.page(&[]).is_none());
    assert!(search.records().iter().all(|record| record.experiment == "small/alone"));
}

#[test]
fn a_choice_must_be_declared() {
    let setup = Setup::leading(&[&SIGN]);
    assert_eq!(setup.option(&SIGN).name, "up");
    assert!(std::panic::catch_unwind(|| setup.option(&BUFFER).name).is_err());
}
