//! Warnings of plausibility checks about sweeps and tunings, and about their runs.

use setpoint_lab::sweep::SweptWarning;
use setpoint_record::results::WarningRecord;

use crate::document::{Block, Section};
use crate::words::capital;

/// The warnings about variants, here called `noun`, of which there are `all`; none if there are no warnings.
pub(crate) fn section(warnings: &[SweptWarning], all: usize, noun: &str) -> Option<Section> {
    let point = |warning: &SweptWarning| {
        let WarningRecord { check, remedies, .. } = &warning.first;
        let sentences = [warning.text(all, noun)].into_iter().chain(remedies.iter().cloned());
        let sentences = sentences.map(|text| format!("{}.", capital(&text)));
        sentences.chain([format!("See setpoint explain {check}.")]).collect::<Vec<_>>().join(" ")
    };
    let points: Vec<String> = warnings.iter().map(point).collect();
    (!points.is_empty()).then(|| Section::new("warnings", "Warnings").with(Block::Points(points)))
}
