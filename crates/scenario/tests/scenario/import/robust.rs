//! No file makes the importers panic, hang or exhaust memory, and an import can be prepared.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use setpoint_scenario::Colour;
use setpoint_sim::validate;

use super::{goal, hpcc, htsim, prepared, try_import};

/// Imports texts as far as possible, and prints their problems.
fn exercise(files: &[(&str, &str)]) {
    let begun = Instant::now();
    match try_import(files) {
        Ok(imported) => validate(&prepared(&imported).spec).expect("a valid spec"),
        Err(errors) => {
            assert!(!errors.problems().is_empty());
            assert!(!errors.render(Colour::On).is_empty());
            assert!(errors.problems().iter().all(|problem| !problem.message().is_empty()));
        }
    }
    assert!(begun.elapsed() < Duration::from_secs(20), "took {:?}", begun.elapsed());
}

const SMALL: &str = "4 1 3\n3\n0 3 10Gbps 1us 0\n1 3 10Gbps 1us 0\n2 3 10Gbps 1us 0\n";
const FLOWS: &str = "3\n0 1 3 100 1000 2.0\n1 2 3 200 900 2.1\n2 0 3 100 1 2.25\n";

/// Valid files that belong together; the first is going to be changed.
fn valid() -> impl Strategy<Value = (String, Vec<&'static str>)> {
    let files: Vec<(String, Vec<&'static str>)> = vec![
        (SMALL.to_owned(), vec![FLOWS, "2\n0 3\n"]),
        (FLOWS.to_owned(), vec![SMALL]),
        (String::from("2\n0 3\n"), vec![SMALL, FLOWS]),
        (htsim::incast(), vec![]),
        (htsim::CHAIN.to_owned(), vec![]),
        (htsim::TEST.to_owned(), vec!["Nodes 8\nConnections 1\n0->7 start 0 size 9\n"]),
        (htsim::LEAF_SPINE.to_owned(), vec![goal::STATIC]),
        (goal::STATIC.to_owned(), vec![]),
        (goal::TREE.to_owned(), vec![htsim::LEAF_SPINE]),
        (goal::JOIN.to_owned(), vec![]),
    ];
    proptest::sample::select(files)
}

fn exercise_with(changed: &str, others: &[&str]) {
    let files: Vec<(&str, &str)> = [changed].iter().chain(others).map(|text| ("fuzz", *text)).collect();
    exercise(&files);
}

/// The text with some characters replaced.
fn mutated(text: &str, at: prop::sample::Index, length: usize, insert: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let start = at.index(characters.len());
    let end = (start + length).min(characters.len());
    characters[..start].iter().chain(&insert.chars().collect::<Vec<_>>()).chain(&characters[end..]).collect()
}

/// Numbers at the limits, and words of the formats.
const WORDS: [&str; 40] = [
    "0",
    "1",
    "2",
    "3",
    "16",
    "4294967295",
    "18446744073709551615",
    "99999999999999999999999999999999999999",
    "-1",
    "1e300",
    "1e-300",
    "0.5",
    "2.5",
    "->",
    "0->1",
    "start",
    "size",
    "trigger",
    "barrier",
    "count",
    "Nodes",
    "Tiers",
    "Tier",
    "Bundle",
    "Radix_Down",
    "failure",
    "rank",
    "num_ranks",
    "{",
    "}",
    "send",
    "recv",
    "calc",
    "requires",
    "l1:",
    "1b",
    "10Gbps",
    "1us",
    "\n",
    "é",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_text(text in any::<String>()) {
        exercise(&[("fuzz", &text)]);
    }

    #[test]
    fn a_typing_error((text, others) in valid(), at in any::<prop::sample::Index>(), length in 0usize..12, insert in "\\PC{0,6}") {
        exercise_with(&mutated(&text, at, length, &insert), &others);
    }

    #[test]
    fn another_word(
        (text, others) in valid(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), proptest::sample::select(WORDS.to_vec())), 1..4),
    ) {
        let mut words: Vec<String> = text.split_inclusive(char::is_whitespace).map(str::to_owned).collect();
        for (at, word) in changes {
            let at = at.index(words.len());
            let end: String = words[at].chars().filter(|c| c.is_whitespace()).collect();
            words[at] = format!("{word}{end}");
        }
        exercise_with(&words.concat(), &others);
    }

    #[test]
    fn a_line_left_out((text, others) in valid(), at in any::<prop::sample::Index>()) {
        let lines: Vec<&str> = text.lines().collect();
        let left_out = at.index(lines.len());
        let kept = lines.iter().enumerate().filter(|(index, _)| *index != left_out);
        exercise_with(&kept.map(|(_, line)| *line).collect::<Vec<_>>().join("\n"), &others);
    }

    #[test]
    fn words_of_the_formats(words in prop::collection::vec(proptest::sample::select(WORDS.to_vec()), 0..60)) {
        exercise(&[("fuzz", &words.join(" "))]);
    }
}

#[test]
fn hostile_texts() {
    let long = "1 ".repeat(300_000);
    for text in [
        format!("100000 99999 500000\n{long}"),
        format!("100000\n{long}"),
        String::from(
            "Nodes 100000\nTiers 3\nPodsize 100000\nTier 0\nDownlink_speed_Gbps 1000000\nRadix_Down 1\nRadix_Up 500000\nDownlink_Latency_ns 1\nTier 1\nDownlink_speed_Gbps 1\nRadix_Down 1\nRadix_Up 500000\nDownlink_Latency_ns 1\nTier 2\nDownlink_speed_Gbps 1\nRadix_Down 1\nDownlink_Latency_ns 1\n",
        ),
        format!("num_ranks 100000\nrank 0 {{\n{}}}\n", "send 1b to 1 tag 0\n".repeat(50_000)),
        format!(
            "num_ranks 2\nrank 0 {{\n{}}}\n",
            (0..3_000)
                .map(|n| format!(
                    "l{n}: calc 9\n{}",
                    if n > 0 { format!("l{n} requires l{}\n", n - 1) } else { String::new() }
                ))
                .collect::<String>()
        ),
        format!("Nodes 128000\nConnections 1\n0->1 start 0 size 1{}", "0".repeat(100_000)),
        "{".repeat(100_000),
        format!("rank 0 {{ l{}: calc 1 }}", "x".repeat(100_000)),
    ] {
        exercise(&[("fuzz", &text)]);
    }
    exercise(&[
        ("fat.txt", &hpcc::fat()),
        ("flow.txt", &format!("40000\n{}", "0 1 3 100 1 2.0\n".repeat(40_000))),
    ]);
}
