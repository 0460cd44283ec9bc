//! Imports arbitrary texts as the files of other simulators: they are converted into a scenario that loads, or rejected with a
//! message, and nothing panics.
//!
//! ```text
//! cargo +nightly fuzz run import
//! ```
#![no_main]

use libfuzzer_sys::fuzz_target;
use setpoint_scenario::import::import;
use setpoint_scenario::{Colour, Source};

fuzz_target!(|text: &str| {
    // A form feed separates files.
    let files: Vec<Source> = text.split('\u{c}').take(3).map(|text| Source::new("fuzz", text)).collect();
    match import(&files) {
        Ok(imported) => assert!(!imported.scenario.is_empty()),
        Err(errors) => assert!(!errors.render(Colour::On).is_empty()),
    }
});
