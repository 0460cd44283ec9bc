//! Checks the data of every experiment: text, names, and whether its cases can be prepared.

use std::collections::BTreeSet;

use setpoint_papers::{Choice, Depth, Experiment, Repeats, Setup, Timeline, papers, select};

fn all(check: impl Fn(&Experiment)) {
    for paper in &papers() {
        assert!(!paper.experiments.is_empty(), "{}", paper.id);
        paper.experiments.iter().for_each(&check);
    }
}

fn is_name(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    !text.is_empty() && text.chars().all(allowed)
}

#[test]
fn ids_and_names_are_unique_and_plain() {
    let mut ids = BTreeSet::new();
    for paper in &papers() {
        for experiment in &paper.experiments {
            assert_eq!(experiment.paper(), paper.id);
            assert!(is_name(experiment.paper()) && is_name(experiment.name()), "{}", experiment.id);
            assert!(ids.insert(experiment.id), "{} twice", experiment.id);
        }
    }
    all(|experiment| {
        let names: BTreeSet<&str> = experiment.claims.iter().map(|claim| claim.name.as_str()).collect();
        assert_eq!(names.len(), experiment.claims.len(), "{}", experiment.id);
        assert!(names.iter().all(|name| is_name(name)), "{}: {names:?}", experiment.id);
        let cases: BTreeSet<&str> = experiment.cases.iter().map(|case| case.name.as_str()).collect();
        assert_eq!(cases.len(), experiment.cases.len(), "{}", experiment.id);
    });
}

/// Whether two choices have the same options; their settings may depend on the scenario.
fn alike(one: &Choice, other: &Choice) -> bool {
    let options =
        |choice: &Choice| choice.options.iter().map(|one| (one.name, one.words)).collect::<Vec<_>>();
    (one.question, one.text, options(one)) == (other.question, other.text, options(other))
}

/// Choices with the same name have the same meaning, so that a paper has one leading set-up.
#[test]
fn a_paper_has_one_leading_set_up() {
    for paper in &papers() {
        let all = paper.choices();
        for choice in paper.experiments.iter().flat_map(|experiment| &experiment.choices) {
            let known = all.iter().find(|known| known.name == choice.name).unwrap();
            assert!(alike(known, choice), "{}: {} has two meanings", paper.id, choice.name);
        }
        for choice in all {
            let names: BTreeSet<&str> = choice.options.iter().map(|option| option.name).collect();
            assert!(is_name(choice.name) && names.iter().all(|name| is_name(name)), "{}", choice.name);
            assert!(names.len() == choice.options.len() && names.len() > 1, "{}", choice.name);
            let texts = [choice.question, choice.text, choice.why];
            assert!(texts.iter().all(|text| text.ends_with(['.', '?', '”'])), "{texts:?}");
            let words = choice.options.iter().map(|option| option.words);
            assert!(words.into_iter().all(|words| !words.ends_with('.')), "{}", choice.name);
        }
    }
}

/// Every set-up of every experiment can be prepared, and no option is without effect.
#[test]
fn every_option_of_an_experiment_can_be_prepared() {
    all(|experiment| {
        let leading = Setup::leading(&experiment.choices);
        for setup in leading.neighbours() {
            let (_, option) = setup.departures().next().unwrap();
            let mut applied = false;
            for case in &experiment.cases {
                let varied = setup.apply(case);
                if varied.settings == leading.apply(case).settings {
                    continue;
                }
                applied = true;
                if let Err(wrong) = varied.prepare(1, 1.0) {
                    panic!("{} {} with {}:\n{wrong}", experiment.id, case.name, setup.words());
                }
            }
            let needless = !applied && !option.settings.is_empty();
            assert!(!needless, "{}: {} changes no case", experiment.id, option.name);
        }
    });
}

#[test]
fn texts_are_sentences() {
    all(|experiment| {
        let claims = experiment.claims.iter().flat_map(|claim| [&*claim.statement, &*claim.reading]);
        let prose = experiment.assumptions.iter().map(String::as_str);
        for text in claims.chain(prose).chain([experiment.setup, experiment.paper_says]) {
            assert!(text.is_empty() || text.ends_with('.'), "{}: {text}", experiment.id);
            assert!(!text.contains("  "), "{}: {text}", experiment.id);
        }
        assert!(!experiment.title.ends_with('.'), "{}", experiment.id);
    });
}

#[test]
fn random_experiments_have_enough_seeds() {
    all(|experiment| {
        if let Repeats::Seeds(seeds) = experiment.repeats {
            assert!(seeds >= Repeats::LEAST, "{}: {seeds}", experiment.id);
        }
        assert!(!experiment.claims.is_empty(), "{}", experiment.id);
    });
}

/// If the full version is too short for a claim, the claim could never be judged.
#[test]
fn the_full_version_lasts_as_long_as_claims_need() {
    all(|experiment| {
        for claim in &experiment.claims {
            let Some(needs) = claim.needs else { continue };
            let lasts = |depth| {
                let factor = experiment.factor(depth);
                let prepared = experiment.cases[0].prepare(1, factor).unwrap();
                let (from, to) = Timeline::new(&prepared.spec, factor).range(needs.window);
                to - from
            };
            let name = format!("{} {}", experiment.id, claim.name);
            assert!(lasts(Depth::Full) >= needs.least * (1.0 - 1e-9), "{name}: {needs:?}");
            assert!(lasts(Depth::Quick) < needs.least, "{name}: {needs:?}");
        }
    });
}

#[test]
fn every_case_can_be_prepared_at_both_depths() {
    all(|experiment| {
        for case in &experiment.cases {
            let duration = |depth| {
                let prepared = case.prepare(1, experiment.factor(depth));
                let prepared =
                    prepared.unwrap_or_else(|wrong| panic!("{} {}:\n{wrong}", experiment.id, case.name));
                assert!(!prepared.spec.flows.is_empty());
                prepared.spec.duration
            };
            let quick = duration(Depth::Quick);
            // A network with many flows takes a long time to prepare; one depth shows that it is possible.
            let costly = matches!(experiment.repeats, Repeats::Costly(_));
            assert!(costly || quick < duration(Depth::Full), "{} {}", experiment.id, case.name);
        }
    });
}

/// The scenarios of some costly experiments are shorter than the paper's.
#[test]
fn the_full_size_is_that_of_the_paper() {
    let papers = papers();
    let experiment = papers.iter().find_map(|paper| paper.experiment("hpcc/fig11a")).unwrap();
    let seconds = |depth| {
        let prepared = experiment.cases[0].prepare(1, experiment.factor(depth)).unwrap();
        prepared.spec.duration.as_secs_f64()
    };
    assert_eq!([Depth::Full, Depth::FullSize].map(seconds), [0.02, 0.1]);
}

/// All times in a scenario shrink by the same factor, except its sampling interval and the times of algorithms.
#[test]
fn a_short_version_scales_the_times_of_the_scenario() {
    let papers = papers();
    let experiment = papers.iter().find_map(|paper| paper.experiment("smcc/fig05")).unwrap();
    let prepared = |factor| experiment.cases[0].prepare(1, factor).unwrap();
    let (full, quick) = (prepared(1.0).spec, prepared(0.25).spec);
    let times = |spec: &setpoint_sim::Spec| {
        let background = spec.flows.iter().find(|flow| flow.name == "background").unwrap();
        let instants = [spec.measure_from, background.start, background.stop.unwrap(), spec.changes[0].at];
        (spec.duration.as_secs_f64(), instants.map(setpoint_units::Time::as_secs_f64))
    };
    assert_eq!(times(&full), (8.0, [2.0, 2.0, 6.0, 4.0]));
    assert_eq!(times(&quick), (2.0, [0.5, 0.5, 1.5, 1.0]));
    assert_eq!(full.sample_interval, quick.sample_interval);
}

#[test]
fn names_select_experiments_and_papers_in_order_and_once() {
    let papers = [super::small::paper()];
    let ids = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        select(&papers, &names).map(|chosen| chosen.iter().map(|one| one.id).collect::<Vec<_>>())
    };
    let both = vec!["small/sharing", "small/again"];
    assert_eq!(ids(&[]).unwrap(), both);
    assert_eq!(ids(&["small"]).unwrap(), both);
    assert_eq!(ids(&["small/again", "small/sharing", "small/again"]).unwrap(), both);
    assert_eq!(ids(&["small/again"]).unwrap(), ["small/again"]);
    insta::assert_snapshot!(ids(&["small/shraing"]).unwrap_err(), @r#"there is no experiment or paper "small/shraing"; did you mean `small/sharing`?"#);
    insta::assert_snapshot!(ids(&["again"]).unwrap_err(), @r#"there is no experiment or paper "again"; did you mean `small/again`?"#);
    insta::assert_snapshot!(ids(&["smal"]).unwrap_err(), @r#"there is no experiment or paper "smal"; did you mean `small`?"#);
    insta::assert_snapshot!(ids(&["elsewhere"]).unwrap_err(), @r#"there is no experiment or paper "elsewhere"; `setpoint reproduce --list` shows all names"#);
}
