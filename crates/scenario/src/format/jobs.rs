//! Jobs: collective operations among stations.

use setpoint_sim::Priority;
use setpoint_sim::traffic::collective::Pattern;
use setpoint_units::{Bytes, TimeDelta};

use super::declare::{choice, tables};
use super::values::Names;
use crate::limits::{MAX_ITERATIONS, MAX_PARTS};

tables! {
    pub(crate) struct Job {
        /// Name of the job.
        name: Option<String>, "job1, job2, … in file order";
        /// The collective operation: ring-all-reduce, halving-doubling (an all-reduce in 2 log2 n steps; n must be a power of
        /// two), all-gather, reduce-scatter (the two halves of a ring all-reduce), all-to-all, shifted-all-to-all (one
        /// partner at a time, in n − 1 steps), pipeline (from each rank to the next), barrier (a dissemination barrier).
        kind: Pattern = required;
        /// The stations that take part, as in `flows.from`. The first one is rank 0.
        ranks: Names = required;
        /// Size of the data: for all-gather, of the gathered data; for pipeline, of one part; for barrier, of one message;
        /// otherwise of the data of each rank.
        size: Bytes = required;
        /// For the kind pipeline: the number of parts that follow each other.
        parts: u32 [1..=MAX_PARTS] = "1";
        /// How often the operation is carried out. A rank begins the next iteration when it has received and sent all
        /// messages of the current one.
        iterations: u32 [1..=MAX_ITERATIONS] = "1";
        /// Time for which a rank computes: for pipeline before it sends a part, otherwise before each iteration.
        compute: TimeDelta = "0 s";
        /// Time that a rank takes to combine received data with its own, in operations that reduce.
        reduce: TimeDelta = "0 s";
        /// Time at which the job starts. It starts exactly then, unlike the flows of [[flows]].
        start: TimeDelta = "0 s";
        /// Whether the senders are notified and their rates limited.
        controlled: bool = "true";
        /// Length of a full frame.
        frame: Option<Bytes>, "network.frame";
        /// Priority of the frames.
        priority: Option<Priority>, "network.priority";
    }
}

choice!(Pattern {
    "ring-all-reduce" => RingAllReduce,
    "halving-doubling" => HalvingDoubling,
    "all-gather" => AllGather,
    "reduce-scatter" => ReduceScatter,
    "all-to-all" => AllToAll,
    "shifted-all-to-all" => ShiftedAllToAll,
    "pipeline" => Pipeline,
    "barrier" => Barrier,
});
