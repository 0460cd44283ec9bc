//! Tests of choices, of verdicts in several set-ups, and of the search over all set-ups.

use std::num::NonZeroUsize;
use std::sync::Mutex;

use setpoint_lab::sweep::Unwatched;
use setpoint_papers::{
    Case, Choice, Claim, ClaimRecord, Depth, Experiment, Finished, OURS, Paper, Part, Reading, Repeats,
    Reproduction, Rule, Search, SearchSummary, Seed, Setup, ShardFolder, Stage, at,
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
                let number = 10.0 + seed.number() as f64;
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
            counted(Rule::AtLeast(30.0))("never", at("figure 3")),
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
            ("up", "holds (depends on the reading)"),
            ("down", "holds if"),
            ("never", "differs"),
            ("ours", "holds if"),
            ("small", "holds (depends on the reading)"),
            ("large", "holds if"),
        ]
    );
    assert_eq!(records[0].why, "it does not hold with counting down (0 of 5 seeds)");
    assert_eq!(records[1].why, "it holds with counting down (5 of 5 seeds)");
    let words: Vec<(&str, bool)> =
        records[1].beside.iter().map(|other| (other.words.as_str(), other.holds)).collect();
    assert_eq!(words, [("a buffer of 120 kB", false), ("counting down", true)]);
    assert_eq!((records[0].origin.as_str(), records[0].place.as_str()), ("paper", "figure 1"));
    assert_eq!((records[3].origin.as_str(), records[3].place.as_str()), ("ours", ""));
}

/// Other set-ups are run with the first three seeds. If a claim may hold there but not in the leading set-up, the
/// other seeds are run as well, for the claim and for its premise.
#[test]
fn fewer_seeds_alone_do_not_make_a_claim_hold() {
    let early = |seed: &Seed<'_>| {
        let holds = seed.reads(&SIGN, "down") && seed.number() <= 5;
        Some(if holds { 1.0 } else { -9.0 })
    };
    let claim = |name| Claim::new(OURS, name, "It is early.").measure(Unit::Count, Rule::AtLeast(0.9), early);
    let experiment = Experiment::new("small/early", "Early seeds").seeds(10).choices([&SIGN]).claims([
        claim("early"),
        claim("if-below-4").given("the seed is below 4", (Unit::Count, Rule::AtMost(3.0)), |seed| {
            Some(if seed.reads(&SIGN, "down") { seed.number() as f64 } else { 0.0 })
        }),
    ]);
    let records = records(&experiment);
    let others = records.iter().map(|record| &record.beside[0]);
    let others: Vec<_> =
        others.map(|other| (other.seeds, other.measured, other.holds, other.turns)).collect();
    assert_eq!(others, [(10, Some(-4.0), false, false), (0, None, false, false)]);
    assert!(records[1].beside[0].why.contains("the seed is below 4"), "{:?}", records[1].beside[0].why);
}

/// A claim that holds in the leading set-up is not run with all seeds in another one if its rule holds there for none
/// of the first three seeds.
#[test]
fn three_clear_seeds_are_enough() {
    let of_three = |limit: u64| {
        let figure = move |seed: &Seed<'_>| {
            Some(if seed.reads(&SIGN, "down") && seed.number() > limit { 0.0 } else { 1.0 })
        };
        let claim = Claim::new(OURS, "one", "It is one.").measure(Unit::Count, Rule::AtLeast(1.0), figure);
        let experiment = Experiment::new("small/clear", "Clear").seeds(10).choices([&SIGN]).claims([claim]);
        let [record] = &records(&experiment)[..] else { panic!("one claim") };
        (record.verdict.clone(), record.beside[0].seeds, record.beside[0].seeds_following)
    };
    let depends = "holds (depends on the reading)".to_owned();
    assert_eq!(of_three(0), (depends.clone(), 3, 0));
    assert_eq!(of_three(1), (depends, 10, 1));
    assert_eq!(of_three(9), ("holds (robust)".to_owned(), 3, 3));
}

/// In the leading set-up, ten seeds are just below the bound or far below it; with another option, they are above it.
/// Because of the noise of single seeds this may be chance, unless the option shifts every seed.
#[test]
fn an_option_must_differ_by_more_than_chance() {
    let experiment = |shift: [f64; 2]| {
        let noise = move |seed: &Seed<'_>| {
            let (number, reads) = (seed.number() as usize, seed.reads(&SIGN, "down"));
            // Two of ten seeds are far below the bound.
            let below: f64 = if number % 4 == 0 { -30.0 } else { -0.1 };
            Some(if reads { below.max(shift[0]) + shift[1] } else { below })
        };
        let claim = Claim::new(OURS, "above", "It is above.").measure(Unit::Count, Rule::AtLeast(0.0), noise);
        Experiment::new("small/noise", "Noise").seeds(10).choices([&SIGN]).claims([claim])
    };
    let verdict = |shift| {
        let [record] = &records(&experiment(shift))[..] else { panic!("one claim") };
        (record.beside[0].holds, record.beside[0].turns)
    };
    assert_eq!(verdict([0.5, 0.0]), (true, false), "two seeds are much better, which may be chance");
    assert_eq!(verdict([0.5, 100.0]), (true, true), "all seeds are better");
}

/// A claim about an event that does not occur cannot be judged.
#[test]
fn a_premise_comes_first() {
    let claim = |name, rule| {
        Claim::new(OURS, name, "It stays.")
            .given("it counts", (Unit::Count, rule), |seed| Some(seed.number() as f64))
            .measure(Unit::Count, Rule::AtLeast(1.0), |_| Some(2.0))
    };
    let experiment = Experiment::new("small/premise", "Premises")
        .seeds(5)
        .claims([claim("there", Rule::AtLeast(1.0)), claim("absent", Rule::AtLeast(4.0))]);
    let records = records(&experiment);
    let verdicts: Vec<&str> = records.iter().map(|record| record.verdict.as_str()).collect();
    assert_eq!(verdicts, ["holds (robust)", "cannot be judged"]);
    assert_eq!(records[1].why, "its premise is absent: it counts (at least 4, measured 3)");
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
    assert_eq!(verdicts, ["holds (depends on the reading)", "cannot be judged"]);
    assert!(records.iter().all(ClaimRecord::has_failed_run));
}

/// Three set-ups, one of which changes only what is measured: the leading one has five seeds and the others three, so
/// that eight runs are needed. The quick version is run only in the leading set-up.
#[test]
fn set_ups_and_experiments_share_runs() {
    let paper = paper();
    let experiments: Vec<&Experiment> = paper.experiments.iter().collect();
    assert_eq!(Reproduction::new(&experiments, Depth::Full).runs(), 8);
    assert_eq!(Reproduction::new(&experiments, Depth::Quick).runs(), 5);
    let twice = [&paper.experiments[0], &paper.experiments[0]];
    assert_eq!(Reproduction::new(&twice, Depth::Full).runs(), 8);
}

/// The seeds are 1 to 5, with a mean of 3 and a deviation of 1.58: one more run lies between −1.8 and 7.8.
#[test]
fn what_one_more_run_could_show_is_within_spread() {
    let claim = |name, rule| {
        Claim::new(at("table 1"), name, "The seed.")
            .measure(Unit::Count, rule, |seed| Some(seed.number() as f64))
    };
    let experiment = Experiment::new("small/published", "Published values").seeds(5).claims([
        claim("inside", Rule::within(7.5, 0.5)).published(7.5),
        claim("outside", Rule::within(8.0, 0.5)).published(8.0),
        claim("seen", Rule::AtLeast(5.0)),
        claim("never-seen", Rule::AtLeast(7.5)),
    ]);
    let verdicts: Vec<String> = records(&experiment).into_iter().map(|record| record.verdict).collect();
    assert_eq!(verdicts, ["within spread", "differs", "within spread", "differs"]);
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
        claim("at-least-30", Rule::AtLeast(30.0)),
    ]);
    let records = records(&experiment);
    let verdicts: Vec<&str> = records.iter().map(|record| record.verdict.as_str()).collect();
    assert_eq!(verdicts, ["holds (robust)", "within spread", "differs"]);
    assert_eq!(records[0].measured, Some(15.0));
    let [low, high] = records[0].interval.unwrap();
    assert!((5.0..10.0).contains(&low) && (20.0..25.0).contains(&high), "{low} to {high}");
    assert_eq!(records[0].values, [1.0, 2.0, 3.0, 4.0, 5.0]);
}

/// Runs all stages; returns the number of runs in each.
fn finish(search: &Search<'_>, threads: usize) -> Vec<(Stage, usize)> {
    let mut stages = Vec::new();
    while let Some(phase) = search.next() {
        stages.push((phase.stage(), phase.runs()));
        phase.run(NonZeroUsize::new(threads), &Unwatched, &|| {}).unwrap();
    }
    stages
}

#[test]
fn a_search_ranks_set_ups_and_weighs_choices() {
    let paper = paper();
    let experiments: Vec<&Experiment> = paper.experiments.iter().collect();
    let search = Search::new(&paper, &experiments, Depth::Full, Vec::new());
    // Screening runs two buffers with seeds 1 and 3, and scoring runs the other buffer together with the other sign. The
    // leading set-up is also the best, so only it is confirmed, with seeds 2, 4 and 5.
    assert_eq!(finish(&search, 2), [(Stage::Screening, 4), (Stage::Scoring, 2), (Stage::Confirming, 3)]);
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
fn a_search_leaves_out_costly_experiments() {
    let mut paper = paper();
    paper.experiments[0].repeats = Repeats::Costly(1);
    let experiments: Vec<&Experiment> = paper.experiments.iter().collect();
    let search = Search::new(&paper, &experiments, Depth::Full, Vec::new());
    let mut searched: Vec<&str> = search.claims().map(|(experiment, _)| experiment.id).collect();
    searched.dedup();
    assert_eq!(searched, [experiments[1].id]);
}

#[test]
fn a_search_continues_where_it_left_off_and_does_not_depend_on_threads() {
    let paper = paper();
    let experiments: Vec<&Experiment> = paper.experiments.iter().collect();
    let first = Search::new(&paper, &experiments, Depth::Full, Vec::new());
    finish(&first, 1);
    let mut known = first.records();
    let again = Search::new(&paper, &experiments, Depth::Full, known.clone());
    assert_eq!(finish(&again, 1), []);
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
    // If a record is missing, only its runs are repeated; a record with other inputs is ignored.
    let removed = known.iter().position(|record| record.experiment == "small/chosen").unwrap();
    known[removed].inputs = "other".to_owned();
    let repaired = Search::new(&paper, &experiments, Depth::Full, known);
    assert_eq!(repaired.next().unwrap().runs(), 2);
}

#[test]
fn scoring_and_confirming_share_no_seed_unless_there_is_only_one() {
    let paper = paper();
    let experiment = &paper.experiments[0];
    assert_eq!(
        (Part::Scoring.seeds(experiment), Part::Confirming.seeds(experiment)),
        (vec![1, 3], vec![2, 4, 5])
    );
    let once = Experiment::new("small/once", "Once").repeats(setpoint_papers::Repeats::Once);
    assert_eq!((Part::Scoring.seeds(&once), Part::Confirming.seeds(&once)), (vec![1], vec![1]));
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

/// Two shards and the process that collects their results produce the same records as a single process.
#[test]
fn shards_of_a_search_give_the_same_records() {
    let place = tempfile::tempdir().unwrap();
    let papers = [paper()];
    let experiments: Vec<&Experiment> = papers[0].experiments.iter().collect();
    let alone = Search::new(&papers[0], &experiments, Depth::Full, Vec::new());
    finish(&alone, 2);
    // The combinations are known only once both shards have tried single options.
    for shard in ["1/2", "2/2", "1/2", "2/2"] {
        let shard = shard.parse().unwrap();
        let folder = ShardFolder::join(place.path(), &papers, &[], shard).unwrap();
        let known = folder.search_records(&papers[0]).unwrap();
        let search = Search::new(&papers[0], &experiments, Depth::Full, known);
        if let Some(phase) = search.next_of(shard) {
            phase.run(None, &Unwatched, &|| {}).unwrap();
        }
        folder.put_search_records(&papers[0], &search.records_of(shard)).unwrap();
    }
    let folder = setpoint_papers::Folder::open_for_search(place.path(), &papers, &papers[0]).unwrap();
    let known = folder.noted_search_records(&papers[0]);
    let search = Search::new(&papers[0], &experiments, Depth::Full, known);
    assert_eq!(search.unscored(), Vec::<String>::new());
    let confirming = search.next().unwrap();
    assert_eq!(confirming.stage(), Stage::Confirming);
    confirming.run(None, &Unwatched, &|| {}).unwrap();
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
    search.next().unwrap().run(None, &Unwatched, &|| {}).unwrap();
    assert!(search.scores().is_none() && search.page(&[]).is_none());
    assert_eq!(search.next().unwrap().stage(), Stage::Screening, "the failed runs are still missing");
    assert!(search.records().iter().all(|record| record.experiment == "small/alone"));
}

/// A choice that changes only what is measured, and nothing on which a claim depends.
static IDLE: Choice = Choice {
    name: "idle",
    question: "Does it matter?",
    text: "Not said.",
    why: "It is usual.",
    options: &[
        Reading { name: "no", words: "without effect", settings: &[] },
        Reading { name: "too", words: "also without effect", settings: &[] },
    ],
};

/// A choice that matters only if signs are counted down.
static HIDDEN: Choice = Choice {
    name: "hidden",
    question: "Does it matter together with another one?",
    text: "Not said.",
    why: "It is usual.",
    options: &[
        Reading { name: "no", words: "nothing hidden", settings: &[] },
        Reading { name: "yes", words: "something hidden", settings: &[] },
    ],
};

/// Options without effect are not combined, except those that turn out to matter in the best set-up.
#[test]
fn only_options_that_matter_are_combined() {
    let claim = |name: &'static str, holds: fn(&Seed<'_>) -> bool| {
        let figure = move |seed: &Seed<'_>| Some(if holds(seed) { 1.0 } else { 0.0 });
        Claim::new(at("figure 1"), name, "It holds.").measure(Unit::Count, Rule::AtLeast(1.0), figure)
    };
    let experiment =
        Experiment::new("small/effects", "Effects").seeds(5).choices([&SIGN, &IDLE, &HIDDEN]).claims([
            claim("down", |seed| seed.reads(&SIGN, "down")),
            claim("both", |seed| seed.reads(&SIGN, "down") && seed.reads(&HIDDEN, "yes")),
            claim("always", |seed| seed.reads(&IDLE, "no") || seed.reads(&IDLE, "too")),
        ]);
    let paper = Paper { experiments: vec![experiment], ..paper() };
    let search = Search::new(&paper, &[&paper.experiments[0]], Depth::Full, Vec::new());
    let stages: Vec<Stage> = finish(&search, 1).into_iter().map(|(stage, _)| stage).collect();
    // The first check finds the hidden option; the second one, which starts from there, finds nothing better.
    assert_eq!(stages, [Stage::Screening, Stage::Checking, Stage::Checking, Stage::Confirming]);
    let scores = search.scores().unwrap();
    // Both signs, and the set-ups that differ in one choice from counting down or from the best set-up.
    assert_eq!((scores.combined(), scores.count(), search.possible()), (2, 6, 8));
    assert_eq!(scores.best().to_string(), "sign=down,idle=no,hidden=yes");
    assert_eq!(scores.leading(), 1);
}

#[test]
fn a_choice_must_be_declared() {
    let setup = Setup::leading(&[&SIGN]);
    assert_eq!(setup.option(&SIGN).name, "up");
    assert!(std::panic::catch_unwind(|| setup.option(&BUFFER).name).is_err());
}
