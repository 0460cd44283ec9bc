//! The metrics that come first on a sweep page: the three or four that decide between its variants.
//!
//! They depend on whether the sweep has groups, messages or only flows.

use setpoint_record::catalogue::{
    FCT_MEAN, FCT_P99, FCT_SHORT_P99, GROUP_JAIN, GROUP_LOSS, GROUP_NOTIFICATIONS_MEAN, GROUP_RATE, JAIN,
    JAIN_WINDOWED, LOSS, Metric, PAUSED, QUEUE_ERROR, QUEUE_MEAN, QUEUE_P99, SLOWDOWN_P99,
    SOURCE_NOTIFICATIONS_PEAK, THROUGHPUT, UTILISATION,
};

use setpoint_lab::sweep::VariantSummary;

/// A slot for a leading metric.
struct Lead {
    /// The candidates, most informative first.
    metrics: &'static [&'static Metric],
    /// The reason why it leads, as shown to the reader.
    why: &'static str,
}

const fn lead(metrics: &'static [&'static Metric], why: &'static str) -> Lead {
    Lead { metrics, why }
}

static OVERLOAD: Lead =
    lead(&[&LOSS, &PAUSED], "The price of overload: dropped frames or, in a lossless network, paused links.");

static OF_GROUPS: [&Lead; 4] = [
    &lead(&[&GROUP_RATE], "The rate at which receivers get a group's traffic."),
    &lead(
        &[&SOURCE_NOTIFICATIONS_PEAK, &GROUP_NOTIFICATIONS_MEAN],
        "Whether feedback implosion occurs at a sender.",
    ),
    &lead(&[&GROUP_LOSS, &LOSS, &PAUSED], "The price of overload at the receivers."),
    &lead(&[&GROUP_JAIN, &JAIN, &QUEUE_ERROR], "Whether senders share equally."),
];

static OF_MESSAGES: [&Lead; 4] = [
    &lead(
        &[&FCT_P99, &SLOWDOWN_P99, &FCT_MEAN, &FCT_SHORT_P99],
        "The time that applications wait: the tail of the completion times.",
    ),
    &OVERLOAD,
    &lead(&[&THROUGHPUT, &UTILISATION], "Short completion times are worth little if less data is carried."),
    &lead(&[&QUEUE_P99, &QUEUE_MEAN], "The origin of the delay, and the buffer that it requires."),
];

static OF_FLOWS: [&Lead; 4] = [
    &lead(&[&UTILISATION, &THROUGHPUT], "Whether the link is kept busy."),
    &lead(
        &[&QUEUE_ERROR, &QUEUE_P99, &QUEUE_MEAN],
        "The delay of frames, and whether the queue stays at its set point.",
    ),
    &lead(&[&JAIN, &JAIN_WINDOWED], "Whether flows share equally."),
    &OVERLOAD,
];

/// The leading metrics among those in which variants differ, each with the reason, and the rest. A metric for which
/// every variant has only a lower bound does not lead, since its values do not show which variant is better.
pub(super) fn split(
    differing: &[&'static Metric],
    variants: &[VariantSummary],
) -> (Vec<(&'static Metric, &'static str)>, Vec<&'static Metric>) {
    let leads = set(differing);
    let decides = |metric: &&'static Metric| {
        let mut spreads = variants.iter().filter_map(|variant| variant.spread(metric));
        spreads.any(|spread| !spread.is_lower_bound)
    };
    let chosen = |lead: &&Lead| {
        let metric = lead.metrics.iter().find(|metric| differing.contains(metric) && decides(metric))?;
        Some((*metric, lead.why))
    };
    let mut leading: Vec<(&Metric, &str)> = leads.iter().filter_map(chosen).collect();
    if leading.is_empty() {
        leading = differing
            .iter()
            .filter(|metric| decides(metric))
            .take(leads.len())
            .map(|metric| (*metric, ""))
            .collect();
    }
    let is_leading = |metric: &&Metric| leading.iter().any(|(lead, _)| lead == metric);
    let rest = differing.iter().copied().filter(|metric| !is_leading(metric)).collect();
    (leading, rest)
}

fn set(differing: &[&'static Metric]) -> &'static [&'static Lead; 4] {
    let has = |metrics: &[&'static Metric]| metrics.iter().any(|metric| differing.contains(metric));
    if has(&[&GROUP_RATE]) {
        &OF_GROUPS
    } else if has(&[&FCT_P99, &SLOWDOWN_P99, &FCT_MEAN]) {
        &OF_MESSAGES
    } else {
        &OF_FLOWS
    }
}
