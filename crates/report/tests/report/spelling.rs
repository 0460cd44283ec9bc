//! Consistent spelling of names and quantities in all text that is visible on a page.

use setpoint_report::html;

use crate::sweep::{SENDERS, swept};
use crate::synthetic;

/// Elements whose text is not prose: programs, styles, and text to copy into a file or a terminal.
const EXCEPTIONS: [&str; 4] = ["script", "style", "pre", "code"];
const UNITS: [&str; 14] =
    ["kB", "MB", "GB", "B", "Gb/s", "Mb/s", "kb/s", "b/s", "ms", "us", "µs", "ns", "s", "%"];

#[test]
fn pages_have_one_spelling_of_arrows_and_units() {
    let buffers = ("network.buffer", &["100kB", "15 kB"][..]);
    let delays = ("topology.dumbbell.rtt", &["50us", "1 ms"][..]);
    let pages = [
        html(&synthetic::dumbbell(4, 60)),
        html(&synthetic::fat_tree()),
        html(&synthetic::incast_pfc()),
        html(&synthetic::deadlock()),
        setpoint_report::sweep(&swept(&[SENDERS, buffers], 3)).html(),
        setpoint_report::sweep(&swept(&[delays], 2)).html(),
    ];
    for page in &pages {
        let wrong = misspelt(&visible(page));
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}

#[test]
fn misspelt_text_is_found() {
    assert_eq!(misspelt("a left->right, 26kB, 15 us, 3 %"), ["left->right", "26kB", "us"]);
    assert_eq!(visible("<p>1&nbsp;kB<code>26kB</code></p>").trim(), "1\u{a0}kB");
}

/// The text between tags, without the exceptions.
fn visible(page: &str) -> String {
    let mut text = String::new();
    let mut rest = page;
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        text.push(' ');
        rest = tag.split_once('>').map_or("", |(_, rest)| rest);
        let name = tag.split([' ', '>']).next().unwrap_or_default();
        if EXCEPTIONS.contains(&name) {
            rest = rest.split_once(&format!("</{name}>")).map_or("", |(_, rest)| rest);
        }
    }
    text.replace("&gt;", ">").replace("&#62;", ">").replace("&nbsp;", "\u{a0}")
}

/// Words with an arrow typed in ASCII, with no space between a number and its unit, or with a micro sign typed as a
/// letter.
fn misspelt(text: &str) -> Vec<String> {
    let is_wrong = |word: &&str| {
        let number = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let starts_with_digit = word.starts_with(|c: char| c.is_ascii_digit());
        word.contains("->") || *word == "us" || (starts_with_digit && UNITS.contains(&number))
    };
    let words = text.split_whitespace().map(|word| word.trim_matches([',', ';', '(', ')', ':']));
    words.filter(is_wrong).map(str::to_owned).collect()
}
