//! The text of scenarios.

/// The text of a scenario, concatenated from files in `scenarios/PAPER`: `scenario!("smcc": "fig05", "with-qcn")`.
macro_rules! scenario {
    ($paper:literal: $($part:literal),+) => {
        concat!($(include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"), "/scenarios/", $paper, "/", $part, ".toml"
        ))),+)
    };
}
pub(crate) use scenario;
