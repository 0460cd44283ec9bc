//! What a scenario is called and how long it lasts.

use super::{Field, Shape};
use crate::scenario::checks::CODES;

pub(super) fn fields() -> Vec<Field> {
    vec![
        Field::derived("name", Shape::Text, "the file's name", "What the scenario is called."),
        Field::value("description", Shape::Text, "", "One or two sentences for the report."),
        Field::derived(
            "extends",
            Shape::Text,
            "nothing",
            "Another scenario to start from: a file beside this one, or a built-in name. What is written \
             here replaces what stands there, key by key; lists, [[flows]] and [[at]] are replaced as a whole. The \
             name and the description are not taken over.",
        ),
        Field::value("duration", Shape::Time, "1 s", "How long to simulate."),
        Field::derived(
            "measure_from",
            Shape::Time,
            "a quarter of duration",
            "Statistics leave out what happens before; series show it.",
        ),
        Field::derived(
            "sample_interval",
            Shape::Time,
            "a thousandth of duration, at least 1 us",
            "How often queues and rates are sampled for the series.",
        ),
        Field::value(
            "seed",
            Shape::Integer(0, u64::MAX),
            "1",
            "From this every random number of the run is derived; the same seed gives the same run.",
        ),
        Field::derived(
            "allow_warnings",
            Shape::List(Box::new(Shape::Choice(CODES)), 0, CODES.len()),
            "none",
            "Codes of plausibility checks (docs/checks.md) that do not warn, because the scenario means what they warn of.",
        ),
        Field::derived(
            "sweep",
            Shape::Axes,
            "no sweep",
            "Dotted keys, each with a list of values to try; several keys multiply. The first entry of \
             [[flows]] is flows.1.",
        ),
    ]
}
