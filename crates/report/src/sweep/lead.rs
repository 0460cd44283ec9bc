//! Which figures lead the page of a sweep: the three or four that decide between its variants.
//!
//! The table below is the only place that says so. What leads depends on what the sweep has: groups, messages or flows.

use super::figures::Compared;

/// A place among the leading figures.
struct Lead {
    /// The figures that may take it, the most telling first.
    figures: &'static [&'static str],
    /// Why it leads, for the reader.
    why: &'static str,
}

const fn lead(figures: &'static [&'static str], why: &'static str) -> Lead {
    Lead { figures, why }
}

/// What is lost or, where nothing may be, how long links stand still instead.
const LOSS: Lead = lead(
    &["loss_share", "paused_s"],
    "The price of overload: dropped frames or, in a lossless network, paused links.",
);

/// Leading figures by what a sweep must have for them to lead; the first set that it has is taken.
const SETS: [(&[&str], [Lead; 4]); 3] = [
    (
        &["group_rate_mean_bps"],
        [
            lead(&["group_rate_mean_bps"], "What receivers get of a group's traffic."),
            lead(
                &["notifications_per_source_peak", "group_notifications_per_source_mean"],
                "Whether feedback implodes at a sender.",
            ),
            lead(&["group_loss_share", "loss_share", "paused_s"], "The price of overload at the receivers."),
            lead(&["group_jain_index", "jain_index", "queue_error_bytes"], "Whether senders share alike."),
        ],
    ),
    (
        &["fct_p99_s", "slowdown_p99", "fct_mean_s"],
        [
            lead(
                &["fct_p99_s", "slowdown_p99", "fct_mean_s"],
                "What applications wait for: the slow end of completion times.",
            ),
            LOSS,
            lead(
                &["throughput_bps", "utilisation_share"],
                "Short completion times are worth little if less is carried.",
            ),
            lead(
                &["queue_p99_bytes", "queue_mean_bytes"],
                "Where the waiting comes from, and the buffer it takes.",
            ),
        ],
    ),
    (
        &[],
        [
            lead(&["utilisation_share", "throughput_bps"], "Whether the link is kept busy."),
            lead(
                &["queue_error_bytes", "queue_p99_bytes", "queue_mean_bytes"],
                "How long frames wait, and whether the queue keeps to its set point.",
            ),
            lead(&["jain_index", "jain_index_windowed_mean"], "Whether flows share alike."),
            LOSS,
        ],
    ),
];

/// The leading figures among those in which variants differ, each with the reason, and the rest.
pub(super) fn split(differing: &[Compared]) -> (Vec<(Compared, &'static str)>, Vec<Compared>) {
    let has = |name: &&str| differing.iter().any(|figure| figure.name == *name);
    let set = SETS.iter().find(|(needs, _)| needs.is_empty() || needs.iter().any(has));
    let leads = set.map_or(&[][..], |(_, leads)| &leads[..]);
    let chosen = |lead: &Lead| {
        let name = lead.figures.iter().find(|name| has(name))?;
        Some((*differing.iter().find(|figure| figure.name == *name)?, lead.why))
    };
    let leading: Vec<(Compared, &str)> = leads.iter().filter_map(chosen).collect();
    // A sweep of other figures has those that come first.
    let leading = match leading.is_empty() {
        true => differing.iter().take(leads.len()).map(|figure| (*figure, "")).collect(),
        false => leading,
    };
    let is_leading = |figure: &Compared| leading.iter().any(|(lead, _)| lead == figure);
    let rest = differing.iter().copied().filter(|figure| !is_leading(figure)).collect();
    (leading, rest)
}
