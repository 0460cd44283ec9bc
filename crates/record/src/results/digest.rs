//! The digest of a run: the same figures, curves and messages give the same digest.

use std::io::{self, BufWriter, Write};

use serde::{Serialize, Serializer};
use sha2::{Digest, Sha256};

use super::{
    DeadlockSummary, EventSummary, FabricSummary, FailedLinkSummary, FlowControlSummary, FlowSeries,
    FlowSummary, GroupSummary, MessageRecord, MessageSummary, PortSeries, PortSummary, QueueSeries,
    QueueSummary, Series, SharedBufferSummary, SourceSeries, Summary, TotalSummary, TreesSummary,
};

/// SHA-256, in hexadecimal, over the canonical text of a result: the summary, the series and the messages, each as JSON
/// without spaces and followed by a line feed. Floats are in the shortest form that reads back to the same bits, so that
/// the text does not depend on the machine. `entries`, `jobs`, `size_classes`, `slowdown_by_size`, `hpcc_slowdowns`, the
/// `counters` of flows, the means of curves, and the curves of marks and loads are not part of it.
pub fn digest(summary: &Summary, series: &Series, messages: &[MessageRecord]) -> String {
    let mut text = BufWriter::with_capacity(BUFFER, Hasher(Sha256::new()));
    write_line(&mut text, &Covered(summary));
    write_line(&mut text, &CoveredSeries(series));
    write_line(&mut text, &messages);
    let Ok(Hasher(hasher)) = text.into_inner() else { unreachable!("{INFALLIBLE}") };
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes that are hashed at once: text arrives in pieces of a few bytes, which would take longer one by one.
const BUFFER: usize = 1 << 14;

const INFALLIBLE: &str = "results have string keys, and writing to a hasher cannot fail";

/// Declares the part of a result that the digest covers, serialised by a list of its fields.
macro_rules! covered {
    ($($part:ident of $whole:ident by $fields:ident;)+) => {$(
        struct $part<'a>(&'a $whole);

        impl Serialize for $part<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $fields::serialize(self.0, serializer)
            }
        }
    )+};
}

covered! {
    Covered of Summary by CoveredKeys;
    CoveredSeries of Series by CoveredCurves;
    CoveredSource of SourceSeries by CoveredSourceCurves;
    CoveredQueue of QueueSeries by CoveredQueueCurves;
}

/// The covered keys of a summary. Keys added later arrange the figures of a run differently or show further
/// details of it; leaving them out keeps the digests of older versions comparable.
#[derive(Serialize)]
#[serde(remote = "Summary")]
struct CoveredKeys {
    duration_s: f64,
    measure_from_s: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    measure_messages_until_s: Option<f64>,
    events: u64,
    packet_hops: u64,
    #[serde(serialize_with = "total")]
    total: TotalSummary,
    #[serde(serialize_with = "flows")]
    flows: Vec<FlowSummary>,
    queues: Vec<QueueSummary>,
    ports: Vec<PortSummary>,
    messages: Option<MessageSummary>,
    events_at: Vec<EventSummary>,
    congestion_trees: TreesSummary,
    deadlock: Option<DeadlockSummary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    flow_control: Option<FlowControlSummary>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    shared_buffers: Vec<SharedBufferSummary>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failed_links: Vec<FailedLinkSummary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fabric: Option<FabricSummary>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    groups: Vec<GroupSummary>,
}

/// The total without the means of curves, which the digest covers as series.
fn total<S: Serializer>(total: &TotalSummary, serializer: S) -> Result<S::Ok, S::Error> {
    TotalSummary { window_mean_bytes: None, load_mean: None, ..total.clone() }.serialize(serializer)
}

/// The flows without their counters and the means of their curves.
fn flows<S: Serializer>(flows: &[FlowSummary], serializer: S) -> Result<S::Ok, S::Error> {
    let covered = |flow: &FlowSummary| FlowSummary {
        counters: Vec::new(),
        window_mean_bytes: None,
        load_mean: None,
        ..flow.clone()
    };
    serializer.collect_seq(flows.iter().map(covered))
}

/// The covered curves.
#[derive(Serialize)]
#[serde(remote = "Series")]
struct CoveredCurves {
    time_s: Vec<f64>,
    flows: Vec<FlowSeries>,
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "sources")]
    sources: Vec<SourceSeries>,
    #[serde(serialize_with = "queues")]
    queues: Vec<QueueSeries>,
    ports: Vec<PortSeries>,
}

fn sources<S: Serializer>(sources: &[SourceSeries], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(sources.iter().map(CoveredSource))
}

fn queues<S: Serializer>(queues: &[QueueSeries], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(queues.iter().map(CoveredQueue))
}

/// The covered curves of a source, without marks and loads.
#[derive(Serialize)]
#[serde(remote = "SourceSeries")]
struct CoveredSourceCurves {
    name: String,
    round_trip_s: Vec<Option<f64>>,
    window_bytes: Vec<Option<f64>>,
    in_flight_bytes: Vec<f64>,
}

/// The covered curves of a queue, without marks.
#[derive(Serialize)]
#[serde(remote = "QueueSeries")]
struct CoveredQueueCurves {
    name: String,
    length_bytes: Vec<f64>,
    largest_bytes: Vec<f64>,
    notifications: Vec<u32>,
}

fn write_line(text: &mut impl Write, value: &impl Serialize) {
    serde_json::to_writer(&mut *text, value).expect(INFALLIBLE);
    text.write_all(b"\n").expect(INFALLIBLE);
}

/// Hashes the text written to it, so that the text is never held in memory.
struct Hasher(Sha256);

impl Write for Hasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
