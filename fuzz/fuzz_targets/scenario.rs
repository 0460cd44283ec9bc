//! Loads arbitrary text as a scenario: it loads or is rejected with a message, and nothing panics.
//!
//! ```text
//! mkdir -p fuzz/corpus/scenario && cp crates/scenario/scenarios/*.toml crates/scenario/tests/errors/*.toml fuzz/corpus/scenario
//! cargo +nightly fuzz run scenario
//! ```
#![no_main]

use libfuzzer_sys::fuzz_target;
use setpoint_scenario::{Colour, Override, Scenario, Source};

fuzz_target!(|text: &str| {
    // A first line of the form `--set key=value` is a setting; the rest is the file.
    let (settings, text) = match text.strip_prefix("--set ").and_then(|rest| rest.split_once('\n')) {
        Some((setting, rest)) => (setting.parse::<Override>().into_iter().collect(), rest),
        None => (Vec::new(), text),
    };
    match Scenario::load(&Source::new("fuzz.toml", text), &settings) {
        Ok(scenario) => {
            scenario.prepare(scenario.seed()).expect("a scenario that loads can be prepared");
            if let Err(errors) = scenario.variants() {
                assert!(!errors.to_string().is_empty());
            }
        }
        Err(errors) => assert!(!errors.render(Colour::On).is_empty()),
    }
});
