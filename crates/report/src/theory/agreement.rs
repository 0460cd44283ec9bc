//! Describes how well a fluid solution agrees with a packet run.

use setpoint_lab::theory::{FluidRecord, Overlay};

use super::wording::against;

/// Means that differ by less than this share are considered to agree.
const MEAN: f64 = 0.05;

/// States whether the mean, oscillation and period agree.
pub(super) fn sentence(record: &FluidRecord, packets: &Overlay) -> String {
    let mean = against(record.queue_mean_bytes, packets.queue_mean_bytes, "the packet mean");
    let near = (record.queue_mean_bytes / packets.queue_mean_bytes - 1.0).abs() <= MEAN;
    let means = match (mean.as_str(), near) {
        ("", _) => "The means cannot be compared".to_owned(),
        (_, true) => format!("The packet simulation agrees: the fluid mean is {mean}"),
        (_, false) => format!("The packet simulation differs: the fluid mean is {mean}"),
    };
    let periods = match (record.period_s, packets.period_s) {
        (None, None) => "and neither oscillates".to_owned(),
        (Some(_), None) => "and its queue does not oscillate".to_owned(),
        (None, Some(_)) => "and its queue oscillates".to_owned(),
        (Some(fluid), Some(of)) => {
            format!("and both oscillate; the fluid period is {}", against(fluid, of, "the packet period"))
        }
    };
    format!("{means}, {periods}.")
}
