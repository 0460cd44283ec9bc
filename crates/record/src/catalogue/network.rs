//! Metrics of the network as a whole, and of the watched queue and its port.

use setpoint_units::quantity::Unit::{BitsPerSecond, Bytes, Count, Seconds, Share};

use super::Better::{Larger, Smaller};
use super::{Metric, metrics};
use crate::results::{QueueSummary, Settling, Summary};
use crate::statistics::moments::ratio;

metrics! {
    pub(super) static METRICS;

    /// Data delivered per second by all flows together, over the measurement interval; a multicast flow counts once.
    THROUGHPUT = Metric::of_run("throughput_bps", |summary| Some(summary.total.throughput_bps))
        .called("Throughput", "throughput").in_unit(BitsPerSecond).better(Larger).on_terminal(2);

    /// Share of the measurement interval during which the port of the watched queue transmits; for an input buffer, the
    /// port that feeds it. Without queues, the busiest port.
    UTILISATION = Metric::of_queue("utilisation_share", utilisation)
        .called("Utilisation", "utilisation").in_unit(Share).better(Larger).on_terminal(1).in_league(2);

    /// Time-weighted mean length of the watched queue in the measurement interval.
    QUEUE_MEAN = Metric::of_queue("queue_mean_bytes", |_, queue| Some(queue?.mean_bytes))
        .called("Mean queue", "queue mean").in_unit(Bytes).on_terminal(0);

    /// Standard deviation of the watched queue's length over the measurement interval. A queue pinned at a full buffer
    /// deviates little.
    QUEUE_DEVIATION = Metric::of_queue("queue_deviation_bytes", |_, queue| Some(queue?.deviation_bytes))
        .called("Queue deviation", "deviation").in_unit(Bytes).on_terminal(3);

    /// Root-mean-square distance of the watched queue from its set point in the measurement interval. For an empty
    /// queue, this distance equals the set point.
    QUEUE_ERROR = Metric::of_queue("queue_error_bytes", |_, queue| queue?.set_point_error())
        .called("Queue distance from set point", "distance from set point")
        .in_unit(Bytes).better(Smaller).missing("no set point").in_league(1);

    /// Length of the watched queue that is exceeded for 1 % of the measurement interval.
    QUEUE_P99 = Metric::of_queue("queue_p99_bytes", |_, queue| queue?.p99())
        .called("Queue, 99th percentile", "queue p99").in_unit(Bytes).better(Smaller).on_terminal(4);

    /// Largest length of the watched queue in the whole run: the buffer that the run would have needed there.
    QUEUE_PEAK = Metric::of_queue("queue_peak_bytes", |_, queue| Some(queue?.peak_bytes as f64))
        .called("Peak queue", "queue peak").in_unit(Bytes).better(Smaller);

    /// Jain's index of the mean rates of the flows that are active throughout the measurement interval; 1 is fair.
    JAIN = Metric::of_run("jain_index", |summary| summary.total.jain_index)
        .called("Fairness", "Jain").at_most(1.0).better(Larger).missing("one flow").on_terminal(5);

    /// Jain's index of the flows' rates, divided by their weights, in short windows; mean over windows.
    JAIN_WINDOWED = Metric::of_run("jain_index_windowed_mean", |summary| summary.total.jain_index_windowed_mean)
        .called("Fairness in short windows", "fairness").at_most(1.0).better(Larger).missing("one flow").in_league(0);

    /// Dropped frames divided by sent frames; for flows to groups, lost frames divided by the frames due at receivers. Whole
    /// run.
    LOSS = Metric::of_run("loss_share", |summary| Some(summary.total.loss_share))
        .called("Loss", "loss").in_unit(Share).better(Smaller).onset("frames are lost").on_terminal(6).in_league(4);

    /// Notifications that congestion points sent in the whole run.
    NOTIFICATIONS = Metric::of_run("notifications", |summary| Some(summary.total.notifications as f64))
        .called("Notifications", "notifications sent").in_unit(Count).better(Smaller);

    /// Notifications that congestion points sent, divided by the data frames that stations sent; whole run.
    NOTIFICATIONS_PER_FRAME =
        Metric::of_run("notifications_per_frame", |summary| Some(summary.total.notifications_per_frame))
        .called("Notifications per data frame", "notifications per frame").better(Smaller).in_league(6);

    /// Mean round-trip time that acknowledgements show, from the beginning of a frame's transmission to the arrival of the
    /// acknowledgement; measurement interval.
    ROUND_TRIP_MEAN = Metric::of_run("round_trip_mean_s", |summary| summary.total.round_trip_mean_s)
        .called("Mean round-trip time", "round trip mean").in_unit(Seconds).better(Smaller).missing("no acknowledgements");

    /// Mean window of sources at the ends of sample intervals; measurement interval.
    WINDOW_MEAN = Metric::of_run("window_mean_bytes", |summary| summary.total.window_mean_bytes)
        .called("Mean window", "window mean").in_unit(Bytes).missing("no windows");

    /// Mean load of paths that sources had computed last at the ends of sample intervals (HPCC's U, PowerTCP's power); 1 is a
    /// fully used port without a queue. Measurement interval.
    LOAD_MEAN = Metric::of_run("load_mean", |summary| summary.total.load_mean)
        .called("Mean load computed by sources", "load mean").missing("no computed load");

    /// Frames that congestion points marked, counted at each of them, divided by the data frames that stations sent; whole
    /// run.
    MARKS_PER_FRAME = Metric::of_run("marks_per_frame", marks_per_frame)
        .called("Marks per data frame", "marks per frame").missing("no marks");

    /// Bytes of acknowledgements that reached stations, divided by bytes of data that stations sent; whole run.
    ACKNOWLEDGEMENT_SHARE = Metric::of_run("acknowledgement_share", |summary| summary.total.acknowledgement_share)
        .called("Load of acknowledgements", "acknowledgement load").in_unit(Share).better(Smaller)
        .missing("no acknowledgements");

    /// Time for which ports were paused, summed over ports; measurement interval.
    PAUSED = Metric::of_run("paused_s", |summary| Some(summary.total.paused_s))
        .called("Time paused, sum over ports", "paused").in_unit(Seconds).better(Smaller).onset("ports are paused").in_league(5);

    /// Number of times that ports were paused in the whole run.
    PAUSES = Metric::of_run("pauses", |summary| Some(summary.pauses() as f64))
        .called("Pauses", "pauses").in_unit(Count).better(Smaller).onset("ports are paused");

    /// Time from the last event until the watched queue stays within 10 % of its set point, averaged over windows of up to
    /// 10 ms, with its port loaded and its buffer not full. Its resolution is one sample interval.
    SETTLING = Metric::of_queue("settling_s", |_, queue| queue?.settling.and_then(Settling::seconds))
        .called("Settling time", "settling").in_unit(Seconds).better(Smaller).missing("not settled")
        .on_terminal(7).in_league(3);
}

fn marks_per_frame(summary: &Summary) -> Option<f64> {
    let sent: u64 = summary.flows.iter().map(|flow| flow.sent_frames).sum();
    summary.total.marked_frames.map(|marked| ratio(marked as f64, sent as f64))
}

fn utilisation(summary: &Summary, queue: Option<&QueueSummary>) -> Option<f64> {
    let port = match queue {
        Some(queue) => summary.ports.iter().find(|port| port.name == queue.port),
        None => return Some(summary.busiest_port()?.utilisation_share),
    };
    // A port that sent nothing is not listed.
    Some(port.map_or(0.0, |port| port.utilisation_share))
}
